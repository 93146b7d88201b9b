"""`python -m app`: serve gradwalk on this machine."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from multiprocessing import util
from pathlib import Path
from typing import Any

from app.compute import fork_server


def main(words: Sequence[str] | None = None) -> None:
    """Read the flags, the command's unless they are given, and serve until interrupted."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    options = parser().parse_args(words)
    if options.check:
        sys.exit(check(options.check))
    with fork_server.begun():
        from app.serving import serve  # only now: PyTorch loads meanwhile

        serve(options)


def check(folder: Path) -> int:
    """Tell all that is wrong with a folder of chapters and exhibits; 0 where nothing is."""
    if not folder.is_dir():
        print(f"{folder} is no folder.", file=sys.stderr)
        return 2
    from backend import check_chapters, check_exhibits  # only now: a server loads it in processes of its own

    chapters, faults = check_chapters(folder)
    exhibits, others = check_exhibits()
    count, faults = chapters + exhibits, faults + others
    for fault in faults:
        print(f"{folder / fault['file']}:{fault['line']}: {fault['message']} {fault['hint']}")
    print(f"{count} read, {len(faults) or 'no'} {'fault' if len(faults) == 1 else 'faults'}.")
    return int(bool(faults))


def leave(*_: Any) -> None:
    """End at once, which is an ordinary end: while this process loads it has nothing to finish, and after serving too.

    While it serves uvicorn takes the signals. An exception would not do: much that is imported drops one.
    """
    fork_server.end()
    util._exit_function()  # type: ignore[attr-defined]  # it removes the temporary files, and else runs only at the end
    os._exit(0)


def parser() -> argparse.ArgumentParser:
    """The command line; what is not given comes from the environment or the defaults."""
    arguments = argparse.ArgumentParser(prog="gradwalk", description="See backpropagation, tensor by tensor.")
    arguments.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    arguments.add_argument("--port", type=int, help="port to listen on (default 8000; 0 for any free one)")
    arguments.add_argument("--names", type=Path, help="a list of words to use in place of the given names")
    arguments.add_argument("--lessons", type=Path, help="a folder of chapters to serve beside gradwalk's own")
    arguments.add_argument(
        "--check", type=Path, metavar="FOLDER", help="tell all faults of chapters and exhibits in a folder"
    )
    arguments.add_argument("--mnist", type=Path, help="a folder with the files of MNIST, in place of the small digits")
    arguments.add_argument("--embed-in", metavar="ORIGINS", help="sites whose pages may show a step in a frame")
    arguments.add_argument("--class", dest="classroom", action="store_true", help="serve a class on this network")
    arguments.add_argument("--class-folder", type=Path, help="where classes are kept, to survive a crash of the server")
    arguments.add_argument(
        "--reload", action="store_true", default=None, help="read page files and lessons anew when they change"
    )
    arguments.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")
    return arguments


if __name__ == "__main__":
    main()
