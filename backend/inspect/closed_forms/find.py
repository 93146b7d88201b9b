"""Finds what can collapse in a plan: where a pattern lies, the backward lines it takes, and what stands in its way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from backend.engine.differentiate.lines import Line
from backend.engine.execute.plan import Plan
from backend.engine.language.unparse import printed
from backend.engine.trace.graph import Graph, Node
from backend.inspect.closed_forms.match import FREE, Match, Matcher, passes
from backend.inspect.closed_forms.normalisation import NORMALISATION, RMS_NORM, UNIT_LENGTH
from backend.inspect.closed_forms.pattern import Pattern
from backend.inspect.closed_forms.sigmoid import BINARY_CROSS_ENTROPY
from backend.inspect.closed_forms.softmax import CROSS_ENTROPY, SOFTMAX
from backend.inspect.closed_forms.words import Words, names_of, words_of

PATTERNS = (CROSS_ENTROPY, BINARY_CROSS_ENTROPY, NORMALISATION, RMS_NORM, UNIT_LENGTH, SOFTMAX)
LARGEST = 2_000  # tensors of a graph that is searched
Readers = Mapping[Node, list[Node]]


@dataclass(frozen=True)
class Occurrence:
    """A pattern in a graph: from the tensor `x` to `root`, with the words of its stages.

    `landing` is the named tensor whose gradient comes in: the root, or the sum that it is a part of. `aids` are lines
    in front of a stage that uses them. `besides` are the tensors outside that read `x`, too; `shared` is a tensor
    inside that another one reads: such a pattern gives only a part of what comes back, and doesn't hold.
    """

    pattern: Pattern
    x: Node
    root: Node
    landing: Node
    inside: Set[Node]
    axes: tuple[int, ...]
    words: Words
    aids: Words
    readers: tuple[str, ...] = ()
    shared: tuple[Node, Node] | None = None

    def texts(self) -> list[tuple[str, str]]:
        """The expression and the sentence of each stage that this program has the words for."""
        known = [
            stage
            for stage in self.pattern.stages
            if all(name in self.words for name in (*stage.needs, *names_of(stage.text), *names_of(stage.told)))
        ]
        return [(stage.text.format_map(self.words), stage.told.format_map(self.words)) for stage in known]

    @property
    def between_names(self) -> tuple[str, str]:
        """What `shared` holds, as it is written: a tensor inside, and what uses it outside."""
        assert self.shared is not None
        one, other = (f"`{printed(node.expr)}`" for node in self.shared)
        return one, other


_known: WeakKeyDictionary[Plan, list[Occurrence]] = WeakKeyDictionary()


def found_in(plan: Plan) -> list[Occurrence]:
    """Every pattern that the plan's graph may hold, the largest first; of several at a place one is to be chosen."""
    if plan.planted is not None or len(plan.graph.nodes) > LARGEST:
        return []
    if plan not in _known:
        found = [one for pattern in PATTERNS for one in _found(plan.graph, pattern)]
        _known[plan] = sorted(found, key=lambda one: -len(one.inside))
    return _known[plan]


def lines_of(plan: Plan, found: Occurrence) -> list[int]:
    """The numbers of the backward lines that collapse."""
    targets = (found.inside | {found.x}) - {found.root}
    numbered = [(number, line) for number, line in enumerate(plan.lines) if line.target in targets]
    return [number for number, line in numbered if line.target is not found.x or is_inside(line, found)]


def others_of(plan: Plan, found: Occurrence) -> list[int]:
    """The numbers of the lines that bring to `x` what comes back on other paths."""
    return [n for n, line in enumerate(plan.lines) if line.target is found.x and not is_inside(line, found)]


def is_inside(line: Line, found: Occurrence) -> bool:
    """Whether a line of `x` brings what comes back through the pattern."""
    return any(hop.node in found.inside for hop in line.uses)


