"""Pictures of forward steps held against torch: operands and signs, what becomes of them, and every caption."""

from __future__ import annotations

import operator
from typing import Any

import torch

from tests.support.backward_claims import numbers, same, value

# The walk is in float64, where torch's quotient of whole numbers is a float32.
MEETS = {"+": operator.add, "−": operator.sub, "⊙": operator.mul, "·": operator.mul,
         "÷": lambda above, below: above.double() / below, "@": operator.matmul}  # fmt: skip
SPREADS = {"variance": torch.var, "deviation": torch.std}
TIGHT = {"⊙", "·", "÷", "@"}
FOLDS: dict[str, Any] = {
    "Σ": torch.sum, "mean": torch.mean, "max": torch.amax, "min": torch.amin,
    "place of max": lambda x, axes, keepdim: x.argmax(*axes, keepdim=keepdim),
    "place of min": lambda x, axes, keepdim: x.argmin(*axes, keepdim=keepdim),
}  # fmt: skip


def tensors_of(picture: Any) -> list[Any]:
    """Every tensor of a picture but the step's own."""
    made = [picture["met"], *(stage["result"] for stage in picture["stages"])]
    return [*picture["operands"], *(part for part in made if part)]


def met(signs: list[str], operands: list[torch.Tensor]) -> torch.Tensor:
    """The operands brought together as a reader would: products before sums, from left to right."""
    terms: list[tuple[str, torch.Tensor]] = []
    for sign, tensor in zip(signs, operands, strict=True):
        if sign in TIGHT:
            before, product = terms.pop()
            terms.append((before, MEETS[sign](product, tensor)))
        else:
            terms.append((sign, tensor))
    total = torch.zeros(())
    for sign, tensor in terms:
        total = total - tensor if sign == "−" else total + tensor
    return total


