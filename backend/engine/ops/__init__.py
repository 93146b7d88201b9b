"""The operations by group: a declarative block each, with spellings, backward rule, sentences."""

from importlib import import_module

from backend.engine.ops.base import OPS, REGISTRY, Op
from backend.engine.ops.groups import GROUPS

for _group in sorted(GROUPS):
    import_module(f"{__name__}.{_group}")

__all__ = ["OPS", "REGISTRY", "Op"]
