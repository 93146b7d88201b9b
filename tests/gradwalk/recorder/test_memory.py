"""What a recording remembers of the tensors of a run."""

from __future__ import annotations

import torch

from gradwalk.recorder.memory import Memory


def test_no_tensor_is_taken_for_one_whose_step_had_the_same_identity() -> None:
    """PyTorch 2.6 makes the object of a step anew where nobody keeps it, at the address of the last one."""
    unseen: list[torch.Tensor] = []
    memory = Memory(unseen.append)
    x = torch.randn(3, requires_grad=True)
    made = [x * number for number in range(20)]
    for one in made:
        memory.value(one)
    assert len(unseen) == len(made)
