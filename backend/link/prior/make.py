#!/usr/bin/env python3
# Makes PackedPrior.inc, which packed bitcode begins with having seen
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: backend/link/prior/make.py --build DIR
#
# What is typical of device code, compiled by the xcc that was built: C and C++,
# for the host and a GPU, with and without -O; what resembles most units most
# comes last. Whoever has another file of that name cannot read what this one
# packed, and says so. It needs to be made anew when LLVM's records change so
# much that objects grow, and not otherwise.

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
UNITS = (("sample.c", "-O2", "--offload-arch=gfx90a"), ("sample.cpp", "-O2"), ("sample.c", "-O0"),
         ("sample.c", "-O2"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    subprocess.run(["ninja", "-C", build, "xcc", "xcc_make_prior"], check=True)
    with tempfile.TemporaryDirectory() as work:
        objects = []
        for source, *options in UNITS:
            objects.append(f"{work}/{len(objects)}.o")
            language = ["-x", "c"] if source.endswith(".c") else []
            # By its name alone, which is in the module.
            subprocess.run([build / "bin/xcc", "-foffload-export", *options, *language, "-c", source, "-o",
                            objects[-1]], check=True, cwd=HERE)
        made = subprocess.run([build / "bin/xcc_make_prior", *objects], check=True, capture_output=True,
                              text=True)
    (HERE.parent / "PackedPrior.inc").write_text(made.stdout)


if __name__ == "__main__":
    sys.exit(main())
