"""The local Jacobian of a backward step, beside its equation."""

import re

import pytest
import torch
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenWalker, Walker, arrived, intercept
from tests.browser.desk import Desk
from tests.browser.links import link
from tests.support.looking import SMALLEST, findings, number
from tests.tools.server import Server

STEP = "/walk/makemore-mlp?step=24"
OVERFLOW = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const picture = box('#picture');
  const parts = [...document.querySelectorAll('.product-part')].map((one) => one.getBoundingClientRect().right);
  return Math.max(document.documentElement.scrollWidth - innerWidth, ...parts.map((right) => right - picture.right));
}"""


def jacobian(page: Page) -> None:
    page.locator(".jacobian:not([aria-busy=true]) .product-map").wait_for()


def test_a_softmax_step_shows_its_jacobian_and_the_link_shows_it_elsewhere(walkers: OpenWalker) -> None:
    first = walkers().open(f"{STEP}&cell=3,5")
    first.page.get_by_role("button", name="local Jacobian").click()
    jacobian(first.page)
    expect(first.page).to_have_url(re.compile("view=jacobian"))
    expect(first.page.locator(".product-part .label b")).to_have_text(["dprobs[3]", "∂probs", "∂counts", "dcounts[3]"])
    expect(first.page.locator(".jacobian-said")).to_contain_text("equals the line’s result")
    expect(first.page.locator(".stepper")).to_contain_text("example 3")
    second = walkers().open(first.page.url.removeprefix(first.base))
    jacobian(second.page)
    for selector in (".jacobian-said", ".product", ".stepper", ".jacobian-readout"):
        assert second.text(selector) == first.text(selector)


def test_arrow_keys_read_the_cells_that_the_server_sent(walker: Walker, server: Server) -> None:
    question = {"walk": {"lesson": "makemore-mlp"}, "node": "logits", "input": "h", "example": 0}
    weights = server.ask(
        "POST",
        "/api/walk?arrays=lists",
        b'{"lesson":"makemore-mlp"}',
        {"Content-Type": "application/json"},
    ).json()
    w2 = next(node["value"] for node in weights["nodes"] if node["name"] == "W2")
    assert server.post("/api/jacobian", question).json()["rows"]["shape"] == [27]
    walker.open("/walk/makemore-mlp?step=32&view=jacobian")
    jacobian(walker.page)
    walker.page.locator(".product-map").focus()
    walker.press("ArrowDown", "ArrowDown", "ArrowRight")
    readout = walker.page.locator(".jacobian-readout")
    expect(readout).to_contain_text("∂logits[0, 2] / ∂h[0, 1] = ")
    expect(readout).to_contain_text("class b by hidden unit 1")
    value = re.search(r"= (\S+)", readout.text_content() or "")
    assert value is not None
    assert number(value[1]) == pytest.approx(w2[1][2], rel=1e-3)
    expect(walker.page.locator(".product-mark:visible")).to_have_count(3)
    assert walker.count.startswith("32 /")


@pytest.mark.exhaustive
def test_the_stepper_and_a_picked_cell_choose_the_example(walker: Walker) -> None:
    walker.open(f"{STEP}&view=jacobian&cell=3,5")
    jacobian(walker.page)
    walker.page.get_by_role("button", name="the next block").focus()
    walker.press("Enter")
    expect(walker.page.locator(".stepper")).to_contain_text("example 4")
    expect(walker.page.get_by_role("button", name="the next block")).to_be_focused()
    expect(walker.page).to_have_url(re.compile("cell=4,5"))
    walker.page.locator(".plot[data-which=value]").focus()
    walker.press("ArrowDown")
    expect(walker.page.locator(".stepper")).to_contain_text("example 5")


def test_a_large_one_is_shown_block_by_block(walker: Walker) -> None:
    """The Jacobian of one class's logits by the weights of that class is the hidden layer itself."""
    walker.open("/walk/makemore-mlp?step=33&view=jacobian&cell=0,5")
    jacobian(walker.page)
    expect(walker.page.locator(".stepper")).to_contain_text("class 5e")
    expect(walker.page.locator(".jacobian-said")).to_contain_text(
        "Each class of logits depends on the same class of W2 alone: 27 blocks, zeros elsewhere."
    )
    expect(walker.page.locator(".jacobian-said")).to_contain_text("It is h itself.")
    expect(walker.page.locator(".product-part .label b")).to_have_text(["dlogits[:, 5]", "∂logits", "∂W2", "dW2[:, 5]"])
    walker.page.get_by_role("button", name="the next block").click()
    expect(walker.page.locator(".stepper")).to_contain_text("class 6")
    expect(walker.page).to_have_url(re.compile("cell=0,6"))


