# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
# What is compiled; people see it as the package, whose stub has every name.
from typing import Any

def __getattr__(name: str) -> Any: ...
