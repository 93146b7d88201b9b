"""The base class of operations: one declarative block with the spellings and the backward rule as text.

A rule is a line of the chunk language. In it `g` is the upstream gradient, `out` the operation's result, and inputs
and parameters go by their own names; `derive` may add further words whose text depends on the call, and `aids` are
helper lines that stand before the first rule that uses them. `kept` is a written index without its `None`.

`cell` says how one cell of the result is made from cells of the inputs: in it an input's name means its cell there,
`sum(…)`, `prod(…)`, `max(…)`, `min(…)` run over the axes that are gone (see `subscripts`), `row` and `column` are the
cell's own place. With it a formula can be written in index letters; without it there is none. `moves = True` instead
says that every cell of the result is one cell of its input.

`does` says going forward what it computes, and `because` why the rule for an input is as it is; `again` says that
shorter, for a walk that has said it several times. All three are templates (see backend/language/wording.py) over the rule's
own words, and `{it}` is the operation as it is written, `{over}` and `{along}` the axes of a reduction. Where what is
said depends on the call, `told` and `tells` choose.

`rates` say what its Jacobian means, by the pattern that its numbers make (see backend/inspect/jacobian/patterns.py), with `{node}` for
the result, `{input}` for the input and `{rate}` for the one rate of a pattern that has only one.

`masks = False` is for what torch computes of a mask of true and false, and finds no way back through.

`together` is the gradient of a tensor that was cut into several, from the gradients of its `parts`.

`samples` say what the tests try an operation on, one string a call: shapes of the differentiable inputs in order
(`(2,3)`, with `+` behind it for positive cells, `>1` for cells above 1, `01` for cells between 0 and 1, `number` for
a plain number), then
`name=value` for parameters, where a value is a literal, or `ints(2,3)<4` for whole numbers below 4, or `mask(2,3)`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from backend.language.expression import expression
from backend.language.values import Parameters

if TYPE_CHECKING:
    import torch

Shape = tuple[int, ...]
LETTERS = "abcdefghijklmnop"
ALIASES = {"keepdims": "keepdim", "axis": "dim", "input": "x", "other": "y", "self": "x"}
REQUIRED = object()
BY_CELL = "Cell-by-cell "


@dataclass(frozen=True)
class Signature:
    """One spelling of an operation: the key it is looked up by and the parameters it takes.

    Those `by_name` are taken by their names alone: by position torch has others in their place. `called` is what torch
    calls them, where that is neither their name nor a usual one.
    """

    key: str
    parameters: Parameters
    variadic: str | None = None
    by_name: frozenset[str] = frozenset()
    called: Mapping[str, str] = field(default_factory=dict)

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Parameters | None:
        """Arguments by parameter name, or None where this spelling does not take them."""
        names = [name for name in self.parameters if name not in self.by_name]
        bound: Parameters = {}
        if self.variadic is None and len(args) > len(names):
            return None
        for position, value in enumerate(args):
            name = names[position] if position < len(names) else str(self.variadic)
            if name == self.variadic:
                bound[name] = _gathered(args[position:])
                break
            bound[name] = value
        for written, value in kwargs.items():
            name = written if written in self.parameters else self.called.get(written, ALIASES.get(written, written))
            if name not in self.parameters or name in bound:
                return None
            bound[name] = value
        for name, default in self.parameters.items():
            if bound.setdefault(name, default) is REQUIRED:
                return None
        return bound


def _gathered(rest: tuple[Any, ...]) -> Any:
    """`x.view(2, 3)` and `x.view((2, 3))` alike; the same for how they are written."""
    only = rest[0] if len(rest) == 1 else None
    if isinstance(only, ast.Tuple | ast.List):
        return tuple(only.elts)
    return tuple(only) if isinstance(only, tuple | list) else rest


@dataclass(frozen=True)
class Call:
    """One use of an operation, as `derive` sees it: shapes of tensors, values of parameters.

    `named` holds the axes, as (input, axis), whose length the forward text has an expression for.
    """

    shapes: dict[str, Shape]
    parameters: Parameters
    out: Shape
    at: str = "x"
    named: frozenset[tuple[str, int]] = frozenset()

    def length(self, name: str, axis: int) -> str:
        """The length of an input's axis as a rule writes it: its word where the text has one, else its number."""
        return length_word(name, axis) if (name, axis) in self.named else str(self.shapes[name][axis])

    def count(self, name: str, axes: Iterable[int]) -> str:
        """How many cells lie along these axes: the product of their lengths, where the text has words for all."""
        axes = [axis for axis in axes if self.shapes[name][axis] != 1]
        if not axes or any((name, axis) not in self.named for axis in axes):
            return str(math.prod(self.shapes[name][axis] for axis in axes))
        return " * ".join(length_word(name, axis) for axis in axes)


def length_word(name: str, axis: int) -> str:
    """The word that stands in a rule for the length of an input's axis."""
    return f"length_of_{name}_{axis}"


