"""A large tensor, from its tile down to a single cell, and long tables page by page."""

import struct
from ast import literal_eval
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, Route, expect

from tests.browser.conftest import LINES, OpenWalker, Walker, arrived, intercept, until
from tests.browser.links import link
from tests.support.looking import findings, number
from tests.tools.server import Server

LARGE: dict[str, Any] = {
    "source": "h = x @ W\nloss = (h**2).mean()",
    "tensors": {
        "x": {"role": "data", "shape": [8, 1024], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [1024, 1024], "init": "randn", "seed": 2},
    },
}
LONG: dict[str, Any] = {
    "source": "h = x * w\nloss = (h**2).mean()",
    "tensors": {
        "x": {"role": "data", "shape": [3000], "init": "randn", "seed": 1},
        "w": {"role": "parameter", "shape": [900, 1], "init": "randn", "seed": 2},
    },
}
WHOLE_TENSOR = 1024 * 1024 * 4
BEYOND = "() => { const d = document.querySelector('#tensor-dialog'); return d.scrollWidth - d.clientWidth; }"
SAME_BLOCKS = """() => {
    const size = (place, words) => document.querySelector(place).textContent.match(words)?.[1];
    const beside = size(".readout", /a block of (\\S+ × \\S+)/);
    return beside && beside === size(".zoom-words", /blocks of (\\S+ × \\S+) cells/);
}"""


def enlarge(walker: Walker, request: dict[str, Any], step: int, which: str = "manual") -> Locator:
    """The dialog with one tensor of a step of this program."""
    walker.page.goto(walker.base + link(request, step))
    return larger(walker, which)


def larger(walker: Walker, which: str) -> Locator:
    """The dialog with one tensor of the step that is shown."""
    walker.page.get_by_label(f"{which}: larger, with every number").click()
    dialog = walker.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    return dialog


def window(server: Server, which: str, cells: list[int]) -> list[float]:
    question = {"walk": LARGE, "tensor": "W", "which": which, "window": cells}
    data = b64decode(server.post("/api/tensor", question).json()["tensor"]["bdata"])
    return list(struct.unpack(f"<{len(data) // 4}f", data))


@pytest.fixture
def zoomed(walkers: OpenWalker) -> Iterator[tuple[Walker, list[Response]]]:
    """The gradient of W, large, and the windows that were sent."""
    walker = walkers(permissions=["clipboard-read"])
    sent: list[Response] = []
    walker.page.on("response", lambda one: sent.append(one) if one.url.endswith("/api/tensor") else None)
    walker.open(link(LARGE, 6))
    larger(walker, "manual")
    yield walker, sent
    assert all(int(one.headers["content-length"]) < WHOLE_TENSOR / 4 for one in sent)


def words(page: Page) -> Locator:
    return page.locator(".zoom-words")


def test_a_cell_is_reached_by_number_and_is_the_server_s(zoomed: tuple[Walker, list[Response]], server: Server) -> None:
    walker, _ = zoomed
    page = walker.page
    expect(words(page)).to_contain_text("rows 0–1,023, columns 0–1,023 · blocks of")
    expect(page.locator("#tensor-table")).to_contain_text("Come closer to read the numbers")
    page.get_by_role("spinbutton", name="row").fill("700")
    page.get_by_role("spinbutton", name="column").fill("33")
    walker.press("Enter")
    expect(words(page)).to_contain_text("every cell")
    cell = page.locator("#tensor-table td.picked")
    (value,) = window(server, "manual", [700, 701, 33, 34])
    expect(cell).to_be_in_viewport()
    gradient = cell.text_content() or ""
    assert number(gradient) == pytest.approx(value, rel=1e-5)
    expect(page.locator(".zoom-readout")).to_contain_text("[700, 33]")
    head = page.locator("#tensor-table thead th").all_text_contents()
    rows = page.locator("#tensor-table tbody th").all_text_contents()
    cells = [int(rows[0]), int(rows[-1]) + 1, int(head[0]), int(head[-1]) + 1]
    shown = [number(text) for text in page.locator("#tensor-table tbody td").all_text_contents()]
    assert shown == pytest.approx(window(server, "manual", cells), rel=1e-4)
    # another tensor of the same shape is shown at the same place, and a number of the table opens
    page.get_by_role("button", name="value", exact=True).click()
    (value,) = window(server, "value", [700, 701, 33, 34])
    expect(page.locator(".zoom-readout b").last).not_to_have_text(gradient)
    expect(cell).not_to_have_text(gradient)
    assert number(cell.text_content() or "") == pytest.approx(value, rel=1e-5)
    cell.click()
    expect(page.locator("#lens")).to_contain_text("W[700, 33]")


