"""HTML error pages for browsers; API clients get JSON."""

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.types import Scope

from app.errors import Failure
from app.rendering import templates

FOR_PROGRAMS = ("/api/", "/static/", "/healthz", "/readyz")


def wants_page(scope: Scope) -> bool:
    """Whether to answer with a page: the request accepts HTML and isn't for the API."""
    return "text/html" in Headers(scope=scope).get("accept", "") and not str(scope["path"]).startswith(FOR_PROGRAMS)


def bare_page(failure: Failure) -> HTMLResponse:
    """A page without style sheets, for a client that may not load them either."""
    text = templates.get_template("bare.html").render(problem=failure)
    return HTMLResponse(text, failure.status, failure.headers)
