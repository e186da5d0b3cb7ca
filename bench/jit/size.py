#!/usr/bin/env python3
# Portable images beside native ones, in bytes
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/jit/size.py --build DIR
#
# The images of every example for all devices that code can be generated for (generic),
# by those of five archs, as each lies in the program, PTX for NVIDIA GPUs. Writes Markdown to standard output.

import argparse
import json
import math
import pathlib
import subprocess
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
NATIVE = "sm_70,sm_90,gfx90a,gfx1100,host"


def bytes_of_images(build, source, archs, folder):
    program = folder / "program"
    subprocess.run([build / "bin/xcc", "-std=c++20", "-O2", f"--offload-arch={archs}", "-foffload-no-cubin", source, "-o", program],
                   check=True, stderr=subprocess.DEVNULL)
    said = subprocess.run([build / "bin/xcc-info", "--json", program], check=True, stdout=subprocess.PIPE).stdout
    return sum(image["size"] for image in json.loads(said)["files"][0]["images"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    args = parser.parse_args()
    print(f"| example | `{NATIVE}` | `generic` | |\n|---|---|---|---|")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted(EXAMPLES.glob("*.cpp")):
            if "library/" in source.read_text() or "compile_source" in source.read_text():
                continue  # its kernels' code is not all its own
            native, portable = (bytes_of_images(args.build.resolve(), source, archs, pathlib.Path(folder))
                                for archs in (NATIVE, "generic"))
            if not native:
                continue  # no kernels
            ratios.append(portable / native)
            print(f"| {source.stem} | {native} | {portable} | {ratios[-1]:.2f} |", flush=True)
    print(f"| geometric mean | | | {math.prod(ratios) ** (1 / len(ratios)):.2f} |")


if __name__ == "__main__":
    main()
