"""Every "±" on a page is the largest number of the tensor that it stands under: of plain, planted and practised walks,
of trained parameters, of tensors sent block by block, on a scale of their own or on one for all."""

import base64
import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from backend.pipeline import run_of
from tests.browser.conftest import READY, SECONDS, OpenWalker, Walker
from tests.browser.links import link
from tests.support.whole_walk import whole_walk
from tests.tools.server import Server

LESSON: dict[str, Any] = {"lesson": "makemore-mlp"}
LARGE: dict[str, Any] = {
    "source": "h = torch.tanh(x @ W)\nloss = (h * h).mean()",
    "tensors": {
        "x": {"role": "data", "shape": [64, 784], "init": "randn"},
        "W": {"role": "parameter", "shape": [784, 128], "init": "randn", "seed": 2, "scale": 0.1},
    },
}
POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
REACH = re.compile(r"(±\s?|max |min )([−\d.,]+(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)")


def said(text: str) -> tuple[str, float, float] | None:
    """The word and the size of what stands under a tensor, and one in its last digit; none where nothing does."""
    found = REACH.search(text)
    if found is None:
        return None
    digits, _, power = found[2].replace("−", "-").replace(",", "").partition("·10")
    factor = 10.0 ** int((power or "0").translate(POWERS))
    return found[1].strip(), abs(float(digits)) * factor, 10.0 ** -len(digits.partition(".")[2]) * factor


def numbers(wire: Any) -> np.ndarray[Any, Any]:
    """A tensor as the server sends it; of a tile the least and the greatest number of every block."""
    kinds = {"f4": np.float32, "f8": np.float64, "i4": np.int32, "u1": np.uint8}
    if "pooled" in wire:
        ends = (base64.b64decode(wire["pooled"][end]) for end in ("min", "max"))
        return np.concatenate([np.frombuffer(end, np.float32) for end in ends])
    return np.frombuffer(base64.b64decode(wire["bdata"]), kinds[wire["dtype"]])


def fault(name: str, text: str, wire: Any) -> list[str]:
    """What is untrue of a text under a tensor."""
    values = numbers(wire).astype(float)
    least, most = float(values.min()), float(values.max())
    word = "max" if least >= 0 < most else "min" if most <= 0 > least else "±"
    found, largest = said(text), max(-least, most)
    if found is None:
        return [] if largest == 0 or "all zero" in text or values.size == 1 else [f"{name}: nothing in {text!r}"]
    good = found[0] == word and abs(found[1] - largest) <= 0.501 * found[2]
    return [] if good else [f"{name}: {text!r}, and its largest number is {largest}"]


def pictured(walker: Walker) -> list[list[str]]:
    """Names and captions of what the equation draws."""
    return list(
        walker.ask(
            "[...document.querySelectorAll('#picture .piece')].map((one) => ["
            "one.querySelector('.label b').title, one.querySelector('.caption').textContent])"
        )
    )


def charted(walker: Walker) -> dict[str, str]:
    return dict(
        walker.ask(
            "Object.fromEntries([...document.querySelectorAll('#evidence .chart')].map((one) => "
            "[one.querySelector('.plot').dataset.which, one.querySelector('.bar').textContent]))"
        )
    )


def faults(walker: Walker, walk: Any, number: int) -> list[str]:
    """All captions of a backward step beside the numbers of the walk's own document."""
    step, nodes = walk["steps"][number - 1], {node["name"]: node for node in walk["nodes"]}
    drawn: dict[str, Any] = {}
    for one in step["picture"]["operands"]:
        held = nodes.get(one["node"] or "")
        own = held and (held["value"] if one["which"] == "value" else held["gradient"]["manual"])
        drawn["1s" if one["role"] == "ones" else one["code"]] = one["tensor"] or own
    if step["picture"]["product"]:
        drawn[step["picture"]["product"]["code"]] = step["picture"]["product"]["tensor"]
    node = nodes[step["node"]]
    if step["mode"] == "=":
        drawn[f"d{node['variable']}"] = step["contribution"]
    found = [one for name, text in pictured(walker) if name in drawn for one in fault(name, text, drawn[name])]
    assert {name for name, _ in pictured(walker)} & {*drawn}
    gradient = node["gradient"] if step["complete"] else {"manual": step["accumulated"]}
    sent = {"value": node["value"], **gradient}
    for which, text in charted(walker).items():
        found += fault(which, text, sent[which]) if text else []
    return found


