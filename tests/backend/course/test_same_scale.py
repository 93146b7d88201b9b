"""Pictures of one quantity side by side have one colour scale."""

from __future__ import annotations

from backend.course.page import Page, find_chapter
from backend.course.same_scale import common_scales
from backend.program.chapters.chapter import Block


def test_the_two_gradients_of_one_name_reach_as_far_as_the_larger_of_them() -> None:
    page = Page(find_chapter("why-by-hand"), None)
    parts = page.chapter.parts
    found = common_scales(parts, page.runs)
    drawn = [parts[at] for at in found]
    largest = max(float(page.runs[name].run.gradients["dpred"].abs().max()) for name in ("column", "repaired"))
    assert [one.program for one in drawn if isinstance(one, Block)] == ["column", "repaired"]
    assert set(found.values()) == {largest}
    shown = {part["id"]: part["props"]["largest"] for part in page.parts() if "largest" in part["props"]}
    assert shown == {"tensor-column-dpred": largest, "tensor-repaired-dpred": largest}
