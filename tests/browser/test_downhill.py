"""Downhill inside the walk: a run of training goes on from its numbers, and is seen step by step in its pictures."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import MOVING, READY, SECONDS, OpenWalker, Walker, until
from tests.browser.links import link
from tests.support.looking import findings
from tests.tools.server import Server

LAST = 51
PIXELS = "[...document.querySelectorAll('#picture canvas')].map((one) => one.toDataURL()).join()"


def run_of(walker: Walker) -> str:
    expect(walker.page).to_have_url(re.compile(r"run=[\w-]+"))
    return re.findall(r"run=([\w-]+)", walker.page.url)[0]


def loss_on_own_examples(server: Server, run: str) -> float:
    """Of the lesson's own minibatch, with the weights that the run has by now."""
    told = server.get(f"/api/training/{run}/walk?now=true").json()["walk"]
    own = server.post("/api/program", {"walk": {"lesson": "makemore-mlp"}}).json()["request"]["tensors"]
    told["tensors"] |= {name: own[name] for name in ("Xb", "Yb")}
    return float(server.post("/api/walk", told).json()["loss"]["value"])


def stepped(walker: Walker, taken: str) -> None:
    expect(walker.page.locator(".run-stand")).to_have_text(taken, timeout=SECONDS)


def test_play_at_the_end_takes_a_step_and_the_pictures_follow(walker: Walker, server: Server) -> None:
    walker.open(f"/walk/makemore-mlp?step={LAST}")
    walker.press("Space")
    stepped(walker, "after 1 step")
    expect(walker.page).to_have_url(re.compile(r"step=31&run=[\w-]+"))
    assert walker.title == "dlogits"
    losses = walker.page.locator(".run-losses")
    expect(losses).to_contain_text(f"these examples 3.340 → {loss_on_own_examples(server, run_of(walker)):.3f}")
    after_one = walker.ask(PIXELS)
    walker.page.get_by_role("button", name="Ten", exact=True).click()
    stepped(walker, "after 11 steps")
    expect(losses).to_contain_text(f"→ {loss_on_own_examples(server, run_of(walker)):.3f}")
    until(walker.page, f"(before) => ({PIXELS}) !== before", after_one)
    # what was said of the walk's own numbers is not said of these
    expect(walker.page.locator("#reason")).to_be_hidden()
    expect(walker.page.locator("#heading .badge-dot")).to_be_hidden()
    # steps of the walk are looked at with the weights of the run
    walker.press("ArrowRight", "ArrowRight")
    stepped(walker, "after 11 steps")
    assert findings(walker) == []


# In which frame each comes: what takes long has one to itself.
IN_FRAMES = """() => {
  let frame = 0;
  const came = (window.came = {});
  const tick = () => ((frame += 1), requestAnimationFrame(tick));
  const comes = {
    strip: () => !document.getElementById("run-strip").hidden,
    step: () => document.getElementById("step-title").textContent.includes("dlogits"),
    picture: () => document.querySelector("#picture .tug-board"),
  };
  const look = () => Object.entries(comes).forEach(([name, has]) => has() && (came[name] ??= frame));
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  tick();
}"""


def test_the_strip_the_step_and_its_picture_have_a_frame_each(walker: Walker) -> None:
    walker.open(f"/walk/makemore-mlp?step={LAST}")
    walker.ask(f"({IN_FRAMES})()")
    walker.page.get_by_role("button", name="Go on downhill").click()
    until(walker.page, "() => 'picture' in window.came")
    came = walker.ask("window.came")
    assert came["strip"] < came["step"] < came["picture"], came


