"""An answer: what somebody wrote for one gradient, read and run by the language's own interpreter, in its budget."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator, operation_failed
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guard
from backend.engine.language.limits import LIMITS
from backend.engine.language.parse import parse_answer
from backend.engine.language.pytree import with_tensors
from backend.engine.language.tree import names_of, nodes_in, target_of
from backend.engine.language.values import Args, Values
from backend.engine.ops import REGISTRY
from backend.engine.ops.base import broadcast_shape
from backend.lines.mistakes.edits import parts_of

# A forward and a backward pass of the same program may hold as much together. As an answer is run on several
# instances, it may compute no more than the forward pass alone.
SHARES = 3
SPENT = (SHARES - 1) * LIMITS.arithmetic


@dataclass(frozen=True, eq=False)
class Answer:
    """A parsed answer; `variable` is the gradient it is for, `bare` an expression that stands without `dx =`."""

    source: str
    statements: list[ast.stmt]
    variable: str
    bare: ast.expr | None

    @property
    def writes_in_place(self) -> bool:
        """Whether it may change a tensor that was there before."""
        nodes = (node for statement in self.statements for node in nodes_in(statement))
        return any(
            isinstance(node, ast.AugAssign)
            or (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store))
            or (isinstance(node, ast.Attribute) and node.attr.endswith("_"))
            for node in nodes
        )

    @property
    def value(self) -> ast.expr:
        """What gives the gradient its value last: the place that a mistake without a finer one is pointed at."""
        if self.bare is not None:
            return self.bare
        for statement in reversed(
            [one for one in _flat(self.statements) if isinstance(one, ast.Assign | ast.AugAssign)]
        ):
            if self.variable in _owners(target_of(statement)):
                return statement.value
        last = self.statements[-1]
        return last.value if isinstance(last, ast.Expr | ast.Assign | ast.AugAssign) else ast.Constant(0)

    def assignments(self) -> list[ast.Assign | ast.AugAssign]:
        """What writes to the gradient, in order."""
        found = [one for one in _flat(self.statements) if isinstance(one, ast.Assign | ast.AugAssign)]
        return [one for one in found if self.variable in _owners(target_of(one))]


def read_by(answer: Answer) -> set[str]:
    """The names whose numbers an answer reads: what only lends its shape is none."""
    values = [one.value for one in _flat(answer.statements) if isinstance(one, ast.Assign | ast.AugAssign | ast.Expr)]
    return {part.id for value in values for part in parts_of(value) if isinstance(part, ast.Name)}


def _flat(statements: list[ast.stmt]) -> list[ast.stmt]:
    return [
        inner
        for statement in statements
        for inner in ([statement] if not isinstance(statement, ast.For) else [statement, *_flat(statement.body)])
    ]


def _owners(target: ast.expr) -> list[str]:
    while isinstance(target, ast.Subscript):
        target = target.value
    return names_of(target)


def read_answer(source: str, variable: str) -> Answer:
    """Parse an answer for a gradient; raises Refusal, with its place, for what can't be read."""
    if not source.strip():
        raise Refusal("answer-empty", target=variable)
    program = parse_answer(source)
    statements, last = program.statements, program.statements[-1]
    written = [
        name
        for one in _flat(statements)
        if isinstance(one, ast.Assign | ast.AugAssign)
        for name in _owners(target_of(one))
    ]
    bare = last.value if isinstance(last, ast.Expr) and variable not in written else None
    if bare is None and variable not in written:
        called = [one for one in statements if isinstance(one, ast.Expr)]
        if not called:
            at = next(
                one for one in reversed(_flat(statements)) if isinstance(one, ast.Assign | ast.AugAssign | ast.For)
            )
            place = target_of(at) if isinstance(at, ast.Assign | ast.AugAssign) else at
            raise Refusal(
                "answer-elsewhere", target=variable, found=", ".join(dict.fromkeys(written)) or "nothing", at=place
            ).locate(at, source)
    return Answer(program.pasted, statements, variable, bare)


