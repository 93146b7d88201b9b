"""A walk leaves its page as one file, which opens without a server."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from app.site.__main__ import asked_for
from app.site.asked import whole
from app.site.build import record_page, record_programs
from app.site.folder import Folder
from app.site.server import Answers, RecordingError, serving
from app.site.single import single
from tests.browser.conftest import READY, OpenWalker, Walker, arrived, intercept
from tests.support.file_host import hosting
from tests.tools.server import Server

UNRECORDED = "performance.getEntriesByName('gradwalk:unrecorded').map((one) => one.detail)"


def saved(walker: Walker, button: str, path: Path) -> Path:
    """What a button saves, kept here."""
    with walker.page.expect_download() as coming:
        walker.page.locator(button).click()
    coming.value.save_as(path / coming.value.suggested_filename)
    expect(walker.page.locator("body")).to_contain_text("opens without a server")
    return path / coming.value.suggested_filename


def test_a_walk_is_saved_as_a_file_from_its_page(walkers: OpenWalker, tmp_path: Path) -> None:
    """As it is shown, here in PyTorch's rounding; and so is a program of one's own, from the menu of Your code."""
    served, alone = walkers().open("/walk/elementwise?step=3&exact=1"), walkers()
    file = saved(served, "#save", tmp_path)
    assert file.name == "elementwise.html"
    alone.page.goto(file.as_uri() + "?step=3")
    alone.page.wait_for_selector(READY)
    for part in "#reason", "#backward":  # lines in PyTorch's rounding are other lines
        expect(alone.page.locator(part)).to_have_text(served.page.locator(part).text_content() or "")
    expect(alone.page.locator("#save")).to_be_hidden()
    served.page.goto(f"{served.base}/code?lesson=first-steps")
    served.page.locator("#export").click()
    own = saved(served, "[data-format=html]", tmp_path)
    alone.page.goto(own.as_uri())
    alone.page.wait_for_selector(READY)
    alone.press("End", "ArrowLeft")
    expect(alone.page.locator("#step-title")).to_contain_text("d")
    assert alone.ask(UNRECORDED) == []


def test_a_file_that_is_being_made_is_called_off(walkers: OpenWalker) -> None:
    page, held = walkers().open("/walk/broadcasting").page, list[Route]()
    intercept(page, "**/api/export", lambda route: held.append(route))
    page.locator("#save").click()
    arrived(page, held)
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Cancel").click()
    expect(page.locator("body")).to_contain_text("No file was made.")
    page.unroute_all(behavior="ignoreErrors")


def test_a_program_of_one_s_own_is_opened_from_a_folder_s_list_of_chapters(walkers: OpenWalker, tmp_path: Path) -> None:
    walker, request, site = walkers(), tmp_path / "mine & yours.json", Folder(tmp_path / "some" / "where")
    tensors = {"x": {"role": "parameter", "values": [1.0, 2.0]}}
    request.write_text(json.dumps({"source": "y = x * 3\nloss = y.sum()", "tensors": tensors}))
    with serving() as answers:
        record_page(answers, site, "/learn")
        record_programs(answers, site, [asked_for(str(request))])
    with hosting(tmp_path) as address:
        listed = (site.root / "learn" / "index.html").read_text()
        link = listed.partition('">mine &amp; yours</a>')[0].rpartition('href="')[2]
        walker.base = address
        walker.page.goto(f"{address}/some/where/learn/{link}")
        walker.page.wait_for_selector(READY)
        expect(walker.press("End").page.locator("#step")).to_contain_text("dx = 3 * dy")
        assert walker.ask(UNRECORDED) == []


OWN = {
    "source": "h = torch.tanh(x * w)\nloss = (h * h).sum()",
    "tensors": {
        "x": {"role": "data", "values": [0.5, -1.0, 2.0]},
        "w": {"role": "parameter", "values": [1.0, 0.25, -0.5]},
    },
}


def test_a_program_of_one_s_own_is_one_file_too(walkers: OpenWalker, server: Server, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(OWN))
    walk, title = asked_for(str(tmp_path / "mine.json"))
    assert (walk, title) == (OWN, "mine")
    answers = Answers(server.url.removeprefix("http://"))
    (tmp_path / "mine.html").write_text(single(answers, walk, title))
    alone = walkers()
    alone.page.goto((tmp_path / "mine.html").as_uri())
    alone.page.wait_for_selector(READY)
    alone.press("End", "ArrowLeft")
    expect(alone.page.locator("#step-title")).to_contain_text("d")
    expect(alone.page.locator(".holds")).to_contain_text("mine: one walk")
    assert alone.ask(UNRECORDED) == []
    with pytest.raises(RecordingError, match="refused"):
        single(answers, {**OWN, "source": "loss = nowhere.sum()"}, "wrong")
    with pytest.raises(RecordingError, match="can't be read"):
        asked_for(str(tmp_path / "none.json"))


@pytest.mark.parametrize("lesson", ["broadcasting", pytest.param("elementwise.wide", marks=pytest.mark.exhaustive)])
def test_every_local_jacobian_is_worked_out_in_the_file(
    walkers: OpenWalker, server: Server, tmp_path: Path, lesson: str
) -> None:
    """At every step that goes through a line: as it is first, and by the buttons that cut it another way or step on."""
    answers, file = Answers(server.url.removeprefix("http://")), tmp_path / "walk.html"
    steps = whole(answers, {"lesson": lesson})["steps"]
    file.write_text(single(answers, {"lesson": lesson}, lesson))
    served, alone = walkers().open(f"/walk/{lesson}"), walkers()
    alone.page.goto(file.as_uri())
    alone.page.wait_for_selector(READY)
    for step in steps[1:]:
        served.press("ArrowRight")
        alone.press("ArrowRight")
        if not (step.get("through") and step["node"]):
            continue
        for walker in (served, alone):
            walker.page.get_by_role("button", name="local Jacobian").click()
        jacobians_are_alike(served, alone)
        for place in range(min(3, served.page.locator(".stepper button").count())):
            for walker in (served, alone):
                walker.page.locator(".stepper button").nth(place).click()
            jacobians_are_alike(served, alone)
    assert alone.ask(UNRECORDED) == []


def jacobians_are_alike(served: Walker, alone: Walker) -> None:
    for walker in (served, alone):
        expect(walker.page.locator(".jacobian[aria-busy=false] .product-map")).to_be_visible()
    expect(alone.page.locator(".jacobian")).to_have_text(served.text(".jacobian"))
