"""Explanations of backward steps: upstream gradient, local derivative, sums over broadcast copies, second paths."""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from functools import lru_cache
from typing import Any

from backend.engine.differentiate.lines import Hop, Line
from backend.engine.language.expression import expression
from backend.engine.language.tree import names_in, nodes_in
from backend.engine.language.unparse import printed
from backend.engine.language.wording import filled_in, listed, plural
from backend.engine.ops.reduce import calls_sum, reduced_axes
from backend.engine.ops.stretch import stretched_axes
from backend.engine.trace.graph import Graph, Node
from backend.lines.equations.drawn import drawn
from backend.lines.equations.equation import contributed
from backend.present.brief import LEAD, TURNS, Said, items_within
from backend.present.schema import Axis
from backend.present.schema import Sentence as Item
from backend.program.lessons.base import Instead

# How often a thing is said in full before it shrinks.
IN_FULL = 3
ONE_NAME = 4
ALL = "all "


def shape_words(shape: tuple[int, ...]) -> str:
    """A shape as Python writes it; a scalar in words."""
    return str(shape) if shape else "a single number"


def code(node: Node) -> str:
    """A tensor as the reader wrote it."""
    return f"`{printed(node.expr)}`"


def axis_name(axis: int, name: str) -> str:
    """`axis 0 (example)`; an axis without a name is `axis 0`."""
    return f"axis {axis} ({name})" if is_named(name) else f"axis {axis}"


def is_named(name: str) -> bool:
    """Whether somebody gave an axis this name."""
    return any(letter.isalpha() for letter in name) and not name.startswith("axis ")


def axes_of(expand: Node, kept: bool = True) -> list[Axis]:
    """The axes along which a broadcast copies, with names and the reason in words; `kept` as a line keeps them."""
    source = expand.inputs["x"]
    return [
        {
            "axis": axis,
            "name": expand.dims[axis],
            "size": expand.shape[axis],
            "keepdim": keep and kept,
            "why": f"{code(source)} was copied to {each_of(expand, [axis])}",
        }
        for axis, keep in stretched_axes(source.shape, expand.shape)
    ]


def each_of(expand: Node, axes: list[int], each: str = "each of the ") -> str:
    """`each of the 32 examples`, or `32 places, along axis 0 and axis 2`."""
    if len(axes) == 1:
        name, size = expand.dims[axes[0]], expand.shape[axes[0]]
        noun = name if is_named(name) else f"axis {axes[0]}"
        return all_of(noun, size) if each == ALL else f"{each if size != 1 else ''}{plural(noun, size)}"
    named = listed([axis_name(axis, expand.dims[axis]) for axis in axes])
    along = f", along {named}" if each.startswith("each") else ""
    return f"{math.prod(expand.shape[axis] for axis in axes)} places{along}"


def all_of(noun: str, count: int) -> str:
    """`all 27 classes`, `both rows`, `1 example`."""
    return {1: plural(noun, 1), 2: plural(noun, 2).replace("2", "both", 1)}.get(count, f"all {plural(noun, count)}")


def words_of(node: Node, hop: Hop | None = None) -> dict[str, ast.expr]:
    """The words of an operation's templates as the reader's own code; on the way back `g` is the gradient there."""
    given = {key: ast.Constant(value) for key, value in node.parameters.items() if isinstance(value, int | float)}
    derived = {key: expression(text) for key, text in _facts(node).items()}
    words = given | derived | node.words | {key: source.expr for key, source in node.inputs.items()}
    words |= {"out": node.expr, "it": _whole(node)}
    if hop is None or node.op is None:
        return words
    own = {"x": node.inputs[hop.input_name].expr} if node.op.variadic else {}
    return words | own | ({"g": hop.arrives} if hop.arrives is not None else {})


def _whole(node: Node) -> ast.expr:
    """What computed a tensor; of a part the call that makes all of them."""
    is_part = "part" in node.parameters and isinstance(node.written, ast.Subscript)
    return node.written.value if is_part and isinstance(node.written, ast.Subscript) else node.written


