"""Code as found as the material of a walk: lowered to chunks, with what it makes and what it lacks in the table."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch
from cachetools import LRUCache

from backend.engine.filling.ranges import below, is_finite, refused
from backend.engine.filling.uses import Use
from backend.engine.language.errors import Refusal, catalogue
from backend.engine.language.guard import guard
from backend.engine.language.values import Parameters
from backend.engine.trace.inputs import Input
from backend.lowering.budget import Exhausted
from backend.lowering.supposed import Supposition, Trials, row_of
from backend.lowering.values import Spec
from backend.program.found import Found, Need
from backend.program.request import Material, make_tensor

MOST_KEPT = 64
# What is refused of a program that is in the language: nothing in it is code as found.
STRICT = frozenset(
    {
        "arguments", "operand-kind",
        "name-unknown", "name-near", "name-of-gradient", "name-of-keyword", "constants-name", "broadcast-mismatch",
        "matmul-mismatch", "shapes-do-not-fit", "operation-fails", "axis-missing", "reshape-mismatch", "view-apart",
        "index-out-of-range", "place-out-of-range", "class-out-of-range", "too-many-indices", "whole-numbers",
        "whole-numbers-wanted", "index-kind", "outside-zero-and-one", "unpack-count", "loss-not-scalar", "loss-unknown",
        "loss-needs-nothing", "no-tensor-assigned", "no-backward-rule", "no-way-back", "function-unknown", "pad-mode",
        "tensor-too-large", "tensor-axes", "memory-budget", "arithmetic-budget", "too-many-steps", "range-too-long",
        "list-too-long", "integer-too-large", "power-too-large", "source-too-long", "character-unseen", "program-empty",
        "nested-too-deep", "string-too-long", "number-fails", "bitwise-decimals", "list-shared",
    }
)  # fmt: skip


# Faults that stand however a text is read, and what merely follows from others.
STANDING = STRICT - {"name-unknown", "name-near", "loss-not-scalar", "no-tensor-assigned", "loss-needs-nothing"}
FOLLOWS = frozenset({"no-tensor-assigned", "loss-needs-nothing"})
# Entries about what is read in code as found: where something stands in its way, they don't say what.
READ = frozenset(
    one
    for one in catalogue()
    if one.startswith(("not-in-language", "import", "expression-alone", "backward-call", "name-"))
) | {"function-unlisted/own", "module-unknown", "call-form"}
# What picks by numbers that may be too large.
PICKS = re.compile(r"(embedding|gather|scatter(_add)?|cross_entropy|nll_loss|index_select|one_hot)\(")
# What not every number has.
OF_POSITIVES = re.compile(
    r"\blog(2|10|1p)?\(|sqrt\(|\*\*(?! ?[23]\b)|pow\(|a(cos|sin|tanh)\(|logit\(|erfinv\(|lgamma\("
)

_kept: LRUCache[Any, Found | Refusal] = LRUCache(MOST_KEPT)


def is_found(material: Material, refusal: Refusal) -> bool:
    """Whether a program that is refused is to be read as code as found: for what it says, or as it has no table."""
    if refusal.__cause__ is not None:  # what nobody foresaw is not called for again
        return False
    faults = [refusal, *refusal.others]
    lacks = any(one.code in ("name-unknown", "name-near") for one in faults)
    strict = all(one.code in STRICT and one.entry != "arguments/keyword" for one in faults)
    return not strict or (lacks and not material.tensors and not any(_is_slip(one, material.source) for one in faults))


def _is_slip(refusal: Refusal, source: str) -> bool:
    """Whether a name that is missing is that of a result which nothing reads, but for a letter."""
    if refusal.code != "name-near":
        return False
    return len(re.findall(rf"\b{refusal.facts['near']}\b", source)) == 1


def lowered(material: Material, refused: Refusal) -> Material:
    """The material of the program that code as found stands for; raises Refusal, at a place of the pasted text.

    `refused` is what the language says of the text: faults that stand however it is read are told with the others.
    """
    key = _key(material)
    known = _kept.get(key)
    if known is None:
        try:
            with guard():
                known = _found(material)
        except Refusal as refusal:
            known = _joined(refusal, refused)
        _kept[key] = known
    if isinstance(known, Refusal):
        raise known
    _check_as_written(material, known)
    return _material(material, known)


def _joined(refusal: Refusal, plain: Refusal) -> Refusal:
    """All faults in the order of the text: of code as found, and what the language says of a line more closely."""
    found = [one for one in (refusal, *refusal.others) if one.code not in FOLLOWS]
    if isinstance(refusal, Exhausted):  # what a line says more closely was never looked at
        return refusal
    # the last line itself has a name that nothing gives, as `y = z`, or is an import
    named = plain.code.startswith(("name-", "import")) and _line(plain) == _line(refusal)
    if refusal.code == "syntax" or (not found and (named or plain.entry not in READ)):
        return plain
    if not found:  # it was read to its end, and nothing of it is a tensor: what the language hasn't got is no reason
        refusal.others = []
        return refusal
    lines = {_line(one) for one in found}
    closer = [
        one for one in (plain, *plain.others) if one.entry not in READ and (one.code in STANDING or _line(one) in lines)
    ]
    told = {_line(one) for one in closer}
    first, *others = sorted([*(one for one in found if _line(one) not in told), *closer], key=_place)
    for one in others:
        one.others = []
    first.others, first.needs = others, []
    return first


def _line(refusal: Refusal) -> int:
    return int((refusal.where or {}).get("line", 0))


def _place(refusal: Refusal) -> tuple[int, int]:
    return _line(refusal), int((refusal.where or {}).get("column", 0))


def _check_as_written(material: Material, found: Found) -> None:
    """What is not to be rewritten is refused, as far as it would have been."""
    for note in found.lowered.notes:
        if (note.line, note.column) in material.as_written:
            spot = ast.Pass(lineno=note.line, col_offset=note.column - 1)
            spot.end_lineno, spot.end_col_offset = note.end_line, note.end_column - 1
            raise Refusal("found-as-written", found=note.text, at=spot).locate(spot, material.source)


def _key(material: Material) -> tuple[Any, ...]:
    digest = hashlib.sha256()
    for name, tensor in material.tensors.items():
        digest.update(f"{name} {tuple(tensor.shape)} {tensor.dtype} {material.inputs[name].role}".encode())
        digest.update(tensor.numpy().tobytes())
    constants = tuple((name, repr(value)) for name, value in material.constants.items())
    return material.source, digest.digest(), constants, material.loss, material.dtype


def _found(material: Material) -> Found:
    trials = Trials(material.source, material.tensors, material.constants, material.loss, material.dtype)
    supposed = _finite(material, trials, _in_range(material, trials, trials.run()))
    needs = _needs(trials, supposed, _ranged(material, supposed))
    rows = {path: dict(need.row) for row, need in zip(supposed.lowered.needs, needs, strict=True)
            if (path := _path(row, supposed))}  # fmt: skip
    if (settled := trials.with_rows(supposed, rows)) is not None:
        supposed, needs = settled, _needs(trials, settled, rows)
    given = {one.role for one in material.inputs.values()}
    made = {str(row["role"]) for row in supposed.lowered.lifted.values()} | {need.row["role"] for need in needs}
    if not (given | made) & {"parameter", "data"}:
        needs = [_with_gradient(need) for need in needs]
    return Found(material.source, supposed.lowered, tuple(needs))


def _needs(trials: Trials, supposed: Supposition, ranged: Mapping[str, Spec]) -> list[Need]:
    needs = [_need(row, supposed, ranged) for row in supposed.lowered.needs]
    return [_held(need) if trials.uses.get(need.name, Use()).held else need for need in needs]


def _held(need: Need) -> Need:
    """A tensor for which PyTorch has no gradient, held fixed; below one, as weights of classes are."""
    is_decimals = need.row.get("init") in ("randn", "rand")
    row = {name: value for name, value in need.row.items() if name != "scale"}
    return replace(need, row={**row, "role": "constant", "init": "rand"}) if is_decimals else need


def _with_gradient(need: Need) -> Need:
    """A tensor of decimals as data, where nothing else gets a gradient."""
    is_decimals = need.row.get("init") in ("randn", "rand")
    return replace(need, row={**need.row, "role": "data"}) if is_decimals else need


def _need(row: Mapping[str, Any], supposed: Supposition, ranged: Mapping[str, Spec]) -> Need:
    name = str(row["name"])
    path = _path(row, supposed)
    if path is None:
        return Need(name, {"role": "number", "values": row["values"]}, (), "A number, by its name.", False)
    slot = supposed.state.slots[path]
    letters = tuple(supposed.letters.get(axis) for axis in slot.axes)
    place = supposed.state.reasons.get(path)
    fits = "So that its layers fit." if (place or "").startswith("class ") else f"So that `{place}` fits."
    because = fits if place else "Nothing in the code decides its shape."
    made = ranged.get(path) or row_of(supposed.state, path)
    if row.get("made_by"):
        because = f"What `{row['made_by']}` returns, which isn't in the code. {because}"
        is_weight = made["role"] == "parameter"
        made = {**{key: one for key, one in made.items() if key != "scale"}, "role": "data"} if is_weight else made
    return Need(name, made, letters, because, False)


def _path(row: Mapping[str, Any], supposed: Supposition) -> str | None:
    """The path by which the code has a tensor that was missing; None for a number."""
    path = str(row["path"])
    return path if path in supposed.state.slots and row.get("role") != "number" else None


def _ranged(material: Material, supposed: Supposition) -> dict[str, Spec]:
    """The rows of whole numbers, below what the program can pick with."""
    state = supposed.state
    whole = {row["name"]: path for row in supposed.lowered.needs
             if (path := _path(row, supposed)) and state.slots[path].kind == "whole"}  # fmt: skip
    if not whole:
        return {}
    scope = _scope(material, supposed)
    sizes = {size for tensor in scope.values() if isinstance(tensor, torch.Tensor) for size in tensor.shape}
    return {
        path: row_of(state, path, below(supposed.lowered.source, scope, name, sizes, material.dtype))
        for name, path in whole.items()
    }


def _scope(material: Material, supposed: Supposition) -> Parameters:
    """All that the program that was found reads, by its names."""
    made = {name: _make(name, row, material) for name, row in supposed.lowered.lifted.items()}
    return {**material.constants, **supposed.lowered.numbers, **material.tensors, **made}


def _in_range(material: Material, trials: Trials, supposed: Supposition) -> Supposition:
    """The same with other numbers, where those of the table pick what isn't there: shapes alone don't tell that."""
    if not PICKS.search(supposed.lowered.source) or not _picks_beyond(material, supposed):
        return supposed
    others = (one for one in trials.with_other_picks(supposed) if not _picks_beyond(material, one))
    return next(others, supposed)


def _finite(material: Material, trials: Trials, supposed: Supposition) -> Supposition:
    """The same with shares, from 0 to 1, where decimals of either sign have no logarithm or root."""
    if not OF_POSITIVES.search(supposed.lowered.source) or _is_finite(material, supposed):
        return supposed
    return next((one for one in trials.with_shares(supposed) if _is_finite(material, one)), supposed)


def _is_finite(material: Material, supposed: Supposition) -> bool:
    lowered = supposed.lowered
    return is_finite(lowered.source, _scope(material, supposed), lowered.loss, material.dtype)


def _picks_beyond(material: Material, supposed: Supposition) -> bool:
    refusal = refused(supposed.lowered.source, _scope(material, supposed), material.dtype)
    return refusal is not None and refusal.code in ("place-out-of-range", "class-out-of-range")


def _make(name: str, row: Spec, material: Material) -> torch.Tensor:
    return make_tensor(name, row, material.dtype)


def _material(material: Material, found: Found) -> Material:
    """What is walked: the given tensors, those that the code makes, and those that were missing."""
    rows = {name: row for name, row in found.lowered.lifted.items() if name not in material.tensors}
    seeds = {name: row["seed"] for name, row in rows.items() if "seed" in row}
    for need in found.needs:
        if need.name in rows and need.row["role"] != "number":
            rows[need.name] = {**need.row, **({"seed": seeds[need.name]} if "init" in need.row else {})}
    made = {name: _make(name, row, material) for name, row in rows.items()}
    inputs = {name: Input(rows[name]["role"], tuple(one.shape), one.dtype) for name, one in made.items()}
    return replace(
        material,
        source=found.lowered.source,
        tensors={**material.tensors, **made},
        inputs={**material.inputs, **inputs},
        constants={**material.constants, **found.lowered.numbers},
        loss=found.lowered.loss,
        found=found,
    )
