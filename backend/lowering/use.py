"""One call of a function or method that is carried out here, and not in the library."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from backend.engine.language.values import Parameters


@dataclass(frozen=True)
class Use:
    """A call: who carries it out, what it is called on, what it is given, and its place."""

    machine: Any
    base: Any
    args: list[Any]
    kwargs: Parameters
    node: ast.expr

    def with_args(self, *args: Any) -> Use:
        """The same call with other arguments, and none by name."""
        return replace(self, args=list(args), kwargs={})

    def given(self, place: int, name: str, otherwise: Any = None) -> Any:
        """An argument by its place or by its name."""
        return self.args[place] if len(self.args) > place else self.kwargs.get(name, otherwise)


Act = Callable[[Use], Any]