def test_keys_zoom_pan_and_return_to_the_whole_wherever_the_focus_is(zoomed: tuple[Walker, list[Response]]) -> None:
    walker, sent = zoomed
    page = walker.page
    assert len(sent) == 0, "the tile is there already"
    page.locator(".zoom-stage").focus()
    walker.press("+")
    expect(words(page)).to_have_text("rows 256–767, columns 256–767 · blocks of 3–4 × 3–4 cells")
    expect(page.locator(".overview")).to_be_visible()
    walker.press("Enter")
    expect(words(page)).to_have_text("rows 384–639, columns 384–639 · every cell")
    expect(page.get_by_role("button", name="greatest")).to_have_attribute("aria-disabled", "true")
    walker.press("ArrowRight")
    expect(words(page)).to_contain_text("columns 448–703")
    walker.press("ArrowUp")
    expect(words(page)).to_have_text("rows 320–575, columns 448–703 · every cell")
    walker.press("-")
    expect(words(page)).to_contain_text("rows 192–703, columns 320–831")
    walker.press("0")
    expect(words(page)).to_contain_text("rows 0–1,023, columns 0–1,023")
    expect(page.locator(".overview")).to_be_hidden()
    walker.press("+")
    expect(words(page)).to_have_text("rows 256–767, columns 256–767 · blocks of 3–4 × 3–4 cells")
    asked = [one.request.post_data for one in sent]
    assert len(set(asked)) == len(asked), "what is here is not asked for again"
    # with the focus on a tab of the dialog, and in a field, where a key is a digit
    walker.press("0")
    page.locator("#tensor-tabs button").first.focus()
    walker.press("+", "+")
    expect(words(page)).not_to_contain_text("rows 0–1,023")
    walker.press("0")
    expect(words(page)).to_contain_text("rows 0–1,023")
    page.get_by_role("spinbutton", name="row").fill("10")
    expect(words(page)).to_contain_text("rows 0–1,023")
    # a block shows its mean, its least or its greatest cell
    page.locator(".zoom-stage").hover(position={"x": 200, "y": 100})
    values = []
    for face in ("least", "mean", "greatest"):
        page.get_by_role("button", name=face, exact=True).click()
        expect(page.get_by_role("button", name=face, exact=True)).to_have_attribute("aria-pressed", "true")
        page.locator(".zoom-stage").hover(position={"x": 201, "y": 100})
        expect(page.locator(".zoom-readout")).to_contain_text(f"{face} of the block there")
        values.append(number(page.locator(".zoom-readout b").last.text_content() or ""))
    assert values == sorted(values)
    walker.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_wheel_drag_and_double_click(zoomed: tuple[Walker, list[Response]]) -> None:
    walker, _ = zoomed
    page = walker.page
    box = page.locator(".zoom-stage").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(8):
        page.mouse.wheel(0, -200)
    expect(words(page)).to_contain_text("every cell")
    close = walker.text(".zoom-words")
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    expect(words(page)).not_to_have_text(close)
    wide = walker.text(".zoom-words")
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(words(page)).not_to_have_text(wide)
    page.mouse.click(box["x"] + 30, box["y"] + 30)
    expect(page.locator(".zoom-stage .cell-mark")).to_be_visible()
    page.mouse.move(2, 2)
    expect(page.locator(".zoom-readout b").first).to_contain_text("[")


