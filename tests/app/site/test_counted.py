"""What a file holds that is made within a request doesn't follow from how fast it is made."""

import json
from pathlib import Path
from typing import Any

from app import site
from app.site.counted import Counted
from app.site.recording import exported, whole_walk
from gradwalk.answers import here

WALK: dict[str, Any] = {
    "source": "h = torch.tanh(x @ w)\nloss = h.mean()",
    "tensors": {
        "x": {"role": "data", "shape": [60, 60], "init": "randn"},
        "w": {"role": "parameter", "shape": [60, 60], "init": "randn"},
    },
}


def stepped(walk: dict[str, Any], steps: float) -> Counted:
    answers = here({})
    few = Counted("", answers.carry_out, steps)
    few.about(json.loads(answers.told(whole_walk(walk))))
    return few


def test_a_question_takes_as_many_steps_as_its_walk_has_tensors_and_cells() -> None:
    few = stepped(WALK, 40)
    few.told(whole_walk(WALK))
    assert few.left == 40 - (4 + (3 * 60 * 60 + 1) // 500)
    assert not few.spent()
    few.told(whole_walk(WALK))
    assert few.spent()


def test_a_file_is_the_same_each_time_and_follows_from_no_clock() -> None:
    assert exported(here({}), WALK, 0.5) == exported(here({}), WALK, 0.5) != exported(here({}), WALK, 0.1)
    sources = Path(site.__file__).parent.glob("*.py")
    assert [path.name for path in sources if "\nimport time\n" in path.read_text()] == ["server.py"]
