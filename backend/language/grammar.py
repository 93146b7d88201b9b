"""The allow-list: what a program may be made of. Whatever is not listed here is refused."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from types import MappingProxyType

STATEMENTS = (ast.Assign, ast.For, ast.Expr, ast.AugAssign)
EXPRESSIONS = (
    ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Constant, ast.Attribute,
    ast.Subscript, ast.Name, ast.List, ast.Tuple, ast.Slice,
)  # fmt: skip
GLUE = (ast.Module, ast.Load, ast.Store, ast.keyword, ast.operator, ast.unaryop, ast.cmpop)
ALLOWED = STATEMENTS + EXPRESSIONS + GLUE

BINARY = MappingProxyType(
    {
        ast.Add: "+",
        ast.Sub: "-",
        ast.Mult: "*",
        ast.Div: "/",
        ast.Pow: "**",
        ast.MatMult: "@",
        ast.FloorDiv: "//",
        ast.Mod: "%",
        ast.BitAnd: "&",
        ast.BitOr: "|",
        ast.BitXor: "^",
    }
)
UNARY = MappingProxyType({ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"})
COMPARISONS = MappingProxyType({ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="})

MODULES = ("torch", "F", "math")
RESERVED = frozenset({*MODULES, "range", "len", "float", "int", "nn"})
UNWANTED = "_"
MATH_NAMES = (
    "sqrt", "log", "exp", "pow", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "asin", "acos", "atan",
    "atan2", "sinh", "cosh", "tanh", "erf", "hypot", "fabs", "floor", "ceil", "prod",
)  # fmt: skip
MATH = MappingProxyType({name: getattr(math, name) for name in MATH_NAMES})
CONSTANTS = MappingProxyType({"pi": math.pi, "e": math.e, "inf": math.inf})
NUMERALS = frozenset({"inf", "+inf", "-inf"})
# How each is written, for whoever gives it something else.
BUILTINS = MappingProxyType(
    {
        "range": "`range(n)`, with whole numbers that are known before the run",
        "len": "`len(x)`, of one tensor",
        "float": "`float(2)`, of a plain number; a tensor becomes decimal with `x.float()`",
        "int": "`int(2.5)`, of a plain number; a tensor becomes whole with `x.long()`",
    }
)
OTHER_MODULES = frozenset({"np", "numpy", "nn", "tf", "jnp", "jax", "scipy", "random"})
PROPERTIES = frozenset({"T", "mT"})
DTYPES = frozenset({"float32", "float64", "float", "double", "int64", "long", "int32", "bool"})

REFUSED_WORDS = MappingProxyType(
    {
        ast.Import: "import", ast.ImportFrom: "import", ast.FunctionDef: "def", ast.AsyncFunctionDef: "async def",
        ast.ClassDef: "class", ast.While: "while", ast.If: "if", ast.With: "with", ast.Try: "try", ast.Lambda: "lambda",
        ast.JoinedStr: "an f-string", ast.ListComp: "a comprehension", ast.GeneratorExp: "a comprehension",
        ast.SetComp: "a comprehension", ast.DictComp: "a comprehension", ast.Dict: "a dictionary", ast.Set: "a set",
        ast.NamedExpr: ":=", ast.Starred: "*", ast.IfExp: "if … else", ast.BoolOp: "and / or", ast.Not: "not",
        ast.Delete: "del", ast.Global: "global", ast.Nonlocal: "nonlocal", ast.Return: "return", ast.Raise: "raise",
        ast.Assert: "assert", ast.Await: "await", ast.Yield: "yield", ast.Break: "break", ast.Continue: "continue",
        ast.AnnAssign: "a type annotation", ast.Pass: "pass",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Limits:
    """What one program may cost; everything here is checked before torch computes."""

    characters: int = 20_000
    syntax_nodes: int = 5_000
    nesting: int = 60
    statements: int = 400
    name_length: int = 64
    largest_integer: int = 2**53
    largest_exponent: int = 64
    tensor_cells: int = 2**20
    tensor_axes: int = 8
    live_bytes: int = 64 * 2**20
    arithmetic: int = 5 * 10**9
    unrolled_steps: int = 2_000
    unrolled_pieces: int = 20_000
    graph_nodes: int = 2_000


LIMITS = Limits()
ANSWER_CHARACTERS = 2_000
