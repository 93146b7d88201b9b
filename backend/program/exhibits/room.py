"""The room of exhibits that are served: ours, and those of a folder beside its chapters, in the order of file names."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from backend.engine.language.errors import Refusal
from backend.program.chapters.shelf import files, shown
from backend.program.exhibits.exhibit import Exhibit
from backend.program.exhibits.reader import read_exhibit, text_of

MOST_FILES = 400


@dataclass
class Room:
    """Exhibits by name, and what is wrong with files that can't be read, by their names."""

    exhibits: dict[str, Exhibit] = field(default_factory=dict)
    faults: dict[str, Refusal] = field(default_factory=dict)


def read_room(*folders: Path) -> Room:
    """Our exhibits and then those of each folder; a file that can't be read is kept as its fault."""
    room = Room()
    for folder in (own_folder(), *folders):
        for path in files(folder, ".toml", MOST_FILES):
            file = shown(path.name)
            try:
                exhibit = read_exhibit(file, text_of(path, file))
                if exhibit.name in room.exhibits:
                    raise Refusal("exhibit/name-taken", file=file, found=exhibit.name)
                room.exhibits[exhibit.name] = exhibit
            except Refusal as refusal:
                room.faults[file] = refusal
    return room


def own_folder() -> Path:
    """Where our own exhibits lie."""
    return Path(str(resources.files(__package__))) / "files"
