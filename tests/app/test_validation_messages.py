"""What is said of a request that is wrong: each kind of mistake in words of its own, with what to write instead."""

import json
from typing import Any

import pytest

from app.body import BodyError, document
from app.validation_messages import SAYINGS, WRITE

TENSOR = {"role": "data", "values": [1.0]}
PROGRAM: dict[str, Any] = {"source": "y = x * 1", "tensors": {"x": TENSOR}}
WRONG: dict[str, tuple[Any, str]] = {
    "extra_forbidden": (PROGRAM | {"sauce": 1}, "sauce: there is no such field."),
    "dict_type": (PROGRAM | {"tensors": [1]}, "tensors: must be a JSON object."),
    "model_attributes_type": (PROGRAM | {"tensors": {"x": 3}}, "tensors.x: must be a JSON object."),
    "list_type": (PROGRAM | {"dims": {"x": "batch"}}, "dims.x: must be a list."),
    "string_type": ({"lesson": 1}, "lesson: must be a text."),
    "bool_type": (PROGRAM | {"exact": 1}, "exact: must be true or false."),
    "literal_error": (PROGRAM | {"dtype": "float16"}, "dtype: must be one of 'float32' or 'float64'."),
    "missing": (PROGRAM | {"tensors": {"x": {"values": [1.0]}}}, "tensors.x.role: this is needed."),
    "too_long": (PROGRAM | {"constants": {f"c{n}": 1 for n in range(401)}}, "constants: may have at most 400 entries."),
}


def refused(body: Any) -> BodyError:
    with pytest.raises(BodyError) as caught:
        document("walk", json.dumps(body).encode())
    return caught.value


@pytest.mark.parametrize("kind", WRONG)
def test_a_mistake_is_told_in_words_of_its_own(kind: str) -> None:
    body, told = WRONG[kind]
    error = refused(body)
    assert str(error) == told
    assert error.hint.startswith(WRITE[kind])
    assert SAYINGS[kind].split("{")[0] in told


def test_some_of_the_others_are_named_by_their_places() -> None:
    error = refused(PROGRAM | {f"field{n}": n for n in range(9)})
    assert error.hint.endswith("Also look at field1, field2, field3, field4, field5.")
    assert "Also" not in refused(PROGRAM | {"field0": 0}).hint


def test_a_long_name_is_shown_short() -> None:
    assert str(refused(PROGRAM | {"f" * 500: 1})).startswith(f"{'f' * 64}: ")
