"""What names the groups of a program: its comments, and where it has none its loops and blank lines."""

import pytest

from backend.engine.language.parse import parse


@pytest.mark.parametrize(
    ("source", "headings"),
    [
        ("a = x * 2\n# Sum\nb = a + x", {2: "Sum"}),
        ("a = x * 2\nb = a + x\nloss = b.sum()", {}),
        ("a = x * 2\nb = a + x\n\nloss = b.sum()", {1: "a … b", 4: "loss"}),
        ("\n\na = x * 2\n\n\n\nb = a + x\n", {3: "a", 7: "b"}),
        ("h = x\nfor t in range(3):\n    h = h * w\n\n    h = h + x\nloss = h.sum()", {
            1: "h", 2: "for t in range(3)", 6: "loss",
        }),
        ("for t in range(2):  # twice\n    h = x * w\nfor t in range(3):\n    h = h + x\nloss = h.sum()", {
            1: "for t in range(2)", 3: "for t in range(3)", 5: "loss",
        }),
        ("a, b = x.chunk(2)\nc = a + b\n\nloss = c.sum()", {1: "a … c", 4: "loss"}),
        ("a = (x *\n\n     2)\nloss = a.sum()", {}),
    ],
    ids=["comments", "one part", "blank line", "blank lines around", "loop", "two loops", "tuple", "inside brackets"],
)  # fmt: skip
def test_a_program_groups_itself(source: str, headings: dict[int, str]) -> None:
    assert parse(source).headings == headings
