"""Each step that the reference points at goes back through that operation."""

from __future__ import annotations

import json

import backend


def test_each_use_is_a_step_of_that_rule_and_no_rule_of_a_lesson_is_left_out() -> None:
    found = backend.uses()
    for subject in {use["lesson"] for use in found}:
        steps = json.loads(backend.walk({"lesson": subject}))["steps"]
        for use in (one for one in found if one["lesson"] == subject):
            step = steps[use["step"] - 1]
            assert use["operation"] in step["rules"], use
            assert step["code"].startswith(use["gradient"]), use
            if step["rule"] != use["operation"]:  # only where no line of this walk is about it
                assert all(one.get("rule") != use["operation"] for one in steps), use
        rules = {rule for step in steps if step["direction"] == "backward" for rule in step["rules"]}
        assert rules <= {use["operation"] for use in found}
    titles = {one["name"]: one["title"] for one in (*backend.starts(), *backend.lessons())}
    assert all(use["title"] == titles[use["lesson"]] for use in found), "it leads to what it says"
    assert {use["operation"] for use in found} <= {op["name"] for op in backend.operations()}
