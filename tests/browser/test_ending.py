"""How a walk begins and how it ends: what is computed, how every gradient came out, and a step downhill."""

import re
from collections import Counter
from typing import Any

import pytest
import torch
from playwright.sync_api import Route, expect

from tests.browser.conftest import OpenWalker, Walker, arrived, intercept
from tests.browser.links import link
from tests.tools.server import Server

LAST = 51
# What the step wears in the graph, in the listing and as a picture, in one colour.
MARKED = ("#graph .here", "#forward .here", "#picture [data-map^='value emb'] .heat")
SMALL = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def test_the_first_step_says_what_is_computed_and_no_other_does(walker: Walker, server: Server) -> None:
    walker.open("/")
    told = server.post("/api/walk", {"lesson": "makemore-mlp"}).json()["beginning"]
    beginning = walker.page.get_by_role("region", name="What this is")
    for sentence in told:
        expect(beginning).to_contain_text(sentence.replace("`", ""))
    expect(beginning).to_contain_text("Graph, code and picture show the same step, here emb, in violet")
    shadows = [walker.ask(f"getComputedStyle(document.querySelector({one!r})).boxShadow") for one in MARKED]
    assert len({re.sub(r"\).*", "", shadow) for shadow in shadows}) == 1, shadows
    key = walker.page.locator("#badge-key")
    expect(key).to_have_text(
        "Checked against PyTorch’s: ✓exact (bit for bit), ≈approximate (but for rounding), ✕wrong."
    )
    walker.press("ArrowRight")
    expect(beginning).to_have_count(0)


def test_the_last_step_counts_what_the_walk_found_and_leads_back(walker: Walker, server: Server) -> None:
    walker.open(f"/?step={LAST}")
    ending = walker.page.get_by_role("region", name="The end")
    nodes = server.post("/api/walk", {"lesson": "makemore-mlp"}).json()["nodes"]
    levels = Counter(
        node["gradient"]["verdict"]["level"] for node in nodes if node["gradient"] and node["name"] != "loss"
    )
    expect(ending).to_contain_text(f"{sum(levels.values())} gradients:")
    expect(ending.get_by_role("button", name=f"{levels['exact']} exact")).to_be_visible()
    expect(ending.get_by_role("button", name=f"{levels['approximate']} approximate")).to_be_visible()
    zeros = ending.get_by_role("button", name=f"{levels['zero']} true zeros")
    zeros.click()
    expect(zeros).to_have_attribute("aria-expanded", "true")
    ending.get_by_role("button", name="db1").click()
    expect(walker.page.locator("#heading")).to_contain_text("db1")
    expect(ending).to_have_count(0)
    walker.press("End")
    expect(zeros).to_have_attribute("aria-expanded", "true")


@pytest.mark.exhaustive
def test_every_gradient_s_size_and_what_a_step_would_move(walker: Walker, server: Server) -> None:
    walker.open(f"/?step={LAST}")
    nodes = server.post("/api/walk?arrays=lists", {"lesson": "makemore-mlp"}).json()["nodes"]
    walker.page.get_by_role("radio", name="0.01", exact=True).check()
    opener = walker.page.get_by_role("button", name="how large they are")
    opener.click()
    dialog = walker.page.get_by_role("dialog", name="How large every gradient is")
    rows = dialog.locator("tbody tr")
    expect(rows).to_have_count(sum(node["gradient"] is not None for node in nodes) - 1)
    expect(rows.first).to_contain_text("dlogprobs")  # in the order of the way back
    expect(dialog).to_contain_text("at learning rate 0.01 moves a parameter")
    for node in nodes:
        if node["name"] not in ("W1", "W2", "C"):
            continue
        gradient, weight = (torch.tensor(cells).double() for cells in (node["gradient"]["manual"], node["value"]))
        cells = [
            float(text.replace("·10⁻", "e-").translate(SMALL))
            for text in rows.filter(has_text=f"d{node['name']}(").locator("td").all_inner_texts()[1:]
        ]
        norm = gradient.norm()
        true = [norm, norm / gradient.numel() ** 0.5, gradient.abs().max(), 0.01 * norm / weight.norm()]
        assert cells == pytest.approx([float(number) for number in true], rel=0.05)
    expect(rows.filter(has_text="db1")).to_contain_text("true zero")
    dialog.get_by_role("button", name="dW1", exact=True).click()
    expect(dialog).to_be_hidden()
    expect(walker.page.locator("#heading")).to_contain_text("dW1")


