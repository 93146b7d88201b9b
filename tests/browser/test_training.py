"""Training as a person drives it: steps, pauses, clips, walks a step, comes back, finishes; and what goes wrong."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import SECONDS, Walker
from tests.support.looking import findings, findings_in_both_themes
from tests.tools.server import Server

PARAMETERS = ["C", "W1", "b1", "W2", "b2", "bngain", "bnbias"]
PER_CLIENT = 4


def stand(page: Page) -> str:
    return str(page.locator("#stand").text_content())


def pick(page: Page, name: str, value: str) -> None:
    """A field of the form, left so that its change counts and keys belong to the page again."""
    field = page.locator(f"#setup [name={name}]")
    if field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)
    field.evaluate("field => field.blur()")


def resting(page: Page, words: str) -> None:
    expect(page.locator("#stand")).to_contain_text(words, timeout=SECONDS)


def test_a_run_is_stepped_paused_clipped_walked_and_found_again(walker: Walker) -> None:
    page = walker.page
    page.goto(walker.base + "/train")
    expect(page.locator("#go")).to_have_text("Start")
    assert findings(walker) == []
    page.keyboard.press("s")
    resting(page, "step 1 of 200,000 · paused")
    expect(page.locator("#announcer")).to_have_text(re.compile(r"^Paused after 1 step\. Loss 3\."))
    expect(page.locator("#parameters tbody th")).to_have_text([re.compile(rf"^{name} \(") for name in PARAMETERS])
    page.keyboard.press("Shift+S")
    resting(page, "step 11 of 200,000 · paused")
    page.keyboard.press(" ")
    expect(page.locator("#go")).to_have_text("Pause")
    expect(page.locator("#stand")).to_contain_text(re.compile("steps? a second"))
    pick(page, "clip", "norm")
    pick(page, "limit", "0.25")
    expect(page.locator("#norm")).to_contain_text("clipped to 0.25", timeout=SECONDS)
    expect(page.locator("#parameters td.after").first).to_be_visible()
    page.keyboard.press(" ")
    resting(page, "paused")
    page.keyboard.press("c")
    expect(page.locator("#parameters .verdict .badge")).to_have_count(len(PARAMETERS))
    expect(page.locator("#parameters .verdict .level-wrong")).to_have_count(0)
    expect(page.locator("#parameters tr", has_text="b1").locator(".badge")).to_have_text(re.compile("zero"))
    assert findings_in_both_themes(walker) == []
    # the walk has this minibatch and these weights: its loss is the run's
    before, loss = stand(page), str(page.locator(".legend-raw b").text_content())
    page.keyboard.press("w")
    back = page.get_by_role("link", name="Back to the run")
    expect(back).to_be_visible(timeout=SECONDS)
    page.wait_for_selector("#walk[aria-busy=false]", timeout=SECONDS)
    expect(page.locator("#story")).to_contain_text(f"here it is {loss}")
    back.click()
    resting(page, before)
    expect(page.locator(".legend-raw b")).to_have_text(loss)
    expect(page.locator("#setup [name=limit]")).to_have_value("0.25")
    page.get_by_role("button", name="Stop").click()
    resting(page, "stopped")
    expect(page.locator("#splits dd")).to_have_count(3)
    expect(page.locator("#go")).to_be_hidden()


def test_a_run_finishes_diverges_and_is_refused_where_there_are_too_many(walker: Walker, server: Server) -> None:
    page = walker.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(walker.base + "/train")
    pick(page, "batch", "1")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#setup-says")).to_have_text("The batch must be a whole number from 2 to 1,024.")
    expect(page.locator("[name=batch]")).to_be_focused()
    pick(page, "batch", "8")
    pick(page, "hidden", "16")
    pick(page, "steps", "40")
    page.get_by_role("button", name="Start").click()
    resting(page, "step 40 of 40 · finished")
    expect(page.locator("#names li")).to_have_count(20, timeout=SECONDS)
    expect(page.locator("#announcer")).to_have_text(
        re.compile(r"^Finished after 40 steps\. Training loss [\d.]+, validation loss [\d.]+\.$")
    )
    assert walker.ask("document.documentElement.scrollWidth <= innerWidth")
    assert findings(walker) == []
    # a reload finds the same run
    page.reload()
    resting(page, "step 40 of 40 · finished")
    expect(page.locator("[name=hidden]")).to_have_value("16")
    page.get_by_role("button", name="New run").click()
    expect(page).to_have_url(re.compile(r"/train/makemore-mlp$"))
    pick(page, "lr", "1e30")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#alert")).to_contain_text(re.compile(r"The loss is (NaN|Infinity) at step \d+\."))
    expect(page.get_by_role("button", name="Walk this step")).to_be_visible()
    page.get_by_role("button", name="New run").click()
    pick(page, "lr", "0.1")
    _refuse_and_make_room(page, server)
    assert ["429" in one for one in walker.complaints] == [True]  # Chromium's own word on the run that was refused
    walker.complaints.clear()
    resting(page, "finished")
    page.get_by_role("button", name="New run").click()
    expect(page.locator("#instruments")).to_be_hidden()


def _refuse_and_make_room(page: Page, server: Server) -> None:
    body = {"walk": {"lesson": "first-steps"}, "paused": True}
    others: list[str] = []
    while len(others) <= PER_CLIENT and (begun := server.post("/api/training", body)).status == 201:
        others.append(begun.json()["id"])
    assert begun.status == 429
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#problem h1")).to_contain_text(begun.error["message"])
    for one in others:
        assert server.ask("DELETE", f"/api/training/{one}").status == 204
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#problem")).to_be_hidden()
