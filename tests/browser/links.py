"""The link of a program on the page "Your code", as the page itself packs it."""

import json
import zlib
from base64 import urlsafe_b64encode
from typing import Any

DRAWN: dict[str, Any] = {"role": "parameter", "init": "randn", "seed": 1}
ONE_LAYER: dict[str, Any] = {
    "source": "h = torch.tanh(x @ W)\nloss = (h * y).mean()",
    "tensors": {
        "x": DRAWN | {"role": "data", "shape": [4, 3]},
        "W": DRAWN | {"shape": [3, 2]},
        "y": DRAWN | {"role": "target", "shape": [4, 2], "seed": 2},
    },
}


def link(request: dict[str, Any], step: int, **query: str) -> str:
    """The address that walks this request (its tensors drawn, not listed) and shows a step; `query` adds to it."""
    draft = {
        "source": request["source"],
        "tensors": [row(name, spec) for name, spec in request["tensors"].items()],
        "constants": [],
        "loss": "",
        "dtype": request.get("dtype", "float32"),
    }
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = packer.compress(json.dumps(draft).encode()) + packer.flush()
    fragment = urlsafe_b64encode(packed).decode().rstrip("=")
    more = "".join(f"&{key}={value}" for key, value in query.items())
    return f"/code?step={step}{more}#p={fragment}"


def row(name: str, spec: dict[str, Any]) -> dict[str, str]:
    """A tensor as the form holds it: every field a text."""
    if "values" in spec:
        values = " ".join(map(str, spec["values"]))
        return {"name": name, "role": spec["role"], "fill": "values", "values": values}
    fields = {"name": name, "role": spec["role"], "fill": spec["init"], "shape": ", ".join(map(str, spec["shape"]))}
    return fields | {field: str(spec[field]) for field in ("seed", "scale", "shift", "axes") if field in spec}
