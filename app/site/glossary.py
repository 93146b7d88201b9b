"""The glossary, which stands in every page: in a folder once, as a script that puts it there."""

import re
from html.parser import HTMLParser
from typing import Any

from app.site import lean

LIST = re.compile(r'<dl id="glossary".*?</dl>', re.DOTALL)
# Element by element: a page of ours takes no HTML from a script.
MADE = """const made = ([tag, said, ...parts]) => {
const one = document.createElement(tag);
for (const [name, value] of Object.entries(said)) one.setAttribute(name, value);
one.append(...parts.map((part) => (typeof part === "string" ? part : made(part))));
return one;
};
"""


def script(page: str) -> str | None:
    """What writes a page's glossary; None where it has none."""
    found = LIST.search(page)
    if found is None:
        return None
    reader = _Tree()
    reader.feed(found[0])
    return f"{MADE}document.body.append(made({lean.compact(reader.top[0])}));\n"


def without(page: str, address: str) -> str:
    """The page with a script in its place, which runs before all that reads the glossary."""
    return LIST.sub("", page).replace("<script", f'<script defer src="{address}"></script>\n    <script', 1)


class _Tree(HTMLParser):
    """Elements as lists: the tag, its attributes, and what is in it."""

    def __init__(self) -> None:
        super().__init__()
        self.top: list[Any] = []
        self.inside = [self.top]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """It holds what follows."""
        made = [tag, {name: value or "" for name, value in attrs}]
        self.inside[-1].append(made)
        self.inside.append(made)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - of whichever element is open
        """It is over."""
        self.inside.pop()

    def handle_data(self, data: str) -> None:
        """Text, whose line breaks are spaces."""
        text = re.sub(r"\s+", " ", data)
        if len(self.inside) > 1 and (text != " " or self.inside[-1][0] in ("dt", "dd")):
            self.inside[-1].append(text)
