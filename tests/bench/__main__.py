"""`make bench`: a walk beside plain PyTorch, the page, a drag, chapters, a class at once, the loop's lag, greed."""

from tests.bench import cell, drag, greedy, lag, page, reading, visitors, walk
from tests.tools.server import running

if __name__ == "__main__":
    with running() as server:
        walk.report(server)
        cell.report(server)
        page.report(server)
        drag.report(server)
        reading.report(server)
        visitors.report(server)
        lag.report(server)
        greedy.report(server)
