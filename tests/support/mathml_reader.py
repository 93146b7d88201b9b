"""A reader of formulas: MathML back into numbers, by the rules by which a person reads mathematics."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import torch

FUNCTIONS = {
    "exp": torch.exp, "log": torch.log, "tanh": torch.tanh, "sin": torch.sin, "cos": torch.cos, "σ": torch.sigmoid,
    "relu": torch.relu, "sign": torch.sign, "erf": torch.erf,
}  # fmt: skip
COMPARE = {">": torch.gt, "<": torch.lt, "≥": torch.ge, "≤": torch.le, "=": torch.eq, "≠": torch.ne}
Token = tuple[str, Any]
# What stands at the end of a gradient to which other paths will add.
MORE: list[Token] = [("mo", "+"), ("mo", "⋯")]


class UnreadError(Exception):
    """The formula is no mathematics that this reader knows."""


def flat(element: ElementTree.Element) -> list[Token]:
    """Tokens in the order in which they are seen: an mrow is no bracket."""
    if element.tag in ("math", "mrow"):
        return [token for child in element for token in flat(child)]
    if element.tag in ("mo", "mi", "mn"):
        return [(element.tag, element.text)]
    if element.tag == "mspace":
        return [("mo", "beside")]
    return [(element.tag, element)]


class Reader:
    """Reads one formula; `gradient` gives ∂L/∂name, `part` ∂L/∂(an expression), `axis` the axis of that name."""

    def __init__(self, scope: dict[str, Any], loss: str, gradient: Any, part: Any, axis: Any, shape: Any) -> None:
        self.scope, self.loss, self.gradient, self.part, self.axis, self.shape = (
            scope,
            loss,
            gradient,
            part,
            axis,
            shape,
        )

    def equation(self, text: str) -> tuple[str | torch.Tensor, torch.Tensor]:
        """What stands on the left of an equation, and the value of its right side."""
        tokens = flat(ElementTree.fromstring(text))
        if tokens[1] != ("mo", "="):
            raise UnreadError(tokens[1])
        left = self.of_partial(tokens[0][1])
        open_ended = tokens[-2:] == MORE
        return left, self.all_of(tokens[2:-2] if open_ended else tokens[2:], outermost=True)

    def all_of(self, tokens: list[Token], outermost: bool = False) -> torch.Tensor:
        self_tokens = list(tokens)
        made = self.sum(self_tokens, outermost)
        if self_tokens:
            raise UnreadError(self_tokens)
        return made

    def sum(self, tokens: list[Token], outermost: bool = False) -> torch.Tensor:
        made = self.term(tokens)
        while tokens and tokens[0] in (("mo", "+"), ("mo", "−")):
            sign = tokens.pop(0)[1]
            made, other = self.met(made, self.term(tokens)) if outermost else (made, self.term(tokens))
            made = made + other if sign == "+" else made - other
        return made

    def met(self, *terms: Any) -> Any:
        """Two terms; where axes that they were summed over are all that sets them apart, as the result has them."""
        sized = [torch.as_tensor(term) for term in terms]
        bare = {tuple(size for size in shape if size != 1) for shape in (*(one.shape for one in sized), self.shape)}
        return [one.reshape(self.shape) for one in sized] if len(bare) == 1 else terms

    def term(self, tokens: list[Token]) -> torch.Tensor:
        if tokens[0] == ("mo", "−"):
            tokens.pop(0)
            return -1 * self.term(tokens)
        if tokens[0][0] == "munder":
            sigma = tokens.pop(0)[1]
            return self.total(sigma[1].text, self.product(tokens))
        return self.product(tokens)

    def total(self, under: str, inside: torch.Tensor) -> torch.Tensor:
        if under == "all":
            return inside.sum()
        return inside.sum([self.axis(name, inside) for name in under.split(", ")], keepdim=True)

    def product(self, tokens: list[Token]) -> torch.Tensor:
        made = self.matrix(tokens)
        while tokens and tokens[0] in (("mo", "⊙"), ("mo", "·")):
            sign = tokens.pop(0)[1]
            other = self.matrix(tokens)
            if sign == "·" and 1 not in (torch.as_tensor(made).numel(), torch.as_tensor(other).numel()):
                raise UnreadError("a dot between two tensors")
            made = made * other
        return made

    def matrix(self, tokens: list[Token]) -> torch.Tensor:
        made = self.atom(tokens)
        while tokens and tokens[0] == ("mo", "beside"):
            tokens.pop(0)
            made = made @ self.atom(tokens)
        return made

    def atom(self, tokens: list[Token]) -> Any:
        kind, what = tokens.pop(0)
        if kind == "mn":
            return torch.ones(self.shape) if what == "𝟙" else float(what)
        if kind == "mi" or (kind == "msub" and tokens and tokens[0] == ("mo", "\u2061")):
            return self.applied(what, tokens) if tokens and tokens[0] == ("mo", "\u2061") else self.known(what)
        if (kind, what) == ("mo", "("):
            return self.bracketed(tokens, ")")
        if (kind, what) == ("mo", "["):
            return self.comparison(tokens)
        return self.built(kind, what)

    def known(self, name: str) -> Any:
        value = self.scope.get(name)
        if not isinstance(value, torch.Tensor | int | float):
            raise UnreadError(name)
        return value

    def bracketed(self, tokens: list[Token], closing: str) -> Any:
        made = self.sum(tokens)
        if not tokens or tokens.pop(0) != ("mo", closing):
            raise UnreadError(f"no {closing}")
        return made

    def comparison(self, tokens: list[Token]) -> torch.Tensor:
        left = self.sum(tokens)
        sign = tokens.pop(0)[1]
        return COMPARE[sign](left, self.bracketed(tokens, "]"))

    def applied(self, what: Any, tokens: list[Token]) -> torch.Tensor:
        tokens.pop(0)
        if tokens.pop(0) != ("mo", "("):
            raise UnreadError("a function of nothing")
        argument = self.bracketed(tokens, ")")
        if isinstance(what, str):
            return FUNCTIONS[what](torch.as_tensor(argument))
        if what[0].text != "softmax":
            raise UnreadError(what[0].text)
        return argument.softmax(self.axis(what[1].text, argument))

    def built(self, kind: str, element: ElementTree.Element) -> Any:
        if kind == "mfrac":
            partial = flat(element[0])[:1] == [("mo", "∂")]
            return (
                self.of_partial(element) if partial else self.all_of(flat(element[0])) / self.all_of(flat(element[1]))
            )
        if kind == "msqrt":
            return torch.sqrt(torch.as_tensor(self.all_of([token for child in element for token in flat(child)])))
        if kind == "msup":
            return self.raised(self.single(element[0]), flat(element[1]))
        if kind == "msub":
            return self.picked(self.single(element[0]), str(element[1].text))
        raise UnreadError(kind)

    def single(self, element: ElementTree.Element) -> Any:
        """A base: one thing, or something in brackets."""
        tokens = flat(element)
        made = self.atom(tokens)
        if tokens:
            raise UnreadError("an exponent after a product")
        return made

    def raised(self, base: Any, exponent: list[Token]) -> Any:
        if exponent == [("mi", "T")]:
            return base.mT
        if len(exponent) == 1 and str(exponent[0][1]).startswith("−"):
            return base ** -float(exponent[0][1][1:])
        return base ** self.all_of(exponent)

    def picked(self, base: torch.Tensor, index: str) -> torch.Tensor:
        if not re.fullmatch(r"(:|\d+)(,(:|\d+))*", index):
            raise UnreadError(index)
        return base[tuple(slice(None) if part == ":" else int(part) for part in index.split(","))]

    def of_partial(self, element: ElementTree.Element) -> torch.Tensor:
        above, below = flat(element[0]), flat(element[1])
        if above != [("mo", "∂"), ("mi", self.loss)] or below[0] != ("mo", "∂"):
            raise UnreadError("not a derivative of the loss")
        if len(below) == 2 and below[1][0] == "mi":
            return self.gradient(below[1][1])
        return self.part(self.all_of(below[1:]))
