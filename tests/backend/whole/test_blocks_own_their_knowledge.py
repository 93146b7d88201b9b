"""What is particular to an operation is said by its block: no module outside backend/engine/ops names one, or a spelling.

Named is what a module imports or reads by the class's name, a spelling's key such as `torch.exp` or `.view`, and the
bare word `view` where it is held against a name in a program's text, or stands in a list of such words. Docstrings,
comments and sentences may name what they like.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

import pytest

from backend.engine.ops import OPS, REGISTRY
from tests.tools.server import ROOT

BACKEND = ROOT / "backend"
MODULES = [path for path in sorted(BACKEND.rglob("*.py")) if BACKEND / "engine" / "ops" not in path.parents]
CLASSES = {op.__name__ for op in OPS}
FILES = {op.__module__ for op in OPS}
KEYS = {key for key in REGISTRY if "." in key}  # `+` and `[]` are the grammar's
WORDS = {name for op in OPS for name in op.names()}

# Modules that name what is spelled like an operation, and is something else.
OTHERWISE_MEANT = {
    "backend/program/chapters/bounded_yaml.py": "kinds of values in YAML",
    "backend/program/chapters/directives.py": "titles of figures",
    "backend/course/typed_maths.py": "functions by the names that they have on paper",
    "backend/engine/encode.py": "the mean, minimum and maximum of a block of cells that are drawn as one",
    "backend/lines/index_notation/numbers.py": "the functions of `cell` texts, with plain numbers",
    "backend/lines/index_notation/scalar_expr.py": "the functions of `cell` texts, with their signs",
    "backend/engine/language/grammar.py": "the functions of `math`, and layers of `torch.nn` with what to write instead",
    "backend/engine/language/scalars.py": "Python's own functions of plain numbers",
    "backend/engine/language/unlisted.py": "constructors of torch that are no operations here, with what to write instead",
    "backend/inspect/axis_choices.py": "the sum that the question is about",
    "backend/practice/judge.py": "calls in which a number may be the length of an axis, in what somebody wrote",
    "backend/services/export.py": "Python's own functions, which an exported file calls",
    # The language comes before the operations. These rewrite lines by identities between spellings, such as
    # `x.sum(1, keepdim=True).squeeze(1)` and `x.sum(1)`: each is about several operations and belongs to none.
    "backend/engine/language/rearrange.py": "identities of the notation: changes of shape that undo each other",
    "backend/engine/language/rewrite.py": "identities of the notation: signs, factors and copies",
    "backend/engine/language/signs.py": "identities of the notation: a number in front of ones",
    "backend/training/clamped.py": "the mean that a loss is, before which each example's is clamped",
    "backend/training/compiler/kernels.py": "the signs by which a block says what it folds cells with",
    "backend/training/instruments.py": "the statistics of a tensor that a report tells of",
}
# Rooms that read code as other people found it: Python's and PyTorch's words for what has no block of its own (layers,
# methods that change in place, draws), each answered by lines of the language, whose meaning the blocks say.
READERS = ("backend/lowering/", "backend/engine/filling/")


OWNERS_ONLY = [path for path in MODULES if not str(path.relative_to(ROOT)).startswith(READERS)]


def named_in(text: str) -> list[str]:
    """The operations and spellings that a module's text names, each with its line."""
    tree = ast.parse(text)
    prose = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return sorted(
        {f"line {getattr(node, 'lineno', 0)}: {word}" for node in ast.walk(tree) for word in _named(node, prose)}
    )


def _named(node: ast.AST, prose: Set[ast.AST]) -> Iterator[str]:
    """What a node names; `prose` are the expressions that stand for themselves, such as docstrings."""
    match node:
        case ast.Constant(value=str(text)) if node not in prose and text in KEYS | CLASSES:
            yield text
        case ast.ImportFrom(module=module, names=names) if module in FILES:
            yield from (name.name for name in names if name.name in CLASSES)
        case ast.Attribute(value=ast.Name(id=module), attr=name) if (
            name in CLASSES and f"backend.engine.ops.{module}" in FILES
        ):
            yield name
        case ast.MatchClass(kwd_attrs=fields, kwd_patterns=patterns):
            yield from (
                w for field, part in zip(fields, patterns, strict=True) if field == "attr" for w in _words(part)
            )
        case ast.Call(func=ast.Attribute(attr="Attribute"), args=[_, name, *_]):
            yield from _words(name)
        case ast.Compare(left=left, comparators=[right]) if _is_name_of_something(left):
            yield from _words(right)
        case ast.Set(elts=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(keys=parts):
            words = [word for part in parts if isinstance(part, ast.Constant) for word in _words(part)]
            yield from words if len(words) > max(2, len(parts) // 2) else []


def _is_name_of_something(node: ast.expr) -> bool:
    """Whether this reads the name of a method in a program's text, or that of an operation."""
    func = node.func if isinstance(node, ast.Call) else node
    return isinstance(func, ast.Attribute) and func.attr in {"attr", "name", "__name__"}


def _words(node: ast.AST) -> Iterator[str]:
    yield from (part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and part.value in WORDS)


@pytest.mark.parametrize("room", READERS)
def test_rooms_that_read_code_name_what_they_read(room: str) -> None:
    assert any(named_in(path.read_text()) for path in (ROOT / room).rglob("*.py")), "take it off the list"


def test_no_module_outside_names_an_operation() -> None:
    named = {str(path.relative_to(ROOT)): named_in(path.read_text()) for path in OWNERS_ONLY}
    assert {name: found for name, found in named.items() if found and name not in OTHERWISE_MEANT} == {}
    assert [name for name in OTHERWISE_MEANT if not named[name]] == [], "named no longer: take it off the list"


def test_the_list_names_modules_that_are_there() -> None:
    assert set(OTHERWISE_MEANT) <= {str(path.relative_to(ROOT)) for path in MODULES}


@pytest.mark.parametrize(
    "text",
    [
        "from backend.engine.ops.matrix import MatMul",
        "from backend.engine.ops import index\nPICKS = {index.Gather: 1}",
        "if key == '.view':\n    key = '.reshape'",
        "PRODUCTS = frozenset({'torch.bmm', '@'})",
        "if op.name() == 'max':\n    pass",
        "light = op.__name__ in ('Sub', 'Neg')",
        "match node:\n    case ast.Attribute(value=inner, attr='T' | 'mT'):\n        pass",
        "made = ast.Attribute(node, 'clone', ast.Load())",
        "MOVING = {'view', 'permute', 'unsqueeze'}",
    ],
)
def test_what_is_named_is_seen(text: str) -> None:
    assert named_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    '''.view'''",
        "told = '`.clone()`, because a later line adds to it'",
        "from backend.engine.ops.index import parts_of",
        "found = {'sum': 1, 'count': 2, 'over': 3}",
        "x = 1  # torch.exp",
    ],
)
def test_what_is_not_is_left_alone(text: str) -> None:
    assert named_in(text) == []