def _facts(node: Node) -> dict[str, str]:
    assert node.op is not None
    return node.op.facts(node.call)


def phrases_of(node: Node) -> dict[str, str]:
    """What templates say in plain words: the axes of a reduction, rows and columns of a product, a mean or a sum."""
    sources = list(node.inputs.values())
    reduced = REDUCED.get(node.parameters.get("reduction", ""), "")
    cellwise = ", cell by cell" if node.shape else ""
    sides = _sides_said(node.shape, tuple(node.dims))
    return {"reduced": reduced, "cellwise": cellwise, **_facts(node), **_axes_said(node, sources), **sides}


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


@lru_cache(1_024)
def _sides_said(shape: tuple[int, ...], dims: tuple[str, ...]) -> dict[str, str]:
    """How many columns a row of a product has, and how many rows there are."""
    if len(shape) != 2:
        return {}
    (rows, columns), names = shape, dims or ("", "")
    row, column = (name if is_named(name) and "·" not in name else "" for name in names)
    return {
        "rows": f"each of the {plural(row or 'row', rows)}" if rows != 1 else "the one row",
        "columns": all_of(column or "column", columns) if columns != 1 else "the one column",
        "by_row": "sums over them" if rows != 1 else "is one product",
        "by_column": "sums over them" if columns != 1 else "is one product",
    }


def _is_axes(dim: Any) -> bool:
    return dim is None or isinstance(dim, int) or all(isinstance(axis, int) for axis in dim)


