"""Names of modules in code as found: those that need no import, those with parts, and those that make no tensor."""

from __future__ import annotations

import re

# Names that are there without an import, and modules by the short names that people give them.
KNOWN = {
    "torch": "torch", "th": "torch", "F": "torch.nn.functional", "nn": "torch.nn", "math": "math", "np": "numpy",
    "numpy": "numpy", "jnp": "numpy", "functional": "torch.nn.functional",
    "nnf": "torch.nn.functional", "optim": "torch.optim",
    "rearrange": "einops.rearrange", "repeat": "einops.repeat", "reduce": "einops.reduce", "einsum": "torch.einsum",
    "partial": "functools.partial", "OrderedDict": "collections.OrderedDict", "Tensor": "torch.Tensor",
    "Normal": "torch.distributions.Normal", "Categorical": "torch.distributions.Categorical",
    "Bernoulli": "torch.distributions.Bernoulli", "D": "torch.distributions", "dist": "torch.distributions",
    "distributions": "torch.distributions", "copy": "copy", "einops": "einops", "random": "random",
    "Parameter": "torch.nn.Parameter", "init": "torch.nn.init", "Rearrange": "einops.layers.torch.Rearrange",
    "itertools": "itertools", "functools": "functools", "collections": "collections", "deepcopy": "copy.deepcopy",
    "checkpoint": "torch.utils.checkpoint.checkpoint",
    "d2l": "d2l.torch", "pack": "einops.pack", "unpack": "einops.unpack",
    "weight_norm": "torch.nn.utils.weight_norm", "spectral_norm": "torch.nn.utils.spectral_norm",
    "object": "object", "str": "str", "list": "list", "dict": "dict",
}  # fmt: skip
# What `dist` means without an import where one of these is called: `torch.distributed`, and no distributions.
OF_PROCESSES = frozenset(
    {"is_initialized", "is_available", "get_rank", "get_world_size", "all_reduce", "all_gather", "reduce", "broadcast",
     "barrier"}
)  # fmt: skip
# Parts of PyTorch of which no tensor of a forward pass is made.
SILENT = re.compile(
    r"torch\.((optim|utils\.(data|tensorboard|checkpoint)|cuda|backends|jit\.is_|autograd\.(set|profiler|detect)|profiler|amp"
    r"|distributed|mps)(\.|$)"
    r"|((random\.)?manual_seed|set_printoptions|set_grad_enabled|set_float32_matmul_precision|use_deterministic_algorithms|compile"
    r"|(contiguous|preserve)_format|channels_last(_3d)?|Generator|is_grad_enabled|is_autocast_enabled|no_grad|enable_grad|inference_mode|autocast|seed)$)|"
    r"torch\.nn\.(init|utils)\.|numpy\.random\.seed|random\.seed|typing|warnings|abc|dataclasses|__future__|types"
)
D2L = "d2l.torch"  # the package of "Dive into Deep Learning": mostly other names for what PyTorch has
TELLS = re.compile(r"^(use_|set_|plot|show|plt$|annotate|try_gpu|init_|Timer|Animator)")
# Parts of modules that have parts of their own.
MODULES = frozenset(
    {
        "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.nn.utils.parametrizations",
        "torch.nn.modules", "torch.nn.parameter", "torch.linalg", "torch.special", "torch.fft",
        "torch.distributions", "torch.autograd", "torch.functional", "torch.utils", "torch.utils.checkpoint",
        "torch.jit", "torch.random", "numpy.random", "numpy.linalg",
        "einops.layers", "einops.layers.torch", D2L,
    }
)  # fmt: skip
# What NumPy and `math` have beside what is listed elsewhere, and other names of kinds of number.
OF_MATH = frozenset(
    {"isnan", "isinf", "gcd", "comb", "factorial", "trunc", "power", "arctan", "absolute", "array", "asarray", "zeros",
     "ones", "arange", "linspace", "eye", "full", "prod"}
)  # fmt: skip
DTYPES = {
    "float": "float32", "float16": "float32", "bfloat16": "float32", "half": "float32", "double": "float32",
    "float64": "float32", "long": "int64", "int": "int64", "int32": "int64", "int16": "int64", "int8": "int64",
    "uint8": "int64", "short": "int64",
}  # fmt: skip
