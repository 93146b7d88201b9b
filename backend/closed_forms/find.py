"""Finds what can collapse in a plan: where a pattern lies, the backward lines it takes, and the words of its stages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Set
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from backend.closed_forms import normalisation, softmax
from backend.closed_forms.match import Match, Matcher, bare
from backend.closed_forms.stage import Stage
from backend.execute.plan import Plan
from backend.language.unparse import printed
from backend.ops.index import parts_of
from backend.trace.graph import Graph, Node

Words = dict[str, str]
LARGEST = 2_000  # tensors of a graph that is searched


_known: WeakKeyDictionary[Plan, list[Found]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Found:
    """A pattern in a graph: from the tensor `x` to `root`, with its stages and their words filled in.

    `aids` are lines in front of a stage that uses them: names for what the program has none for.
    """

    kind: str
    x: Node
    root: Node
    inside: Set[Node]
    words: Words
    aids: Words

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages of its kind."""
        stages: tuple[Stage, ...] = KINDS[self.kind][0].STAGES
        return stages


def found_in(plan: Plan) -> list[Found]:
    """Every pattern that the plan's graph holds, in the order of the backward pass."""
    if plan.planted is not None or len(plan.graph.nodes) > LARGEST:
        return []
    if plan not in _known:
        found = [one for kind in KINDS for one in _found(plan.graph, kind)]
        _known[plan] = sorted(found, key=lambda one: -plan.graph.nodes.index(one.root))
    return _known[plan]


def lines_of(plan: Plan, found: Found) -> list[int]:
    """The numbers of the backward lines that collapse."""
    targets = (found.inside | {found.x}) - {found.root}
    return [number for number, line in enumerate(plan.lines) if line.target in targets]


def _found(graph: Graph, kind: str) -> Iterator[Found]:
    module, goals, words_of = KINDS[kind]
    matcher = Matcher(graph, module.RULES)
    read_by = consumers(graph)
    taken: set[Node] = set()
    for node in reversed([chunk.node for chunk in graph.chunks]):
        best: Found | None = None
        for match in matcher.found[node] if node not in taken else ():
            if match.meaning not in goals or match.node is not node or not _named(match, graph):
                continue
            inside = between(match.words["x"], node, read_by)
            if not closed(inside, match.words["x"], node, read_by):
                continue
            aids: Words = {}
            words = words_of(match, graph, aids)
            if words is not None and (best is None or len(inside) > len(best.inside)):
                best = Found(kind, match.words["x"], node, inside, words, aids)
        if best:
            taken |= best.inside
            yield best


def _named(match: Match, graph: Graph) -> bool:
    x = match.words["x"]
    return x.name is not None and x is not match.node and x in graph.reached


def consumers(graph: Graph) -> dict[Node, list[Node]]:
    """The tensors that are computed from each one and through which a gradient comes back."""
    read_by: dict[Node, list[Node]] = {}
    for node in graph.nodes:
        for source in node.inputs.values():
            if node in graph.reached:
                read_by.setdefault(source, []).append(node)
    return read_by


def between(x: Node, root: Node, read_by: dict[Node, list[Node]]) -> set[Node]:
    """All tensors on some path from one to the other, the second among them."""
    below, pending = {x}, [x]
    while pending:
        more = [node for node in read_by.get(pending.pop(), []) if node not in below]
        below.update(more)
        pending += more
    inside, pending = {root}, [root]
    while pending:
        more = [node for node in pending.pop().inputs.values() if node in below and node not in inside]
        inside.update(more)
        pending += more
    return inside - {x}


def closed(inside: Set[Node], x: Node, root: Node, read_by: dict[Node, list[Node]]) -> bool:
    """Whether nothing outside reads what is inside: every gradient that comes to `x` comes through `root`."""
    every = [x, *(node for node in inside if node is not root)]
    return root in inside and all(node in inside for one in every for node in read_by.get(one, []) if one.needs)


def _text(node: Node) -> str:
    """How a tensor is written, in brackets unless it is a name or a call."""
    text = printed(bare(node).expr)
    return text if text.replace("_", "").isalnum() or (text.endswith(")") and " " not in text) else f"({text})"


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
    taken = {node.variable for node in graph.named} | set(graph.constants)
    free = next(one for one in (name, *(f"{name}_{number}" for number in range(2, 99))) if one not in taken)
    aids[free] = text
    return free


def _softmax_words(match: Match, graph: Graph, _: Words) -> Words | None:
    """The words of a softmax's stages; None where the classes are not in the last axis, or the loss weighs rows."""
    x, words = match.words["x"], match.words
    axis, picked = len(x.shape) - 1, match.picked
    if picked is None or not 1 <= len(x.shape) <= 2 or match.along not in (None, (axis,)) or match.node.shape:
        return None
    target, rows = _target(picked), math.prod(x.shape[:-1])
    total, mean = math.isclose(match.factor, -1), math.isclose(match.factor * rows, -1)
    if target is None or not (total or mean):
        return None
    over = f" / {length_text(rows, graph)}" if not total else ""
    last = match.node is graph.loss
    times = "" if last else f" * {gradient(match.node, graph)}"
    named: dict[str, str | None] = {
        "x": _text(x),
        "axis": str(axis),
        "y": f"F.one_hot({target}, {x.shape[-1]})",
        "over": over + times,
        "p": _probabilities(words, axis),
        "row": printed(words["row"].expr) if "row" in words else None,
        "moved": "yes" if "row" in words and words["shifted"] is not x else None,
        "dshifted": gradient(words["shifted"], graph),
        "counts": _text(words["counts"]) if "counts" in words else None,
        "share": _share(words),
        "dprobs": gradient(words.get("probs"), graph),
        "dlogprobs": gradient(words.get("logprobs"), graph),
        "log_rule": "yes" if "logprobs" in words or "target" in picked.parameters else None,
    }
    told = {word: text for word, text in named.items() if text is not None}
    return told | _softmax_sentences(told, over)