STATES: dict[str, list[tuple[int, Any]]] = {
    "right": [(33, None), (28, None), (30, None)],
    "an operand left out": [
        (33, {"step": 32, "mistake": "missing-upstream"}),
        (35, {"step": 34, "mistake": "missing-upstream"}),
        (38, {"step": 37, "mistake": "missing-upstream"}),
    ],
    "wrong otherwise": [
        (33, {"step": 32, "mistake": "transposed"}),
        (30, {"step": 29, "mistake": "sign"}),
        (42, {"step": 40, "mistake": "missing-local"}),
    ],
}


@pytest.mark.parametrize("states", STATES.values(), ids=STATES)
def test_a_walk_s_captions_are_the_tensors_own(walker: Walker, server: Server, states: list[tuple[int, Any]]) -> None:
    for step, plant in states:
        walk = whole_walk(server, LESSON | ({"plant": plant} if plant else {}))
        query = f"&plant={plant['step'] + 1}.{plant['mistake']}" if plant else ""
        walker.open(f"/walk/makemore-mlp?step={step}{query}")
        assert faults(walker, walk, step) == []
        same = walker.page.get_by_role("button", name="same scale")
        if plant and plant["mistake"] == "missing-upstream":
            same.click()
            expect(same).to_have_attribute("aria-pressed", "true")
            assert faults(walker, walk, step) == []


def test_blocks_are_no_tensor(walker: Walker, server: Server) -> None:
    """One number for a tensor on a page: that of its own cells, not of their means; and blocks of whole cells."""
    walk = whole_walk(server, LARGE)
    step = next(i for i, one in enumerate(walk["steps"], 1) if one.get("code", "").startswith("dW"))
    walker.open(link(LARGE, step))
    expect(walker.page.locator("#picture .blocks").first).to_contain_text("blocks of")
    assert faults(walker, walk, step) == []
    for text in walker.page.locator("#picture .blocks").all_text_contents():
        assert re.fullmatch(r"blocks of \d+(–\d+)? × \d+(–\d+)?", text), text


@pytest.mark.exhaustive
def test_a_trained_step_s_captions_are_its_own(walker: Walker, server: Server) -> None:
    page = walker.page
    page.goto(walker.base + "/train/makemore-mlp?steps=20&hidden=16&batch=8")
    page.get_by_role("button", name="Ten steps").click()
    expect(page.get_by_role("button", name="Walk this step")).to_be_visible(timeout=SECONDS)
    expect(page.locator("#stand")).to_contain_text("step 10 of 20", timeout=SECONDS)
    with page.expect_response("**/api/walk", timeout=SECONDS) as answer:
        page.get_by_role("button", name="Walk this step").click()
    walk = whole_walk(server, dict(answer.value.request.post_data_json or {}))
    page.wait_for_selector(READY, timeout=SECONDS)
    number = next(i for i, step in enumerate(walk["steps"], 1) if step.get("code", "").startswith("dW2"))
    walker.step_to(number)
    expect(page.locator("#count")).to_contain_text(f"{number} /")
    assert faults(walker, walk, number) == []


