"""What is missing from the table of code as found: supposed, tried, and put into small sizes that agree."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

import torch

from backend.engine.filling.asked import MOST_CELLS, pairs
from backend.engine.filling.by_name import axes_of, kind_of, role_of
from backend.engine.filling.moves import OF_LAYERS
from backend.engine.filling.sizes import small_sizes
from backend.engine.filling.slots import Kind, State
from backend.engine.filling.solve import Outcome, Search, settled
from backend.engine.filling.uses import Use, uses_in
from backend.engine.interpret.evaluate import DefaultDtype, shape_text
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guard
from backend.engine.language.tree import nodes_in, number
from backend.engine.language.values import Scope
from backend.lowering.budget import Exhausted
from backend.lowering.doors import doors_in
from backend.lowering.first_use import Free, Side
from backend.lowering.guesses import Guess, Guesser
from backend.lowering.lower import Lowering
from backend.lowering.manner import Manner
from backend.lowering.reading import Reading
from backend.lowering.told_shapes import shapes_told, whole_told
from backend.lowering.values import Spec
from backend.program.found import Lowered

MOST_TRIALS, MOST_SETTLING, MOST_NUMBERS, MOST_WITH_NUMBER, LONG = 70, 30, 8, 5, 400
# Numbers of which nothing but what they do tells how large they are: others are tried where lengths don't agree.
WINDOW, WINDOWS = re.compile(r"^(kernel|pad)|(^|_)reps?$|^group_size$"), (2, 1)
# The sides of an image that the code makes up itself, to count what a network leaves of it.
OF_IMAGE, IMAGE = re.compile(r"^(h|w|H|W|height|width|(img|image|in)_?(size|height|width)|resolution)$"), 84
CONTEXT = 5  # the usual length of a text, which isn't by chance that of something else
COUNTED = 2  # how often something is done or how much is cut off, where a name tells of no whole number
NO_ROWS: Mapping[str, Spec] = {}
OF_LENGTHS = frozenset({"shapes-do-not-fit", "broadcast-mismatch", "reshape-mismatch"})


class Supposing(Guesser):
    """Answers what is asked with what is supposed; what is asked for the first time is supposed by its name and use."""

    def __init__(
        self, state: State, uses: Mapping[str, Use], numbers: Mapping[str, int], rows: Mapping[str, Spec] = NO_ROWS
    ) -> None:
        super().__init__()
        self.state, self.uses, self.numbers, self.rows = state, uses, numbers, rows
        self.asked: dict[str, int | float] = {}

    def tensor(self, path: str, use: Spec | None = None) -> Guess:
        if path not in self.state.slots:
            known = self.uses.get(leaf(path), Use())
            if known.by_row and (examples := self.examples()):
                self.state = self.state.placed(path, "whole", [examples])
            elif use is not None and _agrees(known, use):
                self.state = self.state.placed(path, _kind_of(use), [_length_of(size) for size in use["shape"]])
            else:
                axes = known.axes or max(axes_of(leaf(path), known.kind), known.least)
                self.state = self.state.added(path, known.kind or kind_of(leaf(path)), axes)
        return Guess(self.rows.get(path) or row_of(self.state, path), "")

    def examples(self) -> int | None:
        """How many rows the data have, once any were asked for."""
        data = (path for path in self.state.slots if role_of(leaf(path)) == "data")
        return next((self.state.shape(path)[0] for path in data if self.state.shape(path)), None)

    def number(self, path: str, is_size: bool = False) -> int | float:
        use = self.uses.get(leaf(path), Use())
        value = 1 if use.single else super().number(path, is_size)
        if use.counted and not (isinstance(value, int) and value):
            value = COUNTED
        self.asked[path] = self.numbers.get(path, value)
        return self.asked[path]

    def is_number(self, path: str) -> bool:
        return self.uses.get(leaf(path), Use()).number

    def is_constant(self, path: str) -> bool:
        use = self.uses.get(leaf(path), Use())
        return super().is_constant(path) and use.axes is None and not use.least and use.kind is None


def _agrees(known: Use, use: Spec) -> bool:
    """Whether what a first use says of a tensor is what all its uses say."""
    axes = len(use["shape"])
    return (known.axes or axes) == axes and known.least <= axes and (known.kind or _kind_of(use)) == _kind_of(use)


def _kind_of(use: Spec) -> Kind:
    kinds: dict[str, Kind] = {"randint": "whole", "rand": "unit"}
    return kinds.get(use["init"], "decimals")


def _length_of(size: int) -> int | None:
    """A length that something decides; None for one of its own."""
    return None if isinstance(size, Free) and not isinstance(size, Side) else int(size)


def _is_supposed(state: State, refusal: Refusal) -> bool:
    """Whether what is too large is nothing but a tensor that is supposed to be."""
    shapes = {shape_text(state.shape(name)) for name in state.slots}
    return refusal.code == "tensor-too-large" and refusal.facts.get("shape") in shapes


def leaf(path: str) -> str:
    """The last word of a path."""
    return path.rpartition(".")[2]


def row_of(state: State, path: str, below: int | None = None) -> Spec:
    """The row of the table for what is supposed of a tensor."""
    kind, shape, role = state.slots[path].kind, list(state.shape(path)), role_of(leaf(path))
    if kind == "mask":
        return {"role": "constant", "values": lower_triangle(shape)}
    if kind == "whole":
        role = "data" if role == "parameter" else role
        return {"role": role, "shape": shape, "init": "randint", "low": 0, "high": below or 2}
    if role == "constant" and len(shape) >= 2 and shape[-1] == shape[-2]:
        return {"role": role, "values": (lower_triangle(shape, number=True))}
    if kind == "unit":
        return {"role": role, "shape": shape, "init": "rand"}
    scale = {"scale": round(shape[-2] ** -0.5, 2)} if role == "parameter" and len(shape) >= 2 and shape[-2] else {}
    return {"role": role, "shape": shape, "init": "randn", **scale}


def lower_triangle(shape: Sequence[int], number: bool = False) -> object:
    """What lies behind may be seen, what lies ahead may not."""
    made = torch.ones(tuple(shape), dtype=torch.bool)
    if len(shape) >= 2:
        made = made.tril()
    return (made.float() if number else made).tolist()


class Stopped(BaseException):
    """A trial met its first fault, which says what to try next."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__()
        self.refusal = refusal


