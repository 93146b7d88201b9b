"""A program's text is what it looks like, and what leaves as a notebook runs as it reads."""

from __future__ import annotations

import ast
from typing import Any

import pytest

import backend
from tests.support.exports import changed_by_a_notebook, outcome, transformed

EVERY = "a".join(map(chr, range(0x110000)))
ENDS = [line[-1] for line in EVERY.splitlines(keepends=True)[:-1] if line[-1] not in "\r\n"]
CONTROLS = [c for c in map(chr, [*range(0x20), *range(0x7F, 0xA0)]) if c not in "\t\r\n" + "".join(ENDS)]
DIRECTIONS = [*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"]
UNSEEN = [*ENDS, *CONTROLS, *DIRECTIONS, "\ud800", "\udfff"]
GIVEN: dict[str, Any] = {"tensors": {"x": {"role": "parameter", "values": [1.0, 2.0]}}}


def refusal(call: Any, *arguments: Any) -> backend.Refusal:
    with pytest.raises(backend.Refusal) as caught:
        call(*arguments)
    return caught.value


def test_every_end_of_a_line_is_known() -> None:
    assert len(ENDS) == 8


@pytest.mark.parametrize("character", UNSEEN, ids=lambda c: f"U+{ord(c):04X}")
@pytest.mark.parametrize(
    "source", ["h = x * 2\n# é{}!true{}import os\nloss = h.sum()", "h = x\nh = {}x * 2\nloss = h.sum()"]
)
def test_an_unseen_character_is_refused_where_it_stands(source: str, character: str) -> None:
    walk = GIVEN | {"source": source.replace("{}", character)}
    calls: list[tuple[Any, ...]] = [
        (backend.walk, walk),
        (backend.check, walk),
        (backend.check, walk | {"unfinished": ["w"]}),
        (backend.opened, walk, 1),
        (backend.export, walk, "ipynb"),
    ]
    for call, *arguments in calls:
        refused = refusal(call, *arguments)
        assert refused.code == "character-unseen"
        assert f"U+{ord(character):04X}" in refused.message
        assert refused.where is not None
        assert (refused.where["line"], refused.where["column"]) == (2, 4 if "#" in source else 5)
        assert character not in refused.message + str(refused.where["text"])


def test_the_name_of_a_mark_of_direction_is_told() -> None:
    assert (
        "right-to-left override" in refusal(backend.check, GIVEN | {"source": "loss = x.sum()  # \u202etxet"}).message
    )


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_usual_ends_of_lines_and_tabs_are_read(end: str) -> None:
    source = end.join(["# a\tb", "for i in range(2):", "\tx = x * 2", "loss = x.sum()"])
    assert backend.check(GIVEN | {"source": source})["loss"] == "loss"


HOSTILE = [
    "# what?\n#!ls\n# !ls\n#%time\n# %%bash\n# get_ipython().system('id')\nh = x * 2  # ?x\n# x?\n# x??\nloss = h.sum()  # !id",
    "\n".join(f"#{c}" for c in ["%%", "!!", "??", ",x", ";x", "/x", ">>> x", "In [1]: x"]) + "\nloss = x.sum()",
    "h = (x\n%n)\nh = (h  # %time\n  #!ls\n*2)\nloss = h.sum()",
    "h = torch.einsum('i->i\\\n', x)\nloss = h.sum()",
    "h = torch.einsum('i-> i', x) ; loss = h.sum() # get_ipython()\n#\n\n\n# ?",
    "for i in range(2):  # !ls\n    # %cd\n    x = x * 2  # ?\n    # !\nloss = x.sum()",
    "# \\\n#!ls\nh = x * \\\n  2\nloss = h.sum() # \\",
    "# \u200b\ufeff!ls \xa0 \u3000 \xad\nloss = x.sum()",
]


@pytest.mark.parametrize("source", HOSTILE)
def test_a_notebook_runs_what_it_shows(source: str) -> None:
    request = GIVEN | {"source": source.replace("%n", "* n"), "constants": {"n": 3}}
    assert changed_by_a_notebook(request) == []
    text = backend.export(request, "py")["text"]
    assert {c for c in text if not c.isprintable()} == {"\n"}
    calls = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    assert calls.isdisjoint({"os", "get_ipython", "system"})
    printed, code = outcome(text)
    assert (code, "agree" in printed) == (0, True)


def test_a_notebook_does_change_other_text() -> None:
    assert "get_ipython" in transformed("h = 1  # a\n# \x0c!true\x0cimport os")
    assert "get_ipython" in transformed("x?")


def test_comments_and_blank_lines_stay_where_they_were() -> None:
    source = "# one\n\nn = 2 # two\nh = (x # three\n   * n) # four\n\n\n# five\na = h.sum(); loss = a\n# end"
    text = backend.export(GIVEN | {"source": source}, "py")["text"]
    forward = text[text.index("    # one") : text.index("    # Autograd")]
    rows = [
        "# one",
        "",
        "n = 2  # two",
        "# three",
        "# four",
        "h = x * n",
        "",
        "# five",
        "a = h.sum()",
        "loss = a",
        "# end",
    ]
    assert [line.strip() for line in forward.rstrip().split("\n")] == rows
