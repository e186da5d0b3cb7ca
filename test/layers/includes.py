#!/usr/bin/env python3
# Which part of the project includes what
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A wall is a library's edge: the front end needs Clang, the back end LLVM and
# lld, the runtime neither. Data flows one way, and so do includes:
#
#     driver -> frontend/unit -> frontend/kernels -> backend -> formats <- host-runtime
#
# Prints every include that goes the other way, and fails if there is one. So it does with
# files of the driver that name a stream of the process: they are given a DriverEnv.

import argparse
import os
import re
import sys

# A folder, and what no file in it includes: headers of libraries by their
# first folder, our own by the folders they lie in.
WALLS = [
    ("backend", ["clang"], ["frontend", "driver", "host-runtime/src"]),
    ("backend/block", ["lld"], ["backend/link", "backend/targets", "backend/gpu"]),
    ("backend/support", ["lld"], ["backend/link", "backend/targets", "backend/gpu"]),
    ("frontend", ["lld"], ["driver", "host-runtime/src"]),
    ("driver", [], ["host-runtime/src"]),
    ("frontend/kernels", [], ["frontend/unit"]),
    ("formats", ["llvm", "clang", "lld"], ["backend", "frontend", "driver", "host-runtime/src", "rpc"]),
    ("host-runtime", ["llvm", "clang", "lld"], ["backend", "frontend", "driver"]),
    ("host-runtime/src/cpu/workers", [], ["host-runtime/src/cpu/queue"]),
    ("host-runtime/jit", ["clang", "lld"], ["frontend", "driver"]),
    ("host-runtime/rtc", ["lld"], []),
    ("rpc", ["llvm", "clang", "lld"], ["backend", "frontend", "driver", "host-runtime"]),
    ("device-runtime", ["llvm", "clang", "lld"], ["backend", "frontend", "driver"]),
]

# Where a quoted include is looked for, besides its own file's folder.
PATHS = {
    "formats": ["formats", "host-runtime/include", "."],
    "backend": ["backend", "host-runtime/include", "."],
    "frontend": ["frontend", "backend", "host-runtime/include", "."],
    "driver": ["driver", "frontend", "backend", "host-runtime/include", "."],
    "host-runtime": ["host-runtime/src", "host-runtime/include", "rpc", "rpc/include", ".", "backend", "frontend", "driver"],
    "rpc": ["rpc", "rpc/include", "rpc/src", "."],
    "device-runtime": ["device-runtime", "rpc", "host-runtime/include", "."],
}

# A test for a vendor by name is one too many: what differs is a question that
# a target or a device API's folder answers.
VENDORS = re.compile(r"nvptx|amdgcn|amdgpu|\bptx|cuda|\bhsa\b|\brocm", re.I)
VENDOR_FREE = ["driver", "frontend", "backend/link", "backend/block", "backend/support",
               "backend/access", "device-runtime"]
# The folders of device targets, whose parts have one name in each.
TARGET_FOLDERS = ("device-runtime/nvptx/", "device-runtime/amdgcn/", "device-runtime/cpu/")
# Words of other languages that users write: no target's.
FOREIGN_WORDS = ("frontend/unit/Hints.cpp", "frontend/cuda/", "driver/cudaify/",
                 "driver/NvccOptions.")
# CUDA as a language of sources (-foffload-cuda), which says nothing of a target.
LANGUAGE = re.compile(
    r"-f(?:no-)?offload-cuda|xcc/cuda[\w./]*|\"cuda/\w+\.h|takeCudaForCxx|(?:options|unit)\.cuda\b"
    r"|bool cuda\b|\"cuda\"|isCuda|requestsCuda|__CUDA\w*|__NVCC__|if \(cuda\)")


def sources(root, folder):
    for path, _, names in os.walk(os.path.join(root, folder)):
        for name in sorted(names):
            if name.endswith((".h", ".cpp", ".c", ".inc", ".def")):
                yield os.path.relpath(os.path.join(path, name), root)


def resolve(root, file, include):
    top = file.split("/")[0]
    for folder in [os.path.dirname(file)] + PATHS[top]:
        path = os.path.normpath(os.path.join(folder, include))
        if os.path.exists(os.path.join(root, path)):
            return path
    return None


def code_of(line):
    """A line without strings' texts and its comment."""
    return re.sub(r"//.*", "", re.sub(r'"[^"]* [^"]*"', '""', line))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", help="the project's folder")
    root = parser.parse_args().root
    faults = []
    for folder, libraries, ours in WALLS:
        for file in sources(root, folder):
            # Libraries of their own: the back end, and the front end with it,
            # each behind an interface in C.
            if folder == "host-runtime" and file.startswith(("host-runtime/jit/", "host-runtime/rtc/")):
                continue
            for number, line in enumerate(open(os.path.join(root, file)), 1):
                found = re.match(r'\s*#\s*include\s*([<"])([^">]+)', line)
                if not found:
                    continue
                include = found[2]
                if include.split("/")[0] in libraries:
                    faults.append(f"{file}:{number}: {folder}/ includes nothing of {include.split('/')[0]}")
                if found[1] != '"':
                    continue
                path = resolve(root, file, include)
                for wall in ours:
                    if path and path.startswith(wall + "/"):
                        faults.append(f"{file}:{number}: {folder}/ includes nothing of {wall}/ ({include})")
    for folder in VENDOR_FREE:
        for file in sources(root, folder):
            if file.startswith(FOREIGN_WORDS + TARGET_FOLDERS):
                continue
            for number, line in enumerate(open(os.path.join(root, file)), 1):
                if VENDORS.search(LANGUAGE.sub("", code_of(line))):
                    faults.append(f"{file}:{number}: names a vendor: {line.strip()}")
    for file in sources(root, "driver"):
        # Where the DriverEnv is made, and a program of its own.
        if file == "driver/main.cpp" or file.startswith("driver/cudaify/"):
            continue
        for number, line in enumerate(open(os.path.join(root, file)), 1):
            if re.search(r"\b(?:errs|outs)\(\)", code_of(line)):
                faults.append(f"{file}:{number}: prints to a stream that it is not given: {line.strip()}")
    print("\n".join(faults) if faults else "every include goes down")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
