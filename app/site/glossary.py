"""The glossary, which stands in every page: in a folder once, as a script that puts it there."""

import re

from app.site import elements

LIST = re.compile(r'<dl id="glossary".*?</dl>', re.DOTALL)
BREAKS = re.compile(r"\s+")
BETWEEN = re.compile(r"(</?(?:dl|div)[^>]*>) | (?=</?(?:dl|div))")


def script(page: str) -> str | None:
    """What writes a page's glossary; None where it has none."""
    found = LIST.search(page)
    if found is None:
        return None
    (tree,) = elements.trees_of(BETWEEN.sub(r"\1", BREAKS.sub(" ", found[0])))
    return elements.appending(tree)


def without(page: str, address: str) -> str:
    """The page with a script in its place, which runs before all that reads the glossary."""
    module = '<script type="module"'
    return LIST.sub("", page).replace(module, f'<script defer src="{address}"></script>\n    {module}', 1)
