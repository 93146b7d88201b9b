"""What the library's text asks for, and no code as found: weights, layers in layers, copies."""

from __future__ import annotations

import copy
from typing import Any

from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal
from backend.lowering.first_use import decimals
from backend.lowering.use import Act, Use
from backend.lowering.values import Instance, Leaf, Tensor, Unknown


def _uniform_parameter(use: Use) -> Any:
    bound = 1 / max(float(use.machine.whole(use.args[1])), 1.0) ** 0.5
    return use.machine.leaf(
        {"role": "parameter", "init": "rand", "scale": 2 * bound, "shift": -bound}, use.args[0], use.node
    )


def _normal_parameter(use: Use) -> Any:
    return use.machine.leaf({"role": "parameter", "init": "randn"}, use.args[0], use.node)


def _filled_parameter(use: Use) -> Any:
    value = float(use.machine.whole(use.args[1]))
    spec = {"role": "parameter", "init": "zeros" if value == 0 else "ones"}
    return use.machine.leaf(spec if value in (0, 1) else {**spec, "scale": value}, use.args[0], use.node)


def _dropped_out(use: Use) -> Any:
    use.machine.notes.add("dropout", use.machine.place)
    return use.args[0]


def parameters_of(one: Instance, seen: list[Any] | None = None) -> list[tuple[str, Leaf]]:
    """The parameters of an object and of those in it, with their names."""
    seen = [] if seen is None else seen
    if one in seen or len(seen) > 500:
        return []
    seen.append(one)
    found: list[tuple[str, Leaf]] = []
    for name, value in one.attributes.items():
        if isinstance(value, Leaf) and value.spec.get("role") == "parameter":
            found.append((name, value))
        elif isinstance(value, Instance):
            found += [(f"{name}.{inner}", leaf) for inner, leaf in parameters_of(value, seen)]
    return found


def _as_buffer(use: Use) -> Any:
    """A tensor that no gradient flows to, where the code draws it."""
    if isinstance(use.args[0], Leaf) and not use.args[0].is_settled:
        use.args[0].spec["role"] = "constant"
    return use.args[0]


def _parameters(use: Use) -> list[Any]:
    return [leaf for _, leaf in parameters_of(use.args[0])]


def _named_parameters(use: Use) -> list[Any]:
    return parameters_of(use.args[0])


def _buffers(use: Use) -> list[Any]:
    """The tensors of an object that are no weights."""
    found = [one for one in use.args[0].attributes.values() if isinstance(one, Tensor)]
    return [one for one in found if not isinstance(one, Leaf) or one.spec.get("role") != "parameter"]


def _children(use: Use) -> list[Any]:
    return [value for value in use.args[0].attributes.values() if isinstance(value, Instance)]


def _named_children(use: Use) -> list[Any]:
    return [(name, value) for name, value in use.args[0].attributes.items() if isinstance(value, Instance)]


def _modules(use: Use) -> list[Any]:
    found = [use.args[0]]
    for one in found:
        if len(found) > 500:
            break
        found += [value for value in one.attributes.values() if isinstance(value, Instance) and value not in found]
    return found


def copied_object(one: Any, use: Use) -> Any:
    """A copy of an object with all that is in it, as `copy.deepcopy` makes one; each part is a step."""
    use.machine.budget.step(use.node)
    if isinstance(one, Instance):
        made = Instance(one.of)
        for name, value in one.attributes.items():
            made.attributes[name] = inner = copied_object(value, use)
            if isinstance(inner, Instance | Leaf) and inner is not value:
                inner.owner, inner.name = made, name
        if isinstance(made.attributes.get("items"), list):
            made.attributes["items"] = [
                made.attributes.get(str(n), value) for n, value in enumerate(one.attributes["items"])
            ]
        return made
    if isinstance(one, Leaf) and not one.is_settled:
        made_leaf = copy.copy(one)
        made_leaf.owner = None
        return made_leaf
    if isinstance(one, list):
        return [copied_object(part, use) for part in one]
    return {key: copied_object(part, use) for key, part in one.items()} if isinstance(one, dict) else one


def _named_after(use: Use) -> Any:
    """What one of several layers in a row returns, by that layer's own name."""
    value, layer = use.args
    if use.machine.is_fresh(value) and isinstance(layer, Instance):
        use.machine.name_it(value, "_".join(layer.path()) or "h")
    return value


def _checked_state(use: Use) -> None:
    """The state that a recurrent layer begins with has one shape: axes that would broadcast are refused."""
    state, wanted = use.args[0], tuple(use.machine.sizes(use.args[1], use.node))
    if isinstance(state, Unknown):
        state = use.machine.tensor_of(state, decimals(wanted))
    given = tuple(state.shape) if isinstance(state, Tensor) else wanted
    if given != wanted:
        told: Any = next(({"m": m, "n": n} for m, n in zip(given, wanted, strict=False) if m != n), {})
        shapes = f"{shape_text(given)} and {shape_text(wanted)}"
        raise Refusal("shapes-do-not-fit", name="the first state", shapes=shapes, at=use.node, **told)


def _checked_axes(use: Use) -> None:
    """Sequences that attend to each other are all batched, or none of them is."""
    given = [use.machine.tensor_of(one) if isinstance(one, Unknown) else one for one in use.args]
    shapes = [tuple(one.shape) for one in given if isinstance(one, Tensor)]
    if len({*map(len, shapes)}) > 1:
        told = " and ".join(map(shape_text, dict.fromkeys(shapes)))
        raise Refusal("shapes-do-not-fit", name="nn.MultiheadAttention", shapes=told, at=use.node)


def _copy(use: Use) -> Any:
    return copied_object(use.args[0], use)


OF_LIBRARY: dict[str, Act] = {
    "uniform_parameter": _uniform_parameter, "normal_parameter": _normal_parameter,
    "filled_parameter": _filled_parameter, "dropped_out": _dropped_out, "list_parameters": _parameters,
    "list_named_parameters": _named_parameters, "list_children": _children, "list_named_children": _named_children,
    "list_modules": _modules, "list_buffers": _buffers, "copy_of": _copy, "as_buffer": _as_buffer,
    "named_after": _named_after, "checked_state": _checked_state, "checked_axes": _checked_axes,
}  # fmt: skip
