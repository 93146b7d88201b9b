"""The allow-list: what a program may be made of. Whatever is not listed here is refused."""

from __future__ import annotations

import ast
import math
import re
from types import MappingProxyType

STATEMENTS = (ast.Assign, ast.For, ast.Expr, ast.AugAssign)
EXPRESSIONS = (
    ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Constant, ast.Attribute,
    ast.Subscript, ast.Name, ast.List, ast.Tuple, ast.Slice,
)  # fmt: skip
GLUE = (ast.Module, ast.Load, ast.Store, ast.keyword, ast.operator, ast.unaryop, ast.cmpop)
ALLOWED = STATEMENTS + EXPRESSIONS + GLUE

BINARY = MappingProxyType(
    {
        ast.Add: "+",
        ast.Sub: "-",
        ast.Mult: "*",
        ast.Div: "/",
        ast.Pow: "**",
        ast.MatMult: "@",
        ast.FloorDiv: "//",
        ast.Mod: "%",
        ast.BitAnd: "&",
        ast.BitOr: "|",
        ast.BitXor: "^",
    }
)
BITWISE = frozenset({"&", "|", "^"})
UNARY = MappingProxyType({ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"})
COMPARISONS = MappingProxyType({ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="})

MODULES = ("torch", "F", "math")
RESERVED = frozenset({*MODULES, "range", "len", "float", "int", "nn"})
UNWANTED = "_"
MATH_NAMES = (
    "sqrt", "log", "exp", "pow", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "asin", "acos", "atan",
    "atan2", "sinh", "cosh", "tanh", "erf", "hypot", "fabs", "floor", "ceil", "prod",
)  # fmt: skip
MATH = MappingProxyType({name: getattr(math, name) for name in MATH_NAMES})
CONSTANTS = MappingProxyType({"pi": math.pi, "e": math.e, "inf": math.inf})
NUMERALS = re.compile(r"[+-]?(inf|\d+\.?\d*(e[+-]?\d+)?|\.\d+(e[+-]?\d+)?)", re.ASCII | re.IGNORECASE)
# How each is written, for whoever gives it something else.
BUILTINS = MappingProxyType(
    {
        "range": "`range(n)`, with whole numbers that are known before the run",
        "len": "`len(x)`, of one tensor",
        "float": "`float(2)`, of a plain number; a tensor becomes decimal with `x.float()`",
        "int": "`int(2.5)`, of a plain number; a tensor becomes whole with `x.long()`",
    }
)
OTHER_MODULES = frozenset(
    {
        "np", "numpy", "nn", "tf", "jnp", "jax", "scipy", "random", "einops", "th", "functional", "nnf",
        "distributions",
    }
)  # fmt: skip
# What asks autograd for a gradient, or switches it: the one thing that an answer must not do.
AUTOGRAD = frozenset(
    {
        "grad", "backward", "autograd", "grad_fn", "retain_grad", "requires_grad", "requires_grad_", "zero_grad",
        "func", "no_grad", "enable_grad",
    }
)  # fmt: skip
PROPERTIES = frozenset({"T", "mT"})
DTYPES = frozenset({"float32", "float64", "float", "double", "int64", "long", "int32", "bool"})

# What is refused whatever is in it, by its entry in the catalogue.
REFUSED = MappingProxyType(
    {
        ast.Import: "import", ast.ImportFrom: "import",
        **{
            node: f"not-in-language/{name}"
            for name, nodes in {
                "def": (ast.FunctionDef, ast.AsyncFunctionDef), "class": (ast.ClassDef,), "return": (ast.Return,),
                "if": (ast.If,), "if-else": (ast.IfExp,), "while": (ast.While,), "with": (ast.With, ast.AsyncWith),
                "try": (ast.Try, ast.TryStar), "lambda": (ast.Lambda,), "f-string": (ast.JoinedStr,),
                "comprehension": (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp),
                "dictionary": (ast.Dict,), "set": (ast.Set,), "walrus": (ast.NamedExpr,), "star": (ast.Starred,),
                "and-or": (ast.BoolOp,), "not": (ast.Not,), "annotation": (ast.AnnAssign,),
                "jump": (ast.Break, ast.Continue),
                "no-effect": (ast.Assert, ast.Delete, ast.Pass, ast.Raise, ast.Global, ast.Nonlocal),
            }.items()
            for node in nodes
        },
    }
)  # fmt: skip
# What is written instead of an object of `torch.nn`: the function, or the layer with its tensors by name.
LAYERS = MappingProxyType(
    {
        "Linear": "x @ W.T + b", "Embedding": "W[ix]", "LayerNorm": "F.layer_norm(x, (n,), weight, bias)",
        "BatchNorm1d": "F.batch_norm(x, None, None, weight, bias, training=True)",
        "BatchNorm2d": "F.batch_norm(x, None, None, weight, bias, training=True)",
        "GroupNorm": "F.group_norm(x, groups, weight, bias)",
        **{f"Conv{n}d": f"F.conv{n}d(x, W, b)" for n in (1, 2, 3)},
        **{f"ConvTranspose{n}d": f"F.conv_transpose{n}d(x, W, b)" for n in (1, 2, 3)},
    }
)  # fmt: skip
FUNCTIONS = MappingProxyType(
    {
        "MSELoss": "F.mse_loss(x, y)", "CrossEntropyLoss": "F.cross_entropy(x, y)", "NLLLoss": "F.nll_loss(x, y)",
        "BCELoss": "F.binary_cross_entropy(x, y)", "BCEWithLogitsLoss": "F.binary_cross_entropy_with_logits(x, y)",
        "L1Loss": "F.l1_loss(x, y)", "SmoothL1Loss": "F.smooth_l1_loss(x, y)", "HuberLoss": "F.huber_loss(x, y)",
        "KLDivLoss": "F.kl_div(x, y, reduction='batchmean')",
        "ReLU": "F.relu(x)", "LeakyReLU": "F.leaky_relu(x)", "ELU": "F.elu(x)",
        "GELU": "F.gelu(x)", "SiLU": "F.silu(x)", "Softplus": "F.softplus(x)", "Tanh": "torch.tanh(x)",
        "Sigmoid": "torch.sigmoid(x)", "Softmax": "F.softmax(x, dim)", "LogSoftmax": "F.log_softmax(x, dim)",
        "LogSigmoid": "F.logsigmoid(x)", "Flatten": "x.flatten(1)", "Softsign": "F.softsign(x)", "SELU": "F.selu(x)",
        "CELU": "F.celu(x)", "Mish": "F.mish(x)", "ReLU6": "F.relu6(x)", "GLU": "F.glu(x)", "Hardtanh": "F.hardtanh(x)",
        "Hardsigmoid": "F.hardsigmoid(x)", "Hardswish": "F.hardswish(x)",
        **{f"MaxPool{n}d": f"F.max_pool{n}d(x, 2)" for n in (1, 2, 3)},
        **{f"AvgPool{n}d": f"F.avg_pool{n}d(x, 2)" for n in (1, 2, 3)},
        **{f"AdaptiveAvgPool{n}d": f"F.adaptive_avg_pool{n}d(x, 1)" for n in (1, 2, 3)},
        **{f"AdaptiveMaxPool{n}d": f"F.adaptive_max_pool{n}d(x, 1)" for n in (1, 2, 3)},
        "Upsample": "F.interpolate(x, scale_factor=2)", "Unfold": "F.unfold(x, 2)", "Fold": "F.fold(x, (4, 4), 2)",
        "PixelShuffle": "F.pixel_shuffle(x, 2)", "PixelUnshuffle": "F.pixel_unshuffle(x, 2)",
        "ReflectionPad2d": "F.pad(x, (1, 1, 1, 1), mode='reflect')", "ZeroPad2d": "F.pad(x, (1, 1, 1, 1))",
        "CosineSimilarity": "F.cosine_similarity(x, y)", "PReLU": "torch.where(x > 0, x, weight * x)",
    }
)  # fmt: skip
# What draws new numbers at every run, in torch or F.
RANDOM = frozenset(
    {
        "rand", "randn", "randint", "rand_like", "randn_like", "randint_like", "randperm", "normal", "bernoulli",
        "multinomial", "poisson", "dropout", "dropout1d", "dropout2d", "alpha_dropout", "feature_alpha_dropout",
        "gumbel_softmax", "manual_seed", "uniform", "exponential", "log_normal",
    }
)  # fmt: skip
MEANINGS = MappingProxyType(
    {"torch": "PyTorch", "F": "`torch.nn.functional`", "math": "the module `math`", "nn": "`torch.nn`"}
)
