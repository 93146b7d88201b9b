"""Practise: a learner writes every gradient, errs, reads what is wrong, asks for hints and mends it; takes it along."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenWalker, Walker, intercept
from tests.browser.links import DRAWN
from tests.browser.links import link as packed
from tests.support.looking import SMALLEST, findings
from tests.tools.server import Server

# As people write them: where these err, the true line is the walk's own.
MISTAKES = {
    "counts": "dcounts = counts_sum_inv * dprobs",
    "W2": "dW2 = dlogits.T @ h",
    "bnbias": "dbnbias = dhpreact",
    "bnmeani": "dbnmeani = dbndiff.sum(0, keepdim=True)",
    "emb": "demb = dembcat",
}
CLOSED = {
    "dlogits": "dlogits = (probs - F.one_hot(Yb, 27)) / n",
    "dhprebn": "dhprebn = bngain*bnvar_inv/n * (n*dhpreact - dhpreact.sum(0) - n/(n-1)*bnraw*(dhpreact*bnraw).sum(0))",
}

PROGRAM = {
    "source": "h = torch.relu(x @ W1)\nlogits = h @ W2\nloss = F.cross_entropy(logits, y)",
    "tensors": {
        "x": DRAWN | {"role": "data", "shape": [4, 3]},
        "W1": DRAWN | {"shape": [3, 5]},
        "W2": DRAWN | {"shape": [5, 4]},
        "y": {"role": "target", "values": [0, 2, 1, 3]},
    },
}


class Exercise:
    """The page as a learner uses it."""

    def __init__(self, walker: Walker) -> None:
        self.walker, self.page = walker, walker.page

    def open(self, path: str = "/practise") -> "Exercise":
        self.page.goto(self.walker.base + path)
        self.ready()
        return self

    def ready(self) -> None:
        expect(self.page.locator("#practise")).to_have_attribute("aria-busy", "false")
        expect(self.page.locator(".blank").first).to_be_visible()

    def blank(self, key: str) -> Locator:
        return self.page.locator(f".blank[data-task='{key}']")

    def state(self, key: str, state: str) -> None:
        expect(self.blank(key)).to_have_attribute("data-state", state)

    def write(self, text: str) -> None:
        """Into the field that has the focus, in the place of what is there; then Enter."""
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("Enter")

    def focused(self, key: str) -> None:
        expect(self.blank(key).locator("textarea")).to_be_focused()


def printed_lines(walker: Walker, lesson: str) -> dict[str, str]:
    """The walk's own lines of each gradient, in backward order."""
    reply = walker.page.request.post(f"{walker.base}/api/walk", data={"lesson": lesson})
    lines: dict[str, str] = {}
    for step in reply.json()["steps"]:
        if step["direction"] == "backward" and step["through"]:
            before = lines.pop(step["node"], None)  # a gradient is complete where its last path arrives
            lines[step["node"]] = step["code"] if before is None else f"{before}\n{step['code']}"
    return lines


def test_the_whole_makemore_exercise_by_keyboard_alone(walkers: OpenWalker) -> None:
    """In backward order, with a mistake in every fifth blank; then both closed forms."""
    walker = walkers()
    exercise, page = Exercise(walker).open(), walker.page
    lines = printed_lines(walker, "makemore-mlp")
    assert len(lines) == 26
    assert [name for number, name in enumerate(lines) if number % 5 == 4] == list(MISTAKES)
    while page.evaluate("document.activeElement.tagName") != "TEXTAREA":
        page.keyboard.press("Tab")
    for number, (name, code) in enumerate(lines.items()):
        exercise.focused(f"d{name}")
        expect(page.locator("#program .via .lit").first).to_have_text(name)
        if name in MISTAKES:
            err_and_mend(exercise, name, code)
        elif name == "probs":
            complete(page)
        else:
            exercise.write(code)
        exercise.state(f"d{name}", "right")
        expect(page.locator("#count")).to_have_text(f"{number + 1} of 26 gradients written")
    expect(exercise.blank("dlogit_maxes").locator(".blank-zero")).to_contain_text("zero")
    for name, code in CLOSED.items():
        exercise.focused(f"{name} in closed form")
        exercise.write(lines[name[1:]])  # the small steps are no closed form
        exercise.state(f"{name} in closed form", "not")
        expect(page.locator(".blank.current .says")).to_contain_text("leaps over")
        exercise.write(code)
        exercise.state(f"{name} in closed form", "right")
    summary_tells(page)


