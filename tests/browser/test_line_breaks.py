"""Where long lines of code go on in the next: after operators, commas and brackets, never inside a name."""

import re
from typing import Any

import pytest

from tests.browser.conftest import OpenWalker, Walker
from tests.browser.desk import Desk

# Each place where a line of a listing goes on, as what stands before and after it.
BREAKS = """() => [...document.querySelectorAll(".row .text")].flatMap((text) => {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), range = document.createRange();
  const cells = [];
  while (walker.nextNode()) {
    const { data } = walker.currentNode;
    for (let i = 0; i < data.length; i += 1) {
      if (!data[i].trim() || walker.currentNode.parentElement.closest(".tok-comment")) continue;
      range.setStart(walker.currentNode, i);
      range.setEnd(walker.currentNode, i + 1);
      cells.push([data[i], range.getBoundingClientRect().top]);
    }
  }
  const line = cells.map(([letter]) => letter).join("");
  return cells.flatMap(([, top], i) => i && top > cells[i - 1][1] + 5 ? [[line.slice(0, i), line.slice(i)]] : []);
})"""
GOOD = re.compile(r"(?:[-+*/@%<>&|=,(\[]|(?<=[\w)\]])\.)$")


def wrong(breaks: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(before, after) for before, after in breaks if not GOOD.search(before) or re.search(r"\de-$", before)]


@pytest.mark.parametrize("width", [*(pytest.param(w, marks=pytest.mark.exhaustive) for w in (1440, 1280, 768)), 390])
def test_lines_go_on_after_operators_commas_and_brackets(walkers: OpenWalker, width: int) -> None:
    walker = walkers(width, 900)
    Desk(walker).open().start("Variational autoencoder").ready().walk()
    found: list[Any] = walker.ask(BREAKS)
    walker.open("/walk/makemore-mlp")
    found += walker.ask(BREAKS)
    assert len(found) > 10
    assert wrong(found) == []


def test_a_break_inside_a_name_is_found(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp")
    walker.ask("""document.querySelectorAll(".row .whole").forEach((part) => {
        Object.assign(part.style, { display: "inline", wordBreak: "break-all" });
    })""")
    assert wrong(walker.ask(BREAKS))


# Of the names above the pictures the halves of each that takes two rows; of the scales below them those that run over.
HEADS = """() => [...document.querySelectorAll('#picture .label b')].flatMap((name) => {
  const texts = [...name.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE);
  const rows = texts.flatMap((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [...range.getClientRects()].map((box) => [Math.round(box.top), one.data]);
  });
  return new Set(rows.map(([top]) => top)).size > 1 ? [rows.map(([, text]) => text)] : [];
})"""
OVER = """() => [...document.querySelectorAll('.charts .bar')].filter((bar) => bar.scrollWidth > bar.clientWidth)
  .map((bar) => bar.textContent)"""


def test_on_a_tablet_a_long_name_breaks_between_its_words_and_scales_stand_apart(walkers: OpenWalker) -> None:
    walker = walkers(768, 1024).open("/walk/makemore-mlp?step=25")
    heads = walker.ask(HEADS)
    assert ["dcounts_sum_", "inv"] in heads, heads
    walker.open("/walk/makemore-mlp?step=26")
    assert sum(text.endswith("max 0.00416") for text in walker.texts(".charts .bar")) == 2
    assert walker.ask(OVER) == []
