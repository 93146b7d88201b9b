"""The page "Your code" as a person drives it."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Walker

OpenDesk = Callable[..., "Desk"]


class Desk:
    """The page as somebody with a program of their own uses it."""

    def __init__(self, walker: Walker) -> None:
        self.walker, self.page = walker, walker.page
        self.source = self.page.locator("#source")
        self.status = self.page.locator("#status")
        self.rows = self.page.locator(".tensor-row")

    def open(self, path: str = "/code") -> "Desk":
        self.walker.page.goto(self.walker.base + path)
        expect(self.status).not_to_be_empty()
        return self

    def row(self, name: str) -> Locator:
        return self.page.get_by_role("group", name=re.compile(rf"^(Tensor|Number) {name}$"))

    def field(self, name: str, field: str) -> Locator:
        return self.row(name).locator(f"[data-field={field}]")

    def ready(self) -> "Desk":
        expect(self.status).to_contain_text("Ready to walk")
        return self

    def walking(self) -> "Desk":
        expect(self.page.locator("#transport")).to_be_visible()
        expect(self.page.locator("#walk")).to_have_attribute("aria-busy", "false")
        return self

    def walk(self) -> "Desk":
        self.page.keyboard.press("Control+Enter")
        return self.walking()

    def start(self, title: str) -> "Desk":
        self.page.get_by_role("button", name="Starting points").click()
        self.page.locator(".start", has_text=title).first.click()
        return self

    @property
    def selection(self) -> str:
        return str(self.source.evaluate("(area) => area.value.slice(area.selectionStart, area.selectionEnd)"))