def complete(page: Page) -> None:
    """With names from the list of what is in scope."""
    page.keyboard.type("dlog")
    names = page.get_by_role("listbox", name="Names in scope").get_by_role("option")
    expect(names).to_have_text([re.compile(r"^dlogprobs\(32, 27\)$")])
    page.keyboard.press("ArrowDown")
    expect(names).to_have_attribute("aria-selected", "true")
    field = page.locator(".blank.current textarea")
    option = names.get_attribute("id")
    expect(field).to_have_attribute("aria-activedescendant", str(option))
    page.keyboard.press("Enter")
    expect(field).to_have_value("dprobs = dlogprobs")
    page.keyboard.type(" / pro")
    page.keyboard.press("Control+ ")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(field).to_have_value("dprobs = dlogprobs / probs")
    page.keyboard.press("Control+z")
    expect(field).to_have_value("dprobs = dlogprobs / pro")
    page.keyboard.press("Control+Shift+z")
    expect(field).to_have_value("dprobs = dlogprobs / probs")
    page.keyboard.press("Enter")


def err_and_mend(exercise: Exercise, name: str, code: str) -> None:
    """A wrong line, what is said of it, two hints, and the line that is right."""
    page, blank = exercise.page, exercise.blank(f"d{name}")
    exercise.write(MISTAKES[name])
    exercise.state(f"d{name}", "not")
    exercise.focused(f"d{name}")
    expect(blank.locator(".mistake")).to_have_text(MISTAKES[name].split(" = ")[1])
    said = blank.locator(".says").text_content() or ""
    assert len(said.split()) > 2
    expect(page.locator("#announcer")).to_contain_text(f"d{name} is not right yet. ")
    maps = blank.locator(".comparison canvas")
    same_shape = name not in ("bnbias", "W2", "emb")
    expect(maps).to_have_count(3 if same_shape else 2)
    if same_shape:
        expect(blank.locator(".worst")).to_contain_text("true")
    for asked, grade in enumerate(("the rule", "axis and shape")):
        page.keyboard.press("Tab")
        if not asked:
            page.keyboard.press("Tab")
        hint = page.get_by_role("button", name=f"Hint: {grade}")
        expect(hint).to_be_focused()
        page.keyboard.press("Enter")
        expect(blank.locator(".hints li")).to_have_count(asked + 1)
        expect(page.get_by_role("button", name="Hint:")).to_be_focused()
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    exercise.focused(f"d{name}")
    exercise.write(code)


def summary_tells(page: Page) -> None:
    """What a teacher reads of it."""
    page.get_by_role("button", name="Summary").click()
    totals = page.locator(".totals dd")
    expect(page.locator(".kinds")).to_contain_text("path missing 1×, transposed 1×, sum missing 1×, sign 1×")
    expect(totals).to_have_text(["21 of 28", "2 of 28", "5 of 28", "0 of 28", "0 of 28"])
    row = page.locator(".summary tbody tr", has_text="dcounts")
    expect(row.filter(has_text="right after 2 hints")).to_have_count(1)
    assert page.locator(".summary tbody tr").count() == 28
    expect(page.locator(".summary")).to_contain_text("26 gradients and 2 closed forms")
    page.keyboard.press("Escape")


def test_what_is_typed_before_a_field_is_chosen_is_written_into_the_open_blank(walkers: OpenWalker) -> None:
    walker = walkers()
    Exercise(walker).open()
    walker.page.keyboard.type("pbt")  # three of the page's keys
    field = walker.page.locator(".blank.current textarea")
    expect(field).to_be_focused()
    expect(field).to_have_value(re.compile(r" = pbt$"))
    assert walker.ask("document.body.classList.contains('projector')") is False


