"""`gradwalk`: serves on this machine, checks a script, writes a walk, an exercise or the whole course into files."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

STRICT = "--strict"
ABOUT = """usage: gradwalk [options]                    serve on this machine; `gradwalk --help` lists the options
       gradwalk check [--strict] SCRIPT.py  run a script; 1 where a `gradwalk.check` in it finds a gradient wrong
       gradwalk save WALK FILE.html         write one walk, a lesson's or that of a request in a .json, into a file
       gradwalk exercise WALK FILE.ipynb [nbgrader|otter]  write the exercise of such a walk for a course
       gradwalk site FOLDER                 write the course and every walk as files for any web host
"""


def main(words: Sequence[str] | None = None) -> None:
    """Do what the first word says; without one of these words, serve."""
    given = list(sys.argv[1:] if words is None else words)
    act = COMMANDS.get(given[0]) if given else None
    if act is not None:
        act(given[1:])
    else:
        serve(given)


def serve(given: Sequence[str]) -> None:
    """Serve until interrupted."""
    from app.__main__ import main as serve_for_ever  # only now, as each command: what it loads takes its time

    serve_for_ever(given)


def save(given: Sequence[str]) -> None:
    """One walk as one file."""
    if len(given) < 2:
        sys.exit(ABOUT)
    walk, file, *options = given
    site([file, "--walk", walk, *options])


def exercise(given: Sequence[str]) -> None:
    """The exercise of one walk as a notebook."""
    if len(given) < 2 or given[2:] not in ([], ["nbgrader"], ["otter"]):
        sys.exit(ABOUT)
    from app.site.__main__ import asked_for
    from app.site.server import RecordingError
    from backend.engine.language.errors import Refusal
    from backend.services.export import export

    walk, file, course = (*given, "nbgrader")[:3]
    try:
        Path(file).write_text(export(asked_for(walk)[0], course)["text"], encoding="utf-8")
    except Refusal as refusal:
        sys.exit(refusal.message)
    except RecordingError as error:
        sys.exit(str(error))
    print(f"{file} is written, for {course}.")


def site(given: Sequence[str]) -> None:
    """The course as a folder."""
    from app.site.__main__ import main as write

    write(given)


def check(given: Sequence[str]) -> None:
    """The checks of a script."""
    scripts = [one for one in given if one != STRICT]
    if len(scripts) != 1:
        sys.exit(ABOUT)
    from gradwalk.script import checked

    sys.exit(checked(scripts[0], STRICT in given))


def about(given: Sequence[str]) -> None:  # noqa: ARG001 - as every command
    """What there is."""
    print(ABOUT, end="")


COMMANDS: dict[str, Callable[[Sequence[str]], None]] = {
    "check": check, "save": save, "exercise": exercise, "site": site, "help": about,
}  # fmt: skip

if __name__ == "__main__":
    main()
