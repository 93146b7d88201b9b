"""Terms of a sum: the largest products listed, the total compared with the number shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from backend.engine.encode import Document, number
from backend.engine.verify.measure import FLOAT64_TOLERANCE

MOST = 4_096
ROUNDINGS = 16
Doubt = Callable[[], float]


@dataclass(frozen=True)
class Terms:
    """Products of local and upstream derivatives through one named tensor, as float64 vectors with flat indices."""

    through: str
    shape: tuple[int, ...]
    places: torch.Tensor
    local: torch.Tensor
    arriving: torch.Tensor

    @property
    def size(self) -> float:
        """The sum of the products' magnitudes."""
        return float(self.products.abs().sum())

    @property
    def products(self) -> torch.Tensor:
        """local · upstream, term by term."""
        return self.local * self.arriving

    def cells(self, places: torch.Tensor) -> list[list[int]]:
        """Flat indices as index lists."""
        if not self.shape:
            return [[] for _ in range(len(places))]
        along = np.unravel_index(places.numpy(), self.shape)
        listed: list[list[int]] = np.stack(along, 1).tolist()
        return listed

    def over(self, dims: list[str]) -> list[Document]:
        """The axes along which the terms take more than one index, each with the number of indices."""
        if len(self.places) < 2:
            return []
        along = np.unravel_index(self.places.numpy(), self.shape)
        counts = [np.count_nonzero(np.bincount(part)) for part in along]
        return [{"axis": a, "name": dims[a], "size": int(size)} for a, size in enumerate(counts) if size > 1]


def terms_of(through: str, local: torch.Tensor, arriving: torch.Tensor, besides: torch.Tensor | None = None) -> Terms:
    """The terms whose local derivative is not zero, and those `besides`; all have the shape of `through`."""
    flat = local.reshape(-1)
    places = (flat if besides is None else (flat != 0) | besides.reshape(-1)).nonzero().reshape(-1)
    beside = arriving.detach().reshape(-1)[places].double()
    return Terms(through, tuple(local.shape), places, flat[places].double(), beside)


def numbers_agree(shown: float, found: float, sizes: float, ulp: float, eps: float, doubt: Doubt) -> bool:
    """Whether two numbers agree within the rounding error of terms of size `sizes` and of the result.

    `doubt()` gives a further bound and is called only if needed. Some of torch's own formulas reach no more than
    FLOAT64_TOLERANCE in float64.
    """
    if shown == found or (math.isnan(shown) and math.isnan(found)):
        return True
    apart, room = abs(shown - found), ROUNDINGS * (eps / 2 * sizes + ulp) + FLOAT64_TOLERANCE * sizes
    return apart <= room or apart <= room + ROUNDINGS * doubt()


def total(products: torch.Tensor) -> float:
    """The sum of float64 numbers, rounded once."""
    try:
        return math.fsum(products.numpy())
    except (ValueError, OverflowError):  # infinities of both signs, or a sum past the largest number
        return float(products.sum())


def largest_terms(groups: list[Terms], most: int = MOST) -> tuple[list[Document], Document]:
    """The terms with the largest products as documents, and count and sum of the rest."""
    products = torch.cat([group.products for group in groups]) if groups else torch.zeros(0)
    sizes = products.abs().nan_to_num(math.inf)
    left = torch.ones(len(products), dtype=torch.bool)
    chosen = sizes.topk(most).indices.sort().values if len(sizes) > most else torch.arange(len(sizes))
    left[chosen] = False
    chosen = chosen[sizes[chosen].argsort(descending=True, stable=True)]
    return _documents(groups, products, chosen), {"count": int(left.sum()), "sum": number(total(products[left]))}


def _documents(groups: list[Terms], products: torch.Tensor, chosen: torch.Tensor) -> list[Document]:
    made: dict[int, Document] = {}
    start = 0
    for group in groups:
        size = len(group.places)
        places = chosen[(chosen >= start) & (chosen < start + size)]
        inside = places - start
        rows = zip(
            places.tolist(), group.cells(group.places[inside]), group.local[inside].tolist(),
            group.arriving[inside].tolist(), products[places].tolist(), strict=True,
        )  # fmt: skip
        for place, cell, local, arriving, product in rows:
            made[place] = {
                "through": group.through, "cell": cell, "local": number(local), "arriving": number(arriving),
                "product": number(product),
            }  # fmt: skip
        start += size
    return [made[place] for place in chosen.tolist()]


def answer(
    shown: torch.Tensor, index: tuple[int, ...], groups: list[Terms], sizes: float, doubt: Doubt = float
) -> Document:
    """The terms and their sum compared with the number shown, within the rounding error of `sizes` and `doubt`.

    `doubt` is slow, and is called only if `sizes` don't explain the difference.
    """
    products = torch.cat([group.products for group in groups]) if groups else torch.zeros(0, dtype=torch.float64)
    terms, rest = largest_terms(groups)
    compare = comparison(shown, index, total(products), sizes, doubt)
    return compare | {"adds": True, "count": len(products), "terms": terms, "rest": rest}


def comparison(
    shown: torch.Tensor, index: tuple[int, ...], found: float, sizes: float, doubt: Doubt = float
) -> Document:
    """The number shown compared with another: whether rounding explains the difference."""
    value, ulp = float(shown[index]), ulp_of(shown)
    agrees = numbers_agree(value, found, sizes, ulp, epsilon(shown), doubt)
    told = {"shown": number(value), "sum": number(found), "agrees": agrees}
    return told | {"cancels": agrees and cancels(value, found, sizes, epsilon(shown))}


def cancels(shown: float, found: float, sizes: float, eps: float) -> bool:
    """Whether terms cancel to within their rounding error, so that the sum's digits mean nothing.

    The error allowed is a small multiple of eps/2 · sizes.
    """
    return shown != found and max(abs(shown), abs(found)) <= ROUNDINGS * eps / 2 * sizes


def epsilon(tensor: torch.Tensor) -> float:
    """The machine epsilon of a tensor's dtype; that of float64 for whole numbers."""
    return torch.finfo(tensor.dtype if tensor.is_floating_point() else torch.float64).eps


def ulp_of(tensor: torch.Tensor) -> float:
    """One ulp at a tensor's largest finite magnitude, in its own dtype."""
    flat = tensor.detach().reshape(-1).double()
    finite = flat[flat.isfinite()]
    size = float(finite.abs().max()) if finite.numel() else 0.0
    return 2.0 ** (math.frexp(size)[1] - 1) * epsilon(tensor)
