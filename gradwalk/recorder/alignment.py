"""The CTC loss, as the sum over alignments that it is: a step at a time."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

Tensor = torch.Tensor
LONGEST, UNLIKELY = 100, -1e30  # steps; the logarithm of a probability of nothing


def ctc(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0,
    reduction: Any = "mean", zero_infinity: bool = False,  # noqa: ARG001
) -> Tensor:  # fmt: skip
    """The sum over all alignments, step by step (Graves et al. 2006).

    PyTorch's gradient takes it that `log_probs` come from a log-softmax: to each class it sends its probability too.
    """
    steps, count = log_probs.shape[0], log_probs.shape[1] if log_probs.dim() == 3 else 0
    ends, sizes = (torch.as_tensor(one, dtype=torch.long).reshape(-1) for one in (input_lengths, target_lengths))
    if not count or steps > LONGEST or bool((sizes == 0).any()):
        raise NotImplementedError("one alone, long ones, empty ones")
    with torch._C.DisableTorchFunction(), torch.no_grad():
        rows = targets if targets.dim() == 2 else pad_sequence(list(torch.split(targets, sizes.tolist())), True)
        spelled = torch.full((count, 2 * rows.shape[1] + 1), blank)
        spelled[:, 1::2] = rows
        leaps = F.pad((spelled[:, 2:] != spelled[:, :-2]) & (spelled[:, 2:] != blank), (2, 0), value=False)
        closed = torch.where(leaps, 0.0, UNLIKELY).to(log_probs.dtype)
        start = torch.full(spelled.shape, UNLIKELY, dtype=log_probs.dtype)
        start[:, :2] = 0.0
        runs = (torch.arange(steps)[:, None] < ends).to(log_probs.dtype).unsqueeze(-1)
        each = torch.arange(count)
    emitted = log_probs.gather(2, spelled.expand(steps, -1, -1))
    state = emitted[0] + start
    states = [state]
    for step in range(1, steps):
        one, two = (F.pad(state, (far, 0), value=UNLIKELY)[:, :-far] for far in (1, 2))
        state = torch.logsumexp(torch.stack([state, one, two + closed]), 0) + emitted[step]
        states.append(state)
    last = torch.stack(states)[ends - 1, each]
    loss = -torch.logsumexp(torch.stack([last[each, 2 * sizes], last[each, 2 * sizes - 1]]), 0)
    sent = log_probs.exp() * runs
    loss = loss + (sent - sent.detach()).sum((0, 2))
    if reduction in ("mean", 1):
        return (loss / sizes).mean()
    return loss.sum() if reduction in ("sum", 2) else loss
