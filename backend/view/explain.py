"""Each step in sentences: what it is for, what arrives, the local derivative, sums over copies, second paths."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any

from backend.differentiate import Hop, Line
from backend.graph import Graph, Node
from backend.lessons.base import Instead
from backend.ops.arithmetic import Add, Div, Mul, Neg, Pow, Sub
from backend.ops.base import expression
from backend.ops.create import Stop
from backend.ops.reduce import reduced_axes
from backend.ops.stretch import Expand, Rearranged, stretched_axes
from backend.printing import printed
from backend.symbolic import filled, names_in
from backend.wording import filled_in, listed, plural

Item = dict[str, str]
# How often a thing is said in full before it shrinks, and how many words a step may have in all.
IN_FULL, MOST_WORDS = 3, 60
ONE_NAME = 4
PLAIN = (Neg, Sub, Mul, Div)
ARITHMETIC = (*PLAIN, Add, Pow)


def shown(shape: tuple[int, ...]) -> str:
    """A shape as Python writes it; a scalar in words."""
    return str(shape) if shape else "a single number"


def code(node: Node) -> str:
    """A tensor as the reader wrote it."""
    return f"`{printed(node.expr)}`"


def axis_name(axis: int, name: str) -> str:
    """`axis 0 (example)`; an axis without a name is `axis 0`."""
    return f"axis {axis}" if name.startswith("axis ") else f"axis {axis} ({name})"


def words_in(text: str) -> int:
    """How many words a sentence has; a piece of code counts as one."""
    parts = text.split("`")
    return len(" ".join("code" if number % 2 else part for number, part in enumerate(parts)).split())


def axes_of(expand: Node) -> list[dict[str, Any]]:
    """The axes along which an Expand node copies, with names and the reason in words."""
    source = expand.inputs["x"]
    return [
        {
            "axis": axis,
            "name": expand.dims[axis],
            "size": expand.shape[axis],
            "keepdim": keep,
            "why": f"{code(source)} was copied to {_each_of(expand, [axis])}",
        }
        for axis, keep in stretched_axes(source.shape, expand.shape)
    ]


def _each_of(expand: Node, axes: list[int]) -> str:
    """`each of the 32 examples`; an axis of length 1 has one."""
    counted = [plural(expand.dims[axis], expand.shape[axis]) for axis in axes]
    many = any(expand.shape[axis] != 1 for axis in axes)
    return f"{'each of the ' if many else ''}{' and '.join(counted)}"


def _all_of(expand: Node, axes: list[int]) -> str:
    """`all 32 examples`."""
    return _each_of(expand, axes).replace("each of the", "all")


def words_of(node: Node, arrives: ast.expr | None = None) -> dict[str, ast.expr]:
    """The words of an operation's templates as the reader's own code."""
    given = {key: ast.Constant(value) for key, value in node.parameters.items() if isinstance(value, int | float)}
    derived = {key: expression(text) for key, text in _facts(node).items()}
    words = given | derived | node.words | {key: source.expr for key, source in node.inputs.items()}
    words |= {"out": node.expr, "it": node.written}
    return words | ({"g": arrives} if arrives is not None else {})


def _facts(node: Node) -> dict[str, str]:
    assert node.op is not None
    return node.op.facts(node.call)


def phrases_of(node: Node) -> dict[str, str]:
    """What templates say in plain words: the axes of a reduction, rows and columns of a product, a mean or a sum."""
    sources = list(node.inputs.values())
    reduced = REDUCED.get(node.parameters.get("reduction", ""), "")
    cellwise = ", cell by cell" if node.shape else ""
    return {"reduced": reduced, "cellwise": cellwise, **_facts(node), **_axes_said(node, sources), **_sides_said(node)}


REDUCED = {"mean": ", averaged", "sum": ", added up", "batchmean": ", added up and divided by the batch size"}


def _axes_said(node: Node, sources: list[Node]) -> dict[str, str]:
    source, dim = sources[0] if sources else None, node.parameters.get("dim")
    whole = {"over": "over all cells", "along": "to every cell", "row": "row"}
    if source is None or not source.shape or not _is_axes(dim):
        return whole
    axes = reduced_axes(source.shape, dim)
    row = "row" if axes == (len(source.shape) - 1,) else "slice"
    if dim is None or len(axes) == len(source.shape):
        return whole | {"row": row}
    named = listed([axis_name(axis, source.dims[axis] or f"axis {axis}") for axis in axes])
    return {"over": f"over {named}", "along": f"along {named}", "row": row}


def _sides_said(node: Node) -> dict[str, str]:
    """How many columns a row of a product has, and how many rows there are."""
    if len(node.shape) != 2:
        return {}
    (rows, columns), names = node.shape, node.dims or ["axis 0", "axis 1"]
    row, column = ("" if name.startswith("axis ") else name for name in (n or "axis " for n in names))
    return {
        "rows": f"each of the {plural(row or 'row', rows)}" if rows != 1 else "the one row",
        "columns": f"all {plural(column or 'column', columns)}" if columns != 1 else "the one column",
    }


def _is_axes(dim: Any) -> bool:
    return dim is None or isinstance(dim, int) or all(isinstance(axis, int) for axis in dim)


def forward_story(primitives: list[Node], lesson: str = "") -> tuple[list[Item], list[dict[str, Any]]]:
    """Sentences for a forward step, and its broadcasts; what a lesson tells stands for what the operations do."""
    items: list[Item] = [{"kind": "lesson", "text": lesson}] if lesson else []
    broadcasts = []
    told = [] if lesson else _worth_telling(primitives)
    for node in _leading_to(primitives[-1], primitives):
        if node.op is Expand:
            axes = axes_of(node)
            text = _stretched(node)
            broadcasts.append({"input": printed(node.inputs["x"].expr), "axes": axes, "text": text})
            items.append({"kind": "broadcast", "text": text})
        elif node in told:
            items.append({"kind": "local", "text": forward_sentence(node)})
    return _within(items), broadcasts


def _worth_telling(primitives: list[Node]) -> list[Node]:
    """The operations that a line is about: its arithmetic only where there is nothing else in it."""
    used = [node for node in _leading_to(primitives[-1], primitives) if node.op is not Expand]
    special = [node for node in used if node.op and not issubclass(node.op, (*ARITHMETIC, Stop))]
    return special or used[-1:]


def _leading_to(result: Node, primitives: list[Node]) -> list[Node]:
    """Those operations whose numbers go into a result: not the places of a maximum whose values alone are used."""
    reached = {result}
    for node in reversed(primitives):
        reached |= set(_read_by(node)) if node in reached else set()
    return [node for node in primitives if node in reached]


def _read_by(node: Node) -> list[Node]:
    return list(_nodes_in([*node.inputs.values(), *node.parameters.values()]))


def _nodes_in(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    for part in value if isinstance(value, tuple | list) else ():
        yield from _nodes_in(part)


def forward_sentence(node: Node) -> str:
    """What one operation computes."""
    assert node.op is not None
    return filled_in(node.op.tells(node.call), words_of(node), phrases_of(node))


def _stretched(expand: Node) -> str:
    source = expand.inputs["x"]
    if not source.shape:
        return f"{code(source)} is a single number, copied into every cell of shape {shown(expand.shape)}."
    axes = [axis for axis, _ in stretched_axes(source.shape, expand.shape)]
    if not axes:
        return f"{code(source)} has shape {shown(expand.shape)} already."
    return f"{code(source)} {shown(source.shape)} is copied to {_each_of(expand, axes)} to match {shown(expand.shape)}."


class Story:
    """Tells the backward steps of one walk in their order; what was said several times is said briefly."""

    def __init__(self, graph: Graph, lines: list[Line]) -> None:
        self.graph, self.lines = graph, lines
        self.said: Counter[str] = Counter()

    def of(self, line: Line, lesson: str | None = None) -> list[Item]:
        """The sentences of the next step; what a lesson tells may stand for the reasons (see Instead)."""
        told = [{"kind": "lesson", "text": lesson}] if lesson else []
        if line.through is None:
            return [*told, {"kind": "local", "text": _start(line.target)}]
        hops = own_hops(line)
        arrival = self.arrival(line, hops)
        items = [arrival, *told]
        items += [] if isinstance(lesson, Instead) else [{"kind": "local", "text": text} for text in self.reasons(hops)]
        items += [{"kind": "broadcast", "text": self.collapse(hop.node)} for hop in hops if hop.node.op is Expand]
        if line.mode == "+=":
            items.append({"kind": "accumulate", "text": self.another_path(line)})
        elif line.code.endswith(".clone()"):
            items.append({"kind": "note", "text": _cloned(line)})
        return _within(items, brief=f"`{arriving(line, hops, self.graph)[0]}` arrives.")

    def often(self, what: str) -> bool:
        """Whether something has been said in full often enough, this time not counted."""
        self.said[what] += 1
        return self.said[what] > IN_FULL

    def arrival(self, line: Line, hops: list[Hop]) -> Item:
        """What arrives at a step: in full at first, then as a caption."""
        name, node = arriving(line, hops, self.graph)
        loss = self.graph.loss
        if node is loss:
            text = f"`{name}` arrives, and it is 1."
        elif self.said[name] or self.often("arrival"):
            text = f"`{name}` arrives."
        else:
            cells = f"for each cell of {code(node)}, " if node.shape else ""
            of = "" if node.shape else f" of {code(node)}"
            text = f"`{name}` arrives: {cells}how much {the_loss(loss)} changes per unit of nudge{of}."
        self.said[name] += 1
        return {"kind": "upstream", "text": text}

    def reasons(self, hops: list[Hop]) -> list[str]:
        """Why the rules are as they are, the one that the line is about last."""
        told = [hop for hop in hops if hop.node.op is not Expand]
        weighty = [hop for hop in told if not _passes(hop)]
        kept = weighty or ([] if len(told) < len(hops) else told[:1])
        lead = max(reversed(kept), key=_weight, default=None)
        ordered = [hop for hop in kept if hop is not lead] + ([lead] if lead else [])
        carried = len(told) < len(hops)
        return list(dict.fromkeys(self.because(hop, carried) for hop in ordered))

    def because(self, hop: Hop, carried: bool) -> str:
        template = self.template(hop, carried)
        return filled_in(template, words_of(hop.node, hop.arrives), phrases_of(hop.node))

    def template(self, hop: Hop, carried: bool) -> str:
        """A reason in full; in short where it was said often, a sum over copies carries the step, or it holds twice."""
        op, call, sources = hop.node.op, hop.node.call, list(hop.node.inputs.values())
        assert op is not None
        full, short = op.told(hop.input_name, call), op.told_again(hop.input_name, call)
        often = self.often(op.__name__ if short else full)
        return short if short and (often or carried or len(set(sources)) < len(sources)) else full

    def collapse(self, expand: Node) -> str:
        """Why a gradient is summed over the axes along which its tensor was copied."""
        source = expand.inputs["x"]
        often = self.often("collapse")
        axes = stretched_axes(source.shape, expand.shape)
        if not axes:
            return f"{code(source)} had this shape already: the gradient passes unchanged."
        if not source.shape:
            return (
                f"{code(source)} is a single number that went into every cell: **the gradients of all cells add up**."
            )
        sums = f"**sum over {listed([axis_name(axis, expand.dims[axis]) for axis, _ in axes])}**"
        kept = "keepdim=True" if any(keep for _, keep in axes) else ""
        if often:
            shape = f", with `{kept}`" if kept else ""
            return f"{code(source)} was broadcast to {_all_of(expand, [axis for axis, _ in axes])}: {sums}{shape}."
        copies = expand.meta.numel() // max(source.meta.numel(), 1)
        first = f"Going forward, {code(source)} {shown(source.shape)} was copied to "
        first += f"{_each_of(expand, [axis for axis, _ in axes])}."
        shape = (
            f"with `{kept}` so that the shape is {shown(source.shape)}, like {code(source)} itself"
            if kept
            else f"which leaves shape {shown(source.shape)}"
        )
        times = (
            f"A number used {copies} times receives {copies} gradients" if copies != 1 else "Its gradient comes back"
        )
        return f"{first} {times}; they add up: {sums}, {shape}."

    def another_path(self, line: Line) -> str:
        """Why a gradient is added to: which lines used the tensor, in the order in which their gradients arrive."""
        target = code(line.target)
        sign = "-=" if line.code.rpartition("\n")[2].partition(" = ")[0].find("-=") > 0 else "+="
        paths = [other for other in self.lines if other.target is line.target]
        arrived = paths.index(line) + 1
        if arrived > 2:
            return f"Gradient {arrived} of {len(paths)} for {target}: **`{sign}`** again."
        return f"{target} was used {_used_in(paths)}: hence **`{sign}`**."


def own_hops(line: Line) -> list[Hop]:
    """The operations that a line itself goes back through: those since the last gradient that has a name."""
    named = [number for number, hop in enumerate(line.path) if isinstance(hop.arrives, ast.Name)]
    return line.path[named[-1] :] if named else line.path


def arriving(line: Line, hops: list[Hop], graph: Graph) -> tuple[str, Node]:
    """The gradient that a line reads, and the tensor that it is the gradient of."""
    assert line.through is not None
    through = line.through.node
    if not hops or not isinstance(hops[0].arrives, ast.Name):
        return f"d{through.variable}", through
    name = hops[0].arrives.id
    return name, graph.by_gradient.get(name, hops[0].node)


def the_loss(loss: Node) -> str:
    """`the loss`, where that is what the program calls it; else its name."""
    return "the loss" if loss.variable == "loss" else code(loss)


def _start(loss: Node) -> str:
    said = the_loss(loss)
    return f"The way back starts at {said}. Nudge {said} by ε and {said} moves by ε: its gradient is **1**."


def _passes(hop: Hop) -> bool:
    """Whether what arrives passes through unchanged."""
    op, call = hop.node.op, hop.node.call
    assert op is not None
    derived = {key: expression(text) for key, text in op.derive(call).items() if text} if not op.variadic else {}
    rule = filled(op.rule(hop.input_name, False), derived)
    return isinstance(rule, ast.Name) and rule.id == "g"


def _weight(hop: Hop) -> int:
    """How much of a line an operation is: next to nothing where it only scales, turns the sign or the shape."""
    op = hop.node.op
    assert op is not None
    scales = issubclass(op, PLAIN) and len(hop.node.inputs) == 1
    return 0 if scales or op is Sub or issubclass(op, Rearranged) else 1


def _used_in(paths: list[Line]) -> str:
    """`twice, in `probs` and in `counts_sum`. The two gradients add up`, from the lines in the order they arrive."""
    users = list(dict.fromkeys(line.through.node.variable for line in paths if line.through))
    times = "twice" if len(paths) == 2 else f"{len(paths)} times"
    both = "The two" if len(paths) == 2 else f"All {len(paths)}"
    if len(users) > ONE_NAME:
        where = f"{len(users)} lines, `{users[-1]}` … `{users[0]}`"
        return f"in {where}. Their {len(paths)} gradients add up"
    if len(users) == 1:
        return f"{times} in `{users[0]}`. {both} gradients add up"
    named = listed([f"in `{user}`" for user in users] if len(users) == 2 else [f"`{user}`" for user in users])
    return f"{times}, {named if len(users) == 2 else f'in {named}'}. {both} gradients add up"


def _cloned(line: Line) -> str:
    original = line.expr.func.value  # type: ignore[attr-defined]
    kept = sorted(name for name in names_in(original) if name.startswith("d"))
    mine = f"a later line adds to `{line.variable}`"
    if any(isinstance(part, ast.Attribute) and part.attr == "expand" for part in ast.walk(original)) or not kept:
        return f"`.clone()`, because {mine}, and there each cell must be one of its own."
    return f"`.clone()`, because {mine} with `+=`, and `{kept[0]}` must stay as it is."


def _within(items: list[Item], brief: str = "") -> list[Item]:
    """As many sentences as a step may have: what arrives shrinks first, then the least important go."""
    kept = list(items)
    if brief and sum(words_in(one["text"]) for one in kept) > MOST_WORDS and kept[0]["kind"] == "upstream":
        kept[0] = {"kind": "upstream", "text": brief} if len(brief) < len(kept[0]["text"]) else kept[0]
    spare = [item for item in items if item["kind"] == "local"][:-1]
    spare += [item for item in items if item["kind"] == "broadcast"][:-1]
    spare += [item for item in kept if item["kind"] == "upstream"]
    for item in spare:
        if sum(words_in(one["text"]) for one in kept) <= MOST_WORDS:
            break
        kept.remove(item)
    return kept
