"""A class as it is taught: one who shows and asks, a wall, and phones that answer."""

import re

import pytest
from playwright.sync_api import FrameLocator, Page, Route, expect

from tests.browser.conftest import SECONDS, OpenWalker, Walker, intercept, until
from tests.support.held_streams import streaming
from tests.support.looking import findings
from tests.support.relay import relayed
from tests.support.waiting import eventually
from tests.tools.server import Server

PHONE = {"width": 390, "height": 780}
START = "/class?at=/walk/first-steps?step=2"
AWAY = {"code": "log-away", "message": "The server can't keep anything at the moment.", "hint": "Send it again."}
SMALL = """() => [...document.querySelectorAll('main *')]
  .filter((one) => [...one.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim()))
  .filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) < 28)
  .map((one) => one.textContent)"""
ROOMY = "document.querySelector('.rail').scrollHeight <= document.querySelector('.rail').clientHeight"


def taught(walkers: OpenWalker, start: str = START) -> tuple[Walker, str]:
    """A teacher's page, and the code of the class."""
    teacher = walkers(width=1280, height=800)
    teacher.page.goto(teacher.base + start)
    teacher.page.click("#begin")
    expect(teacher.page.locator("#class #code")).not_to_be_empty(timeout=SECONDS)
    return teacher, teacher.page.inner_text("#class #code")


def joined(walkers: OpenWalker, code: str) -> Walker:
    """A student's phone."""
    student = walkers(**PHONE)
    student.page.goto(f"{student.base}/c")
    student.page.fill("#code", code.lower())
    student.page.keyboard.press("Enter")
    expect(student.page.locator("#standing")).to_have_text("Following", timeout=SECONDS)
    return student


def states(student: Walker) -> list[str]:
    """The requests of a page, from now on, for all that there is to know of the class."""
    found: list[str] = []
    student.page.on("request", lambda one: found.append(one.url) if one.url.endswith("/state") else None)
    return found


def at(step: int) -> re.Pattern[str]:
    """What a walk counts at a step."""
    return re.compile(rf"^{step} /")


def alike(followed: Walker, again: Walker) -> None:
    """A phone that is loaded again shows what one shows that has followed: bars, wall, answer."""
    again.page.reload()
    shown = followed.page.locator(".sheet-result")
    expect(again.page.locator(".sheet-result")).to_have_text(shown.inner_text(), timeout=SECONDS, use_inner_text=True)


