"""A step of a training run as a walk: the lesson goes on being told, from a link that needs neither run nor tab."""

import json
import re
import string

from playwright.sync_api import Page, expect

from tests.browser.conftest import READY, SECONDS, OpenWalker, Walker
from tests.tools.server import Server

LETTERS = "." + string.ascii_lowercase
LINK = re.compile(r"/walk/makemore-mlp(\?step=1&from=[^#]+)?#w=")
BODIES = "(window.bodies = [], window.fetch = new Proxy(window.fetch, { apply: (fetch, self, given) => { "
SENT = (
    f"{BODIES}window.bodies.push([String(given[0]), given[1]?.body]); return Reflect.apply(fetch, self, given); }} }}))"
)


def trained(walker: Walker) -> Page:
    """A run of a few steps, of which the one in the middle is walked."""
    page = walker.page
    page.goto(f"{walker.base}/train/makemore-mlp?steps=60&hidden=16&batch=8")
    page.locator("#run-to-step").fill("30")
    page.keyboard.press("Enter")
    expect(page.locator("#stand")).to_contain_text("step 30 of 60 · paused", timeout=SECONDS)
    page.locator("#look-at").fill("20")
    page.keyboard.press("Enter")
    expect(page).to_have_url(LINK, timeout=SECONDS)
    page.wait_for_selector(READY, timeout=SECONDS)
    return page


def run_behind(page: Page) -> str:
    """The id of the run that the way back leads to."""
    back = str(page.get_by_role("link", name="Back to the run").get_attribute("href"))
    return str(re.findall(r"run=([\w-]+)", back)[0])


def test_a_walked_step_is_the_lesson_with_other_numbers(walker: Walker, server: Server) -> None:
    page = trained(walker)
    run = run_behind(page)
    told = server.get(f"/api/training/{run}/walk?step=20").json()["walk"]["tensors"]
    expect(page).to_have_title("makemore MLP · training step 20 · gradwalk")
    expect(page.locator(".trained-step")).to_have_text("training step 20")
    # its seed is no longer of use; a name is written among its examples, and its numbers stay
    expect(page.locator("#seed-form")).to_contain_text("name")
    expect(page.locator("#reseed")).to_be_hidden()
    assert page.locator(".top").get_by_role("link", name="Back").count() == 1
    assert page.locator(".top").get_by_role("button", name="Back").count() == 0
    expect(page.locator("#story")).to_contain_text("learns to continue names: 3 letters in")
    first, target = told["Xb"]["values"][0], told["Yb"]["values"][0]
    expect(page.locator("#picture")).to_contain_text(f"{''.join(LETTERS[i] for i in first)} → {LETTERS[target]}")
    expect(page.locator("#picture")).not_to_contain_text("whole numbers")
    # numbers changed by hand change those of the step, and Back goes through the walk to the run
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(r"step=\d\d.*#w="))
    page.go_back()
    expect(page).to_have_url(LINK)
    page.go_back()
    expect(page.locator("#stand")).to_contain_text("step 30 of 60 · paused", timeout=SECONDS)
    page.get_by_role("button", name="New run").click()


def test_a_name_is_written_among_the_examples_of_a_trained_step(walker: Walker, server: Server) -> None:
    page = trained(walker)
    told = server.get(f"/api/training/{run_behind(page)}/walk?step=20").json()["walk"]
    field = page.get_by_label("name", exact=True)
    field.fill("anna")
    field.press("Enter")
    expect(page.locator("#picture")).to_contain_text(re.compile(r"ann → a|nna → \."), timeout=SECONDS)
    expect(page).to_have_url(re.compile(r"word=anna.*#w="))
    own = server.post("/api/walk", told | {"word": "anna"}).json()
    plain = server.post("/api/walk", told).json()
    assert own["loss"]["value"] != plain["loss"]["value"]
    expect(page.locator("#story")).to_contain_text(f"the loss is {own['loss']['value']:.2f}")
    field.fill("7")
    field.press("Enter")
    expect(page.locator("#seed-says")).to_contain_text("Write a name")


def test_the_link_is_all_that_is_needed(walker: Walker, walkers: OpenWalker, server: Server) -> None:
    """Opened elsewhere after the run has ended; and as a copy to be changed."""
    page = trained(walker)
    run = run_behind(page)
    expect(page).to_have_url(re.compile(r"/walk/makemore-mlp#w="))  # the way back is this tab's own
    link, loss = page.url, page.locator("#story").text_content()
    step = server.get(f"/api/training/{run}/walk?step=20").json()["walk"]
    assert server.ask("DELETE", f"/api/training/{run}").status == 204
    other = walkers().page
    other.add_init_script(SENT)
    other.goto(link)
    other.wait_for_selector(READY, timeout=SECONDS)
    assert other.locator("#story").text_content() == loss
    expect(other.get_by_role("link", name="Back to the run")).to_have_count(0)
    asked = [json.loads(body) for url, body in other.evaluate("window.bodies") if url == "/api/walk"]
    assert {name: tensor["values"] for name, tensor in asked[0]["tensors"].items()} == {
        name: tensor["values"] for name, tensor in step["tensors"].items()
    }
    other.get_by_role("link", name="edit a copy").click()
    expect(other.locator("#source")).to_have_value(re.compile("emb = C"), timeout=SECONDS)
    other.get_by_role("button", name="Walk it").click()
    other.wait_for_selector(READY, timeout=SECONDS)
    # a program of one's own has no names to write, and who comes from a run has seen the header
    header = "predict, write it, rounding?"
    spaced = [re.sub(r"\s+", " ", str(text)) for text in (other.locator("#story").text_content(), loss)]
    # how many rows of the picture are named is a matter of the room that is left for it
    told, known = [re.sub(r"(every \w+ )?↓.*?(?=A small network)", "", text) for text in spaced]
    assert told.startswith(known.split("Write a name of your own.")[0] + header)
    assert told.endswith(known.split("Write a name of your own.")[1])


def test_a_link_that_was_cut_says_so(walker: Walker) -> None:
    page = walker.page
    page.goto(f"{walker.base}/walk/makemore-mlp#w=hL3brq3ZdZ")
    expect(page.locator("#problem")).to_contain_text("This link was cut off on its way", timeout=SECONDS)
