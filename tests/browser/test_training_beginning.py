"""What the Train page shows before a run and at its beginning, on the screen of a projector, and what is kept of it."""

import csv
import json
import re
import struct
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import SECONDS, OpenWalker, arrived, intercept, resting, until
from tests.tools.server import ROOT, Server

SCREEN = {"width": 1280, "height": 720}
INK = """() => {
  const canvas = document.querySelector("#curve");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value) => value > 0);
}"""
NOTICED = """() => {
  window.noticed = [];
  const notice = document.querySelector(".notice");
  const note = () => notice.hidden || window.noticed.push(notice.textContent);
  new MutationObserver(note).observe(notice, { attributes: true });
}"""
RATIOS = """[...document.querySelectorAll("#parameters td.ratio")].map((cell) =>
  [cell.dataset.level, getComputedStyle(cell.querySelector("i")).backgroundColor])"""


def saved(page: Page, what: str) -> tuple[str, bytes]:
    """The name and the content of the file that a button saves."""
    with page.expect_download() as download:
        page.locator(f"[data-save={what}]").click()
    return download.value.suggested_filename, Path(str(download.value.path())).read_bytes()


def parameters_in(content: bytes) -> dict[str, torch.Tensor]:
    """The tensors of a file of safetensors, by what the format says of itself."""
    (length,) = struct.unpack("<Q", content[:8])
    numbers = content[8 + length :]
    told = json.loads(content[8 : 8 + length])
    assert [one["dtype"] for one in told.values()] == ["F32"] * len(told)
    assert max(one["data_offsets"][1] for one in told.values()) == len(numbers)
    return {
        name: torch.frombuffer(bytearray(numbers[slice(*one["data_offsets"])]), dtype=torch.float32).view(one["shape"])
        for name, one in told.items()
    }


def test_before_the_first_step_the_page_says_what_will_come(walkers: OpenWalker) -> None:
    walker = walkers(**SCREEN)
    page = walker.page
    page.goto(walker.base + "/train")
    for part in ("#intro", "#legend", "#curve", "#names-promise"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    until(page, INK)
    expect(page.locator("#legend")).to_contain_text("smoothed")
    usual = json.loads((ROOT / "static" / "usual-run.json").read_text(encoding="utf-8"))
    expect(page.locator("#early-names dt")).to_have_text([f"after {usual['steps']:,} steps"])
    expect(page.locator("#early-names dd")).to_have_text([" ".join(usual["names"])])
    expect(page.locator("#pair-says")).to_contain_text(f"in {usual['steps']:,} steps")
    page.keyboard.press("s")
    resting(page, "step 1 of 200,000 · paused")
    expect(page.locator("#names-promise")).to_be_hidden()
    expect(page.locator("#pair-says")).to_be_hidden()
    expect(page.locator("#early-names dt")).to_have_text(["untrained"])
    page.get_by_role("button", name="New run").click()
    expect(page.locator("#names-promise")).to_be_visible()
    expect(page.locator("#early-names dt")).to_have_text([f"after {usual['steps']:,} steps"])


def test_names_of_each_stage_stay_and_no_bar_alarms_at_the_lecture_s_settings(walkers: OpenWalker) -> None:
    walker = walkers(**SCREEN)
    page = walker.page
    page.goto(walker.base + "/train")
    page.keyboard.press("s")
    resting(page, "step 1 of 200,000 · paused")
    for step in (150, 1200, 1300):
        page.locator("#run-to-step").fill(str(step))
        page.locator("#run-to").click()
        resting(page, f"step {step:,} of 200,000 · paused")
        with page.expect_response("**/sample"):
            page.get_by_role("button", name="New names").click()
        expect(page.locator("#names-at")).to_have_text(f"after {step:,} steps", timeout=SECONDS)
        ratios = page.evaluate(RATIOS)
        assert "alarming" not in {level for level, _ in ratios}
        assert len(ratios) == 7
    stages = page.locator("#early-names dt").all_text_contents()
    told = [re.sub(r"\D", "", one) for one in stages]
    assert [len(digits) for digits in told] == [0, 3, 4], stages  # of each power of ten from a hundred on the first
    expect(page.locator("#early-names")).to_be_in_viewport(ratio=1)
    expect(page.locator("#names")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="New run").click()


def test_curve_parameters_and_settings_are_kept_as_files(walkers: OpenWalker, server: Server) -> None:
    walker = walkers()
    page = walker.page
    page.goto(walker.base + "/train/makemore-mlp?steps=40&hidden=16&batch=8")
    page.locator("#run-to-step").fill("30")
    page.keyboard.press("Enter")
    resting(page, "step 30 of 40 · paused")
    name, text = saved(page, "curve")
    assert name == "makemore-mlp-curve.csv"
    rows = list(csv.DictReader(text.decode().splitlines()))
    smoothed = [row for row in rows if row["smoothed loss"]]
    assert int(smoothed[-1]["step"]) == 29
    shown = float(str(page.locator(".legend-smoothed b").text_content()))
    assert float(smoothed[-1]["smoothed loss"]) == pytest.approx(shown, rel=1e-3)
    assert any(row["validation loss"] for row in rows)
    name, text = saved(page, "picture")
    assert name == "makemore-mlp-curve.png"
    assert text.startswith(b"\x89PNG\r\n")
    name, kept = saved(page, "parameters")
    assert name == "makemore-mlp-step-29.safetensors"
    name, text = saved(page, "step")
    assert name == "makemore-mlp-step-29.json"
    told = {name: one for name, one in json.loads(text)["tensors"].items() if one["role"] == "parameter"}
    parameters = parameters_in(kept)
    assert parameters.keys() == told.keys() == {"C", "W1", "b1", "W2", "b2", "bngain", "bnbias"}
    for name, one in told.items():
        assert torch.equal(parameters[name], torch.tensor(one["values"]))
    walked = server.post("/api/walk", json.loads(text)).json()
    loss = float(str(page.locator(".legend-raw b").text_content()))
    assert walked["loss"]["value"] == pytest.approx(loss, rel=1e-3)
    name, text = saved(page, "settings")
    page.get_by_role("button", name="New run").click()
    expect(page.locator("#names-promise")).to_be_visible()
    begun = server.post("/api/training", json.loads(text))
    assert begun.status == 201
    assert json.loads(text)["steps"] == 40
    assert server.ask("DELETE", f"/api/training/{begun.json()['id']}").status == 204


def test_what_a_run_that_was_left_does_not_answer_is_not_told(walkers: OpenWalker) -> None:
    walker = walkers(**SCREEN)
    page = walker.page
    held: list[Route] = []
    intercept(page, "**/sample", lambda route: held.append(route))
    page.goto(walker.base + "/train")
    page.keyboard.press("s")
    resting(page, "step 1 of 200,000 · paused")
    page.get_by_role("button", name="New names").click()
    late = arrived(page, held)
    page.get_by_role("button", name="New run").click()
    expect(page.locator("#names-promise")).to_be_visible()
    page.evaluate(NOTICED)
    with page.expect_response("**/sample") as answered:
        late.continue_()  # which reaches the server after the run has ended
    assert answered.value.status in (404, 409)
    answered.value.finished()
    page.keyboard.press("s")  # the next run's first step comes after all that was told of the last one
    resting(page, "step 1 of 200,000 · paused")
    assert page.evaluate("noticed") == []
    walker.complaints.clear()  # Chromium's own word on the answer
