"""Refusals that lead on: what stands in the text is marked whole, the first fault is told first, the hint says what to write."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

import pytest

import backend
from app.compute.worker import answer
from backend.engine.language.errors import catalogue
from backend.engine.language.grammar import FUNCTIONS, LAYERS
from backend.pipeline import traced
from backend.program.request import read

TENSORS = {
    "x": {"role": "parameter", "shape": [4, 5], "init": "randn", "seed": 1},
    "W": {"role": "parameter", "shape": [4, 5], "init": "randn", "seed": 2},
    "y": {"role": "target", "values": [0, 1, 2, 3]},
}


def refusal(source: Any, tensors: Any = TENSORS) -> Any:
    """What the language says by itself, as whoever writes an answer in it meets it."""
    with pytest.raises(backend.Refusal) as caught:
        traced(read({"source": source, "tensors": tensors}))
    return caught.value


# {source: (code, marked text, what the sentences must name)}
HINTS = {
    "return x.sum()": ("not-in-language", "return x.sum()", ["`return`", "`loss = …`"]),
    "def forward(x):\n    return x.sum()": ("not-in-language", "def forward(x):", ["function", "without `def` and `return`"]),
    "class Net:\n    pass": ("not-in-language", "class Net:", ["classes", "`forward`"]),
    "if x.dim() == 2:\n    h = x": ("not-in-language", "if x.dim() == 2:", ["`if`", "torch.where"]),
    "h = x if True else W": ("not-in-language", "x if True else W", ["else", "torch.where"]),
    "assert x.dim() == 2": ("not-in-language", "assert x.dim() == 2", ["Remove the line"]),
    "raise ValueError(x)": ("not-in-language", "raise ValueError(x)", ["Remove the line"]),
    "with torch.no_grad():\n    h = x": ("not-in-language", "with torch.no_grad():", ["`with`", ".detach()"]),
    "hs = [h * 2 for h in x]": ("not-in-language", "[h * 2 for h in x]", ["comprehension", ".append("]),
    "f = lambda a: a * 2": ("not-in-language", "lambda a: a * 2", ["`lambda`", "where it is used"]),
    "p = {'W': W}": ("not-in-language", "{'W': W}", ["dictionar", "W1"]),
    "p = {1, 2}": ("not-in-language", "{1, 2}", ["list"]),
    "t = f'{x}'": ("not-in-language", "f'{x}'", ["f-string", "Remove"]),
    "h = x.view(*s)": ("not-in-language", "*s", ["one by one"]),
    "h = x.view(**s)": ("not-in-language", "**s", ["one by one"]),
    "h: torch.Tensor = x * 2": ("not-in-language", "h: torch.Tensor = x * 2", ["annotation", "`name = …`"]),
    "del x": ("not-in-language", "del x", ["Remove the line"]),
    "try:\n    h = x\nexcept ValueError:\n    h = W": ("not-in-language", "try:", ["`try`"]),
    "pass": ("not-in-language", "pass", ["Remove the line"]),
    "while True:\n    h = x": ("not-in-language", "while True:", ["`for i in range(n):`"]),
    "for i in range(3):\n    break": ("not-in-language", "break", ["range"]),
    "m = x > 0 and x < 1": ("not-in-language", "x > 0 and x < 1", ["`&`"]),
    "m = not x": ("not-in-language", "not x", ["`~mask`"]),
    "h = (a := x) * 2": ("not-in-language", "a := x", ["line of its own"]),
    "h = x @ self.W": ("not-in-language", "self.W", ["`W`", "`self.W`", "table"]),
    "h = self.linear(x)": ("not-in-language", "self.linear", ["`self.linear`", "`x @ W.T + b`"]),
    '"""Computes\nsomething."""': ("expression-alone", '"""Computes', ["Remove", "comment"]),
    "print(x)": ("expression-alone", "print(x)", ["`print`", "Remove the line"]),
    "h = print(x)": ("expression-alone", "print(x)", ["`print`", "Remove the line"]),
    "x.shape": ("expression-alone", "x.shape", ["Remove the line"]),
    "x.retain_grad()": ("expression-alone", "x.retain_grad()", ["Remove the line"]),
    "x * 2": ("expression-alone", "x * 2", ["Give the result a name"]),
    "x.masked_fill_(x > 0, 0)": ("function-unlisted", "x.masked_fill_", ["in place", "x = x.masked_fill(…)"]),
    "h = torch.relu_(x)": ("function-unlisted", "torch.relu_", ["in place", "x = torch.relu(…)"]),
    "e = torch.randn_like(x)": ("function-unlisted", "torch.randn_like", ["new numbers", "table"]),
    "h = F.dropout(x, 0.5)": ("function-unlisted", "F.dropout", ["new numbers", "leave dropout out"]),
    "h = x.new(2, 3)": ("function-unlisted", "x.new", ["as one operation", "`x.new_zeros(2, 3)`"]),
    "h = torch.distributions.Cauchy(x, W)": ("function-unlisted", "torch.distributions.Cauchy", ["no distributions"]),
    "h = nn.Conv2d(3, 4, 2)(x)": ("module-unknown", "nn.Conv2d", ["weights inside", "`F.conv2d(x, W, b)`", "table"]),
    "h = nn.MaxPool2d(2)(x)": ("module-unknown", "nn.MaxPool2d", ["`F.max_pool2d(x, 2)`"]),
    "h = eval('x')": ("function-unlisted", "eval", ["Python's own", "the number that it gives", "the table"]),
    "h = torch.histogramdd(x)": ("function-unlisted", "torch.histogramdd", ["/reference", "no gradient", "the table"]),
    "h = torch.linalg.pinv(W)": ("function-unlisted", "torch.linalg.pinv", ["no rule", "the table"]),
    "h = torch.linalg.eigh(x)": ("function-unlisted", "torch.linalg.eigh", ["no rule", "the table"]),
    "h = torch.fft.rfft(x)": ("function-unlisted", "torch.fft.rfft", ["complex numbers", "a * c - b * d"]),
    "h = x.median()": ("function-unlisted", "x.median", ["`x[mask]`"]),
    "h = rearrange(x, 'b c -> c b')": ("function-unlisted", "rearrange", [".permute("]),
    "h = Normal(x, W).log_prob(y)": ("function-unlisted", "Normal", ["no distributions", "log-density"]),
    "h = x.view(list(x.shape))": ("function-unlisted", "list", ["changes nothing", "Leave the call out"]),
    "h = Variable(x)": ("function-unlisted", "Variable", ["changes nothing", "Leave the call out"]),
    "h = my_helper(x)": ("function-unlisted", "my_helper", ["no function", "its lines out where it is called"]),
    "h = str(x)": ("function-unlisted", "str", ["Python's own"]),
    "h = th.exp(x)": ("module-unknown", "th", ["no `th` here", "`torch.exp(x)`"]),
    "h = nn.PairwiseDistance()(x, W)": ("module-unknown", "nn.PairwiseDistance", ["`F.pairwise_distance(x, y)`"]),
    "h = x.data * 2": ("attribute", "x.data", ["cuts the gradient off", "`.detach()`"]),
    "x /= 2": ("augmented-assignment", "x /= 2", ["`x = x / …`", "`x /= …`"]),
    "x[0] += 2": ("augmented-assignment", "x[0] += 2", ["Single cells", "torch.stack"]),
    "self.x += 2": ("not-in-language", "self.x", ["`self.x`", "table"]),
    "loss = nn.MSELoss()(x, W)": ("module-unknown", "nn.MSELoss", ["`F.mse_loss(x, y)`"]),
    "loss = torch.nn.CrossEntropyLoss()(x, y)": ("module-unknown", "torch.nn.CrossEntropyLoss", ["F.cross_entropy"]),
    "h = nn.functional.relu(x)": ("module-unknown", "nn.functional", ["`F.relu(x)`"]),
    "h = nn.Linear(5, 3)(x)": ("module-unknown", "nn.Linear", ["weights inside", "`x @ W.T + b`", "table"]),
    "h = nn.Transformer(5)(x)": ("module-unknown", "nn.Transformer", ["table"]),
    "x[x > 0] = 0": ("assignment-target", "x[x > 0]", [".masked_fill(mask, 0)"]),
    "[a, b] = x, W": ("assignment-target", "[a, b]", ["`a, b = …`"]),
    "h = F.relu(x, inplace=True)": ("arguments", "F.relu(x, inplace=True)", ["`inplace`", "`F.relu(x)`"]),
    "a = b = x * 2": ("assignment-chain", "a = b = x * 2", ["`b = …`", "`a = b`"]),
    "F = x * 2": ("name-reserved", "F", ["torch.nn.functional", "another name"]),
    "_h = x * 2": ("name-underscore", "_h", ["`h`"]),
    "ε = x * 2": ("name-letters", "ε", ["`epsilon`"]),
    "été = x * 2": ("name-letters", "été", ["`ete`"]),
    "h = x @ W": ("matmul-mismatch", "x @ W", ["`x @ W.T` would fit"]),
    "h = x.T @ W.T": ("matmul-mismatch", "x.T @ W.T", ["`x.T @ W` would fit"]),
    "h = x @ (W[:, :3] * 2)": ("matmul-mismatch", "x @ (W[:, :3] * 2)", ["`x.T @ (W[:, :3] * 2)` would fit"]),
    "h = x[:, :2] @ W[:3, :3]": ("matmul-mismatch", "x[:, :2] @ W[:3, :3]", ["next-to-last"]),
    "h = x[None, None, None, None, None, None, None]": (
        "tensor-axes", "x[None, None, None, None, None, None, None]", ["9 axes", "At most 8"]),
    "loss = q.sum()": ("name-unknown", "q", ["isn't defined yet", "table"]),
}  # fmt: skip


