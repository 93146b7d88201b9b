"""Small marks that say something: colours of verdicts, bars of fractions, scalars on the line of their equation."""

from typing import Any

import pytest

from tests.browser.conftest import OpenWalker, Walker

COLOUR = """([query, text]) =>
    getComputedStyle([...document.querySelectorAll(query)].find((e) => e.textContent.includes(text))).color"""


def colour(walker: Walker, query: str, text: str) -> str:
    return str(walker.page.evaluate(COLOUR, [query, text]))


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.exhaustive)])
def test_a_verdict_has_one_colour_in_the_listing_and_on_the_badge(walkers: OpenWalker, scheme: str) -> None:
    walker = walkers(color_scheme=scheme).open("/?step=38")
    amber = colour(walker, "#heading .badge", "approximate")
    assert colour(walker, "#backward .row.done .gutter", "≈") == amber
    assert colour(walker, "#backward .row.done .gutter", "✓") != amber


@pytest.mark.parametrize("key", ["", pytest.param("p", marks=pytest.mark.exhaustive)])
def test_numbers_stand_on_the_line_of_their_equation(walkers: OpenWalker, key: str) -> None:
    """Where scalars meet, their cells and the sign between them share one middle."""
    walker = walkers(height=720, width=1280).open("/?step=22")
    walker.press(*key)
    walker.page.wait_for_selector("#picture .scalar")
    middles = walker.ask("""[...document.querySelectorAll("#picture .mark, #picture .scalar, #picture canvas.heat")]
        .map((e) => { const box = e.getBoundingClientRect(); return box.top + box.height / 2; })""")
    assert len(middles) == 5
    assert max(middles) - min(middles) <= 2


@pytest.mark.exhaustive
def test_the_bar_of_a_fraction_is_as_wide_as_its_wider_part(walkers: OpenWalker) -> None:
    walker = walkers(height=720, width=1280).open("/?step=37&view=jacobian")
    walker.page.wait_for_selector(".product-part .label b + b")
    parts: list[Any] = (
        walker.ask("""[...document.querySelectorAll(".product-part .label")].filter((e) => e.querySelector("b + b"))
        .map((e) => [...e.children].map((one) => {
            const range = document.createRange(); range.selectNodeContents(one);
            const style = getComputedStyle(one);
            return { text: range.getBoundingClientRect().width, box: one.getBoundingClientRect().width,
                top: style.borderTopWidth !== "0px", bottom: style.borderBottomWidth !== "0px" };
        }))""")
    )
    assert parts
    assert parts[0][0]["text"] > parts[0][1]["text"] + 5, "the wider part is to stand above the bar"
    for above, below in parts:
        assert above["bottom"] or below["top"], "no bar"
        bar = above["box"] if above["bottom"] else below["box"]
        assert bar >= max(above["text"], below["text"]) - 1
