"""What is recorded says the same as before, in less."""

import json
import math
import random
import struct

from app.site import lean


def test_a_number_of_float32_stays_itself() -> None:
    for whole in range(1, 2**31, 7_919_177):
        (number,) = struct.unpack("f", struct.pack("I", whole))
        if math.isfinite(number):
            (kept,) = json.loads(lean.answer(json.dumps([number]).encode()))
            assert struct.pack("f", kept) == struct.pack("f", number)


def test_a_page_rounds_what_is_kept_as_it_rounds_the_number_itself() -> None:
    """6.697500000000001 is 6.698 in four digits, and 6.6975 would be 6.697."""
    drawn = random.Random(1)
    near = [drawn.randrange(10**4, 10**5) / 10**4 for _ in range(3000)]
    numbers = [math.nextafter(number, towards) for number in near for towards in (0, 99)]
    kept = json.loads(lean.answer(json.dumps(numbers).encode()))
    for digits in range(2, 8):
        assert [f"{one:.{digits}g}" for one in kept] == [f"{one:.{digits}g}" for one in numbers]


def test_what_a_page_compares_with_a_tensor_keeps_all_digits() -> None:
    """`rounding ±` is said where the largest cell is no more than the residue, which is that cell."""
    (largest,) = struct.unpack("f", struct.pack("f", 6.51925802230835e-09))
    kept = json.loads(lean.answer(json.dumps({"residue": largest}).encode()))
    assert largest <= kept["residue"]


def test_words_and_whole_numbers_stay_as_they_are() -> None:
    said = {"text": "1.23456789012345", "count": 12345678901234, "more": [None, True, "é"], "none": {}}
    assert json.loads(lean.answer(json.dumps(said).encode())) == said


def test_how_long_a_walk_took_is_not_recorded() -> None:
    walk = {"summary": {"wrong": 0, "milliseconds": {"forward": 0.2}}}
    assert json.loads(lean.answer(json.dumps(walk).encode())) == {"summary": {"wrong": 0}}


def test_a_script_loses_its_comments_alone() -> None:
    script = """/** says what it does */
const a = "// no comment"; // why
  // a line of its own
const b = `/** in a text */`;
//# sourceMappingURL=a.js.map
"""
    assert lean.script(script) == 'const a = "// no comment"; // why\nconst b = `/** in a text */`;\n'


def test_what_is_said_of_a_line_loses_large_tensors_alone() -> None:
    small = {"correct": False, "gradient": {"answer": "AAAA"}, "hints": []}
    assert json.loads(lean.reply(json.dumps(small).encode())) == small
    large = small | {"gradient": {"answer": "A" * 5_000}}
    assert json.loads(lean.reply(json.dumps(large).encode())) == small | {"gradient": None}