class Op:
    """One differentiable operation; subclasses are blocks of data (see the module's first lines)."""

    written: ClassVar[tuple[str, ...]] = ()
    backward: ClassVar[dict[str, str]] = {}
    exact: ClassVar[dict[str, str]] = {}
    why_not_exact: ClassVar[str] = ""
    does: ClassVar[str] = ""
    because: ClassVar[dict[str, str]] = {}
    again: ClassVar[dict[str, str]] = {}
    rates: ClassVar[dict[str, str]] = {}
    cell: ClassVar[str] = ""
    moves: ClassVar[bool] = False
    shaped_by: ClassVar[str] = ""
    samples: ClassVar[tuple[str, ...]] = ()
    aids: ClassVar[dict[str, str]] = {}
    others: ClassVar[frozenset[str]] = frozenset()
    variadic: ClassVar[str] = ""
    together: ClassVar[str] = ""
    by_name: ClassVar[frozenset[str]] = frozenset()
    called: ClassVar[dict[str, str]] = {}
    differentiable: ClassVar[bool] = True
    stops: ClassVar[bool] = False
    creates: ClassVar[bool] = False
    broadcasts: ClassVar[bool] = False
    masks: ClassVar[bool] = True
    signatures: ClassVar[tuple[Signature, ...]] = ()
    rules: ClassVar[dict[str, ast.expr]] = {}
    exact_rules: ClassVar[dict[str, ast.expr]] = {}

    @classmethod
    def name(cls) -> str:
        """The operation's name in the API: its class name in small letters."""
        return cls.__name__.lower()

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        """Further words of the rule texts, where they depend on shapes or parameters."""
        return {}

    @classmethod
    def facts(cls, call: Call) -> dict[str, str]:
        """Numbers of this call that templates may name, such as how many cells are averaged."""
        return {}

    @classmethod
    def says(cls, call: Call) -> str:
        """How one cell of the result is made, `cell`; "" where that can't be said in a line."""
        return cls.cell

    @classmethod
    def subscripts(cls, call: Call) -> str:
        """Letters for the axes of each input and of the result, as in an einsum: `aK,Kb->ab`.

        A capital letter is one that `sum` and the like in `cell` run over, a 1 an axis of that length. Empty where
        inputs only stretch to the result's shape.
        """
        return ""

    @classmethod
    def terms_of(cls, call: Call) -> tuple[dict[str, str], str]:
        """Those letters by input, and the result's."""
        left, _, right = cls.subscripts(call).partition("->")
        terms = dict(zip(call.shapes, left.split(","), strict=False)) if left else {}
        return terms, right if terms else LETTERS[: len(call.out)]

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        """A fused operation as small steps: lines that end in `out = …`; empty where there is nothing to open."""
        return []

    @classmethod
    def opens(cls) -> bool:
        """Whether some use of the operation has small steps inside."""
        return next(kind for kind in cls.__mro__ if "inside" in vars(kind)) is not Op

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        """Whether these arguments are for this operation: its inputs and `others` may be tensors, parameters may not."""
        return all(name in cls.backward or name in cls.others or not is_tensor(value) for name, value in bound.items())

    @classmethod
    def noticed(cls, bound: Mapping[str, Any], numbers: Callable[[Any], torch.Tensor]) -> Parameters:
        """What shapes don't tell and a rule, or the result's shape, must know of the numbers: further parameters."""
        return {}

    @classmethod
    def told(cls, name: str, call: Call) -> str:
        """The reason for an input's rule, with `{x}`, `{out}` and the like still to be filled in."""
        return cls.because[name if name in cls.because else cls.variadic]

    @classmethod
    def told_again(cls, name: str, call: Call) -> str:
        """The same in short, where it is the usual reason that has one."""
        usual = cls.told(name, call) == cls.because.get(name)
        return cls.again.get(name, "") if usual else ""

    @classmethod
    def tells(cls, call: Call) -> str:
        """What it computes, as a sentence with `{it}`, `{x}` and the like still to be filled in."""
        return cls.does or _described((cls.__doc__ or "").strip())

    @classmethod
    def rule(cls, name: str, exact: bool) -> ast.expr:
        """The rule for one input, in its bit-exact variant where that is asked for and there is one."""
        key = name if name in cls.rules else cls.variadic
        return cls.exact_rules.get(key, cls.rules[key]) if exact else cls.rules[key]

    @classmethod
    def common_shapes(cls, shapes: dict[str, Shape]) -> dict[str, Shape] | None:
        """What each tensor is stretched to where the operation broadcasts; None where the shapes do not fit."""
        common = broadcast_shape(*shapes.values())
        return None if common is None else dict.fromkeys(shapes, common)

    @classmethod
    def sizes(cls, words: Mapping[str, ast.expr], call: Call) -> list[ast.expr | None]:
        """The lengths of the result's axes as the text wrote them, where it did: `B` and `C` of `x.view(B, C)`."""
        shape = words.get(cls.shaped_by)
        return list(shape.elts) if isinstance(shape, ast.Tuple | ast.List) else []

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        """Axis names of the result, where the operation knows better than by matching shapes."""
        return None


