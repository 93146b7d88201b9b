"""Common subexpressions of backward lines, and parts of lines that are too long, as named helper lines.

A helper computes exactly what the lines computed in its place, so that results stay equal bit for bit.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field

from backend.engine.language.grammar import MODULES
from backend.engine.language.nodes import Plain
from backend.engine.language.rebuild import rebuilt
from backend.engine.language.rewrite import filled_from
from backend.engine.language.tree import Assignment, children, names_in, nodes_in, target_of
from backend.engine.language.unparse import LONGEST_LINE, printed
from backend.engine.ops import OPS

# A repeated expression shorter than this is as quickly read as its name, and a longer one is no help to a long line.
SHORTEST, LONGEST_HELPER, MOST_HELPERS = 18, 100, 8
LONGEST_NAME = 20
# Methods and functions that compute nothing; `x.size(0)` is a number.
FREE = frozenset({"size"}.union(*(op.names() for op in OPS if op.is_free)))
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "sum", ast.Sub: "diff", ast.Mult: "product", ast.Div: "ratio", ast.MatMult: "product", ast.Pow: "power",
    ast.BitAnd: "mask", ast.BitOr: "mask", ast.BitXor: "mask", ast.FloorDiv: "ratio", ast.Mod: "rest",
}  # fmt: skip
WORDS = {name: op.helper_word for op in OPS if op.helper_word for name in op.names()}


@dataclass
class Site:
    """One statement, and the helper lines that are to stand before it."""

    statement: Assignment
    helpers: list[ast.Assign] = field(default_factory=list)

    @property
    def statements(self) -> list[Assignment]:
        """The helper lines, then the statement."""
        return [*self.helpers, self.statement]


class Helpers:
    """Finds helpers for the lines of one forward statement.

    `changing` are names whose value may differ from line to line: what reads them is shared within a line only.
    `named(expression, statement)` gives a helper its name and makes it known.
    """

    def __init__(
        self,
        changing: Set[str],
        named: Callable[[ast.expr, Assignment], str],
        is_tensor: Callable[[ast.expr], bool],
    ) -> None:
        self.changing, self.named, self.is_tensor = changing, named, is_tensor

    def place(self, statements: list[Assignment]) -> list[Site]:
        """The statements, each with the helpers that it needs before it and no line before it needs."""
        sites = [Site(statement) for statement in statements]
        while (repeated := self.repeated(sites)) is not None:
            self.extract(*repeated)
        for site in sites:
            self.shorten(site, sites)
        return sites

    def repeated(self, sites: list[Site]) -> tuple[ast.expr, list[Site]] | None:
        """The longest expression that is computed more than once, where it is worth a name, and where it is read."""
        found: dict[str, list[tuple[ast.expr, Site]]] = {}
        for site in sites:
            for line in site.statements:
                for part in _parts(line.value):
                    found.setdefault(printed(part), []).append((part, site))
        often = [same for uses in found.values() if len(uses) > 1 for same in self.alike(uses)]
        often = [uses for uses in often if len(uses) > 1 and self.is_tensor(uses[0][0])]
        if not often:
            return None
        longest = max(often, key=lambda uses: len(printed(uses[0][0])))
        return longest[0][0], [site for _, site in longest]

    def alike(self, uses: list[tuple[ast.expr, Site]]) -> list[list[tuple[ast.expr, Site]]]:
        """The uses of an expression by the lines among which its value stays the same."""
        if not self.changes(uses[0][0]):
            return [uses]
        apart: dict[int, list[tuple[ast.expr, Site]]] = {}
        for use in uses:
            apart.setdefault(id(use[1]), []).append(use)
        return list(apart.values())

    def changes(self, part: ast.expr) -> bool:
        """Whether a later line may find another value there."""
        return not self.changing.isdisjoint(names_in(part))

    def extract(self, expr: ast.expr, using: list[Site]) -> None:
        """Write an expression before the first line that reads it, and its name in its place in all of them."""
        text, first = printed(expr), using[0]
        name = self.named(expr, first.statement)
        for site in using:
            for line in site.statements:
                line.value = _replaced(line.value, text, name)
        readers = (number for number, helper in enumerate(first.helpers) if name in names_in(helper.value))
        first.helpers.insert(next(readers, len(first.helpers)), ast.Assign([ast.Name(name, ast.Store())], expr))

    def shorten(self, site: Site, sites: list[Site]) -> None:
        """Take parts out of a line until it is short enough, the outermost first."""
        for _ in range(MOST_HELPERS):
            long = self.longest_of(site)
            part = None if long is None else self.part_of(long)
            if part is None:
                return
            self.extract(part, [site] if self.changes(part) else [site, *sites[sites.index(site) + 1 :]])

    def longest_of(self, site: Site) -> Assignment | None:
        long = [statement for statement in site.statements if len(printed(statement)) > LONGEST_LINE]
        return max(long, key=lambda statement: len(printed(statement)), default=None)

    def is_shortened(self, part: ast.expr, statement: Assignment) -> bool:
        """Whether the name that a part would get is shorter than the part; of long names only a broken line is."""
        owner = printed(target_of(statement)).partition("[")[0]
        return not isinstance(part, ast.Name) and len(helper_name(part, owner)) < len(printed(part))

    def part_of(self, statement: Assignment) -> ast.expr | None:
        """The part of a long line to name: as far outside as may be, without a gradient in it if possible."""
        over = len(printed(statement)) - LONGEST_LINE
        parts = [(depth, part, len(printed(part))) for depth, part in _by_depth(statement.value) if depth]
        parts = [one for one in parts if SHORTEST <= one[2] <= LONGEST_HELPER and self.is_tensor(one[1])]
        parts = [one for one in parts if self.is_shortened(one[1], statement) and filled_from(one[1]) is None]
        working = [one for one in parts if _is_work(one[1])]
        enough = [one for one in working if one[2] >= over + SHORTEST]

        def rank(one: tuple[int, ast.expr, int]) -> tuple[int, bool, int]:
            return one[0], self.changes(one[1]), -one[2]

        return min(enough or working or parts, key=rank, default=(0, None, 0))[1]


def _parts(value: ast.expr) -> Iterator[ast.expr]:
    """The expressions in a value that could be computed apart from it, and are long enough for a name."""
    pending = [value]
    while pending:
        part = pending.pop()
        if len(printed(part)) < SHORTEST:
            continue
        pending.extend(_operands(part))
        if _is_work(part):
            yield part


def _replaced(node: ast.expr, text: str, name: str) -> ast.expr:
    """An expression with a name for each part that is printed like this."""
    if printed(node) == text:
        return ast.Name(name, ast.Load())
    return rebuilt(node, lambda part: _replaced(part, text, name))


def _operands(node: ast.expr) -> list[ast.expr]:
    """The expressions that an expression is computed from; the name of a function or method is none."""
    if isinstance(node, ast.Call):
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*receiver, *node.args, *(keyword.value for keyword in node.keywords)]
    return [child for child in children(node) if isinstance(child, ast.expr)]


def _by_depth(value: ast.expr, depth: int = 0) -> Iterator[tuple[int, ast.expr]]:
    yield depth, value
    for part in _operands(value):
        # A sign or a change of shape is no level of its own.
        yield from _by_depth(part, depth + (not isinstance(value, ast.UnaryOp) and _is_work(value)))


def _is_work(part: ast.expr) -> bool:
    if isinstance(part, ast.BinOp | ast.Compare):
        return not isinstance(part, Plain)
    return isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr not in FREE


def helper_name(expr: ast.expr, owner: str) -> str:
    """A name for an expression, after what it computes and of what: `x_norm`; of several tensors, after its owner."""
    subjects = _tensors_in(expr)
    subject = subjects.pop() if len(subjects) == 1 else owner
    return f"{subject if len(subject) <= LONGEST_NAME else min(subject, owner, key=len)}_{word_for(expr)}"


def _tensors_in(expr: ast.expr) -> set[str]:
    """Names in an expression, but for those of modules, of plain numbers, and of tensors that only give their shape."""
    names, others = set[str](), set(MODULES)
    for part in nodes_in(expr):
        if isinstance(part, ast.Name):
            (others if isinstance(part, Plain) else names).add(part.id)
        elif isinstance(part, ast.Attribute) and part.attr == "shape":
            others |= names_in(part)
    return names - others


def word_for(expr: ast.expr) -> str:
    """What an expression computes, in one word."""
    match expr:
        case ast.BinOp(op=op):
            return OPERATORS[type(op)]
        case ast.UnaryOp(operand=operand):
            return word_for(operand)
        case ast.Call(func=ast.Attribute(attr=name)):
            return WORDS.get(name, name)
        case ast.Compare():
            return "mask"
    return "part"
