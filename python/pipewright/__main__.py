# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""The command `pipewright`, and `python -m pipewright`: the program that was installed with the package."""

import os
import shutil
import sys
from pathlib import Path


def program():
    """The path of the program; None where the package was installed without it."""
    own = Path(__file__).resolve().parent / "bin" / "pipewright"
    if own.is_file():
        return str(own)
    # A package of Debian has the program elsewhere; a script of this package is not meant.
    found = shutil.which("pipewright")
    same = found is not None and sys.argv and os.path.realpath(found) == os.path.realpath(sys.argv[0])
    return None if same else found


def main():
    """Starts the program in the place of this one."""
    path = program()
    if path is None:
        sys.exit("pipewright: the program is not installed with this package; a build with pip has it")
    os.execv(path, ["pipewright", *sys.argv[1:]])


if __name__ == "__main__":
    main()
