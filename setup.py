# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
"""Builds the Python package with CMake: the module, and the program that the command starts.

CMAKE_ARGS in the environment goes to CMake, CMAKE_BUILD_PARALLEL_LEVEL says how many compilers run.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
NEEDED = (
    "cmake (3.25 or later), a C++20 compiler, pybind11, tl-expected, RapidJSON, SQLite, zlib and zstd with their "
    "headers; Debian: g++ cmake ninja-build python3-dev pybind11-dev libexpected-dev rapidjson-dev libsqlite3-dev "
    "zlib1g-dev libzstd-dev libdnnl-dev"
)


def version():
    """That of CMakeLists.txt: it stands in one place."""
    text = (HERE / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(Pipewright VERSION ([0-9.]+)", text).group(1)


class CMakeBuild(build_ext):
    """Module and program, into the package."""

    def build_extension(self, ext):
        into = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        # Beside the other trees: a second build has less to do, and a cache of the compiler serves all of them.
        tree = HERE / "build" / "pip"
        tree.mkdir(parents=True, exist_ok=True)
        options = [
            "-DCMAKE_BUILD_TYPE=Release",
            "-DPW_TESTS=OFF",
            "-DPW_STUDIO=OFF",
            "-DPW_CUDA=OFF",
            "-DPW_MPI=OFF",
            "-DPW_PYTHON=ON",
            f"-DPython3_EXECUTABLE={sys.executable}",
        ]
        if shutil.which("ninja"):
            options += ["-G", "Ninja"]
        options += os.environ.get("CMAKE_ARGS", "").split()
        build = ["cmake", "--build", str(tree), "--target", "pipewright", "pw_python"]
        if "CMAKE_BUILD_PARALLEL_LEVEL" not in os.environ:
            build += ["--parallel", str(os.cpu_count() or 1)]
        try:
            subprocess.run(["cmake", "-S", str(HERE), "-B", str(tree), *options], check=True)
            subprocess.run(build, check=True)
        except FileNotFoundError:
            raise SystemExit(f"Pipewright is built by CMake, and there is none. What it needs: {NEEDED}") from None
        except subprocess.CalledProcessError:
            raise SystemExit(f"Pipewright was not built; the reason stands above. What it needs: {NEEDED}") from None
        (into / "bin").mkdir(parents=True, exist_ok=True)
        program = into / "bin" / "pipewright"
        shutil.copy2(tree / "app" / "pipewright", program)
        module = next((tree / "python" / "pipewright").glob("_core*.so"))
        shutil.copy2(module, into / module.name)
        shutil.copy2(module.with_name("_commands.pyi"), into / "_commands.pyi")
        if shutil.which("strip"):
            subprocess.run(["strip", str(program), str(into / module.name)], check=True)


setup(
    version=version(),
    packages=["pipewright", "pipewright_torch"],
    package_dir={"pipewright": "python/pipewright", "pipewright_torch": "executor/torch/pipewright_torch"},
    package_data={"pipewright": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("pipewright._core", [])],
    cmdclass={"build_ext": CMakeBuild},
    zip_safe=False,
)