def test_closed_the_walk_is_as_it_was(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=31").there()
    before = walker.ask(PIXELS)
    walker.open("/walk/makemore-mlp?step=31&run=")
    stepped(walker, "before the first step")
    walker.press("Space")
    stepped(walker, "after 1 step")
    until(walker.page, f"(before) => ({PIXELS}) !== before", before)
    walker.page.get_by_role("button", name="Close the run").click()
    expect(walker.page.locator("#run-strip")).to_be_hidden()
    until(walker.page, f"(before) => ({PIXELS}) === before", before)
    expect(walker.page).to_have_url(re.compile(r"step=31$"))
    expect(walker.page.locator("#reason")).to_be_visible()


def test_any_step_is_walked_line_by_line_and_back_goes_on(walker: Walker, server: Server) -> None:
    walker.open("/walk/makemore-mlp?step=31&run=")
    walker.page.get_by_role("button", name="Ten", exact=True).click()
    stepped(walker, "after 10 steps")
    run = run_of(walker)
    walker.page.get_by_role("button", name="Line by line").click()
    expect(walker.page).to_have_title("makemore MLP · training step 10 · gradwalk", timeout=SECONDS)
    walker.page.wait_for_selector(READY, timeout=SECONDS)
    # the same example, the numbers of the run, and the lesson goes on being told
    expect(walker.page.locator("#story")).to_contain_text("zde → n")
    expect(walker.page.locator("#story")).to_contain_text(f"the loss is {loss_on_own_examples(server, run):.2f}")
    walker.page.get_by_role("link", name="Back to the run").click()
    stepped(walker, "after 10 steps")
    assert run_of(walker) == run


def test_it_is_the_run_of_the_page_that_trains(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=31&run=")
    walker.page.get_by_role("button", name="Ten", exact=True).click()
    stepped(walker, "after 10 steps")
    expect(walker.page.locator("#run-strip")).to_contain_text("made up after 10 steps")
    names = walker.texts(".run-made li")
    assert names
    walker.page.get_by_role("link", name="Open in Train").click()
    expect(walker.page.locator("#stand")).to_contain_text("step 10 of", timeout=SECONDS)
    shown = """(names) => ["#names li", "#early-names dd"].some((where) => {
      const texts = [...document.querySelectorAll(where)].map((one) => one.textContent.trim());
      return texts.join(" ").split(/\\s+/).join().startsWith(names.join());
    })"""
    until(walker.page, shown, names)


@pytest.mark.exhaustive
def test_the_names_are_those_of_the_step_at_which_it_rests(walker: Walker) -> None:
    walker.open("/walk/makemore-mlp?step=31&run=")
    for taken in ("after 1 step", "after 2 steps", "after 3 steps"):
        walker.page.get_by_role("button", name="One step", exact=True).click()
        stepped(walker, taken)
        expect(walker.page.locator("#run-strip")).to_contain_text(f"made up {taken}")


@pytest.mark.exhaustive
def test_slow_motion_and_a_thousand_steps_and_a_pause(walkers: OpenWalker) -> None:
    walker = walkers(**MOVING).open(f"/walk/makemore-mlp?step={LAST}")
    walker.page.get_by_role("button", name="Go on downhill").click()
    stepped(walker, "after 2 steps")  # one follows the other
    walker.page.locator(".run-pace select").select_option("a thousand")
    stepped(walker, "after 1,000 steps")
    expect(walker.page.locator("#run-strip")).to_contain_text("made up after 1,000 steps")
    expect(walker.page.get_by_role("button", name="Go on")).to_be_visible()
    walker.page.get_by_role("button", name="Go on").click()
    walker.page.get_by_role("button", name="Pause").click()
    expect(walker.page.get_by_role("button", name="Go on")).to_be_visible()


@pytest.mark.exhaustive
def test_a_program_s_own_tensors_go_where_the_ending_said(walker: Walker, server: Server) -> None:
    """Of a program that is trained on what it is walked with, the run's first step is the ending's own."""
    walker.open("/walk/classifier")
    told: Any = server.post("/api/descent", {"walk": {"lesson": "classifier"}, "rates": [0.1]}).json()
    walker.press("End").press("Space")
    stepped(walker, "after 1 step")
    expect(walker.page.locator(".run-losses")).to_contain_text(f"→ {told['steps'][0]['loss']:.3f}")
    expect(walker.page.locator(".run-names")).to_be_hidden()


@pytest.mark.exhaustive
def test_of_a_network_too_large_to_be_sent_back_the_curve_goes_on_alone(walker: Walker) -> None:
    drawn = {"init": "randn", "scale": 0.05}
    tensors = {
        "x": {"role": "data", "shape": [8, 256], "init": "randn", "seed": 1},
        "W": {"role": "parameter", "shape": [256, 256], "seed": 2} | drawn,
        "v": {"role": "parameter", "shape": [256], "seed": 3} | drawn,
    }
    walker.open(link({"source": "h = torch.tanh(x @ W)\nloss = ((h @ v - 1)**2).mean()", "tensors": tensors}, 1))
    walker.press("End")
    expect(walker.page.get_by_role("button", name="Go on downhill")).to_be_visible()
    walker.press("Space")
    stepped(walker, "after 1 step")
    expect(walker.page.locator(".notice")).to_contain_text("too many numbers to be drawn anew")
    losses = walker.page.locator(".run-losses")
    expect(losses).to_have_text(re.compile(r"^loss [\d.]+\s*$"))  # nothing that isn't known of its examples
    before = losses.text_content()
    walker.page.get_by_role("button", name="Ten", exact=True).click()
    stepped(walker, "after 11 steps")
    expect(losses).not_to_have_text(str(before))
    expect(walker.page.get_by_role("button", name="Line by line")).to_be_hidden()


@pytest.mark.exhaustive
def test_a_run_that_is_gone_or_another_network_s_is_told(walker: Walker, server: Server) -> None:
    walker.open("/walk/makemore-mlp?step=31&run=no-such-run")
    expect(walker.page.locator(".notice")).to_contain_text("That run has ended.", timeout=SECONDS)
    stepped(walker, "before the first step")
    expect(walker.page).to_have_url(re.compile("run=$"))
    assert all("404" in said for said in walker.complaints)
    walker.complaints.clear()  # they are Chromium's own
    other = server.post("/api/training", {"walk": {"lesson": "classifier"}, "steps": 5, "paused": True}).json()["id"]
    walker.open(f"/walk/makemore-mlp?step=31&run={other}")
    expect(walker.page.locator(".notice")).to_contain_text("another network", timeout=SECONDS)
    walker.press("Space")
    stepped(walker, "after 1 step")
    expect(walker.page).not_to_have_url(re.compile(f"run={other}"))
    assert server.ask("DELETE", f"/api/training/{other}").status == 204


@pytest.mark.exhaustive
def test_with_a_mistake_in_it_nothing_goes_on_from_the_walk(walker: Walker) -> None:
    walker.open(f"/walk/makemore-mlp?step={LAST}&plant=33.missing-upstream")
    expect(walker.page.get_by_role("button", name="Go on downhill")).to_have_count(0)
    walker.press("Space")
    expect(walker.page.locator("#count")).to_contain_text("1 / 51")
    walker.press("Space")


# What of the run lies under the way out of the projector, and how wide its curve is.
UNDER = """() => {
  const leave = document.querySelector('.leave').getBoundingClientRect();
  const words = [...document.querySelectorAll('.run-strip :is(.run-made, button, canvas, .run-stand)')];
  const under = words.map((one) => [one, one.getBoundingClientRect()]).filter(([, box]) =>
    box.width && box.right > leave.left && box.left < leave.right && box.top < leave.bottom && box.bottom > leave.top);
  return { under: under.map(([one]) => one.textContent), curve: document.querySelector('.run-curve').clientWidth };
}"""


@pytest.mark.exhaustive
def test_a_hall_sees_the_curve_and_the_names_beside_the_way_out(walkers: OpenWalker) -> None:
    walker = walkers(1280, 720).open(f"/walk/makemore-mlp?p=1&step={LAST}")
    walker.press("Space")
    expect(walker.page.locator(".run-made li").first).to_be_visible(timeout=SECONDS)
    stepped(walker, "after 1 step")
    told = walker.ask(UNDER)
    assert told["under"] == []
    assert told["curve"] >= 300
    assert walker.ask("document.documentElement.scrollHeight <= innerHeight")
