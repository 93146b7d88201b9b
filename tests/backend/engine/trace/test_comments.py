"""Comments of a program: each is given out once, where its statement is written anew."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path

import pytest

from backend.engine.trace.comments import Comments, printable
from tests.support.programs import PATHS, load, some

SOURCE = "# first\nh = x * 2  # twice\n\n# above\ny = (h  # one\n     + 1)  # two\nz = '# no comment'\n# last"


def test_a_statement_has_its_comments_above_it_or_one_behind_it() -> None:
    comments = Comments(SOURCE)
    assert comments.rows("h = x * 2", 2, 2) == ["# first", "h = x * 2  # twice"]
    assert comments.rows("y = h + 1", 5, 6) == ["# above", "# one", "# two", "y = h + 1"]
    assert comments.rows("z = '# no comment'", 7, 7) == ["z = '# no comment'"]
    assert comments.rest() == ["# last"]


def test_a_line_that_would_be_too_long_has_its_comment_above_it() -> None:
    code = "h = " + " + ".join(["x"] * 25)
    assert Comments(f"{code}  # 12").rows(code, 1, 1) == [f"{code}  # 12"]
    assert Comments(f"{code}  # 123456").rows(code, 1, 1) == ["# 123456", code]


def test_blank_lines_are_kept_where_they_are_asked_for() -> None:
    assert Comments(SOURCE, blanks=True).up_to(5) == ["# first", "# twice", "", "# above", "# one"]
    assert Comments(SOURCE).up_to(5) == ["# first", "# twice", "# above", "# one"]


@pytest.mark.parametrize("path", some(PATHS, 5))
def test_none_is_lost_and_none_comes_twice(path: Path) -> None:
    source = load(path)["source"]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    meant = [token.string.rstrip() for token in tokens if token.type == tokenize.COMMENT]
    comments = Comments(source)
    lines = range(1, source.count("\n") + 1, 2)
    assert [text for line in lines for text in comments.up_to(line)] + comments.rest() == meant


def test_nothing_unseen_is_left() -> None:
    text = printable("a\u2028b\u202ec\td\re\x00f\ng h é 漢")
    assert text == "a b c d e f\ng h é 漢"
