"""Fourier transforms along one axis and several, with every length, scale and way back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from tests.support.walked import walked

Tensor = torch.Tensor
fft = torch.fft


def size(x: Tensor) -> Tensor:
    """A number that depends on every part."""
    pairs = torch.view_as_real(x) if x.is_complex() else x
    return (pairs * torch.arange(1, pairs.numel() + 1).view(pairs.shape)).sin().sum()


def pairs(x: Tensor) -> Tensor:
    """Complex numbers from a last axis of two."""
    return torch.view_as_complex(x.contiguous())


CASES: dict[str, tuple[Callable[[Tensor], Tensor], tuple[int, ...]]] = {
    "fft": (lambda x: size(fft.fft(x)), (5,)),
    "of_complex": (lambda x: size(fft.fft(pairs(x), n=6, dim=0, norm="ortho")), (4, 3, 2)),
    "ifft": (lambda x: size(fft.ifft(pairs(x), n=3, norm="forward")), (2, 4, 2)),
    "rfft": (lambda x: size(fft.rfft(x, n=7, dim=0)), (5, 2)),
    "irfft": (lambda x: size(fft.irfft(pairs(x))), (2, 4, 2)),
    "irfft_odd": (lambda x: size(fft.irfft(pairs(x), n=9, norm="ortho")), (4, 2)),
    "convolution": (lambda x: size(fft.irfft(fft.rfft(x, n=8) * fft.rfft(x.flip(0), n=8).conj(), n=8)[:4]), (4,)),
    "two_axes": (lambda x: size(fft.irfft2(fft.rfft2(x, norm="ortho") * 0.5, s=(4, 3), norm="ortho")), (2, 4, 3)),
    "all_axes": (lambda x: size(fft.ifftn(fft.fftn(x, dim=(0, 2)) ** 2)), (3, 2, 4)),
    "real_axes": (lambda x: size(fft.irfftn(fft.rfftn(x) / (1 + 2j), s=x.shape)), (2, 3, 4)),
    "short_time": (lambda x: size(torch.stft(x, 8, 2, 6, torch.hann_window(6), return_complex=True)), (2, 20)),
    "shifted": (lambda x: size(fft.fftshift(fft.fft2(x)).real), (4, 3)),
}


@pytest.mark.parametrize("name", CASES)
def test_a_transform_is_walked(name: str) -> None:
    torch.manual_seed(6)
    function, shape = CASES[name]
    walk = walked(function, torch.randn(shape))
    assert "slopes" not in "".join(walk.notes)