def _described(doc: str) -> str:
    """The sentence of a description: of one cell at a time, or of the whole."""
    noun = doc.removeprefix(BY_CELL)
    return "{it}: " + _small(doc) if noun == doc else f"{{it}} is the {noun.rstrip('.')}{{cellwise}}."


def _small(text: str) -> str:
    return text[0].lower() + text[1:] if text[1:2].islower() else text


def folding(shape: Shape, axes: tuple[int, ...], keepdim: bool | None = None) -> str:
    """Subscripts of one input whose given axes are folded: kept as length 1, or gone, or as they were for None."""
    letters = "".join(letter.upper() if axis in axes else letter for axis, letter in enumerate(LETTERS[: len(shape)]))
    if keepdim is None:
        return f"{letters}->{letters}"
    return f"{letters}->{''.join('1' * keepdim if letter.isupper() else letter for letter in letters)}"


def widened(word: str, axes: Sequence[int]) -> str:
    """`word` with axes of length 1 put in: `g.unsqueeze(1)`, `g[:, None, None]`."""
    if len(axes) < 2:
        return word + "".join(f".unsqueeze({axis})" for axis in axes)
    places = ["None" if axis in axes else ":" for axis in range(max(axes) + 1)]
    return f"{word}[{', '.join(places)}]"


def broadcast_shape(*shapes: Shape) -> Shape | None:
    """The shape that all of these stretch to, by the rules of broadcasting; None where they do not fit."""
    result: list[int] = []
    for back in range(1, max(map(len, shapes), default=0) + 1):
        sizes = {shape[-back] for shape in shapes if len(shape) >= back} - {1}
        if len(sizes) > 1:
            return None
        result.insert(0, sizes.pop() if sizes else 1)
    return tuple(result)


REGISTRY: dict[str, list[tuple[type[Op], Signature]]] = {}
OPS: list[type[Op]] = []


def register(op: type[Op]) -> type[Op]:
    """Add an operation to the language; an incomplete block raises TypeError with a sentence for its author."""
    _demand(
        op.__doc__ and op.__doc__ is not Op.__doc__, op, "needs a docstring: one sentence that says what it computes"
    )
    _demand(op.written, op, "needs `written`: the spellings it is known by")
    if op.differentiable:
        _demand(op.backward, op, "needs `backward`: a rule for each input, or differentiable = False")
        _demand(set(op.because) == set(op.backward), op, "needs a `because` for each input that has a rule")
        _demand(op.samples, op, "needs `samples`: shapes the tests can try it on")
        _demand(not op.exact or op.why_not_exact, op, "has `exact` rules and must say `why_not_exact`")
    op.signatures = tuple(replace(signature(text), by_name=op.by_name, called=op.called) for text in op.written)
    op.rules = {name: expression(text) for name, text in op.backward.items()}
    op.exact_rules = {name: expression(text) for name, text in op.exact.items()}
    for one in op.signatures:
        REGISTRY.setdefault(one.key, []).append((op, one))
    OPS.append(op)
    return op


def _demand(fact: object, op: type[Op], sentence: str) -> None:
    if not fact:
        raise TypeError(f"{op.__module__}.{op.__name__} {sentence}.")


_SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.USub: "-x", ast.Invert: "~x",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip


def signature(text: str) -> Signature:
    """Read a spelling such as `x.sum(dim, keepdim=False)`: names are parameters, keywords have defaults."""
    tree = expression(text)
    if isinstance(tree, ast.BinOp):
        return Signature(_SYMBOLS[type(tree.op)], _required(tree.left, tree.right))
    if isinstance(tree, ast.UnaryOp):
        return Signature(_SYMBOLS[type(tree.op)], _required(tree.operand))
    if isinstance(tree, ast.Compare):
        return Signature(_SYMBOLS[type(tree.ops[0])], _required(tree.left, tree.comparators[0]))
    if isinstance(tree, ast.Subscript):
        return Signature("[]", _required(tree.value, tree.slice))
    if isinstance(tree, ast.Attribute):
        return Signature("." + tree.attr, _required(tree.value))
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute)):
        raise TypeError(f"`{text}` is not a spelling of an operation.")
    owner = ast.unparse(tree.func.value)
    of_module = owner in ("torch", "F", "torch.linalg")
    starred = next(
        (a.value.id for a in tree.args if isinstance(a, ast.Starred) and isinstance(a.value, ast.Name)), None
    )
    parameters = _required(*([] if of_module else [tree.func.value]), *tree.args)
    parameters |= {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in tree.keywords}
    key = ast.unparse(tree.func) if of_module else "." + tree.func.attr
    return Signature(key, parameters, starred)


def _required(*nodes: ast.expr) -> Parameters:
    names = (node.value if isinstance(node, ast.Starred) else node for node in nodes)
    return {node.id: REQUIRED for node in names if isinstance(node, ast.Name)}
