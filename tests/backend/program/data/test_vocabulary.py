"""Letters and their numbers."""

import pytest

from backend.program.data.vocabulary import Vocabulary
from backend.program.data.words import load_words


def test_the_boundary_is_0_and_the_letters_follow_in_order() -> None:
    assert Vocabulary.of(["zoe", "ada"]).labels == (".", "a", "d", "e", "o", "z")


def test_a_boundary_inside_a_word_is_not_a_second_letter() -> None:
    assert Vocabulary.of(["a.b"]).labels == (".", "a", "b")


def test_the_embedded_names_use_the_whole_alphabet() -> None:
    vocabulary = Vocabulary.of(load_words())
    assert "".join(vocabulary.labels) == ".abcdefghijklmnopqrstuvwxyz"
    assert len(vocabulary) == 27


def test_the_same_letters_give_the_same_numbers_in_any_order_of_words() -> None:
    assert Vocabulary.of(["zoe", "ada"]) == Vocabulary.of(["ada", "zoe", "ada"])


def test_encoding_and_decoding_undo_each_other() -> None:
    vocabulary = Vocabulary.of(["emma"])
    assert vocabulary.encode("..em") == [0, 0, 2, 3]
    assert vocabulary.decode([0, 0, 2, 3]) == "..em"


def test_an_unknown_letter_or_number_is_an_error() -> None:
    vocabulary = Vocabulary.of(["emma"])
    with pytest.raises(KeyError):
        vocabulary.encode("x")
    with pytest.raises(IndexError):
        vocabulary.decode([4])


def test_an_example_reads_like_the_page_shows_it() -> None:
    assert Vocabulary.of(["emma"]).example([0, 0, 2], 3) == "..e → m"
