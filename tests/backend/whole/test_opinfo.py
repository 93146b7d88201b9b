"""torch's own operation samples: what is accepted is right, nearly all is accepted, refusals are worded."""

from __future__ import annotations

import warnings
from collections import Counter

import pytest
import torch

from backend.engine.differentiate.reverse import differentiate
from backend.engine.execute.run import run_backward, run_forward
from backend.engine.language.errors import Refusal, catalogue
from backend.engine.language.parse import parse
from backend.engine.trace.inputs import Input
from backend.engine.trace.tracer import trace
from tests.support.opinfo import Sample, samples

EVERY = 40  # of the samples `make test` takes one in so many


def solved(sample: Sample) -> dict[str, tuple[torch.Tensor | None, torch.Tensor]]:
    """The printed lines' gradients beside autograd's, in float64."""
    inputs = {
        name: Input("parameter" if name in sample.wants else "target", tuple(tensor.shape), tensor.dtype)
        for name, tensor in sample.tensors.items()
    }
    graph = trace(parse(sample.source), inputs, {}, None, sample.tensors)
    lines = differentiate(graph)
    forward = run_forward(graph, sample.tensors, torch.float64)
    manual = run_backward(lines, forward.values, torch.float64).gradients
    return {name: (manual.get("d" + name), gradient) for name, gradient in forward.autograd.items()}


@pytest.mark.filterwarnings("ignore")
def test_torchs_own_samples_agree(thorough: bool) -> None:
    pytest.importorskip("expecttest", reason="torch's sample generators import it")
    tried, refused, wrong = Counter[str](), Counter[str](), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, sample in enumerate(samples()):
            if number % EVERY and not thorough:
                continue
            tried[sample.operation] += 1
            try:
                pairs = solved(sample)
            except Refusal as refusal:
                assert refusal.code in catalogue()
                refused[sample.operation] += 1
                continue
            wrong += [
                f"{sample.source} {name}"
                for name, (mine, theirs) in pairs.items()
                if mine is None
                or mine.shape != theirs.shape
                or not torch.allclose(mine.double(), theirs.double(), rtol=1e-6, atol=1e-8, equal_nan=True)
            ]
    assert not wrong
    assert tried.total() > 900 / (1 if thorough else EVERY), (
        "the installed torch generates fewer samples than were seen when this was written"
    )
    assert refused.total() <= 0.05 * tried.total(), f"refused: {refused.most_common()}"