def test_an_exercise_by_link_and_its_answers_as_a_file(walkers: OpenWalker, tmp_path: Path) -> None:
    """A program of one's own in another browser, without the answers; these come along in a file."""
    walker = walkers(permissions=["clipboard-read", "clipboard-write"])
    exercise, page = Exercise(walker).open("/practise/first-steps"), walker.page
    page.locator("#subject").select_option(label="Variational autoencoder")
    expect(page).to_have_url(re.compile(r"/practise/variational$"))
    exercise.ready()
    exercise.open(packed(PROGRAM, 1).replace("/code?step=1", "/practise"))
    expect(page.locator("#program")).to_contain_text("F.cross_entropy")
    assert findings(walker, but=()) == []

    # hint after hint, and in the end the line itself, which counts as shown
    exercise.blank("dlogits").locator("textarea").click()
    for asked in range(3):
        page.locator("[data-act=hint]:visible").click()
        expect(page.locator(".hints li")).to_have_count(asked + 1)
    page.locator("[data-act=show]:visible").click()
    exercise.state("dlogits", "shown")
    exercise.blank("dh").locator("textarea").click()
    exercise.write("dh = dlogits @ (W2")
    expect(exercise.blank("dh").locator(".mistake")).to_have_count(1)
    assert findings(walker, but=()) == []

    # what was written outlives the page
    page.reload()
    exercise.ready()
    expect(exercise.blank("dh").locator("textarea")).to_have_value("dh = dlogits @ (W2")
    exercise.state("dlogits", "shown")

    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".notice")).to_contain_text("without your answers")
    link = str(page.evaluate("navigator.clipboard.readText()"))
    page.get_by_role("button", name="Answers").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert json.loads(file.read_text())["attempts"]["dh"]["mistakes"] == ["syntax"]

    other = Exercise(walkers(390, 844))
    other.open(link.removeprefix(walker.base))
    expect(other.page.locator("#program")).to_contain_text("F.cross_entropy")
    expect(other.page.locator("#count")).to_contain_text("0 of ")
    assert "".join(other.page.locator("textarea").evaluate_all("all => all.map((one) => one.value)")) == ""
    assert findings(other.walker, but=()) == []
    bring(other, file)
    other.state("dlogits", "shown")
    expect(other.blank("dh").locator("textarea")).to_have_value("dh = dlogits @ (W2")
    other.page.locator(".notice").get_by_role("button", name="Undo").click()
    other.state("dlogits", "open")
    file.write_text(file.read_text().replace('"id": "', '"id": "other'))
    bring(other, file)
    expect(other.page.locator(".notice")).to_contain_text("another exercise")
    assert other.page.evaluate("document.documentElement.scrollWidth") <= 390

    # from Your code it is one button
    page.goto(walker.base + link.removeprefix(walker.base).replace("/practise", "/code").replace("?at=dh", ""))
    page.get_by_role("button", name="Practise").click()
    exercise.ready()
    expect(exercise.blank("dh").locator("textarea")).to_have_value("dh = dlogits @ (W2")


def bring(exercise: Exercise, file: Path) -> None:
    exercise.page.get_by_role("button", name="Answers").click()
    with exercise.page.expect_file_chooser() as chooser:
        exercise.page.get_by_role("button", name="Import").click()
    chooser.value.set_files(file)


def test_a_server_that_does_not_answer_loses_nothing(walkers: OpenWalker) -> None:
    """Neither at the start nor at a check; a check that takes long can be cancelled."""
    walker = walkers(1280, 720)
    page, exercise = walker.page, Exercise(walker)
    page.goto(f"{walker.base}/practise#p=AAAA")
    expect(page.get_by_role("alert")).to_contain_text("cut off on its way")
    intercept(page, "**/api/practice/tasks", lambda route: route.abort())
    page.goto(f"{walker.base}/practise/makemore-mlp?at=dprobs")
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer.")
    page.unroute("**/api/practice/tasks")
    page.get_by_role("button", name="Try again").click()
    exercise.ready()

    # out of order: the gradient that the link opens
    exercise.blank("dprobs").locator("textarea").click()
    intercept(page, "**/api/practice/check", lambda route: route.abort())
    exercise.write("dprobs = dlogprobs / probs")
    expect(page.locator(".blank.current .says")).to_contain_text("The server does not answer.")
    page.unroute("**/api/practice/check")
    held = []
    intercept(page, "**/api/practice/check", lambda route: held.append(route))
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Check")).to_be_visible()
    page.unroute("**/api/practice/check")
    page.get_by_role("button", name="Check").click()
    exercise.state("dprobs", "right")
    link = exercise.blank("dcounts_sum_inv").get_by_role("link", name="this step in the walk")
    expect(link).to_have_attribute("href", "/walk/makemore-mlp?step=25&write=1")
    walker.complaints.clear()

    # on the projector one gradient is there, and large
    page.locator("#projector").click()
    expect(page.locator(".blank:visible")).to_have_count(1)
    assert walker.ask(SMALLEST) >= 28
    page.keyboard.press("PageUp")
    expect(page.locator(".blank:visible .blank-name")).to_have_text("dprobs")