@pytest.mark.parametrize("source", HINTS)
def test_a_refusal_marks_the_whole_and_says_what_to_write(source: Any) -> None:
    code, marked, words = HINTS[source]
    found = refusal(f"h0 = x * 2\n{source}\nloss = h0.sum()")
    assert (found.code, found.where["text"]) == (code, marked)
    assert found.where["line"] == (3 if marked == "break" else 2)
    assert found.where["end_column"] - found.where["column"] == len(marked)
    assert [word for word in words if word not in f"{found.message} {found.hint}"] == []


@pytest.mark.parametrize("instead", [*LAYERS.values(), *FUNCTIONS.values()])
def test_what_is_offered_for_a_layer_is_understood(instead: Any) -> None:
    slides = re.search(r"([123])d\(", instead)
    image = re.search(r"interpolate|unfold|pixel|reflect", instead) is not None
    shape = [1, 4, 9] if "F.fold" in instead else [4] * (2 + int(slides[1]) if slides else 4 if image else 2)
    decimals = {"role": "parameter", "shape": shape, "init": "rand"}
    row = {"role": "parameter", "shape": [4], "init": "rand"}
    places = {"role": "target", "values": [0, 1, 2, 3]}
    wholes = re.search(r"cross_entropy\(x|nll", instead) is not None and "binary" not in instead
    tensors = {
        "x": decimals, "y": places if wholes else decimals | {"role": "target"}, "W": decimals, "b": row, "weight": row,
        "bias": row, "ix": places,
    }  # fmt: skip
    constants = {"n": 4, "dim": 1, "groups": 2}
    used = {node.id for node in ast.walk(ast.parse(instead)) if isinstance(node, ast.Name)}
    given = {name: spec for name, spec in tensors.items() if name in used}
    backend.walk({"source": f"h = {instead}\nloss = h.sum()", "tensors": given, "constants": constants, "steps": "all"})


