"""A right request or several for every address that answers with JSON: what is described, and what a fuzzer damages."""

from __future__ import annotations

from typing import Any

from app.endpoints import ENDPOINTS

PROGRAM: dict[str, Any] = {
    "source": "h = torch.tanh(x @ W + b)\np = F.softmax(h, dim=1)\nloss = F.cross_entropy(h, y) + p[:, 0].mean() * n",
    "tensors": {
        "x": {"role": "data", "shape": [5, 3], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [3, 4], "init": "randn", "seed": 2, "scale": 0.5, "shift": 0.1},
        "b": {"role": "parameter", "values": [0.5, -1.0, 2, 1e-3]},
        "y": {"role": "target", "values": [0, 1, 2, 3, 3]},
    },
    "constants": {"n": 2},
    "dims": {"x": ["example", "in"]},
    "loss": "loss",
    "dtype": "float32",
    "exact": False,
}
LESSON: dict[str, Any] = {"lesson": "makemore-mlp", "seed": 3}
TABLE: dict[str, Any] = {
    "source": "e = C[i]\nh = torch.tanh(e @ W)\nloss = F.cross_entropy(h, y)",
    "tensors": {
        "C": {"role": "parameter", "shape": [6, 3], "init": "randn", "seed": 1},
        "i": {"role": "data", "values": [0, 1, 1, 5]},
        "W": {"role": "parameter", "shape": [3, 4], "init": "randn", "seed": 2},
        "y": {"role": "target", "values": [0, 1, 2, 3]},
    },
}
RECURRENT: dict[str, Any] = {"lesson": "recurrent"}
WIDE: dict[str, Any] = {
    "source": "s = W.square().sum()\nloss = s * 2.0",
    "tensors": {"W": {"role": "parameter", "shape": [300, 300], "init": "randn", "seed": 2}},
}
PLANT = {"plant": {"step": 5, "mistake": "sign"}}
CHANGE = [{"tensor": "W", "index": [0, [0, 2]], "value": 0.7}, {"tensor": "h", "noise": 0.1, "seed": 3}]
TRAINING: dict[str, Any] = {
    "walk": LESSON, "steps": 6, "seed": 1, "batch": 8, "sizes": {"hidden": 8, "embedding": 3},
    "optimiser": {"name": "adam", "beta1": 0.9}, "schedule": {"name": "step", "lr": 0.1, "factor": 0.5, "every": 3},
    "clip": {"by": "norm", "limit": 1.0}, "lines": "printed", "paused": True,
}  # fmt: skip
# More of them, by the address they are posted to: programs that can be damaged, other fields, other kinds of answer.
MORE: dict[str, list[dict[str, Any]]] = {
    "/api/walk": [PROGRAM, LESSON, PROGRAM | {"only": ["h", "dh"], "changes": CHANGE}],
    "/api/walk?arrays=lists": [PROGRAM],
    "/api/walk?steps=all": [PROGRAM],
    "/api/comparison": [{"left": PROGRAM, "right": PROGRAM | PLANT}, {"left": LESSON, "right": PROGRAM}],
    "/api/check": [PROGRAM, PROGRAM | {"unfinished": ["x", "W"]}],
    "/api/check?refusals=answer": [PROGRAM, PROGRAM | {"tensors": {}}, PROGRAM | {"source": "h = torch.tahn(x)"}],
    "/api/cell": [
        {"walk": PROGRAM, "tensor": "h", "which": "value", "index": [0, 1]},
        {"walk": PROGRAM, "tensor": "x", "which": "value", "index": [0, 1]},
        {"walk": LESSON, "tensor": "C", "which": "contribution", "index": [0, 1], "step": 50},
    ],
    "/api/export": [{"walk": LESSON, "format": "ipynb"}],
    "/api/numeric": [
        {"walk": PROGRAM, "node": "W", "mode": "cells", "cells": [[0, 1]], "seed": 1},
        {"walk": PROGRAM, "node": "*"},
    ],
    "/api/jacobian": [
        {"walk": PROGRAM, "node": "p", "input": "h", "example": 0},
        {"walk": PROGRAM, "node": "p", "input": "h", "cell": [0, 0], "along": [0, 0]},
        {"walk": WIDE, "node": "s", "input": "W", "cell": [0, 0]},
    ],
    "/api/tangents": [{"walk": LESSON, "tensor": "hpreact", "index": [3, 5]}],
    "/api/costs": [{"walk": LESSON, "again": ["h"]}],
    "/api/curve": [
        {"walk": PROGRAM, "tensor": "W", "index": [0, 1], "within": {"least": 0.01, "greatest": 1, "log": True}},
    ],
    "/api/descent": [{"walk": PROGRAM, "rates": [0.5]}],
    "/api/mistakes": [{"walk": PROGRAM, "step": 6}],
    "/api/practice/check": [
        {"walk": PROGRAM, "target": "h", "answer": "dh = dp", "hints": 1, "cascade": {"p": "dp = 1"}},
        {"walk": PROGRAM, "target": "W", "answer": "dW = x.T @ (dh * (1 - h**2))", "hints": 3},
        {"walk": PROGRAM, "target": "b", "answer": "db = ("},
    ],
    "/api/tensor": [{"walk": WIDE, "tensor": "W", "which": "manual", "window": [0, 300, 0, 300]}],
    "/api/step": [{"walk": PROGRAM, "index": 4, "nodes": ["h", "x"], "choice": 0, "thumbnails": True}],
    "/api/steps": [
        {"walk": PROGRAM, "steps": [1, 4, 6], "judged": ["W", "h"]},
        {"walk": LESSON, "steps": [], "judged": [], "gradients": True, "questions": True},
    ],
    "/api/pieces": [{"walk": TABLE}, {"walk": RECURRENT}],
    "/api/saturation": [{"walk": TABLE, "tensor": "h", "parameter": "W"}],
    "/api/threeways": [{"walk": TABLE, "tensor": "C"}],
}
# All of them: every endpoint's example first.
POSTED = {endpoint.address: [dict(endpoint.example)] for endpoint in ENDPOINTS}
POSTED |= {address: [*POSTED.get(address, []), *bodies] for address, bodies in MORE.items()}
GOT = [
    "/api/lessons", "/api/lessons/makemore-mlp", "/api/lessons/first-steps/program?seed=1", "/api/starts", "/api/ops",
    "/api/ops/softmax/walk", "/api/chapters", "/api/chapters/broadcasting", "/api/search?q=softmax", "/api/drills",
    "/api/drills?seed=3&groups=indexing", "/api/exhibits", "/api/exhibits/batch-norm",
]  # fmt: skip
COMMANDS: dict[str, dict[str, Any]] = {
    "step": {"count": 2}, "set": {"schedule": {"name": "constant", "lr": 0.05}, "unclipped": True}, "compare": {},
    "sample": {"count": 3}, "pause": {}, "run-to": {"step": 4}, "replay": {"step": 1}, "cancel-replay": {},
    "restart": {}, "resume": {}, "stop": {},
}  # fmt: skip
