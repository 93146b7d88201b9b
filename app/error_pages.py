"""HTML error pages for browsers; API clients get JSON."""

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.templating import Jinja2Templates
from starlette.types import Scope

from app import template_filters
from app.errors import Failure
from app.settings import folder

FOR_PROGRAMS = ("/api/", "/static/", "/healthz", "/readyz")
templates = Jinja2Templates(folder("templates"))
templates.env.auto_reload = False  # else every page asks the file system whether its templates have changed
templates.env.filters |= {
    "told": template_filters.told,
    "rule": template_filters.rule,
    "shape": template_filters.shape,
    "merged": template_filters.merged,
    "duration": template_filters.duration,
}


def wants_page(scope: Scope) -> bool:
    """Whether to answer with a page: the request accepts HTML and isn't for the API."""
    return "text/html" in Headers(scope=scope).get("accept", "") and not str(scope["path"]).startswith(FOR_PROGRAMS)


def bare_page(failure: Failure) -> HTMLResponse:
    """A page without style sheets, for a client that may not load them either."""
    text = templates.get_template("bare.html").render(problem=failure)
    return HTMLResponse(text, failure.status, failure.headers)
