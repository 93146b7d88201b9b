"""The guard around everything that runs because of a program: unforeseen exceptions become refusals, and are logged."""

from __future__ import annotations

import ast
import functools
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb
from typing import ParamSpec, TypeVar

from backend.engine.language.errors import Refusal

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
BACKEND = Path(__file__).parents[2]
log = logging.getLogger("gradwalk.engine")
# How often each place of the engine failed at a program, since this process began.
caught: Counter[str] = Counter()


@contextmanager
def guard(at: ast.AST | None = None, source: str | None = None) -> Iterator[None]:
    """Turn any exception into a Refusal at a statement (of `source`, if given).

    Want of memory passes, and so do refusals; one that has no place gets that of the statement.
    """
    try:
        yield
    except Refusal as passed:
        if at and source and passed.where is None:
            passed.locate(at, source)
        raise
    except Exception as error:
        if wants_memory(error):
            raise
        _count(error)
        refusal = Refusal("operation-fails/line" if at else "operation-fails/program", at=at)
        raise (refusal.locate(at, source) if at and source else refusal) from error


def attempted(compute: Callable[[], Result], otherwise: Result) -> Result:
    """What is computed for the eye alone; where that fails, what stands in its place: the program itself is sound."""
    try:
        return compute()
    except Refusal:
        return otherwise
    except Exception as error:
        if wants_memory(error):
            raise
        _count(error)
        return otherwise


def guarded(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The function behind the guard."""

    @functools.wraps(function)
    def behind(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with guard():
            return function(*args, **kwargs)

    return behind


def wants_memory(error: BaseException) -> bool:
    """Whether an error means out of memory, Python's or torch's."""
    return isinstance(error, MemoryError) or "can't allocate memory" in str(error) or "bad_alloc" in str(error)


def _count(error: Exception) -> None:
    """Log the first, second, fourth, eighth … failure of a place: whoever repeats one fills no log."""
    place = _place(error)
    caught[place] += 1
    if caught[place].bit_count() == 1:
        log.warning("not foreseen: %s at %s, for the %dth time", type(error).__name__, place, caught[place])


def _place(error: Exception) -> str:
    """The innermost line of the engine that an error came through; never its text, which may quote anything."""
    frames = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__)]
    ours = [(path, line) for path, line in frames if path.is_relative_to(BACKEND) and path != Path(__file__)]
    path, line = (ours or frames)[-1]
    return f"{path.relative_to(BACKEND.parent) if ours else path.name}:{line}"
