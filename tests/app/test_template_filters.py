"""Sentences and rules as HTML: code is marked, and what was markup before is text now."""

from html.parser import HTMLParser

import pytest

from app.template_filters import merged, rule, shape, told

HOSTILE = ["<script>x</script>", '`<b onclick="x">`', "a & b < c", "{x}</code><i>", "`&lt;`"]


class Reader(HTMLParser):
    """What a browser reads: its tags, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.text = list[str](), ""
        self.feed(str(page))
        self.close()

    def handle_starttag(self, tag: str, _: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_code_is_marked() -> None:
    assert told("{x} goes where `a < b`, not {a b}.") == ("<code>x</code> goes where <code>a &lt; b</code>, not {a b}.")


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_stays_text(text: str) -> None:
    page = Reader(told(text))
    assert set(page.tags) <= {"code"}
    assert page.text == text.replace("`", "").replace("{x}", "x")
    marked = Reader(rule(text, ["x", "script"]))
    assert set(marked.tags) <= {"i"}
    assert marked.text == text


def test_words_of_a_rule_are_marked_as_wholes() -> None:
    assert rule("g * out * h.g + go", ["h"]) == (
        '<i class="arrives">g</i> * <i class="result">out</i> * <i class="call-word">h</i>.g + go'
    )


def test_shapes_and_reasons() -> None:
    assert [shape(sizes) for sizes in ([], [3], [3, 4])] == ["()", "(3,)", "(3, 4)"]
    assert merged({"x": "one", "y": "two", "z": "one"}) == [("one", ["x", "z"]), ("two", ["y"])]