@pytest.mark.exhaustive
def test_the_coarse_picture_stays_until_the_sharp_one_is_there(zoomed: tuple[Walker, list[Response]]) -> None:
    walker, _ = zoomed
    page = walker.page
    held: list[Route] = []
    intercept(page, "**/api/tensor", lambda route: held.append(route) if len(held) < 2 else route.continue_())
    page.locator(".zoom-stage").focus()
    with page.expect_request("**/api/tensor"):
        walker.press("+")
    expect(words(page)).to_contain_text("rows 256–767, columns 256–767 · blocks of 6–7 × 6–7 cells")
    expect(page.locator(".zoom-stage")).to_have_class("zoom-stage waiting")
    # far away from what was asked for: given up, and asked for where one is now
    with page.expect_event("requestfailed"), page.expect_request("**/api/tensor"):
        page.get_by_role("spinbutton", name="row").fill("1000")
        page.get_by_role("spinbutton", name="column").fill("1000")
        walker.press("Enter")
    arrived(page, held, 1).continue_()
    expect(words(page)).to_contain_text("every cell")


@pytest.mark.exhaustive
def test_a_failed_window_can_be_asked_for_again(zoomed: tuple[Walker, list[Response]]) -> None:
    walker, _ = zoomed
    page = walker.page
    error = {"code": "some", "message": "Not now.", "hint": "Later."}
    intercept(page, "**/api/tensor", lambda route: route.fulfill(status=500, json={"error": error}))
    page.locator(".zoom-stage").focus()
    walker.press("+")
    expect(words(page)).to_contain_text("Not now.")
    page.unroute_all(behavior="wait")
    page.get_by_role("button", name="ask again").click()
    expect(words(page)).to_contain_text("blocks of 3–4 × 3–4")
    walker.complaints.clear()


@pytest.mark.exhaustive
def test_long_tables_turn_pages(walkers: OpenWalker) -> None:
    walker = walkers()
    dialog = enlarge(walker, LONG | {"source": "h = w * w\nk = x * x\nloss = h.sum() + k.sum()"}, 1, "value")
    pager, table = walker.page.locator("#tensor-pager"), walker.page.locator("#tensor-table")
    expect(pager).to_contain_text("rows 0–199 of 900")
    for _ in range(4):
        dialog.get_by_role("button", name="next rows").focus()
        walker.press("Enter")
    expect(pager).to_contain_text("rows 800–899 of 900")
    expect(dialog.get_by_role("button", name="next rows")).to_have_attribute("aria-disabled", "true")
    expect(table.locator("tbody th").last).to_have_text("899")
    walker.press("Escape")
    walker.press("ArrowRight")
    walker.page.get_by_label("value: larger, with every number").click()
    expect(pager).to_contain_text("columns 0–63 of 3,000")
    dialog.get_by_role("button", name="next columns").click()
    expect(table.locator("thead th").first).to_have_text("64")


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        pytest.param("light", 1280, marks=pytest.mark.exhaustive),
        ("dark", 390),
        pytest.param("dark", 1280, marks=pytest.mark.exhaustive),
    ],
)
def test_a_zoomed_tensor_stays_in_its_dialog_and_axe_finds_nothing(
    walkers: OpenWalker, scheme: str, width: int
) -> None:
    walker = walkers(width, 844, color_scheme=scheme)
    enlarge(walker, LARGE, 6)
    assert findings(walker) == []
    walker.page.get_by_role("spinbutton", name="row").fill("5")
    walker.press("Enter")
    expect(walker.page.locator("#tensor-table td.picked")).to_be_visible()
    assert findings(walker) == []
    assert walker.ask(BEYOND) <= 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("width", [1440, 768])
def test_nothing_of_the_zoom_runs_out_sideways(walkers: OpenWalker, width: int) -> None:
    walker = walkers(width=width, height=844)
    enlarge(walker, LARGE, 6)
    walker.page.get_by_role("spinbutton", name="row").fill("5")
    walker.press("Enter")
    expect(walker.page.locator("#tensor-table td.picked")).to_be_visible()
    assert walker.ask(BEYOND) <= 0


