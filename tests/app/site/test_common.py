"""What answers have in common is learnt from some, and leaves others smaller."""

import random
import string
import zlib

from app.site import common

WORDS = ["".join(random.Random(seed).choices(string.ascii_lowercase, k=40)) for seed in range(60)]


def text(seed: int, words: int = 200) -> bytes:
    return " ".join(random.Random(seed).choices(WORDS, k=words)).encode()


def test_it_begins_a_stream_that_any_answer_follows() -> None:
    learnt = common.learnt([text(seed) for seed in range(4)])
    for content in (b"", b"short", text(9)):
        whole = zlib.decompress(common.begun(learnt) + common.after(learnt, content), -15)
        assert whole[common.SIZE :] == content


def test_an_answer_like_those_it_was_learnt_from_is_small() -> None:
    learnt = common.learnt([text(seed) for seed in range(4)])
    assert len(common.after(learnt, text(9, 20))) < len(common.after(b"", text(9, 20))) / 3


def test_nothing_is_learnt_twice_and_not_more_than_fits() -> None:
    assert len(common.learnt([text(1), text(1), text(1)])) <= len(text(1)) * 1.1
    assert len(common.learnt([text(seed, 2_000) for seed in range(9)])) <= common.SIZE
    assert common.learnt([]) == b""


def test_the_same_is_learnt_each_time() -> None:
    texts = [text(seed) for seed in range(3)]
    assert common.learnt(texts) == common.learnt(texts[::-1])
