"""The makemore network in plain PyTorch, written once more: what the walk says of it is held against this."""

import torch
from torch.nn import functional as F

from backend.program.lessons.makemore_mlp import BATCH, LESSON


def by_autograd() -> dict[str, torch.Tensor]:
    """Every tensor of the lesson in float64 with its gradient, by the names that the program gives them."""
    assert LESSON.seed is not None
    given = LESSON.material(LESSON.seed, None).tensors
    t = {name: x.double().requires_grad_() if x.is_floating_point() else x for name, x in given.items()}
    t["emb"] = t["C"][t["Xb"]]
    t["embcat"] = t["emb"].view(BATCH, -1)
    t["hprebn"] = t["embcat"] @ t["W1"] + t["b1"]
    t["bnmeani"] = t["hprebn"].sum(0, keepdim=True) / BATCH
    t["bndiff"] = t["hprebn"] - t["bnmeani"]
    t["bndiff2"] = t["bndiff"] ** 2
    t["bnvar"] = t["bndiff2"].sum(0, keepdim=True) / (BATCH - 1)
    t["bnvar_inv"] = (t["bnvar"] + 1e-5) ** -0.5
    t["bnraw"] = t["bndiff"] * t["bnvar_inv"]
    t["hpreact"] = t["bngain"] * t["bnraw"] + t["bnbias"]
    t["h"] = torch.tanh(t["hpreact"])
    t["logits"] = t["h"] @ t["W2"] + t["b2"]
    t["logit_maxes"] = t["logits"].max(1, keepdim=True).values
    t["norm_logits"] = t["logits"] - t["logit_maxes"]
    t["counts"] = t["norm_logits"].exp()
    t["counts_sum"] = t["counts"].sum(1, keepdim=True)
    t["counts_sum_inv"] = t["counts_sum"] ** -1
    t["probs"] = t["counts"] * t["counts_sum_inv"]
    t["logprobs"] = t["probs"].log()
    t["loss"] = F.nll_loss(t["logprobs"], t["Yb"])
    for one in t.values():
        if one.requires_grad:
            one.retain_grad()
    t["loss"].backward()
    return t
