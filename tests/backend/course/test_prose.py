"""The engine's own sentences as HTML: what is code there stays as it is, stars and all."""

from __future__ import annotations

import html
import re

from backend.course.prose import sentence
from backend.engine.language.errors import catalogue


def test_no_star_of_a_message_is_lost() -> None:
    for text in (text for texts in catalogue().values() for text in texts):
        made = sentence(text)
        assert [html.unescape(piece) for piece in re.findall("<code>(.+?)</code>", made)] == re.findall("`(.+?)`", text)
        assert html.unescape(re.sub("</?code>", "", made)) == text.replace("`", "")


def test_bold_may_hold_code_with_stars() -> None:
    assert sentence("**The slope `2 * x**2`** of <x>, `**`: `y ** 3`.") == (
        "<strong>The slope <code>2 * x**2</code></strong> of &lt;x&gt;, <code>**</code>: <code>y ** 3</code>."
    )
