"""Training as a person drives it: steps, pauses, clips, walks a step, comes back, finishes; and what goes wrong."""

import re

import pytest
from playwright.sync_api import Page, expect

from backend.training.loops import LOOPS
from tests.browser.conftest import SECONDS, Walker, resting
from tests.support.looking import findings, findings_in_both_themes, number
from tests.tools.server import Server

PARAMETERS = ["C", "W1", "b1", "W2", "b2", "bngain", "bnbias"]
EXPLODING = {"never-zeroed", "momentum-on-the-gradient"}  # mistakes with which each step is longer than the one before
MOST = 8  # runs at a time, all of which one client may have


def stand(page: Page) -> str:
    return str(page.locator("#stand").text_content())


def loss_of(page: Page) -> str:
    """The loss of the latest step, as a walk writes it: without zeros at its end."""
    return f"{float(str(page.locator('.legend-raw b').text_content())):g}"


def pick(page: Page, name: str, value: str) -> None:
    """A field of the form, left so that its change counts and keys belong to the page again."""
    field = page.locator(f"#setup [name={name}]")
    if field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)
    field.evaluate("field => field.blur()")


def test_a_run_is_stepped_paused_clipped_walked_and_found_again(walker: Walker) -> None:
    page = walker.page
    page.goto(walker.base + "/train")
    expect(page.locator("#go")).to_have_text("Start")
    assert findings(walker) == []
    page.keyboard.press("s")
    resting(page, "step 1 of 200,000 · paused")
    expect(page.locator("#announcer")).to_have_text(re.compile(r"^Paused after 1 step\. Loss 3\."))
    first = loss_of(page)
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
    expect(page.locator("#verdict-notes li", has_text="true zero")).to_contain_text("what is left is rounding")
    assert findings_in_both_themes(walker) == []
    # the walk has this minibatch and these weights: its loss is the run's
    before, loss = stand(page), loss_of(page)
    page.keyboard.press("w")
    back = page.get_by_role("link", name="Back to the run")
    expect(back).to_be_visible(timeout=SECONDS)
    page.wait_for_selector("#walk[aria-busy=false]", timeout=SECONDS)
    expect(page.locator("#story")).to_contain_text(f"the loss is {float(loss):.2f}")
    back.click()
    resting(page, before)
    assert loss_of(page) == loss
    expect(page.locator("#setup [name=limit]")).to_have_value("0.25")
    # and so has that of any step
    page.locator("#look-at").fill("99999999")
    page.keyboard.press("Enter")
    expect(page.locator("#look-at[aria-invalid]")).to_be_focused()
    page.locator("#look-at").fill("5")  # one of ten that were reported as one: it is taken again
    page.get_by_role("button", name="Compare with autograd").click()
    expect(page.locator("#compared-at")).to_have_text("compared at step 5", timeout=SECONDS)
    expect(page.locator("#parameters .nudged").first).to_have_text(re.compile("^✓ [1-9] agree$"))
    page.locator("#look-at").fill("0")
    page.keyboard.press("Enter")
    expect(page.locator("#story")).to_contain_text(f"the loss is {float(first):.2f}", timeout=SECONDS)
    back.click()
    resting(page, before)
    page.get_by_role("button", name="Stop").click()
    resting(page, "stopped")
    expect(page.locator("#splits dd")).to_have_count(3)
    expect(page.locator("#go")).to_be_hidden()


def test_a_run_finishes_diverges_and_is_refused_where_there_are_too_many(walker: Walker, server: Server) -> None:
    page = walker.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(walker.base + "/train")
    pick(page, "batch", "1")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#setup-says")).to_have_text("The batch must be a whole number from 2 to 1,024.")
    expect(page.locator("[name=batch]")).to_be_focused()
    pick(page, "batch", "8")
    pick(page, "hidden", "16")
    pick(page, "steps", "40")
    page.get_by_role("button", name="Start", exact=True).click()
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
    expect(page).to_have_url(re.compile(r"/train/makemore-mlp\?steps=40&batch=8&hidden=16&seed=\d+$"))
    pick(page, "lr", "1e30")
    page.get_by_role("button", name="Start", exact=True).click()
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


def test_two_runs_go_side_by_side(walker: Walker) -> None:
    """Manual gradients beside autograd's, and right ones beside a mistake that is chosen at its line."""
    page = walker.page
    page.goto(walker.base + "/train/makemore-mlp?steps=200&hidden=16&batch=8&beside=autograd")
    expect(page.locator("[name=beside]")).to_have_value("lines")
    page.get_by_role("button", name="Ten steps").click()
    resting(page, "step 10 of 200 · both paused")
    expect(page.locator(".legend-table tbody th")).to_have_text(["printed lines", "autograd"])
    minibatch = page.locator(".legend-table td.of-loss").all_text_contents()
    assert float(minibatch[0]) == pytest.approx(float(minibatch[1]), abs=1e-3)
    apart, steps = agreement(page)
    assert apart < 1e-6
    assert steps == 10
    page.keyboard.press(" ")
    resting(page, "step 200 of 200 · both finished")
    apart, steps = agreement(page)
    assert apart < 1e-5
    assert steps > 20
    expect(page.locator("#announcer")).to_have_text(re.compile(r"^Finished after 200 steps\. .*\d\.$"))
    page.locator("#shown-run").get_by_text("autograd").click()
    page.keyboard.press("c")
    expect(page.locator("#parameters tr", has_text="W2").locator(".badge")).to_have_text(re.compile("exact"))
    assert findings_in_both_themes(walker) == []
    page.reload()  # the address has both, and what they are
    resting(page, "step 200 of 200 · both finished")
    assert agreement(page) == (apart, steps)
    page.get_by_role("button", name="New run").click()
    mistaken_run(walker)


