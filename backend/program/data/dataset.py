"""A word list made ready to learn from: vocabulary and three splits of examples."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from backend.program.data.examples import Examples, build_examples
from backend.program.data.vocabulary import Vocabulary
from backend.program.data.words import kept_words


@dataclass(frozen=True)
class Dataset:
    """Words in file order, their vocabulary, and examples for training, validation and test."""

    words: tuple[str, ...]
    vocabulary: Vocabulary
    train: Examples
    validation: Examples
    test: Examples


def split_words(words: Sequence[str], seed: int = 42) -> tuple[list[str], list[str], list[str]]:
    """Shuffle a copy with Python's own generator and cut it 80 : 10 : 10.

    The parts hold the first int(0.8 n), up to int(0.9 n), and the rest: with few words the last
    two may be empty, but whoever brings one word can train on it.
    """
    shuffled = list(words)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - repeatable is what it is for
    first = max(1, int(0.8 * len(shuffled)))
    second = max(first, int(0.9 * len(shuffled)))
    return shuffled[:first], shuffled[first:second], shuffled[second:]


def build_dataset(words: Sequence[str], context: int = 3, seed: int = 42) -> Dataset:
    """Split the words and build the examples of each part; X is (N, context), Y is (N,)."""
    vocabulary = Vocabulary.of(words)
    train, validation, test = (build_examples(part, vocabulary, context) for part in split_words(words, seed))
    return Dataset(tuple(words), vocabulary, train, validation, test)


@lru_cache(maxsize=4)
def load_dataset(path: Path | None = None, context: int = 3, seed: int = 42) -> Dataset:
    """Return the dataset of a word list, the embedded given names without one; raises WordListError as its reader."""
    return build_dataset(kept_words(path), context, seed)
