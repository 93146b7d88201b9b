"""Reads a request: the program and its tensors, from a lesson or from their descriptions."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from pathlib import Path
from typing import Any, get_args

import torch

from backend.engine.encode import decoded
from backend.engine.execute.bound_program import BoundProgram
from backend.engine.interpret.shape_inference import check_size
from backend.engine.language.allowed import spelled_out
from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import MEANINGS, RESERVED
from backend.engine.language.guard import wants_memory
from backend.engine.language.limits import LIMITS
from backend.engine.trace.inputs import Input, InputRole
from backend.engine.verify.own import OwnBackward
from backend.program.found import Found
from backend.program.lessons import LESSONS, Lesson
from backend.program.lessons.base import Material as Drawn
from backend.program.own import OWN
from backend.program.starts import starts

Request = Mapping[str, Any]  # a JSON object as it came in: a body, or the description of a tensor in one
ANSWER = ("arrays", "only", "steps")  # how to answer, which changes nothing about the walk
LISTED = ("tensors", "dims")  # answers list them in the order in which they are given
ROLES = get_args(InputRole)
DTYPES = {"float32": torch.float32, "float64": torch.float64}


@dataclass
class Material(BoundProgram):
    """Everything a walk is made from; `told_by` is the lesson that tells of its steps: its own, or that it copies.

    `found` tells how code that was pasted became this program; what stands at a line and column in `as_written` is not
    to be rewritten. `own` is the backward pass of the model that the program was recorded of. `plan` is kept of the
    very program that was planned.
    """

    lesson: Lesson | None = None
    told_by: Lesson | None = None
    labels: dict[str, list[str]] = field(default_factory=dict)
    title: str = "Your code"
    found: Found | None = None
    as_written: frozenset[tuple[int, int]] = frozenset()
    own: OwnBackward | None = None
    plan: Any = field(default=None, init=False, repr=False, compare=False)

    @property
    def narration(self) -> Mapping[str, str]:
        """What its lesson tells of its steps."""
        return self.told_by.narration if self.told_by else {}


def read(request: Request, names: Path | None = None) -> Material:
    """The program and tensors that a request asks for; raises Refusal for a lesson or a tensor that can't be made.

    A lesson is one of the lessons, or a starting point by its name; a program may be the changed copy of one.
    """
    if request.get("lesson") in OWN:
        own = OWN[request["lesson"]]
        assert isinstance(own, Material)
        return replace(own)
    if "lesson" in request:
        return (_of_start(request) if request["lesson"] not in LESSONS else None) or _of_lesson(request, names)
    dtype = DTYPES[request.get("dtype", "float32")]
    constants = dict(request.get("constants", {}))
    specs: Mapping[str, Request] = {_plain(name): spec for name, spec in (request.get("tensors") or {}).items()}
    constants = {_plain(name): value for name, value in constants.items()}
    for name in (*specs, *constants):
        _check_name(name, specs, constants)
    for name, spec in specs.items():
        if not isinstance(spec, Mapping) or spec.get("role") not in ROLES:
            raise Refusal("tensor-spec/role", found=name)
    _check_memory(specs, dtype)
    tensors = {name: make_tensor(name, spec, dtype) for name, spec in specs.items()}
    roles = {name: spec["role"] for name, spec in specs.items()}
    dims = {_plain(name): list(given) for name, given in request.get("dims", {}).items()}
    inputs = _inputs(tensors, roles)
    exact, told_by = request.get("exact", False), LESSONS.get(request.get("copy_of") or "")
    labels: dict[str, list[str]] = {}
    if "word" in request:
        tensors, labels = _with_word(request, told_by, tensors, names)
    return Material(
        request["source"],
        tensors,
        inputs,
        constants,
        dims,
        request.get("loss"),
        dtype,
        exact,
        told_by=told_by,
        labels=labels,
        as_written=frozenset((line, column) for line, column in request.get("as_written") or ()),
    )


def _with_word(
    request: Request, told_by: Lesson | None, tensors: dict[str, torch.Tensor], names: Path | None
) -> tuple[dict[str, torch.Tensor], dict[str, list[str]]]:
    """A word among the examples of a lesson's copy, such as a step of its training; or Refusal where it has none."""
    if told_by is not None and told_by.with_word is not None:
        usual = told_by.material(told_by.seed or 0, names).tensors
        reads = {name: one for name, one in usual.items() if not one.is_floating_point()}
        if all(name in tensors and _alike(tensors[name], one) for name, one in reads.items()):
            made = told_by.with_word(Drawn(tensors), request["word"], names)
            return made.tensors, made.labels
    raise Refusal("lesson-word", found=request.get("copy_of") or "This program")


def _alike(given: torch.Tensor, usual: torch.Tensor) -> bool:
    """Whether it holds whole numbers along as many axes."""
    return given.dtype == usual.dtype and given.dim() == usual.dim()


def find_lesson(name: str) -> Lesson:
    """The lesson of that name; raises Refusal with status 404."""
    if name not in LESSONS:
        raise Refusal("lesson-unknown", found=name, status=404)
    return LESSONS[name]


def _of_start(request: Request) -> Material | None:
    start = next((one for one in starts() if one["name"] == request["lesson"]), None)
    return None if start is None else _described(start["request"], request, start["title"])


def _described(program: Request, request: Request, title: str) -> Material:
    """A program that describes its tensors, walked by its name."""
    if "seed" in request:
        raise Refusal("lesson-seed", found=request["lesson"])
    if "word" in request:
        raise Refusal("lesson-word", found=request["lesson"])
    made = read({**program, **{name: request[name] for name in ("exact", "dtype") if name in request}})
    made.title = title
    return made


