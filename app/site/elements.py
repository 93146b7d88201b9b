"""Elements as lists, and the script that makes them again: a page of ours takes no HTML from a script."""

from html.parser import HTMLParser
from typing import Any

from app.site import lean

EMPTY = frozenset(("br", "hr", "img", "input", "link", "meta", "wbr"))  # elements that nothing closes
MIXED = {"viewbox": "viewBox"}  # the one name that HTML reads in small letters and SVG doesn't
# In braces, as a page has two such scripts, and their names are no page's.
MADE = """{
const made = ([tag, said, ...parts], around) => {
const space = tag === "svg" ? "http://www.w3.org/2000/svg" : (around ?? "http://www.w3.org/1999/xhtml");
const one = document.createElementNS(space, tag);
for (const [name, value] of Object.entries(said)) one.setAttribute(name, value);
one.append(...parts.map((part) => (typeof part === "string" ? part : made(part, space))));
return one;
};
"""
# Where the page's own parts stand in place of those that all pages have.
PLACED = """for (const [path, from, count, ...parts] of JSON.parse(document.currentScript.dataset.own))
path.reduce((at, place) => at[place], body).splice(from, count, ...parts);
document.currentScript.replaceWith(...body.map((part) => (typeof part === "string" ? part : made(part))));
}
"""


def appending(tree: list[Any]) -> str:
    """A script that adds an element at the page's end."""
    return f"{MADE}document.body.append(made({lean.compact(tree)}));\n}}\n"


def in_its_place(trees: list[Any]) -> str:
    """A script that puts elements where it stands itself, with the parts that its `data-own` has in place of theirs."""
    return f"{MADE}const body = {lean.compact(trees)};\n{PLACED}"


def trees_of(html: str) -> list[Any]:
    """Elements as `[tag, attributes, ...parts]`, and the text between them."""
    reader = _Trees()
    reader.feed(html)
    reader.close()
    return reader.top


class _Trees(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.top: list[Any] = []
        self.inside = [self.top]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """It holds what follows."""
        made = [tag, {MIXED.get(name, name): value or "" for name, value in attrs}]
        self.inside[-1].append(made)
        if tag not in EMPTY:
            self.inside.append(made)

    def handle_endtag(self, tag: str) -> None:
        """It is over."""
        if tag not in EMPTY:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        """Text."""
        self.inside[-1].append(data)
