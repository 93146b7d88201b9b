"""What a program in the language lacks: of each tensor what its use tells, and a row with which the whole runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import cast

import torch

from backend.engine.encode import Document
from backend.engine.filling.by_name import number_of
from backend.engine.filling.fill import Filled, Plain, fill
from backend.engine.filling.ranges import below
from backend.engine.filling.uses import Use, uses_in
from backend.engine.language.grammar import RESERVED
from backend.engine.language.guard import attempted
from backend.engine.language.parse import parse_around
from backend.engine.language.tree import Fault, loaded_in, stored_in
from backend.lowering.supposed import row_of
from backend.present.found_types import Need
from backend.program.request import Material, make_tensor
from backend.services.guess import Guess, guesses

MOST = 40


def needs_of(material: Material, missing: Sequence[str]) -> list[Need]:
    """What is known of each missing name, in their order, with the row that is proposed for it."""
    names = [name for name in dict.fromkeys(missing) if name.isidentifier() and not name.startswith("_")][:MOST]
    if not names:
        return []
    known = {guess.name: guess for guess in guesses(material, names)}
    proposed = attempted(lambda: Proposal(material, names), None)
    return [need for name in names if (need := _need(name, known.get(name), proposed))]


def _need(name: str, guess: Guess | None, proposed: Proposal | None) -> Need | None:
    row = proposed.rows.get(name) if proposed else None
    if row is None and guess is None:
        return None
    told: Document = (
        guess.document() if guess else {"name": name, "kind": "decimals", "shape": None, "below": None, "fits": []}
    )
    if row is not None and row["role"] == "number":
        told |= {"kind": "number", "shape": None}
    elif row is not None and (guess is None or guess.shape is None or guess.shape == row.get("shape")):
        kind = proposed.kind(name) if proposed else "decimals"
        told |= {"kind": kind, "shape": told["shape"] or row.get("shape"), "below": told["below"] or row.get("high")}
    letters = proposed.letters(name) if proposed else []
    because = guess.because if guess else proposed.because(name) if proposed else ""
    shown = row if row is not None and (row["role"] == "number" or row.get("shape") == told["shape"]) else None
    if row is not None and row["role"] == "number":
        shown = {"values": row["values"]}
    sure = bool(guess and guess.shape)
    return cast(Need, {**told, "because": because, "row": shown, "letters": letters if shown else [], "sure": sure})


class Proposal:
    """A whole table for what is missing, as far as the program comes with it."""

    def __init__(self, material: Material, names: Sequence[str]) -> None:
        program = parse_around(material.source)
        known = {*material.inputs, *material.constants, *names}
        statements = list(_sound(program.statements, known))
        read = set(loaded_in(*statements))
        names = [name for name in names if name in read]  # of what only a faulty line reads nothing is known
        tree = ast.Module(statements, [])
        uses = uses_in(tree)
        numbers = {name: value for name in names if (value := _number(name, uses.get(name, Use()))) is not None}
        tensors = [name for name in names if name not in numbers]
        metas = {
            name: torch.empty(given.shape, dtype=given.dtype, device="meta") for name, given in material.inputs.items()
        }
        scope = {**material.constants, **numbers, **metas}
        given = [size for one in material.inputs.values() for size in one.shape]
        given += [value for value in scope.values() if type(value) is int]
        attempt = Plain(statements, program.pasted, scope, material.loss, material.dtype)
        self.filled: Filled = fill(tensors, attempt, tree, given)
        self.rows = {name: row_of(self.filled.state, name) for name in tensors}
        self.rows |= {name: {"role": "number", "values": value} for name, value in numbers.items()}
        self.range_whole(material, numbers)

    def range_whole(self, material: Material, numbers: dict[str, int | float]) -> None:
        """Whole numbers stay below what the program can pick with."""
        state = self.filled.state
        whole = [name for name in state.slots if state.slots[name].kind == "whole"]
        if not whole or self.filled.refusal is not None:
            return
        made = {name: make_tensor(name, row, material.dtype) for name, row in self.rows.items() if name in state.slots}
        scope = {**material.constants, **numbers, **material.tensors, **made}
        sizes = {size for one in scope.values() if isinstance(one, torch.Tensor) for size in one.shape}
        for name in whole:
            self.rows[name] = row_of(state, name, below(material.source, scope, name, sizes, material.dtype))

    def kind(self, name: str) -> str:
        kind = self.filled.state.slots[name].kind
        return "decimals" if kind == "unit" else kind

    def letters(self, name: str) -> list[str | None]:
        slot = self.filled.state.slots.get(name)
        return [self.filled.letters.get(axis) for axis in slot.axes] if slot else []

    def because(self, name: str) -> str:
        if self.rows[name]["role"] == "number":
            return "A number, by its name and use."
        place = self.filled.state.reasons.get(name)
        return f"So that `{place}` fits." if place else "Nothing in the program decides its shape."


def _sound(statements: Sequence[ast.stmt], known: set[str]) -> Iterator[ast.stmt]:
    """The statements that have no fault and read nothing that a faulty one makes, or nothing gives a value."""
    for one in statements:
        if isinstance(one, Fault) or set(loaded_in(one)) - {*known, *stored_in(one)} - RESERVED:
            known.difference_update(one.names if isinstance(one, Fault) else stored_in(one))
        else:
            known.update(stored_in(one))
            yield one


def _number(name: str, use: Use) -> int | float | None:
    """The value of a name that is a number by its use or by its name."""
    if use.kind or use.axes or (use.least and not use.number):
        return None
    known = number_of(name)
    return (4 if known is None else known) if use.number else known
