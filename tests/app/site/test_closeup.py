"""A walk too large to be sent cell by cell at once is recorded as its single steps have it."""

import json
from typing import Any

import pytest

from app.site import closeup
from app.site.question import Question
from app.site.server import Answers
from tests.tools.server import Server

WALK = {
    "source": "h = torch.tanh(x @ w)\ny = h * h + h\nloss = y.sum()",
    "tensors": {
        "x": {"role": "data", "shape": [120, 150], "init": "randn"},
        "w": {"role": "parameter", "shape": [150, 120], "init": "randn"},
    },
}


@pytest.fixture
def answers(server: Server) -> Answers:
    return Answers(server.url.removeprefix("http://"))


def asked(answers: Answers, path: str, **more: Any) -> Any:
    return json.loads(answers.answer(Question(path, {"walk": WALK, **more})) or b"{}")


def test_every_tensor_is_the_one_of_its_step(answers: Answers) -> None:
    question = Question("/api/walk?steps=all", WALK)
    whole = json.loads(answers.answer(question) or b"{}")
    told = json.loads(closeup.answer(answers, question) or b"{}")
    assert '"coarse": true' in json.dumps(whole)
    assert "coarse" not in json.dumps(told)
    for step in told["steps"]:
        part = asked(answers, "/api/steps", steps=[step["index"]], judged=[])["parts"][str(step["index"])]
        assert part["picture"] == step["picture"]
        assert part.get("contribution") == step.get("contribution")
    for node in told["nodes"]:
        sent = asked(answers, "/api/step", index=0, nodes=[node["name"]])["nodes"][node["name"]]
        assert node["value"] == sent["value"]
        columns = node["gradient"] or {}
        assert all(columns[name] == sent[name] for name in ("autograd", "difference") if name in columns)
    last = {step["node"]: step["accumulated"] for step in told["steps"] if step["direction"] == "backward"}
    known = [node["name"] for node in told["nodes"] if node["gradient"]]
    sent = asked(answers, "/api/step", index=0, nodes=known)["nodes"]
    assert {name: one["manual"] for name, one in sent.items()} == {name: last[name] for name in known}


def test_what_came_whole_is_left_as_it_is(answers: Answers) -> None:
    question = Question("/api/walk?steps=all", {"lesson": "broadcasting"})
    told = [json.loads(answer) for answer in (answers.answer(question), closeup.answer(answers, question)) if answer]
    for one in told:
        one["summary"].pop("milliseconds")
    assert told[0] == told[1]
