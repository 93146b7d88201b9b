"""Recurrent layers in calls that the language has, as their equations stand in PyTorch's documentation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F

Tensor = torch.Tensor
Cell = Callable[..., Any]  # one step: a state, or the pair that an LSTM has
Weights = Sequence[Tensor]


def linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """A linear layer, with or without bias."""
    return F.linear(x, weight, bias) if bias is not None else F.linear(x, weight)


def lstm_cell(x: Tensor, hx: Sequence[Tensor], w_ih: Tensor, w_hh: Tensor, b_ih: Any = None, b_hh: Any = None) -> Any:
    """One step of an LSTM."""
    h, c = hx[0], hx[1]
    gates = linear(x, w_ih, b_ih) + linear(h, w_hh, b_hh)
    i, f, g, o = gates.chunk(4, dim=-1)
    c_next = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    h_next = torch.sigmoid(o) * torch.tanh(c_next)
    return h_next, c_next


def gru_cell(x: Tensor, h: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Any = None, b_hh: Any = None) -> Tensor:
    """One step of a GRU."""
    r_x, z_x, n_x = linear(x, w_ih, b_ih).chunk(3, dim=-1)
    r_h, z_h, n_h = linear(h, w_hh, b_hh).chunk(3, dim=-1)
    r = torch.sigmoid(r_x + r_h)
    z = torch.sigmoid(z_x + z_h)
    n = torch.tanh(n_x + r * n_h)
    return (1 - z) * n + z * h


def rnn_cell(act: Callable[[Tensor], Tensor]) -> Cell:
    """One step of a plain recurrent layer."""

    def step(x: Tensor, h: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Any = None, b_hh: Any = None) -> Tensor:
        return act(linear(x, w_ih, b_ih) + linear(h, w_hh, b_hh))

    return step


def with_weights(cell: Cell, weights: Weights, biases: bool) -> Cell:
    """A cell with a layer's weights; an LSTM may have one more, which makes its state narrower."""
    usual = 4 if biases else 2

    def step(x: Tensor, state: Any) -> Any:
        made = cell(x, state, *weights[:usual])
        return (F.linear(made[0], weights[usual]), made[1]) if len(weights) > usual else made

    return step


def of_each(act: Callable[..., Tensor], *states: Any) -> Any:
    """The same of each part of a state."""
    if isinstance(states[0], tuple):
        return tuple(act(*parts) for parts in zip(*states, strict=True))
    return act(*states)


def rows(state: Any, start: int, end: int | None) -> Any:
    """A state of some of the sequences alone."""
    return of_each(lambda part: part[start:end], state)


def joined(*states: Any) -> Any:
    """The sequences of several states in one."""
    return of_each(lambda *parts: torch.cat(parts), *states)


def along(cell: Cell, steps: Sequence[Tensor], start: Any, back: bool) -> tuple[list[Tensor], Any]:
    """The outputs of one direction in the order of the steps, and the last state.

    Sequences of a packed batch end at different steps, the longest first: a step has as many rows as still go on.
    """
    every = steps[0].shape[0]
    have = steps[-1].shape[0] if back else every
    state, ended, made = rows(start, 0, have) if have < every else start, [], []
    for step in reversed(steps) if back else steps:
        size = step.shape[0]
        if size < have:
            ended.append(rows(state, size, None))
            state = rows(state, 0, size)
        elif size > have:
            state = joined(state, rows(start, have, size))
        have, state = size, cell(step, state)
        made.append(state[0] if isinstance(state, tuple) else state)
    return (made[::-1] if back else made), joined(state, *reversed(ended)) if ended else state


def layers_of(
    cell: Cell, steps: list[Tensor], hx: Any, weights: Weights, biases: bool, layers: int, dropout: float, both: bool
) -> tuple[list[Tensor], list[Any]]:
    """The outputs of the last layer, and the last state of every layer and direction."""
    directions, last = 2 if both else 1, list[Any]()
    per = len(weights) // (layers * directions)
    for layer in range(layers):
        outs = []
        for direction in range(directions):
            number = len(last)
            own = with_weights(cell, weights[number * per : (number + 1) * per], biases)
            start = tuple(part[number] for part in hx) if isinstance(hx, tuple) else hx[number]
            made, state = along(own, steps, start, back=bool(direction))
            outs.append(made)
            last.append(state)
        steps = [torch.cat(each, -1) for each in zip(*outs, strict=True)] if both else outs[0]
        if dropout and layer < layers - 1:
            sizes = [len(step) for step in steps]
            steps = list(torch.split(F.dropout(torch.cat(steps), dropout), sizes))
    return steps, last


def recurrent(cell: Cell) -> Callable[..., Any]:
    """A whole recurrent layer: every layer, direction and step."""

    def lowered(x: Tensor, *given: Any) -> Any:
        packed = isinstance(given[2], list | tuple)
        if packed:
            sizes, hx, weights, biases, layers, dropout, training, both = given
            steps, batch_first = list(torch.split(x, sizes.tolist())), False
        else:
            hx, weights, biases, layers, dropout, training, both, batch_first = given
            steps = list((x.transpose(0, 1) if batch_first else x).unbind(0))
        state = tuple(hx) if isinstance(hx, list | tuple) else hx
        steps, last = layers_of(cell, steps, state, weights, biases, layers, dropout if training else 0.0, both)
        out = torch.cat(steps) if packed else torch.stack(steps, 1 if batch_first else 0)
        ends = of_each(lambda *parts: torch.stack(parts), *last)
        return (out, *ends) if isinstance(ends, tuple) else (out, ends)

    return lowered


def packed_sequence(x: Tensor, lengths: Tensor, batch_first: bool) -> Tensor:
    """Step by step, those sequences that still go on."""
    steps = (x.transpose(0, 1) if batch_first else x).unbind(0)
    return torch.cat([step[: int((lengths > place).sum())] for place, step in enumerate(steps[: int(lengths[0])])])


def padded_sequence(data: Tensor, sizes: Tensor, batch_first: bool, value: float, length: int) -> Tensor:
    """All sequences of one length, with a number where they have ended."""
    if length > len(sizes):
        raise NotImplementedError("longer than the longest")
    most = int(sizes[0])
    steps = [
        F.pad(step, (0, 0) * (data.dim() - 1) + (0, most - len(step)), value=value) if len(step) < most else step
        for step in torch.split(data, sizes.tolist())
    ]
    return torch.stack(steps, 1 if batch_first else 0)


RECURRENT: dict[str, Callable[..., Any]] = {
    "lstm_cell": lstm_cell,
    "gru_cell": gru_cell,
    "rnn_tanh_cell": rnn_cell(torch.tanh),
    "rnn_relu_cell": rnn_cell(torch.relu),
    "lstm": recurrent(lstm_cell),
    "gru": recurrent(gru_cell),
    "rnn_tanh": recurrent(rnn_cell(torch.tanh)),
    "rnn_relu": recurrent(rnn_cell(torch.relu)),
    "_pack_padded_sequence": packed_sequence,
    "_pad_packed_sequence": padded_sequence,
}
