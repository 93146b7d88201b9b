"""The graph at three distances: boxes, the lines of one, every line; and from a line into one number."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import MOVING, OpenWalker, Walker, until
from tests.browser.desk import Desk
from tests.support.looking import findings
from tests.support.whole_walk import whole_walk
from tests.tools.server import Server

BOXES = ["Embedding", "Linear layer", "BatchNorm", "Tanh, linear layer", "Softmax and cross-entropy"]
# All of it inside its pane, nothing over anything else, no word cut.
WHOLE = """() => {
  const view = document.querySelector('#graph').getBoundingClientRect();
  const seen = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 0;
  const boxes = [...document.querySelectorAll('#graph .box')].filter(seen);
  const rects = boxes.map((box) => box.getBoundingClientRect());
  const words = boxes.flatMap((box) => [...box.querySelectorAll('span')]).filter(seen);
  return {
    out: rects.some((box) => box.left < view.left || box.right > view.right || box.bottom > view.bottom + 0.5),
    low: boxes.filter((box) => {
      const [name, around] = [box.querySelector('.box-name span'), box].map((one) => one.getBoundingClientRect());
      return name.top < around.top || name.bottom > around.bottom;
    }).map((box) => box.textContent),
    over: rects.some((box, i) => i > 0 && box.top < rects[i - 1].bottom),
    smallest: Math.min(...words.map((word) => parseFloat(getComputedStyle(word).fontSize))),
    cut: words.filter((word) => word.scrollWidth > word.clientWidth + 1 && word.clientWidth).map((w) => w.textContent),
    scrolls: document.querySelector('#graph').scrollHeight - document.querySelector('#graph').clientHeight,
  };
}"""


def box(walker: Walker, name: str) -> Locator:
    return walker.page.locator("#graph .box").filter(has=walker.page.get_by_text(name, exact=True))


def lines(walker: Walker) -> list[str]:
    """The lines whose nodes are in sight."""
    return list(
        walker.ask("[...document.querySelectorAll('#graph .node:not(.pill):not([hidden])')].map((o) => o.dataset.node)")
    )


def is_open(walker: Walker, name: str, opened: bool = True) -> None:
    expect(box(walker, name).locator(".box-face")).to_have_attribute("aria-expanded", str(opened).lower())


def test_the_first_screen_is_five_boxes_and_tells_where_the_walk_is(walker: Walker) -> None:
    walker.open("/")
    assert walker.texts("#graph .box-name span:first-child") == BOXES
    assert lines(walker) == []
    shapes = walker.texts("#graph .box-what")
    assert shapes == ["embcat (32, 30)", "hprebn (32, 64)", "hpreact (32, 64)", "logits (32, 27)", "loss ()"]
    for key, where, name in [("ArrowRight", "Embedding", "embcat"), ("ArrowRight", "Linear layer", "hprebn")]:
        walker.press(key)
        expect(walker.page.locator("#graph .box.here .box-name")).to_contain_text(where)
        expect(walker.page.locator("#graph .box.here .box-now")).to_have_text(f"▸ {name}")
    assert lines(walker) == []
    expect(walker.page.locator("#graph .box-face[aria-current]")).to_have_count(1)


@pytest.mark.exhaustive
def test_on_the_way_back_a_box_tells_the_size_of_its_gradient(walker: Walker, server: Server) -> None:
    walker.open("/walk/makemore-mlp?step=51&graph=boxes")
    nodes = {node["name"]: node for node in whole_walk(server, {"lesson": "makemore-mlp"})["nodes"]}
    told = walker.page.locator("#graph .box-size").all_text_contents()
    names = ["embcat", "hprebn", "hpreact", "logits", "loss"]
    for text, name in zip(told, names, strict=True):
        norm = float(text.removeprefix("gradient ").replace("−", "-"))
        assert norm == pytest.approx(nodes[name]["gradient"]["size"]["norm"], rel=1e-3), name
    walker.open("/walk/makemore-mlp?step=21&graph=boxes")
    assert [bool(text) for text in walker.page.locator("#graph .box-size").all_text_contents()] == [*[False] * 4, True]


def by_key(walker: Walker) -> None:
    walker.page.locator("#graph .box-face", has_text="BatchNorm").focus()
    walker.press("Enter")


def by_button(walker: Walker) -> None:
    box(walker, "BatchNorm").locator(".box-open").click()


def by_double_click(walker: Walker) -> None:
    box(walker, "BatchNorm").locator(".box-name").dblclick()


def by_wheel(walker: Walker) -> None:
    box(walker, "BatchNorm").hover()
    walker.page.mouse.wheel(0, -120)


def test_a_box_opens_where_it_is_and_closes_again(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=1")
    for opens in (by_key, by_button, by_double_click, by_wheel):
        opens(walker)
        is_open(walker, "BatchNorm")
        assert lines(walker) == ["bnmeani", "bndiff", "bndiff2", "bnvar", "bnvar_inv", "bnraw", "hpreact"]
        assert walker.title == "bnmeani", "the walk goes there, too"
        assert walker.page.url.endswith("?step=4&graph=box")
        walker.page.keyboard.press("Shift+Z")
        is_open(walker, "BatchNorm", False)
        assert walker.page.url.endswith("?step=4&graph=boxes")
        walker.page.go_back()
        is_open(walker, "BatchNorm")
        walker.page.go_forward()
        is_open(walker, "BatchNorm", False)
        walker.press("Home")


def test_three_distances_in_and_out_by_keyboard_alone(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=4&graph=boxes")
    face = walker.page.locator("#graph .box-face[aria-current]")
    face.focus()
    walker.press("Enter")
    expect(walker.page.locator("#graph .node:focus")).to_have_attribute("data-node", "bnmeani")
    walker.press("ArrowDown", "Enter")
    assert walker.title == "bndiff"
    walker.press("z")
    expect(walker.page.locator("#lens")).to_be_visible()
    walker.press("Escape")
    expect(walker.page.locator("#lens")).to_be_hidden()
    is_open(walker, "BatchNorm")
    walker.page.locator("#graph .node[aria-current]").focus()
    walker.press("Escape")
    is_open(walker, "BatchNorm", False)
    expect(face).to_be_focused()
    assert walker.title == "bndiff", "the place is kept"


@pytest.mark.exhaustive
def test_the_open_box_goes_with_the_walk(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=3&graph=box")
    is_open(walker, "Linear layer")
    walker.press("ArrowRight")
    is_open(walker, "BatchNorm")
    is_open(walker, "Linear layer", False)
    assert walker.node == "bnmeani"


@pytest.mark.exhaustive
def test_all_lines_and_boxes_again_by_the_buttons(walker: Walker) -> None:
    walker.open("/")
    near, far = walker.page.locator("#graph-lines"), walker.page.locator("#graph-boxes")
    expect(far).to_have_attribute("aria-pressed", "true")
    near.click()
    assert len(lines(walker)) == 20
    assert walker.page.url.endswith("?graph=lines")
    expect(near).to_have_attribute("aria-pressed", "true")
    far.click()
    assert lines(walker) == []
    walker.open("/walk/first-steps")
    expect(walker.page.locator("#distances")).to_be_hidden()
    assert "graph" not in walker.press("ArrowRight").page.url


@pytest.mark.parametrize(
    ("width", "height"),
    [
        (768, 1024),
        *(pytest.param(*size, marks=pytest.mark.exhaustive) for size in ((1280, 720), (1440, 900), (1920, 1080))),
    ],
)
def test_boxes_are_whole_at_every_size(walkers: OpenWalker, width: int, height: int) -> None:
    walker = walkers(width=width, height=height)
    for address in ("?step=36&graph=boxes", "?step=36&graph=box", "?step=25&graph=box"):
        walker.open(f"/walk/makemore-mlp{address}")
        seen = walker.ask(WHOLE)
        assert (seen["out"], seen["over"], seen["cut"], seen["low"]) == (False, False, [], []), address
        assert seen["smallest"] >= 10, (address, seen)
        assert seen["scrolls"] <= 0, (address, seen)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.exhaustive)])
def test_boxes_have_no_fault_of_access(walkers: OpenWalker, scheme: str) -> None:
    walker = walkers(color_scheme=scheme)
    for address in ("/", "/walk/makemore-mlp?step=36&graph=box"):
        assert findings(walker.open(address), but=()) == []


def test_a_program_of_ones_own_groups_itself(walker: Walker) -> None:
    Desk(walker).open().start("Recurrent net through time").ready().walk()
    expect(walker.page.locator("#graph .box-name").first).to_be_attached()
    walker.page.locator("#graph-boxes").click()
    assert walker.texts("#graph .box-name span:first-child") == ["for t in range(4)", "logits … loss"]
    box(walker, "for t in range(4)").locator(".box-open").click()
    assert lines(walker) == ["h@2", "h@3", "h@4", "h@5"]


# A motion may be over before a busy machine comes to ask whether it runs.
COUNT_MOTIONS = """(() => {
  const animate = Element.prototype.animate;
  window.motions = 0;
  Element.prototype.animate = function (...how) {
    window.motions += 1;
    return animate.apply(this, how);
  };
})()"""


def test_the_camera_moves_and_comes_to_rest(walkers: OpenWalker) -> None:
    """What moves ends where it stands without motion, and each of its frames is inside the pane."""
    walker = walkers(**MOVING).open("/walk/makemore-mlp?step=4&graph=boxes")
    walker.ask(COUNT_MOTIONS)
    box(walker, "BatchNorm").locator(".box-open").click()
    moving = "document.querySelector('#graph').getAnimations({ subtree: true }).length"
    until(walker.page, f"() => window.motions > 0 && {moving} === 0")
    seen = walker.ask(WHOLE)
    assert (seen["out"], seen["over"]) == (False, False)


def test_the_name_in_a_box_leads_to_its_own_line_and_the_box_to_its_first(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp")
    shut = box(walker, "BatchNorm")
    shut.locator(".box-face").click(position={"x": 5, "y": 5})
    expect(walker.page.locator("#step-title")).to_contain_text("bnmeani")
    shut.locator("[data-made]").click()
    expect(walker.page.locator("#step-title")).to_contain_text("hpreact")