def test_wrong_gradients_of_earlier_lines_are_taken_along_on_request(walker: Walker) -> None:
    """Taken as correct otherwise: one mistake does not follow into the next line."""
    exercise = Exercise(walker).open("/practise/makemore-mlp")
    exercise.blank("dprobs").locator("textarea").click()
    exercise.write("dprobs = -dlogprobs / probs")
    exercise.state("dprobs", "not")
    line = "dcounts_sum_inv = (counts * dprobs).sum(1, keepdim=True)"
    exercise.blank("dcounts_sum_inv").locator("textarea").click()
    exercise.write(line)
    exercise.state("dcounts_sum_inv", "right")
    walker.page.locator("#cascade").check()
    exercise.blank("dcounts_sum_inv").locator("textarea").click()
    exercise.write(line)
    exercise.state("dcounts_sum_inv", "not")


def test_a_wrong_line_goes_downhill_beside_the_right_ones_and_a_closed_form_has_hints(
    walker: Walker, server: Server
) -> None:
    exercise, page = Exercise(walker).open("/practise/classifier"), walker.page
    answer = "dW2 = -h.T @ dlogits"
    blank = exercise.blank("dW2")
    blank.locator(".blank-head").click()
    exercise.write("dW2 = h.T")
    exercise.state("dW2", "not")
    expect(blank.get_by_role("button", name="Ten steps downhill")).to_have_count(0)  # it has another shape
    exercise.write(answer)
    blank.get_by_role("button", name="Ten steps downhill").press("Enter")
    dialog = page.get_by_role("dialog", name="Ten steps downhill")
    words = dialog.locator(".cost-words")
    step = next(
        one["steps"][-1]
        for one in server.post("/api/practice/tasks", {"walk": {"lesson": "classifier"}}).json()["tasks"]
        if one["name"] == "dW2"
    )
    asked = {"walk": {"lesson": "classifier", "plant": {"step": step, "code": answer}}, "rates": [0.1], "path": 10}
    path = server.post("/api/descent", asked).json()["paths"][0]
    assert path["losses"][-1] > path["right"][-1], "the wrong sign goes uphill"
    expect(words).to_have_text(
        f"In 10 steps at learning rate 0.1, loss goes from {path['right'][0]:.4g} to {path['losses'][-1]:.4g} "
        f"with the mistake, to {path['right'][-1]:.4g} without."
    )
    expect(dialog.locator(".cost-wrong")).to_have_attribute("d", re.compile("^M"))
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(exercise.blank("dW2").get_by_role("button", name="Ten steps downhill")).to_be_focused()
    # a closed form has hints of its own, and its line is shown after the last of them
    exercise.open("/practise/softmax?at=dlogits+in+closed+form")
    closed = exercise.blank("dlogits in closed form")
    for number, name in enumerate(("Hint: the rule", "Hint: axis and shape", "Hint: the line"), start=1):
        closed.get_by_role("button", name=name).click()
        expect(closed.locator(".hints li")).to_have_count(number)
    closed.get_by_role("button", name="Show me").click()
    exercise.state("dlogits in closed form", "shown")
    expect(closed.locator("textarea")).to_have_value("dlogits = (probs - F.one_hot(y, 3)) / n")


@pytest.mark.exhaustive
def test_a_tablet_has_its_tools_in_one_row(walkers: OpenWalker) -> None:
    walker = walkers(768, 1024)
    Exercise(walker).open("/practise/makemore-mlp")
    expect(walker.page.locator(".so-far")).to_have_text("0 of 26 gradients written")
    heights = walker.ask("[...document.querySelectorAll('.toolbar, .toolbar .button')].map((one) => one.offsetHeight)")
    assert heights[0] < 2 * min(heights[1:])


def test_the_exercise_leaves_as_a_notebook_for_a_course(walker: Walker) -> None:
    """A program of one's own, too; the drills' menu offers none."""
    page = Exercise(walker).open(packed(PROGRAM, 1).replace("/code?step=1", "/practise")).page
    for course in ("nbgrader", "otter"):
        page.get_by_role("button", name="Answers").click()
        with page.expect_download() as coming:
            page.locator(f"[data-do={course}]").click()
        assert coming.value.suggested_filename == f"gradwalk_{course}.ipynb"
        cells = json.loads(Path(coming.value.path()).read_text())["cells"]
        assert 'answers.check("dW2")' in "".join(line for cell in cells for line in cell["source"])
        expect(page.locator("body")).to_contain_text(f"gradwalk_{course}.ipynb is in your downloads.")
    page.goto(f"{walker.base}/practise/drills")
    page.get_by_role("button", name="Answers").click()
    expect(page.locator("[data-do=nbgrader]")).to_have_count(0)
