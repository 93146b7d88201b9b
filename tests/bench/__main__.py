"""`make bench`: the server's time for a walk against plain PyTorch, and the page's speed in Chromium, in one run."""

from tests.bench import cell, page, walk
from tests.tools.server import running

if __name__ == "__main__":
    with running() as server:
        walk.report(server)
        cell.report(server)
        page.report(server)
