"""A walk too long to bring all its tensors: the step that is looked at shows every cell all the same."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenWalker, Walker, intercept
from tests.browser.links import link

TURNS = 40
LONG: dict[str, Any] = {
    "source": f"for t in range({TURNS}):\n    h = torch.tanh(h @ W + x)\nloss = (h * h).sum()",
    "tensors": {
        "h": {"role": "data", "shape": [64, 128], "init": "randn"},
        "x": {"role": "data", "shape": [64, 128], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [128, 128], "init": "randn", "seed": 2, "scale": 0.1},
    },
}


def blocks(page: Page) -> Any:
    return page.locator("#picture .blocks")


def opened(walker: Walker, step: int) -> Walker:
    return walker.open(link(LONG, step))


@pytest.mark.parametrize("step", [pytest.param(60, marks=pytest.mark.exhaustive), 150])
def test_the_cells_come_for_the_step_one_opens_and_for_the_next_one(walkers: OpenWalker, step: int) -> None:
    walker = opened(walkers(), step)
    for number in (step, step + 1):
        expect(walker.page.locator("#count")).to_contain_text(f"{number} /")
        expect(blocks(walker.page)).to_have_count(0)
        expect(walker.page.locator("#evidence")).not_to_contain_text("block")
        walker.press("ArrowRight")


@pytest.mark.exhaustive
@pytest.mark.parametrize("status", [pytest.param(422, marks=pytest.mark.exhaustive), 500])
def test_without_an_answer_the_blocks_stay_and_say_so(walkers: OpenWalker, status: int) -> None:
    walker = walkers()
    error = {"code": "internal", "message": "Something went wrong.", "hint": ""}

    def fail(route: Route) -> None:
        route.fulfill(status=status, json={"error": error})

    intercept(walker.page, "**/api/step", fail)
    opened(walker, 60)
    expect(blocks(walker.page).first).to_contain_text("blocks of")
    walker.complaints.clear()
