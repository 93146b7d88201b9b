"""A cell of a notebook, run as it is and walked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

import gradwalk


@pytest.fixture
def shell() -> Iterator[Any]:
    made = InteractiveShell.instance()
    yield made
    InteractiveShell.clear_instance()


CELL = """
W = torch.randn(3, 2, requires_grad=True)
h = torch.tanh(x @ W)  # hidden
loss = (h ** 2).mean()
loss.backward()
"""


def test_a_cell_is_run_once_and_walked_to_the_tensor_that_is_named(shell: Any) -> None:
    shell.run_cell("import torch\n%load_ext gradwalk\nx = torch.randn(4, 3)")
    result = shell.run_cell(f"%%gradwalk loss\n{CELL}")
    result.raise_error()
    walk = result.result
    assert isinstance(walk, gradwalk.Walk)
    assert walk.right
    assert walk.forward.splitlines() == ["h = torch.tanh(x @ W)  # hidden", "loss = (h**2).mean()"]
    assert shell.user_ns["W"].grad is not None


def test_a_cell_without_the_tensor_says_so(shell: Any) -> None:
    shell.run_cell("%load_ext gradwalk")
    with pytest.raises(gradwalk.WalkError, match="The cell makes no total"):
        shell.run_cell("%%gradwalk total\ny = 1").raise_error()
