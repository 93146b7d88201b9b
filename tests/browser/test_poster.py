"""The ending of an exercise: the lines that were written are what trains, and a sheet with it all is kept."""

import json
import struct
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Walker
from tests.browser.links import DRAWN, ONE_LAYER
from tests.browser.links import link as packed
from tests.support.looking import findings_in_both_themes

WRONG, RIGHT = (
    "dW = (x * dh).sum(0)",
    ["dh = y * dloss / 8", "t = 1 - h**2\ndW = x.T @ (t * dh)", "dx = ((1 - h**2) * dh) @ W.T"],
)
PICTURE = "#poster svg"

SEEN = "(sheet) => sheet.getBoundingClientRect().bottom <= innerHeight"
# Of the smoothed curve the share that lies between the largest and the least loss drawn in the same place.
AMID = """(sheet) => {
  const read = (path) => {
    let [x, y] = [0, 0];
    return [...path.getAttribute('d').matchAll(/([MLV])([-\\d.]+)(?: ([-\\d.]+))?/g)].map(([, how, a, b]) => {
      [x, y] = how === 'V' ? [x, Number(a)] : [Number(a), Number(b)];
      return [x, y];
    });
  };
  const [raw, smoothed] = ['[stroke-opacity]', '[stroke-width="2.2"]'].map((one) => read(sheet.querySelector(one)));
  const amid = smoothed.filter(([x, y]) => {
    const near = raw.filter(([other]) => Math.abs(other - x) <= 6).map(([, one]) => one);
    return Math.min(...near) <= y && y <= Math.max(...near);
  });
  return amid.length / smoothed.length;
}"""


def write(page: Page, name: str, text: str, state: str) -> None:
    blank = page.locator(f".blank[data-task='{name}']")
    blank.locator("textarea").fill(text)
    page.keyboard.press("Enter")
    expect(blank).to_have_attribute("data-state", state)


def told(page: Page) -> str:
    """What the picture says to who doesn't see it, once all is told."""
    expect(page.locator("#poster-stand")).to_have_text("")
    return str(page.locator(PICTURE).get_attribute("aria-label"))


def test_the_lines_that_were_written_train_and_are_kept(walker: Walker, tmp_path: Path) -> None:
    page = walker.page
    page.goto(walker.base + packed(ONE_LAYER, 1).replace("/code?step=1", "/practise"))
    offer, dialog = page.locator("#poster-offer"), page.locator("#poster-dialog")
    write(page, "dh", RIGHT[0], "right")
    write(page, "dx", RIGHT[2], "right")
    write(page, "dW", WRONG, "not")
    expect(offer).to_be_hidden()
    write(page, "dW", RIGHT[1], "right")
    expect(offer).to_contain_text("All 3 gradients are written.")
    with page.expect_request("**/api/training") as begun:
        page.get_by_role("button", name="Train on my lines").click()
    assert json.loads(begun.value.post_data or "")["answers"] == {"h": RIGHT[0], "W": RIGHT[1], "x": RIGHT[2]}
    words = told(page)
    assert page.locator(PICTURE).evaluate(SEEN)
    assert "3 gradients: 2 right at the first try, 1 after several tries" in words
    assert "in 1,000 steps on these lines" in words
    curve = str(page.locator(f"{PICTURE} path[stroke-width='2.2']").get_attribute("d"))
    end = float(curve.rpartition("L")[2].split()[0])
    assert end > 700, "it goes on below 0, where a logarithm has no place"
    struck = page.locator(f"{PICTURE} text[text-decoration]")
    expect(struck).to_have_text([WRONG])
    expect(page.locator(PICTURE)).not_to_contain_text("the printed line was run")
    assert findings_in_both_themes(walker) == []
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as PNG").click()
    saved.value.save_as(tmp_path / "poster.png")
    width, height = struct.unpack(">II", (tmp_path / "poster.png").read_bytes()[16:24])
    assert (width, height) == (2520, 3564)  # 300 dots to an inch of A4
    for paper in ("A4", "Letter"):
        assert page.pdf(format=paper).count(b"/Type /Page\n") == 1
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Train on my lines").click()
    assert told(page) == words  # the same lines were trained already


@pytest.mark.exhaustive
def test_the_network_signs_with_ten_names(walker: Walker) -> None:
    page = walker.page
    page.goto(f"{walker.base}/practise")
    body = {"lesson": "makemore-mlp"}
    walk = page.request.post(f"{walker.base}/api/walk", data=body).json()
    lines: dict[str, list[str]] = {}
    for step in walk["steps"]:
        if step["direction"] == "backward" and step["through"]:
            lines.setdefault(step["node"], []).append(step["code"])
    # a loop, as the lecture has it, is a line as well
    lines["C"] = ["dC = torch.zeros_like(C)\nfor k in range(n):\n  for j in range(3):\n    dC[Xb[k, j]] += demb[k, j]"]
    attempts = {f"d{name}": {"accepted": "\n".join(code), "outcome": "right"} for name, code in lines.items()}
    kept = {"format": "gradwalk-practise", "id": walk["id"], "title": "makemore", "attempts": attempts}
    page.evaluate(
        "([key, kept]) => localStorage.setItem(key, kept)", [f"gradwalk:practise:{walk['id']}", json.dumps(kept)]
    )
    page.reload()
    page.get_by_role("button", name="Train on my lines").click()
    words = told(page)
    assert page.locator(PICTURE).evaluate(SEEN), "the curve and the names, for which one waits, are in sight"
    assert page.locator(PICTURE).evaluate(AMID) > 0.9
    assert "in 5,000 steps on these lines. Signed by the network:" in words
    assert len(words.rpartition("network:. ")[2].split(", ")) == 10
    expect(page.locator(PICTURE)).not_to_contain_text("the printed line was run")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_lines_of_a_program_of_many_numbers_train_too(walker: Walker) -> None:
    """Written out, its tensors would be far more than a request may have."""
    tensors = {
        "x": DRAWN | {"role": "data", "shape": [64, 600]},
        "W": DRAWN | {"shape": [600, 30]},
        "y": DRAWN | {"role": "target", "shape": [64, 30], "seed": 2},
    }
    page = walker.page
    program = {"source": "h = x @ W\nloss = (h * y).mean()", "tensors": tensors}
    page.goto(walker.base + packed(program, 1).replace("/code?step=1", "/practise"))
    for name, line in {"dh": "dh = y * dloss / 1920", "dx": "dx = dh @ W.T", "dW": "dW = x.T @ dh"}.items():
        write(page, name, line, "right")
    page.get_by_role("button", name="Train on my lines").click()
    assert "in 1,000 steps on these lines" in told(page)