def test_a_lesson_is_followed_asked_and_counted_by_name(walkers: OpenWalker) -> None:
    teacher, code = taught(walkers)
    students = [joined(walkers, code) for _ in range(2)]
    wall = walkers(width=1280, height=720)
    wall.page.goto(wall.base + str(teacher.page.get_attribute("#to-board", "href")))
    expect(wall.page.locator("#code")).to_have_text(code, timeout=SECONDS)
    inner = teacher.page.frame_locator("#place")
    inner.locator("#next").click(timeout=SECONDS)
    for student in students:
        followed(student.page, inner.locator("#step-title").inner_text())
    teacher.page.click("[data-ask=choice]")
    for student in students:
        student.page.locator(".choices button").nth(0).click(timeout=SECONDS)
        expect(student.page.locator(".sheet-says")).to_contain_text("Received", timeout=SECONDS)
        expect(student.page.locator("#place")).to_be_hidden()
    expect(wall.page.locator("#counting b")).to_have_text("2", timeout=SECONDS)
    expect(wall.page.locator(".bars")).to_have_count(0)
    asked = states(students[0])
    teacher.page.click("[data-say=count]")
    expect(wall.page.locator(".bar-count").first).to_have_text("2 students", timeout=SECONDS)
    alike(*students)
    expect(students[0].page.locator(".bars")).to_be_visible(timeout=SECONDS)
    expect(students[0].page.locator("#place")).to_be_visible()

    teacher.page.fill("#tensor", "x")
    teacher.page.click("[data-ask=gradient]")
    for student, text in zip(students, ("dx = 3 * dy", "dx = -3 * dy"), strict=True):
        student.page.fill("form.sheet-answer input", text, timeout=SECONDS)
        student.page.keyboard.press("Enter")
        expect(student.page.locator(".sheet-says")).to_contain_text("Received", timeout=SECONDS)
    put = teacher.page.locator('#texts [data-text="dx = -3 * dy"]')
    put.click(timeout=SECONDS)
    expect(put).to_have_text("Take from the wall", timeout=SECONDS)
    put.click()
    expect(put).to_have_text("On the wall", timeout=SECONDS)
    expect(wall.page.locator(".wall li")).to_have_count(0, timeout=SECONDS)
    put.click()
    expect(wall.page.locator(".wall li")).to_contain_text("dx = -3 * dy", timeout=SECONDS)
    assert "3 * dy" not in wall.page.inner_text("h1"), "the question does not give its answer away"
    beside = "document.querySelector('.wall').offsetLeft > document.querySelector('.bars').offsetLeft"
    teacher.page.click("[data-say=count]")
    expect(wall.page.locator(".bar-name")).to_have_text(["right", "sign"], timeout=SECONDS)
    assert wall.page.evaluate(beside), "six bars leave no room below them"
    assert wall.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "all of it is in sight"
    coded = "document.querySelector('.wall p').appendChild(document.createElement('code')).append('dx')"
    wall.page.evaluate(coded)  # as sentences about other slips have
    assert wall.page.evaluate(SMALL) == [], "all of it can be read from the last row"
    assert teacher.page.evaluate(ROOMY), "nothing of the rail has to be scrolled to, whatever is answered"
    teacher.page.click("#prompt")
    expect(teacher.page.locator("#distribution")).to_be_hidden()
    teacher.page.click("#prompt")
    teacher.page.click("[data-say=answer]")
    expect(students[1].page.locator(".sheet-right")).to_contain_text("dx = 3 * dy", timeout=SECONDS)
    expect(students[0].page.locator(".sheet-right")).to_contain_text("dx = 3 * dy", timeout=SECONDS)
    alike(*students)
    assert asked == [], "whoever follows needn't ask where the class is"

    for shown in (teacher, students[1], wall):
        assert shown.ask("document.documentElement.scrollWidth - innerWidth") <= 0
        assert findings(shown) == []
    teacher.page.on("dialog", lambda dialog: dialog.accept())
    teacher.page.click("#end")
    expect(students[0].page.locator("#join-says")).to_contain_text("The class has ended", timeout=SECONDS)
    expect(wall.page.locator("#asked")).to_have_text("The class has ended.", timeout=SECONDS)
    for gone in ("#qr", "#where", "#code", "#present"):
        expect(wall.page.locator(gone)).to_be_hidden()
    for somebody in (*students, teacher, wall):
        somebody.complaints.clear()  # the browser tells of the status of a class that is gone


def test_the_wall_may_be_on_the_teachers_own_laptop(walkers: OpenWalker) -> None:
    teacher, code = taught(walkers)
    student = joined(walkers, code)
    with teacher.page.context.expect_page() as opened:
        teacher.page.click("#to-board")
    wall = opened.value
    expect(wall.locator("#code")).to_have_text(code, timeout=SECONDS)
    teacher.page.reload()
    teacher.page.frame_locator("#place").locator("#step-title").wait_for(timeout=SECONDS)
    teacher.page.click("[data-ask=choice]")
    student.page.locator(".choices button").nth(0).click(timeout=SECONDS)
    expect(wall.locator("#counting b")).to_have_text("1", timeout=SECONDS)
    expect(teacher.page.locator(".bar-count").first).to_have_text("1 student", timeout=SECONDS)
    expect(wall.locator(".bars")).to_have_count(0)


def followed(page: Page, title: str) -> None:
    """A tab whose walk is at the step of that title."""
    expect(page.frame_locator("#place").locator("#step-title")).to_have_text(title, timeout=SECONDS)


def later(tab: Page) -> bool:
    """Eleven seconds later, as far as a tab knows."""
    tab.clock.fast_forward(11_000)
    return True


def asks_no_more(tab: Page, inner: FrameLocator, asked: list[str]) -> bool:
    """Whether a tab is told of steps without a question, half a minute later."""
    before = len(asked)
    for way in ("#next", "#back"):
        inner.locator(way).click(timeout=SECONDS)
        followed(tab, inner.locator("#step-title").inner_text())
        later(tab)
    return tab.evaluate("fetch('/healthz').then(() => true)") and not any("wait=" in url for url in asked[before:])


