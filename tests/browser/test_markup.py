"""Whatever a link says is text on the page: never markup, in Plotly's charts neither."""

from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Walker
from tests.browser.links import link

LINK = '<a href="https://example.com">Session expired</a>'
SENT: dict[str, Any] = {
    "source": "h = x * w\nloss = h.sum()",
    "tensors": {
        "x": {"role": "data", "shape": [4, 3], "init": "randn", "seed": 1, "axes": f"{LINK}, %{{z}} &lt;b&gt;"},
        "w": {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 2},
    },
}
LINKS_ELSEWHERE = "[...document.querySelectorAll('a')].filter((a) => /example/.test(a.cloneNode().outerHTML)).length"


def enlarged(walker: Walker) -> Locator:
    """The large chart of a tensor whose axes a stranger has named."""
    walker.page.goto(walker.base + link(SENT, 1))
    walker.page.get_by_label("value: larger, with every number").click()
    chart = walker.page.get_by_role("dialog").locator(".tensor-plot")
    expect(chart.locator(".main-svg").first).to_be_visible()
    return chart


def test_an_axis_name_is_text_in_a_chart(walker: Walker) -> None:
    chart = enlarged(walker)
    expect(chart.locator(".ytitle")).to_have_text(LINK)
    expect(chart.locator(".xtitle")).to_have_text("%{z} &lt;b&gt;")
    chart.locator(".nsewdrag").first.hover()
    expect(chart.locator(".hoverlayer")).to_contain_text(LINK)
    expect(chart.locator(".hoverlayer")).to_contain_text("%{z} &lt;b&gt; ")
    assert walker.ask(LINKS_ELSEWHERE) == 0


def test_a_chart_works_under_the_page_s_own_policy(walker: Walker) -> None:
    """Its picture is saved and its notices appear: what Plotly writes as HTML has no element in it."""
    chart = enlarged(walker)
    with walker.page.expect_download() as saved:
        chart.locator("[data-title^=Download]").click()
    assert saved.value.suggested_filename.endswith(".png")
    expect(walker.page.locator(".notifier-close").first).to_have_text("×")


def test_the_browser_refuses_markup_from_any_script(walker: Walker) -> None:
    """With Plotly's own policy in place too, which lets text pass and nothing else."""
    set_inner = (
        "(html) => { try { document.createElement('p').innerHTML = html; return 'made' } catch { return 'no' } }"
    )
    walker.open("/")
    assert [walker.page.evaluate(set_inner, html) for html in ("text", "<b>x</b>")] == ["no", "no"]
    enlarged(walker)
    assert [walker.page.evaluate(set_inner, html) for html in ("a &times; b", "<b>x</b>", "&lt;<")] == [
        "made",
        "no",
        "no",
    ]
    blocked = [one for one in walker.complaints if "TrustedHTML" in one]
    assert len(blocked) == 4
    assert walker.complaints == blocked
    walker.complaints.clear()
