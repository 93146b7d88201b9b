"""A model's own backward pass beside the other oracles, on the page that a walk in Python is saved as."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from playwright.sync_api import expect

import gradwalk
from tests.browser.conftest import READY, OpenWalker
from tests.support.models import Sly

YOURS = ".oracle[data-oracle='your model']"
OVERLAPPING = """() => {
  const names = [...document.querySelectorAll(".oracle dt")].map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect();
  });
  const beside = (one, other) => Math.abs(one.top - other.top) < 8;
  return names.slice(1).filter((one, i) => beside(names[i], one) && names[i].right > one.left).length;
}"""


@pytest.mark.parametrize(
    ("scale", "says", "level"), [(Sly.apply, "its backward differs", "wrong"), (torch.sin, "its backward", "")]
)
def test_a_model_s_own_backward_stands_beside_autograd(
    walkers: OpenWalker, tmp_path: Path, scale: Any, says: str, level: str
) -> None:
    torch.manual_seed(0)
    walk = gradwalk.walk(lambda x: (scale(x) * x).sum(), torch.randn(4))
    alone = walkers(1280, 720)
    alone.page.goto(walk.save(tmp_path / "walk.html").as_uri())
    alone.page.wait_for_selector(READY)
    alone.press("End")
    expect(alone.page.locator(".oracle[data-oracle=autograd]")).to_contain_text("the same, bit for bit")
    yours = alone.page.locator(YOURS)
    expect(yours).to_contain_text(says)
    if level:
        expect(yours.locator(".badge-dot")).to_have_class(f"badge-dot level-{level}")
        most = walk.verdicts[0].difference
        expect(yours).to_contain_text(f"{most:.2g} at most")
    else:
        expect(yours.locator(".level-wrong")).to_have_count(0)
    assert alone.page.evaluate(OVERLAPPING) == 0