@pytest.mark.exhaustive
def test_rows_and_blocks_are_told_the_same_beside_the_map_and_in_the_dialog(walker: Walker) -> None:
    tensors = {
        "x": {"role": "data", "shape": [300, 400], "init": "randn"},
        "w": {"role": "parameter", "shape": [400, 2], "init": "randn"},
    }
    walker.page.goto(walker.base + link({"source": "h = x @ w\nloss = h.mean()", "tensors": tensors}, 5, node="x"))
    expect(walker.page.locator(".side .names span").first).to_have_text("0")
    rows = walker.page.locator(".side .names span").all_text_contents()
    assert int(rows[-1]) > 250
    walker.page.get_by_label("value: larger, with every number").click()
    expect(words(walker.page)).to_contain_text("blocks of")
    until(walker.page, SAME_BLOCKS)  # finer cells take the place of the first, coarse ones in both


@pytest.mark.exhaustive
def test_the_dialog_says_what_it_shows_and_on_which_scale(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=33")
    walker.page.get_by_label("manual: larger, with every number").click()
    expect(walker.page.locator("#tensor-title")).to_have_text("dW2, written out (64, 27)")
    bar = walker.page.locator(".plot-bar")
    expect(bar).to_contain_text("±")
    box, below = bar.bounding_box(), walker.page.locator("#tensor-table").bounding_box()
    assert box is not None
    assert below is not None
    assert box["y"] + box["height"] <= below["y"] + 1


@pytest.mark.exhaustive
def test_letters_stand_beside_their_numbers_in_the_dialog(walker: Walker, server: Server) -> None:
    document = server.post("/api/walk?arrays=lists", {"lesson": "makemore-mlp"}).json()
    codes = next(node["value"] for node in document["nodes"] if node["name"] == "Xb")
    walker.open(LINES)
    walker.page.locator(".node[data-node=Xb]").click()
    walker.page.locator(".enlarge:visible").first.click()
    cells = walker.page.locator("#tensor-table tbody td")
    expect(cells).to_have_count(sum(len(row) for row in codes))
    letters = document["labels"]["letter"]
    assert cells.all_text_contents() == [f"{letters[code]} · {code}" for row in codes for code in row]
    expect(walker.page.locator("#tensor-dialog")).not_to_contain_text("±")


def test_a_cell_that_is_pointed_at_answers_in_the_picture_and_in_the_table(walkers: OpenWalker) -> None:
    walker = walkers(permissions=["clipboard-read", "clipboard-write"])
    dialog = larger(walker.open("/walk/makemore-mlp?step=33"), "manual")
    dialog.get_by_role("button", name="as NumPy").click()
    expect(dialog.get_by_role("button", name="copied")).to_be_visible()
    copied = str(walker.ask("navigator.clipboard.readText()"))
    assert copied.endswith(", dtype=np.float32)\n")
    made = literal_eval(copied.removeprefix("dW2 = np.array(").rpartition(", dtype")[0])
    assert {len(row) for row in made} == {27}
    assert len(made) == 64
    shown = dialog.locator("tbody tr").nth(4).locator("td").nth(6).text_content() or ""
    assert number(shown) == pytest.approx(made[4][6], rel=1e-5)
    expect(dialog.locator(".tensor-plot .nsewdrag").first).to_be_visible()
    cell = dialog.locator("tbody tr").nth(4).locator("td").nth(6)
    cell.hover()
    says, mark = dialog.locator(".plot-says"), dialog.locator(".plot-mark")
    expect(says).to_contain_text(f"dW2[4, 6] = {cell.text_content()}")
    expect(says).to_contain_text("class f (6) · with h.T[4, :] and dlogits[:, 6]")
    expect(cell).to_have_class("pointed")
    box, inside = mark.bounding_box(), dialog.locator(".tensor-plot .nsewdrag").first.bounding_box()
    assert box is not None
    assert inside is not None
    assert box["x"] + box["width"] / 2 == pytest.approx(inside["x"] + inside["width"] * 6.5 / 27, abs=1.5)
    assert box["y"] + box["height"] / 2 == pytest.approx(inside["y"] + inside["height"] * 4.5 / 64, abs=1.5)
    walker.page.mouse.move(box["x"] + 2.5 * box["width"], box["y"] + box["height"] / 2)
    expect(dialog.locator("td.pointed")).to_have_count(1)
    expect(says).to_contain_text("dW2[4, 8] = ")
    dialog.get_by_role("button", name="difference").click()
    cell.hover()
    expect(says).to_have_text("")
