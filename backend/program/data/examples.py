"""Turn words into training examples: some letters, and the letter that follows them."""

from collections.abc import Sequence
from typing import NamedTuple

import torch

from backend.program.data.vocabulary import BOUNDARY, Vocabulary


class Examples(NamedTuple):
    """Contexts `X` (N, context) and the letters that follow them `Y` (N,), both int64."""

    X: torch.Tensor
    Y: torch.Tensor


def build_examples(words: Sequence[str], vocabulary: Vocabulary, context: int = 3) -> Examples:
    """Slide a window over every word, boundary to boundary: one example for each next letter.

    X is (N, context) and Y is (N,) with N = letters + words; no words give N = 0.
    Raises ValueError for a context below 1, KeyError for a letter outside the vocabulary.
    """
    if context < 1:
        raise ValueError("a context needs at least one letter")
    edge = BOUNDARY * context
    text = edge + edge.join(words) + edge
    letters = torch.tensor(vocabulary.encode(text), dtype=torch.int64)
    windows = letters.unfold(0, context + 1, 1)
    # Neighbours share an edge: its first boundary ends one word, and a window whose last two
    # places are boundaries only crosses to the next word, so it is nobody's example.
    crossing = (windows[:, -1] == 0) & (windows[:, -2] == 0)
    windows = windows[~crossing]
    return Examples(windows[:, :-1].contiguous(), windows[:, -1].contiguous())


def minibatch(
    X: torch.Tensor, Y: torch.Tensor, size: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw `size` examples with replacement: X[ix] (size, context) and Y[ix] (size,).

    Raises ValueError when there is nothing to draw from or X and Y differ in length.
    """
    if X.shape[0] == 0 or X.shape[0] != Y.shape[0]:
        raise ValueError("a minibatch needs examples, and as many targets as contexts")
    ix = torch.randint(0, X.shape[0], (size,), generator=generator)
    return X[ix], Y[ix]


def label_examples(X: torch.Tensor, Y: torch.Tensor, vocabulary: Vocabulary) -> list[str]:
    """Write each row of X (N, context) and Y (N,) as a page shows it: `..e → m`."""
    return [vocabulary.example(context, target) for context, target in zip(X.tolist(), Y.tolist(), strict=True)]