@pytest.mark.parametrize("count", [3, pytest.param(8, marks=pytest.mark.exhaustive)])
def test_all_tabs_of_a_browser_follow_over_one_stream(walkers: OpenWalker, count: int) -> None:
    """And have one seat: what one answers is answered in the others, and another takes its place when it goes."""
    teacher, code = taught(walkers)
    student = walkers(**PHONE)
    context = student.page.context
    tabs = [student.page, *(context.new_page() for _ in range(count - 1))]
    held = [streaming(tab) for tab in tabs]
    for tab in tabs:
        tab.goto(f"{student.base}/c/{code}")
        expect(tab.locator("#standing")).to_have_text("Following", timeout=SECONDS)
    inner = teacher.page.frame_locator("#place")
    for way in ("#next", "#back", "#next"):
        if way != "#next" or len(tabs) < count:
            tabs.pop(0).close()
            held.pop(0)
        inner.locator(way).click(timeout=SECONDS)
        title = inner.locator("#step-title").inner_text()
        for other in tabs:
            followed(other, title)
        assert eventually(lambda: tabs[-1].evaluate("1") == sum(map(len, held))), "one holds the stream for all"
    expect(teacher.page.locator("#present")).to_have_text("1 here", timeout=SECONDS)
    teacher.page.click("[data-ask=choice]")
    tabs[0].locator(".choices button").nth(1).click(timeout=SECONDS)
    expect(tabs[0].locator(".sheet-says")).to_contain_text("Received", timeout=SECONDS)
    later = context.new_page()
    later.goto(f"{student.base}/c/{code}")
    expect(later.locator(".choices button").nth(1)).to_have_attribute("aria-pressed", "true", timeout=SECONDS)
    later.locator(".choices button").nth(0).click()
    expect(later.locator(".sheet-says")).to_contain_text("Received", timeout=SECONDS)
    expect(tabs[0].locator(".sheet-says")).to_have_text("Answered in another tab.", timeout=SECONDS)
    expect(tabs[0].locator(".choices button").nth(0)).to_have_attribute("aria-pressed", "true")
    expect(teacher.page.locator("#answered")).to_have_text("1 of 1 answered", timeout=SECONDS)
    expect(teacher.page.locator(".bar-count")).to_contain_text(["1 student", "0 students"], timeout=SECONDS)


def test_a_state_that_is_older_than_what_was_told_is_asked_for_again_after_a_pause(walkers: OpenWalker) -> None:
    """Of several servers one may be a moment behind; three hundred phones must not ask it without end."""
    student = joined(walkers, taught(walkers)[1])
    page = student.page
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    asked = states(student)
    other = page.context.new_page()
    other.goto(page.url)
    told = {"kind": "told", "event": {"kind": "paced", "pace": "free"}, "number": 99}
    name = page.evaluate("sessionStorage.getItem('gradwalk:seat').split(' ')[0]")
    other.evaluate("([name, told]) => new BroadcastChannel(`gradwalk:stream:${name}`).postMessage(told)", [name, told])
    assert eventually(lambda: page.evaluate("1") == len(asked))
    for _ in range(20):
        page.evaluate("fetch('/healthz').then((answer) => answer.status)")
    assert len(asked) == 1, "it waits"
    assert eventually(lambda: later(page) and len(asked) > 1), "and asks again"


@pytest.mark.exhaustive
def test_behind_a_proxy_that_holds_streams_back_everyone_asks_for_news(walkers: OpenWalker, server: Server) -> None:
    """Once a stream has been silent twice where plain questions are answered; the time in between goes by at once."""
    teacher, code = taught(walkers)
    with relayed(server.address) as relay:
        relay.hoarding = True
        student = walkers(**PHONE)
        student.base = relay.url
        student.page.clock.install()
        asked: list[str] = []
        student.page.on("request", lambda request: asked.append(request.url))
        student.page.goto(f"{relay.url}/c/{code}")
        expect(student.page.locator("#standing")).to_have_text("Following", timeout=SECONDS)
        assert eventually(lambda: later(student.page) and any("wait=20" in url for url in asked))
        inner = teacher.page.frame_locator("#place")
        for _ in range(2):
            inner.locator("#next").click(timeout=SECONDS)
            followed(student.page, inner.locator("#step-title").inner_text())
        expect(teacher.page.locator("#present")).to_have_text("1 here", timeout=SECONDS)
        relay.hoarding = False
        relay.cut()  # what is held back already
        relay.mend()
        assert eventually(lambda: asks_no_more(student.page, inner, asked)), "it listens again where streams flow"
        student.page.goto("about:blank")
        student.complaints.clear()


