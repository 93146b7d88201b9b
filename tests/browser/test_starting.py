"""The page while the server starts: it says so, and what was asked for opens by itself, in the same tab."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenWalker, Walker, intercept
from tests.support.looking import findings_in_both_themes
from tests.support.waiting import held_back
from tests.tools.server import Server, running

PATIENCE = 120_000


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the start waits for."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return held_back(tmp_path)


@pytest.fixture
def server(gate: Path) -> Iterator[Server]:
    """A server that starts until the gate is there."""
    assert not gate.exists()
    with running(ready=False) as started:
        yield started


@pytest.mark.exhaustive
def test_what_was_asked_for_opens_by_itself(walkers: OpenWalker, gate: Path) -> None:
    walker = walkers()
    page = walker.page
    page.goto(f"{walker.base}/walk/first-steps?step=2#there")
    expect(page).to_have_title("gradwalk is starting…")
    expect(page.get_by_role("heading", level=1)).to_have_text("gradwalk is starting…")
    expect(page.get_by_role("status")).to_contain_text("this page opens by itself")
    expect(page.get_by_role("progressbar", name="gradwalk is starting…")).to_be_visible()
    assert findings_in_both_themes(walker) == []
    the_server_goes_and_comes_back(walker)
    gate.touch()
    expect(page.locator("#count")).to_contain_text("2", timeout=PATIENCE)
    expect(page).to_have_url(re.compile(r"/walk/first-steps\?step=2"))
    assert page.evaluate("history.length") == 2  # Back leads where it did before
    walker.complaints[:] = [one for one in walker.complaints if "503" not in one and "ERR_FAILED" not in one]


def the_server_goes_and_comes_back(walker: Walker) -> None:
    status = walker.page.get_by_role("status")
    intercept(walker.page, "**/readyz", lambda route: route.abort())
    expect(status).to_contain_text("The server does not answer.")
    walker.page.unroute("**/readyz")
    expect(status).to_contain_text("PyTorch is loading")


@pytest.mark.exhaustive
def test_without_scripts_it_opens_too(walkers: OpenWalker, gate: Path) -> None:
    walker = walkers(java_script_enabled=False)
    walker.page.goto(f"{walker.base}/learn")
    expect(walker.page.get_by_role("heading", level=1)).to_have_text("gradwalk is starting…")
    gate.touch()
    expect(walker.page.get_by_role("heading", level=1)).to_have_text("Learn", timeout=PATIENCE)
    walker.complaints.clear()
