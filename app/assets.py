"""Style sheets, scripts and Plotly as they are served and as files take them in, read once."""

import asyncio
import gzip
import hashlib
import mimetypes
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from app import bundles

PLOTLY = "plotly.min.js"
COMPRESSIBLE = ("text/", "application/json", "image/svg+xml")


def folder(name: str) -> Path:
    """Where `static` or `templates` is: beside this package, in a checkout and in an installed wheel alike."""
    return Path(__file__).parents[1] / name


@dataclass
class Asset:
    """One file as it is served."""

    content: bytes
    media_type: str
    _packing: "asyncio.Task[bytes] | None" = field(default=None, repr=False)

    async def packed(self) -> bytes | None:
        """The content as gzip, made once, in a thread, when first asked for; None where that gains nothing."""
        if not self.media_type.startswith(COMPRESSIBLE):
            return None
        if self._packing is None:
            self._packing = asyncio.ensure_future(asyncio.to_thread(gzip.compress, self.content, 9, mtime=0))
        return await asyncio.shield(self._packing)


@dataclass(frozen=True)
class Assets:
    """Every static file by its path, and the version that names this very content."""

    version: str
    files: dict[str, Asset]

    @property
    def base(self) -> str:
        """The address under which this version's files stand, without a closing slash."""
        return f"/static/{self.version}"


@lru_cache(maxsize=1)
def current() -> Assets:
    """The files as they were when first asked for; `current.cache_clear()` lets them be read anew."""
    root = folder("static")
    contents = {
        path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
    }
    sources = {path: content.decode() for path, content in contents.items() if path.endswith((".js", ".css"))}
    contents |= {path: text.encode() for path, text in bundles.bundle_files(sources).items()}
    if find_spec("plotly"):  # which only a server needs
        contents[PLOTLY] = _plotly()
    digest = hashlib.sha256()
    for path, content in contents.items():
        digest.update(f"{path} {len(content)} ".encode() + content)
    return Assets(digest.hexdigest()[:12], {path: _asset(path, content) for path, content in contents.items()})


def _asset(path: str, content: bytes) -> Asset:
    guessed = "application/json" if path.endswith(".map") else mimetypes.guess_type(path)[0]
    return Asset(content, guessed or "application/octet-stream")


@lru_cache(maxsize=1)
def _plotly() -> bytes:
    return (resources.files("plotly") / "package_data" / PLOTLY).read_bytes()