def test_a_number_is_dragged_in_the_walk_until_it_is_so_much(walkers: OpenWalker) -> None:
    """What the walk's slider says stands in the answer; the teacher's own steps lead nobody away meanwhile."""
    teacher, code = taught(walkers)
    student = joined(walkers, code)
    teacher.page.fill("#tensor", "x")
    teacher.page.fill("#until", "y = 10")
    teacher.page.click("[data-ask=drag]")
    expect(student.page.locator("#sheet h2")).to_contain_text("until y is 10", timeout=SECONDS)
    inner = student.page.frame_locator("#place")
    grip, field = student.page.locator(".sheet-grip"), student.page.locator("form.sheet-answer input[type=text]")
    followed(student.page, teacher.page.frame_locator("#place").locator("#step-title").inner_text())
    grip.focus()
    student.press("ArrowRight", "ArrowRight")
    expect(field).to_have_value(grip.input_value())
    until(
        student.page,
        "(value) => place.contentWindow.location.search.includes(`changes=x:${value}&`)",
        grip.input_value(),
    )
    count = inner.locator("#count").inner_text()
    teacher.page.frame_locator("#place").locator("#next").click(timeout=SECONDS)
    student.page.click("form.sheet-answer .button")
    expect(student.page.locator(".sheet-says")).to_contain_text("Received", timeout=SECONDS)
    expect(teacher.page.locator("#texts .wall-by")).to_contain_text("too", timeout=SECONDS)
    expect(inner.locator("#count")).to_have_text(count)
    field.fill("3.33")
    student.page.keyboard.press("Enter")
    expect(teacher.page.locator(".bar.right .bar-count")).to_have_text("1 student", timeout=SECONDS)
    assert student.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    assert findings(student) == []
    teacher.page.click("[data-say=close]")
    followed(student.page, teacher.page.frame_locator("#place").locator("#step-title").inner_text())


def test_a_class_begins_with_a_lesson_and_goes_no_further_than_its_teacher(walkers: OpenWalker) -> None:
    teacher = walkers(width=1280, height=800)
    page = teacher.page
    page.goto(f"{teacher.base}/class?at=/walk/nosuch")
    expect(page.locator("#begin-with")).to_have_value("/walk/nosuch")
    page.click("#begin")
    expect(page.locator("#begin-says")).to_have_text(
        "There is no page at /walk/nosuch. Choose a lesson.", timeout=SECONDS
    )
    teacher.complaints.clear()  # the browser tells of the status
    assert findings(teacher) == []
    page.select_option("#begin-with", label="3x + 1")
    page.click("#begin")
    expect(page.locator("#class #code")).not_to_be_empty(timeout=SECONDS)
    student = joined(walkers, page.inner_text("#class #code"))
    theirs, ours = (one.page.frame_locator("#place") for one in (teacher, student))
    for number in (2, 3):
        theirs.locator("#next").click(timeout=SECONDS)
        expect(ours.locator("#count")).to_have_text(at(number), timeout=SECONDS)
    page.click("[data-pace=upto]")
    expect(student.page.locator("#standing")).to_have_text("Up to step 3", timeout=SECONDS)
    ours.locator("#back").click()
    expect(ours.locator("#count")).to_have_text(at(2), timeout=SECONDS)
    for _ in range(3):
        ours.locator("#next").click()
    expect(ours.locator("#count")).to_have_text(at(3), timeout=SECONDS)
    theirs.locator("#next").click()
    expect(student.page.locator("#standing")).to_have_text("Up to step 4", timeout=SECONDS)
    expect(ours.locator("#count")).to_have_text(at(3))
    ours.locator("#next").click()
    expect(ours.locator("#count")).to_have_text(at(4), timeout=SECONDS)


def asked(walkers: OpenWalker) -> tuple[Walker, Walker]:
    """A teacher, and a phone on which a question has come."""
    teacher, code = taught(walkers)
    student = joined(walkers, code)
    teacher.page.click("[data-ask=choice]")
    expect(student.page.locator(".choices button").nth(0)).to_be_visible(timeout=SECONDS)
    return teacher, student


