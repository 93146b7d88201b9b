"""How names are used in a text, as far as that tells what tensors they are: kind of number, axes, and their names."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from backend.engine.filling.by_name import TARGET
from backend.engine.filling.other_names import is_shaped, name_of, told_by_other_names
from backend.engine.filling.slots import Kind
from backend.engine.language.tree import in_order, names_in, number

# What a call reads of whole numbers, of masks, and of vectors and matrices: by its name, the arguments by their places.
WHOLE: dict[str, tuple[int, ...]] = {
    "embedding": (0,), "one_hot": (0,), "cross_entropy": (1,), "nll_loss": (1,), "gather": (1, 2),
    "index_select": (1, 2), "take_along_dim": (1,), "scatter": (1,), "scatter_add": (1,), "index_add": (1,),
}  # fmt: skip
MASKS: dict[str, tuple[int, ...]] = {"masked_fill": (1,), "masked_fill_": (1,), "where": (0,), "masked_select": (1,)}
UNIT: dict[str, tuple[int, ...]] = {"binary_cross_entropy": (0, 1), "binary_cross_entropy_with_logits": (1,)}
AXES: dict[str, dict[int, int]] = {
    "linear": {1: 2, 2: 1}, "layer_norm": {2: 1, 3: 1}, "batch_norm": {1: 1, 2: 1, 3: 1, 4: 1}, "embedding": {1: 2},
    "group_norm": {2: 1, 3: 1}, "rms_norm": {2: 1}, "cross_entropy": {1: 1, 2: 1}, "nll_loss": {1: 1, 2: 1},
    "conv2d": {0: 4, 1: 4, 2: 1},
    "conv1d": {0: 3, 1: 3, 2: 1}, "bmm": {0: 3, 1: 3}, "mm": {0: 2, 1: 2}, "mv": {0: 2, 1: 1}, "outer": {0: 1, 1: 1},
    "max_pool2d": {0: 4}, "avg_pool2d": {0: 4}, "addmm": {0: 1, 1: 2, 2: 2},
}  # fmt: skip
AXES_BY_KEYWORD: dict[str, dict[str, int]] = {
    "linear": {"weight": 2, "bias": 1}, "layer_norm": {"weight": 1, "bias": 1}, "batch_norm": {"weight": 1, "bias": 1},
    "group_norm": {"weight": 1, "bias": 1}, "rms_norm": {"weight": 1}, "embedding": {"weight": 2},
    "conv2d": {"weight": 4, "bias": 1}, "conv1d": {"weight": 3, "bias": 1},
    "cross_entropy": {"weight": 1, "target": 1}, "nll_loss": {"weight": 1, "target": 1},
}  # fmt: skip
# The weights of classes, by their place.
OF_CLASSES = {"cross_entropy": 2, "nll_loss": 2, "binary_cross_entropy": 2, "binary_cross_entropy_with_logits": 2}
GROUPS = 6  # the place in a convolution of the number of groups, which is mostly one
# Where only whole numbers can be, and options that are numbers.
MAKERS = frozenset({"range", "zeros", "ones", "arange", "linspace", "logspace", "eye", "int"})
COUNTERS = frozenset({"range", "zeros", "ones", "eye"})
SHAPERS = frozenset({"view", "reshape", "expand", "repeat", "chunk", "split", "unflatten"})
OPTIONS = frozenset(
    {"dim", "eps", "dropout_p", "p", "num_classes", "alpha", "beta", "axis", "min", "max", "label_smoothing"}
)
TURNING = frozenset({"transpose", "permute", "contiguous"})
FUNCTIONS = frozenset({"torch", "F", "functional"})  # modules whose functions take the tensor first
WHOLE_SIGNS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)  # of whole numbers they make whole numbers
BRACKETS = re.compile(r"\([^)]*\)")  # of a pattern: several axes that are one
# Methods that name axes: the largest number tells how many there are at least.
BY_AXIS = frozenset(
    {"transpose", "permute", "sum", "mean", "softmax", "log_softmax", "size", "unbind", "cumsum", "argmax", "norm",
     "var", "std", "var_mean", "std_mean", "flatten", "max", "min", "amax", "logsumexp", "select", "swapaxes"}
)  # fmt: skip


@dataclass
class Use:
    """What is told of one name: `axes` exactly, or no fewer than `least`; `named` are what the text calls them.

    A `number` stands where only one can: in a shape, in a range, as an option; `counted` where it is a whole one.
    `held` are the weights of a loss's classes, for which PyTorch has no gradient; `by_row` is one pick in each row;
    `single` is a number of groups that a convolution is given.
    """

    kind: Kind | None = None
    number: bool = False
    counted: bool = False
    axes: int | None = None
    least: int = 0
    named: list[str] = field(default_factory=list)
    held: bool = False
    by_row: bool = False
    single: bool = False


def uses_in(tree: ast.AST) -> dict[str, Use]:
    """What is told of every name, of an attribute by its last word."""
    found: dict[str, Use] = {}
    shaped: dict[str, int] = {}  # names that have another shape behind a line
    nodes = in_order(tree)
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            shaped = {}
        for name, tell in _told(node):
            if name not in shaped or getattr(node, "lineno", 0) <= shaped[name]:
                tell(found.setdefault(name, Use()))
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_shaped_anew(node, found):
            shaped.setdefault(node.targets[0].id, node.end_lineno or node.lineno)
    told_by_other_names(nodes, found, Use)
    _of_what_numbers_are_made(nodes, found)
    _of_flattened_picks(nodes, found)
    return found


def _is_shaped_anew(node: ast.Assign, found: Mapping[str, Use]) -> bool:
    """Whether a name that stood for something before is given a tensor in another shape: `x = x.view(-1)`."""
    return name_of(node.targets[0]) in {*found, *names_in(node.value)} and is_shaped(node.value)


def _of_what_numbers_are_made(nodes: list[ast.AST], found: dict[str, Use]) -> None:
    """What a number is reckoned from are numbers: `T` of `steps = T + 1`, then `torch.arange(steps)`."""
    made = [node for node in nodes if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]
    for node in reversed(made):
        if (use := found.get(name_of(node.targets[0]) or "")) is not None and use.number:
            for name in _reckoned(node.value):
                found.setdefault(name, Use()).number = True


def _of_flattened_picks(nodes: list[ast.AST], found: dict[str, Use]) -> None:
    """What picks rows that are laid side by side has two axes: `emb = C[Xb]`, then `emb.view(emb.shape[0], -1)`."""
    flat = {name for node in nodes if isinstance(node, ast.Call) and (name := flattened(node))}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(slice=ast.Name(id=picks))) if name in flat:
                use = found.setdefault(picks, Use())
                use.least = max(use.least, 2)


def flattened(node: ast.Call) -> str | None:
    """The name of a tensor whose rows are laid side by side: `x` of `x.view(x.shape[0], -1)`."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name), attr="view" | "reshape"),
            args=[
                ast.Subscript(value=ast.Attribute(value=ast.Name(id=first), attr="shape"), slice=ast.Constant(value=0))
                | ast.Call(func=ast.Attribute(value=ast.Name(id=first), attr="size"), args=[ast.Constant(value=0)]),
                rest,
            ],
        ):
            return name if name == first and number(rest) == -1 else None
    return None


