"""YAML read with bounds: plain values only, no aliases, every key once, and the line that each value came from."""

from __future__ import annotations

from typing import Any

import yaml

MOST_DEPTH, MOST_NODES = 12, 20_000
Path = tuple[str | int, ...]
Plain = dict[str, object]
PLAIN = {f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null")}


class YamlError(ValueError):
    """What is wrong with a text, and in which of its lines, counted from 0."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message, self.line = message, line


class _Loader(yaml.SafeLoader):
    """Reads plain values; an alias, by which a short text can stand for gigabytes, is refused where it stands."""

    nodes = depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]  # the stubs have no type for it
        line = event.start_mark.line
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise YamlError("anchors and aliases aren't read", line)
        self.nodes, self.depth = self.nodes + 1, self.depth + 1
        if self.nodes > MOST_NODES or self.depth > MOST_DEPTH:
            raise YamlError("it is nested too deep, or holds too much", line)
        made = super().compose_node(parent, index)
        self.depth -= 1
        return made


def read_yaml(text: str) -> tuple[Any, dict[Path, int]]:
    """The value that a text holds, and the line of each value in it by its path; raises YamlError."""
    loader = _Loader(text)
    lines: dict[Path, int] = {}
    try:
        node = loader.get_single_node()
        return (None if node is None else _value(loader, node, (), lines)), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(error.problem or "it can't be read", mark.line if mark else 0) from None
    except (yaml.YAMLError, RecursionError):
        raise YamlError("it can't be read", 0) from None
    finally:
        loader.dispose()


def _value(loader: _Loader, node: yaml.Node, path: Path, lines: dict[Path, int]) -> Any:
    lines[path] = node.start_mark.line
    if isinstance(node, yaml.SequenceNode):
        return [_value(loader, part, (*path, place), lines) for place, part in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        return _mapping(loader, node, path, lines)
    if node.tag not in PLAIN:
        return str(node.value)  # a date is its text
    try:
        return loader.construct_object(node)
    except ValueError:
        raise YamlError("this number can't be read", node.start_mark.line) from None


def _mapping(loader: _Loader, node: yaml.MappingNode, path: Path, lines: dict[Path, int]) -> Plain:
    made: Plain = {}
    for key, part in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise YamlError("a key must be a word", key.start_mark.line)
        if key.value in made:
            raise YamlError(f"`{key.value}` is given twice", key.start_mark.line)
        made[key.value] = _value(loader, part, (*path, key.value), lines)
        lines[*path, key.value] = key.start_mark.line
    return made
