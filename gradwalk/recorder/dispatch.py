"""The last resort: the calls of PyTorch's dispatcher, taken apart by PyTorch's own decompositions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import torch
from torch._decomp import decomposition_table
from torch.torch_version import TorchVersion
from torch.utils._python_dispatch import TorchDispatchMode

from gradwalk.recorder import spelling
from gradwalk.recorder.values import Value, tensors_in

SAME = {"to", "detach", "alias", "lift_fresh", "_to_copy", "lift_fresh_copy", "view_of"}
# Takes a tensor's shape alone, or is flat: no gradient passes.
FLAT = {
    "full_like", "ones_like", "zeros_like", "empty_like", "rand_like", "randn_like", "new_zeros", "new_ones",
    "new_full", "new_empty", "sign", "floor", "ceil", "round", "trunc",
}  # fmt: skip
CALLED = {
    "_softmax": "softmax", "_log_softmax": "log_softmax", "_unsafe_view": "view", "split_with_sizes": "split",
    "constant_pad_nd": "pad", "unsafe_split": "split", "_reshape_alias": "view", "unsafe_chunk": "chunk",
}  # fmt: skip
Read = Callable[[torch.Tensor], ast.expr]
if TorchVersion(torch.__version__) < "2.7":  # its decompositions import Dynamo, which fails while a mode is on
    import torch._dynamo


class Dispatch(TorchDispatchMode):
    """What a call is made of, written down call by call by the recorder that has opened it."""

    def __init__(self, recorder: Any) -> None:
        super().__init__()
        self.recorder = recorder

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """One call of the dispatcher."""
        kwargs = kwargs or {}
        word = func._schema.name.partition("::")[2]
        if word in FLAT or not any(self.passes(one) for one in tensors_in([args, kwargs])):
            return func(*args, **kwargs)
        if word in SAME and not args[0].is_complex():
            out = func(*args, **kwargs)
            if out.is_floating_point():
                self.recorder.memory.holds(out, self.recorder.memory.value(args[0]))
            return out
        if func._schema.is_mutable:
            return self.in_place(func, word, args, kwargs)
        mark = len(self.recorder.rows)
        out = func(*args, **kwargs)
        if not any(one.is_floating_point() for one in tensors_in(out)) or self.written(word, args, kwargs, out):
            return out
        del self.recorder.rows[mark:]
        return self.apart(func, word, args, kwargs, out)

    def in_place(self, func: Any, word: str, args: Any, kwargs: Any) -> Any:
        """A call that changes its first tensor: that one holds from then on what the same call makes anew."""
        plain = getattr(getattr(torch.ops.aten, word.removesuffix("_"), None), func._overloadname, None)
        target = args[0] if args else None
        if plain is None or not word.endswith("_") or not isinstance(target, torch.Tensor) or target._is_view():
            self.recorder.lack(f"aten.{word}", word)
            return func(*args, **kwargs)
        with self:
            made = plain(*args, **kwargs)
        out = func(*args, **kwargs)
        self.recorder.memory.holds(target, self.recorder.memory.value(made))
        return out

    def apart(self, func: Any, word: str, args: Any, kwargs: Any, out: Any) -> Any:
        """The call in smaller ones, or a note that there are none."""
        way = decomposition_table.get(func)
        if way is not None:
            with self:
                made = way(*args, **kwargs)
            if made is not NotImplemented:
                return made
        with self:
            made = func.decompose(*args, **kwargs)
        if made is not NotImplemented:
            return made
        self.recorder.lack(f"aten.{word}", word)
        return out

    def passes(self, tensor: torch.Tensor) -> bool:
        """Whether a gradient may pass through a tensor."""
        known = self.recorder.memory.known.get(id(tensor))
        if known is not None and known.tensor is tensor:
            return known.value.role != "constant" or known.value.row is not None
        return tensor.requires_grad

    def written(self, word: str, args: Any, kwargs: Any, out: Any) -> bool:
        """Write one call down, where the language has it."""
        recorder, reads = self.recorder, dict[int, Value]()
        made = [one for one in ([out] if isinstance(out, torch.Tensor) else list(out)) if isinstance(one, torch.Tensor)]
        several = not isinstance(out, torch.Tensor)
        if any(one.is_complex() for one in (*made, *tensors_in([args, kwargs]))):
            return False

        def read(tensor: torch.Tensor) -> ast.expr:
            value: Value = recorder.memory.value(tensor)
            reads[value.number] = value
            return value.name

        probes = [one.detach() for one in made]
        try:
            for expression in written_as(word, args, kwargs, read):
                used = [reads[number] for number in recorder.numbers_in(expression)]
                whole = expression
                if several and len(made) == 1:
                    whole = ast.Subscript(expression, ast.Constant(0), ast.Load())
                if recorder.trials.takes(whole, used, probes, several and len(made) > 1, apart=True):
                    recorder.write(whole, used, made, several and len(made) > 1)
                    return True
        except spelling.SpellingError:
            return False
        return False


def written_as(word: str, args: Any, kwargs: Any, read: Read) -> Any:
    """The ways to write a call of the dispatcher."""
    if word == "slice":
        axis, start, end, step = (*args[1:], *[None] * 4)[:4] if len(args) > 1 else (0, None, None, None)
        axis = (axis or 0) % args[0].dim()
        end = None if end is None or end >= args[0].shape[axis] else end
        parts = [slice(None)] * axis + [slice(start or None, end, step if step != 1 else None)]
        yield ast.Subscript(spelling.literal(args[0], read), spelling.index(tuple(parts), read), ast.Load())
    elif word == "index":
        where = tuple(slice(None) if one is None else one for one in args[1])
        yield ast.Subscript(spelling.literal(args[0], read), spelling.index(where, read), ast.Load())
    elif word in ("_softmax", "_log_softmax"):
        yield from spelling.expressions("torch.x", CALLED[word], None, args[:2], {}, read)
    elif word == "constant_pad_nd":
        yield from spelling.expressions(
            "F.functional", "pad", None, (args[0], tuple(args[1])), {"value": float((*args, 0)[2])}, read
        )
    elif word == "embedding":
        weight, words, padding = (*args, -1)[:3]
        named = {} if padding < 0 else {"padding_idx": padding}
        yield from spelling.expressions("torch.functional", word, None, (words, weight), named, read)
    elif word == "convolution" and not args[6]:
        x, weight, bias, stride, padding, dilation, _, _, groups = args
        given = (x, weight, *([bias] if bias is not None else []))
        named = {"stride": tuple(stride), "padding": tuple(padding), "dilation": tuple(dilation), "groups": groups}
        yield from spelling.expressions("torch.functional", f"conv{x.dim() - 2}d", None, given, named, read)
    else:
        known = CALLED.get(word, word)
        yield from spelling.expressions("torch.x", known, None, args, kwargs, read)
        yield from spelling.expressions("torch.Tensor.x", known, None, args, kwargs, read)
