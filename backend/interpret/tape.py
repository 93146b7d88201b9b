"""A tape: the calls that lines make, written down while they run, to be made again on other tensors of their shapes.

What lines do depends on shapes alone: numbers of the program and of its shapes stand on the tape as they came out.
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import getitem, itemgetter, setitem
from typing import Any

import torch

from backend.interpret.evaluate import Evaluator, indices, pick
from backend.language.guard import wants_memory
from backend.language.pytree import holds_tensors, tensors_in, with_tensors
from backend.language.tree import target_of
from backend.language.values import Pair, Scope, Values

Function = Callable[..., Any]
Held = list[Any]  # what a run holds: the tensors that it is given, the tape's numbers, and what its calls return


class Unwritten(Exception):
    """A call that a tape can't hold: it reads a tensor that no call before has made."""


class Place(int):
    """Where a tensor stands among those that a run of a tape holds."""


class Recorder(Evaluator):
    """Evaluates lines and writes down what they call; `given` are the names that they may read."""

    def __init__(self, scope: Values, given: Iterable[str]) -> None:
        super().__init__(scope)
        self.given = {name: scope[name] for name in given if name in scope}
        self.held: Held = []
        self.calls: list[tuple[Function, list[int], int]] = []
        self.complete = True
        self._places: dict[int, tuple[weakref.ref[torch.Tensor], int]] = {}
        for value in self.given.values():
            for tensor in tensors_in(value):
                self._held(tensor)
        self.outlines = [_outline(tensor) for value in self.given.values() for tensor in tensors_in(value)]

    def called(self, function: Function, args: Sequence[Any], kwargs: Values) -> Any:
        if function is pick:
            function, args = getitem, (args[0], self.indexed(args[1], args[0].device))
        result = function(*args, **kwargs)
        if self.complete and (isinstance(result, torch.Tensor) or function is setitem or holds_tensors(result)):
            try:
                self._write(function, args, kwargs, result)
            except Unwritten:
                self.complete = False
        return result

    def indexed(self, index: Any, device: torch.device) -> Any:
        """An index as torch takes it, of which what stands for a range or a list of numbers is the tape's own."""
        places = indices(index, device)
        before = [id(tensor) for tensor in tensors_in(index)]
        for part in places if isinstance(places, tuple) else (places,):
            if isinstance(part, torch.Tensor) and id(part) not in before:
                self._own(part, index)
        return places

    def _own(self, tensor: torch.Tensor, index: Any) -> None:
        lists = [part for part in (index if isinstance(index, tuple) else (index,)) if isinstance(part, list | tuple)]
        if holds_tensors(lists):
            self.complete = False  # it was made of numbers in tensors
        self.held.append(tensor)
        self._places[id(tensor)] = weakref.ref(tensor), len(self.held) - 1

    def assign(self, statement: ast.Assign, value: Any) -> None:
        if isinstance(target_of(statement), ast.Tuple) and isinstance(value, torch.Tensor) and value.ndim:
            value = self.called(torch.unbind, (value,), {})
        super().assign(statement, value)

    def place(self, tensor: torch.Tensor) -> Place:
        """Where a tensor stands on the tape."""
        known = self._places.get(id(tensor))
        if known is None or known[0]() is not tensor:
            raise Unwritten
        return Place(known[1])

    def template(self, value: Any) -> Any:
        """A value with places where it has tensors."""
        return with_tensors(value, self.place)  # type: ignore[arg-type]  # a place stands for its tensor

    def tape(self, results: Any) -> Tape | None:
        """The tape, which gives `results` when it has run; None where a call could not be written down."""
        if not self.complete:
            return None
        try:
            return Tape(self, self.template(results))
        except Unwritten:
            return None

    def _write(self, function: Function, args: Sequence[Any], kwargs: Values, result: Any) -> None:
        read = [self._read(arg) for arg in args]
        if kwargs and holds_tensors(list(kwargs.values())):
            read += [self._read(value) for value in kwargs.values()]
            function = partial(_by_name, function, tuple(kwargs))
        elif kwargs:
            function = partial(function, **kwargs)
        self.calls.append((function, read, self._held(result)))
        if isinstance(result, tuple | list):
            whole = len(self.held) - 1
            for number, part in enumerate(result):
                if isinstance(part, torch.Tensor):
                    self.calls.append((itemgetter(number), [whole], self._held(part)))

    def _held(self, value: Any) -> int:
        place = len(self.held)
        self.held.append(None)
        if isinstance(value, torch.Tensor):
            self._places[id(value)] = weakref.ref(value), place
        return place

    def _read(self, value: Any) -> int:
        if isinstance(value, torch.Tensor):
            return self.place(value)
        if isinstance(value, tuple | list | Pair) and holds_tensors(value):
            parts = (value.values, value.indices) if isinstance(value, Pair) else value
            self.calls.append((_MAKERS[type(value)], [self._read(part) for part in parts], self._held(None)))
        else:
            self.held.append(value)
        return len(self.held) - 1


