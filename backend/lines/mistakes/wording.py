"""What is said of a mistake in a backward line: one sentence for each, wherever it is met."""

from __future__ import annotations

import ast

from backend.engine.language.tree import number
from backend.engine.language.unparse import printed

TAKEN = "`{}` is taken as it arrives: a local derivative is missing."
AVERAGED = "Gradients of several uses are added, not averaged."
REPLACED = "What is used several times receives several gradients; here all but one are lost."
EXPONENT = "The exponent has to drop by one as it comes down in front."
TURNED = "Rows and columns are exchanged."
NO_MINUS, NO_SIGN = "The minus sign is missing.", "Nothing here changes the sign."
WRONG_SIGN = "The sign is wrong."
PLUS, MINUS = "A plus stands where a minus belongs.", "A minus stands where a plus belongs."


def upside_down(factor: ast.expr) -> str:
    """A factor that divides instead of multiplying; of a power it is the exponent that has the wrong sign."""
    match factor:
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent) if number(exponent) is not None:
            return f"The exponent of `{printed(base)}` has the wrong sign."
    return f"`{printed(factor)}` is upside down."


def sign(negative: bool, elsewhere: bool = False) -> str:
    """A flipped sign, where the right line has a minus in front, one `elsewhere`, and none."""
    return NO_MINUS if negative else WRONG_SIGN if elsewhere else NO_SIGN


def missing_sum(target: str, uses: str) -> str:
    """A sum that was left out; `uses` counts the cells it runs over, such as `32` or `3 × 4`."""
    return f"The sum is missing: each of the {uses} uses of `{target}` sends a gradient, and they add up."


def keepdim(target: str, keeps: bool) -> str:
    """A summed axis that went and should stay (`keeps`), or stays and should go."""
    if keeps:
        return f"`keepdim=True` is missing: the summed axis has to stay, with length 1, as `{target}` has it."
    return f"`{target}` has no such axis: without `keepdim=True` the summed one goes."


def wrong_axis(target: str, over: str, instead: str, several: bool) -> str:
    """A sum over another axis, or over one of `several` alone."""
    meant = "all of these are summed" if several else "that axis is summed"
    return f"`{target}` was copied along {over}: {meant}, not {instead}{' alone' if several else ''}."


def overwritten(paths: int) -> str:
    """`=` for `+=`, behind so many paths."""
    return f"`=` throws away what came by {'the path' if paths == 1 else 'the paths'} before."