def _reckoned(node: ast.expr) -> Iterator[str]:
    """The names of which an expression is reckoned, with no call and no index between: `T` of `2 * T + 1`."""
    if isinstance(node, ast.BinOp):
        yield from (*_reckoned(node.left), *_reckoned(node.right))
    elif isinstance(node, ast.UnaryOp):
        yield from _reckoned(node.operand)
    elif name := name_of(node):
        yield name


Tell = Callable[[Use], None]


def _told(node: ast.AST) -> Iterator[tuple[str, Tell]]:
    if isinstance(node, ast.Subscript):
        yield from _of_index(node)
    elif isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield from ((name, _axes(2)) for name in map(name_of, (node.left, node.right)) if name)
    elif isinstance(node, ast.Assert):
        yield from _of_assert(node.test)
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        yield from _of_shape(node.targets[0], node.value)


def _of_assert(test: ast.expr) -> Iterator[tuple[str, Tell]]:
    """How many axes a text says that a tensor has: `assert x.dim() == 4`, `assert len(x.shape) in [4, 5]`."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.In()], comparators=[right]):
            axes = number(right.elts[0] if isinstance(right, ast.List | ast.Tuple) and right.elts else right)
            if isinstance(axes, int) and (name := _counted_axes_of(left)):
                yield name, _axes(axes)
        case ast.BoolOp(op=ast.And(), values=parts):
            yield from (told for one in parts for told in _of_assert(one))


def _counted_axes_of(node: ast.expr) -> str | None:
    """Whose axes an expression counts: `x.dim()`, `x.ndim`, `len(x.shape)`, `len(x.size())`."""
    match node:
        case ast.Attribute(value=owner, attr="ndim"):
            return name_of(owner)
        case ast.Call(func=ast.Attribute(value=owner, attr="dim" | "ndimension")):
            return name_of(owner)
        case ast.Call(
            func=ast.Name(id="len"),
            args=[ast.Attribute(value=owner, attr="shape") | ast.Call(func=ast.Attribute(value=owner, attr="size"))],
        ):
            return name_of(owner)
    return None


def read_of(node: ast.AST) -> str | None:
    """The name that an expression picks from or shapes anew: `y` of `y.unsqueeze(1)` and of `y[:, None]`."""
    while isinstance(node, ast.Call | ast.Subscript):
        inner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        node = node.value if isinstance(node, ast.Subscript) else inner or ast.Pass()
    return name_of(node)


def _of_index(node: ast.Subscript) -> Iterator[tuple[str, Tell]]:
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    names = [name for name in map(name_of, parts) if name]
    yield from ((name, _kind("whole")) for name in names)
    if any(isinstance(part, ast.Call) and _called(part) in ("range", "arange") for part in parts):
        yield from ((name, tell) for name in names for tell in (_axes(1), _by_row))
    ends = [end for part in parts if isinstance(part, ast.Slice) for end in (part.lower, part.upper, part.step) if end]
    yield from ((name, tell) for end in ends for name in _reckoned(end) for tell in (_number, _counted(end)))
    counted = [part for part in parts if not (isinstance(part, ast.Constant) and part.value in (None, ...))]
    if name := name_of(node.value):
        yield name, _least(len(counted))


def _of_call(node: ast.Call) -> Iterator[tuple[str, Tell]]:
    called = _called(node)
    # of a method's arguments the first is the tensor itself
    before = int(isinstance(node.func, ast.Attribute) and name_of(node.func.value) not in FUNCTIONS)
    for place, argument in enumerate(node.args, start=before):
        if (name := read_of(argument)) and place in WHOLE.get(called.rstrip("_"), ()):
            yield name, _kind("whole")
        if (name := read_of(argument)) and place in UNIT.get(called, ()):
            yield name, _kind("unit")
        if called in MAKERS and (called != "int" or isinstance(argument, ast.BinOp)):
            yield from ((name, _number) for name in _reckoned(argument))
        if called in COUNTERS:
            yield from ((name, _counted(argument)) for name in _reckoned(argument))
        for name in _reckoned(argument) if called in AXES else filter(None, [name_of(argument)]):
            yield from ((name, tell) for tell in _of_argument(called, place))
    yield from _of_places(called, node, is_method=bool(before))
    yield from ((name, _number) for one in node.keywords if one.arg in OPTIONS and (name := name_of(one.value)))
    yield from _of_keywords(node, AXES_BY_KEYWORD.get(called, {}))
    yield from _of_equation(node) if called == "einsum" else _of_method(called, node)
    if called in ("rearrange", "reduce", "repeat") and len(node.args) > 1:
        yield from _of_pattern(node.args[0], node.args[1])


def _of_places(called: str, node: ast.Call, is_method: bool) -> Iterator[tuple[str, Tell]]:
    """What a call tells of the tensor whose method it is, of one that is turned, and of a convolution's groups."""
    turned = [(place, owner) for place, one in enumerate(node.args, start=is_method) if (owner := _turned(one))]
    whole = [(0, node.func.value)] if is_method and isinstance(node.func, ast.Attribute) else []
    for place, one in [*whole, *turned] if called in AXES else ():
        yield from ((name, tell) for name in [name_of(one)] if name for tell in _of_argument(called, place))
    groups = _given(node, GROUPS, "groups") if called.startswith("conv") else None
    if groups is not None and (name := name_of(groups)):
        yield name, _single


