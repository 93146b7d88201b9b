"""Pictures of backward steps held against torch: left ∘ right = result, and what every caption says."""

from __future__ import annotations

import re
from typing import Any

import torch

from tests.support.backward_claims import numbers, same, value


def met(picture: Any, operands: Any) -> Any:
    """The operands brought together by the symbol that is drawn between them."""
    if picture["kind"] == "copy":
        assert picture["symbol"] in ("", "−")
        return -operands[0] if picture["symbol"] else operands[0]
    left, right = operands
    assert picture["symbol"] in {"product": "⊙·", "matmul": "@", "outer": "⊗"}[picture["kind"]]
    if picture["symbol"] == "·":
        assert 1 in (left.numel(), right.numel())
    return {"product": torch.mul, "matmul": torch.matmul, "outer": torch.outer}[picture["kind"]](left * 1, right * 1)


def summed(axes: Any, product: Any) -> Any:
    for axis in sorted(axes, key=lambda axis: -axis["axis"]):
        assert product.shape[axis["axis"]] == axis["size"]
        product = product.sum(axis["axis"], keepdim=axis["keepdim"])
    return product


SLID = {"convolution": "∗", "correlation": "⋆"}


def slid_back(walk: Any, step: Any, scope: Any) -> Any:
    """What autograd makes of the line that slid a kernel, of the two operands that are drawn and of nothing else."""
    picture, through = step["picture"], next(one for one in walk.forward if one["node"] == step["through"])
    local, arrives = (operand["node"] for operand in picture["operands"])
    assert picture["symbol"] == SLID[picture["kind"]]
    assert arrives == step["through"]
    own, other = (walk.variables[name] for name in (step["node"], local))
    given = {name: tensor for name, tensor in scope.items() if name not in (own, other)}
    # only its shape is known of what the gradient is of
    wanted = torch.zeros_like(scope[own]).requires_grad_()
    code = through["code"].partition(" = ")[2]
    with torch.enable_grad():
        made = eval(code, {**given, own: wanted, other: scope[other]})
        return torch.autograd.grad(made, wanted, scope["d" + walk.variables[arrives]])[0]


def _largest(sums: Any) -> float:
    """The largest sum of the terms' sizes: two orders of adding n terms differ by up to 2n · 2⁻⁵³ of it."""
    finite = sums[sums.isfinite()]
    return finite.max().item() if finite.numel() else 0.0


def is_moved(then: Any, before: Any, after: Any) -> Any:
    """Whether the cells did what the word between the last two tensors says."""
    ordered, there = before.reshape(-1).sort().values, after.reshape(-1).sort().values
    if then == "rearrange":
        return same(ordered, there)
    if then == "spread":
        return after.numel() > before.numel() and same(before.broadcast_to(after.shape), after)
    if then == "mask":
        return before.shape == after.shape and bool(((after == 0) | torch.isclose(after, before)).all())
    if then == "pick":
        return all(bool(torch.isclose(ordered, cell).any()) for cell in there)
    if then in ("fill", "replace"):
        return all(bool(torch.isclose(torch.cat([ordered, torch.zeros(1)]), cell).any()) for cell in there)
    assert then == "scatter"
    return torch.allclose(before.sum(), after.sum(), atol=1e-9 * float(before.abs().sum()))


def present(picture: Any) -> Any:
    """The operands of the line itself: what it leaves out is struck through beside them."""
    return [operand for operand in picture["operands"] if operand["role"] != "left out"]


