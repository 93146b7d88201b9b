"""The recorder: watches every call of PyTorch while a model runs, and writes it as a line of the small language."""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from types import FrameType
from typing import Any, cast

import torch
from torch import overrides
from torch.overrides import TorchFunctionMode

from backend.engine.language.tree import loaded_in
from gradwalk.recorder import complex_pairs, first_order, inside, lowerings, moving, spelling, tangent
from gradwalk.recorder.drawn import DRAWN
from gradwalk.recorder.function import INSIDE, Function, saved_as_they_are
from gradwalk.recorder.memory import Memory
from gradwalk.recorder.modules import Modules
from gradwalk.recorder.places import Place, frames_from, place_of, users
from gradwalk.recorder.shared import GIVING
from gradwalk.recorder.spelling import SpellingError, name_of, plain_of
from gradwalk.recorder.trial import Trials, same
from gradwalk.recorder.values import Row, Value, carries, tensors_in

# Ask about a tensor, or prepare it: nothing is computed.
SILENT = {
    "requires_grad_", "retain_grad", "register_hook", "backward", "_set_grad_enabled", "__get__", "size", "dim",
    "numel", "is_floating_point", "stride", "numpy", "detach", "detach_", "__set__", "__len__",
    "register_post_accumulate_grad_hook", "is_contiguous", "data_ptr",
    "untyped_storage", "storage_offset", "element_size",
}  # fmt: skip
AGAIN = {"grad", "backward"}  # go back through what has been recorded
THE_SAME = {"torch.Tensor.data.__get__", "torch.Tensor.detach"}  # where autograd plays no part
EMPTY = {"empty", "empty_like", "new_empty", "empty_strided", "empty_permuted"}  # a run leaves in them what it finds
NUMBERS = {"item", "__float__", "__int__", "__bool__", "__index__", "tolist"}
modes: Callable[[], list[TorchFunctionMode]] = overrides._get_current_function_mode_stack


