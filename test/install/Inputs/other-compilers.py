# Has Clang and GCC read what xcc alone compiles, without a word.
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   other-compilers.py headers CLANG INCLUDE EXAMPLES   each header alone, and
#                                                       each example
#   other-compilers.py commands CLANG FILE              each command of a
#                                                       compile_commands.json

import json
import pathlib
import shlex
import shutil
import subprocess
import sys


# Debian's own, where it is installed.
OLDER = [name for name in ["clang++-14"] if shutil.which(name)]


def read(command, folder=None, text=""):
    said = subprocess.run([str(word) for word in command], cwd=folder, input=text, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert said.returncode == 0 and not said.stdout, (command, said.stdout)


def headers(clang, include, examples):
    checks = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    public = pathlib.Path(include, "xcc")
    for header in [*public.glob("*.h"), *public.glob("cuda/*.h")]:
        if header.name in ("array_copies.h", "attributes.h", "graph_changes.h", "launches.h",
                           "names.h", "pools.h", "renamed.h", "shuffles.h", "textures.h",
                           "tuning.h"):
            continue  # of cuda.h, hip.h and runtime.h
        text = f"#include <{header.relative_to(include)}>\n"
        read([clang, "-std=c++17", *checks, "-I", include, "-x", "c++", "-"], text=text)
        for older in OLDER:
            if header.name in ("half.h", "small_floats.h", "fp8.h", "fp6.h", "fp4.h", "matrices.h"):
                continue  # it says that it needs a later one
            read([older, "-std=c++17", "-fsyntax-only", "-I", include, "-x", "c++", "-"], text=text)
        read(["g++", "-std=c++17", *checks, "-isystem", include, "-x", "c++", "-"], text=text)
    for example in pathlib.Path(examples).glob("*.cpp"):
        read([clang, "-std=c++20", *checks, "-Wno-unknown-attributes", "-isystem", include, example])


def commands(clang, path):
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)
    assert entries
    for entry in entries:
        words = shlex.split(entry["command"])
        assert words[0].endswith("/bin/xcc"), words
        read([clang, "-Werror", *words[1:], "-o", "/dev/null"], entry["directory"])


{"headers": headers, "commands": commands}[sys.argv[1]](*sys.argv[2:])
