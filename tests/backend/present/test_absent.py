"""Why a tensor has no gradient: the line that cuts its path to the loss is named."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import torch_reference
from tests.support.verdicts import B, X, walked


@pytest.mark.parametrize(
    ("source", "name", "kind", "line", "words"),
    [
        ("d = x.detach()\nloss = (d * b).sum()", "x", "no-path", 1, "`x.detach()` on line 1 passes nothing back"),
        ("d = x.detach()\nloss = (d * b).sum()", "d", "constant", 1, "`x.detach()` on line 1 makes a constant"),
        ("d = x.detach() * 2\ne = d + 1\nloss = (e * b).sum()", "e", "constant", 1, "`x.detach()` on line 1"),
        ("h = x * 2\nk = h > 0\nloss = (k * b).sum()", "h", "no-path", 2, "`h > 0` on line 2 passes nothing back"),
        ("k = x > 0\nloss = (k * b).sum()", "k", "integers", 1, "gives truth values"),
        ("i = x.argmax(1)\nloss = (b[i] * b[i]).sum()", "x", "no-path", 1, "`x.argmax(1)` on line 1"),
        ("i = x.argmax(1)\nloss = (b[i] * b[i]).sum()", "i", "integers", 1, "gives whole numbers"),
        ("h = x * 2\nloss = b.sum()", "h", "unused", None, "no line reads `h`"),
        ("h = x * 2\nloss = b.sum()", "x", "unused", None, "nothing made from `x` reaches `loss`"),
        ("z = torch.ones(2) * 3\nloss = (z * b).sum() + x.sum()", "z", "constant", None, "nothing it is made from"),
        ("loss = (b * t).sum() + x.sum()", "t", "target", None, "`t` is a target"),
    ],
)
def test_without_a_gradient_the_line_that_cuts_it_is_named(
    source: Any, name: Any, kind: Any, line: Any, words: Any
) -> None:
    t = {"role": "target", "values": [1.0, 2.0]}
    _, nodes = walked(source, b=B, t=t)
    node = nodes[name]
    assert node["gradient"] is None
    assert (node["no_gradient"]["kind"], node["no_gradient"]["line"]) == (kind, line)
    assert words in node["no_gradient"]["text"]
    if kind in ("no-path", "unused"):
        assert torch_reference.reference({"source": source, "tensors": {"x": X, "b": B, "t": t}})[name][1] is None
