"""What is recorded says the same as before, in less."""

import base64
import json
import math
import random
import struct

import numpy as np

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


def test_a_style_sheet_says_the_same_without_spaces_and_remarks() -> None:
    told = """/* says
 what */
.a :is(.b > .c, .d)::before { content: " ;  {" counter(n); margin: calc(1px + 2em) auto; }
@media (min-width: 3px) and (print) { a:hover { color: var(--ink, #fff) } }
"""
    assert lean.sheet(told).strip() == (
        '.a :is(.b>.c,.d)::before{content:" ;  {" counter(n);margin:calc(1px + 2em) auto}'
        "@media (min-width:3px) and (print){a:hover{color:var(--ink,#fff)}}"
    )


def test_a_page_keeps_the_lines_of_its_code() -> None:
    told = "<p>\n  one <b>two</b>\n  <i>three</i>\n</p>\n  <pre>a\n  <b>b</b>\n    <i>c</i></pre>\n  <p>"
    kept = "<p>\n  one <b>two</b>\n<i>three</i>\n</p>\n  <pre>a\n  <b>b</b>\n    <i>c</i></pre>\n  <p>"
    assert lean.page(told) == kept


def test_a_cell_that_is_drawn_is_off_by_less_than_a_shade() -> None:
    values = np.random.default_rng(1).normal(size=(40, 20)).astype("f4")
    values[0, :3] = 0, 1, -1
    value = {"dtype": "f4", "shape": "40, 20", "bdata": base64.b64encode(values.tobytes()).decode()}
    pooled = {"value": {"pooled": {}}, "share": 0.123456789}
    told = json.loads(lean.drawn(json.dumps({"points": [{"value": value}, pooled]}).encode()))
    assert told["points"][1] == pooled
    kept = np.frombuffer(base64.b64decode(told["points"][0]["value"]["bdata"]), "<f4").reshape(40, 20)
    assert (kept[0, :3] == values[0, :3]).all()
    assert np.abs(kept - values).max() <= np.abs(values).max() / 256


def test_what_is_said_of_a_line_loses_large_tensors_alone() -> None:
    small = {"correct": False, "gradient": {"answer": "AAAA"}, "hints": []}
    assert json.loads(lean.reply(json.dumps(small).encode())) == small
    large = small | {"gradient": {"answer": "A" * 5_000}}
    assert json.loads(lean.reply(json.dumps(large).encode())) == small | {"gradient": None}
