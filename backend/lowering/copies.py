"""What copies a tensor, as `torch.tensor(x)` does: its numbers, without the way that they came."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from typing import Any

from backend.engine.filling.other_names import name_of
from backend.engine.language.tree import nodes_in, worked_out_once
from backend.engine.language.values import DType, Parameters
from backend.lowering.builtins import ACTS
from backend.lowering.draws import Draws
from backend.lowering.guesses import NUMERIC
from backend.lowering.values import Method, Parts, Special, Tensor, Unknown


class Copies(Draws):
    """Copies tensors, and joins several into one."""

    text: ast.Module  # all that was pasted

    def of_tensors(self, args: list[Any], node: ast.expr) -> Any:
        """`np.array(x)` of what is a tensor already, or of several; None where it is made of numbers."""
        if isinstance(args[0], Unknown) and self.is_a_number(args[0]):
            args[0] = self.known(args[0])
        if isinstance(args[0], Tensor | Unknown):
            given = self.table.given(args[0].path.split(".")) if isinstance(args[0], Unknown) else None
            return args[0] if given is None else given
        is_of_several = any(isinstance(one, Tensor | Unknown) for one in _flat(args[0]))
        return self.operation("torch.stack", [args[0]], {}, node) if is_of_several else None

    def is_a_number(self, value: Unknown) -> bool:
        """Whether something that is missing is a number, as its annotation or its name says."""
        return value.told == "number" or (not value.told and NUMERIC.search(value.path.rpartition(".")[2]) is not None)

    def copied(self, args: list[Any], node: ast.expr) -> Any:
        """`torch.tensor(x)` of tensors: PyTorch keeps no gradient of what it copies; None where there is no tensor.

        An input that is read nowhere else is taken for the copy itself: an array of which a tensor is made.
        """
        made = self.of_tensors(args, node)
        is_input = isinstance(made, Unknown) or any(made is one for one in self.table.known.values())
        if not isinstance(made, Tensor | Unknown) or (is_input and not self.is_read_beside(node)):
            return made
        if isinstance(made, Tensor) and made.fixed:
            return made
        made = self.tensor_of(made) if isinstance(made, Unknown) else made
        return self.called(Method(made, "detach"), [], {}, node) if made.meta.is_floating_point() else made

    def to_kind(self, kind: DType, args: list[Any], kwargs: Parameters, node: ast.expr) -> Any:
        """`np.float32(x)`: a number or a tensor as one of another kind."""
        if len(args) == 1 and isinstance(args[0], Tensor | Unknown):
            one = self.tensor_of(args[0]) if isinstance(args[0], Unknown) else args[0]
            return self.called(Method(one, "to"), [kind], {}, node)
        of_python = "bool" if kind == "bool" else "int" if "int" in kind else "float"
        return self.called(Special(of_python, ACTS[of_python]), args, kwargs, node)

    def is_read_beside(self, node: ast.expr) -> bool:
        """Whether what a call copies is read elsewhere as well; not where the copy takes its name."""
        name = name_of(node.args[0]) if isinstance(node, ast.Call) and node.args else None
        match self.place:
            case ast.Assign(targets=[target]) if name_of(target) == name:
                return False
        return name is not None and _read(self.text)[name] > 1


@worked_out_once
def _read(tree: ast.Module) -> Mapping[str, int]:
    """How often each name is read, with what it belongs to."""
    of = [one for one in nodes_in(tree) if isinstance(one, ast.Name | ast.Attribute)]
    return Counter(name for one in of if isinstance(one.ctx, ast.Load) and (name := name_of(one)))


def _flat(value: Any) -> list[Any]:
    return (
        [one for part in value for one in _flat(part)]
        if isinstance(value, tuple | list) and not isinstance(value, Parts)
        else [value]
    )
