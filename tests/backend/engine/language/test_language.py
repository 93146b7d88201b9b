"""What the chunk language takes, what it refuses, and how: code, place and the text under it, in the catalogue's words."""

from __future__ import annotations

import ast
import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

import backend
from backend import Refusal
from backend.engine.language import grammar, unlisted
from backend.engine.language.allowed import _TARGETS
from backend.engine.language.errors import catalogue
from backend.engine.language.parse import parse
from tests.support.solve import problems, solve

SOURCE = Path(backend.__file__).parent
TENSORS = {
    "x": {"role": "parameter", "shape": [2, 3], "init": "randn", "seed": 1},
    "w": {"role": "parameter", "shape": [3], "init": "randn", "seed": 2},
    "W": {"role": "parameter", "shape": [3, 4], "init": "randn", "seed": 3},
    "y": {"role": "target", "values": [0, 2]},
}

ACCEPTED = {
    "comments": "# Heading\ny2 = x * 2  # twice\n\n# --- Sum ---\nloss = y2.sum()  # end\n",
    "CRLF": "a = x * 2\r\n\r\nloss = a.sum()\r\n",
    "old Mac line ends": "a = x * 2\rloss = a.sum()\r",
    "no newline at the end": "loss = x.sum()",
    "blank lines before": "\n\n  \nloss = x.sum()\n\n\n",
    "thousands": "loss = x.sum() / 1_000",
    "numbers in quotes": "a = x.masked_fill(x > 0, float('-1e20')) * float('.5')\nloss = a.mean() / float('1e20')",
    "decimals": "a = x * 2.e-5 + .5 - 1e3\nloss = a.sum()",
    "hexadecimal": "loss = x.sum() * 0xff",
    "chains of signs": "a = ---x + +-+x - -x\nloss = a.sum()",
    "brackets over lines": "a = (x\n     * 2  # two\n     + w)\nloss = a.sum(\n    0,\n    keepdim=True,\n).mean()",
    "backslash": "a = x \\\n    * 2\nloss = a.sum()",
    "two statements on a line": "a = x * 2; loss = a.sum()",
    "keepdims": "a = x.sum(1, keepdims=True)\nloss = (a * x).mean()",
    "axis": "loss = x.sum(axis=0).mean(axis=-1)",
    "input=": "loss = torch.sum(input=x, dim=(0, 1))",
    "a bare name at the end": "loss = x.sum()\nloss",
    "a loop": "for i in range(3):\n    x = torch.tanh(x * w) + i\nloss = x.sum()",
    "nested loops": "h = x * 1.5\nfor i in range(2):\n    for j in range(i + 1):\n        h = h * w + j\nloss = h.mean()",
    "re-assignment": "h = x * 2\nh = h * h\nh = h.sum()\nloss = h / 2",
    "sizes from a shape": "b, t = x.shape\na = x.view(t, b)\nloss = (a * a).sum() / b / t",
    "sizes by name": "n = x.shape[0]\nm = x.size(1)\nk = len(x) + x.ndim + x.numel()\nloss = x.sum() / n / m / k",
    "numbers": "a = 3 // 2 + 7 % 4 - 2**3\nb = -a / 2\nloss = x.sum() * b",
    "math": "loss = x.sum() / math.sqrt(2) * math.pi + math.log(3.0)",
    "several names": "a, b = x * 2, x * 3\nloss = (a * b).sum()",
    "a tuple of tensors": "p = (x * 2, x * 3)\nloss = (p[0] * p[1]).sum()",
    "an alias": "a = x\nb = a * 2\nloss = (a * b).sum()",
    "an alias that leads nowhere": "a = x * 2\nb = a\nloss = x.sum()",
    "an alias by torch's own doing": "a = x[0].flatten()\nb = x.contiguous()\nloss = (a * b).sum()",
    "a pair": "m = x.max(1, keepdim=True)\nloss = (m.values * x).sum()",
    "a pair unpacked": "v, i = x.max(1)\nloss = (v * v).sum()",
    "torch.nn.functional": "loss = torch.nn.functional.cross_entropy(x, y)",
    "range as an index": "a = x[range(2), y]\nloss = -a.mean()",
    "every kind of index": "a = x[0] * x[-1]\nb = x[:, 1:] - x[..., :-1]\nc = x[None] * x[::1]\nloss = a.sum() + b.sum() + c.mean()",
    "powers": "a = x**2 + x**1\nb = 2**x\nc = (x * x + 1)**-0.5\nloss = (a * b * c).sum()",
    "the same tensor twice": "a = x * x + x / x - x @ W @ W.T\nloss = a.sum()",
    "one fraction": "loss = -1/2*x.sum(0, keepdim=True).sum() + 1.0/(x*x + 1).sum()",
    "a variable called like a rule's words": "g = x * 2\nout = g * w\nkept = out.sum(0)\nloss = (kept * kept).mean()",
    "a variable called like another's gradient": "h = x * 2\ndh = h * 3\nddh = dh * h\nloss = (ddh * dh).sum()",
    "a variable called like a version": "h = x * 2\nh_2 = x * 3\nh = h * h_2\nh_2 = h_2 * h\nloss = (h * h_2).sum()",
    "a variable called like an inner gradient": "loss_inner = x * 2\ndloss_inner = x * 3\nloss = ((loss_inner + w) * (x - w) * dloss_inner).exp().sum()",
    "a gradient's name for the loss": "dloss = (x * x).sum()",
    "look-alikes that Python takes for letters": "ｘ２ = x * 2\nloss = x2.sum()",
    "a name of 64 letters": f"{'a' * 64} = x * 2\nloss = {'a' * 64}.sum()",
}


