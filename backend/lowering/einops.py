"""`rearrange`, `reduce` and `repeat` of einops as changes of shape; their patterns are read, never evaluated."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.values import Parameters
from backend.lowering.values import Method, Path, Tensor, Unknown, bare

Axes = list[list[str]]
MOST_AXES = 12


def equation(pattern: str) -> str:
    """An equation of einops with words for axes as one of torch, with letters."""
    letters: dict[str, str] = {}
    made = []
    for word in re.findall(r"\.\.\.|->|,|\w+", pattern):
        if word in ("...", "->", ","):
            made.append(word)
        else:
            made.append(letters.setdefault(word, "abcdefghijklmnopqrstuvwxyz"[len(letters) % 26]))
    return "".join(made)


def rewritten(machine: Any, name: str, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
    """One use of einops."""
    x, pattern = args[0], args[1]
    if isinstance(x, Unknown):
        x = machine.tensor_of(x)
    if isinstance(x, list):
        x = machine.called(Path("torch.stack"), [x], {}, node)
    if not isinstance(x, Tensor) or not isinstance(pattern, str) or "->" not in pattern:
        raise Refusal("found-einops", at=node)
    left, right = (_axes(side, node) for side in pattern.split("->"))
    left, right = _without_dots(left, right, len(x.shape))
    given = {key: bare(machine.whole(value)) for key, value in kwargs.items() if key != "reduction"}
    sizes = _sizes(left, x.shape, given, node)
    flat = [one for group in left for one in group]
    wanted = [one for group in right for one in group]
    made = _split(machine, x, left, sizes, node)
    how = args[2] if len(args) > 2 else kwargs.get("reduction", "mean") if name == "reduce" else None
    made, flat = _narrowed(machine, made, (flat, wanted, sizes), how, node)
    made, flat = _widened(machine, made, flat, wanted, sizes, node)
    order = [flat.index(one) for one in wanted]
    if order != sorted(order):
        made = _turned(machine, made, order, node)
    shape = [math.prod(sizes[one] for one in group) for group in right]
    return made if shape == list(made.shape) else machine.called(Method(made, "reshape"), [tuple(shape)], {}, node)


def _narrowed(
    machine: Any, made: Any, axes: tuple[list[str], list[str], dict[str, int]], how: Any, node: ast.expr
) -> tuple[Any, list[str]]:
    """Without the axes that are gone on the right: reduced, or of length 1."""
    flat, wanted, sizes = axes
    gone = [one for one in flat if one not in wanted]
    if not gone:
        return made, flat
    if isinstance(how, str):
        places = tuple(flat.index(one) for one in gone)
        made = machine.called(Method(made, {"max": "amax", "min": "amin"}.get(how, how)), [places], {}, node)
        return made, [one for one in flat if one not in gone]
    if any(sizes[one] != 1 for one in gone):
        raise Refusal("found-einops", at=node)
    for one in gone:
        made = machine.called(Method(made, "squeeze"), [flat.index(one)], {}, node)
        flat = [other for other in flat if other != one]
    return made, flat


def _turned(machine: Any, made: Any, order: list[int], node: ast.expr) -> Any:
    moved = [place for place, axis in enumerate(order) if place != axis]
    if len(moved) == 2:
        return machine.called(Method(made, "transpose"), moved, {}, node)
    return machine.called(Method(made, "permute"), list(order), {}, node)


def _axes(side: str, node: ast.expr) -> Axes:
    found: Axes = []
    for group in re.findall(r"\(([^()]*)\)|(\.\.\.|\w+)", side):
        found.append(group[0].split() if not group[1] else [group[1]])
        if group == ("", ""):
            found[-1] = []
    named = [[f"#{n}" if one == "1" else one for one in group] for n, group in enumerate(found)]
    if len(named) > MOST_AXES or sum(map(len, named)) > MOST_AXES:
        raise Refusal("found-einops", at=node)
    return [[] if group and group[0].startswith("#") and side.strip() and len(group) == 1 else group for group in named]


def _without_dots(left: Axes, right: Axes, axes: int) -> tuple[Axes, Axes]:
    """Axes by name in the place of `...`."""
    count = axes - len(left) + 1
    names = [[f"dots{n}"] for n in range(max(count, 0))]

    def opened(side: Axes) -> Axes:
        made: Axes = []
        for group in side:
            if group == ["..."]:
                made += names
            else:
                made.append([one for part in group for one in ([n[0] for n in names] if part == "..." else [part])])
        return made

    return opened(left), opened(right)


def _sizes(left: Axes, shape: tuple[int, ...], given: Parameters, node: ast.expr) -> dict[str, int]:
    sizes: Parameters = dict(given)
    if len(left) != len(shape):
        raise Refusal("found-einops/axes", found=len(shape), wanted=len(left), at=node)
    for group, size in zip(left, shape, strict=True):
        missing = [one for one in group if type(sizes.get(one)) is not int]
        known = math.prod(int(sizes[one]) for one in group if one not in missing)
        if len(missing) > 1:
            raise Refusal("found-einops", at=node)
        if known == 0 or size % known or (not missing and known != size):
            told = {"m": size, "divisor": known}  # by which it is to be divided
            raise Refusal("reshape-mismatch", shape=str(shape), count=math.prod(shape), at=node, **told)
        if missing:
            sizes[missing[0]] = size // known
    if not all(isinstance(size, int) for size in sizes.values()):
        raise Refusal("found-einops", at=node)
    return sizes


def _split(machine: Any, x: Any, left: Axes, sizes: dict[str, int], node: ast.expr) -> Any:
    shape = [sizes[one] for group in left for one in group]
    return x if shape == list(x.shape) else machine.called(Method(x, "reshape"), [tuple(shape)], {}, node)


def _widened(
    machine: Any, made: Any, flat: list[str], wanted: list[str], sizes: dict[str, int], node: ast.expr
) -> tuple[Any, list[str]]:
    """New axes of `repeat`."""
    fresh = [one for one in wanted if one not in flat]
    if not fresh:
        return made, flat
    if any(one not in sizes for one in fresh):
        raise Refusal("found-einops", at=node)
    for place, one in enumerate(wanted):
        if one in fresh:
            ahead = [other for other in wanted[:place] if other in flat]
            at = max((flat.index(other) for other in ahead), default=-1) + 1
            made = machine.called(Method(made, "unsqueeze"), [at], {}, node)
            flat = [*flat[:at], one, *flat[at:]]
    made = machine.called(Method(made, "expand"), [tuple(sizes[one] for one in flat)], {}, node)
    return made, flat