def values(server: Server) -> dict[str, torch.Tensor]:
    """The lesson's tensors, in float64."""
    body = b'{"lesson":"makemore-mlp"}'
    walk = server.ask("POST", "/api/walk?arrays=lists", body, {"Content-Type": "application/json"}).json()
    return {node["name"]: torch.tensor(node["value"], dtype=torch.float64) for node in walk["nodes"]}


# Many presses at once: each alone takes the browser ten milliseconds.
TO_THE_FIRST_CELL = """() => ['ArrowUp', 'ArrowLeft'].forEach((key) => {
  for (let press = 0; press < 70; press += 1)
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
})"""


def read(walker: Walker, row: int, col: int) -> float:
    """A cell of the matrix, as the arrow keys read it."""
    walker.page.locator(".product-map").focus()
    walker.ask(TO_THE_FIRST_CELL)
    walker.press(*["ArrowDown"] * row, *["ArrowRight"] * col)
    value = re.search(r" = (\S+)", walker.text(".jacobian-readout"))
    assert value is not None
    return number(value[1])


@pytest.mark.exhaustive
def test_the_axis_of_the_blocks_is_chosen_and_the_numbers_are_torch_s(walker: Walker, server: Server) -> None:
    tensors = values(server)
    hpreact = tensors["hpreact"].clone().requires_grad_()

    def slope(*cell: int) -> float:
        return float(torch.autograd.grad(torch.tanh(hpreact)[cell], hpreact)[0][cell])

    walker.open("/walk/makemore-mlp?step=35&view=jacobian&cell=3,5")
    jacobian(walker.page)
    said, ways = walker.page.locator(".jacobian-said"), walker.page.locator(".ways button")
    expect(ways).to_have_text(["example", "hidden unit"])
    expect(ways.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(said).to_contain_text("Each example of h depends on the same example of hpreact alone: 32 blocks")
    assert read(walker, 7, 7) == pytest.approx(slope(3, 7), rel=1e-3)
    ways.nth(1).focus()
    walker.press("Enter")
    expect(ways.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(ways.nth(1)).to_be_focused()
    expect(said).to_contain_text("Each hidden unit of h depends on the same hidden unit of hpreact alone: 64 blocks")
    expect(said).to_contain_text("equals the line’s result")
    expect(walker.page.locator(".stepper")).to_contain_text("hidden unit 5")
    assert read(walker, 9, 9) == pytest.approx(slope(9, 5), rel=1e-3)
    assert read(walker, 9, 8) == 0
    walker.page.get_by_role("button", name="the next block").click()
    expect(walker.page.locator(".stepper")).to_contain_text("hidden unit 6")
    assert read(walker, 2, 2) == pytest.approx(slope(2, 6), rel=1e-3)


@pytest.mark.parametrize(
    ("step", "cell", "name", "other", "at"),
    [
        (33, "0,5", "logits", "W2", (2, 40)),
        (46, "0,7", "bnmeani", "hprebn", (0, 3)),
        pytest.param(34, "5", "logits", "b2", (6, 0), marks=pytest.mark.exhaustive),
    ],
)
def test_numbers_of_a_block_are_torch_s(
    walker: Walker, server: Server, step: int, cell: str, name: str, other: str, at: tuple[int, int]
) -> None:
    tensors, (row, col) = values(server), at
    lines = {
        "logits": lambda given: given["h"] @ given["W2"] + given["b2"],
        "bnmeani": lambda given: given["hprebn"].mean(0, keepdim=True),
    }
    whole = torch.autograd.functional.jacobian(lambda one: lines[name](tensors | {other: one}), tensors[other])
    held = int(cell.rpartition(",")[2])
    expected = {
        "W2": lambda: whole[row, held, col, held],
        "hprebn": lambda: whole[0, held, col, held],
        "b2": lambda: whole[row, held, held],
    }[other]()
    walker.open(f"/walk/makemore-mlp?step={step}&view=jacobian&cell={cell}")
    jacobian(walker.page)
    assert read(walker, row, col) == pytest.approx(float(expected), rel=1e-3)


# At every step back: whether the tab is there, and whether a matrix, a note or nothing stands below it.
SHOWN = """() => new Promise((done) => {
  const look = () => {
    const [map, note] = [".product-map", ".product-note"].map((name) => document.querySelector(name));
    if (!document.querySelector(".jacobian[aria-busy=true]") && (map || note))
      done(map ? document.querySelector(".jacobian-said").innerText : `a note: ${note.innerText}`);
    else setTimeout(look, 10);
  };
  look();
})"""


def test_every_step_back_of_makemore_shows_a_matrix(walker: Walker, thorough: bool) -> None:
    """Every fourth one; each of them in `make test-all`."""
    walker.open("/walk/makemore-mlp?step=22")
    stride = 1 if thorough else 4
    for step in range(22, 52, stride):
        walker.page.get_by_role("button", name="local Jacobian").click()
        said = walker.ask(SHOWN)
        assert not said.startswith("a note"), step
        assert re.search("equals the line’s result|other roundings|only what entry", said), (step, said)
        walker.press(*["ArrowRight"] * stride)
    assert step >= 50


@pytest.mark.exhaustive
def test_every_step_back_of_the_starting_points_shows_a_matrix(walker: Walker, server: Server) -> None:
    for start in server.get("/api/starts").json()["starts"]:
        walk = server.post("/api/walk", start["request"]).json()
        first = sum(step["direction"] == "forward" for step in walk["steps"])
        Desk(walker).open().start(start["title"]).ready().walk()
        walker.press("b")
        for step in walk["steps"][first:]:
            inputs: list[str] = next((node["inputs"] for node in walk["nodes"] if node["name"] == step["through"]), [])
            tab = walker.page.get_by_role("button", name="local Jacobian")
            expect(tab).to_have_count(int(step["inner"] is None and step["node"] in inputs))
            if tab.count():
                tab.click()
                assert not walker.ask(SHOWN).startswith("a note"), (start["name"], step["code"])
            walker.press("ArrowRight")


@pytest.mark.exhaustive
def test_the_bar_of_the_fraction_is_as_wide_as_the_wider_of_both(walker: Walker) -> None:
    names = """() => {
      const [above, below] = [...document.querySelectorAll('.product-part .label b:is(:has(+ b), b + b)')];
      const text = (one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return range.getBoundingClientRect().width;
      };
      return [below.getBoundingClientRect().width, text(above), text(below)];
    }"""
    for step in (24, 32):
        walker.open(f"/walk/makemore-mlp?step={step}&view=jacobian")
        jacobian(walker.page)
        for _ in range(2):
            bar, above, below = walker.ask(names)
            assert bar == pytest.approx(max(above, below), abs=1.5), step
            walker.press("p")
            jacobian(walker.page)


@pytest.mark.exhaustive
def test_one_of_which_no_block_can_be_drawn_is_told_by_its_size(walker: Walker) -> None:
    tensors = {"x": {"role": "parameter", "shape": [300, 400], "init": "randn"}}
    walker.open(link({"source": "loss = x.mean()", "tensors": tensors}, step=3, view="jacobian"))
    expect(walker.page.locator(".product-note")).to_contain_text("1 row and 120,000 columns: more than can be drawn")
    walker.page.get_by_role("button", name="show the equation").click()
    expect(walker.page.locator(".equation")).to_have_count(1)


@pytest.mark.exhaustive
def test_a_refusal_can_be_asked_again_and_a_slow_answer_leaves_the_page_where_it_is(walker: Walker) -> None:
    replies = iter(["fail", "hold"])
    held: list[Route] = []

    def answer(route: Route) -> None:
        kind = next(replies, "")
        if kind == "fail":
            route.fulfill(status=500, json={"error": {"code": "some", "message": "Not now.", "hint": "Later."}})
        elif kind == "hold":
            held.append(route)
        else:
            route.continue_()

    intercept(walker.page, "**/api/jacobian", answer)
    walker.open(f"{STEP}&view=jacobian")
    expect(walker.page.locator(".product-note")).to_contain_text("Not now.")
    with walker.page.expect_request("**/api/jacobian"):
        walker.page.get_by_role("button", name="ask again").click()
    expect(walker.page.locator(".jacobian")).to_have_attribute("aria-busy", "true")
    top = "() => document.querySelector('#reason').getBoundingClientRect().top"
    before = walker.ask(top)
    arrived(walker.page, held).continue_()
    jacobian(walker.page)
    assert abs(walker.ask(top) - before) < 60
    walker.complaints.clear()


def test_nobody_is_sent_to_ask_a_recording_again(walker: Walker) -> None:
    """Where no server answers it says what would, and offers nothing that gives the same answer."""
    error = {"code": "recorded", "message": "These pages are a recording.", "hint": "`make run`."}
    intercept(walker.page, "**/api/jacobian", lambda route: route.fulfill(status=404, json={"error": error}))
    walker.open(f"{STEP}&view=jacobian")
    expect(walker.page.locator(".product-note")).to_contain_text("These pages are a recording.")
    expect(walker.page.get_by_role("button", name="ask again")).to_have_count(0)
    walker.complaints.clear()


def test_a_step_without_a_jacobian_has_no_tab_and_predictions_stay_hidden(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=21")
    expect(walker.page.get_by_role("button", name="local Jacobian")).to_have_count(0)
    walker.open("/walk/makemore-mlp?step=25&predict=1&view=jacobian")
    expect(walker.page.locator(".question")).to_be_visible()
    expect(walker.page.locator(".product")).to_have_count(0)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "width",
    [*(pytest.param(w, marks=pytest.mark.exhaustive) for w in (1440, 1024, 768)), 390],
)
def test_no_jacobian_runs_out_of_its_place(walkers: OpenWalker, width: int) -> None:
    walker = walkers(width=width, height=844)
    for step in (22, 25, 33, 45, 46):
        walker.open(f"/walk/makemore-mlp?step={step}&view=jacobian")
        walker.page.locator(".jacobian:not([aria-busy=true]) :is(.product-map, .product-note)").wait_for()
        assert walker.ask(OVERFLOW) <= 1, step


@pytest.mark.parametrize(
    "look", ["dark", *(pytest.param(look, marks=pytest.mark.exhaustive) for look in ("light", "projector"))]
)
def test_axe_finds_nothing_on_a_jacobian(walkers: OpenWalker, look: str) -> None:
    scheme = "dark" if look == "dark" else "light"
    walker = walkers(1280, 720, color_scheme=scheme).open(f"{STEP}&view=jacobian&cell=3,5")
    jacobian(walker.page)
    if look == "projector":
        walker.press("p")
        jacobian(walker.page)
        assert walker.ask(SMALLEST) >= 28
    walker.page.locator(".product-map").focus()
    walker.press("ArrowDown")
    assert findings(walker) == []