class Story:
    """Tells the backward steps of one walk in their order; what was said several times is said briefly."""

    def __init__(self, graph: Graph, lines: list[Line]) -> None:
        self.graph = graph
        self.names = {*graph.by_variable, *graph.constants}
        self.paths: dict[Node, list[Line]] = {}
        self.turns: dict[int, int] = {}
        for line in lines:
            paths = self.paths.setdefault(line.target, [])
            paths.append(line)
            self.turns[id(line)] = len(paths)
        self.said: Counter[str] = Counter()

    def of(self, line: Line, lesson: str | None = None) -> list[Item]:
        """The sentences of the next step; what a lesson tells may stand for the reasons (see Instead)."""
        told: list[Said] = [("lesson", lesson, "")] if lesson else []
        if line.through is None:
            return items_within([*told, ("local", _start(line.target), "")])
        hops = own_hops(line)
        if line.parts:
            said: list[Said] = [("upstream", self.parts_together(line), ""), *told]
        else:
            said = [self.arrival(line, hops), *told]
            said += [] if isinstance(lesson, Instead) else self.reasons(hops)
            said += [_doubled(line)] if len(line.uses) > 1 else []
        said += [self.collapse(hop.node, keeps(line)) for hop in hops if hop.node.is_broadcast and sums(line)]
        if line.mode == "+=":
            said.append(("accumulate", self.another_path(line), ""))
        elif contributed(line) is not line.expr:
            said.append(("note", _cloned(line), ""))
        return items_within(said)

    def often(self, what: str) -> bool:
        """Whether something has been said in full often enough, this time not counted."""
        self.said[what] += 1
        return self.said[what] > IN_FULL

    def arrival(self, line: Line, hops: list[Hop]) -> Said:
        """The sentence on the upstream gradient: in full at first, then as a caption."""
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
        return "upstream", text, f"`{name}` arrives."

    def reasons(self, hops: list[Hop]) -> list[Said]:
        """Why the rules are as they are, in the order of the way back; what the line is about goes last of all."""
        told = [hop for hop in hops if not hop.node.is_broadcast]
        weighty = [hop for hop in told if not _passes(hop)]
        kept = weighty or ([] if len(told) < len(hops) else told[:1])
        lead = max(reversed(kept), key=_weight, default=None)
        carried = len(told) < len(hops)
        said = [(LEAD if hop is lead else "local", *self.because(hop, carried)) for hop in kept]
        # Once is enough, but for a second change of sign, which undoes the first.
        before = [[one[1:] for one in said[:number]] for number in range(len(said))]
        return [one for number, one in enumerate(said) if one[1:] not in before[number] or one[1].endswith(TURNS)]

    def because(self, hop: Hop, carried: bool) -> tuple[str, str]:
        """A reason; in short where it was said often, a sum over copies carries the step, or it holds twice."""
        op, call, sources = hop.node.op, hop.node.call, list(hop.node.inputs.values())
        assert op is not None
        words, phrases = words_of(hop.node, hop), phrases_of(hop.node)
        full, short = op.because_for(hop.input_name, call), op.briefly_for(hop.input_name, call)
        often = self.often(op.__name__ if short else full)
        usual = often or carried or _meets_itself(hop, sources) or not self.has_letters(full, sources)
        again = filled_in(short, words, phrases)
        return again if short and usual else filled_in(full, words, phrases), again

    def has_letters(self, template: str, sources: list[Node]) -> bool:
        """Whether the index letters of a reason are free, and there is a cell that they can be the index of."""
        letters = set(re.findall(r"\b[ijk]\b", " ".join(re.findall(r"\[[^\]]*\]", template))))
        return not letters or (letters.isdisjoint(self.names) and all(0 not in source.shape for source in sources))

    def collapse(self, expand: Node, kept: bool) -> Said:
        """Why a gradient is summed over the axes along which its tensor was copied, and whether they are `kept`."""
        source, axes = expand.inputs["x"], stretched_axes(expand.inputs["x"].shape, expand.shape)
        if not axes:
            return "broadcast", f"{code(source)} had this shape already: the gradient passes unchanged.", ""
        if not source.shape:
            text = (
                f"{code(source)} is a single number that went into every cell: **the gradients of all cells add up**."
            )
            return "broadcast", text, ""
        full, short = _summed(expand, axes if kept else [(axis, False) for axis, _ in axes])
        return "broadcast", short if self.often("collapse") else full, short

    def parts_together(self, line: Line) -> str:
        """Why the gradient of a tensor that was cut into parts is made of theirs; a part not used again has none."""
        whole = line.target.expr if line.target.name else line.target.written
        named = [part for part in line.parts if part.variable and part in self.paths]
        arrive = f"{listed([f'`d{part.variable}`' for part in named])} arrive{'s' * (len(named) == 1)}. "
        return (
            f"{arrive if len(named) > 0 and len(line.parts) <= 4 else ''}"
            f"`{printed(whole)}` was cut into {plural('part', len(line.parts))}. "
            "Laid side by side, their gradients are the gradient of the whole."
        )

    def another_path(self, line: Line) -> str:
        """Why a gradient is added to: which lines used the tensor, in the order in which their gradients arrive."""
        target = code(line.target)
        paths, arrived = self.paths[line.target], self.turns[id(line)]
        minus = line.sign == "-="
        if arrived > 2:
            sign = ", with a minus: **`-=`**." if minus else f": **`{line.sign}`** again."
            return f"Gradient {arrived} of {len(paths)} for {target}{sign}"
        hence = "; this one has a minus: **`-=`**." if minus else f": hence **`{line.sign}`**."
        return f"{target} was used {_used_in(paths)}{hence}"


def _meets_itself(hop: Hop, sources: list[Node]) -> bool:
    """Whether an operation reads a tensor by another way too: nudging it then moves more than this path says."""
    own = hop.node.inputs[hop.input_name]
    others = [source for name, source in hop.node.inputs.items() if name != hop.input_name]
    origin = printed(_unstretched(own).expr)  # the same expression may be computed twice
    read = (printed(one.expr) for other in others for one in _read_by(other))
    return len(set(sources)) < len(sources) or origin in read


def _unstretched(node: Node) -> Node:
    return _unstretched(node.inputs["x"]) if node.is_broadcast else node


def _read_by(node: Node) -> set[Node]:
    """A tensor and what it is computed from within its line."""
    found, pending = {node}, [node]
    while pending:
        one = pending.pop()
        more = [] if one.name else [source for source in one.inputs.values() if source not in found]
        found.update(more)
        pending += more
    return found


