"""`python -m app.site FOLDER`: records the course into a folder that any web host serves."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from app.site.build import MARK, build
from app.site.question import Document
from app.site.server import RecordingError, serving
from app.site.single import single


def main(words: Sequence[str] | None = None) -> None:
    """Read the flags, the command's unless they are given, and write the folder."""
    options = parser().parse_args(words)
    try:
        print(write_walk(options) if options.walk else write_folder(options))
    except RecordingError as error:
        sys.exit(str(error))


def write_walk(options: argparse.Namespace) -> str:
    """One walk as one file."""
    walk, title = asked_for(options.walk)
    with serving(*(["--lessons", str(options.lessons)] if options.lessons else [])) as answers:
        text = single(answers, walk, title)
    options.folder.write_text(text)
    return f"{len(text) / 1e3:.0f} kB in {options.folder}, which any browser opens."


def asked_for(walk: str) -> tuple[Document, str]:
    """A walk's request and what it is called: a lesson's, or that of a program of one's own in a file."""
    file = Path(walk)
    if file.suffix != ".json":
        return {"lesson": walk}, walk
    try:
        return json.loads(file.read_text()), file.stem
    except (OSError, ValueError) as error:
        raise RecordingError(f"{walk} can't be read as a walk's request: {error}") from None


def write_folder(options: argparse.Namespace) -> str:
    """The course as a folder."""
    folder: Path = options.folder
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        sys.exit(f"{folder} holds something else; name a folder that is empty or not there yet.")
    programs = [asked_for(one) for one in options.program]
    if len({title for _, title in programs}) < len(programs):
        sys.exit("Two programs have one name, and each is a file of its own: rename one of them.")
    count, size = build(folder, options.lessons, options.only or (), progress, programs)
    return f"{count} files, {size / 1e6:.1f} MB in {folder}. To look at it: python -m http.server -d {folder}"


def progress(done: int, of: int, name: str) -> None:
    """Say on a terminal's one line how far it is; in a log, nothing."""
    if sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\r\033[K{done} of {of} walks: {name}", end=end, file=sys.stderr, flush=True)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    arguments = argparse.ArgumentParser(prog="python -m app.site", description="The course as a folder of files.")
    arguments.add_argument("folder", type=Path, help="where to write it; with --walk the file")
    arguments.add_argument("--walk", metavar="LESSON", help="one walk as one file: a lesson's, or a .json's request")
    arguments.add_argument("--lessons", type=Path, help="a folder of chapters beside gradwalk's own")
    arguments.add_argument("--only", nargs="+", metavar="LESSON", help="of the lessons, these alone")
    program = "in the folder, the walk of a .json's request, too; any number of times"
    arguments.add_argument("--program", action="append", default=[], metavar="FILE.json", help=program)
    return arguments


if __name__ == "__main__":
    main()
