"""The key and the operands of an expression's outermost operation, beside the spellings that the blocks give."""

from __future__ import annotations

import pytest

from backend.engine.language.application import is_of_module, key_of, operands
from backend.engine.language.expression import expression
from backend.engine.language.unparse import printed
from backend.engine.ops import REGISTRY


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("-x", "-x"),
        ("~x", "~x"),
        ("x @ y + 1", "+"),
        ("x <= y", "<="),
        ("x[0, :]", "[]"),
        ("(x @ y).T", ".T"),
        ("torch.exp(x)", "torch.exp"),
        ("torch.exp(x).sum(0)", ".sum"),
        ("torch.linalg.norm(x)", "torch.linalg.norm"),
        ("torch.nn.functional.relu(x)", "F.relu"),
        ("x.relu()", ".relu"),
        ("x", ""),
        ("f(x)", ""),
    ],
)
def test_key(text: str, key: str) -> None:
    assert key_of(expression(text)) == key


def test_every_spelling_is_found_under_its_own_key() -> None:
    for key, uses in REGISTRY.items():
        for op, signature in uses:
            assert signature.key == key
            assert any(key_of(expression(text)) == key for text in op.written), (op, key)


@pytest.mark.parametrize(
    ("text", "given", "by_name"),
    [
        ("a + b", ["a", "b"], {}), ("-a", ["a"], {}), ("a < b", ["a", "b"], {}), ("a[i, 0]", ["a", "(i, 0)"], {}),
        ("a.T", ["a"], {}), ("a.sum(1, keepdim=k)", ["a", "1"], {"keepdim": "k"}),
        ("torch.cat([a, b], dim=1)", ["[a, b]"], {"dim": "1"}), ("F.relu(a)", ["a"], {}),
        ("torch.linalg.norm(a)", ["a"], {}), ("torch.relu(a).sum(0)", ["torch.relu(a)", "0"], {}), ("a", [], {}),
    ],
)  # fmt: skip
def test_operands(text: str, given: list[str], by_name: dict[str, str]) -> None:
    args, kwargs = operands(expression(text))
    assert [printed(part) for part in args] == given
    assert {name: printed(part) for name, part in kwargs.items()} == by_name


def test_parts_of_modules() -> None:
    texts = ["torch.relu", "torch.linalg.norm", "math.pi", "torch.relu(x).sum", "x.sum", "torchy.relu"]
    assert [is_of_module(expression(text)) for text in texts] == [True, True, True, False, False, False]
