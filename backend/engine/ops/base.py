"""The base class of operations: one declarative block with the spellings and the backward rule as text.

**The rule** is a line of the chunk language. In it `g` is the upstream gradient, `out` the operation's result, and
inputs and parameters go by their own names; `derive` may add further words whose text depends on the call, and `aids`
are helper lines that stand before the first rule that uses them. `cases` are a table of rules in place of `backward`
(see backend/engine/ops/cases.py). `kept` is a written index without its `None`. `together` is the gradient of a tensor
that was cut into several, from the gradients of its `parts`. `poles` are the inputs at whose zeros its slope is
infinite, as that of a root. What such an operation reads may come, as it is or by way of one that `copies` (every cell
of the result is a cell of an input) or is zero where an input is (`zeros`), from one that lets nothing through there
(`cuts_at_zero`): that one's rule is then `selects`, because 0 · ∞ is not zero. `seldom_differs` is for a rule that is
nearly always exact: whatever else is on the way is the likelier cause of rounding.

**One cell**: `cell` says how one cell of the result is made from cells of the inputs: in it an input's name means its
cell there, `sum(…)`, `prod(…)`, `max(…)`, `min(…)` run over the axes that are gone (see `subscripts`), `row` and
`column` are the cell's own place. With it a formula can be written in index letters; without it there is none. `moves =
True` instead says that every cell of the result is one cell of its input. Where the result is a pair, `place_cell` says
the same of its indices. `index_formula` names the formula of what picks or places cells by index (see GATHERS and
SCATTERS in backend/lines/index_notation/).

**Sentences**: `does` says going forward what it computes, and `because` why the rule for an input is as it is;
`briefly` says that in short, for a walk that has said it several times. All three are templates (see
backend/engine/language/wording.py) over the rule's own words, and `{it}` is the operation as it is written, `{over}`
and `{along}` the axes of a reduction. `rates` say what its Jacobian means, by the pattern that its numbers make (see
backend/inspect/jacobian/patterns.py), with `{node}` for the result, `{input}` for the input and `{rate}` for the one
rate of a pattern that has only one.

What depends on the call has a method named after its member, which a block overrides: `cell_for`, `does_for`,
`because_for`, `briefly_for`.

**Equations**: `drawn` is what one shows of it: `rearrange` (`swap`, `transpose`, `transpose each`), `spread`,
`scatter`, `mask`, `join`, `sum`, `outer`, `copy`, `add product`, `convolution`, `shape` (nothing but the shape of its
input is read).
`symbol` is what mathematics calls it, `folds` the sign of what makes one cell of many (`Σ`, `mean`, `max`), and
`keeps_axes` says that each axis of the result is the first input's, with its name. `helper_word` names its helper line.

**How it is run**: `builtin` is the function of Python that does the same with a tensor. `device_keys` are spellings
that may ask for a device as well. `runs` holds, by key, the functions that are run for spellings for which torch's own
will not do; `shapes_as` names, by key, another spelling that tells the result's shape in its place.

**What kind it is of**: `is_free` computes nothing, so that repeating it costs nothing; `adds_axis` only puts in an axis
of length 1; `arithmetic` is what a line is about only where there is nothing else in it (see `is_light`); `detaches`
hides a tensor from autograd; `of_precision` tells of the precision of numbers; `one_kind` is computed by torch only of
tensors that are all decimals, or all whole numbers; `shaped_by_numbers` has as many cells as its input's numbers tell;
`masks = False` is computed by torch of a mask of true and false, which finds no way back through. `steepest` is the
largest slope of an activation that can saturate: where its slope is next to nothing beside that, no gradient gets
through, and `flat_word` is what such cells are called. `passed_straight` has steps or bounds past which people pass a
gradient on purpose.

`samples` say what the tests try an operation on, one string a call: shapes of the differentiable inputs in order
(`(2,3)`, with `+` behind it for positive cells, `>1` for cells above 1, `01` for cells between 0 and 1, `spd` for a
symmetric matrix without directions in which it shrinks to nothing, `number` for a plain number), then
`name=value` for parameters, where a value is a literal, or `ints(2,3)<4` for whole numbers below 4, or `mask(2,3)`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from backend.engine.language.errors import Refusal
from backend.engine.language.expression import expression
from backend.engine.language.values import Parameters
from backend.engine.ops.call import Call as Call
from backend.engine.ops.call import Shape as Shape
from backend.engine.ops.call import length_word as length_word
from backend.engine.ops.signature import REQUIRED, Signature, signature

if TYPE_CHECKING:
    import torch

LETTERS = "abcdefghijklmnop"
BY_CELL = "Cell-by-cell "
# Conditions such as `x.ndim == 2`, all of which must hold, and the rules by input.
Case = tuple[tuple[str, ...], dict[str, str]]


class Op:
    """One differentiable operation; subclasses are blocks of data (see the module's first lines)."""

    written: ClassVar[tuple[str, ...]] = ()
    backward: ClassVar[dict[str, str]] = {}
    cases: ClassVar[tuple[Case, ...]] = ()
    exact: ClassVar[dict[str, str]] = {}
    why_not_exact: ClassVar[str] = ""
    does: ClassVar[str] = ""
    because: ClassVar[dict[str, str]] = {}
    briefly: ClassVar[dict[str, str]] = {}
    selects: ClassVar[dict[str, str]] = {}
    poles: ClassVar[frozenset[str]] = frozenset()
    zeros: ClassVar[frozenset[str]] = frozenset()
    rates: ClassVar[dict[str, str]] = {}
    cell: ClassVar[str] = ""
    is_free: ClassVar[bool] = False
    adds_axis: ClassVar[bool] = False
    helper_word: ClassVar[str] = ""
    drawn: ClassVar[str] = ""
    symbol: ClassVar[str] = ""
    folds: ClassVar[str] = ""
    keeps_axes: ClassVar[bool] = False
    place_cell: ClassVar[str] = ""
    index_formula: ClassVar[str] = ""
    moves: ClassVar[bool] = False
    copies: ClassVar[bool] = False
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
    flat_word: ClassVar[str] = ""
    one_kind: ClassVar[bool] = False
    shaped_by_numbers: ClassVar[bool] = False
    builtin: ClassVar[str] = ""
    device_keys: ClassVar[frozenset[str]] = frozenset()
    runs: ClassVar[dict[str, Callable[..., Any]]] = {}
    shapes_as: ClassVar[dict[str, str]] = {}
    detaches: ClassVar[bool] = False
    of_precision: ClassVar[bool] = False
    seldom_differs: ClassVar[bool] = False
    steepest: ClassVar[float] = 0.0
    passed_straight: ClassVar[bool] = False
    arithmetic: ClassVar[bool] = False
    signatures: ClassVar[tuple[Signature, ...]] = ()
    rules: ClassVar[dict[str, ast.expr]] = {}
    exact_rules: ClassVar[dict[str, ast.expr]] = {}
    selecting_rules: ClassVar[dict[str, ast.expr]] = {}

    def __init_subclass__(cls) -> None:
        """A block that says how it is written is an operation; without that it is what several share."""
        if "written" in vars(cls):
            _register(cls)

    @classmethod
    def name(cls) -> str:
        """The operation's name in the API: its class name in small letters."""
        return cls.__name__.lower()

    @classmethod
    def names(cls) -> set[str]:
        """Its names as functions, methods and attributes: `sum` of `x.sum(dim)`."""
        return {one.key.rpartition(".")[2] for one in cls.signatures if "." in one.key}

    @classmethod
    def expansion(cls, bound: Mapping[str, Any]) -> str:
        """The expression over its parameters that it is short for; "" for what has a rule of its own."""
        return ""

    @classmethod
    def inputs(cls) -> list[str]:
        """The names of what it takes tensors for, as its samples give them."""
        required = [name for name, default in cls.signatures[0].parameters.items() if default is REQUIRED]
        return list(cls.backward) or required

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        """Further words of the rule texts, where they depend on shapes or parameters."""
        return {}

    @classmethod
    def settings(cls, call: Call, without: Sequence[str] = ()) -> str:
        """The settings of a call that aren't the usual ones, as keywords: `, stride=stride`, in the reader's words."""
        usual = {name: default for name, default in cls.signatures[0].parameters.items() if default is not REQUIRED}
        said = [name for name in usual if name in call.parameters and name not in without]
        return "".join(f", {name}={name}" for name in said if not _is_usual(call.parameters[name], usual[name]))

    @classmethod
    def read_by(cls, inputs: Parameters, part: int) -> Parameters:
        """Those of its inputs that one of several results is made from."""
        return inputs

    @classmethod
    def has_pole(cls, name: str, call: Call) -> bool:
        """Whether its slope in this input is infinite where that is zero."""
        return name in cls.poles

    @classmethod
    def keeps_zeros(cls, name: str, call: Call) -> bool:
        """Whether the result is zero where this input is."""
        return cls.copies or cls.moves or name in cls.zeros

    @classmethod
    def cuts_at_zero(cls, call: Call) -> bool:
        """Whether a cell that lets nothing through may be zero."""
        return bool(cls.selects)

    @classmethod
    def facts(cls, call: Call) -> dict[str, str]:
        """Numbers of this call that templates may name, such as how many cells are averaged."""
        return {}

    @classmethod
    def cell_for(cls, call: Call) -> str:
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
        return cls.has_own("inside")

    @classmethod
    def has_own(cls, method: str) -> bool:
        """Whether the block answers with this method itself, rather than as most operations do."""
        return bool(getattr(cls, method).__func__ is not getattr(Op, method).__func__)

    @classmethod
    def check(cls, bound: Mapping[str, Any], name: str, at: ast.AST) -> None:
        """Raise Refusal for arguments that torch should not even see; `name` is the operation as it is spelled."""

    @classmethod
    def failed(cls, key: str, shapes: Sequence[Shape], error: Exception, at: ast.AST) -> Refusal | None:
        """The refusal of a use that torch refused, where the operation knows better than the usual words."""
        return None

    @classmethod
    def without_rule(cls, name: str, at: ast.AST) -> Refusal:
        """The refusal of a use through which a gradient would have to flow, where there is no rule."""
        return Refusal("no-backward-rule", name=name, at=at)

    @classmethod
    def multiplications(cls, bound: Mapping[str, Any], out: Shape) -> int:
        """How many products the result sums, all its cells together; `bound` holds the arguments."""
        return 0

    @classmethod
    def work(cls, bound: Mapping[str, Any], out: Shape) -> int:
        """What the budget counts: the products, or as many steps of another kind that take as long."""
        return cls.multiplications(bound, out)

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        """Whether these arguments are for this operation: its inputs and `others` may be tensors, parameters may not."""
        return all(name in cls.backward or name in cls.others or not is_tensor(value) for name, value in bound.items())

    @classmethod
    def noticed(cls, bound: Mapping[str, Any], numbers: Callable[[Any], torch.Tensor]) -> Parameters:
        """What shapes don't tell and a rule, or the result's shape, must know of the numbers: further parameters."""
        return {}

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        """The reason for an input's rule, with `{x}`, `{out}` and the like still to be filled in."""
        return cls.because[name if name in cls.because else cls.variadic]

    @classmethod
    def briefly_for(cls, name: str, call: Call) -> str:
        """The same in short, where it is the usual reason that has one."""
        usual = cls.because_for(name, call) == cls.because.get(name)
        return cls.briefly.get(name, "") if usual else ""

    @classmethod
    def is_light(cls, call: Call) -> bool:
        """Whether a line is hardly about it: it only scales a tensor, or turns its sign or its shape."""
        return False

    @classmethod
    def does_for(cls, call: Call) -> str:
        """What it computes, as a sentence with `{it}`, `{x}` and the like still to be filled in."""
        return cls.does or _described((cls.__doc__ or "").strip())

    @classmethod
    def does_for_indices(cls, call: Call) -> str:
        """The same of the `.indices` that stand beside its values."""
        return cls.does_for(call)

    @classmethod
    def rule(cls, name: str, exact: bool, at_pole: bool = False) -> ast.expr:
        """The rule for one input, in its bit-exact variant where that is asked for and there is one.

        `at_pole`: what reads the result has an infinite slope at zero.
        """
        key = name if name in cls.rules else cls.variadic
        if at_pole and key in cls.selecting_rules:
            return cls.selecting_rules[key]
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


def keys_of(having: Callable[[type[Op]], bool]) -> frozenset[str]:
    """The keys of all spellings of the operations that have some property."""
    return frozenset(key for key, known in REGISTRY.items() if any(having(op) for op, _ in known))


def _is_usual(value: Any, default: Any) -> bool:
    """Whether a setting says nothing: it has its default, or is an empty tuple in the place of none."""
    return bool(value == default) or (default is None and value in ((), []))


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


def _register(op: type[Op]) -> None:
    """Add an operation to the language; an incomplete block raises TypeError with a sentence for its author."""
    _demand(
        op.__doc__ and op.__doc__ is not Op.__doc__, op, "needs a docstring: one sentence that says what it computes"
    )
    _demand(op.written, op, "needs `written`: the spellings it is known by")
    if op.has_own("expansion"):
        _demand(op.samples, op, "needs `samples`: shapes the tests can try it on")
    elif op.differentiable:
        _demand(op.backward, op, "needs `backward`: a rule for each input, or differentiable = False")
        _demand(set(op.because) == set(op.backward), op, "needs a `because` for each input that has a rule")
        _demand(op.samples, op, "needs `samples`: shapes the tests can try it on")
        _demand(not op.exact or op.why_not_exact, op, "has `exact` rules and must say `why_not_exact`")
    op.signatures = tuple(replace(signature(text), by_name=op.by_name, called=op.called) for text in op.written)
    op.rules = {name: expression(text) for name, text in op.backward.items()}
    op.exact_rules = {name: expression(text) for name, text in op.exact.items()}
    op.selecting_rules = {name: expression(text) for name, text in op.selects.items()}
    for one in op.signatures:
        REGISTRY.setdefault(one.key, []).append((op, one))
    OPS.append(op)


def _demand(fact: object, op: type[Op], sentence: str) -> None:
    if not fact:
        raise TypeError(f"{op.__module__}.{op.__name__} {sentence}.")
