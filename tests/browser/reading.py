"""A chapter as a reader goes through it: every figure drawn, every question answered, every number dragged."""

import html
import re
from functools import cache

from playwright.sync_api import Locator, expect

from backend.course.numbers import number_of
from backend.course.own_engine.text import piece_of
from backend.course.page import Page as Chapter
from backend.course.page import find_chapter
from tests.browser.conftest import Walker
from tests.support.looking import number
from tests.tools.server import Server

SECONDS = 60_000
# What each kind of question is answered with that is never right.
WRONG = {"number": "123456", "shape": "(97, 89)", "expression": "0", "blank": "0"}
# The parts of the column that reach beyond it, or the page beyond the window.
OVERFLOW = """() => {
  const column = document.querySelector('#reading').getBoundingClientRect();
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const beyond = [...document.querySelectorAll('#reading *')].filter((one) => {
    const box = one.getBoundingClientRect();
    const cut = one.closest('.unseen, .fallback, .offered, .over, .graph, .terms, .field, svg');
    return box.width && one.checkVisibility() && !cut && getComputedStyle(one).position !== 'absolute'
      && box.right > column.right + 1.5;
  });
  const scrolls = (one, way, size) => /auto|scroll/.test(getComputedStyle(one)[`overflow${way}`])
    && one[`scroll${size}`] > one[`client${size}`] + 1;
  const bars = [...document.querySelectorAll('#reading *')].filter((one) =>
    one.checkVisibility() && !one.closest('.unseen') && (scrolls(one, 'X', 'Width') || scrolls(one, 'Y', 'Height')));
  return [
    ...(wide > 0 ? [`the page by ${wide}`] : []),
    ...beyond.slice(0, 5).map((one) => one.outerHTML.slice(0, 90)),
    ...bars.slice(0, 5).map((one) => `a scrollbar: ${one.outerHTML.slice(0, 90)}`),
  ];
}"""