class Trial(Lowering):
    """A lowering that ends at its first fault, but for those that the loss may have nothing to do with."""

    is_strict = True  # whether what the text asserts has to hold

    def fault(self, refusal: Refusal, statement: ast.stmt) -> None:
        if not self.is_aside(refusal, statement):
            raise Stopped(refusal.locate(statement, self.notes.text))
        super().fault(refusal, statement)

    def asserted(self, statement: ast.Assert) -> None:
        """What a text asserts of its sizes says which to try: heads that divide a width."""
        super().asserted(statement)
        match statement.test:
            case ast.Compare(left=ast.BinOp(op=ast.Mod()), ops=[ast.Eq()], comparators=[ast.Constant(value=0)]):
                told = self.measures(statement.test) if self.is_strict else {}
                if told.get("divisor", 0) > 0 and told["m"] % told["divisor"]:
                    raise Stopped(Refusal("found-raise", at=statement, **told).locate(statement, self.notes.text))


@dataclass
class Supposition:
    """What came of it: the lowered program, and what was supposed."""

    lowered: Lowered
    state: State
    letters: Mapping[int, str] = field(default_factory=dict)


class Trials:
    """One text with its table, lowered with one supposition after the other."""

    def __init__(
        self, source: str, tensors: Mapping[str, torch.Tensor], constants: Scope, loss: str | None, dtype: torch.dtype
    ) -> None:
        self.source, self.tensors, self.constants, self.loss, self.dtype = source, tensors, constants, loss, dtype
        self.reading = Reading(source)
        self.tree = self.reading.found.tree
        if doors := doors_in(self.tree, source):
            doors[0].others = doors[1:]
            raise doors[0]
        self.uses = uses_in(self.tree)
        for name, axes in shapes_told(self.tree, source).items():
            use = self.uses.setdefault(name, Use())
            if use.axes is None and use.least <= len(axes):
                use.axes, use.named = len(axes), [one if one.isidentifier() else "_" for one in axes]
        for name in whole_told(self.tree):
            use = self.uses.setdefault(name, Use())
            use.kind = use.kind or "whole"
        self.lines = source.split("\n")
        self.lowered: Lowered | None = None
        self.asked: dict[str, int | float] = {}  # the numbers that nothing in the code decides, by their paths
        self.manner = Manner()
        self.is_strict = True  # as long as there are sizes for which what the text asserts holds
        self.rows: Mapping[str, Spec] = {}  # what the table is to have, where that is settled
        self.has_looked = False  # whether the last run decided anything by numbers

    def lowering(self, kind: type[Lowering], supposing: Supposing) -> Lowering:
        """One run with what is supposed so far, of tensors and of everything else."""
        one = kind(self.reading, self.tensors, self.constants, supposing)
        self.manner.given_to(one)
        if isinstance(one, Trial):
            one.is_strict = self.is_strict
        return one

    def __call__(self, state: State) -> Outcome:
        supposing = Supposing(state, self.uses, self.manner.numbers, self.rows)
        one = self.lowering(Trial, supposing)
        try:
            return self.tried(one, state, supposing)
        finally:
            self.asked = supposing.asked

    def tried(self, one: Lowering, state: State, supposing: Supposing) -> Outcome:
        """How far one run comes."""
        try:
            with DefaultDtype(self.dtype), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # torch warns of shapes that it takes and nobody means
                self.lowered = one.lowered(self.loss)
                self.has_looked = one.actual is not None
        except (Refusal, Stopped) as error:
            refusal = error.refusal if isinstance(error, Stopped) else error
            if not _is_supposed(state, refusal) and self.manner.changed_by(refusal, one, self.reading.widths):
                return self(state)
            return Outcome(
                supposing.state, refusal, one.budget.progress, self.near(supposing.state, refusal), one.budget.steps
            )
        except Exception as error:
            with guard(one.place, self.source):  # what nobody foresaw is refused, where it happened
                raise error
        return Outcome(supposing.state, None, (*one.budget.progress, 1), steps=one.budget.steps)

    def near(self, state: State, refusal: Refusal) -> list[str]:
        """What is missing, in the order in which it is likely to be at fault: what the line names comes first.

        Where a program is too long, other shapes wouldn't help.
        """
        if isinstance(refusal, Exhausted):
            return []
        line = int((refusal.where or {}).get("line", 0))
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        latest = list(state.slots)[::-1]
        return sorted(latest, key=lambda path: leaf(path) not in text)

    def run(self) -> Supposition:
        """The program with what is missing supposed; raises Refusal where no supposition leads to its end."""
        begun = self.begun()
        found = self.search(begun)
        if found.refusal is not None and found.refusal.code == "found-raise" and "divisor" in found.refusal.facts:
            self.is_strict = False
            found = self.search(begun)
        if found.refusal is not None and found.refusal.code in OF_LENGTHS:
            elsewhere = Search(self, self.sizes, MOST_SETTLING, LONG).run(self.begun(frozenset()))
            found = elsewhere if elsewhere.refusal is None else found
        found = self.with_other_numbers(found)
        if found.refusal is not None or self.lowered is None:
            raise self.all_faults(found.state, found.refusal)
        first, state = self.lowered, found.state
        if not state.slots:
            return Supposition(first, state)
        roles = {path: role_of(leaf(path)) for path in state.slots}
        sizes, letters = small_sizes(state, {path: self.uses.get(leaf(path), Use()) for path in state.slots}, roles)
        small = settled(lambda: Search(self, self.sizes, MOST_SETTLING, LONG), state, sizes)
        return Supposition(self.lowered if small else first, small or state, letters)

    def begun(self, avoided: frozenset[int] = frozenset({CONTEXT})) -> State:
        return State({}, {}, avoided=frozenset([*self.sizes, *avoided]))

    def search(self, begun: State) -> Outcome:
        return Search(self, self.sizes, MOST_TRIALS, LONG).run(begun)

    def with_other_numbers(self, found: Outcome) -> Outcome:
        """The same with another kernel, padding, number of copies or width, which only lengths behind it decide."""
        if found.refusal is None or found.refusal.code not in OF_LENGTHS:
            return found
        # a layer that is made with another number has another input
        state = self.begun() if found.refusal.entry in OF_LAYERS else found.state
        for numbers in islice(self.other_numbers(found.refusal), MOST_NUMBERS):
            self.manner.numbers = numbers
            other = Search(self, self.sizes, MOST_WITH_NUMBER, LONG).run(state)
            if other.refusal is not None and other.progress > found.progress and state.slots == {}:
                other = self.search(other.state)
            if other.refusal is None:
                return other
        self.manner.numbers = {}
        return found

    def with_other_picks(self, found: Supposition) -> Iterator[Supposition]:
        """The same with decimals below one, of which whole numbers are made, or with a number as large as a length."""
        state, longest = found.state, max(found.state.lengths.values(), default=0)
        shorter = [path for path, value in self.asked.items() if isinstance(value, int) and 0 < value < longest]
        units = [state.with_kind(path, "unit") for path in self.decimals_of(state)]
        for one, path in [*((one, None) for one in units), *((state, path) for path in shorter)][:MOST_NUMBERS]:
            self.manner.numbers = {path: longest} if path else {}
            if self(one).refusal is None and self.lowered is not None:
                yield Supposition(self.lowered, one, found.letters)

    def with_rows(self, found: Supposition, rows: Mapping[str, Spec]) -> Supposition | None:
        """The same with the numbers that the table will have, by which branches may be decided otherwise.

        None where nothing was decided by numbers, or where it leads nowhere.
        """
        if not self.has_looked or all(row_of(found.state, path) == row for path, row in rows.items()):
            return None
        self.rows = rows
        if self(found.state).refusal is not None or self.lowered is None:
            return None
        return Supposition(self.lowered, found.state, found.letters)

    def decimals_of(self, state: State) -> list[str]:
        """What is supposed to be decimals, but for parameters."""
        decimals = [path for path, slot in state.slots.items() if slot.kind == "decimals"]
        return [path for path in decimals if role_of(leaf(path)) != "parameter"]

    def with_shares(self, found: Supposition) -> Iterator[Supposition]:
        """The same with decimals below one: all of them, or one after the other, parameters last."""
        state = found.state
        data = self.decimals_of(state)
        others = [path for path, slot in state.slots.items() if slot.kind == "decimals" and path not in data]
        for paths in dict.fromkeys([tuple(data), *((path,) for path in (*data, *others)), (*data, *others)]):
            one = state
            for path in paths:
                one = one.with_kind(path, "unit")
            if paths and self(one).refusal is None and self.lowered is not None:
                yield Supposition(self.lowered, one, found.letters)

    def other_numbers(self, refusal: Refusal) -> Iterator[dict[str, int]]:
        """Numbers that nothing in the code decides, with what else they may be: a width is as long as what it met."""
        asked = dict(self.asked)
        sides = [path for path in asked if OF_IMAGE.search(leaf(path))]
        if sides and str(refusal.facts.get("name", "")).startswith("F.conv"):
            yield dict.fromkeys(sides, IMAGE)
        if refusal.entry == "shapes-do-not-fit/empty":  # one number is all of what it is taken from
            yield from ({path: 2 * size} for path, size in asked.items() if isinstance(size, int) and size > 1)
        windows = [path for path in sorted(asked) if WINDOW.search(leaf(path))]
        yield from ({path: size} for path, size in product(windows, WINDOWS))
        for short, long in dict.fromkeys((min(met), max(met)) for met in pairs(refusal) if len({*met}) == 2):
            ways = ((short, long), (long, short)) if short > 1 and long <= MOST_CELLS else ()
            yield from ({path: wanted} for one, wanted in ways for path, size in asked.items() if size == one)

    def all_faults(self, state: State, first: Refusal | None) -> Refusal:
        """Every fault that can be told with these suppositions, the first one first."""
        if isinstance(first, Exhausted):
            return first
        self.manner.is_thin = False  # what is told are the sizes that stand in the text
        try:
            with DefaultDtype(self.dtype):
                self.lowering(Lowering, Supposing(state, self.uses, self.manner.numbers)).lowered(self.loss)
        except Refusal as refusal:
            return refusal
        return first or Refusal("no-tensor-assigned")

    @property
    def sizes(self) -> list[int]:
        """Numbers that mean something: those of the text, and of what is given."""
        numerals = [number(node) for node in nodes_in(self.tree) if isinstance(node, ast.Constant)]
        given = [size for tensor in self.tensors.values() for size in tensor.shape]
        known = [*numerals, *self.constants.values(), *given]
        return list(dict.fromkeys(size for size in known if type(size) is int and size))
