"""The opening: shown once at the first visit, played, paused, stepped, skipped, linked to, and told in words."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import MOVING, OpenWalker, arrived, intercept, until
from tests.support.looking import findings_in_both_themes
from tests.support.plain_makemore import by_autograd
from tests.tools.server import Server

# The shapes of what is drawn, as a text: two different pictures differ.
DRAWN = "document.querySelector('#stage canvas').toDataURL()"
# What is drawn below a tensor, where its name stands.
NAMED = """(() => {
  const [canvas, tile] = ['canvas', '[data-tile=NAME]'].map((one) => document.querySelector(`#stage ${one}`));
  const by = canvas.width / canvas.getBoundingClientRect().width;
  const [left, top, width] = [tile.offsetLeft, tile.offsetTop + tile.offsetHeight + 4, tile.offsetWidth];
  const part = Object.assign(document.createElement('canvas'), { width, height: 12 });
  part.getContext('2d').drawImage(canvas, left * by, top * by, width * by, 12 * by, 0, 0, width, 12);
  return part.toDataURL();
})()"""
# Every text that is written into the picture, with where it stands in it.
WRITTEN = """() => {
  const own = CanvasRenderingContext2D.prototype.fillText;
  window.written = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { width, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = this.measureText(text);
    const box = { left: x - width / 2, width, top: y - up, bottom: y + down };
    if (this.globalAlpha > 0.9) window.written.push({ text, ...box });
    own.call(this, text, x, y);
  };
}"""
BOX = """(tile) => {
  const { offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height } = tile;
  return [x, y, x + width, y + height];
}"""
# What is written in a box, with no more of it outside.
INSIDE = """([left, top, right, bottom]) => written.find((one) =>
  one.left > left && one.left + one.width < right && one.top > top && one.bottom < bottom)?.text"""
LIT = "() => document.querySelectorAll('#moments .past').length > 2"


def test_the_first_visit_begins_with_it_and_the_second_does_not(walkers: OpenWalker) -> None:
    walker = walkers(seen=False, **MOVING).open("/")
    assert walker.page.url.endswith("/opening")
    expect(walker.page.get_by_role("heading", level=1)).to_contain_text("gradwalk shows how a network learns")
    walker.open("/")
    until(walker.page, "() => location.pathname === '/walk/makemore-mlp'")
    walker.page.get_by_role("link", name="Start", exact=True).click()
    walker.page.wait_for_url("**/opening")


# How light what a link's words stand on is.
GROUND = "(a) => getComputedStyle(a).backgroundColor"


@pytest.mark.parametrize("moving", [True, False])
def test_who_skips_it_sees_where_to_begin_and_only_then_the_walk(walkers: OpenWalker, moving: bool) -> None:
    page = walkers(seen=False, **MOVING if moving else {}).open("/").page
    skip, ways = page.get_by_role("button", name="Skip"), page.get_by_role("navigation", name="Where to begin")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    skip.click()
    expect(page).to_have_url(re.compile(r"/opening\?moment=10$"))
    expect(ways).to_be_focused()
    expect(ways).to_be_in_viewport()
    if moving:
        expect(skip).to_be_hidden()
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(r"/opening\?moment=10$"))
    page.keyboard.press("Escape")
    page.wait_for_url("**/walk/makemore-mlp")
    expect(page.locator("#step-title")).to_contain_text("emb")


def test_who_skips_it_before_it_is_there_is_not_sent_to_the_walk(walkers: OpenWalker) -> None:
    walker = walkers(seen=False, **MOVING)
    page = walker.page
    held: list[Route] = []
    intercept(page, "**/api/walk", lambda route: route.continue_() if held else held.append(route))
    page.goto(f"{walker.base}/opening")
    walk = arrived(page, held)
    expect(page.get_by_role("button", name="Skip")).to_have_attribute("title", re.compile("Escape"))  # it listens
    page.keyboard.press("Escape")
    expect(page.get_by_role("navigation", name="Where to begin")).to_be_focused()
    walk.continue_()
    expect(page).to_have_url(re.compile(r"/opening\?moment=10$"))


@pytest.mark.parametrize("moment", [1, 10])
def test_the_way_for_beginners_is_the_strong_one_from_the_beginning_to_the_end(
    walkers: OpenWalker, moment: int
) -> None:
    page = walkers(seen=False, **MOVING).open(f"/opening?moment={moment}").page
    ways = page.get_by_role("navigation", name="Where to begin").get_by_role("link")
    new, *others = ways.all()
    expect(new).to_contain_text("Start with 3x + 1")
    expect(new).to_have_attribute("href", re.compile("/learn/first-steps$"))
    assert {one.evaluate(GROUND) for one in others} == {"rgba(0, 0, 0, 0)"}
    assert new.evaluate(GROUND) not in {"rgba(0, 0, 0, 0)", page.locator("body").evaluate(GROUND)}


@pytest.mark.parametrize("path", ["/walk/makemore-mlp", "/walk/makemore-mlp?step=3", "/?step=20"])
def test_a_link_to_something_never_shows_it(walkers: OpenWalker, path: str) -> None:
    page = walkers(seen=False).open(path).page
    assert "/opening" not in page.url


def test_it_plays_by_itself_and_can_be_paused_and_stepped(walkers: OpenWalker) -> None:
    walker = walkers(seen=False, **MOVING).open("/opening")
    page, caption = walker.page, walker.page.locator("#caption")
    until(page, LIT)
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    paused = walker.ask(DRAWN)
    moment = re.search(r"moment=(\d+)", page.url)
    assert moment
    assert int(moment[1]) > 2
    said = caption.text_content() or ""
    page.keyboard.press("ArrowRight")
    expect(caption).not_to_have_text(said)
    assert page.url.endswith(f"moment={int(moment[1]) + 1}")
    assert walker.ask(DRAWN) != paused
    page.keyboard.press("ArrowLeft")
    expect(caption).to_have_text(said)
    page.keyboard.press("End")
    expect(caption).to_contain_text("rises from 4.1\u00a0% to 4.5\u00a0%, after 10 such steps to 11\u00a0%")
    page.keyboard.press("Home")
    expect(caption).to_contain_text("Part of a name, “zde”: an untrained network guesses the next letter.")
    page.get_by_role("button", name="6. Softmax").click()
    expect(caption).to_contain_text("The loss, 3.34 over all 32 examples, says how wrong guesses are.")
    page.keyboard.press("ArrowRight")
    expect(caption).to_contain_text("Backpropagation: a number’s gradient says how far the loss moves")
    page.get_by_role("button", name="2. Embedding").click()
    expect(caption).to_have_text("Each letter picks its 10 numbers from C: blue is negative, red is positive.")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    assert "moment" not in page.url


def test_what_the_light_has_come_to_is_named_and_says_what_it_is(walkers: OpenWalker) -> None:
    walker = walkers(seen=False, **MOVING).open("/opening?moment=4")
    page, tip = walker.page, walker.page.locator(".popover")
    expect(page.locator(".opening-tile")).to_have_count(29)
    expect(page.locator("#caption")).not_to_be_empty()  # drawn as it is said
    drawn = NAMED.replace("NAME", "hpreact")
    named = walker.ask(drawn)
    page.keyboard.press("ArrowLeft")
    until(page, f"(named) => {drawn} !== named", named)
    page.locator("[data-tile=hpreact]").hover()
    expect(tip).to_contain_text("hpreact(32, 64)hpreact = bngain * bnraw + bnbias")
    expect(tip).to_contain_text("The norm of its gradient is")
    page.locator("[data-tile=C]").hover()
    expect(tip).to_contain_text("C(27, 10)A parameter: training moves it.")


def test_all_of_the_network_is_seen_on_a_phone(walkers: OpenWalker) -> None:
    page = walkers(390, 844, seen=False, **MOVING).open("/opening?moment=10").page
    stage = page.locator("#stage").bounding_box()
    tiles = [one.bounding_box() for one in page.locator(".opening-tile").all()]
    assert stage
    assert len(tiles) == 29
    for tile in tiles:
        assert tile
        assert tile["width"] >= 10
        assert 0 <= tile["x"] <= 390 - tile["width"]
        assert stage["y"] <= tile["y"] <= stage["y"] + stage["height"] - 86


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
@pytest.mark.parametrize(("moment", "said"), [(6, "in the boxes: values"), (9, "boxes lit in red: gradients")])
def test_what_has_no_light_has_its_name_and_it_is_said_what_the_boxes_hold(
    walkers: OpenWalker, moment: int, said: str, size: tuple[int, int]
) -> None:
    walker = walkers(*size, seen=False, **MOVING)
    walker.page.add_init_script(f"({WRITTEN})()")
    page = walker.open(f"/opening?moment={moment}").page
    until(page, "(said) => written.some(({ text }) => text === said)", said)
    walker.page.evaluate("written.length = 0")
    page.set_viewport_size({"width": size[0] + 1, "height": size[1]})  # drawn once more, whole
    until(page, "() => written.length > 60")
    written = walker.ask("written")
    assert said in [one["text"] for one in written]
    names = set(page.locator(".opening-tile").evaluate_all("(all) => all.map((one) => one.dataset.tile)"))
    assert names - {"Xb", "Yb"} <= {one["text"] for one in written}
    boxes = [(one["left"], one["top"], one["left"] + one["width"], one["bottom"]) for one in written]
    named = [box for one, box in zip(written, boxes, strict=True) if one["text"] in names]
    for i, (left, top, right, bottom) in enumerate(named):
        assert not any(left < r and x < right and top < b and y < bottom for x, y, r, b in named[:i])


def test_who_lacks_one_part_is_led_to_its_chapter(walkers: OpenWalker) -> None:
    walker = walkers(1280, 720, seen=False, **MOVING).open("/opening?moment=4")
    walker.page.get_by_role("link", name="Batch normalisation").click()
    expect(walker.page.get_by_role("heading", level=1)).to_have_text("Batch normalisation")


@pytest.mark.exhaustive
def test_no_name_lies_on_what_it_names_on_a_phone(walkers: OpenWalker) -> None:
    walker = walkers(390, 844, seen=False, **MOVING)
    walker.page.add_init_script(f"({WRITTEN})()")
    for moment, names in ((2, {"embcat"}), (3, {"W1", "b1", "hprebn"}), (4, {"bngain", "bnbias", "hpreact"})):
        page = walker.open(f"/opening?moment={moment}").page
        until(page, "(names) => names.every((one) => written.some(({ text }) => text === one))", list(names))
        tiles = [one.evaluate(BOX) for one in page.locator(".opening-tile").all()]
        written = [one for one in walker.ask("written") if one["text"] in names]
        assert {one["text"] for one in written} == names
        for one in written:
            assert 0 <= one["left"] <= 390 - one["width"], one
            for left, top, right, bottom in tiles:
                beside = one["left"] + one["width"] <= left or right <= one["left"]
                assert beside or one["bottom"] < top or bottom < one["top"], one
        ways = [(one["left"], one["left"] + one["width"]) for one in written if one["text"][0] in "Wb"]
        assert all(a[1] + 4 <= b[0] or b[1] + 4 <= a[0] for a in ways for b in ways if a != b), ways


@pytest.mark.parametrize(("moment", "turned"), [(6, False), (10, True)])
def test_a_number_that_is_alone_is_written(walkers: OpenWalker, server: Server, moment: int, turned: bool) -> None:
    focus = server.post("/api/walk", {"lesson": "makemore-mlp"}).json()["in_focus"]["example"]
    walker = walkers(seen=False, **MOVING)
    walker.page.add_init_script(f"({WRITTEN})()")
    page, tensors = walker.open(f"/opening?moment={moment}").page, by_autograd()
    for name in ("counts_sum", "counts_sum_inv", "loss"):
        tensor = tensors[name].grad if turned else tensors[name]
        assert tensor is not None
        box = page.locator(f"[data-tile={name}]").evaluate(BOX)
        until(page, INSIDE, box)
        said = walker.ask(f"({INSIDE})({box})").replace("−", "-")
        expected = (tensor if name == "loss" else tensor[focus, 0]).item()
        assert float(said) == pytest.approx(expected, rel=6e-3), name


@pytest.mark.exhaustive
def test_a_link_opens_a_moment_and_back_returns_to_it(walkers: OpenWalker) -> None:
    walker = walkers(seen=False, **MOVING).open("/opening?moment=8")
    caption = walker.page.locator("#caption")
    expect(caption).to_contain_text("where tanh is flat (82 numbers of 2048)")
    walker.page.get_by_role("link", name="I know makemore").click()
    walker.page.wait_for_url("**/walk/makemore-mlp")
    walker.page.go_back()
    expect(caption).to_contain_text("where tanh is flat (82 numbers of 2048)")
    walker.page.go_forward()
    walker.page.wait_for_url("**/walk/makemore-mlp")


def test_with_reduced_motion_it_is_a_strip_of_pictures(walkers: OpenWalker) -> None:
    walker = walkers(seen=False).open("/opening?moment=6")
    stills = walker.page.locator("#stills > li")
    expect(stills).to_have_count(10)
    expect(walker.page.locator("#show")).to_be_hidden()
    expect(walker.page.locator("#moment-6")).to_be_focused()
    drawn = "[...document.querySelectorAll('#stills canvas')].map((one) => one.toDataURL())"
    assert len(set(walker.ask(drawn))) == 10
    assert findings_in_both_themes(walker, but=()) == []


@pytest.mark.parametrize(
    "size",
    [
        (390, 844),
        (1280, 720),
        *(pytest.param(size, marks=pytest.mark.exhaustive) for size in ((768, 1024), (1920, 1080))),
    ],
)
def test_all_of_it_is_in_the_window_and_axe_finds_nothing(walkers: OpenWalker, size: tuple[int, int]) -> None:
    walker = walkers(*size, seen=False, **MOVING).open("/opening?moment=7")
    over = walker.ask(
        "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
    )
    assert over[0] <= 0
    assert over[1] <= 0
    assert findings_in_both_themes(walker, but=()) == []


def test_a_name_of_one_s_own_runs_through_it_and_is_in_focus_in_the_walk(walkers: OpenWalker) -> None:
    walker = walkers(seen=False, **MOVING).open("/opening")
    page, field = walker.page, walker.page.get_by_label("Your own name")
    field.fill("Zoë")
    field.press("Enter")
    expect(page.locator("#word-says")).to_contain_text("“zoë” has “ë”, which the network has never seen.")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    field.fill("Anna")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"/opening\?word=anna$"))
    expect(page.locator("#caption")).to_contain_text(
        "Your word, “anna”: an untrained network guesses the next letter after “an”."
    )
    page.go_back()
    expect(page.locator("#word-says")).to_contain_text("“zoë”")
    page.go_forward()
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    page.get_by_role("link", name="I know makemore").click()
    page.wait_for_url("**/walk/makemore-mlp?word=anna")
    expect(page.locator("#seed")).to_have_value("anna")
    beginning = page.locator(".beginning")
    expect(beginning).to_contain_text("`.an → n`".replace("`", ""))
    expect(beginning).to_contain_text("How surprised is the network by “anna”?")
    walker.open("/walk/makemore-mlp?word=anna&step=29")
    expect(page.locator("#step")).to_contain_text(".an → n")
    walker.complaints.clear()  # Chromium's own word on what was refused


def test_the_header_s_field_takes_a_name_or_a_number(walkers: OpenWalker) -> None:
    walker = walkers().open("/")
    page, field = walker.page, walker.page.locator("#seed")
    told = page.locator(".beginning .above")
    expect(told).to_contain_text("predict asks before each gradient, write it leaves its line to you. rounding")
    expect(told).to_contain_text("A seed makes the parameters and the minibatch.")
    page.get_by_role("button", name="Write a name of your own.").click()
    expect(field).to_be_focused()
    field.fill("emma")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"word=emma"))
    expect(page.locator(".beginning")).to_contain_text("by “emma”?")
    field.fill("søren")
    field.press("Enter")
    expect(page.locator("#seed-says")).to_contain_text("“søren” has “ø”, which the network has never seen.")
    page.set_viewport_size({"width": 768, "height": 1024})
    until(page, "() => document.querySelector('#seed-says').getBoundingClientRect().right <= innerWidth")
    expect(page.locator(".beginning")).to_contain_text("by “emma”?")
    field.fill("7")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"seed=7(?!.*word)"))
    expect(page.locator(".beginning")).not_to_contain_text("surprised")
    page.go_back()
    expect(page.locator(".beginning")).to_contain_text("by “emma”?")
    walker.complaints.clear()  # Chromium's own word on what was refused
