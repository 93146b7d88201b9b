"""Splits by seed, and the well-known list where it can be found."""

import os
import random
import time
from pathlib import Path

import pytest

from backend.program.data.dataset import build_dataset, load_dataset, split_words
from backend.program.data.words import WordListError, load_words


@pytest.fixture
def names() -> Path:
    """The 32,033 names of the lecture, which this repository does not carry."""
    path = Path(os.environ.get("NAMES") or "names.txt")
    if not path.is_file():
        pytest.skip("the lecture's names are not here: set NAMES to their file")
    if len(load_words(path)) != 32_033:
        pytest.skip(f"{path} is another list than the lecture's 32,033 names")
    return path


def test_the_lecture_s_names_split_as_in_the_lecture(names: Path) -> None:
    words = names.read_text().splitlines()
    data = load_dataset(names)
    assert data.words == tuple(words)
    sizes = [len(part.Y) for part in (data.train, data.validation, data.test)]
    assert sizes == [182_625, 22_655, 22_866]

    random.seed(42)
    random.shuffle(words)
    spelled = [data.vocabulary.decode(row) for row in data.train.X[: len(words[0]) + 1].tolist()]
    assert spelled[0] == "..."
    assert spelled[-1].endswith(words[0][-3:])


def test_the_lecture_s_names_are_ready_in_half_a_second(names: Path) -> None:
    words = load_words(names)
    started = time.process_time()
    build_dataset(words)
    assert time.process_time() - started < 0.5


def test_splitting_leaves_the_words_as_they_were() -> None:
    words = [f"w{i}" for i in range(100)]
    parts = split_words(words)
    assert words == [f"w{i}" for i in range(100)]
    assert sorted(word for part in parts for word in part) == sorted(words)
    assert [len(part) for part in parts] == [80, 10, 10]


def test_the_seed_shuffles_as_python_s_own_random_does() -> None:
    words = [f"w{i}" for i in range(57)]
    for seed in (0, 42):
        expected = list(words)
        random.seed(seed)
        random.shuffle(expected)
        train, validation, test = split_words(words, seed)
        assert train == expected[:45]
        assert validation == expected[45:51]
        assert test == expected[51:]


def test_splitting_does_not_disturb_anyone_else_s_random_numbers() -> None:
    random.seed(7)
    expected = random.random()
    random.seed(7)
    split_words(["a", "b", "c"])
    assert random.random() == expected


@pytest.mark.parametrize(("count", "sizes"), [(0, [0, 0, 0]), (1, [1, 0, 0]), (2, [1, 0, 1]), (10, [8, 1, 1])])
def test_a_few_words_still_leave_something_to_train_on(count: int, sizes: list[int]) -> None:
    assert [len(part) for part in split_words(["ab"] * count)] == sizes


def test_the_vocabulary_covers_every_split() -> None:
    data = build_dataset(["ab", "cd", "ef", "gh", "ij"])
    assert len(data.vocabulary) == 11


def test_the_embedded_dataset_is_built_once_and_has_three_parts() -> None:
    data = load_dataset()
    assert load_dataset() is data
    assert data.train.X.shape[1] == 3
    assert len(data.train.Y) > len(data.validation.Y) > 1_000
    assert len(data.test.Y) > 1_000


def test_a_seed_and_a_context_have_their_own_dataset() -> None:
    assert load_dataset(context=5).train.X.shape[1] == 5
    assert not load_dataset(seed=1).train.Y[:500].equal(load_dataset(seed=2).train.Y[:500])


def test_a_file_is_read_once_and_may_go_away(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("emma\n")
    before = load_dataset(path)
    path.unlink()
    assert load_dataset(path) is before
    with pytest.raises(WordListError, match="no file named"):
        load_dataset(tmp_path / "others.txt")