@pytest.mark.parametrize("source", ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(source: Any) -> None:
    assert not problems({"source": source, "tensors": TENSORS})


def test_the_pasted_text_is_kept() -> None:
    source = "# Twice\na = x * 2  # as written\n\nloss = a.sum()\n"
    assert solve({"source": source, "tensors": TENSORS}).graph.forward_source == source


# {source: (code, line, column, text under the place)}; columns count characters from 1.
REFUSED = {
    "a = x * q\nloss = a.sum()": ("name-unknown", 1, 9, "q"),
    "hidden = x * 2\nloss = hiden.sum()": ("name-near", 2, 8, "hiden"),
    "import os\nloss = x.sum()": ("import", 1, 1, "import os"),
    "from os import path": ("import", 1, 1, "from os import path"),
    "loss = x.sum(": ("syntax", 1, 13, "("),
    "a = x *\nloss = a": ("syntax", 1, 8, None),
    "loss = (lambda: 1)": ("not-in-language", 1, 9, "lambda: 1"),
    "a = [i for i in range(3)]": ("not-in-language", 1, 5, "[i for i in range(3)]"),
    "a = f'{x}'": ("not-in-language", 1, 5, "f'{x}'"),
    "while x: a = 1": ("not-in-language", 1, 1, "while x: a = 1"),
    "if x: a = 1": ("not-in-language", 1, 1, "if x: a = 1"),
    "a = not x": ("not-in-language", 1, 5, "not x"),
    "a = x if x else w": ("not-in-language", 1, 5, "x if x else w"),
    "a = x.sum(**w)": ("not-in-language", None, None, None),
    "a = __import__('os')": ("name-underscore", 1, 5, "__import__"),
    "a = x.__class__": ("name-underscore", 1, 5, "x.__class__"),
    "_ = x * 2": ("name-underscore", 1, 1, "_"),
    "a, _ = x.max(1); b = _": ("name-underscore", 1, 22, "_"),
    "a = []; b = a; a.append(x)": ("list-shared", 1, 16, "a.append(x)"),
    "a = (1,); a.append(x)": ("attribute", 1, 11, "a.append(x)"),
    "x.append(1)": ("attribute", 1, 1, "x.append(1)"),
    "\u0445 = x * 2": ("name-letters", 1, 1, "\u0445"),
    "é = 'ä'; a = x * q": ("name-letters", 1, 1, "é"),
    "a = 'ää' ; b = q": ("name-unknown", 1, 16, "q"),
    "torch = x * 2": ("name-reserved", 1, 1, "torch"),
    "F = x": ("name-reserved", 1, 1, "F"),
    "a = 3j": ("constant-kind", 1, 5, "3j"),
    "a = b'x'": ("constant-kind", 1, 5, "b'x'"),
    "a = 99999999999999999999": ("integer-too-large", 1, 5, "99999999999999999999"),
    "a = 10**10**10": ("power-too-large", 1, 5, "10**10**10"),
    "a = math.exp(x)\nloss = a.sum()": ("number-fails", 1, 5, "math.exp(x)"),
    "a = x[::-1]\nloss = a.sum()": ("operation-fails", 1, 5, "x[::-1]"),
    "loss = x.sum().item()": ("function-unlisted", 1, 8, "x.sum().item"),
    "a = x.half()\nloss = a.sum()": ("function-unlisted", 1, 5, "x.half"),
    "a = 1 / 0": ("number-fails", 1, 5, "1 / 0"),
    "a = int(math.inf)": ("number-fails", 1, 5, "int(math.inf)"),
    "x += 1": ("augmented-assignment", 1, 1, "x += 1"),
    "x[0] += 1": ("augmented-assignment", 1, 1, "x[0] += 1"),
    "x //= 2": ("augmented-assignment", 1, 1, "x //= 2"),
    "a = float('1_0')": ("builtin-arguments", 1, 5, "float('1_0')"),
    "a = b = x": ("assignment-chain", 1, 1, "a = b = x"),
    "x[0] = 1": ("assignment-target", 1, 1, "x[0]"),
    "for i in x:\n    a = i": ("loop-form", 1, 1, None),
    "for i in range(2):\n    a = x\nelse:\n    a = w": ("loop-form", 1, 1, None),
    "x * 2": ("expression-alone", 1, 1, "x * 2"),
    "print(x.shape)": ("expression-alone", 1, 1, "print(x.shape)"),
    "loss = x.sum()\nloss.backward()": ("backward-call", 2, 1, "loss.backward()"),
    "a = 0 < x < 1": ("comparison-chain", 1, 5, "0 < x < 1"),
    "a = 1 < 2": ("comparison-plain", 1, 5, "1 < 2"),
    "a = x is x": ("comparison-plain", 1, 5, "x is x"),
    "a = x << 2": ("operator-unknown", 1, 5, "x << 2"),
    "a = x * 'b'": ("operand-kind", 1, 5, "x * 'b'"),
    "a = x == None": ("operand-kind", 1, 5, "x == None"),
    "a = x @ 2": ("operand-kind", 1, 5, "x @ 2"),
    "a = x ^ 2": ("bitwise-decimals", 1, 5, "x ^ 2"),
    "a = (x > 0) & x": ("bitwise-decimals", 1, 5, "(x > 0) & x"),
    "a = len(3)": ("operand-kind", 1, 5, "len(3)"),
    "a = math.prod(range(1, 1000))": ("operand-kind", 1, 5, "math.prod(range(1, 1000))"),
    "a = x[:1.5]": ("slice-ends", 1, 7, ":1.5"),
    "a = x.shape[::0]": ("slice-ends", 1, 13, "::0"),
    "a = x.shape[2]": ("axis-missing", 1, 5, "x.shape[2]"),
    "a = x.size(5)": ("axis-missing", 1, 5, "x.size(5)"),
    "a = 3\nb = a[0]": ("subscript-kind", 2, 5, "a[0]"),
    "a = x.data": ("attribute", 1, 5, "x.data"),
    "a = x.exp": ("attribute", 1, 5, "x.exp"),
    "a = x.T()": ("attribute", 1, 5, "x.T"),
    "a = (1)(2)": ("call-form", 1, 5, "(1)(2)"),
    "a = x.exq()": ("function-unknown", 1, 5, "x.exq"),
    "a = torch.frobnicate_everything(x)": ("function-unlisted", 1, 5, "torch.frobnicate_everything"),
    "a = torch.load('x')": (None, 1, 5, "torch.load"),
    "a = eval('1')": ("function-unlisted", 1, 5, "eval"),
    "a = rang(3)": ("function-unknown", 1, 5, "rang"),
    "a = x.sum(0, out=w)": ("arguments", 1, 5, "x.sum(0, out=w)"),
    "a = math.sqrt(4, base=2)": ("keyword-unknown", 1, 5, "math.sqrt(4, base=2)"),
    "a = x.sum(dim=0, dim=1)": ("keyword-twice", 1, 18, "dim=1"),
    "a = torch.exp(x, w)": ("arguments", 1, 5, "torch.exp(x, w)"),
    "a = x.argmax(1).float()\nloss = (a * w.argmax()).sum()": (None, None, None, None),
    "a, b, c = x.shape": ("unpack-count", 1, 1, "a, b, c = x.shape"),
    "a = x + W": ("broadcast-mismatch", 1, 5, "x + W"),
    "a = x @ x": ("matmul-mismatch", 1, 5, "x @ x"),
    "a = x * (w @ x)": ("matmul-mismatch", 1, 10, "w @ x"),
    "a = x.view(4, 4)": ("reshape-mismatch", 1, 5, "x.view(4, 4)"),
    "a = torch.reshape(x, (4, 4))": ("reshape-mismatch", 1, 5, "torch.reshape(x, (4, 4))"),
    "a = x.expand(7, 5)": ("shapes-do-not-fit", 1, 5, "x.expand(7, 5)"),
    "a = x.repeat(2)": ("operation-fails", 1, 5, "x.repeat(2)"),
    "a, b = x.split([2, 9], 1)": ("shapes-do-not-fit", 1, 8, "x.split([2, 9], 1)"),
    "a = F.conv_transpose1d(x, x[None])": ("shapes-do-not-fit", 1, 5, "F.conv_transpose1d(x, x[None])"),
    "a = x.T.view(-1)\nloss = a.sum()": ("view-apart", 1, 5, "x.T.view(-1)"),
    "a = x[0, 0, 0]": ("too-many-indices", 1, 5, "x[0, 0, 0]"),
    "a = x[5]": ("index-out-of-range", 1, 5, "x[5]"),
    "a = x[1.5]": ("index-kind", 1, 5, "x[1.5]"),
    "a = x.expand(2**18, 2, 3)": ("tensor-too-large", 1, 5, "x.expand(2**18, 2, 3)"),
    "a = x[range(2**40)]": ("range-too-long", 1, 7, "range(2**40)"),
    "for i in range(10**9):\n    a = x": ("range-too-long", 1, 10, "range(10**9)"),
    "a = float(x)": ("builtin-arguments", 1, 5, "float(x)"),
    "a = range(2.5)": ("builtin-arguments", 1, 5, "range(2.5)"),
    "a = np.exp(x)": ("module-unknown", 1, 5, "np"),
    "a = F.tanh((1, 2)) + x.sum()": ("arguments", 1, 5, "F.tanh((1, 2))"),
    "for i in range(3000):\n    x = x * w\nloss = x.sum()": ("too-many-steps", 2, 9, "x * w"),
    "n = 3": ("no-tensor-assigned", None, None, None),
    "n = x.max(1)": ("no-tensor-assigned", None, None, None),
    "a, b = x.max()": ("unpack-count", 1, 1, "a, b = x.max()"),
    "a = x.sum(7)": ("operation-fails", 1, 5, "x.sum(7)"),
    "a = torch.cat([x, x[:1, :1]])": ("shapes-do-not-fit", 1, 5, "torch.cat([x, x[:1, :1]])"),
    "loss = x * 2": ("loss-not-scalar", None, None, None),
    "loss = x.sum().detach()": ("loss-needs-nothing", None, None, None),
    "": ("program-empty", None, None, None),
    "# only a comment": ("program-empty", None, None, None),
    "a = (\n  x *\n  q)": ("name-unknown", 3, 3, "q"),
    "a = 1 # é \u2028 \x0c\nb = x * q": ("character-unseen", 1, 11, "·"),
}


@pytest.mark.parametrize("source", REFUSED)
def test_refused(source: Any) -> None:
    code, line, column, text = REFUSED[source]
    with pytest.raises(Refusal) as caught:
        solve({"source": source, "tensors": TENSORS})
    refusal = caught.value
    assert refusal.code == (code or refusal.code)
    assert refusal.status == 422
    assert (refusal.where is None) or line is not None or code in (None, "not-in-language")
    if line is not None:
        where: dict[str, Any] = refusal.where or {}
        assert (where["line"], where["column"]) == (line, column)
        assert text is None or where["text"] == text
        assert where["end_column"] > where["column"]
        assert text is None or where["end_column"] - where["column"] == len(text)


@pytest.mark.parametrize("source", REFUSED)
def test_words(source: Any) -> None:
    """No placeholder left open, no object's repr, no path, no traceback; one sentence and one hint."""
    with pytest.raises(Refusal) as caught:
        parse(source)
        solve({"source": source, "tensors": TENSORS})
    for text in (caught.value.message, caught.value.hint):
        assert text
        assert text.endswith((".", "?"))
        assert not re.search(r"\{\w+\}|<\w+ |object at|Traceback|\.py\b|/home|torch\._C", text)
    again = pickle.loads(pickle.dumps(caught.value))
    assert vars(again) == vars(caught.value)
    assert str(again) == str(caught.value)


def used_codes() -> set[str]:
    """Entries of the catalogue that some refusal names: in its own call, in a `code`, or in a table of them."""
    trees = [ast.parse(path.read_text()) for path in SOURCE.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    refusals = [
        node.args[0]
        for node in nodes
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Refusal", "Exhausted")
    ]
    codes = [
        node.value for node in nodes if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "code"
    ]
    alone = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == "_alone"]
    returned = [n.value for function in alone for n in ast.walk(function) if isinstance(n, ast.Return) and n.value]
    written = [
        part for tree in refusals + codes + returned for part in ast.walk(tree) if isinstance(part, ast.Constant)
    ]
    words = {part.value for part in written if isinstance(part.value, str) and re.fullmatch("[a-z/-]{3,}", part.value)}
    constants = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    words |= {text for text in constants if re.fullmatch("(chapter|exhibit)/[a-z-]+", text)}
    return words | {*grammar.REFUSED.values(), *_TARGETS.values(), *unlisted.KINDS.values()}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("torch.tahn(x)", "torch.tanh"),
        ("torch.sigmod(x)", "torch.sigmoid"),
        ("F.croos_entropy(x, x)", "F.cross_entropy"),
        ("torch.cross_entropy(x, x)", "F.cross_entropy"),
        ("F.layernorm(x)", "F.layer_norm"),
        ("softmax(x, 1)", "F.softmax"),
        ("exp(x)", "torch.exp"),
        ("x.mena()", ".mean"),
        ("x.cross_entropy(x)", "F.cross_entropy"),
        ("torch.float(x)", ".float"),
        ("rang(3)", "range"),
        ("math.sqr(2)", "math.sqrt"),
        # what torch has is no slip of the pen, and short names that differ are meant to
        ("torch.kthvalue(x, 1)", None),
        ("torch.svd(x)", None),
        ("x.svd()", None),
        ("torch.qr(x)", None),
        ("eval('1')", None),
    ],
)
def test_only_a_name_that_is_really_near_is_suggested(written: Any, meant: Any) -> None:
    with pytest.raises(Refusal) as refused:
        backend.check({"source": f"a = {written}", "tensors": {"x": {"role": "parameter", "values": [[1.0, 2.0]]}}})
    assert refused.value.code == ("function-unknown" if meant else "function-unlisted")
    if meant:
        assert f"Did you mean `{meant}`? Every operation that is known is listed at /reference." == refused.value.hint
    else:
        assert "Did you mean" not in refused.value.hint


