"""Style sheets, scripts and Plotly under an address that changes with their content: browsers keep them for ever."""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path

from fastapi import APIRouter, Request, Response

from app.errors import Failure
from app.settings import folder

PLOTLY = "plotly.min.js"
FOR_EVER = "public, max-age=31536000, immutable"
COMPRESSIBLE = ("text/", "application/json", "image/svg+xml")
LOOPBACK = frozenset({"127.0.0.1", "::1"})
router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Asset:
    """One file as it is served."""

    content: bytes
    media_type: str

    @cached_property
    def compressed(self) -> bytes | None:
        """The content as gzip, made once and only when asked for; None where that gains nothing."""
        return gzip.compress(self.content, 9, mtime=0) if self.media_type.startswith(COMPRESSIBLE) else None


@dataclass(frozen=True)
class Assets:
    """Every static file by its path, and the version that names this very content."""

    version: str
    files: dict[str, Asset]

    @property
    def base(self) -> str:
        """The address under which this version's files stand, without a closing slash."""
        return f"/static/{self.version}"

    @property
    def modules(self) -> list[str]:
        """The addresses of all script modules: a page that preloads them needs one round of requests, not five."""
        return [f"{self.base}/{path}" for path in self.files if path.startswith("js/")]


def current() -> Assets:
    """The files as they are now; read again only when one has changed."""
    root = folder("static")
    paths = sorted(path for path in root.rglob("*") if path.is_file())
    return _read(root, tuple((path, path.stat().st_mtime_ns) for path in paths))


@lru_cache(maxsize=1)
def _read(root: Path, stamps: tuple[tuple[Path, int], ...]) -> Assets:
    files = {path.relative_to(root).as_posix(): _asset(path) for path, _ in stamps}
    files[PLOTLY] = _plotly()
    digest = hashlib.sha256()
    for name, asset in files.items():
        digest.update(f"{name} {len(asset.content)} ".encode() + asset.content)
    return Assets(digest.hexdigest()[:12], files)


def _asset(path: Path) -> Asset:
    return Asset(path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream")


@lru_cache(maxsize=1)
def _plotly() -> Asset:
    return Asset((resources.files("plotly") / "package_data" / PLOTLY).read_bytes(), "text/javascript")


@router.get("/static/{version}/{path:path}")
def static(request: Request, version: str, path: str) -> Response:
    """One static file; for ever under its own version, not to be kept under any other."""
    assets = current()
    asset = assets.files.get(path)
    if asset is None:
        raise Failure(404, "not-found", "There is no such file.", "Load the page again.")
    headers = {"Vary": "Accept-Encoding"}
    if version == assets.version:
        headers["Cache-Control"] = FOR_EVER
    content = asset.content
    if wants_gzip(request) and asset.compressed is not None:
        content, headers["Content-Encoding"] = asset.compressed, "gzip"
    return Response(content, media_type=asset.media_type, headers=headers)


def wants_gzip(request: Request) -> bool:
    """Whether the client takes gzip and sits across a network: on loopback unpacking costs more than it saves."""
    local = request.client is not None and request.client.host in LOOPBACK
    return not local and "gzip" in request.headers.get("accept-encoding", "")