def is_apart(plan: Plan, found: Occurrence) -> bool:
    """Whether no line of `x` brings what comes back through the pattern together with something else."""
    return not any(
        line.target is found.x and is_inside(line, found) and not all(hop.node in found.inside for hop in line.uses)
        for line in plan.lines
    )


def _found(graph: Graph, pattern: Pattern) -> Iterator[Occurrence]:
    matcher = Matcher(graph, pattern.rules)
    read_by = consumers(graph)
    seen: set[tuple[Node, Node]] = set()
    for node in graph.nodes:
        for match in reversed(matcher.found[node]):
            if match.meaning not in pattern.goals or match.node is not node or not _named(match, graph):
                continue
            made = _placed(pattern, match, matcher, read_by)
            if made is not None and (made.x, made.root) not in seen:
                seen.add((made.x, made.root))
                yield made


def _placed(pattern: Pattern, match: Match, matcher: Matcher, read_by: Readers) -> Occurrence | None:
    """A match with the tensors inside and its words; None where nothing comes back, or what is given depends on `x`."""
    x, root = match.words["x"], match.node
    landing = landed(root, read_by)
    inside = between(x, root, read_by)
    given = [match.words[word] for word in FREE if word in match.words and word != "row"]
    if (
        landing is None
        or root not in inside
        or not all(axis < len(x.shape) for axis in match.along or ())
        or any(node in inside or node is x for node in given)
    ):
        return None
    computed = Counter(matcher.same[node] for node in inside if not passes(node))
    twins = {node for node in inside if computed[matcher.same[node]] > 1}
    told = words_of(pattern, match, matcher.graph, landing, twins)
    if told is None:
        return None
    outside = [reader_of(node, read_by) for node in read_by.get(x, []) if node not in inside]
    readers = tuple(dict.fromkeys(str(node.name) for node in outside if node))
    leaks = [(one, node) for one in inside if one is not root for node in read_by.get(one, []) if node not in inside]
    shared = next(((one, named) for one, node in leaks if (named := reader_of(node, read_by))), None)
    return Occurrence(pattern, x, root, landing, inside, match.along or (), *told, readers, shared)


def _named(match: Match, graph: Graph) -> bool:
    x = match.words["x"]
    return x.name is not None and x is not match.node and x in graph.reached


def landed(node: Node, read_by: Readers) -> Node | None:
    """The named tensor whose gradient is that of `node`: itself, or the sum of several that it is added to."""
    while node.name is None:
        reading = read_by.get(node, [])
        if len(reading) != 1 or node.shape or reading[0].shape or reading[0].op is None:
            return None
        if list(reading[0].inputs.values()).count(node) != 1 or not adds(reading[0]):
            return None
        node = reading[0]
    return node


def adds(node: Node) -> bool:
    """Whether a tensor is the plain sum of what it is computed from."""
    keys = {one.key for one in node.op.signatures} if node.op else set()
    return "+" in keys and len(node.inputs) == 2 and node.parameters.get("alpha", 1) == 1


def consumers(graph: Graph) -> dict[Node, list[Node]]:
    """The tensors that are computed from each one and through which a gradient comes back."""
    read_by: dict[Node, list[Node]] = {}
    for node in graph.nodes:
        for source in node.inputs.values():
            if node in graph.reached:
                read_by.setdefault(source, []).append(node)
    return read_by


def between(x: Node, root: Node, read_by: Readers) -> set[Node]:
    """All tensors on some path from one to the other, the second among them."""
    below, pending = {x}, [x]
    while pending:
        more = [node for node in read_by.get(pending.pop(), []) if node not in below]
        below.update(more)
        pending += more
    inside, pending = {root} & below, [root]
    while pending:
        more = [node for node in pending.pop().inputs.values() if node in below and node not in inside]
        inside.update(more)
        pending += more
    return inside - {x}


def reader_of(node: Node, read_by: Readers) -> Node | None:
    """The named tensor that an anonymous one is a part of."""
    while node.name is None:
        if not read_by.get(node):
            return None
        node = read_by[node][0]
    return node