def test_an_answer_written_without_a_net_is_kept_and_sent_once(walkers: OpenWalker) -> None:
    teacher, student = asked(walkers)
    student.page.context.set_offline(True)
    for choice in (1, 0):
        student.page.locator(".choices button").nth(choice).click()
    expect(student.page.locator(".sheet-says")).to_contain_text("Kept on this phone", timeout=SECONDS)
    student.page.context.set_offline(False)
    expect(student.page.locator(".sheet-says")).to_contain_text("Received", timeout=SECONDS)
    expect(teacher.page.locator("#answered")).to_have_text("1 of 1 answered", timeout=SECONDS)
    expect(teacher.page.locator(".bar-count")).to_contain_text(["1 student", "0 students"], timeout=SECONDS)
    student.complaints.clear()  # the browser tells of the requests that did not reach anybody


def test_while_nothing_can_be_kept_an_answer_waits_on_the_phone(walkers: OpenWalker) -> None:
    """As while Redis is away, or a proxy finds no server: all by itself, as soon as somebody is there again."""
    teacher, student = asked(walkers)
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=503, headers={"Retry-After": "1"}, json={"error": AWAY})

    intercept(student.page, "**/api/class/**", refuse)
    student.page.locator(".choices button").nth(0).click()
    assert eventually(lambda: student.page.evaluate("1") == 1 and len(refused) > 1), "it is sent again"
    expect(student.page.locator(".sheet-says")).to_contain_text("Kept on this phone")
    student.page.unroute("**/api/class/**")
    expect(student.page.locator(".sheet-says")).to_contain_text("Received", timeout=SECONDS)
    expect(teacher.page.locator("#answered")).to_have_text("1 of 1 answered", timeout=SECONDS)
    student.complaints.clear()  # the browser tells of each refusal


def test_a_wrong_code_is_told_and_the_field_keeps_it(walkers: OpenWalker) -> None:
    student = walkers(**PHONE)
    student.page.goto(f"{student.base}/c/NOSUCH")
    expect(student.page.locator("#join-says")).to_contain_text("There is no class with that code.", timeout=SECONDS)
    expect(student.page.locator("#code")).to_have_value("NOSUCH")
    assert student.ask("document.querySelector('#code').getBoundingClientRect().right") < PHONE["width"]
    assert student.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    student.complaints.clear()  # the browser tells of the status
    assert findings(student) == []


def test_a_teacher_sees_where_students_are_in_an_exercise_and_changes_the_code(walkers: OpenWalker) -> None:
    teacher, code = taught(walkers, "/class?at=/practise/first-steps")
    student = joined(walkers, code)
    columns = teacher.page.locator("#strip-columns li")
    inner = student.page.frame_locator("#place")
    expect(columns.nth(0)).to_have_text(re.compile(r"^\w+: 1 student$"), timeout=SECONDS)
    assert columns.count() == inner.locator(".blank").count()
    current = inner.locator(".blank.current")
    key = str(current.get_attribute("data-task"))
    for wrong in range(3):
        current.locator("textarea").fill(f"{key} = {wrong}.5")
        current.locator("textarea").press("Enter")
        until(
            student.page,
            "([key, count]) => JSON.parse(localStorage[Object.keys(localStorage).find((one) => "
            "one.includes('practise:'))]).attempts[key].wrong.length === count",
            [key, wrong + 1],
        )
    expect(columns.nth(0)).to_have_text(f"{key}: 1 student, 1 after three wrong tries or more", timeout=SECONDS)
    expect(columns.nth(0)).to_have_class("stuck")
    expect(teacher.page.locator("#strip-says")).to_have_text("Of 2 gradients nobody has written one yet.")
    joined(walkers, code).page.goto("about:blank")
    assert findings(teacher) == []
    for width, height in ((1440, 900), (1280, 720), (390, 780)):
        teacher.page.set_viewport_size({"width": width, "height": height})
        assert teacher.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    teacher.page.click("#rotate")
    expect(teacher.page.locator("#rotate")).to_have_text("Keep this code", timeout=SECONDS)
    teacher.page.click("#rotate")
    expect(teacher.page.locator("#rotate")).to_have_text("Change the code every minute", timeout=SECONDS)
