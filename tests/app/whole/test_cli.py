"""`python -m app`: flags, environment, and what it says when something is wrong."""

import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from app.__main__ import parser
from app.serving import own_names, read_settings
from tests.support.chapter_texts import FIRST, put
from tests.support.processes import wait_until_gone
from tests.tools.forked import Ended, forked, run_module
from tests.tools.server import ROOT, Server, children, running


def start(*arguments: str, **environment: str) -> Ended:
    return run_module("app", "--no-browser", *arguments, **environment)


def test_it_goes_by_its_own_name() -> None:
    assert start("--help").out.startswith("usage: gradwalk ")


def test_a_port_in_use(server: Server) -> None:
    ended = start("--port", str(server.address[1]))
    assert ended.code != 0
    assert "address already in use" in ended.err
    assert "Traceback" not in ended.err


def test_a_class_answers_to_the_machine_s_own_names_and_nothing_else_does() -> None:
    names = own_names()
    assert socket.gethostname().lower() in names
    options = parser().parse_args(["--class", "--host", "127.0.0.1", "--port", "0"])
    settings = read_settings(options)
    assert settings.host == "127.0.0.1"
    assert set(settings.allowed_hosts) == set(names)
    assert read_settings(parser().parse_args(["--class"])).host == "0.0.0.0"
    alone = read_settings(parser().parse_args([]))
    assert (alone.host, alone.allowed_hosts) == ("127.0.0.1", ())


