"""Windows over words, and batches drawn from them."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.program.data.examples import build_examples, label_examples, minibatch
from backend.program.data.vocabulary import Vocabulary

WORDS = st.lists(st.text("abcde", min_size=1, max_size=6), max_size=8)


def slow_examples(words: list[str], context: int) -> list[tuple[list[int], int]]:
    """The loop a person would write, one letter at a time."""
    vocabulary = Vocabulary.of(words)
    rows = []
    for word in words:
        window = [0] * context
        for letter in vocabulary.encode(word + "."):
            rows.append((window, letter))
            window = [*window[1:], letter]
    return rows


def test_emma_gives_five_examples() -> None:
    vocabulary = Vocabulary.of(["emma"])
    X, Y = build_examples(["emma"], vocabulary)
    assert label_examples(X, Y, vocabulary) == [
        "... → e",
        "..e → m",
        ".em → m",
        "emm → a",
        "mma → .",
    ]


@settings(deadline=None)
@given(words=WORDS, context=st.integers(1, 5))
def test_the_windows_are_those_of_the_plain_loop(words: list[str], context: int) -> None:
    X, Y = build_examples(words, Vocabulary.of(words), context)
    assert list(zip(X.tolist(), Y.tolist(), strict=True)) == slow_examples(words, context)


@pytest.mark.parametrize("words", [[], ["a"], ["emma", "ava"]])
def test_shapes_and_types(words: list[str]) -> None:
    X, Y = build_examples(words, Vocabulary.of(words), 4)
    count = sum(len(word) + 1 for word in words)
    assert (X.shape, Y.shape) == ((count, 4), (count,))
    assert X.dtype == Y.dtype == torch.int64
    assert X.is_contiguous()
    assert Y.is_contiguous()


def test_a_context_of_no_letters_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one letter"):
        build_examples(["emma"], Vocabulary.of(["emma"]), 0)


def test_a_letter_outside_the_vocabulary_is_an_error() -> None:
    with pytest.raises(KeyError):
        build_examples(["emma"], Vocabulary.of(["ava"]))


def test_a_minibatch_draws_as_the_lecture_does() -> None:
    X, Y = torch.arange(300).view(100, 3), torch.arange(100)
    Xb, Yb = minibatch(X, Y, 32, torch.Generator().manual_seed(2147483647))
    ix = torch.randint(0, 100, (32,), generator=torch.Generator().manual_seed(2147483647))
    assert torch.equal(Xb, X[ix])
    assert torch.equal(Yb, Y[ix])
    assert (Xb.shape, Yb.shape) == ((32, 3), (32,))


def test_a_generator_walks_on_from_batch_to_batch() -> None:
    X, Y = torch.arange(300).view(100, 3), torch.arange(100)
    generator = torch.Generator().manual_seed(1)
    first, second = minibatch(X, Y, 32, generator), minibatch(X, Y, 32, generator)
    assert not torch.equal(first[1], second[1])


@pytest.mark.parametrize(("rows", "targets"), [(0, 0), (3, 2), (2, 3)])
def test_a_minibatch_needs_examples_with_their_targets(rows: int, targets: int) -> None:
    with pytest.raises(ValueError, match="as many targets"):
        minibatch(torch.zeros(rows, 3), torch.zeros(targets), 2, torch.Generator())


def test_labels_need_a_target_for_every_context() -> None:
    X, Y = torch.zeros((2, 3), dtype=torch.int64), torch.zeros(1, dtype=torch.int64)
    with pytest.raises(ValueError, match="shorter"):
        label_examples(X, Y, Vocabulary.of(["a"]))
