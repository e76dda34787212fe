# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Steps that were written, beside those of torch.optim.Muon: muon.py FOLDER. For muon.sh.

A file is called ROWSxCOLUMNS. Its lines are first weights, then a gradient and the weights after it, step by step; a weight has
its inputs as rows, where torch.nn.Linear has them as columns.
"""
import pathlib
import sys

import torch

LEARNING_RATE, MOMENTUM, DECAY = 0.02, 0.95, 0.1


def steps(lines, rows, columns):
    """The weights after each step, by PyTorch."""
    weight = torch.nn.Parameter(lines[0].reshape(rows, columns).T.clone())
    optimizer = torch.optim.Muon([weight], lr=LEARNING_RATE, momentum=MOMENTUM, weight_decay=DECAY, nesterov=True,
                                 adjust_lr_fn="match_rms_adamw")
    for gradient in lines[1::2]:
        weight.grad = gradient.reshape(rows, columns).T.clone()
        optimizer.step()
        yield weight.detach().T.reshape(-1).clone()


def apart(folder):
    """The largest ‖ours − PyTorch's‖ ⁄ ‖what a step changes‖ of all files and steps."""
    worst = 0.0
    for file in sorted(pathlib.Path(folder).iterdir()):
        rows, columns = map(int, file.name.split("x"))
        lines = [torch.tensor([float(w) for w in line.split()]) for line in file.read_text().splitlines()]
        ours = [lines[0], *lines[2::2]]
        for before, here, theirs in zip(ours, ours[1:], steps(lines, rows, columns)):
            worst = max(worst, float((here - theirs).norm() / (here - before).norm()))
    return worst


def main():
    rounded = apart(sys.argv[1])
    torch.Tensor.bfloat16 = lambda self: self.float().clone()  # what Muon rounds to before its products
    exact = apart(sys.argv[1])
    print(f"steps differ by {exact:.1e} in floats, by {rounded:.1e} where PyTorch rounds to bfloat16")
    return 0 if exact < 1e-4 < rounded < 0.1 else 1


if __name__ == "__main__":
    sys.exit(main())
