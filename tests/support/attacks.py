"""Hostile programs and requests, in the spirit of the corpora that broke other sandboxes; every one must be refused."""

from __future__ import annotations

from typing import Any

TENSORS: dict[str, Any] = {
    "x": {"role": "parameter", "shape": [2, 3], "init": "randn"},
    "b": {"role": "parameter", "values": 1.5},
    "k": {"role": "target", "values": [0, 1]},
}
END = "\nloss = x.sum()"

DOORS = [  # attributes that lead out
    "x.__class__",
    "x.__class__.__mro__[1].__subclasses__()",
    "x.__dict__",
    "x.__init__.__globals__",
    "x._base",
    "x._grad_fn",
    "x.data",
    "x.grad",
    "x.grad_fn",
    "x.grad_fn.next_functions",
    "x.numpy()",
    "x.tolist()",
    "x.item()",
    "x.storage()",
    "x.untyped_storage()",
    "x.data_ptr()",
    "x.apply_(abs)",
    "x.map_(x, abs)",
    "x.share_memory_()",
    "x.register_hook(print)",
    "x.requires_grad_()",
    "x.share",
    "x.exp",
    "x.sum.sum()",
    "x.T()",
    "x.shape.__class__",
    "x.shape.count(2)",
    "x.shape()",
    "x.sum.__self__",
    "x.sum.__globals__",
    "torch.load('x')",
    "torch.save(x, '/tmp/x')",
    "torch.hub.load('a', 'b')",
    "torch.ops.load_library('x')",
    "torch.ops.aten.add(x, x)",
    "torch.serialization.os.system('id')",
    "torch.os",
    "torch.sys",
    "torch._C._show_config()",
    "torch.classes",
    "torch.jit.script(x)",
    "torch.compile(x)",
    "torch.nn.Module()",
    "F.torch.load('x')",
    "torch.nn.functional.torch.os.system('id')",
    "torch.nn.functional.relu.__globals__",
    "math.__dict__",
    "math.__loader__",
    "math.os",
    "torch",
    "F",
    "math",
    "range",
    "len",
    "math.sqrt",
    "torch.exp",
    "x.backward()",
    "x.add_(1)",
    "x.zero_()",
    "x.exp_()",
    "torch.set_default_dtype(torch.float64)",
    "torch.manual_seed(1)",
    "torch.set_num_threads(99)",
    "torch.from_file('/etc/passwd')",
]
BUILTINS = [
    "eval('1')", "exec('1')", "open('/etc/passwd')", "compile('1', '', 'eval')", "__import__('os')", "getattr(x, 'sum')", "type(x)",
    "vars()", "dir()", "globals()", "locals()", "super()", "print(x)", "input()", "breakpoint()", "help()", "id(x)", "object()",
    "setattr(x, 'a', 1)", "isinstance(x, int)", "sum(x)", "map(len, x)", "memoryview(b'a')", "__builtins__", "str(x)", "repr(x)",
]  # fmt: skip
STRINGS = [
    "'{0.__class__}'.format(x)", "'%s' % x", "f'{x}'", "f'{x.__class__}'", "f'{x!r:>{10**9}}'", "'a' * 1000000000", "'a' + 'b'",
    "'a'.join(x)", "x['a']", "x.view('float64')", "b'a'", "x + 'a'", "x.sum('a')", "int('9' * 5000)", "float('nan')", "len('abc')",
    "x == 'a'", "torch.einsum('{x.__class__}', x)", "torch.einsum('ij->' + 'i', x)", "-'a'",
]  # fmt: skip
FRAMES = [
    "(lambda: 1)", "(i for i in range(9))", "[i for i in range(9)]", "{i for i in range(9)}", "{1: x}", "{1}", "(yield)", "(yield).gi_frame",
    "(z := 1)", "x if x else x", "x and x", "not x", "*x,", "x[*k]", "x.sum(*k)", "x.sum(**k)", "(i for i in x).gi_frame.f_back.f_globals",
    "[].append(x)", "x < x < x", "x in x", "x is x",
]  # fmt: skip
STATEMENTS = [
    "import os", "from os import *", "import torch as x", "def f(): pass", "async def f(): pass", "class A: pass", "while 1: a = 1",
    "with x: a = 1", "try:\n    a = 1\nexcept: a = 2", "assert x", "del x", "global x", "nonlocal x", "return x", "raise x", "pass",
    "break", "match x:\n    case 1: a = 1", "@x\ndef f(): pass", "a: int = 1", "x.a.b = 1", "x[0] = 1", "x += 1", "a = b = x",
    "[a, b] = x", "(a, (b, c)) = x", "*a, b = x", "torch = x", "F = x", "math = x", "range = x", "len = x", "float = x",
    "for torch in range(3): a = x", "for x.a.b in range(3): a = x", "for i in x: a = i", "for i in (1, 2): a = x", "x.backward()",
    "x * 2", "print(x)", "if x: a = 1", "a = 1 if x else 2", "type X = int", "await x", "x: 1", "exec x", "print x",
]  # fmt: skip
LOOKALIKES = [
    "\u0445 = x", "y\u00b2 = x", "a = x\u00b2", "\u212f = zz", "_\uff58 = x", "a = x.\uff3f\uff3fclass\uff3f\uff3f", "a = \u0440rint(x)", "a\u200b = x",
    "a\u00a0= x", "a = x\u037e b = x", "\ufeffa = x", "a = \u201cx\u201d", "a = x \u2212 b", "a = \U0001d431 * zz", "\u202ea = x", "a = x\x00", "\x00",
    "a = '\ud800'", "\ud800 = x", "a = x  # \ud800", "__ = x", f"{'a' * 65} = x", f"a = {'b' * 20_000}",
]  # fmt: skip
# What a line that is left out may hide.
HIDDEN = [
    "print(open('/etc/passwd').read())", "print(__import__('os').system('id'))", "print(f'{open(1)}')", "print(helper(x))",
    "assert eval('1')", "assert os.system('id') == 0", "import os\nos.system('id')", "import subprocess\nsubprocess.run(['id'])",
    "import os as torch2\na = torch2.system('id')", "from os import system\nsystem('id')", "from builtins import exec as run\nrun('1')",
    "import logging\nlogging.info(open('x').read())", "x * open('x')", "getattr(x, '__class__')", "getattr(x, '_' + '_class__')",
    "[open(i) for i in range(2)]", "import shutil\nwith shutil.x() as f:\n    a = 1", "with open('x') as f:\n    a = f.read()",
    "@open('x')\ndef f(): pass", "def f(a=open('x')): pass", "lambda: 0\nprint((lambda: open('x'))())", "torch.load('x').sum()",
    "import pickle\na = pickle.loads(x)", "import sys\nsys.modules['os'].system('id')", "import time\nprint(time.sleep(open('x')))",
    "import wandb\nwandb.log({'a': input()})", "opt = torch.optim.SGD([x], lr=open('x'))", "print('{}'.format(dir()))",
    "class A(open('x')): pass", "try:\n    a = 1\nfinally: open('x')", "if print(open('x')): pass", "for i in open('x'): pass",
    "x.register_hook(lambda g: g * 0)", "torch.exp(x, out=x)", "torch.set_default_dtype(torch.float64)",
    "setattr(x, 'data', x)", "import torch.utils.cpp_extension\ntorch.utils.cpp_extension.load('x')",
]  # fmt: skip
NUMBERS = [
    "10**10**10", "9**9**9**9", "2**64", "2.0**1e308", "(2**53)**64", "2**-10**10", "(-8)**0.5", "0**-1", "1 / 0", "1 % 0", "1 // 0", "1 << 100",
    "1 | 2", "1 @ 2", "~1", "-(1, 2)", "+None", "(1, 2) * 10_000", "[1] * 10**9", "1j", "99999999999999999999", "9" * 5000,
    "0x" + "f" * 5000, "0777", "1__0", "math.sqrt(-1)", "math.log(0)", "math.exp(10000)", "math.factorial(10**6)", "math.comb(10**6, 5)",
    "math.prod(range(1, 2**20))", "math.sqrt(x)", "math.sqrt()", "math.sqrt(4, x=1)", "math.pi()", "math.nan", "int(math.inf)", "int(1e999)",
    "int(1e308)", "len(3)", "len(None)", "len(...)", "len(range(2**53))", "range(2**40)", "range(0, 1, 0)", "x.shape[::0]", "x.shape[9]",
    "x.shape[1.0]", "1 < 2", "x * None", "x + ...", "x * range(3)", "x @ 2", "x == None", "x < 'a'", "x + (1, 2)", "x * [1, 2, 3]",
]  # fmt: skip
DEEP = [
    "-" * 5_000 + "x", "-" * 19_000 + "x", "(" * 90 + "x" + ")" * 90, "(" * 9_000 + "x" + ")" * 9_000, "x" + "[0]" * 3_000, "x" + ".T" * 6_000,
    "x" + "+x" * 6_000, "x" + "**2" * 6_000, "[" * 300 + "]" * 300, "x(" * 3_000 + ")" * 3_000, "x" + "()" * 3_000, "((" * 5_000,
    "x" + " == x" * 3_000, "not " * 4_000 + "x", "1" + "+1" * 9_000, "lambda: " * 2_000 + "1", "(" + "1," * 6_000 + ")", "{" * 200,
    "x[" * 150 + "0" + "]" * 150, "x.sum(" * 100 + ")" * 100, "~" * 15_000 + "1", "a" * 21_000, " " * 20_001, "f'" + "{" * 100,
]  # fmt: skip
SHAPES = [
    "x.expand(2**20, 2, 3)", "x.expand(2**40, 2, 3)", "b.expand(2**53)", "b.expand(-5)", "b.expand(1, 1, 1, 1, 1, 1, 1, 1, 1)",
    "b.expand(2**30, 2**30)", "x.view(2**53, -1)", "x.view(-1, -1)", "x.view(6, 1.0)", "x.view('a')", "x.view(torch.int64)",
    "F.one_hot(k, 2**53)", "F.one_hot(k, 2**31)", "F.one_hot(k, -7)", "torch.zeros(2**40)", "torch.ones(2**21)", "torch.full((2**11, 2**11), 1.0)",
    "torch.arange(2**40)", "torch.arange(0, 1, 1e-12)", "torch.arange(1, 0)", "torch.linspace(0, 1, 2**40)", "torch.eye(2**20)", "torch.eye(-1)",
    "torch.zeros(-1)", "torch.zeros(1.5)", "torch.arange(math.inf)", "torch.tensor('a')", "torch.full((2,), None)",
    "x.repeat(2**20, 2**20)", "x.repeat(-1, 1)", "torch.outer(b.expand(2**11), b.expand(2**11))", "b.expand(2000, 1) * b.expand(1, 2000)",
    "torch.einsum('i,j,k->ijk', b.expand(999), b.expand(999), b.expand(999))", "torch.einsum('ij,jk', x, x)", "torch.einsum('', x)",
    "torch.einsum('i' * 5000, x)", "torch.einsum('ij->iiiiiiiiiiiiiiiiiiii', x)", "torch.stack((x,) * 5_000)", "torch.cat(x)", "torch.cat(())",
    "x[None, None, None, None, None, None, None]", "x[range(2**40)]", "x[range(0, -2**53, -1)]", "x[2**53]", "x[-2**53]", "x[k, k, k]",
    "x[1.5]", "x[True]", "x[x]", "x[::-1]", "x[::0]", "x[0, 0, 0]", "x.sum(5)", "x.sum(2**53)", "x.sum((0, 0))", "x.sum(x)", "x.sum(dim=0, dim=1)",
    "x.sum(0, dtype=torch.float64)", "x.sum(0, out=x)", "x.max(9)", "x.split(0)", "x.split(-1)", "x.chunk(0)", "x.permute(0)",
    "x.permute(0, 0)", "x.transpose(0, 9)", "x.flatten(1, 0)", "x.unsqueeze(2**53)", "x.gather(1, k)", "torch.exp()", "torch.exp(2)", "torch.exp(x, x)",
    "torch.exp(x, out=x)", "x.max(1) * 2", "-x.max(1)", "x[x.max(1)]", "x.max(1).values_", "x @ x", "x * x.view(3, 2)",
    "x.roll(2**53, 9)", "x.tril(2**53, 1)", "x.movedim(0, 9)", "F.cross_entropy(x, x[0])", "F.nll_loss(x, k.float())", "F.layer_norm(x, (2**40,))",
    "F.softmax(x, 9)", "x.norm(p='nuc')", "F.group_norm(x, 0)", "F.mse_loss(x, x, reduction='all')", "F.gelu(x, approximate='no')",
]  # fmt: skip
BOMBS = [  # whole programs: time, memory, steps
    "for i in range(10**9):\n    a = x" + END,
    "for i in range(3000):\n    a = 1" + END,
    "for i in range(2**20):\n    for j in range(2**20):\n        a = 1" + END,
    "for i in range(1999):\n    a = (" + "1," * 4_900 + ")" + END,
    "for i in range(40):\n    for j in range(40):\n        a = (" + "x," * 4_000 + ")" + END,
    "for i in range(1000):\n    x = x * x + x" + END,
    "a = b.expand(1000, 1000)\n" + "a = a * 2\n" * 30 + "loss = a.sum()",
    "a = b.expand(1000, 1000)\n" + "a = a @ a\n" * 8 + "loss = a.sum()",
    "a = b.expand(64, 128, 128)\n" + "for i in range(900):\n    a = a @ a\n" + "loss = a.sum()",
    "a = b.expand(2**20)\n" + "".join(f"a{i} = a.cumsum(0)\n" for i in range(30)) + "loss = a29.sum()",
    "a = (x, x)\nfor i in range(30):\n    a = (a, a)\nloss = a[0].sum()",
    "a = (1,)\nfor i in range(1000):\n    a = (a,)" + END,
    "a = (" + "1," * 900 + ")\nb = (" + "a," * 900 + ")" + END,
    "a = (" + "()," * 50 + ")\n" + "for i in range(6):\n    a = (" + "a," * 50 + ")" + END,
    "a = 2\nfor i in range(100):\n    a = a * a" + END,
    "a = 2\nfor i in range(100):\n    a = a ** 9" + END,
    "".join(f"a{i} = 1\n" for i in range(401)) + END,
    "a = " + ", ".join(["x"] * 5_000) + END,
    "for i in range(2001):\n    i = 0" + END,
    "x" * 20_001,
    "#" * 20_001,
    "\n" * 20_001,
]
LOSSES = [
    "loss = x",
    "loss = 3",
    "",
    "\n",
    "#",
    "x",
    "loss = k.sum()",
    "loss = x.sum(0)",
    "loss = x.detach().sum()",
    "loss = (x > 0).sum()",
]