def _of_lesson(request: Request, names: Path | None) -> Material:
    lesson = find_lesson(request["lesson"])
    if lesson.request is not None or lesson.seed is None:
        described = _described(lesson.request or {}, request, lesson.title)
        described.lesson = described.told_by = lesson
        return described
    made = lesson.material(request.get("seed", lesson.seed), names)
    if "word" in request:
        if lesson.with_word is None:
            raise Refusal("lesson-word", found=request["lesson"])
        made = lesson.with_word(made, request["word"], names)
    dtype = DTYPES[request.get("dtype", "float32")]
    roles = {name: lesson.roles.get(name, "parameter") for name in made.tensors}
    dims = {name: list(given) for name, given in lesson.dims.items()}
    inputs = _inputs(made.tensors, roles)
    exact = request.get("exact", False)
    return Material(
        lesson.source,
        made.tensors,
        inputs,
        dict(lesson.constants),
        dims,
        dtype=dtype,
        exact=exact,
        lesson=lesson,
        told_by=lesson,
        labels=made.labels,
        title=lesson.title,
    )


def _inputs(tensors: Mapping[str, torch.Tensor], roles: Mapping[str, InputRole]) -> dict[str, Input]:
    return {name: Input(roles[name], tuple(tensor.shape), tensor.dtype) for name, tensor in tensors.items()}


def _plain(name: str) -> str:
    """The name of a tensor that is called by its way from an object: `fc1.weight` of `self.fc1.weight`."""
    parts = name.removeprefix("self.").split(".")
    proper = len(name) <= 2 * LIMITS.name_length and all(
        (part.isascii() and part.isidentifier()) or part.isdigit() for part in parts
    )
    return "_".join(parts) if "." in name and proper and not parts[0].isdigit() else name


def _check_name(name: str, specs: Request, constants: Request) -> None:
    proper = name.isascii() and name.isidentifier() and not name.startswith("_") and len(name) <= LIMITS.name_length
    if name.startswith("_") and name.strip("_").isidentifier():
        raise Refusal("name-underscore", found=name, meant=name.strip("_"))
    if not proper:
        raise Refusal("name-letters", found=name, meant=spelled_out(name), limit=LIMITS.name_length)
    if name in RESERVED or iskeyword(name):
        raise Refusal("name-reserved", found=name, meaning=MEANINGS.get(name, "something else in Python"))
    if name in specs and name in constants:
        raise Refusal("constants-name", found=name)


def _check_memory(specs: Mapping[str, Request], dtype: torch.dtype) -> None:
    """Before any is made: forty tensors of the largest size would be as many megabytes each."""
    cells = sum(math.prod(spec["shape"]) for spec in specs.values() if "shape" in spec and "values" not in spec)
    if len(specs) > 1 and cells * dtype.itemsize > LIMITS.live_bytes:
        raise Refusal("memory-budget", limit="64 MiB")


def make_tensor(name: str, spec: Request, dtype: torch.dtype) -> torch.Tensor:
    """The tensor a request describes: given values, or an init drawn from its own seeded generator.

    Whole numbers make int64; anything with a decimal makes `dtype`. Raises Refusal for ragged values, for neither
    values nor shape and init, for more than 2**20 cells, and for numbers that torch does not take.
    """
    if "values" in spec:
        return _from_values(name, spec["values"], dtype)
    if "shape" not in spec or "init" not in spec:
        raise Refusal("tensor-spec", found=name)
    shape = tuple(spec["shape"])
    check_size(shape)
    try:
        made = _initial(name, shape, spec)
    except (RuntimeError, ValueError, OverflowError) as error:
        raise error if wants_memory(error) else Refusal("tensor-spec", found=name) from None
    if not made.is_floating_point():
        return made
    scaled: torch.Tensor = made * spec.get("scale", 1.0) + spec.get("shift", 0.0)
    return scaled.to(dtype)


def _from_values(name: str, values: Any, dtype: torch.dtype) -> torch.Tensor:
    try:
        made = decoded(values, dtype)
    except (ValueError, TypeError, RuntimeError, OverflowError) as error:
        raise error if wants_memory(error) else Refusal("tensor-values", found=name) from None
    check_size(tuple(made.shape))
    return made


def _initial(name: str, shape: tuple[int, ...], spec: Request) -> torch.Tensor:
    g = torch.Generator().manual_seed(spec.get("seed", 0))
    init = spec["init"]
    if init in ("randn", "rand"):
        return (torch.randn if init == "randn" else torch.rand)(shape, generator=g, dtype=torch.float32)
    if init in ("zeros", "ones"):
        return (torch.zeros if init == "zeros" else torch.ones)(shape)
    if init == "arange":
        return torch.arange(math.prod(shape)).reshape(shape).float()
    low, high = spec.get("low", 0), spec.get("high")
    if init != "randint" or high is None:
        raise Refusal("tensor-spec", found=name)
    if high <= low:
        raise Refusal("tensor-bounds", found=name, low=low, high=high)
    return torch.randint(low, high, shape, generator=g)


def identity(request: Request) -> str:
    """The content hash of a request: the same request has the same identity on every machine.

    Of a chapter's program its content counts, too: another chapter may be served by the same name.
    """
    lesson = LESSONS.get(request.get("lesson", ""))
    known = {"of": lesson.request} if lesson is not None and lesson.request is not None else {}
    asked = known | {k: v for k, v in request.items() if k not in ANSWER}
    parts = [(key, _in_order(key, asked[key])) for key in sorted(asked)]
    if request.get("lesson") in OWN:
        parts.append(("of", id(OWN[request["lesson"]])))
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:32]


def _in_order(key: str, value: Any) -> Any:
    """Tensors in the order in which they are given."""
    return list(value.items()) if key in LISTED and isinstance(value, dict) else value
