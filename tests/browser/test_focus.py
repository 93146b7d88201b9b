"""The example in focus: told of, named, written and outlined as one, with its cells to be seen at every width."""

import base64
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker, until

SIZES = [(1440, 900), (1280, 720), (768, 1024), (720, 450), (390, 844)]
DAILY = {((1280, 720), "light"), ((390, 844), "dark")}
EXAMPLE = "/walk/makemore-mlp"

# Of each outlined box of a tensor, from a photograph of the page: of a canvas with a pixel for each cell how many of
# them are seen there as they are drawn; of letters how many dark dots each has, in the part that is no outline.
SEEN = """async ([png, which]) => {
  const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0));
  const photograph = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const copied = (image) => {
    const paper = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
    paper.drawImage(image, 0, 0);
    return paper;
  };
  const paper = copied(photograph);
  const dots = (x, y, w, h) => paper.getImageData(x, y, Math.max(1, w), Math.max(1, h)).data;
  const near = (a, b) => [0, 1, 2].every((i) => Math.abs(a[i] - b[i]) < 14);
  const found = [];
  const stage = document.querySelectorAll(".stage")[which];
  const canvas = stage.querySelector("canvas"), own = canvas && copied(canvas);
  for (const mark of stage.querySelectorAll(".over .mark")) {
    const all = canvas.getBoundingClientRect(), box = mark.getBoundingClientRect();
    const name = stage.parentElement.querySelector(".label b").textContent;
    const lettered = canvas.width >= all.width;
    const middle = box.top + box.height / 2;
    const count = lettered ? 3 : Math.round((box.width / all.width) * canvas.width);
    const cells = Array.from({ length: count }, (_, i) => box.left + ((i + 0.5) * box.width) / count);
    if (lettered) {
      const [wide, tall] = [box.width / count - 3, box.height - 4];
      found.push([name, cells.map((x) => {
        const data = dots(x - wide / 2, middle - tall / 2, wide, tall);
        let dark = 0;
        for (let i = 0; i < data.length; i += 4) dark += near(data.slice(i, i + 3), data.slice(0, 3)) ? 0 : 1;
        return dark;
      })]);
      continue;
    }
    const row = Math.floor(((middle - all.top) / all.height) * canvas.height);
    found.push([name, cells.map((x) => {
      const col = Math.floor(((x - all.left) / all.width) * canvas.width);
      return Number(near(dots(x, middle, 1, 1), own.getImageData(col, row, 1, 1).data));
    })]);
  }
  return found;
}"""
# Names that stand one on the other.
TOUCHING = """(selector) => {
  const boxes = [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  boxes.sort((a, b) => a.top - b.top);
  return boxes.slice(1).filter((box, i) => box.top < boxes[i].bottom - box.height * 0.35).length;
}"""
OVER_WORDS = """() => {
  const names = [...document.querySelectorAll(".over text")].map((one) => one.getBoundingClientRect());
  const words = [...document.querySelectorAll(".sign .mark span")].map((one) => one.getBoundingClientRect());
  return names.filter((a) => words.some((b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
}"""


def seen(walker: Walker) -> dict[str, list[list[int]]]:
    """What a photograph shows within each outline, by the name of the tensor."""
    until(walker.page, "() => document.querySelectorAll('.stage .over .mark').length > 0")
    found: dict[str, list[list[int]]] = {}
    for which, stage in enumerate(walker.page.locator(".stage").all()):
        stage.scroll_into_view_if_needed()  # an equation in two rows may be higher than the window
        photograph = base64.b64encode(walker.page.screenshot()).decode()
        for name, cells in walker.page.evaluate(SEEN, [photograph, which]):
            found.setdefault(name, []).append(cells)
    return found


def hides_nothing(found: dict[str, list[list[int]]]) -> None:
    """Three letters are written in the one box, and three rows of ten numbers are seen in the others."""
    assert [len(found[name]) for name in ("Xb", "C", "emb")] == [1, 3, 3], found
    assert min(found["Xb"][0]) >= 3, "a letter is missing from the outlined row"
    for name in ("C", "emb"):
        for cells in found[name]:
            # a curve may begin or end on the first or last of them
            assert len(cells) == 10, found
            assert sum(cells) >= 8, f"{name}: an outline hides what it is drawn around: {cells}"


def example_told(walker: Walker) -> str:
    return str(re.findall(r"[^ ]+ → \S", walker.text("#reason"))[0])


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(size, scheme, marks=() if (size, scheme) in DAILY else pytest.mark.exhaustive)
        for size in SIZES
        for scheme in ("light", "dark")
    ],
)
def test_the_outlined_row_is_drawn_and_named_at_every_width(
    walkers: OpenWalker, size: tuple[int, int], scheme: Any
) -> None:
    walker = walkers(*size, color_scheme=scheme).open(EXAMPLE)
    hides_nothing(seen(walker))
    named = walker.page.locator(".side-names .in-focus")
    expect(named).to_have_count(1)
    assert named.text_content() == example_told(walker)
    assert walker.ask("document.querySelectorAll('.side-names .names span').length") >= 8
    assert walker.page.evaluate(TOUCHING, ".side-names .names span") == 0
    letters = walker.page.locator(".over text").all_text_contents()
    assert letters == list(example_told(walker)[:3])
    assert walker.page.evaluate(TOUCHING, ".over text") == 0
    assert walker.ask(OVER_WORDS) == 0
    assert walker.ask("document.documentElement.scrollWidth <= innerWidth")


def test_the_row_stays_while_numbers_are_changed(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?changes=W1*1.5")
    expect(walker.page.locator(".changes")).to_be_visible()
    hides_nothing(seen(walker))
    assert walker.text(".side-names .in-focus") == example_told(walker)


@pytest.mark.parametrize("size", [(1280, 720), pytest.param((1920, 1080), marks=pytest.mark.exhaustive)])
def test_letters_are_read_from_the_back_of_the_room(walkers: OpenWalker, size: tuple[int, int]) -> None:
    walker = walkers(*size).open(f"{EXAMPLE}?p=1")
    hides_nothing(seen(walker))
    assert walker.page.locator(".over text").all_text_contents() == ["z", "d", "e"]
    assert walker.page.evaluate(TOUCHING, ".over text") == 0
    assert walker.ask(OVER_WORDS) == 0
    scale = size[1] / 720
    assert walker.ask("parseFloat(getComputedStyle(document.querySelector('.over text')).fontSize)") >= 27.9 * scale
    type_size = "parseFloat(document.querySelector('.piece canvas').getContext('2d').font)"
    assert walker.ask(type_size) >= 22 * scale
    walker.step_to(20)
    sizes = "[...document.querySelectorAll('.piece canvas')].map((one) => parseFloat(one.getContext('2d').font))"
    expect(walker.page.locator("#step-title")).to_contain_text("loss")
    assert min(one for one in walker.ask(sizes) if one != 10) >= 22 * scale


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [3, pytest.param(40, marks=pytest.mark.exhaustive)])
def test_picture_words_and_rope_have_one_example(walker: Walker, seed: int) -> None:
    walker.open(f"{EXAMPLE}?seed={seed}")
    told = example_told(walker)
    assert walker.text(".side-names .in-focus") == told
    assert walker.page.locator(".over text").all_text_contents() == list(dict.fromkeys(told[:3]))
    walker.press("End").press(*["ArrowLeft"] * 20)
    expect(walker.page.locator(".rope h2 code")).to_have_text(told)