# What code as found may well hold, and what comes of it is known: read, or left out with a note.
HARMLESS: dict[str, list[Any]] = {
    "door": [
        "x.data", "x.grad", "x.numpy()", "x.tolist()", "x.item()", "x.requires_grad_()", "x.exp", "x.shape.count(2)",
        "torch.nn.Module()", "math.sqrt", "torch.exp", "x.backward()", "x.add_(1)", "x.exp_()", "torch.manual_seed(1)",
    ],
    "builtin": ["print(x)", "isinstance(x, int)", "map(len, x)", "str(x)", "repr(x)"],
    "string": ["f'{x}'", "f'{x!r:>{10**9}}'", "'a'.join(x)", "float('nan')"],
    "frame": [
        "(lambda: 1)", "(i for i in range(9))", "[i for i in range(9)]", "{i for i in range(9)}", "{1: x}", "{1}",
        "(z := 1)", "*x,", "x[*k]", "[].append(x)", "x is x", "x if x else x", "x and x", "not x", "x < x < x",
    ],
    "deep": ["x == " * 8],
    "number": ["math.nan", "1 < 2"],
    "statement": [
        "import os", "from os import *", "def f(): pass", "async def f(): pass", "class A: pass",
        "try:\n    a = 1\nexcept: a = 2", "assert x", "del x", "return x", "pass", "a: int = 1", "x[0] = 1", "x += 1",
        "a = b = x", "[a, b] = x", "*a, b = x", "torch = x", "F = x", "math = x", "range = x", "len = x", "float = x",
        "for torch in range(3): a = x", "for i in x: a = i", "for i in (1, 2): a = x", "x.backward()", "x * 2",
        "print(x)", "x: 1", "a = 1 if x else 2",
    ],
    "look-alike": ["_\uff58 = x"],
    "bomb": [16],
}  # fmt: skip


