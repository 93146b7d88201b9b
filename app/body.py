"""Parses and validates a request's body; runs in a worker, so that a costly one delays nobody else."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from app.bodies import BODIES
from app.validation_messages import Problem, said

ABSENT: Problem = {"type": "missing", "loc": ("body",), "msg": ""}


class BodyError(Exception):
    """A body that is refused before its job begins."""

    def __init__(self, status: int, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.hint = status, code, message, hint


@dataclass(frozen=True)
class Posted:
    """A body as received, and the options from the query string."""

    body: bytes
    options: Mapping[str, Any]

    def read(self, job: str) -> dict[str, Any]:
        """The job's argument; raises BodyError 400 if the body isn't JSON, 422 if it doesn't fit the job's model."""
        return {**document(job, self.body), **self.options}


def document(job: str, body: bytes) -> dict[str, Any]:
    """The validated body as a dictionary, without null fields."""
    read: dict[str, Any] = validated(job, body).model_dump(exclude_none=True)
    return read


def validated(job: str, body: bytes) -> BaseModel:
    """The body as the job's model."""
    if not body:
        raise invalid([ABSENT])
    try:
        # Attributes in place of fields are never there; with them allowed the sentences are those of a query's.
        return BODIES[job].model_validate(parse(body), from_attributes=True)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        raise invalid([{**problem, "loc": ("body", *problem["loc"])} for problem in problems]) from None


def parse(body: bytes) -> Any:
    """A body as JSON."""
    try:
        return json.loads(body)
    except json.JSONDecodeError as error:
        hint = "Look at the brackets, quotes and commas just before it."
        raise BodyError(400, "json-invalid", f"The body is not valid JSON, at character {error.pos}.", hint) from None
    except (ValueError, RecursionError):  # bytes that are no text, numbers of too many digits, brackets too deep
        message, hint = "The request is not well formed.", "Send the body as valid JSON."
        raise BodyError(400, "request-malformed", message, hint) from None


def invalid(problems: list[Problem]) -> BodyError:
    """The 422 for JSON that doesn't fit the model."""
    return BodyError(422, "request-invalid", *said(problems))