class AnswerEvaluator(Evaluator):
    """Evaluates answers: methods that end in `_` change their tensor, and what is computed is charged to the budget."""

    def __init__(self, scope: Values, weighed: bool) -> None:
        super().__init__(scope)
        self.budget = ShapeEvaluator({}, shares=SHARES) if weighed else None
        if self.budget is not None:
            self.budget.arithmetic = SPENT

    def operation(self, key: str, args: Args, kwargs: Values, node: ast.expr) -> Any:
        if self.budget is not None and not self.weigh_before(key, args, kwargs, node):
            result = super().operation(key, args, kwargs, node)
            for tensor in (result,) if isinstance(result, torch.Tensor) else ():
                self.budget.charge(tensor, node, args)
            return result
        return super().operation(key, args, kwargs, node)

    def weigh_before(self, key: str, args: Args, kwargs: Values, node: ast.expr) -> bool:
        """Charge an operation by the shapes alone; False where its result's shape depends on numbers."""
        assert self.budget is not None
        metas: Any = with_tensors((args, tuple(kwargs.values())), lambda tensor: tensor.to("meta"))
        named = dict(zip(kwargs, metas[1], strict=True))
        try:
            self.budget.operation(key, metas[0], named, node)
        except Refusal as refusal:
            if refusal.code in TOO_MUCH:
                raise
            return False
        return True

    def put(self, target: ast.Subscript, value: Any) -> None:
        tensor, index = self.value(target.value), self.value(target.slice)
        if isinstance(tensor, torch.Tensor) and isinstance(value, torch.Tensor):
            cells = self.operation("[]", (tensor, index), {}, target)
            if broadcast_shape(tuple(value.shape), tuple(cells.shape)) != tuple(cells.shape):
                shapes = f"{tuple(cells.shape)} and {tuple(value.shape)}"
                raise Refusal("shapes-do-not-fit", name="=", shapes=shapes, at=target)
        super().put(target, value)

    def method(self, base: Any, name: str, args: Args, kwargs: Values, node: ast.Call) -> Any:
        if name == "item" and base.numel() == 1 and not args and not kwargs:
            return base.item()
        if name in PRECISIONS and not args and not kwargs:
            return base.to(torch.get_default_dtype())
        if name in FILLING or (name.endswith("_") and "." + name[:-1] in REGISTRY):
            return self.changed(base, name, args, kwargs, node)
        return super().method(base, name, args, kwargs, node)

    def changed(self, base: torch.Tensor, name: str, args: Args, kwargs: Values, node: ast.Call) -> torch.Tensor:
        """The tensor itself, changed as a method such as `index_add_` changes it."""
        value: Any = args[0] if args else 0.0
        if name not in FILLING:
            value = self.operation("." + name[:-1], (base, *args), kwargs, node)
        try:
            if isinstance(value, torch.Tensor) and name not in FILLING and value.shape != base.shape:
                raise RuntimeError("shape")
            base[...] = value
        except (RuntimeError, TypeError) as error:
            raise operation_failed("[]", (base, value), error, node) from None
        return base


PRECISIONS = frozenset({"float", "double", "half"})
FILLING = frozenset({"zero_", "fill_", "copy_"})
TOO_MUCH = frozenset({"tensor-too-large", "tensor-axes", "memory-budget", "arithmetic-budget"})


@dataclass
class Outcome:
    """What an answer computed: a tensor, or the refusal; `changed` are the given tensors that it wrote into."""

    value: torch.Tensor | None
    refusal: Refusal | None
    changed: list[str]
    steps: int = 0
    shares: frozenset[str] = frozenset()


def run_answer(answer: Answer, given: Mapping[str, Any], dtype: torch.dtype, weighed: bool = False) -> Outcome:
    """Run an answer on the tensors in scope, which stay as they are."""
    scope: Values = dict(given)
    if answer.writes_in_place:
        scope = _copied(scope)
    evaluator = AnswerEvaluator(scope, weighed)
    try:
        with torch.no_grad(), DefaultDtype(dtype), guard(answer.statements[-1]):
            evaluator.run(answer.statements)
            made = evaluator.value(answer.bare) if answer.bare is not None else scope.get(answer.variable)
            value = _as_tensor(made, answer, dtype)
    except Refusal as refusal:
        return Outcome(None, refusal.locate(answer.value, answer.source), [], evaluator.steps)
    changed = _changed(given, scope, answer) if answer.writes_in_place else []
    return Outcome(value, None, changed, evaluator.steps, _sharing(value, given, answer.variable))


def _copied(scope: Values) -> Values:
    """The scope with copies of its tensors; two names of one tensor stay two names of one."""
    copies: dict[int, torch.Tensor] = {}

    def copy(tensor: torch.Tensor) -> torch.Tensor:
        if id(tensor) not in copies:
            copies[id(tensor)] = tensor.clone()
        return copies[id(tensor)]

    return {name: with_tensors(value, copy) for name, value in scope.items()}


def _as_tensor(value: Any, answer: Answer, dtype: torch.dtype) -> torch.Tensor:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return torch.tensor(float(value), dtype=dtype)
    if not isinstance(value, torch.Tensor):
        kind = "a pair of values and places" if type(value).__name__ == "Pair" else "something else"
        raise Refusal("answer-no-tensor", target=answer.variable, kind=kind, at=answer.value)
    return value.to(dtype) if not value.is_floating_point() or value.dtype != dtype else value


def _changed(given: Mapping[str, Any], scope: Values, answer: Answer) -> list[str]:
    """The names whose tensors were written into, but for the gradient itself and what was assigned anew."""
    found = []
    for name, before in given.items():
        after = scope.get(name)
        if name == answer.variable or not (isinstance(before, torch.Tensor) and isinstance(after, torch.Tensor)):
            continue
        if before.shape == after.shape and not torch.equal(before.nan_to_num(), after.nan_to_num()):
            found.append(name)
    return found


def _sharing(value: torch.Tensor, given: Mapping[str, Any], variable: str) -> frozenset[str]:
    """The given tensors whose cells the result shares."""
    storage = value.untyped_storage().data_ptr()
    return frozenset(
        name
        for name, tensor in given.items()
        if name != variable and isinstance(tensor, torch.Tensor) and tensor.untyped_storage().data_ptr() == storage
    )