def harmless() -> set[str]:
    """The names of those programs that may be read as code as found."""
    found = {_named(kind, one) for kind, some in HARMLESS.items() for one in some}
    assert found <= set(programs())
    return found


def _named(kind: str, one: Any) -> str:
    if kind == "statement":
        return f"statement {one[:40]!r}"
    if kind == "look-alike":
        return f"look-alike {one[:20]!a}"
    return f"bomb {one}" if kind == "bomb" else f"{kind} {one[:40]}"


def programs() -> dict[str, str]:
    """Every hostile program, by a short name."""
    expressions = {
        "door": DOORS, "builtin": BUILTINS, "string": STRINGS, "frame": FRAMES, "number": NUMBERS, "deep": DEEP, "shape": SHAPES,
    }  # fmt: skip
    found = {_named(kind, one): f"a = {one}{END}" for kind, some in expressions.items() for one in some}
    found |= {_named("statement", one): one + END for one in STATEMENTS}
    found |= {_named("hidden", one): one + END for one in HIDDEN}
    found |= {_named("look-alike", one): one + END for one in LOOKALIKES}
    found |= {_named("bomb", number): one for number, one in enumerate(BOMBS)}
    return found | {f"loss {one!r}": one for one in LOSSES}


def _with(name: str = "z", **spec: Any) -> dict[str, Any]:
    return {"source": "loss = x.sum()", "tensors": TENSORS | {name: {"role": "data"} | spec}}