FAULTS = {
    "assert x.dim() == 2\nh = x * 2\nh += 1\nreturn h.sum()": ("not-in-language", 1),
    "h = torch.frobnicate(x)\nreturn h.sum()": ("function-unlisted", 1),
    "h = x @ W\nh += 1\nloss = h.sum()": ("matmul-mismatch", 1),
    "h = x * 2\nh += 1\nloss = torch.frobnicate(h)": ("augmented-assignment", 2),
    "for i in range(2):\n    h = x * 2\n    x[0] = 1\n    y += 1": ("assignment-target", 3),
    "h = F.relu(x.sum(_a), y=(lambda: 1))": ("name-underscore", 1),
    "h = x.view(2, 10, dim=1, dim=2) + [i for i in x]": ("keyword-twice", 1),
}


@pytest.mark.parametrize("source", FAULTS)
def test_of_several_faults_the_first_in_the_text_is_told(source: Any) -> None:
    found = refusal(source)
    assert (found.code, found.where["line"]) == FAULTS[source]


def test_while_tensors_are_missing_a_fault_further_down_is_told() -> None:
    missing, alone = ("name-unknown", 1), ("function-unknown", 2)
    given = {"x": TENSORS["x"]}
    for unfinished, told in (([], [missing, alone]), (["q"], [alone])):  # somebody may be about to describe `q`
        with pytest.raises(backend.Refusal) as caught:
            source = "h = q * 2\nz = torch.tahn(x)"
            backend.check({"source": source, "tensors": given, "unfinished": unfinished})
        found = [caught.value, *caught.value.others]
        assert [(one.code, one.where and one.where["line"]) for one in found] == told