class Recorder(TorchFunctionMode):
    """One run of a model, as it is recorded."""

    def __init__(self, modules: Modules, stop: FrameType | None) -> None:
        super().__init__()
        self.memory = Memory(self.unseen)
        self.memory.label = lambda tensor: modules.labels.get(id(tensor), "")
        self.modules, self.stop = modules, stop
        self.rows: list[Row] = []
        self.trials = Trials()
        self.missing: dict[str, str] = {}
        self.notes: dict[str, None] = {}
        self.functions: dict[Function, list[Any]] = {}
        self.thread = threading.get_ident()
        self.depth = 0
        self.again: Any = None
        self.transformed = False
        self.place = Place()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """One call, run as it is and written down."""
        args = tuple(map(kept_open, args))
        kwargs = {key: kept_open(one) for key, one in kwargs.items()} if kwargs else {}
        name = name_of(func)
        word = spelling.short(name)
        transformed = torch._C._functorch.peek_interpreter_stack() is not None
        self.transformed |= transformed
        elsewhere = transformed or threading.get_ident() != self.thread or is_traced()
        if INSIDE.depth and name in THE_SAME:
            return args[0]
        if word in GIVING and not elsewhere:
            self.memory.give(args[0])
        quiet = func if elsewhere else unrecorded(func, name, word, args)
        if quiet is not None:
            return quiet(*args, **kwargs)
        with torch.enable_grad() if INSIDE.depth else nullcontext():
            return self.seen(func, name, word, args, kwargs)

    def seen(self, func: Any, name: str, word: str, args: Any, kwargs: Any) -> Any:
        """One call that computes something, here and now."""
        if self.depth == 0:
            self.place = self.placed()
        if works_in_place(func, name, word, args, kwargs):
            return self.in_place(func, name, args, kwargs)
        given = tensors_in([args, kwargs])
        if not carries(given) or not torch.is_grad_enabled():
            self.memory.spare(func, word, args, kwargs)
            made = func(*args, **kwargs)
            return cleared(made) if word in EMPTY else made
        return self.call(func, name, word, args, kwargs)

    @staticmethod
    def numbers_in(expression: ast.expr) -> list[int]:
        """The numbers of the values that an expression reads, each once, in the order in which it does."""
        names = dict.fromkeys(loaded_in(expression))
        return [int(name[1:]) for name in names if name[0] == "v" and name[1:].isdigit()]

    # One call.
    def call(self, func: Any, name: str, word: str, args: Any, kwargs: Any) -> Any:
        """Run a call through which a gradient may pass, and write it down."""
        special = DRAWN.get(word)
        state = torch.get_rng_state()  # a call told by others draws with them what it has drawn
        self.memory.spare(func, word, args, kwargs)
        for one in tensors_in([args, kwargs]):
            if one.requires_grad:
                self.memory.value(one)  # as it is now
        out = func(*args, **kwargs)
        made = tensors_in(out)
        if not carries(made):
            return out
        if special is None and self.written(func, name, word, args, kwargs, out):
            return out
        if any(one.is_complex() for one in (*made, *tensors_in([args, kwargs]))):
            return self.of_pairs(func, name, word, args, kwargs, out, state)
        return self.otherwise(func, name, word, args, kwargs, out, state)

    def otherwise(self, func: Any, name: str, word: str, args: Any, kwargs: Any, out: Any, state: torch.Tensor) -> Any:
        """Write down what a call has made by the first way that gives the same."""
        mark = len(self.rows)
        for another in self.other_ways(func, name, word, args, kwargs):
            if self.found_by(another, out, state):
                return self.again if word == "grad" else out  # its parts are known where it goes back once more
            del self.rows[mark:]
        if word in AGAIN or not tangent.told_by_tangent(self, func, word, args, kwargs, out):
            self.lack(name, word)
            for one in tensors_in(out):
                self.memory.unknown(one)
        return out

    def opaque(self, func: Any, name: str, args: Any, kwargs: Any, out: Any, state: torch.Tensor) -> None:
        """Write down a call that no mode sees into."""
        if self.depth == 0:
            self.place = self.placed()
        for one in tensors_in([args, kwargs]):
            self.memory.value(one)  # as it is now
        self.otherwise(func, name, name, args, kwargs, out, state)

    def of_pairs(self, func: Any, name: str, word: str, args: Any, kwargs: Any, out: Any, state: torch.Tensor) -> Any:
        """A call on complex tensors, on pairs of real numbers."""
        mark, outs = len(self.rows), tensors_in(out)
        shown = [complex_pairs.as_pairs(one.detach()).clone().requires_grad_(one.requires_grad) for one in outs]
        way = lambda: complex_pairs.told(func, word, self.pairs_in(args), self.pairs_in(kwargs))  # noqa: E731
        if self.found_by(way, shown, state):
            for one, pairs in zip(outs, shown, strict=True):
                if one.requires_grad:
                    self.memory.holds(one, self.memory.value(pairs))
            return out
        del self.rows[mark:]
        if not tangent.told_by_tangent(self, func, word, args, kwargs, out):
            self.lack(name, word)
            for one in outs:
                self.memory.unknown(one)
        return out

    def pairs_in(self, value: Any) -> Any:
        """Arguments with what is known of the pairs of each complex tensor."""
        if isinstance(value, torch.Tensor) and value.is_complex():
            pairs = complex_pairs.as_pairs(value).clone().requires_grad_(value.requires_grad)
            if value.requires_grad:
                self.memory.holds(pairs, self.memory.value(value))
            return complex_pairs.Pairs(pairs)
        if isinstance(value, dict):
            return {key: self.pairs_in(one) for key, one in value.items()}
        return type(value)(map(self.pairs_in, value)) if type(value) in (list, tuple) else value

    def lack(self, name: str, word: str) -> None:
        """Note a call that there is no way to write."""
        self.missing.setdefault(name.removeprefix("torch._C._nn.").removesuffix(".__get__") or word, self.place.text)

    def other_ways(self, func: Any, name: str, word: str, args: Any, kwargs: Any) -> list[Callable[[], Any]]:
        """What a call may be written by besides itself: our own lowering, what is inside, what the dispatcher sees."""
        ways: list[Callable[[], Any]] = []
        lowered = DRAWN.get(word) or lowerings.LOWERED.get(word)
        if lowered is not None:
            ways.append(lambda: lowered(*args, **kwargs))
        factors = first_order.FACTORS.get(name) or first_order.FACTORS.get(word)
        if factors is not None:
            ways.append(lambda: self.to_first_order(factors, word, args, kwargs))
        looked = inside.without_overrides(func)
        if looked is not None:
            ways.append(lambda: looked(*args, **kwargs))
        ways += [lambda: self.dispatched(func, args, kwargs), lambda: moving.moved(func, args, kwargs)]
        return ways

    def to_first_order(self, factors: Callable[..., Any], word: str, args: Any, kwargs: Any) -> Any:
        """The factors of a matrix as numbers, and how they move with it."""
        self.notes.setdefault(f"`{word}` is told by its value and how it moves to the first order: it holds nearby.")
        return factors(*args, **kwargs)

    def dispatched(self, func: Any, args: Any, kwargs: Any) -> Any:
        """The call as the dispatcher's calls, decomposed."""
        from gradwalk.recorder.dispatch import Dispatch

        self.notes.setdefault(f"`{spelling.short(name_of(func))}` is told by what PyTorch makes of it.")
        with torch._C.DisableTorchFunction(), Dispatch(self):
            return func(*args, **kwargs)

    def found_by(self, way: Callable[[], Any], out: Any, state: torch.Tensor) -> bool:
        """Whether a way was written down as a whole, and gives what the call has given."""
        missing, notes, after = dict(self.missing), dict(self.notes), torch.get_rng_state()
        torch.set_rng_state(state)
        self.depth += 1
        try:
            with nullcontext() if self in modes() else self, saved_as_they_are():
                again = way()
        except (
            RuntimeError,
            ValueError,
            TypeError,
            NotImplementedError,
            AttributeError,
            KeyError,
            IndexError,
        ) as error:
            self.trials.refusals[str(self.place.line)] = f"{type(error).__name__}: {error}"
            self.notes = notes
            return False
        finally:
            self.depth -= 1
            lacking, self.missing = self.missing, missing
            torch.set_rng_state(after)
        self.again = again
        if lacking == missing and self.matched(tensors_in(again), tensors_in(out)):
            return True
        self.notes = notes
        return False

    def matched(self, again: list[torch.Tensor], made: list[torch.Tensor]) -> bool:
        """Give the tensors of the call the values of those that were computed again, where they are the same."""
        ours = [one for one in again if one.requires_grad and one.numel()]
        theirs = [one for one in made if one.requires_grad and one.numel()]
        if len(ours) != len(theirs) or not all(self.memory.has(one) for one in ours):
            return False
        if not all(same(one.detach().cpu(), other) for one, other in zip(ours, theirs, strict=True)):
            return False
        for one, other in zip(ours, theirs, strict=True):
            value = self.memory.value(one)
            self.memory.holds(other, value)
            self.memory.lies(value, other)
        return True

    def written(self, func: Any, name: str, word: str, args: Any, kwargs: Any, out: Any) -> bool:
        """Write a call down as one line, where the language has it."""
        made = results_of(out)
        if not made or any(map(is_strange, (*made, *tensors_in([args, kwargs])))):
            return False
        reads: dict[int, Value] = {}

        def read(tensor: torch.Tensor) -> ast.expr:
            value = self.memory.value(tensor)
            reads[value.number] = value
            return value.name

        several = not isinstance(out, torch.Tensor)
        try:
            for expression in spelling.expressions(name, word, func, args, kwargs, read):
                used = [reads[number] for number in self.numbers_in(expression)]
                whole = expression
                if several and len(made) == 1:
                    whole = ast.Subscript(expression, ast.Constant(0), ast.Load())
                if any(is_strange(value.kept) for value in used):
                    return False
                if self.trials.takes(whole, used, made, several and len(made) > 1):
                    self.write(whole, used, made, several and len(made) > 1)
                    return True
        except SpellingError:
            return False
        return False

    def write(self, expression: ast.expr, reads: Sequence[Value], made: Sequence[torch.Tensor], several: bool) -> None:
        """One more line."""
        values = [self.memory.new(one) for one in made]
        row = Row(expression, list(reads), values, self.place, several)
        for value, tensor in zip(values, made, strict=True):
            value.row, value.role = row, "data"
            self.memory.holds(tensor, value)
        for value, target in zip(values, self.place.targets, strict=False):
            if len(self.place.targets) == len(values) and target:
                value.names.append(target)
        self.rows.append(row)

    # In place.
    def in_place(self, func: Any, name: str, args: Any, kwargs: Any) -> Any:
        """Run what changes a tensor; where a gradient passes, write down what the tensor is then."""
        target = kwargs["out"] if isinstance(kwargs.get("out"), torch.Tensor) else tensors_in([args, kwargs])[0]
        given = tensors_in([args, kwargs])
        self.memory.keep_before(target)
        if not carries(given) or not torch.is_grad_enabled() or name.startswith("torch.nn.init."):
            return func(*args, **kwargs)
        before = self.memory.value(target)
        for one in given:
            if one.requires_grad:
                self.memory.value(one)
        self.memory.open(target)
        old = target.detach().clone()
        state = torch.get_rng_state()
        out = func(*args, **kwargs)
        self.memory.written(target, self.value_after(func, name, args, kwargs, target, before, old, state))
        return out

    def value_after(
        self, func: Any, name: str, args: Any, kwargs: Any, target: torch.Tensor, before: Value, old: torch.Tensor,
        state: torch.Tensor,
    ) -> Value:  # fmt: skip
        """The value of a tensor that was changed in place."""
        word = plain_of(name)
        stand_in = old.requires_grad_(before.role != "constant" or before.row is not None)
        self.memory.holds(stand_in, before)
        swapped = [stand_in if one is target else one for one in args]
        others = {
            key: stand_in if one is target else one for key, one in kwargs.items() if key not in ("inplace", "out")
        }
        result = target.detach().clone().requires_grad_()
        act = lowerings.IN_PLACE.get(word)
        if act is None and self.written(func, name.replace(spelling.short(name), word), word, swapped, others, result):
            return self.memory.value(result)
        mark = len(self.rows)
        ways = [lambda: act(*swapped, **others)] if act is not None else self.plain_ways(func, word, swapped, others)
        for way in ways:
            if self.found_by(way, result, state):
                return self.memory.value(result)
            del self.rows[mark:]
        self.lack(name, word)
        return self.memory.unknown(result)

    def plain_ways(self, func: Any, word: str, args: Any, kwargs: Any) -> list[Callable[[], Any]]:
        """The function that makes a new tensor where this one changes its own."""
        plain = getattr(torch.Tensor, word, None) or getattr(torch, word, None)
        if plain is None and getattr(func, "__module__", "") == "torch.nn.functional":
            plain = func
        return [] if plain is None else [lambda: plain(*args, **kwargs)]

    # What stands around.
    def placed(self) -> Place:
        """Where the call stands; on the way, what the user calls the tensors that are there."""
        frames = list(frames_from(sys._getframe(2)))
        module, layer = self.modules.around(frames, self.stop)
        for frame in users(frames, self.stop)[:2]:
            self.memory.named_by(frame)
        return place_of(frames, self.stop, module, layer)

    def unseen(self, tensor: torch.Tensor) -> None:
        """A tensor with a history that nobody has seen."""
        made_by = tensor.grad_fn.name() if tensor.grad_fn is not None else "somebody"
        how = "under torch.func (vmap, grad and the like)" if self.transformed else "out of sight"
        self.missing.setdefault(f"a tensor made by {made_by} {how}", self.place.text)


