"""The part of the Walk's schema that is asked before a step: questions, their choices, and the ways to multiply.

`backend/present/schema.py` is where all of the Walk's types are read from; this module only keeps it short.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict


class Candidate(TypedDict):
    """One way to multiply the two matrices of a step."""

    code: str
    left: list[int]
    right: list[int]
    result: list[int] | None
    fits: Annotated[bool, "the result has the shape that is needed"]
    own: Annotated[bool, "it is the line's own product"]
    why: str


class Choice(TypedDict):
    """One answer to a question; each gives other numbers than the others, or another shape."""

    code: Annotated[str, "in the program's own names; empty where the choice is said in words"]
    words: str
    shape: Annotated[list[int] | None, "of what it computes; null where Python stops instead"]
    why: Annotated[str, "what is wrong with it and what comes of that; empty for the right one"]


class Question(TypedDict):
    """What to predict before a step is shown."""

    kind: Annotated[
        Literal["factor", "constant", "sign", "sum", "accumulate", "product", "repeats"],
        "factor, constant, sign: what multiplies the upstream gradient; sum: over which axis, and whether it is kept; "
        "accumulate: `=` or `+=`; product: which order and transposes; repeats: what becomes of a row picked again",
    ]
    prompt: str
    choices: list[Choice]
    answer: Annotated[int, "which of the choices, from 0"]
