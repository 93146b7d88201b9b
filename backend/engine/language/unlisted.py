"""What programs as found call and gradwalk doesn't have: what is written instead, or why nothing can be."""

from __future__ import annotations

import re
from types import MappingProxyType

# What does the same; `a` and `b` are numbers of the call, such as a threshold.
INSTEAD = MappingProxyType(
    {
        "dist": "(x - y).norm()", "pairwise_distance": "(x - y + 1e-6).norm(dim=-1)", "erfc": "1 - torch.erf(x)",
        "threshold": "torch.where(x > a, x, b)", "prelu": "torch.where(x > 0, x, a * x)", "sgn": "torch.sign(x)",
        "softmin": "F.softmax(-x, -1)", "tanhshrink": "x - torch.tanh(x)", "expit": "torch.sigmoid(x)",
        "softshrink": "torch.sign(x) * F.relu(x.abs() - 0.5)", "hardshrink": "torch.where(x.abs() > 0.5, x, 0.0)",
        "masked_select": "x[x > 0]", "fmod": "x - y * torch.trunc(x / y)", "remainder": "x - y * torch.floor(x / y)",
        "addcdiv": "x + y / z", "spmm": "x @ y", "baddbmm": "z + x @ y", "ger": "torch.outer(v, w)",
        "bilinear": "torch.einsum('bi,oij,bj->bo', x, W, y)", "instance_norm": "F.group_norm(x, x.shape[1])",
        "cross": "x.roll(-1, -1) * y.roll(-2, -1) - x.roll(-2, -1) * y.roll(-1, -1)",
        "var_mean": "x.var(1), x.mean(1)", "std_mean": "x.std(1), x.mean(1)", "aminmax": "x.amin(1), x.amax(1)",
        "diff": "x[..., 1:] - x[..., :-1]", "trapz": "((x[..., 1:] + x[..., :-1]) / 2).sum(-1)",
        "poisson_nll_loss": "(torch.exp(x) - y * x).mean()", "soft_margin_loss": "F.softplus(-y * x).mean()",
        "margin_ranking_loss": "F.relu(-z * (x - y) + a).mean()",
        "hinge_embedding_loss": "torch.where(y > 0, x, F.relu(1 - x)).mean()",
        "triplet_margin_loss": "F.relu((x - y + 1e-6).norm(dim=-1) - (x - z + 1e-6).norm(dim=-1) + a).mean()",
        "%": "x - y * torch.floor(x / y)", "//": "torch.floor(x / y)", "zero_": "torch.zeros_like(x)",
        "fill_": "torch.full_like(x, a)", "numel": "x.numel()", "nelement": "x.numel()", "byte": "x.bool()",
        "empty": "torch.zeros(2, 3)",
        "empty_like": "torch.zeros_like(x)",
        "new": "x.new_zeros(2, 3)", "new_empty": "x.new_zeros(2, 3)", "new_tensor": "torch.tensor([1.0, 2.0])",
        "as_tensor": "torch.tensor([1.0, 2.0])", "FloatTensor": "torch.tensor([1.0, 2.0])",
        "Tensor": "torch.tensor([1.0, 2.0])", "LongTensor": "torch.tensor([1, 2])",
    }
)  # fmt: skip
# What adds nothing to a program: without the call it means the same.
NEEDLESS = frozenset({"Variable", "list", "tuple", "to_dense", "requires_grad_", "Size"})
# Why an operation can't be had, by its entry in the catalogue.
KINDS = MappingProxyType(
    {
        name: f"function-unlisted/{kind}"
        for kind, names in {
            "convolution": "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d",
            "windows": "unfold",
            "pooling": "avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d lp_pool1d lp_pool2d "
            "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d "
            "adaptive_max_pool3d fractional_max_pool2d",
            "resampling": "interpolate upsample grid_sample",
            "pixels": "pixel_shuffle",
            "inverse": "inv inverse pinv pinverse solve lstsq solve_triangular triangular_solve cholesky_solve",
            "special": "det logdet slogdet cholesky cholesky_inverse svd svdvals eig eigh eigvals eigvalsh qr lu "
            "matrix_exp matrix_power matrix_rank lgamma digamma polygamma mvlgamma erfinv gammaln gammainc gammaincc "
            "i0 i1 bessel_j0 zeta ctc_loss fold",
            "complex": "complex polar view_as_complex view_as_real real imag angle conj fft ifft rfft irfft fft2 "
            "ifft2 rfft2 irfft2 stft istft",
            "selection": "nonzero argwhere unique unique_consecutive bincount histc median quantile kthvalue mode",
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