def test_a_practised_line_and_the_true_one_have_their_own_scale(walkers: OpenWalker) -> None:
    walker = walkers()
    page = walker.page
    page.goto(walker.base + "/practise")
    blank = page.locator(".blank[data-task='dlogits']")
    blank.locator("textarea, .prompt").first.click()
    page.keyboard.insert_text("probs - F.one_hot(Yb, 27)")
    page.keyboard.press("Enter")
    maps = blank.locator(".comparison figure")
    expect(maps).to_have_count(3)
    true = run_of(LESSON).gradients["dlogits"]
    wanted = [32 * true, true, 31 * true]
    texts = maps.locator("figcaption").all_text_contents()
    for text, one in zip(texts, wanted, strict=True):
        word, largest, _ = said(text) or ("", 0.0, 0.0)
        assert word == "±"
        assert largest == pytest.approx(float(one.abs().max()), rel=6e-3)
    # the same pattern, so the same colours; paler on one scale
    assert inked(walker, 1) == inked(walker, 0)
    blank.get_by_role("button", name="same scale").click()
    assert inked(walker, 1) < 0.5 * inked(walker, 0)
    assert blank.locator(".comparison figcaption").all_text_contents() == texts


def inked(walker: Walker, which: int) -> float:
    """How far the colours of a practised picture are from those of zeros, on average."""
    return float(
        walker.page.evaluate(
            "(which) => {const canvas = document.querySelectorAll('.comparison canvas')[which];"
            "const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);"
            "const zero = [247, 244, 237]; let sum = 0;"
            "for (let i = 0; i < data.length; i += 4)"
            " for (let c = 0; c < 3; c += 1) sum += Math.abs(data[i + c] - zero[c]);"
            "return sum / data.length}",
            which,
        )
    )


@pytest.mark.parametrize(
    "lesson", ["makemore-mlp", pytest.param("softmax-cross-entropy.batch", marks=pytest.mark.exhaustive)]
)
def test_ropes_of_a_board_share_a_scale(walker: Walker, server: Server, lesson: str) -> None:
    walk = whole_walk(server, {"lesson": lesson})
    targets = next(node["targets"] for node in walk["nodes"] if node["name"] == "logits")
    last = max(i for i, step in enumerate(walk["steps"], 1) if step["node"] == "logits")
    pulls = -run_of({"lesson": lesson}).gradients["dlogits"][range(len(targets)), targets]
    walker.open(f"/walk/{lesson}?step={last}")
    board = walker.page.locator(".tug-board")
    heights = []
    for row in (int(pulls.argmax()), int(pulls.argmin())):
        board.focus()
        walker.press(*["ArrowUp"] * len(targets), *["ArrowDown"] * row)
        expect(walker.page.locator(".rope h2")).to_contain_text(f"example {row}")
        heights.append(float(walker.ask("document.querySelector('.rope rect.up').getAttribute('height')")))
    assert heights == pytest.approx([100, 100 * float(pulls.min() / pulls.max())], rel=1e-3)


def test_another_shape_has_no_names_of_the_right_one(walker: Walker) -> None:
    """A matrix turned the wrong way is (27, 64): neither its rows nor its columns are the hidden units and letters."""
    walker.open("/walk/makemore-mlp?step=33&plant=33.transposed")
    columns = walker.ask(
        "Object.fromEntries([...document.querySelectorAll('#evidence .chart')].map((one) => "
        "[one.querySelector('.plot').dataset.which, one.querySelector('.ticks').textContent]))"
    )
    assert columns["autograd"].startswith(".")
    assert re.fullmatch(r"[\d ]+", columns["manual"]), columns
    expect(walker.page.locator("#evidence .side .names span")).to_have_count(0)
    expect(walker.page.locator("#evidence .readout")).to_contain_text("manual: (27, 64)")
    expect(walker.page.locator("#evidence .readout")).not_to_contain_text("hidden unit")


def test_a_gradient_without_cells_is_a_step_like_others(walker: Walker) -> None:
    """`path` has no numbers: nothing is drawn of it, and the walk goes on."""
    walker.open("/walk/train-by-hand.noisy?step=176").press("ArrowRight")
    expect(walker.page.locator("#step-title")).to_contain_text("dpath")
    assert walker.count.startswith("177 ")