def is_moved(runs: list[list[int]], before: torch.Tensor, after: torch.Tensor) -> bool:
    """Whether the runs of cells say where each cell of the outcome was, and none leaves its row."""
    origin, there = before.reshape(-1), after.reshape(-1)
    rows = [shape[-1] if shape else 1 for shape in (before.shape, after.shape)]
    taken = [(start + i, place + i) for start, place, count in runs for i in range(count)]
    broken = [
        run for run in runs if any(at // row != (at + run[2] - 1) // row for at, row in zip(run, rows, strict=False))
    ]
    whole = sorted(place for _, place in taken) == list(range(after.numel()))
    return whole and not broken and all(bool(same(origin[start], there[place])) for start, place in taken)


def stage_faults(stage: Any, before: Any, after: torch.Tensor, scope: dict[str, Any]) -> list[str]:
    """What is not as torch has it between the tensor before a stage and the one after it."""
    if stage["how"] == "move":
        good = not stage["runs"] or is_moved(stage["runs"], before, after)
    elif stage["how"] == "fold":
        axes = [axis["axis"] for axis in stage["axes"]]
        keep = {axis["keepdim"] for axis in stage["axes"]}
        sizes = [axis["size"] for axis in stage["axes"]] == [before.shape[axis] for axis in axes]
        factor = value(stage["factor"] or "1", scope)
        made = folded(stage["words"], before, axes, keep == {True}) if axes else [before]
        good = sizes and len(keep) <= 1 and any(same(one * factor, after * 1.0) for one in made)
    else:
        good = not stage["cellwise"] or is_cellwise(before, after)
        if stage["cellwise"] and "x" in stage["words"].replace("exp", ""):
            good = good and same(value(stage["words"], scope | {"x": before}), after)
    return [] if good else [f"{stage['how']} {stage['words']} gives another tensor"]


def folded(sign: str, before: torch.Tensor, axes: list[int], keepdim: bool) -> list[torch.Tensor]:
    """What a sign may mean: a spread is divided by n - 1 or by n."""
    if sign in SPREADS:
        return [SPREADS[sign](before, axes, correction=k, keepdim=keepdim) for k in (0, 1)]
    if sign == "Π":
        return [
            before.movedim(axes, tuple(range(len(axes))))
            .flatten(0, len(axes) - 1)
            .prod(0)
            .reshape(
                [1 if axis in axes else size for axis, size in enumerate(before.shape) if keepdim or axis not in axes]
            )
        ]
    return [FOLDS[sign](before, axes, keepdim=keepdim) * 1.0]


def is_cellwise(before: torch.Tensor, after: torch.Tensor) -> bool:
    """Whether equal cells before have equal cells after, so that nothing else can have entered."""
    if before.shape != after.shape:
        return False
    known: dict[float, float] = {}
    pairs = zip(before.reshape(-1).tolist(), after.reshape(-1).tolist(), strict=True)
    return all(known.setdefault(x, y) == y or y != y for x, y in pairs)


def forward_faults(walk: Any, step: Any) -> list[str]:
    """All that is false in the picture of a forward step."""
    picture = step["picture"]
    if picture is None:
        return []
    nodes = {node["name"]: node for node in walk.document["nodes"]}
    scope = walk.reading
    result = scope[walk.variables[step["node"]]]
    found = [fault for drawn in tensors_of(picture) for fault in caption_faults(drawn, nodes, scope)]
    operands = [value(drawn["code"], scope) for drawn in picture["operands"]]
    now: Any = None
    if "∗" in picture["signs"]:
        found += slid_faults(step, scope)
    elif "," not in picture["signs"]:
        now = met(picture["signs"], [tensor * 1 if tensor.dtype is torch.bool else tensor for tensor in operands])
    if picture["met"] and not same(now * 1.0, value(picture["met"]["code"], scope) * 1.0):
        found.append(f"the operands do not make {picture['met']['code']}")
    if len(operands) > 1 and "," in picture["signs"] and not picture["stages"]:
        found.append("nothing is said to become of the operands")
    for stage in picture["stages"]:
        after = value(stage["result"]["code"], scope) if stage["result"] else result
        before = operands[0] if now is None else now
        found += stage_faults(stage, before, after, scope)
        now = after
    if not picture["stages"] and not same(now * 1.0, result * 1.0):
        found.append("the operands do not make the result")
    return found


def slid_faults(step: Any, scope: dict[str, Any]) -> list[str]:
    """What `x ∗ w + b` says, and numbers deny: twice as much of either doubles the result, and what is added is added."""
    first, kernel, *added = [drawn["code"] for drawn in step["picture"]["operands"]]
    if step["picture"]["signs"] != ["", "∗", "+"][: 2 + len(added)]:
        return ["other signs than those of a convolution"]
    core = step["code"].partition(" = ")[2]
    bare = scope | {name: torch.zeros_like(scope[name]) for name in added}
    alone = value(core, bare)
    doubled = [value(core, bare | {name: 2 * scope[name]}) for name in (first, kernel)]
    places = [1] * (alone.ndim - scope[first].ndim) + [-1] + [1] * (scope[kernel].ndim - 2)
    whole = alone + scope[added[0]].reshape(places) if added else alone
    good = all(same(one, 2 * alone) for one in doubled) and same(whole, value(core, scope)) and bool(alone.any())
    return [] if good else ["the kernel and what it slides over do not make the result"]


def caption_faults(drawn: Any, nodes: dict[str, Any], scope: dict[str, Any]) -> list[str]:
    """Shape, axes and numbers of a drawn tensor that are not its own."""
    tensor = value(drawn["code"], scope)
    found = []
    if drawn["shape"] != list(tensor.shape) or len(drawn["dims"]) != len(drawn["shape"]):
        found.append(f"{drawn['code']} has another shape")
    shown = nodes[drawn["node"]]["value"] if drawn.get("node") else drawn["tensor"]
    if not same(numbers(shown).reshape(tensor.shape) * 1.0, tensor * 1.0):
        found.append(f"{drawn['code']} has other numbers")
    if drawn.get("node") and drawn["dims"] != nodes[drawn["node"]]["dims"]:
        found.append(f"{drawn['code']} has other axes")
    return found