REQUESTS: dict[str, dict[str, Any]] = {
    "unknown lesson": {"lesson": "../../etc/passwd"},
    "a tensor of 10 GB": _with(shape=[50_000, 50_000], init="zeros"),
    "a tensor of nine axes": _with(shape=[1] * 9, init="zeros"),
    "many large tensors": {
        "source": "loss = x.sum()",
        "tensors": {f"x{i}": {"role": "data", "shape": [2**20], "init": "zeros"} for i in range(40)} | TENSORS,
    },
    "a negative size": _with(shape=[-1], init="zeros"),
    "ragged values": _with(values=[[1, 2], [3]]),
    "values of text": _with(values=["a"]),
    "nested values": _with(values=[[[[[[[[[1.0]]]]]]]]]),
    "whole numbers beyond 64 bits": _with(values=[2**70]),
    "neither values nor shape": _with(),
    "a shape without init": _with(shape=[2]),
    "randint without high": _with(shape=[2], init="randint"),
    "randint with high below low": _with(shape=[2], init="randint", low=5, high=2),
    "randint beyond 64 bits": _with(shape=[2], init="randint", high=2**80),
    "a seed beyond 64 bits": _with(shape=[2], init="randn", seed=2**80),
    "a name with an underscore": _with("_z", values=[1.0]),
    "a dunder name": _with("__class__", values=[1.0]),
    "a reserved name": _with("torch", values=[1.0]),
    "a look-alike name": _with("\u0445", values=[1.0]),
    "a name that is none": _with("a b", values=[1.0]),
    "a keyword as a name": _with("lambda", values=[1.0]),
    "a long name": _with("a" * 65, values=[1.0]),
    "a gradient's name": _with("dx", values=[1.0]),
    "a constant named as a tensor": {"source": "loss = x.sum()", "tensors": TENSORS, "constants": {"x": 1}},
    "a constant named as a module": {"source": "loss = x.sum()", "tensors": TENSORS, "constants": {"F": 1}},
    "a constant named as a gradient": {"source": "loss = x.sum()", "tensors": TENSORS, "constants": {"dx": 1}},
    "a loss that is not there": {"source": "a = x.sum()", "tensors": TENSORS, "loss": "q"},
    "a loss that is no scalar": {"source": "a = x * 2\nl = a.sum()", "tensors": TENSORS, "loss": "a"},
    "a loss of whole numbers": {"source": "a = x.sum()", "tensors": TENSORS, "loss": "k"},
}
