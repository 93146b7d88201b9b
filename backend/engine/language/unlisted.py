"""What programs as found call and gradwalk doesn't have: what is written instead, or why nothing can be."""

from __future__ import annotations

import re
from types import MappingProxyType

# What does the same; `a` and `b` are numbers of the call, such as a threshold.
INSTEAD = MappingProxyType(
    {
        "spmm": "x @ y",
        "cross": "x.roll(-1, -1) * y.roll(-2, -1) - x.roll(-2, -1) * y.roll(-1, -1)",
        "trapz": "((x[..., 1:] + x[..., :-1]) / 2).sum(-1)",
        "cholesky_solve": "torch.linalg.solve_triangular("
        "L.mT, torch.linalg.solve_triangular(L, x, upper=False), upper=True)",
        "triangular_solve": "torch.linalg.solve_triangular(L, x, upper=True)",
        "lp_pool1d": "(F.avg_pool1d(x**2, 2) * 2).sqrt()",
        "upsample": "F.interpolate(x, scale_factor=2)",
        "zero_": "torch.zeros_like(x)",
        "fill_": "torch.full_like(x, a)",
        "numel": "x.numel()",
        "nelement": "x.numel()",
        "byte": "x.bool()",
        "empty": "torch.zeros(2, 3)",
        "empty_like": "torch.zeros_like(x)",
        "new": "x.new_zeros(2, 3)",
        "new_empty": "x.new_zeros(2, 3)",
        "new_tensor": "torch.tensor([1.0, 2.0])",
        "as_tensor": "torch.tensor([1.0, 2.0])",
        "FloatTensor": "torch.tensor([1.0, 2.0])",
        "Tensor": "torch.tensor([1.0, 2.0])",
        "LongTensor": "torch.tensor([1, 2])",
    }
)  # fmt: skip
# What adds nothing to a program: without the call it means the same.
NEEDLESS = frozenset({"Variable", "list", "tuple", "to_dense", "requires_grad_", "Size"})
# Why an operation can't be had, by its entry in the catalogue.
KINDS = MappingProxyType(
    {
        name: f"function-unlisted/{kind}"
        for kind, names in {
            "special": "pinv pinverse lstsq cholesky cholesky_inverse svd svdvals eig eigh eigvals eigvalsh qr lu "
            "matrix_power matrix_rank mvlgamma gammainc gammaincc bessel_j0 zeta ctc_loss "
            "fractional_max_pool2d",
            "complex": "complex polar view_as_complex view_as_real real imag angle conj fft ifft rfft irfft fft2 "
            "ifft2 rfft2 irfft2 stft istft",
            "selection": "unique_consecutive histc median quantile kthvalue mode",
            "einops": "rearrange",
            "distribution": "Normal Categorical Bernoulli Beta Gamma Dirichlet MultivariateNormal Independent Laplace "
            "log_prob rsample kl_divergence",
        }.items()
        for name in names.split()
    }
)


def layer_name(name: str) -> str:
    """A layer of `torch.nn` as its function is called: `max_pool2d` of `MaxPool2d`."""
    return re.sub(r"(?<!^)(?=[A-Z][a-z])", "_", name).lower()