def _turned(node: ast.expr) -> ast.expr | None:
    """The tensor that an expression has with its axes in another order: `x` of `x.transpose(0, 1)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in TURNING:
            return owner
    return None


def _given(node: ast.Call, place: int, name: str) -> ast.expr | None:
    """An argument of a call, by its place or its name."""
    named = [one.value for one in node.keywords if one.arg == name]
    return next(iter([*named, *node.args[place : place + 1]]), None)


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _of_argument(called: str, place: int) -> Iterator[Tell]:
    if called in SHAPERS and place:
        yield _number
    if place in MASKS.get(called, ()):
        yield _kind("mask")
    if place in AXES.get(called, {}):
        yield _axes(AXES[called][place])
    if called in OF_CLASSES and place == OF_CLASSES[called]:
        yield _held


def _of_method(called: str, node: ast.Call) -> Iterator[tuple[str, Tell]]:
    """Axes that a method names by their numbers, and targets of which whole numbers are made."""
    name, args = name_of(node.func.value) if isinstance(node.func, ast.Attribute) else None, node.args
    if name in FUNCTIONS and args:
        name, args = name_of(args[0]), args[1:]
    if name and called == "long" and TARGET.search(name):
        yield name, _kind("whole")
    if name and called in BY_AXIS:
        given = [*args, *(keyword.value for keyword in node.keywords if keyword.arg in ("dim", "axis"))]
        given = [part for one in given for part in (one.elts if isinstance(one, ast.List | ast.Tuple) else [one])]
        places = [place for one in given if isinstance(place := number(one), int)]
        least = max([place + 1 if place >= 0 else -place for place in places], default=0)
        yield name, _least(len(places) if called == "permute" else least)
        if called == "flatten" and (start := _start_of(node)) > 1:  # there are two to be made one
            yield name, _least(start + 2)


def _start_of(node: ast.Call) -> int:
    """The first axis that `.flatten` makes one with those behind it; 0 where an end is given as well."""
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    start = number(given[0]) if len(given) == 1 else 0
    return start if isinstance(start, int) else 0


def _of_equation(node: ast.Call) -> Iterator[tuple[str, Tell]]:
    """The letters of `torch.einsum`."""
    equation = next((one for one in node.args if isinstance(one, ast.Constant)), None)
    if equation is None:
        return
    # PyTorch's letters stand close together before the tensors, the words of einops apart behind them
    is_first, written = equation is node.args[0], str(equation.value).partition("->")[0].split(",")
    terms = [[*term.replace(" ", "")] if is_first else term.split() for term in written]
    others = [one for one in node.args if one is not equation]
    for term, one in zip(terms, others, strict=False):
        if (name := name_of(one)) and not any("." in word for word in term):
            yield name, _axes(len(term))


def _of_pattern(tensor: ast.expr, pattern: ast.expr) -> Iterator[tuple[str, Tell]]:
    """The axes on the left of a pattern of einops, those in brackets as one; none where there may be more."""
    if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str) or "->" not in pattern.value:
        return
    terms = BRACKETS.sub("_", pattern.value.partition("->")[0]).split()
    if (name := name_of(tensor)) and "..." not in terms:
        yield name, _axes(len(terms))


def _of_keywords(node: ast.Call, axes: Mapping[str, int]) -> Iterator[tuple[str, Tell]]:
    for one in node.keywords:
        if one.arg is not None and one.arg in axes and (name := name_of(one.value)):
            yield name, _axes(axes[one.arg])
    called = _called(node)
    names = [name_of(one.value) for one in node.keywords if one.arg == "weight" and called in OF_CLASSES]
    yield from ((name, _held) for name in names if name)


def _of_shape(target: ast.Tuple, value: ast.expr) -> Iterator[tuple[str, Tell]]:
    """`B, T, C = x.shape`, or `x.size()`, also with more behind it: `B, T, C, h = *x.shape, self.heads`."""
    if isinstance(value, ast.Tuple) and isinstance(value.elts[0], ast.Starred):
        others = len(value.elts) - 1
        if not any(isinstance(part, ast.Starred) for part in (*target.elts, *value.elts[1:])):
            yield from _of_shape(ast.Tuple(target.elts[: len(target.elts) - others]), value.elts[0].value)
        return
    shape = value.func if isinstance(value, ast.Call) and not value.args else value
    if isinstance(shape, ast.Attribute) and shape.attr in ("shape", "size") and (name := name_of(shape.value)):
        if any(isinstance(part, ast.Starred) for part in target.elts):
            yield name, _least(len(target.elts) - 1)
            return
        names = [part.id if isinstance(part, ast.Name) else "_" for part in target.elts]
        yield name, lambda use: vars(use).update(axes=len(names), named=names)


def _held(use: Use) -> None:
    use.held = True


def _single(use: Use) -> None:
    use.single = True


def _by_row(use: Use) -> None:
    use.by_row = True


def _number(use: Use) -> None:
    use.number = True


def _counted(node: ast.expr) -> Tell:
    """Told of a name of which a whole number is reckoned: what is divided or rounded first may be any."""
    is_whole = all(isinstance(one.op, WHOLE_SIGNS) for one in ast.walk(node) if isinstance(one, ast.BinOp))
    return lambda use: vars(use).update(counted=use.counted or is_whole)


@cache
def _axes(count: int) -> Tell:
    def tell(use: Use) -> None:
        use.axes = use.axes or count

    return tell


@cache
def _least(count: int) -> Tell:
    def tell(use: Use) -> None:
        use.least = max(use.least, count)

    return tell


@cache
def _kind(kind: Kind) -> Tell:
    def tell(use: Use) -> None:
        use.kind = use.kind or kind

    return tell
