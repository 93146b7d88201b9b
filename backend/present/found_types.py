"""What is told of code as found: how it became the program that is walked, and what was missing from its table."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict


class Need(TypedDict):
    """What is known of a tensor, or of a number, that a program lacks."""

    name: str
    kind: Literal["decimals", "whole", "mask", "number"]
    shape: Annotated[list[int] | None, "one that runs; null where a choice would be arbitrary"]
    below: Annotated[int | None, "whole numbers are from 0 to this, the end left out"]
    fits: Annotated[list[list[int | None]], "what would run, with null for an axis of any length"]
    because: str
    row: Annotated[dict[str, object] | None, "as a request's table has it; of a number its `values` alone"]
    letters: Annotated[list[str | None], "of each axis the letter that its length goes by; axes with one are alike"]
    sure: Annotated[bool, "nothing else would do"]


class FoundNote(TypedDict):
    """A remark on how a place of the code was read; columns count from 1, `end_column` is the one after it."""

    code: str
    text: str
    line: int
    column: int
    end_line: int
    end_column: int


class FoundGroup(TypedDict):
    """The lines that one layer, function or loop of the code became, the last included."""

    name: Annotated[str, "as the code calls it, such as `attn.c_proj`"]
    title: Annotated[str, "what it is, such as `CausalSelfAttention`"]
    first: int
    last: int
    groups: list[FoundGroup]


class FoundPlace(TypedDict):
    """Which lines of the code a line of the program comes from."""

    line: int
    first: int
    last: int


class Found(TypedDict):
    """How code as found became the program that is walked."""

    source: Annotated[str, "the program"]
    loss: str
    notes: list[FoundNote]
    places: list[FoundPlace]
    groups: list[FoundGroup]
    labels: Annotated[dict[str, str], "what the code calls a variable of the program: `fc1.weight` for `fc1_weight`"]
    lifted: Annotated[dict[str, dict[str, object]], "rows of the table that the code makes itself"]
    constants: dict[str, int | float]
    needs: Annotated[list[Need], "what neither the table nor the code gives, each with what is supposed of it"]
    sizes: Annotated[dict[str, int], "the lengths that were supposed, by their letters"]
