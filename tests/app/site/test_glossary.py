"""The glossary leaves a page for a script that puts all of it back."""

import html
import json
import re
from typing import Any

from app.rendering import made
from app.site import glossary

PAGE = made("walk", lesson="own", lessons=[], programs=[], subject="own")


def texts(tree: list[Any]) -> str:
    return "".join(part if isinstance(part, str) else texts(part) for part in tree[2:])


def elements(tree: list[Any], tag: str) -> list[list[Any]]:
    parts = [part for part in tree[2:] if isinstance(part, list)]
    return [*([tree] if tree[0] == tag else []), *(one for part in parts for one in elements(part, tag))]


def test_every_word_with_its_forms_and_its_sentence_is_in_the_script() -> None:
    script = glossary.script(PAGE)
    assert script is not None
    tree = json.loads(script[script.index("made([") + 5 : script.rindex("));")])
    listed = re.findall(r'<div data-forms="([^"]+)".*?<dd id="([^"]+)">(.*?)</dd>', PAGE, re.DOTALL)
    assert len(listed) > 40
    assert [one[1]["data-forms"] for one in elements(tree, "div")] == [html.unescape(forms) for forms, *_ in listed]
    assert [one[1]["id"] for one in elements(tree, "dd")] == [name for _, name, _ in listed]
    plain = [" ".join(html.unescape(re.sub(r"<[^>]+>", "", said)).split()) for *_, said in listed]
    assert [" ".join(texts(one).split()) for one in elements(tree, "dd")] == plain


def test_the_page_names_the_script_before_its_own_and_keeps_the_rest() -> None:
    page = glossary.without(PAGE, "/static/x/glossary.js")
    assert "term-chain-rule" not in page
    assert page.index("glossary.js") < page.index("first.js")
    assert page.count("<script") == PAGE.count("<script") + 1
    assert glossary.script("<p>none</p>") is None
