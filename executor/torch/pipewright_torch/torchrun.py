# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""torchrun for builds of PyTorch without libuv, such as Debian's: there torchrun itself asks for a
server that the build does not have. With libuv it is torchrun as it is.

The ranks of pipewright_torch meet without libuv by themselves; those of other programs may not.
"""

import sys

import torch.distributed as dist


class PlainStore(dist.TCPStore):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **dict(options, use_libuv=False))


def has_libuv():
    try:
        dist.TCPStore("127.0.0.1", 0, 1, True, use_libuv=True)
    except Exception:
        return False
    return True


if __name__ == "__main__":
    if not has_libuv():
        dist.TCPStore = PlainStore  # before the modules that take it from there
    from torch.distributed.run import main

    sys.exit(main())
