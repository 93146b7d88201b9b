"""The keys that pages have in common: their list, projector mode with its black screen, light and dark."""

import json
import subprocess

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker
from tests.tools.node import command
from tests.tools.server import ROOT

LISTED = """import { labelsOf, listOf } from "./static/js/shell/keys.js";
const rows = listOf(JSON.parse(process.argv[1]));
console.log(JSON.stringify(rows.map(({ keys, does }) => [keys.flatMap(labelsOf), does])));"""
DRAWN = """() => [...document.querySelectorAll('#keys-dialog .keys > div')].map((row) =>
  [[...row.querySelectorAll('kbd')].map((key) => key.textContent), row.querySelector('dd').textContent])"""


def listed(places: list[str]) -> object:
    """The list of keys as their table has it."""
    words = command(["--input-type=module", "-e", LISTED, json.dumps(places)])
    assert words is not None
    return json.loads(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/walk/first-steps", ["walk"]),
        ("/code?step=1", ["code", "desk"]),
        ("/train/makemore-mlp", ["train"]),
        ("/learn/first-steps", ["chapter"]),
        ("/opening?moment=2", ["opening"]),
    ],
    ids=["walk", "code", "train", "chapter", "opening"],
)
def test_the_list_of_keys_is_their_table(walkers: OpenWalker, path: str, places: list[str]) -> None:
    walker = walkers().open(path)
    dialog = walker.page.locator("#keys-dialog")
    walker.page.locator("#theme").focus()
    walker.press("?")
    expect(dialog).to_be_visible()
    drawn = walker.ask(DRAWN)
    assert drawn == listed(places)
    assert len(drawn) > 5
    walker.press("t")  # nothing below a dialog hears keys
    walker.press("?")
    expect(dialog).to_be_hidden()
    assert walker.ask("document.documentElement.dataset.theme") == "light"
    walker.press("t")
    assert walker.ask("document.documentElement.dataset.theme") == "dark"
    assert walker.ask("document.querySelector('#theme').title") == "Light or dark (t)"


@pytest.mark.parametrize("path", ["/train/makemore-mlp", "/practise/first-steps", "/learn/first-steps"])
def test_every_projector_has_a_black_screen_and_a_way_out(walkers: OpenWalker, path: str) -> None:
    walker = walkers(1280, 720).open(path)
    body, black = walker.page.locator("body"), walker.page.locator(".black")
    walker.ask("document.activeElement.blur()")
    if path.startswith("/practise"):  # where what is typed elsewhere begins an answer
        walker.page.locator("#projector").focus()
    walker.press(".")
    expect(black).to_be_hidden()
    walker.press("p")
    expect(body).to_have_class("projector")
    for key in (".", "b"):
        walker.press(key)
        expect(black).to_be_visible()
        walker.press("Escape")  # whatever is pressed first brings the picture back, and does nothing else
        expect(black).to_be_hidden()
        expect(body).to_have_class("projector")
    walker.press("Escape")
    expect(body).not_to_have_class("projector")
    assert walker.page.locator("#projector").get_attribute("aria-pressed") == "false"
