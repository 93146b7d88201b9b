"""A pasted text read once, however often it is tried: its tree, and what its lines say before one of them is run."""

from __future__ import annotations

import ast

from backend.engine.filling.other_names import name_of
from backend.engine.language.grammar import OTHER_MODULES
from backend.engine.language.tree import nodes_in, stored_in
from backend.lowering.aliases import named_torch
from backend.lowering.assignments import keeps_gradients
from backend.lowering.first_use import (
    axes_in,
    called_in,
    called_parts_in,
    cuts_in,
    keyed_in,
    keys_in,
    picks_in,
    views_in,
    widths_in,
)
from backend.lowering.read import read_found

# By which names a text tells whether its tensors are NumPy's arrays or PyTorch's.
NUMPY, TORCH = frozenset({"np", "numpy", "jnp"}), frozenset({"torch", "F", "nn", "th", "functional"})


class Reading:
    """What a text says of itself; nothing of it is changed by a run. Raises Refusal where Python can't read it."""

    def __init__(self, source: str) -> None:
        self.found = read_found(source)
        tree = self.found.tree
        named_torch(tree)
        names = {node.id for node in nodes_in(tree) if isinstance(node, ast.Name)}
        self.modules = names & set(OTHER_MODULES)
        self.is_numpy = bool(names & NUMPY) and not names & TORCH
        values = [node.value for node in nodes_in(tree) if isinstance(node, ast.Assign)]
        self.has_word_more = any(name_of(value) == "vocab_size" for value in values)
        self.ends_in_definition = bool(tree.body) and isinstance(tree.body[-1], ast.FunctionDef | ast.ClassDef)
        self.has_engine = keeps_gradients(tree)
        self.stored = set(stored_in(tree))
        self.axes, self.picks = axes_in(tree), picks_in(tree)
        self.widths, self.called, self.called_parts = widths_in(tree), called_in(tree), called_parts_in(tree)
        self.keyed, self.keys = keyed_in(tree), keys_in(tree)
        self.cuts, self.views = cuts_in(tree), views_in(tree)
