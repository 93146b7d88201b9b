"""What is made without gradients has none wherever it is read, and what is only read there keeps its own."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from backend.pipeline import new_run

CLASS = """import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.gc = nn.Linear(4, 6), nn.Linear(4, 6)

    def forward(self, x):
{}
"""
READ_WITHOUT = {
    "an attribute": """
        self.o = self.fc(x)
        with torch.no_grad():
            m = self.o.mean()
        return (self.o ** 2).sum() * m + self.gc(x).sum()""",
    "arguments behind a star": """
        def f(*a):
            with torch.no_grad():
                m = a[0].mean()
            return (a[0] ** 2).sum() * m
        return f(self.fc(x)) + self.gc(x).sum()""",
    "arguments by name": """
        def f(**a):
            with torch.no_grad():
                m = a["o"].mean()
            return (a["o"] ** 2).sum() * m
        return f(o=self.fc(x)) + self.gc(x).sum()""",
    "parts of parts": """
        t = ((self.fc(x), 1), [self.gc(x)])
        with torch.no_grad():
            m = t[0][0].mean() + t[1][0].mean()
        return (t[0][0] ** 2 * t[1][0]).sum() * m""",
    "what a function without gradients gives back": """
        @torch.no_grad()
        def same(o):
            return o
        return (same(self.fc(x)) * self.gc(x)).sum()""",
}
MADE_WITHOUT = {
    "an attribute that is made": """
        h = self.fc(x)
        with torch.no_grad():
            self.o = torch.tanh(h)
        return (self.o * self.gc(x)).sum() + h.sum()""",
    "parts with names": """
        h = self.fc(x)
        with torch.no_grad():
            most, _ = h.max(1)
            a, b = h.chunk(2, dim=1)
        return (most * self.gc(x).sum(1)).sum() + (a * b * h[:, :1]).sum()""",
    "parts without": """
        h = self.fc(x)
        with torch.no_grad():
            most, both = h.max(1), h.chunk(2, dim=1)
        return (most.values * self.gc(x).sum(1)).sum() + (both[0] * both[1] * h[:, :1]).sum()""",
    "what a dictionary holds": """
        h = self.fc(x)
        with torch.no_grad():
            d = {"t": h * h}
        return (d["t"] * self.gc(x)).sum() + h.sum()""",
}


@pytest.mark.parametrize("name", [*READ_WITHOUT, *MADE_WITHOUT])
def test_gradients_are_those_of_the_class_itself(name: str) -> None:
    """The class as PyTorch runs it, on the numbers that were walked."""
    source = CLASS.format((READ_WITHOUT | MADE_WITHOUT)[name].strip("\n"))
    run = new_run({"source": source, "tensors": {"x": {"role": "data", "shape": [5, 4], "init": "randn"}}})
    space: dict[str, Any] = {}
    exec(source, space)  # our own text, run as its author would
    module, tensors = space["Net"](), run.forward.tensors
    with torch.no_grad():
        for key, parameter in module.named_parameters():
            parameter.copy_(tensors[key.replace(".", "_")])
    module(tensors["x"]).backward()
    for key, parameter in module.named_parameters():
        own = run.gradients.get("d" + key.replace(".", "_"), torch.zeros_like(parameter))
        wanted = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        assert torch.allclose(own, wanted, atol=1e-5), key
