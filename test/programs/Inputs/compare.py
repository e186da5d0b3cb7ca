#!/usr/bin/env python3
# Whole programs on a device against their host builds
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds a program with Clang, and with `xcc -foffload-main` for each device,
# runs all of them in folders of their own with the same name, arguments and
# input, and compares, byte for byte, what they print, the files that they leave,
# and how they end. By hand:
#
#   compare.py --xcc build/bin/xcc --clang /usr/lib/llvm-22/bin/clang \
#     --build build --work /tmp/work program.c --run 'arguments'
#
# Of several GPUs each level takes one, in turn (with --every all); which one a
# program begins with depends on its name.
#
# On devices other than the host's machine, what a program that a signal ends
# has on standard error is the loader's, and only how it ends is compared.

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import zlib

SIMULATORS = {
    "sm_": ("cuda", "MOCK_CUDA_DEVICES", ["-foffload-no-cubin", "-foffload-ptx=all"]),
    "gfx": ("hsa", "MOCK_HSA_AGENTS", []),
}


def simulator_of(arch):
    for prefix, found in SIMULATORS.items():
        if arch.startswith(prefix):
            return found
    return None


def environment_of(arch, build):
    environment = dict(os.environ)
    if simulator := simulator_of(arch):
        kind, devices, _ = simulator
        environment.update({"LD_LIBRARY_PATH": f"{build}/simulator/{kind}", devices: arch,
                            "XCC_RUN_OPTIONS": f"--device={kind}"})
    return environment


def run(command, folder, seconds, environment=None):
    """A command's status, None for one that does not end, and what it wrote."""
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds)
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, f"still runs after {seconds} seconds"


def build_program(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{shlex.join(command)}\n{done.stderr}{done.stdout}")


def files_in(folder):
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(path, name)
            with open(file, "rb") as stream:
                found[os.path.relpath(file, folder)] = stream.read()
    return found


def run_in(folder, program, args, text, environment, seconds):
    """Output, errors, status and files of a run in an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    # The same argv[0] for all.
    name = os.path.basename(program)
    try:
        done = subprocess.run([name] + args, executable=program, input=text, cwd=folder, env=environment,
                              capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return {"status": f"still runs after {seconds} seconds"}
    return {"status": done.returncode, "output": done.stdout, "errors": done.stderr, "files": files_in(folder)}


def differences(host, device, shares):
    for what, expected in host.items():
        if what == "errors" and not shares and host["status"] < 0:
            continue
        if device.get(what) != expected:
            yield f"{what}: host {str(expected)[:2000]}\n{' ' * len(what)}  device {str(device.get(what))[:2000]}"


def devices_at(number, name, devices, every):
    """Those of a program's that the level with this number takes."""
    gpus = [arch for arch in devices if simulator_of(arch)]
    if every or len(gpus) < 2:
        return devices
    taken = gpus[(zlib.crc32(name.encode()) + number) % len(gpus)]
    return [arch for arch in devices if arch not in gpus or arch == taken]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xcc", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True, help="a folder for what is made")
    parser.add_argument("--levels", default="-O0,-O2", help="options of each build")
    parser.add_argument("--devices", default="host")
    parser.add_argument("--every", action="store_true", help="every GPU at every level")
    parser.add_argument("--options", default="", help="for all builds")
    parser.add_argument("--input", help="a file for standard input")
    parser.add_argument("--run", action="append", help="arguments of a run; may be repeated")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("sources", nargs="+")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    text = open(args.input, "rb").read() if args.input else b""
    runs = [shlex.split(run) for run in args.run or [""]]
    name = os.path.splitext(os.path.basename(args.sources[0]))[0]
    cplusplus = any(not source.endswith(".c") for source in args.sources)
    bad = 0
    for number, level in enumerate(args.levels.split(",")):
        folder = os.path.join(args.work, level.strip("-"))
        os.makedirs(os.path.join(folder, "host-build"), exist_ok=True)
        rest = [level] + shlex.split(args.options) + args.sources
        host = os.path.join(folder, "host-build", name)
        build_program([args.clang + ("++" if cplusplus else ""), *rest, "-o", host, "-lm"])
        for arch in devices_at(number, name, args.devices.split(","), args.every):
            device = os.path.join(folder, arch, name)
            os.makedirs(os.path.dirname(device), exist_ok=True)
            simulator = simulator_of(arch)
            build_program([args.xcc, "-foffload-main", f"-offload-arch={arch}", *(simulator[2] if simulator else []),
                           *rest, "-o", device, "-lm"])
            for run in runs:
                expected = run_in(folder + "/run", host, run, text, dict(os.environ), args.seconds)
                found = run_in(folder + "/run", device, run, text, environment_of(arch, args.build), args.seconds)
                for difference in differences(expected, found, simulator is None):
                    print(f"{name} {shlex.join(run)} at {level} on {arch}: {difference}")
                    bad += 1
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
