"""The picture of a line whose factor is made on the spot."""

from backend.pipeline import run_of
from backend.present.drawings import drawings_of


def test_windows_that_overlap_are_drawn() -> None:
    """Each cell gets `torch.ones(…)` through a transposed convolution: `torch` is no tensor."""
    image = {"role": "parameter", "shape": [1, 2, 4, 4], "init": "randn"}
    run = run_of({"source": "y = F.avg_pool2d(x, 3, 1, 1)\nloss = y.sum()", "tensors": {"x": image}})
    picture = drawings_of(run.plan).pictures[len(run.plan.lines) - 1]
    assert picture is not None
    assert picture.arrives == "dy"