def test_a_step_downhill_at_each_rate(walker: Walker, server: Server) -> None:
    walker.open(f"/?step={LAST}")
    rates = [0.01, 0.1, 1, 10]
    told = server.post("/api/descent", {"walk": {"lesson": "makemore-mlp"}, "rates": rates}).json()
    words = walker.page.locator(".descent-words")
    for rate, step in zip(rates, told["steps"], strict=True):
        walker.page.get_by_role("radio", name=f"{rate:g}", exact=True).check()
        expect(words).to_contain_text(f"goes from {told['loss']:.3f} to {step['loss']:.3f}")
        expect(words).to_contain_text(re.compile(f"promised −?{abs(step['promised']):.4g}"))


@pytest.mark.exhaustive
def test_the_picture_stays_where_it_is_when_the_step_downhill_arrives(walker: Walker) -> None:
    held: list[Route] = []
    intercept(walker.page, "**/api/descent", lambda route: held.append(route))
    walker.open(f"/?step={LAST}")
    map_, words = walker.page.locator("#picture .map").first, walker.page.locator(".descent-words")
    expect(map_).to_be_visible()
    expect(words).to_be_hidden()
    before = map_.bounding_box()
    arrived(walker.page, held).continue_()
    expect(words).to_contain_text("promised")
    expect(words).to_be_visible()
    assert map_.bounding_box() == before


def test_the_walk_goes_on_from_the_new_numbers(walker: Walker, server: Server) -> None:
    walker.open(f"/?step={LAST}")
    walker.page.get_by_role("radio", name="1", exact=True).check()
    walker.page.get_by_role("button", name="10 of them").click()
    told = walked(server, {"descend": 1, "steps": 10})
    beginning = walker.page.get_by_role("region", name="What this is")
    expect(beginning).to_contain_text(f"{told['loss']['value']:.2f}")
    bar = walker.page.get_by_role("region", name="Changed numbers")
    changes = bar.get_by_role("slider")
    expect(bar).to_contain_text("10 steps of gradient descent, learning rate 1")
    expect(walker.page).to_have_url(re.compile(r"/walk/makemore-mlp\?(graph=lines&)?changes=descend:1\*10$"))
    walker.page.reload()
    expect(beginning).to_contain_text(f"{told['loss']['value']:.2f}")
    walker.press("End")
    walker.page.get_by_role("button", name="this step", exact=True).click()
    expect(changes).to_have_count(2)
    expect(bar).to_contain_text("1 step of gradient descent, learning rate 0.1")
    bar.get_by_role("button", name="undo").click()
    expect(changes).to_have_count(1)
    expect(bar).to_contain_text("10 steps of gradient descent, learning rate 1")
    bar.get_by_role("button", name="put it back", exact=True).click()
    expect(bar).to_be_hidden()
    expect(beginning).to_contain_text(f"{walked(server)['loss']['value']:.2f}")
    walker.page.go_back()
    expect(bar).to_contain_text("10 steps of gradient descent, learning rate 1")


def walked(server: Server, *changes: object) -> Any:
    return server.post("/api/walk", {"lesson": "makemore-mlp", "changes": list(changes)}).json()


def test_where_nothing_can_be_stepped_along_nothing_is_offered(walker: Walker) -> None:
    request = {"source": "loss = x.sum()", "tensors": {"x": {"role": "data", "shape": [2], "init": "ones"}}}
    walker.page.goto(walker.base + link(request, 3))
    expect(walker.page.get_by_role("region", name="The end")).to_contain_text("1 gradient:")
    expect(walker.page.locator(".downhill")).to_be_hidden()


