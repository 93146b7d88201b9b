"""The library's text for what samples, selects and transforms: gradients are those of PyTorch's own functions."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pytest
import torch
import torch.nn.functional as F

import backend

SIZES = {"x": (2, 3, 4, 5), "grid": (2, 3, 2, 2), "v": (1, 2, 3, 3, 2), "places": (1, 2, 2, 2, 3), "theta": (2, 2, 3)}
TEXTS = [
    *(
        f"F.grid_sample(x, grid, {mode!r}, {padding!r}, align_corners={aligned})"
        for mode, padding, aligned in [
            ("bilinear", "zeros", False), ("bilinear", "border", True), ("bilinear", "reflection", False),
            ("bilinear", "reflection", True), ("nearest", "zeros", False), ("bicubic", "zeros", True),
        ]
    ),
    "F.grid_sample(v, places, align_corners=False)", "F.affine_grid(theta, (2, 3, 4, 5), align_corners=False)",
    "F.affine_grid(theta, [2, 3, 4, 1], align_corners=False)", "torch.median(x)", "torch.median(x, dim=1)[0]",
    "x.median(1).values", "torch.kthvalue(x, 2).values", "torch.quantile(x, 0.3)", "x.quantile(0.7, dim=-1)",
    "torch.quantile(x, 0.25, dim=1, keepdim=True)", "x * torch.histc(x, bins=5)[0]", "x * torch.histc(x, 4, -1, 1).sum()",
    "torch.view_as_real(torch.fft.rfft(x))", "torch.abs(torch.fft.rfft(x, n=7, dim=1))",
    "torch.fft.irfft(torch.fft.rfft(x) * 2, n=6)", "torch.fft.irfft(torch.fft.rfft(x, dim=2), dim=2)",
    "torch.real(torch.fft.fft(x, norm='ortho'))", "torch.fft.ifft(torch.fft.fft(x) * torch.fft.fft(x.flip(-1))).real",
    "(torch.fft.rfft(x) / torch.fft.rfft(x.flip(-1))).real", "torch.fft.fft2(x).abs()",
    "torch.fft.irfft2(torch.fft.rfft2(x), s=(4, 5))", "torch.fft.fftshift(x) * torch.fft.fftfreq(5)",
    "torch.stft(x[0, 0].reshape(-1), 8, 2, window=torch.hann_window(8), return_complex=True).abs()",
    "torch.stft(x[0, 0].reshape(-1), 8, 2, win_length=6, return_complex=True).abs()",
    "x * torch.hann_window(1)", "x * torch.hamming_window(1)", "x * torch.hann_window(5, periodic=False)",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:A window was not provided")
@pytest.mark.parametrize("text", TEXTS)
def test_gradients_are_those_of_the_function(text: str) -> None:
    generator = torch.Generator().manual_seed(3)
    drawn = {name: torch.randn(size, generator=generator) * 0.9 for name, size in SIZES.items()}
    given = {name: one.double().requires_grad_() for name, one in drawn.items() if re.search(rf"\b{name}\b", text)}
    rows = {name: {"role": "data", "values": one.tolist()} for name, one in given.items()}
    source = f"def f({', '.join(given)}):\n    y = {text}\n    return (y * y).sum() + y.sum()\n"
    reply: Any = orjson.loads(backend.walk({"source": source, "tensors": rows, "dtype": "float64", "arrays": "lists"}))
    nodes = {node["variable"]: node for node in reply["nodes"]}
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        y = eval(text, {"torch": torch, "F": F, **given})
        ((y * y).sum() + y.sum()).backward()
    finally:
        torch.set_default_dtype(before)
    for name, one in given.items():
        wanted = torch.zeros_like(one) if one.grad is None else one.grad
        manual = (nodes[name]["gradient"] or {}).get("manual") or torch.zeros_like(one).tolist()
        torch.testing.assert_close(torch.tensor(manual, dtype=torch.float64), wanted, rtol=1e-9, atol=1e-9)
