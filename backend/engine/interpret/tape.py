"""A tape: the calls that lines make, written down while they run, to be made again on other tensors of their shapes.

What lines do depends on shapes alone: numbers of the program and of its shapes stand on the tape as they came out.
"""

from __future__ import annotations

import ast
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import getitem, itemgetter, setitem
from typing import Any

import torch

from backend.engine.interpret.evaluate import Evaluator, indices, pick
from backend.engine.language.guard import wants_memory
from backend.engine.language.pytree import holds_tensors, tensors_in
from backend.engine.language.tree import target_of
from backend.engine.language.values import Pair, Scope, Values

Function = Callable[..., Any]
# What a run holds, each at its place: the tensors that it is given, the tape's numbers, and what its calls return.
Held = list[Any]
# A function, the places of its arguments, and that of its result.
Written = tuple[Function, list[int], int]
PRECISIONS = frozenset({torch.float32, torch.float64})


class UnwrittenError(Exception):
    """A call that a tape can't hold: it reads a tensor that no call before has made."""


class TapeWriter(Evaluator):
    """Evaluates lines and writes down what they call; `given` are the names that they may read.

    The calls are `of_precision` where one is given a kind of floating point, or reads what such a kind can tell apart.
    """

    def __init__(self, scope: Values, given: Iterable[str]) -> None:
        super().__init__(scope)
        self.names = [name for name in given if name in scope]
        self.held: Held = []
        self.calls: list[Written] = []
        self.complete, self.of_precision = True, False
        self._places: dict[int, tuple[weakref.ref[torch.Tensor], int]] = {}
        tensors = list(tensors_in([scope[name] for name in self.names]))
        self.outlines = _outlines(tensors)
        for tensor in tensors:
            self._hold(tensor)

    def applied(self, function: Function, args: Sequence[Any], kwargs: Values) -> Any:
        if function is pick:
            function, args = getitem, (args[0], self.indexed(args[1], args[0].device))
        result = function(*args, **kwargs)
        if isinstance(result, torch.finfo):
            self.of_precision = True
        if self.complete and (isinstance(result, torch.Tensor) or function is setitem or holds_tensors(result)):
            try:
                self._write(function, args, kwargs, result)
            except UnwrittenError:
                self.complete = False
        return result

    def indexed(self, index: Any, device: torch.device) -> Any:
        """An index as torch takes it; what stands in it for a range or a list of numbers is the tape's own."""
        places = indices(index, device)
        if places is index or index == places:
            return places
        parts = (index, places) if isinstance(index, tuple) else ((index,), (places,))
        for part, place in zip(*parts, strict=True):
            if place is not part and isinstance(place, torch.Tensor):
                self.complete = self.complete and not holds_tensors(part)
                self._hold(place)
                self.held[-1] = place
        return places

    def assign(self, statement: ast.Assign, value: Any) -> None:
        if isinstance(value, torch.Tensor) and value.ndim and isinstance(target_of(statement), ast.Tuple):
            value = self.applied(torch.unbind, (value,), {})
        super().assign(statement, value)

    def tape(self, results: Iterable[Any]) -> Tape | None:
        """The tape, which returns these `results` when it has run; None where a call could not be written down."""
        try:
            return Tape(self, [self._place(value) for value in results]) if self.complete else None
        except UnwrittenError:
            return None

    def _write(self, function: Function, args: Sequence[Any], kwargs: Values, result: Any) -> None:
        read = [self._place(arg) for arg in args]
        if kwargs and holds_tensors([*kwargs.values()]):
            read += [self._place(value) for value in kwargs.values()]
            function = partial(_by_name, function, tuple(kwargs))
        elif kwargs:
            self.of_precision |= any(map(_is_precision, kwargs.values()))
            function = partial(function, **kwargs)
        self.calls.append((function, read, self._hold(result)))
        if isinstance(result, tuple | list):
            whole = len(self.held) - 1
            for number, part in enumerate(result):
                if isinstance(part, torch.Tensor):
                    self.calls.append((itemgetter(number), [whole], self._hold(part)))

    def _hold(self, value: Any) -> int:
        """A new place, which a tensor is known by from now on."""
        place = len(self.held)
        self.held.append(None)
        if isinstance(value, torch.Tensor):
            self._places[id(value)] = weakref.ref(value), place
        return place

    def _place(self, value: Any) -> int:
        """Where a tensor stands, or a new place for what is no tensor: itself, or a call that makes it of its parts."""
        if isinstance(value, torch.Tensor):
            known = self._places.get(id(value))
            if known is None or known[0]() is not value:
                raise UnwrittenError
            return known[1]
        if isinstance(value, tuple | list | Pair) and holds_tensors(value):
            parts = (value.values, value.indices) if isinstance(value, Pair) else value
            self.calls.append((_MAKERS[type(value)], [self._place(part) for part in parts], self._hold(None)))
        else:
            self.of_precision |= _is_precision(value)
            self.held.append(value)
        return len(self.held) - 1