def test_the_catalogue_is_complete_and_nothing_more() -> None:
    assert used_codes() == set(catalogue())


def test_the_catalogue_is_read_whole() -> None:
    text = (SOURCE / "engine" / "language" / "messages.md").read_text()
    assert len(re.findall(r"^## ", text, re.MULTILINE)) == len(catalogue())
    assert all(message and hint for message, hint in catalogue().values())


def test_quoted_text_is_short_and_printable() -> None:
    with pytest.raises(Refusal) as caught:
        solve({"source": f"a = x * 2\n{'b' * 65} = 1", "tensors": TENSORS})
    assert len(caught.value.message) < 200
    with pytest.raises(Refusal) as caught:
        backend.lesson("\x1b[31m" + "z" * 500)
    assert caught.value.status == 404
    assert "\x1b" not in caught.value.message
    assert len(caught.value.message) < 200


def test_whole_numbers_among_decimals_are_told_and_can_be_turned() -> None:
    tensors = {
        "X": {"role": "data", "values": [[0, 1], [1, 0]]},
        "W": {"role": "parameter", "shape": [2, 3], "init": "randn"},
    }
    source = "# a comment first\nh = torch.tanh(X @ W)\nloss = h.sum()"
    with pytest.raises(Refusal) as caught:
        backend.check({"source": source, "tensors": tensors})
    assert caught.value.code == "whole-numbers"
    assert caught.value.where == {"line": 2, "column": 16, "end_column": 21, "text": "X @ W"}
    turned = {"source": source.replace("X @", "X.float() @"), "tensors": tensors}
    summary = json.loads(backend.walk(turned))["summary"]
    assert (summary["gradients"], summary["wrong"]) == (2, 0)


