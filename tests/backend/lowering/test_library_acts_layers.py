"""Layers of the library's text: their gradients are those of PyTorch's own layers."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
import torch
from torch import nn

import backend
from backend.engine.language.errors import Refusal
from backend.program.request import make_tensor
from backend.services.check import check

LAYERS: dict[str, tuple[str, Any, str]] = {
    "a transformer": (
        "nn.Transformer(8, 2, 1, 1, 16, batch_first=True)",
        lambda: nn.Transformer(8, 2, 1, 1, 16, 0.0, batch_first=True),
        "self.f(x, y, tgt_mask=nn.Transformer.generate_square_subsequent_mask(y.size(1)))",
    ),
    "a decoder, normed first": (
        "nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, activation='gelu', norm_first=True), 2)",
        lambda: nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, 0.0, "gelu", norm_first=True), 2),
        "self.f(x, y)",
    ),
    "a recurrent layer with its first state": ("nn.GRU(3, 4, 2)", lambda: nn.GRU(3, 4, 2), "self.f(x, y)[0]"),
}
CLASS = """class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = {made}
    def forward(self, x, y):
        out = {result}
        return (out * out.sin()).sum()
"""
SHAPES = {"a recurrent layer with its first state": ([5, 2, 3], [2, 2, 4])}


@pytest.mark.parametrize("name", LAYERS)
def test_gradients_are_those_of_the_layer(name: str) -> None:
    made, build, result = LAYERS[name]
    shapes = SHAPES.get(name, ([2, 5, 8], [2, 5, 8]))
    given = {
        one: {"role": "data", "shape": shape, "init": "randn", "seed": place}
        for place, (one, shape) in enumerate(zip("xy", shapes, strict=True))
    }
    source = CLASS.format(made=made, result=result)
    found: Any = check({"source": source, "tensors": given})["found"]
    rows = {**given, **found["lifted"]}
    request = {"source": found["source"], "tensors": rows, "loss": found["loss"], "constants": found["constants"]}
    reply = orjson.loads(backend.walk({**request, "dtype": "float64", "arrays": "lists"}))
    nodes = {node["variable"]: node for node in reply["nodes"]}
    layer = build().double()
    variables = {label: variable for variable, label in found["labels"].items()}
    for label, parameter in layer.named_parameters():
        variable = variables[f"f.{label}"]
        parameter.data = make_tensor(variable, rows[variable], torch.float64)
    x, y = (make_tensor(one, given[one], torch.float64).requires_grad_() for one in "xy")
    scope = {"self": type("Self", (), {"f": staticmethod(layer)}), "x": x, "y": y, "nn": nn}
    torch.set_default_dtype(torch.float64)
    try:
        out = eval(result, scope)
    finally:
        torch.set_default_dtype(torch.float32)
    (out * out.sin()).sum().backward()
    wanted = {"x": x.grad, "y": y.grad}
    wanted |= {variables[f"f.{label}"]: one.grad for label, one in layer.named_parameters()}
    for variable, gradient in wanted.items():
        ours = torch.tensor(nodes[variable]["gradient"]["manual"], dtype=torch.float64)
        torch.testing.assert_close(ours, gradient, msg=variable)


def test_a_first_state_of_another_shape_is_refused_as_pytorch_refuses_it() -> None:
    made = "class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.f = nn.RNN(3, 4)\n"
    given = f"{made}    def forward(self, x):\n        return self.f(x, torch.zeros({{}}, 5, 4))[0].sum()\n"
    assert check({"source": given.format(1)})["found"]
    with pytest.raises(Refusal) as caught:
        check({"source": given.format(2)})
    assert caught.value.entry == "shapes-do-not-fit"
    assert "(2, 5, 4) and (1, 5, 4)" in caught.value.message


def test_a_first_state_that_is_missing_has_the_shape_that_the_layer_wants() -> None:
    made = "class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.f = nn.LSTM(3, 4)\n"
    source = f"{made}    def forward(self, x, h, c):\n        return self.f(x, (h, c))[0].sum()\n"
    found: Any = check({"source": source})["found"]
    shapes = {need["name"]: need["row"]["shape"] for need in found["needs"]}
    assert shapes["h"] == shapes["c"] == [1, shapes["x"][1], 4]


# What a parameter is made of, and the gradient of `x` where the loss is `(x * p).sum()`.
PARAMETERS = {
    "of what is reckoned in the forward pass": ("x * 2", lambda x: 2 * x),
    "of the input itself": ("x", lambda x: x),
    "of zeros": ("torch.zeros(2, 3)", torch.zeros_like),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_nothing_flows_back_through_a_parameter_that_a_forward_pass_makes(name: str) -> None:
    text, wanted = PARAMETERS[name]
    source = f"class A(nn.Module):\n    def forward(self, x):\n        p = nn.Parameter({text})\n        return (x * p).sum()"
    values = [[1.0, 2.0, 3.0], [-1.0, 0.5, 4.0]]
    request = {"source": source, "tensors": {"x": {"role": "data", "values": values}}, "arrays": "lists"}
    nodes = {node["variable"]: node for node in orjson.loads(backend.walk(request))["nodes"]}
    assert nodes["x"]["gradient"]["manual"] == wanted(torch.tensor(values)).tolist()


def test_two_weights_that_begin_alike_have_a_gradient_each() -> None:
    source = "w = torch.randn(3, 4)\np = nn.Parameter(w)\nloss = (w * p).sum()"
    found: Any = check({"source": source})["found"]
    assert found["source"] == "loss = (w * p).sum()"


TAKEN: dict[str, str] = {
    "sizes by name": "class A(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n"
    "        self.w = nn.Parameter(torch.ones(size=[n]))\n    def forward(self, x):\n        return (x * self.w).sum()",
    "what is handed on": "class A(nn.Linear):\n    def __init__(self, *args, **kwargs):\n"
    "        super().__init__(*args, **kwargs)\n    def forward(self, x):\n        return super().forward(x).sum()",
    "arguments behind a star": "class A(nn.Module):\n    def forward(self, *args):\n        return (args[0] * args[1]).sum()",
    "an old name": "def f(x):\n    return F.upsample(x, scale_factor=2).sum()",
    "an infinite number": "def f(x):\n    return x.clamp(max=np.float('inf')).sum()",
    "what NumPy draws": "def f(x):\n    n = np.random.normal(0, 1, size=x.shape)\n    u = np.random.uniform(0, 3, (2, 8))\n"
    "    return (x * n).sum() * u.sum() if np.random.rand() < 0.6 else x * np.random.randint(4)",
    "norms as NumPy calls them": "def f(x, y):\n    return (np.linalg.norm(x - y, axis=1) * (x[:, 0] > 0).astype(np.float32)).sum()",
}


@pytest.mark.parametrize("name", TAKEN)
def test_what_people_write_is_taken_as_it_stands(name: str) -> None:
    reply = orjson.loads(backend.walk({"source": TAKEN[name], "tensors": {}, "dtype": "float64"}))
    assert reply["summary"]["wrong"] == 0
    assert reply["summary"]["gradients"] > 0


POOLED = """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 16, 3, 1, 1), nn.Conv2d(16, 5, 8)
        self.pool = nn.MaxPool2d(2, 2)
    def forward(self, x):
        x = self.pool(self.pool(self.pool(self.pool(self.conv1(x)))))
        return self.conv2(x).sum()
"""


def test_a_picture_is_as_large_as_a_kernel_behind_many_pools_wants_it() -> None:
    found: Any = check({"source": POOLED})["found"]
    (picture,) = (need["row"]["shape"] for need in found["needs"])
    assert 128 <= picture[2] == picture[3] < 144  # a cell of what is left for each 16 of them


def test_a_picture_has_its_own_sides_where_it_has_as_many_channels() -> None:
    net = POOLED.replace("nn.Conv2d(3, 16, 3, 1, 1)", "nn.Conv2d(channels, 16, 3, 1, 1)").replace(
        "(self)", "(self, channels)", 1
    )
    found: Any = check({"source": net.replace("16, 5, 8)", "16, 5, 3)")})["found"]
    shapes = [need["row"]["shape"] for need in found["needs"] if "shape" in need["row"]]
    assert shapes[0][1] == 8
    assert shapes[0][2] == shapes[0][3] >= 48