@pytest.mark.parametrize("step", [1, LAST])
@pytest.mark.parametrize(("width", "height"), [pytest.param(1440, 900, marks=pytest.mark.exhaustive), (1280, 720)])
def test_both_fit_above_the_charts(walkers: OpenWalker, width: int, height: int, step: int) -> None:
    walker = walkers(width=width, height=height)
    walker.open(f"/?step={step}")
    part = walker.page.locator(".beginning, .descent-words").first
    expect(part).to_be_visible()
    hidden = "() => { const r = document.querySelector('#reason'); return r.scrollHeight - r.clientHeight; }"
    assert walker.ask(hidden) <= 1


@pytest.mark.exhaustive
def test_a_presenter_s_remote_walks(walker: Walker) -> None:
    walker.open("/")
    walker.press("PageDown", "PageDown")
    expect(walker.page.locator("#heading")).to_contain_text("hprebn")
    walker.press("PageUp")
    expect(walker.page.locator("#heading")).to_contain_text("embcat")


@pytest.mark.exhaustive
def test_the_projector_shows_where_it_is_and_what_the_lesson_says(walkers: OpenWalker) -> None:
    walker = walkers(width=1280, height=720)
    walker.open("/?step=30").press("p")
    kicker = walker.page.locator("#heading .kicker")
    expect(kicker).to_contain_text("step 30 of 51 through norm_logits = logits - logit_maxes")
    expect(walker.page.locator(".lead .lesson")).to_contain_text("so the true gradient is zero")
    expect(walker.page.locator(".lead .gist:not(.lesson)")).to_be_hidden()
    cut = "() => { const k = document.querySelector('#heading .kicker'); return k.scrollWidth - k.clientWidth; }"
    assert walker.ask(cut) <= 0


def test_what_each_line_costs_and_what_it_saves_to_compute_a_tensor_again(walker: Walker, server: Server) -> None:
    walker.open("/?step=20")
    walker.press("u")
    dialog = walker.page.get_by_role("dialog", name="What each line costs")
    rows = dialog.locator("tbody tr")
    asked = {"walk": {"lesson": "makemore-mlp"}}
    expect(rows).to_have_count(len(server.post("/api/costs", asked).json()["lines"]))
    expect(dialog.get_by_role("status")).to_contain_text("multiply-adds, the backward pass")
    dialog.get_by_role("checkbox", name="keep h;").press("Space")
    told = server.post("/api/costs", {**asked, "again": ["h"]}).json()["lines"]
    expect(rows).to_have_count(len(told))
    expect(dialog.get_by_role("status")).to_contain_text(f"at most {max(one['held'] for one in told) / 1000:.3g} kB")
    expect(dialog.get_by_role("checkbox", name="keep h;")).to_be_focused()
    dialog.get_by_role("button", name="dW2 = h.T @ dlogits").click()
    expect(dialog).to_be_hidden()
    expect(walker.page.locator("#heading")).to_contain_text("dW2")


@pytest.mark.exhaustive
def test_the_costs_have_an_address_and_come_back_with_back(walker: Walker) -> None:
    page = walker.open("/?step=20&sheet=costs").page
    dialog = page.get_by_role("dialog", name="What each line costs")
    dialog.get_by_role("button", name="dW2 = h.T @ dlogits").click()
    expect(dialog).to_be_hidden()
    expect(page).not_to_have_url(re.compile("sheet"))
    page.go_back()
    expect(dialog.get_by_role("button", name="dW2 = h.T @ dlogits")).to_be_visible()
    expect(page).to_have_url(re.compile(r"step=20&sheet=costs$"))
    walker.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page).to_have_url(re.compile(r"step=20$"))
    page.go_forward()
    expect(page.locator("#heading")).to_contain_text("dW2")
    here = page.url
    walker.press("u")
    expect(page).to_have_url(re.compile("sheet=costs$"))
    page.go_back()
    expect(dialog).to_be_hidden()
    expect(page).to_have_url(here)
    walker.press("u")
    walker.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page).to_have_url(here)
    page.go_forward()  # closing went back, and left no second entry of the same place
    expect(dialog).to_be_visible()
