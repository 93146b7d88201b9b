"""gradwalk in Python: walks through the gradients of any model that PyTorch runs."""

from importlib import import_module
from typing import Any

from app import __version__ as __version__

# What is here, and the module that has it: the server's own process imports this package and stays free of torch.
HERE = {
    "walk": "walking",
    "Walk": "walking",
    "WalkError": "recorder.recording",
    "check": "checking",
    "explain": "checking",
    "diagnose": "diagnosing",
    "assert_gradients": "testing",
    "watch": "watching",
    "GradientWarning": "watching",
    "load_ipython_extension": "magic",
}


def __getattr__(name: str) -> Any:
    """What the package offers, loaded when it is first asked for."""
    if name not in HERE:
        raise AttributeError(f"module 'gradwalk' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{HERE[name]}"), name)


def __dir__() -> list[str]:
    """What the package offers, for whoever completes names."""
    return [*globals(), *HERE]
