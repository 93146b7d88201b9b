"""What tests look for on a page: what axe finds, how small the type is, what is cut off, and numbers as written."""

import re
from collections.abc import Sequence

from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Walker

SMALLEST = """() => Math.min(...[...document.querySelectorAll('body *')]
  .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
  .filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > 1)
  .filter((e) => !e.closest('.unseen, .skip, template, dialog:not([open])'))
  .map((e) => parseFloat(getComputedStyle(e).fontSize)
    * (e instanceof SVGElement ? e.getScreenCTM().a : 1)))"""

OVERFLOW = """() => {
  const [page, pane] = [document.documentElement, document.querySelector('#step')];
  const box = (name) => document.querySelector(name)?.getBoundingClientRect();
  const [scene, picture] = [box('.equation:last-child'), box('#picture')];
  return [pane.scrollWidth - pane.clientWidth, pane.scrollHeight - pane.clientHeight, page.scrollHeight - innerHeight,
    scene ? Math.round(scene.bottom - picture.bottom) : 0,
    ...[...document.querySelectorAll('.piece')].map((p) => p.getBoundingClientRect().right - picture.right - 0.5)];
}"""

DIGITS = str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789")


def number(text: str) -> float:
    """A number as the page writes it: "−1.5·10⁻¹⁷"."""
    text = re.sub(r"^10", "1·10", text.strip())
    return float(text.translate(DIGITS).replace("·10", "e"))


# Half of a walk's elements, which most states leave as they are: where they are the matter, `but` is empty.
CODE_AND_GRAPH = ("#forward", "#backward", "#graph")

AXE = "([parts, options]) => axe.run(parts ?? document, options).then((all) => all.violations)"


def findings(walker: Walker, *rules: str, but: Sequence[str] = CODE_AND_GRAPH) -> list[str]:
    """What axe finds on the page as it is, by all its rules or by some; the page keeps axe until it is left.

    `but` selects parts that were looked at in another state of the page and are as they were.
    """
    if not walker.ask("'axe' in window"):
        walker.page.evaluate(Axe().axe_script)
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    found = walker.page.evaluate(AXE, [{"exclude": list(but)} if but else None, options])
    nodes = [(one["id"], node) for one in found for node in one["nodes"]]
    return [f"{rule}: {node['html'][:160]} {node['failureSummary'][:200]}" for rule, node in nodes]


# Shows the page in a theme, or else in the other one; returns the one that it was told to wear.
WEAR = """(theme) => {
  const root = document.documentElement, was = root.dataset.theme;
  root.dataset.theme = theme ?? (was === 'dark' ? 'light' : 'dark');
  return was;
}"""


def findings_in_both_themes(walker: Walker, but: Sequence[str] = CODE_AND_GRAPH) -> list[str]:
    """What axe finds by all its rules, and by its rule of contrast in the other theme, which changes only colours."""
    found = findings(walker, but=but)
    was = walker.page.evaluate(WEAR)
    found += [f"in the other theme: {one}" for one in findings(walker, "color-contrast", but=but)]
    walker.page.evaluate(WEAR, was)
    return found
