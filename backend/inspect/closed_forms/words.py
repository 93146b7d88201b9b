"""The words that the stages of a closed form are written in: what a match tells, and what follows from it."""

from __future__ import annotations

import ast
import math
import string
from collections.abc import Mapping, Set

from backend.engine.language.expression import expression
from backend.engine.language.unparse import printed
from backend.engine.ops.index import parts_of
from backend.engine.trace.graph import Graph, Node
from backend.inspect.closed_forms.match import Match, bare
from backend.inspect.closed_forms.pattern import Pattern, Word

Words = dict[str, str]


def words_of(
    pattern: Pattern, match: Match, graph: Graph, landing: Node, twins: Set[Node]
) -> tuple[Words, Words] | None:
    """All words of a match, and the lines in front that explain some of them; None where a wanted word is missing.

    `twins` are computed twice: the gradient of either is only a part of what a stage would have to say.
    """
    words, aids = facts(match, graph, landing, twins), Words()
    for name, word in pattern.words.items():
        text = way_of(word, words)
        if text is not None:
            words[name] = aided(word.aid, text, graph, aids) if word.aid else text
    return (words, aids) if all(name in words for name in pattern.wants) else None


def way_of(word: Word, words: Mapping[str, str]) -> str | None:
    """The first way of a word that the known words can say."""
    for way in word.ways:
        needed = {*way.needs, *names_of(way.text)}
        if needed <= words.keys() and words.keys().isdisjoint(way.without):
            return way.text.format_map(words)
    return None


def names_of(text: str) -> list[str]:
    """The words that a text is filled with."""
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def facts(match: Match, graph: Graph, landing: Node, twins: Set[Node]) -> Words:
    """What a match tells by itself.

    Each meaning is a word, and with a `d` in front its gradient where that has a name. `n` is the length along the
    pattern's axes; with `kept_` in front, a meaning is the word of a tensor that broadcasts along them. `axis` and
    `along` say where these are, `sum` how a sum is written that broadcasts back. `last`, `one`, `scalar` tell that the
    last axis is meant, that there is one, that a loss comes out; `over` by what that is divided, `part` that it is
    divided at all. `by_variance` and its like say what a sum is divided by.
    """
    x = match.words["x"]
    found = {name: text.format(x=operand_text(x)) for name, text in match.plain.items()}
    for meaning, node in match.words.items():
        found[meaning] = operand_text(node)
        if _broadcasts_back(node, x, match.along or ()):
            found["kept_" + meaning] = operand_text(node)
        if node not in twins and (name := gradient(node, graph)):
            found["d" + meaning] = name
    axes, length = match.along or (), match.length
    found["n"] = length_text(length, graph)
    found |= _places(match, axes) | _factors(match, length, graph) | _over(match, graph, landing) | _target(match)
    if upstream := gradient(landing, graph):
        found["dout"] = upstream
    return found


def _places(match: Match, axes: tuple[int, ...]) -> Words:
    """Where the pattern's axes are, in the ways in which a line says it."""
    x = match.words["x"]
    flat, rank = "flat" in match.plain, len(x.shape)
    found: Words = {"axis": str(axes[0] if axes and not flat else rank - 1)}
    if (axes in ((), (rank - 1,)) and 1 <= rank <= 2) or (flat and axes in ((), (1,))):
        found["last"] = "yes"
    if axes and not flat:
        leading = axes == tuple(range(len(axes)))
        found["along"] = str(axes[0]) if len(axes) == 1 else str(axes)
        found["sum"] = found["along"] if leading else f"{found['along']}, keepdim=True"
        rows: dict[tuple[int, ...], str] = (
            {(0,): "down a column", (1,): "along a row"} if rank == 2 else {(rank - 1,): "along a row"}
        )
        found["down"] = rows.get(axes, "for all cells that are averaged together")
        found |= {"one": "yes"} if len(axes) == 1 else {}
        kept = match.words.get("variance", match.words.get("square"))
        found |= {"wide": "yes"} if leading or (kept and len(kept.shape) == rank) else {}
        gain = match.words.get("gain")
        found |= {"common": "yes"} if gain and ("tail" in match.plain or _is_common(gain, x, axes)) else {}
    return found


def _broadcasts_back(node: Node, x: Node, axes: tuple[int, ...]) -> bool:
    """Whether a tensor with one cell for each group still has the axes that were folded, so far as that is needed."""
    kept = [1 if axis in axes else size for axis, size in enumerate(x.shape)]
    shape = list(bare(node).shape)
    lost = len(kept) - len(shape)
    return not axes or (kept[lost:] == shape and set(kept[:lost]) <= {1})