def test_numbers_that_torch_refuses_are_refused_in_their_own_place() -> None:
    tensors = {"C": {"role": "parameter", "shape": [4, 2], "init": "randn"}, "ix": {"role": "target", "values": [0, 9]}}
    with pytest.raises(Refusal) as caught:
        backend.walk({"source": "# rows\n\nloss = 2 * C[ix].sum()", "tensors": tensors})
    assert caught.value.code == "index-out-of-range"
    assert caught.value.where == {"line": 3, "column": 12, "end_column": 17, "text": "C[ix]"}


@pytest.mark.parametrize(
    ("line", "code"),
    {
        "F.cross_entropy(x, classes, ignore_index=1)": "class-out-of-range",
        "F.nll_loss(x, classes + 200)": "class-out-of-range",
        "x.sum() * F.one_hot(places, 2).sum()": "class-out-of-range",
        "x.gather(1, places[:, None]).sum()": "place-out-of-range",
        "F.embedding(places, x).sum()": "place-out-of-range",
        "torch.zeros(2).scatter_add(0, places, x[:, 0]).sum()": "place-out-of-range",
        "F.binary_cross_entropy(x.exp() + 1, x.exp())": "outside-zero-and-one",
        "F.cross_entropy(x, places.float())": "whole-numbers-wanted",
        "F.embedding(places.float(), x).sum()": "whole-numbers-wanted",
        "x.gather(1, x).sum()": "whole-numbers-wanted",
        "x[x].sum()": "whole-numbers-wanted",
    }.items(),
)
def test_numbers_at_fault_are_told_from_shapes(line: Any, code: Any) -> None:
    tensors = {
        "x": {"role": "parameter", "shape": [3, 4], "init": "randn"},
        "classes": {"role": "target", "values": [-100, 0, 1]},
        "places": {"role": "target", "values": [0, 1, 9]},
    }
    with pytest.raises(Refusal) as caught:
        backend.walk({"source": f"loss = {line}", "tensors": tensors})
    assert caught.value.code == code


