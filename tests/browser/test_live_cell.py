"""A walk in a notebook's cell whose page asks the kernel: here a page of the test's own stands for the notebook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from playwright.sync_api import FrameLocator, expect

import gradwalk
from gradwalk.notebook import BRIDGE, answer, framed
from tests.browser.conftest import OpenWalker, Walker

# What anywidget gives the script: a model that sends messages to the kernel and hears its own.
NOTEBOOK = """<!doctype html><meta charset="utf-8"><body>%s<script type="module">
const source = %s;
const { default: widget } = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
const heard = new Set();
const model = {
  get: () => "cell",
  on: (_, hear) => heard.add(hear),
  off: (_, hear) => heard.delete(hear),
  send: async (message) => {
    const told = await globalThis.kernel(message);
    for (const hear of heard) hear(told);
  },
};
globalThis.begin = () => { globalThis.end = widget.render({ model, el: document.createElement("div") }); };
if (%s) globalThis.begin();
</script>"""


def opened(alone: Walker, folder: Path, early: bool) -> tuple[gradwalk.Walk, FrameLocator, list[str]]:
    torch.manual_seed(0)
    walk = gradwalk.walk(lambda x, w: torch.tanh(x @ w).square().sum(), torch.randn(3, 2), torch.randn(2, 4))
    asked: list[str] = []

    def kernel(message: Any) -> dict[str, object]:
        asked.append(message["path"])
        status, text = answer(walk.material, message["path"], message["body"])
        return {"key": message["key"], "status": status, "text": text.decode()}

    alone.page.expose_function("kernel", kernel)
    cell = framed(walk.html(), "Your model", "cell")
    (folder / "notebook.html").write_text(NOTEBOOK % (cell, json.dumps(BRIDGE), json.dumps(early)))
    alone.page.goto((folder / "notebook.html").as_uri())
    frame = alone.page.frame_locator("iframe")
    expect(frame.locator("main[aria-busy=false]")).to_be_visible()
    return walk, frame, asked


@pytest.mark.parametrize("early", [pytest.param(True, marks=pytest.mark.exhaustive), False])
def test_a_nudge_of_single_cells_is_answered_by_the_kernel(walkers: OpenWalker, tmp_path: Path, early: bool) -> None:
    alone = walkers(1280, 800)
    walk, frame, asked = opened(alone, tmp_path, early)
    if not early:
        alone.page.evaluate("begin()")
    frame.locator("#step-title").click()  # the keys are the frame's from here on
    alone.press("End", "n")
    frame.get_by_role("button", name="each cell").click()
    expect(frame.locator(".cell-findings tbody tr")).to_have_count(5)
    assert set(asked) == {"/api/numeric"}
    slope = walk.gradients["w"][0, 0]
    expect(frame.locator(".cell-findings tbody tr").first).to_contain_text(f"{slope:.4f}")
    alone.page.evaluate("end()")
    frame.get_by_role("button", name="other cells").click()
    expect(frame.locator("#nudge-dialog")).to_contain_text("nothing is computed here")