class Tape:
    """The calls of some lines in their order, each with what reads its arguments, and the place of its result.

    A place that nobody reads any more is taken by a later result, so that what stood there is let go.
    """

    def __init__(self, writer: TapeWriter, results: list[int]) -> None:
        self.names, self.outlines, self.held = writer.names, writer.outlines, writer.held
        self.calls: list[tuple[Function, Callable[[Held], Any], int]] = []
        last = dict.fromkeys(results, len(writer.calls))
        for number in range(len(writer.calls) - 1, -1, -1):
            for place in writer.calls[number][1]:
                last.setdefault(place, number)
        free, now = list[int](), dict[int, int]()
        for number, (function, read, out) in enumerate(writer.calls):
            reader = _reader([now.get(place, place) for place in read])
            for place in {*read}:
                if place in now and last[place] == number:
                    free.append(now[place])
            now[out] = taken = free.pop() if free else out
            self.calls.append((function, reader, taken))
            if out not in last:
                free.append(taken)
        self.results = _reader([now.get(place, place) for place in results])

    def run(self, scope: Scope) -> Sequence[Any] | None:
        """The results on a scope's tensors; None where a call fails, or where the tensors have other shapes.

        The lines themselves then tell what is wrong with them, when they are evaluated.
        """
        given = list(tensors_in([scope[name] for name in self.names]))
        if _outlines(given) != self.outlines:
            return None
        held = self.held.copy()
        held[: len(given)] = given
        try:
            for function, read, out in self.calls:
                held[out] = function(*read(held))
        except Exception as error:
            if wants_memory(error):
                raise
            return None
        results: Sequence[Any] = self.results(held)
        return results


class Tapes:
    """The tapes of some lines, by the precision that they run in.

    One is written when the lines run for the second time in a precision: many programs are walked once, and writing
    takes a twentieth of a first walk. The other precision has the same unless the lines ask for theirs. None `may_be`
    where some shape depends on the numbers in tensors.
    """

    def __init__(self, may_be: bool) -> None:
        self.may_be = may_be
        self._runs = Counter[torch.dtype]()
        self._written: dict[torch.dtype, tuple[Tape, list[str]]] = {}

    def run(self, scope: Scope, dtype: torch.dtype) -> tuple[Values, Sequence[Any]] | None:
        """The names that the lines give values, with these, and what else their tape returns.

        None if there is no tape, or if it doesn't run on these tensors.
        """
        tape, names = self._written.get(dtype, (None, []))
        if tape is None or (results := tape.run(scope)) is None:
            return None
        return dict(zip(names, results, strict=False)), results[len(names) :]

    def evaluator(self, scope: Values, given: Callable[[], Iterable[str]], dtype: torch.dtype) -> Evaluator:
        """What runs the lines where no tape does; `given` says which names they read."""
        self._runs[dtype] += 1
        return TapeWriter(scope, given()) if self._runs[dtype] == 2 and self.may_be else Evaluator(scope)

    def keep(self, evaluator: Evaluator, before: Scope, further: Iterable[torch.Tensor], dtype: torch.dtype) -> None:
        """Keep the tape of lines that have run, if one was written: it returns what they changed, and what is `further`
        wanted."""
        if isinstance(evaluator, TapeWriter):
            made = {name: value for name, value in evaluator.scope.items() if value is not before.get(name, before)}
            if (tape := evaluator.tape([*made.values(), *further])) is not None:
                kinds = {dtype} if evaluator.of_precision else PRECISIONS
                self._written |= dict.fromkeys(kinds, (tape, list(made)))


def _reader(places: list[int]) -> Callable[[Held], Any]:
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1)) if places else _nothing


def _outlines(tensors: list[torch.Tensor]) -> list[tuple[torch.Size, torch.dtype | None]]:
    """What a tape must find again of tensors: those of floating point have the precision of the run."""
    return [(tensor.shape, None if tensor.is_floating_point() else tensor.dtype) for tensor in tensors]


def _is_precision(value: object) -> bool:
    return isinstance(value, torch.dtype) and value.is_floating_point


def _nothing(_: Held) -> tuple[()]:
    return ()


def _by_name(function: Function, names: tuple[str, ...], *values: Any) -> Any:
    """A call with the last of its arguments by their names."""
    first = len(values) - len(names)
    return function(*values[:first], **dict(zip(names, values[first:], strict=True)))


def _list(*parts: Any) -> list[Any]:
    return list(parts)


def _tuple(*parts: Any) -> tuple[Any, ...]:
    return parts


_MAKERS: dict[type, Function] = {list: _list, tuple: _tuple, Pair: Pair}
