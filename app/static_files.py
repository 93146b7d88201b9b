"""Style sheets, scripts and Plotly, served at addresses that change with their content."""

from fastapi import APIRouter, Request, Response

from app.assets import current
from app.errors import Failure

FOR_EVER = "public, max-age=31536000, immutable"
LOOPBACK = frozenset({"127.0.0.1", "::1"})
router = APIRouter(include_in_schema=False)


@router.get("/static/{version}/{path:path}")
async def static(request: Request, version: str, path: str) -> Response:
    """One static file; for ever under its own version, not to be kept under any other."""
    assets = current()
    asset = assets.files.get(path)
    if asset is None:
        raise Failure(404, "not-found", "There is no such file.", "Load the page again.")
    headers = {"Vary": "Accept-Encoding"}
    if version == assets.version:
        headers["Cache-Control"] = FOR_EVER
    packed = await asset.packed() if wants_gzip(request) else None
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    return Response(packed or asset.content, media_type=asset.media_type, headers=headers)


def wants_gzip(request: Request) -> bool:
    """Whether the client takes gzip and sits across a network: on loopback unpacking costs more than it saves."""
    local = request.client is not None and request.client.host in LOOPBACK
    return not local and "gzip" in request.headers.get("accept-encoding", "")
