"""Turns pydantic's validation errors into sentences in the request's own terms."""

from collections.abc import Mapping, Sequence
from typing import Any

SHOWN_CHARACTERS, SHOWN_PROBLEMS = 64, 6
# The framework's own sentences speak of its classes; these speak of the request.
SAYINGS = {
    "missing": "this is needed",
    "extra_forbidden": "there is no such field",
    "model_attributes_type": "must be a JSON object",
    "model_type": "must be a JSON object",
    "dict_type": "must be a JSON object",
    "list_type": "must be a list",
    "string_type": "must be a text",
    "int_type": "must be an integer",
    "bool_type": "must be true or false",
    "literal_error": "must be one of {expected}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "too_long": "may have at most {max_length} entries",
    "too_short": "needs {min_length} or more entries",
    "string_too_long": "may have at most {max_length} characters",
    "string_too_short": "may not be empty",
    "string_unicode": "must be printable text",
    "union_tag_not_found": "the field `kind` is needed",
    "union_tag_invalid": "`kind` must be one of {expected_tags}",
}

# What to write instead, by the same kinds.
WRITE = {
    "missing": "Add it; GET /api/openapi.json describes every field.",
    "extra_forbidden": "Leave it out, or look for a slip in its name: GET /api/openapi.json lists the fields.",
    "model_attributes_type": 'Write it between braces, such as {"lesson": "first-steps"}.',
    "model_type": 'Write it between braces, such as {"role": "data", "values": [1.0]}.',
    "dict_type": 'Write it between braces, such as {"n": 32}.',
    "list_type": "Write it between brackets, such as [2, 3].",
    "string_type": 'Write it between quotes, such as "loss".',
    "int_type": "Write a whole number, without a point and without quotes.",
    "bool_type": "Write true or false, without quotes.",
    "literal_error": "Write one of them exactly so, between quotes.",
    "greater_than_equal": "Use {ge} or a number above it.",
    "less_than_equal": "Use {le} or a number below it.",
    "too_long": "Leave some out.",
    "too_short": "Write a list of so many, or leave the field out where it may be missing.",
    "string_too_long": "Make it shorter.",
    "string_unicode": "Use letters, digits and spaces.",
}

Problem = Mapping[str, Any]  # as pydantic lists them: type, loc, msg and ctx


def said(problems: Sequence[Problem]) -> tuple[str, str]:
    """What is wrong, and what to write instead; the first problem in words, some of the others by their places."""
    first = problems[0]
    return f"{_place(first)}: {_saying(first)}.", " ".join(filter(None, (_instead(first), _others(problems))))


def _place(problem: Problem) -> str:
    return ".".join(str(part)[:SHOWN_CHARACTERS] for part in problem["loc"][1:]) or "the body"


def _saying(problem: Problem) -> str:
    own = str(problem["msg"]).removeprefix("Value error, ").rstrip(".")
    return SAYINGS.get(problem["type"], own).format_map(problem.get("ctx", {}))


def _instead(problem: Problem) -> str:
    facts = problem.get("ctx", {})
    hint = facts.get("hint") or WRITE.get(problem["type"], "GET /api/openapi.json describes what is expected there.")
    return str(hint).replace("{ge}", str(facts.get("ge"))).replace("{le}", str(facts.get("le")))


def _others(problems: Sequence[Problem]) -> str:
    places = [_place(problem) for problem in problems[1:SHOWN_PROBLEMS]]
    return f"Also look at {', '.join(places)}." if places else ""
