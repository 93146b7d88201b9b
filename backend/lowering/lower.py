"""Code as found becomes a program of chunks: `lower` is the way in."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

import torch

from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guard
from backend.engine.language.tree import names_in
from backend.engine.language.values import Parameters
from backend.engine.language.values import Scope as Constants
from backend.lowering import entry
from backend.lowering.annotations import name_told, parts_told, told_by
from backend.lowering.assumed import Assumed
from backend.lowering.budget import Exhausted, Finished
from backend.lowering.calls import Returned
from backend.lowering.guesses import Guesser
from backend.lowering.notes import Notes
from backend.lowering.read import comments_of
from backend.lowering.reading import Reading
from backend.lowering.statements import Broken, Continued
from backend.lowering.table import Table
from backend.lowering.values import (
    LOST,
    Bound,
    Class,
    Function,
    Instance,
    Leaf,
    Lost,
    Opaque,
    Parts,
    Scope,
    Spec,
    Tensor,
    Unknown,
)
from backend.lowering.written import Row, Writer, names_for_cells
from backend.program.found import Lowered

# What an object of settings is called as an argument.
SETTINGS = frozenset({"config", "cfg", "args", "conf", "hparams", "opt", "settings", "params", "c", "hp"})
# Arguments that may be left out, and by which a forward pass has its loss.
TARGETS = frozenset({"targets", "target", "labels"})
MODULES = {"torch", "F", "math"}
MOST_LISTED = 400  # numbers of a tensor that the code makes, in the table
# What a smaller example of the same code may not meet.
TOO_LARGE = frozenset(
    {"tensor-too-large", "memory-budget", "arithmetic-budget", "found-too-long", "found-too-large", "too-many-steps"}
)


def lower(
    source: str,
    tensors: Mapping[str, torch.Tensor],
    constants: Constants,
    loss: str | None = None,
    tried: Mapping[str, Spec] = MappingProxyType({}),
) -> Lowered:
    """The program that code as found stands for.

    `tried` are rows for what is missing, by its path in the code. Raises Refusal, with all faults that can be told,
    where no program comes of it; its `needs` are then the rows of all that was missing so far.
    """
    dtype = next((one.dtype for one in tensors.values() if one.is_floating_point()), torch.float32)
    with DefaultDtype(dtype), guard():
        reading = Reading(source)
        first = Lowering(reading, tensors, constants, Guesser(tried))
        try:
            return first.lowered(loss)
        except Refusal as refusal:
            if refusal.code not in TOO_LARGE or not first.is_large:
                raise
            return in_small(reading, tensors, constants, tried, loss, refusal)


def in_small(
    reading: Reading,
    tensors: Mapping[str, torch.Tensor],
    constants: Constants,
    tried: Mapping[str, Spec],
    loss: str | None,
    refusal: Refusal,
) -> Lowered:
    """The same with the sizes of its settings made small; the refusal stands where there is nothing to make small."""
    again = Lowering(reading, tensors, constants, Guesser(tried))
    again.is_small = True
    try:
        return again.lowered(loss)
    except Refusal as other:
        raise (other if again.table.numbers else refusal) from None


class Lowering(Assumed):
    """One run of code as found."""

    wanted: Collection[str] = ()  # arguments that may be left out, and without which the code can't go on
    is_of_autograd = ""  # the function with a backward pass of its own that is walked

    def __init__(
        self, reading: Reading, tensors: Mapping[str, torch.Tensor], constants: Constants, guesser: Guesser
    ) -> None:
        self.found, self.text = reading.found, reading.found.tree
        writer = Writer([*tensors, *constants, *reading.modules])
        guesser.axes = reading.axes
        super().__init__(Table(tensors, constants, writer, guesser), writer, Notes(self.found.text))
        self.library = Scope({})
        self.layers, self.lists, self.picks_of = {}, set(), dict(reading.picks)
        self.returns, self.nameless, self.handed = {}, set(), []
        self.left_out: set[str] = set()  # arguments of the outermost calls that are `None`
        self.being_made: list[Class] = []
        self.called_parts, self.keyed, self.keys_of = reading.called_parts, reading.keyed, reading.keys
        self.called_names = reading.called
        self.stored, self.cuts_of, self.views_of = reading.stored, reading.cuts, reading.views
        self.has_engine, self.is_numpy = reading.has_engine, reading.is_numpy
        self.has_word_more, self.ends_in_definition = reading.has_word_more, reading.ends_in_definition

    def lowered(self, loss: str | None) -> Lowered:
        for line in self.found.magics:
            self.notes.add("magic", ast.Pass(lineno=line, col_offset=0))
        result = self.finished(loss)
        name = None
        if not self.is_fatal and result is not LOST:
            try:
                name = self.loss_of(result)
            except Refusal as refusal:
                self.fault(refusal, self.found.tree.body[-1])
        if name is None or self.is_fatal:
            raise self.together()
        self.set_aside()
        rows, read = self.writer.kept(name)
        if not self.has_input(names_for_cells(rows)):
            self.begin_with_data(rows, name)
            rows, read = self.writer.kept(name)
        self.check_worth(rows, read)
        self.say_returned(read)
        self.say_dropped(rows)
        text = self.writer.text(rows, comments_of(self.found.text))
        table = self.table
        table.keep(read)
        return Lowered(
            text.source, name, self.notes.all(), text.places, text.groups, table.labels, table.lifted,
            table.numbers, table.needs,
        )  # fmt: skip

    def set_aside(self) -> None:
        """Faults in lines that nothing of the loss comes from are none."""
        for refusal in self.faults:
            where = refusal.where or {}
            place = ast.Pass(lineno=int(where.get("line", 1)), col_offset=0)
            self.notes.add("aside", place, found=where.get("text", ""))

    def has_input(self, read: set[str]) -> bool:
        """Whether the loss is made of decimals that somebody gives, and not of what the code makes by itself."""
        given = {name for name, one in self.table.tensors.items() if one.is_floating_point()}
        missing = {row["name"] for row in self.table.needs if row.get("init") in ("randn", "rand") or "values" in row}
        numbers = {row["name"] for row in self.table.needs if row.get("role") == "number"}
        made = {name for name, row in self.table.lifted.items() if row["role"] in ("parameter", "data")}
        return bool((given | (missing - numbers) | made) & read)

    def begin_with_data(self, rows: list[Row], loss: str) -> None:
        """Let the first decimals of a table that the code makes by itself, as of angles, be data with a gradient."""
        scope = self.run_lines().scope
        tensors = {name: value for name, value in scope.items() if isinstance(value, torch.Tensor)}
        whole = {name for name, value in tensors.items() if not value.is_floating_point()}
        mixed = [row for row in rows if names_in(row.value) & whole or "outer(" in ast.unparse(row.value)]
        beside = {name for row in mixed for name in names_in(row.value)}
        made = [row for row in rows if len(row.names) == 1 and row.names[0] not in beside | whole]
        for row in made:
            value = tensors.get(row.names[0])
            if value is not None and 0 < value.numel() <= MOST_LISTED and row.names[0] != loss:
                self.writer.rows.remove(row)
                self.table.lifted[row.names[0]] = {"role": "data", "values": value.tolist()}
                self.notes.add("made-data", row.place, found=row.names[0])
                return
        if loss in whole or all(name in whole for name in tensors):
            last = self.found.tree.body[-1]
            raise Refusal("loss-needs-nothing/found", found=loss, at=last).locate(last, self.found.text)

    def check_worth(self, rows: list[Row], read: set[str]) -> None:
        """Refuse where nothing is left but to sum up what something that isn't in the code returns."""
        inputs = [row for row in self.table.needs if row["name"] in read]
        returned = [str(row["made_by"]) for row in inputs if row.get("made_by")]
        others = {*self.table.lifted, *self.table.tensors} & read - {row["name"] for row in inputs}
        if returned and len(returned) == len(inputs) and not others and sum(not row.is_number for row in rows) < 2:
            calls = [made.node for made, _ in self.handed if made.made_by == returned[-1]]
            raise self.lacking(returned[-1], (calls or self.found.tree.body)[-1])

    def say_dropped(self, rows: list[Row]) -> None:
        """Say of lines of the code that nothing of the loss comes from."""
        kept = {id(row.place) for row in rows}
        for row in self.writer.rows:
            if id(row.place) not in kept and not row.is_number and isinstance(row.place, ast.stmt):
                self.notes.add("aside", row.place, found=row.place)

    def finished(self, loss: str | None) -> Any:
        """The result of the forward pass."""
        try:
            return self.outcome(loss)
        except Finished as finished:
            return finished.loss
        except Exhausted as refusal:
            refusal.locate(self.found.tree.body[0], self.found.text)
            self.faults.insert(0, refusal)
            self.is_fatal = True
        except Refusal as refusal:
            if not self.faults:
                self.fault(refusal, self.found.tree.body[-1])
            self.is_fatal = True
        except RecursionError:
            self.is_fatal = True
            self.faults = [Refusal("nested-too-deep", limit=60, at=self.place).locate(self.place, self.found.text)]
        return LOST

    def together(self) -> Refusal:
        """The first fault in the order of the text, with all others."""
        last = self.found.tree.body[-1]
        if not self.faults:  # what the loss is made of was lost without one
            self.faults.append(Refusal("no-tensor-assigned/found", at=last).locate(last, self.found.text))
        placed = sorted(
            self.faults,
            key=lambda one: (int((one.where or {}).get("line", 0)), int((one.where or {}).get("column", 0))),
        )
        placed[0].others = placed[1:]
        placed[0].needs = self.table.needs
        return placed[0]

    def outcome(self, loss: str | None) -> Any:
        body = self.found.tree.body
        if not body:
            raise Refusal("program-empty")
        try:
            self.block(body)
            result: Any = None
        except Returned as returned:
            result = returned.value
        except (Broken, Continued):
            raise Refusal("found-jump", at=body[-1]) from None
        if loss is not None and isinstance(self.root.names.get(loss), Tensor):
            return self.root.names[loss]
        if result is not None:
            return result
        if self.writer.rows and any(not row.is_number for row in self.writer.rows):
            return self.last_tensor()
        top = entry.chosen(self.root.names)
        is_called = isinstance(top, Function) and top.loads is not None
        if top is None or (self.faults and is_called):  # with other arguments it would have other faults
            return self.last_tensor()
        made = self.entered(top)
        return self.entered(made) if isinstance(made, Function) and made.own else made

    def last_tensor(self) -> Any:
        """What the last line names."""
        own = [one for one in self.root.names.values() if isinstance(one, Tensor)]
        if isinstance(self.root.names.get("loss"), Tensor):
            return self.root.names["loss"]
        last = self.writer.rows[-1].names[-1] if self.writer.rows else None
        named = next((one for one in own if one.variable == last and last is not None), own[-1] if own else None)
        if named is None:
            raise Refusal("no-tensor-assigned/found", at=self.found.tree.body[-1])
        return named

    def entered(self, top: Function | Class) -> Any:
        """The result of calling the outermost function, or of an object's `forward`, with what the table gives."""
        node = ast.copy_location(ast.Name(top.name, ast.Load()), top.node)
        self.place = top.node
        self.notes.add("entry", node, found=top.name)
        if isinstance(top, Class):
            one = self.called(top, *self.given(top.find("__init__"), 1), node)
            method = top.find(str(entry.forward_of(top)))
            function, first = (method.function if not isinstance(method, Function) else method), [one]
        else:
            function, first = top, list[Any]()
        names = [one.arg for one in [*function.args.posonlyargs, *function.args.args]]
        if not first and names[:1] == ["self"]:
            first = [self.whole_object()]
        args, kwargs = self.given(function, len(first))
        self.outer = function
        self.uncut(function)
        return self.called(Bound(function, first[0]) if first else function, args, kwargs, node)

    def given(self, function: Any, skipped: int) -> tuple[list[Any], Parameters]:
        """The arguments of the outermost call: from the table, by default, or missing."""
        if not isinstance(function, Function):
            return [], {}
        wanted = function.args
        names = [one.arg for one in [*wanted.posonlyargs, *wanted.args]]
        defaults = dict(zip(names[len(names) - len(function.defaults) :], function.defaults, strict=True))
        defaults |= function.defaults_by_name()
        found: Parameters = {}
        for name in [*names[skipped:], *(one.arg for one in wanted.kwonlyargs)]:
            value = self.table.given([name])
            if value is not None:
                found[name] = value
            elif name not in defaults or (defaults[name] is None and (name in TARGETS or name in self.wanted)):
                found[name] = self.missing(name, function)
            elif defaults[name] is None:
                self.left_out.add(name)
        return [], found

    def missing(self, name: str, function: Function) -> Any:
        """An argument that nothing is given for: an object of a class of the code, or something unknown."""
        annotation = next((one.annotation for one in _all_args(function.args) if one.arg == name), None)
        if (made := self.object_told(name_told(annotation), name, function)) is not None:
            return made
        settings = [one for one in self.root.names.values() if isinstance(one, Class) and one.fields]
        named = [one for one in settings if one.name.lower().endswith(name.lower())]
        if not named and name in SETTINGS and len(settings) == 1:
            named = settings
        if named and all(one in named[0].names for one in named[0].fields):
            return self.called(named[0], [], {}, ast.copy_location(ast.Name(name, ast.Load()), named[0].node))
        if name == "ctx":
            self.is_of_autograd = function.name
            return Opaque(name)
        unknown = Unknown(name, function.node, told=told_by(annotation))
        if parts := parts_told(annotation):
            self.picks_of[name] = max(self.picks_of.get(name, 0), parts)
        return self.missing_parts(unknown, ast.Name(name)) if unknown.told.endswith("s") else unknown

    def object_told(self, of: str, name: str, function: Function) -> Any:
        """An argument of a class of the code with an `__init__`, by its annotation; None where it is none."""
        told = self.root.names.get(of)
        if not isinstance(told, Class) or told in self.being_made or told.find("__init__") is None or not told.own:
            return None
        self.being_made.append(told)
        try:
            args, kwargs = self.given(told.find("__init__"), 1)
            return self.called(told, args, kwargs, ast.copy_location(ast.Name(name, ast.Load()), function.node))
        finally:
            self.being_made.pop()

    # The loss.
    def loss_of(self, result: Any) -> str:
        """The name of the scalar that is differentiated."""
        tensor = self.scalar(result)
        returned = [one for one in _flat(result) if isinstance(one, Unknown) and one.made_by] if tensor is None else []
        if returned:
            raise self.lacking(returned[0].made_by, returned[0].node)
        if tensor is None and self.is_of_autograd:
            raise Refusal("found-autograd", found=self.is_of_autograd, at=self.found.tree.body[-1])
        if tensor is None:
            last = self.found.tree.body[-1]
            raise Refusal("no-tensor-assigned/found", at=last).locate(last, self.found.text)
        self.renew(tensor, self.found.tree.body[-1])
        is_one = tensor.meta.numel() == 1 and tensor.meta.is_floating_point()
        self.name_it(tensor, "loss" if is_one else "out")
        if isinstance(tensor, Leaf) or not self.is_written(tensor):
            tensor = Tensor(tensor.expr, tensor.meta) if is_one else tensor
            self.name_it(tensor, "loss") if is_one else None
        if is_one:
            return str(tensor.variable)
        self.notes.add("summed", self.place, found=tensor.variable)
        total: Any = self.of_tensor(tensor, "sum", [], {}, ast.Name("sum", ast.Load()))
        self.name_it(total, "loss")
        return str(total.variable)

    def is_written(self, tensor: Tensor) -> bool:
        return any(tensor.variable in row.names for row in self.writer.rows)

    def scalar(self, result: Any) -> Tensor | None:
        """Of several results the one that is a loss: by its name, the scalar one, or the first."""
        if isinstance(result, Unknown):
            return self.tensor_of(result)
        if isinstance(result, Tensor):
            return result
        if isinstance(result, Instance):
            result = result.attributes
        result = entry.losses_first(result)
        if not isinstance(result, tuple | list) or isinstance(result, Lost | Opaque):
            return None
        self.budget.nested(result, self.place)
        tensors = [one for one in _flat(result) if isinstance(one, Tensor) and one.meta.is_floating_point()]
        tensors = [one for one in tensors if names_in(one.expr) - MODULES] or tensors  # what depends on something
        scalars = [one for one in tensors if one.meta.numel() == 1]
        chosen = next(iter(scalars), None) or next(iter(tensors), None)
        if chosen is not None and len(tensors) > 1:
            self.name_it(chosen, "loss" if scalars else "out")
            self.notes.add("chosen", self.place, found=chosen.variable or "the first")
        return chosen


def _all_args(args: ast.arguments) -> list[ast.arg]:
    return [*args.posonlyargs, *args.args, *args.kwonlyargs]


def _flat(value: Any) -> list[Any]:
    if isinstance(value, tuple | list):
        return [one for part in value for one in _flat(part)]
    return [value]


__all__ = ["Lowered", "Parts", "lower"]