class Reader:
    """A tab with one chapter in it."""

    def __init__(self, walker: Walker, name: str) -> None:
        self.walker, self.page, self.name = walker, walker.page, name

    def open(self) -> "Reader":
        self.walker.open(f"/learn/{self.name}")
        return self

    def sections(self, kind: str) -> list[Locator]:
        return [one for one in self.page.locator(".block").all() if one.get_attribute("data-asks") == kind]

    def draw(self) -> "Reader":
        """Bring every block near the window until it is drawn."""
        for section in self.page.locator(".block").all():
            section.scroll_into_view_if_needed()
            expect(section, section.get_attribute("id")).to_have_class(re.compile("is-drawn"), timeout=SECONDS)
            expect(section.locator("[aria-busy=true]")).to_have_count(0, timeout=SECONDS)
        expect(self.page.locator(".figure-failed")).to_have_count(0)
        return self

    def choose(self) -> int:
        """Every wrong answer of every question with choices, each with what is said of it, then the right one."""
        asked = self.sections("choice")
        for section in asked:
            offered = section.locator(".offered > li").all()
            says = section.locator(".answer-says")
            for at, item in sorted(enumerate(offered), key=lambda one: one[1].get_attribute("data-right") is not None):
                told = (item.locator(".why").text_content() or "").strip()
                section.locator("button.choice").nth(at).click()
                expect(says).to_contain_text(told, use_inner_text=False)
                right = item.get_attribute("data-right") is not None
                state = "right" if right else "not"
                expect(section.locator("button.choice").nth(at)).to_have_attribute("data-state", state)
                assert told or right, section.get_attribute("id")
                self.see_the_line(section, at)
            expect(section).to_have_attribute("data-outcome", "right")
        return len(asked)

    def see_the_line(self, section: Locator, at: int) -> None:
        """The picture of a sum is of the line that the choice sums."""
        drawn = section.locator(".axis-outcomes figcaption span").first
        if drawn.count():
            code = section.locator(".offered > li").nth(at).locator(".answer").text_content() or ""
            summed = code.partition(".sum(")[0]
            assert drawn.text_content() in (summed, summed.removeprefix("(").removesuffix(")")), code

    def type_answers(self) -> int:
        """A wrong answer and the right one to every question that is answered in writing."""
        asked = 0
        for kind, wrong in WRONG.items():
            for section in self.sections(kind):
                asked += 1
                field, says = section.locator(".quiz-answer"), section.locator(".answer-says")
                field.fill(wrong)
                field.press("Enter")
                expect(says).to_have_text(re.compile(r"\S"))
                expect(section).to_have_attribute("data-outcome", "")
                if asked == 1:
                    self.show_and_begin_again(section)
                said = says.text_content() or ""
                field.fill(answer_of(self.name, section.get_attribute("id") or ""))
                field.press("Enter")
                expect(section).to_have_attribute("data-outcome", "right", timeout=SECONDS)
                expect(says).not_to_have_text(said)
        return asked

    def show_and_begin_again(self, section: Locator) -> None:
        """By keys: the answer that was asked for stands in the field and counts as shown; then it is asked again."""
        field = section.locator(".quiz-answer")
        wrong = field.input_value()
        shows, again = (section.get_by_role("button", name=name) for name in ("show the answer", "try it again"))
        shows.focus()
        shows.press("Enter")
        expect(section).to_have_attribute("data-outcome", "shown", timeout=SECONDS)
        expect(section.locator(".outcome")).to_have_text("Shown.")
        expect(field).not_to_have_value(wrong)
        expect(field).to_have_attribute("readonly", "")
        expect(shows).to_be_hidden()
        expect(again).to_be_focused()
        again.press("Enter")
        expect(section).to_have_attribute("data-outcome", "")
        expect(field).to_be_focused()
        expect(field).to_have_value("")
        field.fill(wrong)
        field.press("Enter")
        expect(section.locator(".answer-says")).to_have_text(re.compile(r"\S"))
        expect(section).to_have_attribute("data-outcome", "")

    def write_lines(self, server: Server) -> int:
        """A wrong line and the right one where a gradient is to be written."""
        asked = self.sections("line")
        for section in asked:
            program = section.get_attribute("data-program")
            lesson = f"{self.name}.{program}" if program else self.name
            variable = (section.get_attribute("data-argument") or "").removeprefix("d")
            field = section.locator(".field-text")
            field.fill(f"d{variable} = {variable} * 0 + 7.5")
            field.press("Enter")
            expect(section.locator(".says.not")).to_have_text(re.compile(r"\w{3}"), timeout=SECONDS)
            field.fill("\n".join(lines_of(server, lesson, variable)))
            field.press("Enter")
            expect(section).to_have_attribute("data-outcome", "right", timeout=SECONDS)
        return len(asked)

    def drag(self) -> int:
        """Move every number with the keys: the loss that is told, and what is drawn, follow; Escape puts it back."""
        grips = self.page.locator(".block.touch .move-grip").all()
        for grip in grips:
            grip.scroll_into_view_if_needed()
            expect(grip).to_have_attribute("aria-valuemax", re.compile(r"\d"), timeout=SECONDS)
            words = self.page.locator(".block.touch", has=self.page.locator(":focus")).locator(".move-words")
            grip.focus()
            was = grip.get_attribute("aria-valuenow")
            grip.press("Shift+ArrowRight")
            expect(words).to_contain_text("the gradient promised", timeout=SECONDS)
            expect(self.page.locator("#chapter")).to_have_class(re.compile("has-changes"))
            grip.press("Escape")
            expect(grip).to_have_attribute("aria-valuenow", was or "")
            expect(self.page.locator("#chapter")).not_to_have_class(re.compile("has-changes"), timeout=SECONDS)
        return len(grips)

    def beyond(self) -> list[str]:
        """What reaches beyond the column or the window, and what has a scrollbar within."""
        return list(self.page.evaluate(OVERFLOW))


@cache
def lines_of(server: Server, lesson: str, variable: str) -> list[str]:
    """The backward lines that make the gradient of a tensor."""
    walk = server.post("/api/walk", {"lesson": lesson}).json()
    names = {node["name"] for node in walk["nodes"] if node["variable"] == variable}
    return [step["code"] for step in walk["steps"] if step["direction"] == "backward" and step["node"] in names]


def answer_of(chapter: str, block: str) -> str:
    """The chapter's own answer to a question, as a reader would type it."""
    page = Chapter(find_chapter(chapter), None)
    found = page.find(block)
    if found.kind == "fill":
        return piece_of(found.argument).answer
    if computed := re.fullmatch(r"\{value\}`([^`|]+)[^`]*`", found.options["answer"]):
        # with more digits than the page shows, so that it's no matter of rounding
        return str(number(number_of(page.runs[found.program].run, f"{computed[1]} | 9")))
    return html.unescape(re.sub(r"<[^>]+>", "", page.line(found, "answer")))
