"""Hostile programs: each is refused in the one shape within its limit, and others are served meanwhile."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import Reply, Server

HOSTILE = {
    "import": "import os\ny = os.getpid() * x",
    "attribute trick": "y = x.__class__.__base__.__subclasses__()",
    "dunder through a string": 'y = getattr(x, "__class__")',
    "format string": 'y = "{0.__class__}".format(x)',
    "unknown name": "y = z * 2",
    "mismatched shapes": "y = (x @ x).sum()",
    "tensor of 10 GB": "y = torch.ones(50000, 50000).sum() * x.sum()",
    "stretched to 10 GB": "y = x.sum().expand(50000, 50000).sum()",
    "tower of powers": "y = x.sum() * 10**10**10",
    "endless loop": "for i in range(10**12):\n    x = x * 1.0\ny = x.sum()",
    "deep nesting": "y = " + "(" * 5000 + "x" + ")" * 5000,
    "long chain": "y = x" + "+1" * 9000,
    "many signs": "y = " + "-" * 15000 + "x",
    "not Python": "y = = x",
    "nothing": "",
    "a null byte": "y = x\0",
}
TENSORS = {"x": {"role": "parameter", "values": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]}}


@pytest.fixture(scope="module")
def visitor(server: Server) -> Iterator[list[Reply]]:
    """Another client, walking the lesson all the time while the hostile ones come; its replies."""
    replies: list[Reply] = []
    busy = True

    def walk() -> None:
        while busy:
            replies.append(server.post("/api/walk", {"lesson": "makemore-mlp"}))

    with ThreadPoolExecutor(1) as pool:
        visit = pool.submit(walk)
        yield replies
        busy = False
    visit.result()
    assert {reply.status for reply in replies} == {200}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_programs(server: Server, visitor: list[Reply], name: str) -> None:
    before = len(visitor)
    reply = server.post("/api/walk", {"source": HOSTILE[name], "tensors": TENSORS})
    assert reply.status == 422, reply.body
    assert reply.error["message"]
    for leak in ("Traceback", "/work", "site-packages", "object at 0x"):
        assert leak not in reply.body.decode()
    assert eventually(lambda: len(visitor) > before)


@pytest.mark.parametrize(
    ("name", "line"), [("import", 2), ("attribute trick", 1), ("unknown name", 1), ("mismatched shapes", 1)]
)
def test_a_refusal_points_at_its_place(server: Server, name: str, line: int) -> None:
    """An import alone does nothing: what calls the module is refused."""
    where = server.post("/api/walk", {"source": HOSTILE[name], "tensors": TENSORS}).error["where"]
    assert where["line"] == line
    assert where["text"]


def test_a_tensor_of_10_gb_in_the_request(server: Server) -> None:
    huge = {"x": {"role": "data", "shape": [50000, 50000], "init": "zeros"}}
    reply = server.post("/api/walk", {"source": "y = x.sum()", "tensors": huge})
    assert reply.status == 422
    assert reply.error["message"]


@pytest.mark.exhaustive
def test_no_worker_was_lost_to_any_of_them() -> None:
    with forked(workers=1) as own:
        before = own.worker_pids()
        for source in HOSTILE.values():
            own.post("/api/walk", {"source": source, "tensors": TENSORS})
        assert own.worker_pids() == before
        assert "Traceback" not in own.log.read_text()
