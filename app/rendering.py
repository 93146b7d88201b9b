"""Pages made of their templates, for a server's answers and for files."""

from typing import Any

from jinja2 import Environment, FileSystemLoader, select_autoescape

from app import __version__, template_filters
from app.assets import current, folder
from app.options import OPTIONS

WORD_LIST_LESSON = "makemore-mlp"  # the one whose minibatches a run draws from the word list, at sizes of its own
# Not looked after: else every page asks the file system whether its templates have changed.
templates = Environment(loader=FileSystemLoader(folder("templates")), autoescape=select_autoescape(), auto_reload=False)
templates.filters |= {
    "told": template_filters.told,
    "rule": template_filters.rule,
    "shape": template_filters.shape,
    "merged": template_filters.merged,
    "duration": template_filters.duration,
}


def made(page: str, **context: Any) -> str:
    """A page rendered from its template."""
    known = {"version": __version__, "static": current().base, "page": page}
    known |= {"word_list_lesson": WORD_LIST_LESSON}
    return templates.get_template(f"{page}.html").render(known | {"options": OPTIONS} | context)
