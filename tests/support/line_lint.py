"""What a good teacher would not write in a backward line, found in its text and its tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

REARRANGING = {"t", "transpose", "swapaxes", "swapdims", "permute", "movedim", "moveaxis"}
SPREADING = {"view", "reshape", "expand", "permute", "repeat", "flip"}
REDUCING = {"sum", "mean", "amax", "amin", "squeeze"}
SIGNS = re.compile(r"--|\+ -|- -|\+= -|-= -|\+-")
Rank = Callable[[ast.expr], int]


def faults(statement: ast.stmt, code: str, rank: Rank) -> list[str]:
    """All that is wrong with one statement as it is printed; `rank` tells how many axes an expression has."""
    found = [f"signs: {sign}" for sign in SIGNS.findall(code)]
    found += [] if reads_back(statement, code) else ["it is read back as something else"]
    found += [f"needless brackets: {text}" for text in needless_brackets(code)]
    found += ["placed through None"] if _is_placed_through_none(ast.parse(code).body[0]) else []
    for node in ast.walk(ast.parse(code)):
        found += [name for name, is_fault in FAULTS.items() if is_fault(node)]
        found += ["turned twice"] if is_turned_twice(node, rank) else []
    return found


def reads_back(statement: ast.stmt, code: str) -> bool:
    """Whether a printed statement means its tree, in which the sign of a product may stand before its first factor."""
    return ast.unparse(ast.parse(code)) == ast.unparse(_AsRead().visit(_copy(statement)))


def _copy(statement: ast.stmt) -> ast.stmt:
    return ast.parse(ast.unparse(ast.fix_missing_locations(statement))).body[0]


class _AsRead(ast.NodeTransformer):
    """-(a * b) as (-a) * b."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _signed(node.operand) if isinstance(node.op, ast.USub) else node


def _signed(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div | ast.MatMult):
        return ast.BinOp(_signed(node.left), node.op, node.right)
    return ast.UnaryOp(ast.USub(), node)


def needless_brackets(code: str) -> Iterator[str]:
    """Each pair of brackets without which the text would mean the same, and no sign would follow a sign."""
    meant, opened = ast.dump(ast.parse(code)), []
    for place, letter in enumerate(code):
        if letter == "(":
            opened.append(place)
        if letter == ")":
            start = opened.pop()
            bare = f"{code[:start]} {code[start + 1 : place]} {code[place + 1 :]}"
            if _tree(bare) == meant and code[start - 1 : start + 2] != "-(-":
                yield code[start : place + 1]


def _tree(code: str) -> str:
    try:
        return ast.dump(ast.parse(code.strip()))
    except SyntaxError:
        return ""


def _is_one(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value == 1


def _is_times_one(node: ast.AST) -> bool:
    if not isinstance(node, ast.BinOp):
        return False
    product = isinstance(node.op, ast.Mult) and (_is_one(node.left) or _is_one(node.right))
    return product or (isinstance(node.op, ast.Div) and _is_one(node.right))


def _method(node: ast.AST | None) -> str:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _receiver(node: ast.AST) -> ast.expr | None:
    """What a method is called on."""
    return node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None


def _keeps(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Call) and _method(node) == "sum" and "keepdim" in {one.arg for one in node.keywords}


def _is_squeezed_sum(node: ast.AST) -> bool:
    return _method(node) == "squeeze" and _keeps(_receiver(node))


def _is_one_in_a_tuple(node: ast.AST) -> bool:
    given = node.args[:1] if isinstance(node, ast.Call) and _method(node) in REDUCING | SPREADING else []
    return bool(given) and isinstance(given[0], ast.Tuple) and len(given[0].elts) == 1


def _is_bracketed_twice(node: ast.AST) -> bool:
    given = node.args if isinstance(node, ast.Call) and _method(node) in SPREADING else []
    return len(given) == 1 and isinstance(given[0], ast.Tuple) and bool(given[0].elts)


def _is_stretched_twice(node: ast.AST) -> bool:
    return _method(node) == "expand" and _method(_receiver(node)) == "expand"


FAULTS: dict[str, Callable[[ast.AST], bool]] = {
    "times one": _is_times_one,
    "a kept axis is squeezed": _is_squeezed_sum,
    "one axis in a tuple": _is_one_in_a_tuple,
    "brackets in brackets": _is_bracketed_twice,
    "stretched twice": _is_stretched_twice,
}


def _is_placed_through_none(statement: ast.stmt) -> bool:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    index = target.slice if isinstance(target, ast.Subscript) else ast.Tuple([])
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(isinstance(part, ast.Constant) and part.value is None for part in parts)


def is_turned_twice(node: ast.AST, rank: Rank) -> bool:
    """Whether a change of the axes' order undoes another one, or turns a product of which a factor is turned already."""
    inner = _turned_from(node)
    if inner is None:
        return False
    if _turned_from(inner) is not None:
        axes = list(range(rank(inner)))
        return _order(node, _order(inner, axes)) == axes
    sides = [inner.left, inner.right] if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.MatMult) else []
    return any(_turned_from(side) is not None for side in sides)


def _turned_from(node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return node.value
    return _receiver(node) if _method(node) in REARRANGING else None


def _order(move: ast.AST, axes: list[int]) -> list[int]:
    """Axes in the order in which a move leaves them."""
    name = move.attr if isinstance(move, ast.Attribute) else _method(move)
    numbers = [ast.literal_eval(argument) for argument in getattr(move, "args", [])]
    if name == "permute":
        numbers = [*numbers[0]] if isinstance(numbers[0], tuple) else numbers
        return [axes[number] for number in numbers]
    if name in ("movedim", "moveaxis"):
        moved = [axis for axis in axes if axis != axes[numbers[0]]]
        moved.insert(numbers[1] % len(axes), axes[numbers[0]])
        return moved
    first, second = numbers or {"T": (0, -1), "t": (0, -1), "mT": (-2, -1)}[name]
    made = list(axes)
    if name == "T":
        return made[::-1]
    made[first], made[second] = made[second], made[first]
    return made
