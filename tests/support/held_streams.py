"""The streams of events that a page holds."""

import re

from playwright.sync_api import Page, Request


def streaming(tab: Page) -> list[Request]:
    """The streams of a class that a tab holds, from now on."""
    held: list[Request] = []

    def begun(request: Request) -> None:
        if re.search(r"/events\?after=\d+$", request.url):
            held.append(request)

    def ended(request: Request) -> None:
        if request in held:
            held.remove(request)

    tab.on("request", begun)
    tab.on("requestfinished", ended)
    tab.on("requestfailed", ended)
    return held
