"""Where one joins: an address that others reach, as letters and as a picture."""

import re

import pytest
import segno

from app.classroom.joining import AROUND, join_address, only_here, picture_of

HALL = "http://192.168.1.20:8000"


@pytest.mark.parametrize(
    ("origin", "elsewhere", "address"),
    [
        ("http://127.0.0.1:8000", HALL, f"{HALL}/c"),
        ("http://localhost:8000", HALL, f"{HALL}/c"),
        ("http://[::1]:8000", HALL, f"{HALL}/c"),
        ("http://127.0.0.1:8000", None, "http://127.0.0.1:8000/c"),
        ("http://school.lan", HALL, "http://school.lan/c"),
        ("https://walk.example.org", None, "https://walk.example.org/c"),
    ],
)
def test_students_are_told_an_address_that_leads_here(origin: str, elsewhere: str | None, address: str) -> None:
    assert join_address(origin, elsewhere) == address
    assert only_here(address) == (elsewhere is None and "127" in origin)


def test_the_picture_is_the_address() -> None:
    """Cell by cell as the code's own matrix, which phones read: the path of the picture is drawn again."""
    address = f"{HALL}/c/KTM4R7"
    svg = picture_of(address).decode()
    matrix = [list(row) for row in segno.make(address, micro=False).matrix]
    side = len(matrix) + 2 * AROUND
    assert f'viewBox="0 0 {side} {side}"' in svg
    assert "<script" not in svg
    drawn = [[0] * side for _ in range(side)]
    (path,) = re.findall(r'stroke="#000" d="([^"]*)"', svg)
    x = y = 0.0
    for kind, numbers in re.findall(r"([Mmh])([^Mmh]*)", path):
        given = [float(one) for one in re.findall(r"-?[\d.]+", numbers)]
        if kind == "h":
            for place in range(int(x), int(x + given[0])):
                drawn[int(y)][place] = 1
            x += given[0]
        else:
            x, y = (given[0], given[1]) if kind == "M" else (x + given[0], y + given[1])
    inner = [row[AROUND : side - AROUND] for row in drawn[AROUND : side - AROUND]]
    assert inner == matrix
    assert sum(map(sum, drawn)) == sum(map(sum, matrix)), "white around it"
