"""Chapters to be tried: small files, and the front matter that each of them needs."""

from __future__ import annotations

from pathlib import Path

FRONT = """\
---
title: A trial
promise: You will see.
minutes: 3
program: |
  Y = X * w + b
  loss = (Y * G).sum()
tensors:
  X: {role: data, shape: [4, 3], init: randn, seed: 1}
  w: {role: parameter, values: [[0.5, -1.0, 2.0]]}
  b: {role: parameter, shape: [4, 1], init: randn, seed: 2}
  G: {role: target, shape: [4, 3], init: randn, seed: 3}
dims: {X: [example, feature], w: ["", feature], b: [example, ""]}
---
"""
FIRST = FRONT.count("\n") + 1  # the line of the file in which the text begins


def chapter_text(body: str, front: str = FRONT) -> str:
    """A whole chapter with this text."""
    return front + body


def put(folder: Path, name: str, body: str, front: str = FRONT) -> Path:
    """A chapter as a file in a folder."""
    path = folder / name
    path.write_text(chapter_text(body, front), encoding="utf-8")
    return path
