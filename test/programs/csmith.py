#!/usr/bin/env python3
# Whole programs of csmith, in C, on a device
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each program is built by Clang at -O0 and -O2, and by `xcc -foffload-main` for
# each device and level; all have to print the same. Programs that run for long
# on the host, or of which Clang's two builds differ there, are left out, and so
# are packed structures where a program takes addresses of members, as in
# test/random/csmith.py. From the root of the tree:
#
#   test/programs/csmith.py --build build --seeds 0 99 [--devices host,sm_90]
#
# The same seeds are the same programs. What differs is printed with how to make
# it again; the exit status is 1 if any does.

import argparse
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "Inputs"))
from compare import environment_of, run, simulator_of

OPTIONS = ["--max-funcs", "6", "--max-block-depth", "3", "--max-expr-complexity", "8"]
MEMBER_ADDRESS = r"&\(?\*?\w+\)?(\[[^]]*\])*(\.|->)f\d"


def make(seed, folder):
    run(["csmith", "--seed", str(seed), *OPTIONS, "-o", "program.c"], folder, 60)
    program = pathlib.Path(folder) / "program.c"
    text = program.read_text()
    if re.search(MEMBER_ADDRESS, text):
        program.write_text(re.sub(r"#pragma pack.*\n", "", text))


def expected_of(folder, args):
    """What the host says; None where it is no use."""
    said = set()
    for level in ("-O0", "-O2"):
        if run([args.clang, "-w", f"-I{args.headers}", level, "program.c", "-o", "host"], folder, 120)[0] != 0:
            return None
        said.add(run(["./host"], folder, args.host_seconds))
    result = said.pop()
    return result if not said and result[0] == 0 else None


def differences(seed, folder, expected, args):
    for device in args.devices.split(","):
        simulator = simulator_of(device)
        for level in args.levels.split(","):
            build = [args.build / "bin/xcc", "-foffload-main", f"-offload-arch={device}",
                     *(simulator[2] if simulator else []), "-w", f"-I{args.headers}", level, "program.c", "-o", "device"]
            status, said = run(build, folder, args.seconds)
            if status == 0:
                status, said = run(["./device"], folder, args.seconds, environment_of(device, args.build))
            if (status, said) != expected:
                yield (f"seed {seed} on {device} at {level}: status {status}: {said.strip()[:400]}, not "
                       f"{expected[1].strip()}; csmith --seed {seed} {' '.join(OPTIONS)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--headers", default="/usr/include/csmith")
    parser.add_argument("--seeds", type=int, nargs=2, default=[0, 9], metavar=("FIRST", "LAST"))
    parser.add_argument("--devices", default="host")
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--host-seconds", type=float, default=1)
    args = parser.parse_args()
    args.build = args.build.resolve()
    tried = left_out = differ = 0
    for seed in range(args.seeds[0], args.seeds[1] + 1):
        with tempfile.TemporaryDirectory() as folder:
            make(seed, folder)
            expected = expected_of(folder, args)
            if not expected:
                left_out += 1
                continue
            tried += 1
            for text in differences(seed, folder, expected, args):
                differ += 1
                print(text, flush=True)
    print(f"{tried} programs, {left_out} left out, {differ} differ")
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
