"""An error as somebody reads it who typed an address: a page, while programs get the one JSON shape."""

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.templating import Jinja2Templates
from starlette.types import Scope

from app import prose
from app.errors import Failure
from app.settings import folder

FOR_PROGRAMS = ("/api/", "/static/", "/healthz", "/readyz")
templates = Jinja2Templates(folder("templates"))
templates.env.filters |= {"told": prose.told, "rule": prose.rule, "shape": prose.shape, "merged": prose.merged}


def wants_page(scope: Scope) -> bool:
    """Whether this request comes from an address bar or a link: it names HTML and is not for the interface."""
    return "text/html" in Headers(scope=scope).get("accept", "") and not str(scope["path"]).startswith(FOR_PROGRAMS)


def bare_page(failure: Failure) -> HTMLResponse:
    """A page that needs no other file: whoever may not ask here gets no style sheets either."""
    text = templates.get_template("bare.html").render(problem=failure)
    return HTMLResponse(text, failure.status, failure.headers)