def unrecorded(func: Any, name: str, word: str, args: Any) -> Callable[..., Any] | None:
    """How a call is run that computes no tensor: it asks, prepares, or goes back; None for one that computes."""
    if name.endswith(".__get__") and word not in ("T", "mT", "H", "mH", "real", "imag", "data"):
        return cast(Callable[..., Any], func)
    if word == "backward" and len(args) < 3:  # the walk goes the same way once more
        return lambda *given, **named: func(*given, **{**named, "retain_graph": True})
    if word in NUMBERS:  # an input asks for a gradient here alone
        return lambda x, *given, **named: func(x.detach(), *given, **named)
    if name.endswith("requires_grad.__set__") and args[1] and not args[0].is_leaf:
        return lambda *_: None  # it does already: an input asks for a gradient here alone
    return func if word in SILENT else None


def works_in_place(func: Any, name: str, word: str, args: Any, kwargs: Any) -> bool:
    """Whether a call changes a tensor that it is given."""
    if word == "__setitem__" or plain_of(name) != word or isinstance(kwargs.get("out"), torch.Tensor):
        return True
    if kwargs.get("inplace") is True:
        return True
    if "functional" in name and any(one is True for one in args):
        bound = spelling.inspect_bound(func, args, kwargs)
        return bool(bound.get("inplace"))
    return False


def kept_open(value: Any) -> Any:
    """An argument that may be read more than once."""
    return [*value] if isinstance(value, Iterator) else value


def results_of(out: Any) -> list[torch.Tensor]:
    """The tensors that a call has made, where it has made nothing else."""
    made = [out] if isinstance(out, torch.Tensor) else list(out) if isinstance(out, tuple | list) else []
    return made if all(isinstance(one, torch.Tensor) for one in made) else []


def cleared(made: torch.Tensor) -> torch.Tensor:
    """A tensor that nobody has written into yet, with zeros in the place of what lay there: it may be no number."""
    return made if is_strange(made) or made.is_meta else made.zero_()


def is_traced() -> bool:
    """Whether PyTorch is writing calls down itself: what it runs then are no numbers."""
    return torch._C._get_dispatch_mode(torch._C._TorchDispatchModeKey.PROXY) is not None


def is_strange(tensor: torch.Tensor) -> bool:
    """Whether the language has no such tensors: complex, nested, sparse or quantised ones."""
    return tensor.is_complex() or tensor.is_nested or tensor.layout is not torch.strided or tensor.is_quantized