def equation_faults(walk: Any, step: Any, seed: int = 1) -> Any:
    """What in a picture is not as torch has it, whatever gradients arrive."""
    picture = step["picture"]
    scope = walk.scope(step, seed)
    result = scope[walk.target(step)]
    operands = [value(operand["code"], scope) for operand in present(picture)]
    if picture["kind"] == "other":
        return []
    if picture["kind"] in SLID:
        return [] if same(slid_back(walk, step, scope), result) else ["not what slides back to it"]
    if picture["kind"] == "join":
        cells = torch.cat([operand.reshape(-1) for operand in operands]).sort().values
        return [] if same(cells, result.reshape(-1).sort().values) else ["not laid side by side"]
    product = met(picture, operands)
    drawn = picture["product"]
    found = [] if drawn is None or same(value(drawn["code"], scope) * 1.0, product * 1.0) else [f"not {drawn['code']}"]
    if drawn is None and picture["axes"] and (len(operands) > 1 or picture["symbol"]):
        found.append("nothing is drawn that could be summed")
    outcome = summed(picture["axes"], product)
    size = _largest(summed(picture["axes"], (product * 1.0).abs()))
    if walk.broadcasts and not picture["then"]:  # `dx += db`, which takes the shape of dx on the way
        outcome = outcome.broadcast_to(result.shape)
    good = is_moved(picture["then"], outcome, result) if picture["then"] else same(outcome * 1.0, result, size)
    return found if good else [*found, f"left and right don't give the result ({picture['kind']} {picture['then']})"]


def role_faults(walk: Any, step: Any) -> Any:
    """Operands that are not what their captions say."""
    scopes = [walk.scope(step, seed) for seed in (1, 2)]
    gradients = walk.arriving(1)
    found = []
    for operand in step["picture"]["operands"]:
        one, other = (value(operand["code"], scope) for scope in scopes)
        names = set(re.findall(r"\w+", operand["code"])) & set(gradients)
        if operand["role"] == "local" and not same(one, other):
            found.append(f"{operand['code']} depends on what arrives")
        if operand["role"] == "arrives":
            cells = [gradients[name].reshape(-1).sort().values for name in names]
            found += (
                []
                if len(names) == 1 and same(cells[0], one.reshape(-1).sort().values)
                else [f"{operand['code']} does not arrive"]
            )
        if operand["role"] == "upstream" and (len(names) != 1 or (same(one, other) and bool(one.any()))):
            found.append(f"{operand['code']} is no gradient")
    return found


def caption_faults(walk: Any, step: Any) -> Any:
    """Shapes, axis names and numbers that are not the tensors' own."""
    scope = walk.scope(step)
    nodes = {node["name"]: node for node in walk.document["nodes"]}
    lengths = {(dim, size) for node in nodes.values() for dim, size in zip(node["dims"], node["shape"], strict=True)}
    found = []
    drawn = [*step["picture"]["operands"], *([step["picture"]["product"]] if step["picture"]["product"] else [])]
    for part in drawn:
        tensor = value(part["code"], scope)
        if part["shape"] != list(tensor.shape) or len(part["dims"]) != len(part["shape"]):
            found.append(f"{part['code']} has another shape")
        named = {
            (d, s) for d, s in zip(part["dims"], part["shape"], strict=True) if not d.startswith("axis ") and s > 1
        }
        inner = {(d, s) for node in walk.run.plan.graph.nodes for d, s in zip(node.dims, node.shape, strict=True)}
        if not named <= lengths | inner:
            found.append(f"{part['code']} has no such axes: {named - lengths}")
        if part.get("node"):
            held = nodes[part["node"]]
            there = held["value"] if part["which"] == "value" else held["gradient"]["manual"]
            shown, dims = numbers(there), held["dims"]
            found += [] if part["dims"] == dims else [f"{part['code']} has other axes"]
        else:
            shown = numbers(part["tensor"])
        if not same(shown.reshape(tensor.shape) * 1.0, tensor * 1.0):
            found.append(f"{part['code']} has other numbers")
    return found


def arrival_faults(walk: Any, step: Any) -> Any:
    """The gradient that is said to arrive has to be the one that the picture shows."""
    name = step["arrives"]
    if name is None:
        return []
    shown = [operand["code"] for operand in step["picture"]["operands"] if operand["role"] != "local"]
    good = shown and name in walk.run.gradients and all(name in re.findall(r"\w+", code) for code in shown)
    return [] if good else [f"{name} does not arrive in {shown}"]


def picture_faults(walk: Any, step: Any) -> Any:
    """All that is false in the picture of a step."""
    if not step["picture"]:
        return []
    checks = (equation_faults, role_faults, caption_faults, arrival_faults)
    return [fault for check in checks for fault in check(walk, step)]