@pytest.mark.parametrize("line", ["a, b = X", "a, b, c, d = X.sum()"])
def test_a_tensor_has_as_many_parts_as_rows(line: Any) -> None:
    with pytest.raises(Refusal) as caught:
        solve(
            {"source": f"{line}\nloss = a.sum()", "tensors": {"X": {"role": "data", "shape": [4, 2], "init": "rand"}}}
        )
    assert caught.value.code == "unpack-count"


def test_a_list_repeated_too_often() -> None:
    with pytest.raises(Refusal) as caught:
        solve({"source": "many = [x] * 2**50\nloss = x.sum()", "tensors": TENSORS})
    assert caught.value.code == "list-too-long"


def test_facts_of_a_kind_of_number() -> None:
    """`torch.finfo` is no tensor: its parts are plain numbers."""
    source = "info = torch.finfo(x.dtype)\nh = (x + info.eps).masked_fill(x < 0, torch.finfo(x.dtype).min)\nloss = h.logsumexp(0)"
    walked = json.loads(
        backend.walk({"source": source, "tensors": {"x": {"role": "parameter", "values": [1.0, -2.0]}}})
    )
    assert [node["name"] for node in walked["nodes"]] == ["x", "h", "loss"]
    assert walked["summary"]["wrong"] == 0


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("a = x.exp", "`.exp` is a method, and stands here without its brackets. Write `x.exp(…)`"),
        ("a = x.max(1)", "`a` is a pair of tensors, values and places, and no tensor. Take one of the two: `a.values`"),
        ("a, b = x.max()", "2 names are given one value. Give it one name."),
        ("a = x.sum(7)", "`.sum` is asked for an axis that (2, 3) doesn't have."),
        ("a = torch.cat([x, x[:1, :1]])", "`torch.cat` doesn't fit shapes (2, 3) and (1, 1)."),
    ],
)
def test_a_common_slip_is_told_what_to_write(source: str, said: str) -> None:
    with pytest.raises(Refusal) as caught:
        solve({"source": source, "tensors": TENSORS})
    assert said in f"{caught.value.message} {caught.value.hint}"