def _factors(match: Match, length: int, graph: Graph) -> Words:
    """By what each part is divided: by n, or by n − 1, of which `less_` tells."""
    found = Words()
    n = length_text(length, graph)
    for meaning, factor in match.factors.items():
        if length and math.isclose(factor * length, 1, rel_tol=1e-6):
            found[f"by_{meaning}"] = n
        elif length > 1 and math.isclose(factor * (length - 1), 1, rel_tol=1e-6):
            found[f"by_{meaning}"] = str(length - 1) if n.isdigit() else f"({n}-1)"
            found[f"less_{meaning}"] = "yes"
    return found


def _over(match: Match, graph: Graph, landing: Node) -> Words:
    """What a loss is divided by, times the upstream gradient where it is a part of the loss only."""
    if match.node.shape:
        return {}
    shape = match.words["x"].shape
    rows, cells = math.prod(shape[:-1]), math.prod(shape)
    counted = next((n for n in (1, rows, cells) if n and math.isclose(match.factor * n, -1)), None)
    if counted is None:
        return {}
    by = length_text(counted, graph) if not math.isclose(match.factor, -1) else ""
    times = "" if landing is graph.loss else gradient(landing, graph)
    over = (f" / {by}" if by else "") + (f" * {times}" if times else "")
    return ({"part": "yes"} if over else {}) | {
        "scalar": "yes",
        "over": over,
        "weight": "−1" + (f"/{by}" if by else "") + (f" times `{times}`" if times else ""),
        "divided": (f", over {by}" if by else "") + (f", times `{times}`" if times else ""),
    }


def _target(match: Match) -> Words:
    """The target classes, as the program writes them, and the one-hot matrix of them."""
    picked, x = match.picked, match.words["x"]
    if picked is None:
        return {}
    target, shape = _classes(picked)
    if target is None:
        return {}
    hot = f"F.one_hot({target}, {x.shape[-1]})"
    found = {"y": hot if shape in ((), x.shape[:-1]) else f"{hot}.view({operand_text(x)}.shape)"}
    return found | ({"log_rule": "yes"} if "target" in picked.parameters or "logprobs" in match.words else {})


def _classes(picked: Node) -> tuple[str | None, tuple[int, ...]]:
    places = picked.parameters.get("index")
    if "target" in picked.parameters:
        target = picked.parameters["target"]
        source = flattened(target)
        return printed(source.expr), source.shape
    if isinstance(places, Node) and "dim" in picked.parameters:
        return printed(bare(places).expr), bare(places).shape
    last = parts_of(places)[-1]
    if type(last) is int:
        return f"torch.tensor({last})", ()
    return (printed(last.expr), last.shape) if isinstance(last, Node) else (None, ())


def flattened(node: Node) -> Node:
    """What a tensor in one row was before it was laid out so."""
    while node.name is None and node.op is not None and node.op.is_free and node.op.drawn == "rearrange":
        if len(node.shape) != 1 or not node.inputs:
            break
        node = next(iter(node.inputs.values()))
    return node


def _is_common(gain: Node, x: Node, axes: tuple[int, ...]) -> bool:
    """Whether one gain belongs to all the cells that share a mean."""
    shape = (1,) * (len(x.shape) - len(gain.shape)) + gain.shape
    return all(shape[axis] == 1 for axis in axes)


def operand_text(node: Node) -> str:
    """How a tensor is written, in brackets unless it is a name or a call."""
    expr = bare(node).expr
    whole = isinstance(expr, ast.Name | ast.Call | ast.Subscript | ast.Attribute)
    return printed(expr) if whole else f"({printed(expr)})"


def gradient(node: Node | None, graph: Graph) -> str | None:
    """The name of a tensor's gradient, where it has one."""
    there = node is not None and node.name is not None and node.needs and node in graph.reached
    return f"d{node.variable}" if there and node is not None else None


def length_text(length: int, graph: Graph) -> str:
    """A length by its name, where the program has one for it, else as a number."""
    names = [name for name, value in graph.constants.items() if type(value) is int and value == length]
    return min(names, key=lambda name: (name != "n", name), default=str(length))


def aided(name: str, text: str, graph: Graph, aids: Words) -> str:
    """A text itself where it is a name, else a free name for it, which a line in front of the stage explains."""
    if text.replace("_", "").isalnum():
        return text
    text = printed(expression(text))
    taken = {node.variable for node in graph.named} | set(graph.constants) | set(aids)
    free = next(one for one in (name, *(f"{name}_{number}" for number in range(2, 99))) if one not in taken)
    aids[free] = text
    return free
