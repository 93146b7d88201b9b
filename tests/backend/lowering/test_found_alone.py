"""Code that was pasted without its class, its imports or what it calls is read as what it is usually."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

import backend


def walked(source: str) -> Any:
    return orjson.loads(backend.walk({"source": source, "tensors": {}}))


# How code that was pasted without its class or its imports is read: lines that the program has then.
READ_AS = {
    "PyTorch by another name": (
        "def f(x, w):\n    return t.exp(t.tanh(x @ w)).mean(-1) + t.stack([x[:, 0], x[:, 1]]).sum()", "torch.exp(",
    ),
    "layers in a row": ("def forward(self, x):\n    for layer in self:\n        x = layer(x)\n    return x", "layers_1_weight"),
    "the object itself": (
        "def training_step(self, batch):\n    y_hat = self(batch.x)\n    return F.mse_loss(y_hat, batch.y)",
        "forward_weight",
    ),
    "what is given by name": (
        "def forward(self, x, **kwargs):\n    if 'mask' in kwargs:\n        x = x * kwargs['mask']\n"
        "    return self.fc(torch.cat([x, kwargs['labels'].float()], 1))", "labels",
    ),
    "a layer that is given what it goes around": (
        "def forward(self, x):\n    return self.sublayer[0](x, lambda x: torch.tanh(x))", "x + torch.tanh(norm)",
    ),
    "one of several functions": ("def f(self, x):\n    return slopes[self.h](x) * x", "slopes_h"),
    "a layer for each tensor": (
        "def forward(self, q, k, v):\n    q, k, v = [l(x) for l, x in zip(self.linears, (q, k, v))]\n    return q @ k.T @ v",
        "linears_2_weight",
    ),
    "parts of a dictionary, gone through": (
        "def f(batch):\n    more = {k: v for k, v in batch.items() if k != 'w'}\n    return (more['x'] @ batch['w']).sum()\n"
        "def g(batch):\n    return f(batch) * batch['x'].mean()", "batch_x",
    ),
    "what runs where a package isn't there": (
        "def f(x, w):\n    try:\n        from fused_kernels import fused\n        return fused(x, w)\n"
        "    except ImportError:\n        return torch.tanh(x @ w)", "torch.tanh(x @ w)",
    ),
    "a setting that is there": (
        "def f(self, x):\n    if self.squash is not None:\n        raise NotImplementedError\n    return torch.log(self.std) * x",
        "torch.log(std)",
    ),
    "an activation that is asked for": (
        "def f(self, x):\n    if self.h == torch.tanh:\n        x = x * 2\n    else:\n        raise ValueError\n    return x.exp()",
        "x * 2",
    ),
    "a width in a range": (
        "def f(self, x):\n    z = torch.zeros_like(x)\n    for i in range(self.dim):\n        z[:, i] = torch.exp(x[:, i])\n"
        "    return z", "torch.exp(x[:, 7])",
    ),
    "a matrix that is called like a constant": ("def f(x, W_1):\n    return (W_1 * x).sum()", "W_1"),
    "a number by its logarithm, a tensor by its own": (
        "def f(p, n_bins):\n    return (log(p) / log(2) / n_bins).mean()", "torch.log(p) / math.log(2)",
    ),
    "a number that is made a tensor": (
        "def f(x, alpha: float):\n    a = torch.tensor(alpha, dtype=x.dtype)\n    return (x + torch.log(1 - a)).sum()",
        "torch.log(1 - a)",
    ),
    "what is called like a number and logged": ("def f(p):\n    return -(p * torch.log2(p)).sum()", "torch.log2(p)"),
    "a loss behind how good it is": (
        "def f(pred, y):\n    lp = F.logsigmoid(pred * y)\n    acc = (lp.exp() > 0.5).float().mean()\n"
        "    return {'acc': acc, 'nll': -lp.mean(), 'n_tokens': lp.shape[0]}", "loss = -lp.mean()",
    ),
    "a divergence of its own": (
        "def f(a, n):\n    return (a * kl_divergence(a, n, device='cpu')).sum()", "a * kl_divergence",
    ),
    "a word behind all others": (
        "def f(self, idx):\n    e = self.wte(idx)\n    idx = torch.roll(idx, 1, 1)\n    idx[:, 0] = self.vocab_size\n"
        "    return torch.cat([e, self.wte(idx)], -1)", "wte_weight",
    ),
    "how often it is done": (
        "def f(self, x):\n    for i in range(self.steps * self.scale):\n        x = torch.tanh(x)\n    return x",
        "x_4 = torch.tanh(x_3)",
    ),
    "layers that are named by their numbers": (
        "class Net(nn.Module):\n    def __init__(self, d):\n        super().__init__()\n        for i in range(2):\n"
        "            self.add_module('layer%d' % (i + 1), nn.Linear(d, d))\n    def forward(self, x):\n"
        "        for name, one in self.named_children():\n            x = torch.tanh(one(x))\n        return x",
        "layer2_weight",
    ),
    "a mask that is drawn into a new tensor": (
        "def f(self, x):\n    m = x.data.new(1, x.size(1)).bernoulli_(0.5)\n    return m * x", "* x",
    ),
    "a width as long as what it is added to": (
        "class Block(nn.Module):\n    def __init__(self, inplanes, planes):\n        super().__init__()\n"
        "        self.conv = nn.Conv2d(inplanes, planes * 4, 1)\n    def forward(self, x):\n        return self.conv(x) + x",
        "inplanes",
    ),
    "a bias that is reckoned": (
        "def f(self, x):\n    return F.linear(x, self.mu, self.b_mu + self.b_sigma * torch.sign(x[0]))", "b_sigma",
    ),
    "an array of which a tensor is made": (
        "def f(state, w):\n    s = torch.tensor(state, dtype=torch.float32)\n    return torch.tanh(s @ w).sum()",
        "torch.tanh(state @ w)",
    ),
    "places up to a length that isn't a size of the table": (
        "class Places(nn.Module):\n    def __init__(self, dim, max_seq_len):\n        super().__init__()\n"
        "        self.emb = nn.Embedding(max_seq_len, dim)\n    def forward(self, x):\n"
        "        return self.emb(torch.arange(x.shape[1]))", "emb_weight",
    ),
    "places that are reckoned": (
        "def f(self, x):\n    _, i = (x @ self.w.t()).max(1)\n    return self.codes(i) * self.w.sum()", "codes_weight",
    ),
    "targets of which whole numbers are made": (
        "def f(out, gt):\n    gt = gt.long()\n    return F.cross_entropy(out, gt.view(-1,))", "gt.view(-1)",
    ),
    "whole numbers that are made of decimals": (
        "def f(self, x):\n    i = x[:, -2:].long()\n    return torch.cat([x, self.emb(i[:, 0])], -1)", "emb_weight",
    ),
    "the weights of classes, which have no gradient": (
        "def f(self, out, y):\n    return F.nll_loss(F.log_softmax(out, 1), y, self.weight)", "weight",
    ),
    "layers that are put in the place of others": (
        "class Net(nn.Module):\n    def __init__(self, d):\n        super().__init__()\n"
        "        self.net = nn.Sequential(nn.Linear(d, d), nn.Tanh(), nn.Linear(d, d))\n        self.net[1] = nn.GELU()\n"
        "        self.more = nn.ModuleList()\n        self.more.add_module('last_0', nn.Linear(d, 3))\n"
        "    def forward(self, x):\n        x = self.net(x)\n        for one in self.more:\n            x = one(x)\n"
        "        return x", "F.gelu(",
    ),
    "channels that a layer behind a pool counts": (
        "class Net(nn.Module):\n    def __init__(self, block):\n        super().__init__()\n"
        "        self.body, self.pool, self.fc = block(16, 64), nn.AdaptiveAvgPool2d(1), nn.Linear(64, 10)\n"
        "    def forward(self, x):\n        x = self.pool(self.body(x))\n        return self.fc(x.view(x.size(0), -1))",
        "adaptive_avg_pool2d",
    ),
    "what was set above a class for something else": (
        "src = vars(data.examples[3])['src']\nx = torch.randn([64, 128, 80, 80])\nclass Net(nn.Module):\n"
        "    def forward(self, x):\n        return torch.tanh(x) if torch.__version__ >= '1.5.0' else x", "torch.tanh(x)",
    ),
    "the axes over which is summed, each once": (
        "def f(x):\n    axes = np.unique((2, 1, 2)).astype(int)\n    for one in sorted(axes, reverse=True):\n"
        "        x = x.exp().sum(int(one))\n    return x", "x_3 = x_2.exp().sum(1)",
    ),
    "rewards in NumPy": ("def f(rewards):\n    return (rewards - np.mean(rewards)) / np.std(rewards)", "torch.mean(rewards)"),
    "a share that is drawn": (
        "def f(x, alpha=0.5):\n    lam = np.random.beta(alpha, alpha)\n    return lam * x + (1 - lam) * x[np.random.permutation(4)]",
        "0.5",
    ),
    "a layer that is moved first": (
        "def forward(self, x):\n    self.fc = self.fc.to(x.dtype).to(x.device)\n    return self.fc(x)", "fc_weight",
    ),
    "results that are kept by name": (
        "def forward(self, x):\n    mu = self.fc(x)\n    self.outputs['mu'] = mu\n    return self.outputs['mu'].exp()", "mu.exp()",
    ),
    "steps that are picked for each example": (
        "def f(v, t, x_shape):\n    return torch.gather(v, index=t, dim=0).view([t.shape[0]] + [1] * (len(x_shape) - 1))",
        "1, 1, 1",
    ),
    "two lists that grow on one line": (
        "def f(x):\n    row, col = list(), list()\n    for i in range(2):\n        row.append(i), col.append(i + 1)\n"
        "    return torch.sum(x[:, row] * x[:, col], dim=2)", "x[:, [0, 1]]",
    ),
    "a weight of whole numbers": (
        "class Net(nn.Module):\n    __constants__ = ['bias']\n    def __init__(self):\n        super().__init__()\n"
        "        self.bias = nn.Parameter(torch.Tensor([0]))\n    def forward(self, x):\n        return x * self.bias",
        "x * bias",
    ),
    "a kind of number that buffers have": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.register_buffer('scale', torch.rand(3))\n    def forward(self, x):\n"
        "        return x.to(next(self.buffers()).dtype) * self.scale", "x * scale",
    ),
    "scores of actions that a distribution is made of": (
        "def f(scores):\n    return Categorical(scores).entropy().mean()", "scores.sum(",
    ),
    "a helper that only an assertion calls": (
        "def f(x, context=None):\n    assert not exists(context), 'not here'\n    return torch.tanh(x)", "torch.tanh(x)",
    ),
    "exponents of a focal loss": (
        "def f(self, p, y):\n    return torch.pow(1 - p, self.gamma_pos * y + self.gamma_neg * (1 - y))", "gamma_neg * (1 - y)",
    ),
    "one of two kinds": (
        "def f(x):\n    if isinstance(x, list | tuple):\n        x = x[-1]\n    return torch.tanh(x)", "torch.tanh(x)",
    ),
    "the last of several": ("def forward(self, *features):\n    return torch.tanh(features[-1])", "torch.tanh(features_0)"),
    "the ratio of a circle": ("def f(x):\n    return torch.tanh(sqrt(2.0 / pi) * x)", "math.sqrt(2.0 / math.pi)"),
    "a layer of a class that is elsewhere": (
        "class Q(nn.Module):\n    def __init__(self, sizes):\n        super().__init__()\n        self.q = mlp(sizes)\n"
        "    def forward(self, obs, act):\n        return self.q(torch.cat([obs, act], dim=-1))", "q_weight",
    ),
    "a layer on a picture": (
        "def forward(self, x):\n    b, c, h, w = x.shape\n    q, k, v = self.to_qkv(x).chunk(3, dim=1)\n"
        "    return self.out((q * k).exp() * v)", "F.conv2d(x, to_qkv_weight",
    ),
    "a shape that is handed on": (
        "def forward(self, z):\n    img = self.model(z)\n    return img.view(img.shape[0], *img_shape)", "img_shape_2",
    ),
    "what is pasted without its `no_grad`": (
        "@torch.no_grad()\ndef f(x, w):\n    return torch.tanh(x @ w).sum()", "loss = torch.tanh(x @ w).sum()",
    ),
    "a picture twice as large": ("def f(x):\n    return F.upsample_bilinear(x, scale_factor=2)", "F.interpolate("),
}  # fmt: skip


@pytest.mark.parametrize("name", READ_AS)
def test_code_without_its_surroundings_is_read_as_what_it_is_usually(name: str) -> None:
    source, wanted = READ_AS[name]
    walk = walked(source)
    assert walk["summary"]["wrong"] == 0
    assert walk["summary"]["gradients"] >= 1
    assert wanted in walk["forward_source"] + "".join(need["name"] for need in walk["found"]["needs"])