def _probabilities(words: dict[str, Node], axis: int) -> str:
    if "probs" in words:
        return _text(words["probs"])
    if "logprobs" in words and words["logprobs"].name:
        return f"{_text(words['logprobs'])}.exp()"
    return f"F.softmax({printed(words['shifted'].expr)}, {axis})"


def _share(words: dict[str, Node]) -> str | None:
    if "share" in words:
        return _text(words["share"])
    return f"(1 / {_text(words['total'])})" if "total" in words else None


def _softmax_sentences(words: Words, over: str) -> Words:
    weight = f"−1{over.replace(' ', '')}" if over else "−1"
    if "dprobs" in words:
        cancelled = "Multiplying by p and dividing by p undo each other."
    else:
        cancelled = "The rule of a log-softmax: softmax and logarithm in one, so that nothing is divided by p."
    source = f"`{words['dlogprobs']}`" if "dlogprobs" in words else "the upstream gradient of the log-probabilities"
    one_hot = (
        f"Of each row only the right class is in the loss, with the weight {weight}: {source} is minus the one-hot "
        f"matrix{', over ' + over.removeprefix(' / ') if over else ''}."
    )
    if "log_rule" in words:
        row_sum = "Each row of the one-hot matrix holds a single 1, so its sum is 1. What is left is p − y."
    else:
        row_sum = "A log-sum-exp has the softmax p as its slope. The right logit itself counts −1: that is the one-hot."
    return {"cancelled": cancelled, "one_hot": one_hot, "row_sum": row_sum}


def _target(picked: Node) -> str | None:
    """The target classes, as the program writes them."""
    places = picked.parameters.get("index")
    if "target" in picked.parameters:
        return printed(picked.parameters["target"].expr)
    if isinstance(places, Node) and "dim" in picked.parameters:
        return printed(bare(places).expr)
    last = parts_of(places)[-1]
    if type(last) is int:
        return f"torch.tensor({last})"
    return printed(last.expr) if isinstance(last, Node) else None


def _normal_words(match: Match, graph: Graph, aids: Words) -> Words | None:
    """The words of a normalisation's stages; None where its variance is divided by neither n nor n - 1."""
    x, words, axes = match.words["x"], match.words, match.along
    if axes is None or "variance" not in words:
        return None
    length = math.prod(x.shape[axis] for axis in axes)
    part = match.factors["variance"]
    unbiased = length > 1 and math.isclose(part * (length - 1), 1, rel_tol=1e-6)
    if not unbiased and not math.isclose(part * length, 1, rel_tol=1e-6):
        return None
    n, dout = length_text(length, graph), gradient(match.node, graph)
    part_of = n if not unbiased else str(length - 1) if n.isdigit() else f"({n}-1)"
    leading = axes == tuple(range(len(axes)))
    over = str(axes[0]) if len(axes) == 1 else str(axes)
    gain = words.get("gain") if "gained" in words else None
    if dout is None or (gain is not None and gain in between(x, match.node, consumers(graph)) | {x}):
        return None
    g = f"{_text(gain)}*{dout}" if gain else dout
    wide = leading or len(words["variance"].shape) == len(x.shape)
    dist = aided("diff", printed(bare(words["distance"]).expr), graph, aids)
    inv = aided("inv", _inverse(words), graph, aids)
    normal = words.get("normal")
    raw = normal.variable if normal and normal.name else aided("xhat", f"{dist} * {inv}", graph, aids)
    named: dict[str, str | None] = {
        "x": _text(x),
        "n": n,
        "c": f"1/{part_of}",
        "twice": f"2/{part_of}",
        "bessel": f"{n}/{part_of}*" if unbiased else "",
        "sum": over if leading else f"{over}, keepdim=True",
        "dist": dist,
        "inv": inv,
        "raw": raw,
        "g": f"({g})" if gain else g,
        "g_": g,
        "dout": dout,
        "gain": _text(gain) if gain else None,
        "common": "yes" if gain and _is_common(gain, x, axes) else None,
        "dvar": gradient(words["variance"], graph),
        "dmean": gradient(words.get("average"), graph),
        "wide": "yes" if wide else None,
        "down": "down a column" if axes == (0,) and len(x.shape) == 2 else "along a row" if not leading else "for all",
    }
    told = {word: text for word, text in named.items() if text is not None}
    return told | {"slope": _slope_sentence(told)}


def _slope_sentence(words: Words) -> str:
    """What leads to the stage without gradients in between: after the stages that have them, or at once."""
    inv = words["inv"]
    if "dvar" in words and "wide" in words:
        return (
            f"`{inv}` is a power, −½, of the variance: its slope is −½ `{inv}`³. That ½ and the 2 of the square cancel."
        )
    return (
        f"Three paths lead into each cell of `{words['x']}`: directly, through `{inv}`, whose slope is −½ `{inv}`³ "
        "in the variance, and through the mean, which is taken away from every cell."
    )


def _inverse(words: dict[str, Node]) -> str:
    return printed(bare(words["inverse"]).expr) if "inverse" in words else f"1 / {_text(words['deviation'])}"


def _is_common(gain: Node, x: Node, axes: tuple[int, ...]) -> bool:
    """Whether one gain belongs to all the cells that share a mean."""
    shape = (1,) * (len(x.shape) - len(gain.shape)) + gain.shape
    return all(shape[axis] == 1 for axis in axes)


KINDS = {
    "softmax": (softmax, ("loss",), _softmax_words),
    "normalisation": (normalisation, ("shifted", "gained", "normal"), _normal_words),
}
