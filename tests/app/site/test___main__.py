"""The command line of the folder."""

import json
from pathlib import Path

import pytest

from app.site.__main__ import main


def test_programs_of_one_name_are_not_written_over_each_other(tmp_path: Path) -> None:
    files = [tmp_path / part / "mine.json" for part in ("a", "b")]
    for file in files:
        file.parent.mkdir()
        file.write_text(json.dumps({"lesson": "makemore-mlp"}))
    with pytest.raises(SystemExit, match="rename one"):
        main([str(tmp_path / "site"), *(word for file in files for word in ("--program", str(file)))])
    assert not (tmp_path / "site").exists()
