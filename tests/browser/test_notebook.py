"""A notebook with walks: executed, converted into a page, and looked at. Needs nbclient, nbconvert and ipykernel."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker
from tests.tools.server import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
nbconvert = pytest.importorskip("nbconvert")
pytest.importorskip("ipykernel")

# What a page would ask of others; a live cell's script, too, in whose place its walk stands.
ELSEWHERE = ("mathjax_url", "require_js_url", "jquery_url", "mermaid_js_url")
HERE = {**dict.fromkeys(ELSEWHERE, ""), "widget_renderer_url": "data:text/javascript,"}
CELLS = (
    "import torch\nfrom torch import nn\nimport gradwalk\n%load_ext gradwalk\ntorch.manual_seed(0)\n"
    "model, x = nn.Sequential(nn.Linear(3, 2), nn.Tanh()), torch.randn(4, 3)",
    "gradwalk.walk(model, x, loss=lambda out: out.square().mean())",
    "%%gradwalk loss\nw = torch.randn(3, requires_grad=True)\nh = torch.exp(x @ w)  # positive\nloss = h.sum()",
    "gradwalk.walk(model, x, loss=lambda out: out.square().mean(), towards='0.weight')",
)


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")
def test_a_notebook_with_three_walks_is_executed_converted_and_shown(
    walkers: OpenWalker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    kernel = {"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "here"}
    folder = tmp_path / "kernels" / "here"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text(json.dumps({**kernel, "language": "python"}))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    monkeypatch.setenv("JUPYTER_PATH", os.pathsep.join([str(tmp_path), os.environ.get("JUPYTER_PATH", "")]))
    nbclient.NotebookClient(notebook, kernel_name="here", timeout=300).execute(env=environment)
    page, _ = nbconvert.HTMLExporter(**HERE).from_notebook_node(notebook)
    (tmp_path / "notebook.html").write_text(page)
    shown = walkers(1280, 900)
    shown.page.goto((tmp_path / "notebook.html").as_uri())
    expect(shown.page.locator("iframe")).to_have_count(3)
    for number in range(3):
        frame = shown.page.frame_locator("iframe").nth(number)
        expect(frame.locator("#step-title")).not_to_be_empty()
    second = shown.page.frame_locator("iframe").nth(1)
    expect(second.locator("#forward")).to_contain_text("h = torch.exp(x @ w)")
