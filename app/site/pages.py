"""A page of the server as a page of the folder: links lead from file to file, and it says where the folder begins."""

import re
from html import escape

from app.middleware.guard import POLICY

LINK = re.compile(r'(\b(?:href|src|action|data-static)=")/(?!/)([^"?#]*)')
SHEET = re.compile(r'<link rel="stylesheet" href="([^"]*)">')
STATIC = re.compile(r'<html[^>]* data-static="([^"]*)"')
# One page says for every lesson and exhibit what only a server can do.
COMPUTED = re.compile(r"(practise|train|lab)/(?!(?:drills|find)$).*")
MANIFEST = "gradwalk.webmanifest"
# What a page in a folder can't say of itself; a host may say it.
HEADERS_ALONE = re.compile(r"frame-ancestors [^;]*; ")


def recorded(page: str, path: str) -> str:
    """The page at `path` ("/walk/batchnorm") as `walk/batchnorm/index.html`."""
    up = "/".join([".."] * len([part for part in path.split("/") if part])) or "."
    linked = LINK.sub(lambda found: f"{found[1]}{_relative(up, found[2])}", page)
    policy = f"{HEADERS_ALONE.sub('', POLICY)} worker; manifest-src 'self'"
    said = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
    said += f'\n    <link rel="manifest" href="{up}/{MANIFEST}">'
    for sheet in SHEET.findall(linked):
        said += f"\n    {preloaded(sheet, 'style')}"
    linked = linked.replace("<html", f'<html data-root="{up}"', 1).replace("<head>", f"<head>\n    {said}", 1)
    for static in STATIC.findall(linked):  # what asks the folder comes beside the page's scripts, not after them
        linked = linked.replace("</head>", f'<link rel="modulepreload" href="{static}/recorded.js">\n  </head>', 1)
    return linked


def preloaded(address: str, kind: str) -> str:
    """What nothing is painted without: behind a policy in `<meta>` browsers look for no files ahead of a script."""
    return f'<link rel="preload" as="{kind}" href="{address}">'


def manifest(page: str) -> dict[str, object]:
    """What a browser installs the folder by; `page` is the first one, whose icon it is."""
    icon = re.search(r'<link rel="icon" href="\./([^"]+)" type="([^"]+)"', page)
    icons = [{"src": icon[1], "type": icon[2], "sizes": "any"}] if icon else []
    return {"name": "gradwalk", "id": "gradwalk", "start_url": ".", "display": "standalone", "icons": icons}


def _relative(up: str, path: str) -> str:
    """Files as they are; pages as the folders that they are."""
    if path.startswith("static/"):
        return f"{up}/{path}"
    path = COMPUTED.sub(r"\1", path)
    return f"{up}/{path}/" if path else f"{up}/"