HOT_SPOT = """
ip link set lo up && ip addr add 10.42.0.1/24 dev lo || exit 77
exec "$0" -c "from app.serving import own_names; print(*own_names())"
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has networks of one's own")
def test_a_laptop_with_a_hot_spot_of_its_own_says_its_address() -> None:
    """In a network that leads nowhere else."""
    command = ["unshare", "--map-root-user", "--net", "sh", "-c", HOT_SPOT, sys.executable]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if "Operation not permitted" in ended.stderr or ended.returncode == 77:
        pytest.skip("nobody may have a network of their own here, or `ip` is not installed")
    assert ended.stdout.split()[0] == "10.42.0.1", ended.stderr
    assert "127." not in ended.stdout, "nobody else comes here by it"


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux shows who listens")
def test_without_a_class_nothing_listens_to_the_network(server: Server) -> None:
    listening = {place.partition(":")[0] for place in listened_at(server.process.pid)}
    assert listening == {"0100007F"}, "127.0.0.1, as Linux writes it"


def listened_at(process: int) -> list[str]:
    """The addresses at which a process, or one below it, takes connections from."""
    below = [process, *children(process), *(pid for one in children(process) for pid in children(one))]
    held = {str(file.readlink()) for pid in below for file in Path(f"/proc/{pid}/fd").iterdir() if file.is_symlink()}
    rows = [row.split() for name in ("tcp", "tcp6") for row in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    return [row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in held]


def test_a_names_file_with_bad_lines(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("anna\nb0b!\nclara\n")
    ended = start("--port", "0", "--names", str(names))
    assert ended.code != 0
    assert "line 2" in ended.err
    assert "Traceback" not in ended.err


def test_chapters_that_cannot_be_read_are_told_and_the_others_served(tmp_path: Path, server: Server) -> None:
    path = put(tmp_path, "70-mine.md", "Text.\n\n:::{stepp} forward Y\n:::\n")
    ended = start("--port", str(server.address[1]), "--lessons", str(tmp_path))
    assert f"{path}:{FIRST + 2}: There is no directive `stepp`" in ended.err
    assert "address already in use" in ended.err  # so it went on


def test_a_folder_of_chapters_is_checked_and_nothing_served(tmp_path: Path) -> None:
    path = put(tmp_path, "70-mine.md", "Here {value}`nope`.\n\n:::{tensor} nothing\n:::\n")
    ended = start("--check", str(tmp_path))
    assert ended.code == 1
    assert f"{path}:{FIRST}: " in ended.out
    assert f"{path}:{FIRST + 2}: " in ended.out
    assert ended.out.endswith("1 read, 2 faults.\n")
    exhibit = tmp_path / "80-mine.toml"
    exhibit.write_text("titel = 'A sum'\nshows = 'beauty'\n")
    told = start("--check", str(tmp_path)).out
    assert f"{exhibit}:1: The exhibit `80-mine.toml` has a `titel`" in told
    assert f"{exhibit}:2: What the exhibit `80-mine.toml` has as `shows`" in told
    assert told.count(f"{exhibit}:1: The exhibit `80-mine.toml` has no") == 6
    assert told.endswith("1 read, 10 faults.\n")
    exhibit.unlink()
    put(tmp_path, "70-mine.md", "Here {value}`w[0, 1]`.\n")
    assert start("--check", str(tmp_path)).out == "1 read, no faults.\n"
    assert start("--check", str(path)).code == 2


@pytest.mark.parametrize(
    ("arguments", "environment", "says"),
    [
        (["--names", "/no/such/file"], {}, "names"),
        (["--lessons", "/no/such/folder"], {}, "lessons"),
        (["--mnist", "/tmp"], {}, "train-images-idx3-ubyte"),
        (["--port", "70000"], {}, "port"),
        ([], {"GRADWALK_PORT": "many"}, "port"),
        ([], {"GRADWALK_DEADLINE": "0"}, "deadline"),
    ],
)
def test_settings_that_cannot_be(arguments: list[str], environment: dict[str, str], says: str) -> None:
    ended = start(*arguments, **environment)
    assert ended.code != 0
    assert says in ended.err
    assert "Traceback" not in ended.err


def test_flags_say_where_it_listens_and_from_which_data_it_learns(tmp_path: Path, server: Server) -> None:
    """Flags before the environment; a locked worker has read the words, and opens their file no more.

    A training run has the same data.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.2", 0))
        port = free.getsockname()[1]
    names = tmp_path / "names.txt"
    names.write_text("".join(f"{a}{b}ba\n" for a in "abcdefghij" for b in "abcdefghij"))
    images = b"\0\0\x08\x03" + struct.pack(">3I", 40, 28, 28) + bytes(40 * 784)
    (tmp_path / "train-images-idx3-ubyte").write_bytes(images)
    labels = b"\0\0\x08\x01" + struct.pack(">I", 40) + bytes(n % 10 for n in range(40))
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(labels)
    flags = ("--port", str(port), "--host", "127.0.0.2", "--names", str(names), "--mnist", str(tmp_path))
    with forked(*flags, workers=1, port=1) as own:
        assert own.url == f"http://127.0.0.2:{port}"
        names.unlink()
        for seed in (1, 2):
            asked = {"lesson": "makemore-mlp", "seed": seed}
            ours, usual = (one.post("/api/walk", asked).json() for one in (own, server))
            assert ours["loss"]["value"] != usual["loss"]["value"]
        run = own.post("/api/training", {"walk": {"lesson": "relu-classifier"}, "steps": 5}).json()["id"]
        assert own.get(f"/api/training/{run}").json()["run"]["parameters"]["W1"] == [784, 24]


def test_a_connection_may_be_a_file_more_than_a_shell_allows() -> None:
    """A server raises the limit of open files for its connections, and no further than it may."""
    code = (
        "import resource as r; from app.serving import allow_files; hard = r.getrlimit(r.RLIMIT_NOFILE)[1]; "
        "r.setrlimit(r.RLIMIT_NOFILE, (64, min(hard, 300))); allow_files(200); print(*r.getrlimit(r.RLIMIT_NOFILE)); "
        "allow_files(4000); print(*r.getrlimit(r.RLIMIT_NOFILE))"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["200", "300", "300", "300"]


@pytest.mark.parametrize(
    "number",
    [signal.SIGKILL, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (signal.SIGTERM, signal.SIGINT))],
)
def test_no_process_outlives_the_server(number: signal.Signals) -> None:
    with running(workers=2) as server:
        family = [pid for middle in children(server.process.pid) for pid in [middle, *children(middle)]]
        assert len(family) >= 3
        server.process.send_signal(number)
        server.process.wait(240)
        assert wait_until_gone(family)
        assert "Traceback" not in server.log.read_text()
