"""Which word lists are taken, and how the others are refused."""

import os
import re
from pathlib import Path

import pytest

from backend.program.data import words as module
from backend.program.data.words import WordListError, load_words, parse_words


def refused(data: bytes) -> WordListError:
    with pytest.raises(WordListError) as caught:
        parse_words(data)
    return caught.value


def test_the_embedded_names_are_many_plain_sorted_and_unique() -> None:
    names = load_words()
    assert len(names) >= 1_500
    assert all(re.fullmatch("[a-z]{2,}", name) for name in names)
    assert names == sorted(set(names))


def test_the_embedded_names_begin_with_every_letter() -> None:
    assert {name[0] for name in load_words()} == set("abcdefghijklmnopqrstuvwxyz")


def test_a_file_is_read_in_its_own_order_with_its_repeats(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"zoe\nanna\nzoe")
    assert load_words(path) == ["zoe", "anna", "zoe"]


@pytest.mark.parametrize(
    "data",
    [
        b"emma\nava",
        b"emma\nava\n",
        b"emma\r\nava\r\n",
        b"emma\rava\r",
        b"  emma\t\n\n   \nava \n",
        b"Emma\nAVA\n",
        b"\xef\xbb\xbfemma\nava\n",
    ],
    ids=["no last newline", "unix", "windows", "old mac", "spaces", "capitals", "byte order mark"],
)
def test_the_same_two_words_however_they_were_saved(data: bytes) -> None:
    assert parse_words(data) == ["emma", "ava"]


@pytest.mark.parametrize(
    "word",
    ["zoë", "o'neil", "o\N{RIGHT SINGLE QUOTATION MARK}neil", "anne-marie", "мария", "नेहा", "明"],
)
def test_words_of_any_alphabet_are_taken(word: str) -> None:
    assert parse_words(word.encode()) == [word]


def test_a_letter_typed_as_two_characters_counts_as_the_one_it_shows() -> None:
    assert parse_words("zoe\u0308".encode()) == ["zoë"]


@pytest.mark.parametrize(
    "line",
    ["anna2", "anna lee", "a.b", "-anna", "anna-", "a--b", "a,b", "<b>", "\u0301a", "_", "\x07"],
)
def test_a_line_that_is_not_a_word_is_named_with_its_number(line: str) -> None:
    error = refused(f"emma\n\n{line}\nava\n".encode())
    assert error.line == 3
    assert error.expected == "one word of at most 64 letters"
    assert "line 3" in str(error)


def test_the_message_shows_what_was_found() -> None:
    error = refused(b"emma\nanna 42\n")
    assert error.found == "“anna 42”"
    assert str(error) == (
        "the word list has bad lines; line 2: found “anna 42”, expected one word of at most 64 letters"
    )


def test_a_form_feed_does_not_shift_the_line_numbers() -> None:
    assert refused(b"em\x0cma\nava\n9\n").line == 1
    assert refused("ava\u2028ava\n".encode()).line == 1
    assert refused(b"emma\r\nava\r\n9\r\n").line == 3


def test_only_the_first_few_bad_lines_are_named() -> None:
    error = refused(b"emma\n" + b"1\n" * 100)
    assert [problem.line for problem in error.problems] == [2, 3, 4, 5, 6]
    assert "line 6" in str(error)
    assert "line 7" not in str(error)


def test_a_long_bad_line_is_shown_short_and_without_control_characters() -> None:
    error = refused(b"\x1b[31m" + b"x" * 5_000)
    assert "\x1b" not in str(error)
    assert error.found.endswith("…”")
    assert len(str(error)) < 160


def test_words_may_have_64_letters_and_no_more() -> None:
    assert parse_words(b"x" * 64) == ["x" * 64]
    assert refused(b"x" * 65).line == 1


@pytest.mark.parametrize("data", [b"", b"\n\n", b"  \r\n\t", b"\xef\xbb\xbf"])
def test_an_empty_list_is_refused(data: bytes) -> None:
    error = refused(data)
    assert (error.found, error.expected, error.line) == ("no words", "at least one word", None)


@pytest.mark.parametrize(
    ("data", "line"),
    [(b"emma\nava\n\xff\xfe", 3), ("emma\n".encode("utf-16"), 1), (b"emma\r\n\x00\x01", 2)],
    ids=["latin", "utf-16", "binary"],
)
def test_what_is_not_text_is_refused_at_its_first_strange_line(data: bytes, line: int) -> None:
    error = refused(data)
    assert error.expected == "UTF-8 text"
    assert error.line == line


def test_a_file_may_have_2_mib_and_no_more(tmp_path: Path) -> None:
    whole = (b"abcdefghijklmnopqrst\n" * 100_000)[: module.MAX_BYTES]
    path = tmp_path / "large.txt"
    path.write_bytes(whole)
    assert len(load_words(path)) == 99_865
    path.write_bytes(whole + b"x")
    with pytest.raises(WordListError, match=r"found a larger file, expected at most 2,097,152 bytes"):
        load_words(path)


def test_a_huge_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(WordListError, match="a larger file"):
        load_words(path)


def test_a_list_may_have_200_000_words_and_no_more() -> None:
    assert len(parse_words(b"ab\n" * 200_000)) == 200_000
    assert refused(b"ab\n" * 200_001).found == "200,001 words"


def test_a_list_may_have_256_letters_and_no_more() -> None:
    letters = [chr(0x4E00 + i) for i in range(257)]
    assert len(parse_words("\n".join(letters[:256]).encode())) == 256
    assert refused("\n".join(letters).encode()).found == "257 different letters"


def test_a_missing_file_says_so_without_its_folder(tmp_path: Path) -> None:
    with pytest.raises(WordListError) as caught:
        load_words(tmp_path / "gone.txt")
    assert "no file named “gone.txt”" in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_a_folder_is_not_a_word_list(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match="not a file"):
        load_words(tmp_path)


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(WordListError, match="not a file"):
        load_words(pipe)