def test_a_construct_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    found = refusal("h = torch.frobnicate(\n    x\n)\nloss = h.sum()")
    assert found.where == {"line": 1, "column": 5, "end_column": 21, "text": "torch.frobnicate"}
    found = refusal("h = F.relu(x,  # one\n    inplace=True)\nloss = h.sum()")
    assert found.where["text"] == "F.relu(x,  # one"


@pytest.mark.parametrize("margin", ["    ", "\t", "  \t "])
def test_an_indented_paste_is_read_and_its_places_are_those_of_the_text(margin: Any) -> None:
    source = "# Twice\nh = (x *\n   2)  # so\n\nfor i in range(2):\n    h = h * W\nloss = h.sum()\n"
    pasted = "".join(f"{margin}{line}\n" if line else "\n" for line in source.split("\n")[:-1])
    plain, indented = (backend.check({"source": text, "tensors": TENSORS}) for text in (source, pasted))
    assert indented == plain
    found = refusal(pasted.replace("h * W", "h * ü"))
    assert (found.where["line"], found.where["column"], found.where["text"]) == (6, len(margin) + 13, "ü")
    assert refusal(f"{margin}h = x *\n").where["line"] == 1


def test_an_indented_line_opens_too() -> None:
    request = {"source": "    h = x * 2\n    # less\n    loss = F.cross_entropy(h, y)\n", "tensors": TENSORS}
    assert [chunk["opens"] for chunk in backend.check(request)["chunks"]] == [False, True]
    opened = backend.opened(request, 3)["source"]
    assert opened.startswith("h = x * 2\n# less\n")
    assert backend.check(request | {"source": opened})["loss"] == "loss"


def test_a_refusal_is_answered_with_a_place_only_once_it_is_located() -> None:
    """The nodes of backward lines have places of their own, in texts that nobody pasted."""
    node = ast.parse("h = x @ W").body[0]
    found = backend.Refusal("memory-budget", limit="64 MiB", at=node)

    def refused(_: None) -> bytes:
        raise found

    assert "where" not in json.loads(answer({"job": refused}, "job", None)[1])["error"]
    found.locate(node, "h = x @ W")
    assert json.loads(answer({"job": refused}, "job", None)[1])["error"]["where"]["text"] == "h = x @ W"


def test_no_sentence_speaks_of_chunks() -> None:
    assert [code for code, texts in catalogue().items() if "chunk" in " ".join(texts).lower()] == []


def test_a_sentence_is_short() -> None:
    for text in (text for texts in catalogue().values() for text in texts):
        for sentence in re.split(r"(?<=[.?])\s+(?=[A-Z`])", re.sub(r"`[^`]*`", "code", text)):
            assert len(sentence.split()) <= 24, sentence