@pytest.mark.exhaustive
def test_a_mistake_of_the_loop_is_trained_from_its_card(walker: Walker) -> None:
    page = walker.page
    page.goto(walker.base + "/lab")
    page.get_by_role("link", name="zero_grad before the step").click()
    expect(page).to_have_url(re.compile(r"/train/makemore-mlp\?.*beside=zeroed-before-step"))
    expect(page.locator("[name=besideLoop]")).to_have_value("zeroed-before-step")
    expect(page.locator("#loop-says")).to_contain_text("Each step takes zeros")
    page.get_by_role("button", name="Ten steps").click()
    resting(page, "step 10 of 2,000 · both paused")
    expect(page.locator(".legend-table tbody th")).to_have_text(["right loop", "with the mistake"])
    assert "the loss with the mistake is" in says(page)
    page.get_by_role("button", name="New run").click()
    pick(page, "besideLoop", "clip-after-step")
    expect(page.locator("[name=clip]")).to_have_value("norm")
    expect(page).to_have_url(re.compile("clip=norm.*beside=clip-after-step"))
    pick(page, "clip", "none")
    expect(page.locator("#setup-says")).to_have_text("“Clipped after the step” needs the gradient norm to be clipped.")
    pick(page, "besideLoop", "state-kept")
    page.get_by_role("button", name="Ten steps").click()
    expect(page.get_by_text("This program has no hidden state that could be kept.")).to_be_visible()
    walker.complaints.clear()  # the browser tells of the status
    page.goto(walker.base + "/lab")
    page.get_by_role("link", name="State never reset").click()
    expect(page).to_have_url(re.compile(r"/train/through-time\?.*beside=state-kept"))
    page.get_by_role("button", name="Ten steps").click()
    resting(page, "step 10 of 2,000 · both paused")
    assert findings_in_both_themes(walker) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", LOOPS)
def test_every_mistake_of_the_loop_is_trained_to_its_end_from_its_card(walker: Walker, name: str) -> None:
    """All the steps of its link; what is said of both at the end is what stands below their curves."""
    page = walker.page
    page.goto(walker.base + "/lab")
    page.locator(f"#{name} a").click()
    expect(page.locator("[name=besideLoop]")).to_have_value(name)
    expect(page.locator("#loop-says")).to_have_text(LOOPS[name].says)
    page.get_by_role("button", name="Start", exact=True).click()
    if name in EXPLODING:
        resting(page, "right loop: finished, with the mistake: the loss is no longer a number")
        return
    resting(page, "step 2,000 of 2,000 · both finished", 10 * SECONDS)
    expect(page.locator(".legend-table tbody th")).to_have_text(["right loop", "with the mistake"])
    right, wrong = page.locator(".legend-table td.of-smoothed").all_text_contents()
    assert f": {wrong} against {right}, means over about the last hundred steps." in says(page)
    assert ("lower" in says(page)) <= (number(wrong) < number(right))
    assert ("higher" in says(page)) <= (number(wrong) > number(right))


def agreement(page: Page) -> tuple[float, int]:
    """How far the losses are apart, and at how many steps that was looked at."""
    found = re.match(r"The losses agree to (\S+) relative: the largest difference of ([\d,]+) steps", says(page))
    if found is None:
        assert "digit for digit" in says(page)
        return 0.0, int(re.sub(r"\D", "", says(page)))
    return number(found[1]), int(found[2].replace(",", ""))


def says(page: Page) -> str:
    return str(page.locator("#pair-says").text_content())


def mistaken_run(walker: Walker) -> None:
    """The sign of db2 flipped: the loss is higher by as much as the two means say."""
    page = walker.page
    pick(page, "beside", "mistake")
    line, kind, told = (page.locator(f"#beside-{part}") for part in ("line", "kind", "says"))
    expect(told.locator("> code")).to_be_visible(timeout=SECONDS)  # a run can begin at once
    expect(page).to_have_url(re.compile(r"beside=\d+\.[a-z-]+$"))
    line.select_option(line.locator("option", has_text="db2 = dlogits.sum(0)").get_attribute("value"))
    expect(told.locator("> code")).to_contain_text("db2 = ")
    assert findings(walker) == []
    kind.select_option("sign")
    expect(told).to_have_text("db2 = -dlogits.sum(0)Nothing here changes the sign.")
    expect(told).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Start", exact=True).click()
    resting(page, "of 200 · both finished")
    expect(page.locator(".legend-table tbody th")).to_have_text(["right gradients", "with the mistake"])
    found = re.search(r"the loss with the mistake is (\S+) higher: (\S+) against (\S+), means over", says(page))
    assert found is not None
    more, wrong, right = (float(one) for one in found.groups())
    assert wrong - right == pytest.approx(more, rel=0.05)
    assert more > 0.1
    expect(page).to_have_url(re.compile(r"beside=\d+\.sign"))
    expect(line).to_be_disabled()
    page.reload()  # a run that is gone on with tells of its mistake, too
    expect(told).to_have_text("db2 = -dlogits.sum(0)Nothing here changes the sign.")


def _refuse_and_make_room(page: Page, server: Server) -> None:
    body = {"walk": {"lesson": "first-steps"}, "paused": True}
    others: list[str] = []
    while len(others) <= MOST and (begun := server.post("/api/training", body)).status == 201:
        others.append(begun.json()["id"])
    assert begun.status == 429
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#problem h1")).to_contain_text(begun.error["message"])
    for one in others:
        assert server.ask("DELETE", f"/api/training/{one}").status == 204
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#problem")).to_be_hidden()
