"""Where one joins a class: the address on the wall, and the same as a picture that a phone reads."""

import io
from ipaddress import ip_address

import segno

PATH = "/c"
AROUND = 2  # cells of white; four would be usual, and the picture stands in a white frame


def join_address(origin: str, elsewhere: str | None) -> str:
    """Where students join, as seen from their own devices.

    A teacher who has opened the server by a name of its own machine's alone is told the one by which others reach it,
    if they do.
    """
    return (elsewhere if elsewhere and only_here(origin) else origin) + PATH


def only_here(origin: str) -> bool:
    """Whether an origin leads from any machine to itself."""
    host = origin.partition("://")[2].rpartition(":")[0].strip("[]") or origin.partition("://")[2]
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def picture_of(address: str) -> bytes:
    """An address as a QR code, in black on white whatever the page's colours are: phones read it so."""
    file = io.BytesIO()
    code = segno.make(address, micro=False)
    code.save(file, kind="svg", border=AROUND, omitsize=True, xmldecl=False, dark="#000", light="#fff")
    return file.getvalue()