def _summed(expand: Node, axes: list[tuple[int, bool]]) -> tuple[str, str]:
    """The sum over copies, in full and in short."""
    source, along = expand.inputs["x"], [axis for axis, _ in axes]
    sums = f"**sum over {listed([axis_name(axis, expand.dims[axis]) for axis in along])}**"
    kept, shape = any(keep for _, keep in axes), shape_words(source.shape)
    gone = tuple(size for axis, size in enumerate(expand.shape) if axis not in along)
    copies = math.prod(expand.shape[axis] for axis in along)
    first = f"Going forward, {code(source)} {shape} was copied to {each_of(expand, along)}."
    times = (
        f"A number used {copies} times receives {copies} gradients; they add up" if copies != 1 else "So it comes back"
    )
    how = (
        "leaves the shape"
        if all(keep for _, keep in axes)
        else "keeps the axes that it had, the new ones go: that leaves"
    )
    leaves = f"`keepdim=True` {how} {shape}." if kept else f"That leaves {shape_words(gone)}."
    brief = f"{code(source)} was broadcast to {each_of(expand, along, ALL)}: {sums}{', with `keepdim=True`' * kept}."
    return f"{first} {times}: {sums}. {leaves}", brief


def keeps(line: Line) -> bool:
    """Whether a line keeps the axes that it sums over; where the next operation takes them away, it needn't."""
    parts = (part for statement in line.statements for part in nodes_in(statement) if isinstance(part, ast.keyword))
    return any(part.arg == "keepdim" for part in parts)


def sums(line: Line) -> bool:
    """Whether a line adds up the gradients of copies itself: those of a tensor's parts may have names already."""
    return not line.parts or any(map(calls_sum, line.statements))


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
    """Whether the upstream gradient passes through unchanged."""
    op, call = hop.node.op, hop.node.call
    assert op is not None
    rule = op.rule(hop.input_name, False)
    texts = {} if op.variadic or not isinstance(rule, ast.Name) else op.derive(call)
    while isinstance(rule, ast.Name) and texts.get(rule.id):
        rule = expression(texts[rule.id])
    return isinstance(rule, ast.Name) and rule.id == "g"


def _weight(hop: Hop) -> int:
    """How much of a line an operation is: next to nothing where it only scales, turns the sign or the shape."""
    op = hop.node.op
    assert op is not None
    return 0 if op.is_light(hop.node.call) else 1


def _doubled(line: Line) -> Said:
    return "note", f"{code(line.target)} is used twice here, and both uses bring the same gradient: **2 ×**.", ""


def _used_in(paths: list[Line]) -> str:
    """`twice, in `probs` and in `counts_sum`. The two gradients add up`, from the lines in the order they arrive."""
    users = list(dict.fromkeys(line.through.node.variable for line in paths if line.through))
    uses = sum(1 if line.parts else len(line.uses) or 1 for line in paths)
    times = "twice" if uses == 2 else f"{uses} times"
    both = "The two gradients add up" if len(paths) == 2 else f"All {len(paths)} gradients add up"
    if uses != len(paths):  # one line brings the gradients of several uses
        both = f"Their gradients add up in {len(paths)} backward lines"
    if len(users) > ONE_NAME:
        return f"in {len(users)} lines, `{users[-1]}` … `{users[0]}`. {both}"
    if len(users) == 1:
        return f"{times} in `{users[0]}`. {both}"
    named = listed([f"in `{user}`" for user in users] if len(users) == 2 else [f"`{user}`" for user in users])
    return f"{times}, {named if len(users) == 2 else f'in {named}'}. {both}"


def _cloned(line: Line) -> str:
    original = contributed(line)
    kept = sorted(name for name in names_in(original) if name.startswith("d"))
    mine = f"a later line adds to `{line.variable}`"
    if any(isinstance(part, ast.Attribute) and drawn(part.attr) == "spread" for part in ast.walk(original)) or not kept:
        return f"`.clone()`, because {mine}, and there each cell must be one of its own."
    return f"`.clone()`, because {mine} with `+=`, and `{kept[0]}` must stay as it is."
