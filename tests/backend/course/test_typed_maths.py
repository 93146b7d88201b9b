"""What people type means as code what it means on paper: held against what Python and torch make of it."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F

from backend.course.typed_maths import as_code, number_typed

P, W, V, S = 3.0, 2.0, torch.tensor([1.5, 2.0, -1.0]), torch.tensor([0.2, 0.5, 0.9])
A, B = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[0.5, -1.0], [2.0, 1.0]])
SCOPE = {"p": P, "w": W, "v": V, "s": S, "A": A, "B": B}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2p+1", 2 * P + 1), ("2 p + 1", 2 * P + 1), ("p(p+1)", P * (P + 1)), ("(p+1)(p-1)", (P + 1) * (P - 1)),
        ("4w^3", 4 * W**3), ("4*w^3", 4 * W**3), ("4w³", 4 * W**3), ("w⁻²", W**-2), ("w^-2", W**-2), ("2·w", 2 * W),
        ("0.9^100", 0.9**100), ("ln(27)", math.log(27)), ("log(27)", math.log(27)), ("ln 27", math.log(27)),
        ("-log(1/27)", math.log(27)), ("torch.log(27)", math.log(27)), ("np.log(27)", math.log(27)),
        ("log2(8)", 3.0), ("1/sqrt(6)", 1 / math.sqrt(6)), ("e^2", math.e**2), ("2π", 2 * math.pi),
        ("exp(1)", math.e), ("1e-3", 1e-3), ("2e-3 p", 2e-3 * P), ("p÷w − 1", P / W - 1), ("= 2p", 2 * P),
        ("(1-s)v", (1 - S) * V), ("s(1-s) v", S * (1 - S) * V), ("3v²s", 3 * V**2 * S), ("ln(s)", S.log()),
        ("exp(s)*v", S.exp() * V), ("sum(s*v)", (S * V).sum()), ("np.sum(s*v)", (S * V).sum()),
        ("relu(v)", V.relu()), ("2F.relu(v)s", 2 * V.relu() * S), ("softmax(v, 0)", F.softmax(V, 0)),
        ("v[0] w", V[0] * W), ("(v > 0) s", (V > 0) * S), ("v.sum(0, keepdim=True)", V.sum(0, keepdim=True)),
        ("torch.einsum('i,i->', s, v)", (S * V).sum()), ("A^T", A.T), ("Aᵀ", A.T), ("A.T @ B", A.T @ B),
    ],
)  # fmt: skip
def test_what_is_typed_is_read_as_it_is_meant(typed: str, meant: object) -> None:
    code = as_code(typed, SCOPE)
    made = eval(code, {"torch": torch, "math": math, "F": F, **SCOPE})
    assert torch.allclose(torch.as_tensor(made, dtype=torch.float64), torch.as_tensor(meant, dtype=torch.float64)), code


def test_two_matrices_side_by_side_may_be_their_product() -> None:
    assert eval(as_code("2 A^T B", SCOPE, "@"), dict(SCOPE)).equal(2 * A.T @ B)
    assert as_code("(A + B) v", SCOPE, "@") == "(A + B) @ v"


def test_a_name_that_is_there_is_no_function_and_no_constant() -> None:
    assert as_code("e e + log", {"e", "log"}) == "e * e + log"
    assert as_code("log(e)", {"e", "log"}) == "log * (e)"


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("0,25", "0.25"), ("1,000", "1000"), ("12,345.6", "12345.6"), ("−3", "-3"), ("= 4", "4"), ("dv = 4", "4"),
        ("0,125", "0.125"), ("one", "1"), ("25 %", "25 / 100"), ("2.5", "2.5"), ("1/3", "1/3"), ("a == b", "a == b"),
        ("2.7·10⁻⁵", "2.7e-5"), ("−3 * 10^4", "-3e4"), ("2 × 10**-3", "2e-3"), ("2·10", "2*10"), ("2·10-5", "2*10-5"),
    ],
)  # fmt: skip
def test_a_number_is_read_in_every_way_it_is_written(typed: str, number: str) -> None:
    assert number_typed(typed) == number


@pytest.mark.parametrize("typed", ["", "'", '"abc', "((((", "))))", "^^^", "2 " * 200, "p" * 400, "\x00", "ᵀ" * 100])
def test_no_text_is_too_odd_to_be_looked_at(typed: str) -> None:
    assert isinstance(as_code(typed, SCOPE), str)
    assert isinstance(number_typed(typed), str)