class Tape:
    """The calls of some lines, in their order, with the places of what they read and of what they return."""

    def __init__(self, recorder: Recorder, results: Any) -> None:
        self.names, self.outlines, self.results = list(recorder.given), recorder.outlines, results
        self.held, self.calls = list(recorder.held), list[tuple[Function, Callable[[Held], Any], int]]()
        kept = set(_places_in(results))
        last = {place: number for number, (_, read, _) in enumerate(recorder.calls) for place in read}
        free = list[int]()
        at = dict[int, int]()  # a place that nobody reads any more is the next result's: its tensor goes with that
        for number, (function, read, out) in enumerate(recorder.calls):
            reader = _reader([at.get(place, place) for place in read])
            free += [at[place] for place in {*read} if place in at and last[place] == number and place not in kept]
            at[out] = free.pop() if free else out
            self.calls.append((function, reader, at[out]))
            if out not in last and out not in kept:
                free.append(at[out])
        self.results = _moved(results, at)

    def run(self, scope: Scope) -> Held | None:
        """What a run on a scope's tensors holds; None where a call fails or the tensors have other shapes.

        The lines themselves tell then what is wrong with them, once they are evaluated.
        """
        given = [tensor for name in self.names for tensor in tensors_in(scope[name])]
        if [_outline(tensor) for tensor in given] != self.outlines:
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
        return held


class Tapes:
    """The tapes of some lines, by the precision that they run in.

    One is written when the lines run for the second time: many programs are walked once, and writing costs a little.
    None `may_be` where some shape depends on the numbers in tensors.
    """

    def __init__(self, may_be: bool) -> None:
        self.may_be = may_be
        self._runs: dict[torch.dtype, int] = {}
        self._written: dict[torch.dtype, Tape] = {}

    def run(self, scope: Scope, dtype: torch.dtype) -> Any:
        """What a tape's results are, if there is one and it runs on these tensors; else None."""
        tape = self._written.get(dtype)
        held = tape.run(scope) if tape else None
        return None if tape is None or held is None else filled(tape.results, held)

    def evaluator(self, scope: Values, given: Callable[[], Iterable[str]], dtype: torch.dtype) -> Evaluator:
        """What runs the lines where no tape does; `given` says which names they read."""
        runs = self._runs[dtype] = self._runs.get(dtype, 0) + 1
        return Recorder(scope, given()) if runs == 2 and self.may_be else Evaluator(scope)

    def keep(self, evaluator: Evaluator, results: Callable[[], Any], dtype: torch.dtype) -> None:
        """Keep the tape of lines that have run, if it was written; it gives these results."""
        tape = evaluator.tape(results()) if isinstance(evaluator, Recorder) else None
        if tape is not None:
            self._written[dtype] = tape


def filled(template: Any, held: Held) -> Any:
    """A template with the tensors that stand at its places."""
    if type(template) is Place:
        return held[template]
    if isinstance(template, Pair):
        return Pair(filled(template.values, held), filled(template.indices, held))
    if isinstance(template, tuple | list):
        return type(template)(filled(part, held) for part in template)
    return template


def _places_in(template: Any) -> list[int]:
    if type(template) is Place:
        return [template]
    if isinstance(template, Pair):
        return _places_in([template.values, template.indices])
    return [place for part in template for place in _places_in(part)] if isinstance(template, tuple | list) else []


def _moved(template: Any, at: dict[int, int]) -> Any:
    if type(template) is Place:
        return Place(at.get(template, template))
    if isinstance(template, Pair):
        return Pair(_moved(template.values, at), _moved(template.indices, at))
    if isinstance(template, tuple | list):
        return type(template)(_moved(part, at) for part in template)
    return template


def _reader(places: list[int]) -> Callable[[Held], Any]:
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1)) if places else _nothing


def _nothing(_: Held) -> tuple[()]:
    return ()


def _by_name(function: Function, names: tuple[str, ...], *values: Any) -> Any:
    """A call with some of its arguments by their names, which are its last ones."""
    first = len(values) - len(names)
    return function(*values[:first], **dict(zip(names, values[first:], strict=True)))


def _list(*parts: Any) -> list[Any]:
    return list(parts)


def _tuple(*parts: Any) -> tuple[Any, ...]:
    return parts


_MAKERS: dict[type, Function] = {list: _list, tuple: _tuple, Pair: Pair}


def _outline(tensor: torch.Tensor) -> tuple[torch.Size, torch.dtype]:
    return tensor.shape, tensor.dtype
