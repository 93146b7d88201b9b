"""What a cell is a sum of is found without trying everything."""

import json
from functools import partial

from backend.inspect.cell.cell import cell_of
from backend.pipeline import run_of
from tests.support.costs import counted

X = {"role": "parameter", "values": [[1.0, 2.0], [3.0, 5.0]]}


def test_the_other_tensors_of_a_stack_are_not_tried_one_by_one() -> None:
    """A cell reads one of them; of twelve there are four thousand choices."""
    calls = {}
    for count in (3, 12):
        parts = ", ".join(f"h{i}.norm()" for i in range(count))
        lines = [*(f"h{i} = x * {i + 1}" for i in range(count)), f"s = torch.stack([{parts}])", "loss = s.sum()"]
        request = {"source": "\n".join(lines), "tensors": {"x": X}}
        opened = partial(cell_of, run_of(request), "s", "value", (1,))
        answer = opened()
        assert (answer["adds"], {term["through"] for term in answer["terms"]}) == (False, {"h1"})
        calls[count], _ = counted(lambda: json.dumps(opened()).encode())  # noqa: B023 - called here
    assert calls[12] < 8 * calls[3], calls
