"""Answers that people write: the right one is among them, and slips that differ from it."""

import pytest

from app.site import tried


@pytest.mark.parametrize(
    ("shown", "right", "slips"),
    [
        ("<code>(M * dZ).sum()</code>", "(M * dZ).sum()", {"(M * dZ)", "(M / dZ).sum()", "(M * dZ).mean()", "M", "dZ"}),
        ("<code>dZ.sum(1, keepdim=True)</code>", "dZ.sum(1, keepdim=True)", {"dZ.sum(0, keepdim=True)", "dZ.sum(1)"}),
        ("<code>((h2 &gt; 0) * dh2).sum(0)</code>", "((h2 > 0) * dh2).sum(0)", {"((h2 > 0) * dh2)"}),
        ("<code>(32, 30)</code>", "(32, 30)", {"(30, 32)", "(30,)", "(1, 30)"}),
        ('<span data-expression="-1/n">−0.0313</span>', "-0.0313", {"-1/n", "0.0313", "-0.313"}),
        ("<code>dS.T @ Q</code>", "dS.T @ Q", {"Q @ dS.T", "dS @ Q"}),
    ],
)
def test_the_right_answer_comes_first_and_then_its_slips(shown: str, right: str, slips: set[str]) -> None:
    found = tried.of_quiz(shown)
    assert found[0] == right
    assert slips <= set(found)
    assert len(found) == len(set(found)) <= tried.MOST


def test_a_line_keeps_its_beginning() -> None:
    found = tried.of_line("dw = (X * dY).sum(0, keepdim=True)")
    assert all(one.startswith("dw = ") for one in found)
    assert {"dw = (X * dY).sum(0)", "dw = (X * dY)", "dw = (dY).sum(0, keepdim=True)"} <= set(found)
