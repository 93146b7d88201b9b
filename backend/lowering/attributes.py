"""Attributes in code as found: of objects, classes and modules, and of what is missing."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Any

from backend.engine.language.errors import Refusal
from backend.engine.language.tree import attribute
from backend.engine.language.values import FloatFacts
from backend.engine.language.wording import listed
from backend.lowering.calls import Calls
from backend.lowering.looked_through import is_method
from backend.lowering.values import (
    Bound,
    Class,
    Decimal,
    Function,
    Instance,
    Leaf,
    Lost,
    Method,
    Opaque,
    Parts,
    Path,
    Property,
    Special,
    Static,
    Super,
    Tensor,
    Unknown,
    Whole,
    written_as,
)

OF_THIS_RUN = ast.parse("torch.finfo(torch.float32)", mode="eval").body
# What an object of settings is called, wherever it is met.
SETTINGS = frozenset({"config", "cfg", "args", "conf", "hparams", "opt", "settings"})
OF_DICTIONARIES = frozenset({"items", "keys", "values", "get", "pop"})
MOVING = frozenset({"to", "cuda", "cpu", "float", "double", "eval", "train"})  # what leaves a layer as it is
# What objects are asked for that no tensor comes of.
QUIET = frozenset({"log", "log_dict", "logger", "save_hyperparameters", "writer", "device", "dtype", "trainer"})


class Attributes(Calls):
    """Looks attributes up, and sets them."""

    called_names: Collection[str]  # what is called anywhere in the text, by its name or the last word of its path

    def set_attribute(self, one: Instance, name: str, value: Any) -> None:
        """`self.x = …`: what is put there knows whose it is, by which it gets its name."""
        if isinstance(value, Instance) and value.owner is None and value is not one:
            value.owner, value.name = one, name
            self.told_of_layer(name, value)
        elif isinstance(value, Leaf) and not value.is_settled and value.owner is None:
            value.owner, value.name = one, name
        elif isinstance(value, Unknown) and not value.made_by:
            value.of_self = True
        elif isinstance(value, Unknown):
            self.name_returned(value, name, ".".join(one.path()))
        elif isinstance(value, Whole | Decimal) and one.of.own:
            value = self.named_number(name, value, self.place)
        elif self.is_fresh(value) and not value.fixed:
            self.name_it(value, "_".join(self.path_of(one, name)))
        one.attributes[name] = value

    def name_returned(self, value: Unknown, name: str, owner: str) -> None:
        raise NotImplementedError

    def told_of_layer(self, name: str, layer: Instance) -> None:
        """Say of a layer of PyTorch which tensors it has in the table."""
        tensors = [key for key, value in layer.attributes.items() if isinstance(value, Leaf)]
        if not layer.of.own and tensors and isinstance(self.place, ast.Assign):
            kind = ast.unparse(self.place.value)
            self.notes.add("layer", self.place, name=f"self.{name}", kind=kind, tensors=listed(tensors))

    def attribute_of(self, base: Any, name: str, node: ast.expr) -> Any:
        """`base.name`."""
        for kind, look in LOOKUPS:
            if isinstance(base, kind):
                return getattr(self, look)(base, name, node)
        raise Refusal("attribute", found=name, at=node)

    def of_module(self, base: Path, name: str, node: ast.expr) -> Any:
        raise NotImplementedError

    def of_silent(self, base: Any, _: str, __: ast.expr) -> Any:
        return base

    def of_record(self, base: Any, name: str, node: ast.expr) -> Any:
        """`x.max(1).values`, `torch.finfo(x.dtype).min`."""
        if name not in base.fields:
            if isinstance(base, FloatFacts):
                raise Refusal("attribute", found=name, at=node)
            return self.of_plain(base, name, node)
        if isinstance(base, FloatFacts):
            return written_as(getattr(base, name), attribute(OF_THIS_RUN, name))
        return base[base.fields.index(name)]

    def of_function(self, base: Function, name: str, node: ast.expr) -> Any:
        if name != "__name__":
            raise Refusal("attribute", found=name, at=node)
        return base.name

    def of_plain(self, base: Any, name: str, node: ast.expr) -> Method:
        if not is_method(name):
            raise Refusal("attribute", found=name, at=node)
        return Method(base, name)

    def of_instance(self, one: Instance, name: str, node: ast.expr) -> Any:
        if name in one.attributes:
            return self.of_attribute(one, name)
        if name in ("__class__", "__dict__"):
            return one.of if name == "__class__" else one.attributes
        if name == "_modules":
            return {key: value for key, value in one.attributes.items() if isinstance(value, Instance)}
        found = one.of.find(name)
        if isinstance(found, Property):
            return self.run(found.function, [one], {}, node)
        if isinstance(found, Static):
            return Bound(found.function, one.of) if found.of_class else found.function
        if isinstance(found, Function | Special):
            return Bound(found, one)
        if found is None and not any(name in of.names for of in one.of.order()):
            return self.not_there([*one.path(), name], node)
        return found

    def not_there(self, path: list[str], node: ast.expr) -> Any:
        """An attribute that no line gives a value: of the table, or missing."""
        given = self.table.given(path)
        if given is not None:
            return given
        if path[-1] in QUIET:
            return Opaque(path[-1])
        return True if path[-1] == "training" else Unknown(".".join(path), node, of_self=True)

    def of_attribute(self, one: Instance, name: str) -> Any:
        """What an object holds. A tensor that was made from nothing gets its name now, or what the table gives."""
        value = one.attributes[name]
        if self.is_fresh(value) and value.fixed:
            path = self.path_of(one, name)
            given = self.table.given(path)
            if isinstance(given, Tensor):
                one.attributes[name] = given
                return given
            self.name_it(value, "_".join(path))
            if len(path) > 1 and value.variable:
                self.table.labels[value.variable] = ".".join(path)
        return value

    def of_super(self, base: Super, name: str, _: ast.expr) -> Any:
        order = base.receiver.of.order()
        later = order[order.index(base.after) + 1 :] if base.after in order else []
        found = next((one.names[name] for one in later if name in one.names), None)
        if found is None:
            return Special(name, lambda _: None) if name.startswith("__") else Opaque(name)
        return Bound(found, base.receiver) if isinstance(found, Function | Special) else found

    def of_class(self, of: Class, name: str, node: ast.expr) -> Any:
        if name == "__name__":
            return of.name
        found = of.find(name)
        if isinstance(found, Static):
            return Bound(found.function, of) if found.of_class else found.function
        if found is None and not any(name in one.names for one in of.order()):
            if name == "apply":
                raise Refusal("found-autograd", found=of.name, at=node)
            raise Refusal("attribute", found=name, at=node)
        return found

    def of_unknown(self, base: Unknown, name: str, node: ast.expr) -> Any:
        """Of a missing object: a tensor's shape and methods, or a part that the table may have."""
        given = self.table.given(base.path.split("."))
        if given is not None:
            return self.attribute_of(given, name, node)
        is_layer = base.path.rpartition(".")[2] in self.called_names and not base.made_by
        if name in OF_DICTIONARIES or (name in MOVING and is_layer):
            return Method(base, name)
        if name == "size" and node is not self.callee:  # what isn't called is a number, as `layer.size` is
            return self.part_of(base, name, node)
        is_settings = base.path.rpartition(".")[2] in SETTINGS
        if not is_settings and self.is_of_tensors(name) and self.table.find([*base.path.split("."), name]) is None:
            return self.fact(self.tensor_of(base), name, node)
        return self.part_of(base, name, node)

    def has_attribute(self, one: Unknown, name: str) -> bool:
        """Whether something that is missing has an attribute that is asked for: by the table, or as it is supposed."""
        return self.table.has_part([*one.path.split("."), name]) or self.supposed(self.has_all)

    def is_of_tensors(self, name: str) -> bool:
        raise NotImplementedError


LOOKUPS: tuple[tuple[Any, str], ...] = (
    (Tensor, "fact"), (Instance, "of_instance"), (Path, "of_module"), (Super, "of_super"), (Class, "of_class"),
    (Unknown, "of_unknown"), ((Parts, FloatFacts), "of_record"), ((Opaque, Lost), "of_silent"),
    (Function, "of_function"), ((list, dict, tuple, str, set, int, float), "of_plain"),
)  # fmt: skip
