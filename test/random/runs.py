# Random programs: compiled, run, compared, reduced
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the generators in this folder share. A program prints a line for each of
# its parts (a kernel, a csmith program): its name and a sum of what it computed.
# The reference is the same source as plain C++ (-DREFERENCE) by clang++; its
# lines are what each device has to print, at each -O level.
#
# A device is "cpu", run with 1 and 4 threads, or "nvptx" or "amdgcn": the
# simulators of test/simulator, run for several GPUs. A program is told the first
# part it has to run, so that what follows a part that ends it is run too.

import argparse
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


class Device:
    """How a program is compiled for a device, and run on it."""

    def __init__(self, flags, runs):
        self.flags = flags
        self.runs = runs  # (name, environment, lanes of a warp)


def simulated(driver, list_of, archs):
    return [(arch, {"LD_LIBRARY_PATH": f"%simulators/{driver}", list_of: arch,
                    "XCC_DEVICE": driver}, 64 if arch.startswith("gfx9") else 32)
            for arch in archs]


DEVICES = {
    "cpu": Device([], [(f"{n} threads", {"XCC_CPU_THREADS": n, "XCC_DEVICE": "cpu"}, 32)
                       for n in "14"]),
    "nvptx": Device(["-foffload-no-cubin", "-foffload-ptx=all", "-offload-arch=sm_70,sm_90"],
                    simulated("cuda", "MOCK_CUDA_DEVICES", ["sm_70", "sm_90"])),
    "amdgcn": Device(["-offload-arch=gfx90a,gfx942,gfx1100"],
                     simulated("hsa", "MOCK_HSA_AGENTS", ["gfx90a", "gfx942", "gfx1100"])),
}


class Failure(Exception):
    pass


def command(*words, environment={}, timeout=300, status=False):
    """What a command prints; a Failure if it fails, with `status` too the status."""
    words = [str(w) for w in words]
    shown = " ".join([f"{k}={v}" for k, v in environment.items()] + words)
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=timeout,
                              errors="replace", env={**os.environ, **environment})
    except subprocess.TimeoutExpired as e:
        if status:
            return (e.stdout or b"").decode(errors="replace"), f"takes more than {timeout} s"
        raise Failure(f"takes too long: {shown}")
    if status:
        return done.stdout, done.returncode and f"status {done.returncode}: {done.stderr[-600:]}"
    if done.returncode:
        raise Failure(f"status {done.returncode}: {shown}\n{done.stderr[:3000]}")
    return done.stdout


def arguments(generator, each):
    """A parser with the options that all generators have."""
    parser = argparse.ArgumentParser(description=generator)
    parser.add_argument("--xcc", required=True)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--seeds", type=int, nargs=2, default=[0, 0], metavar=("FIRST", "LAST"))
    parser.add_argument("--each", type=int, default=each, help="parts of a program")
    parser.add_argument("--options", default="-O2", type=lambda text: text.split(","),
                        help="one after the other, separated by commas: -O0,-O2 -march=native")
    parser.add_argument("--on", default="cpu", type=lambda text: text.split(","),
                        help="devices, separated by commas: cpu,nvptx,amdgcn")
    parser.add_argument("--archs", type=lambda text: text.split(","),
                        help="of GPUs, separated by commas: sm_90,gfx1100; all if not given")
    parser.add_argument("--simulators", help="folder of the simulated drivers")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reduce", action="store_true", help="shrink what differs")
    parser.add_argument("--only", help="look at no other part than this one")
    parser.add_argument("--print", action="store_true",
                        help="print the program of the first seed, and end")
    return parser


class Runs:
    """Compiles and runs programs in a folder of their own."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, pathlib.Path(folder)
        self.common = ["-std=c++20", "-w", "-Wno-c++11-narrowing", "-I", HERE / "Inputs"]
        self.simulators = arguments.simulators or \
            pathlib.Path(arguments.xcc).resolve().parent.parent / "simulator"

    def lines(self, binary, names, environment={}, timeout=120):
        """The line of each part; what ends the program ends one part only."""
        found, first = {}, 0
        while first < len(names):
            output, why = command(binary, first, environment=environment, timeout=timeout,
                                  status=True)
            for line in output.splitlines():
                name, _, rest = line.partition(" ")
                if name in names and rest:
                    found[name] = rest
            missing = [i for i in range(first, len(names)) if names[i] not in found]
            if not missing:
                break
            # A part that says how it ended has ended the program.
            if not found.get(names[missing[0] - 1], "").startswith("ended:") or missing[0] == first:
                found[names[missing[0]]] = " ".join(str(why or "prints nothing").split())
                missing[0] += 1
            first = missing[0]
        return found

    def reference(self, source, stem, names, lanes):
        path, binary = self.folder / f"{stem}.cpp", self.folder / f"{stem}.{lanes}.ref"
        path.write_text(source)
        command(self.arguments.clang, *self.common, "-O0", "-fno-strict-aliasing", "-DREFERENCE",
                f"-DWARP={lanes}", path, "-o", binary)
        return self.lines(binary, names)

    def compiled(self, stem, device, options, arch=None):
        """The program for all of a device's GPUs, or for one."""
        binary = self.folder / f"{stem}.{device}"
        archs = arch or ",".join(run[0] for run in self.runs_of(device))
        flags = [f"-offload-arch={archs}" if f.startswith("-offload-arch=") else f
                 for f in DEVICES[device].flags]
        command(self.arguments.xcc, *self.common, *flags, *options.split(),
                self.folder / f"{stem}.cpp", "-o", binary)
        return binary

    def runs_of(self, device):
        archs = self.arguments.archs
        return [run for run in DEVICES[device].runs if device == "cpu" or not archs or run[0] in archs]

    def environment(self, run):
        return {k: v.replace("%simulators", str(self.simulators)) for k, v in run[1].items()}

    def differences(self, source, stem, names, devices, options, count):
        """(name, device, run, options, why); name is None if all failed."""
        expected = {}
        for device in devices:
            for option in options:
                try:
                    binary = self.compiled_for(source, stem, names, device, option, expected)
                except Failure as e:
                    yield None, device, "", option, str(e)
                    continue
                for run in self.runs_of(device):
                    if run[2] not in expected:
                        expected[run[2]] = self.reference(source, stem, names, run[2])
                    got = self.lines(binary, names, self.environment(run))
                    count[device, run[0], option] += len(names)
                    for name in names:
                        if got[name] != expected[run[2]][name]:
                            yield (name, device, run[0], option,
                                   f"{got[name]}, expected {expected[run[2]][name]}")
                binary.unlink()

    def compiled_for(self, source, stem, names, device, option, expected):
        (self.folder / f"{stem}.cpp").write_text(source)
        return self.compiled(stem, device, option)

    def differs(self, source, name, device, run, option):
        """Whether a program of one part still differs in this run."""
        chosen = next(r for r in DEVICES[device].runs if r[0] == run)
        try:
            expected = self.reference(source, "reduce", [name], chosen[2])
            if not all(c in "0123456789abcdef" for c in expected[name]):
                return False
            binary = self.compiled("reduce", device, option, run)
            return expected != self.lines(binary, [name], self.environment(chosen), timeout=20)
        except Failure:
            return False


def shrink(bodies, differs):
    """Takes statements out of lists of Line and Block while `differs()`."""

    def once(body):
        changed, i = False, 0
        while i < len(body):
            s = body[i]
            if not s.fixed:
                del body[i]
                if differs():
                    changed = True
                    continue
                inner = getattr(s, "body", None)
                if inner and s.tail == "}" and s.head.startswith(("if", "{")):
                    body[i:i] = inner
                    if differs():
                        changed = True
                        continue
                    del body[i:i + len(inner)]
                body.insert(i, s)
            if hasattr(s, "body"):
                changed |= once(s.body)
            i += 1
        return changed

    while any([once(body) for body in bodies]):
        pass


def main(make, arguments):
    """make(seed, each) gives a program: source(), names, and reduced(name, differs)."""
    first, last = arguments.seeds
    if arguments.print:
        print(make(first, arguments.each).source())
        return 0
    count, bad = collections.Counter(), 0

    def test(seed):
        with tempfile.TemporaryDirectory() as folder:
            runs = Runs(arguments, folder)
            ran = collections.Counter()
            try:
                program = make(seed, arguments.each)
                if arguments.only:
                    program.keep(arguments.only)
                found = list(runs.differences(program.source(), "program", program.names,
                                              arguments.on, arguments.options,
                                              ran))
            except Failure as e:
                found = [(None, "", "", "", str(e))]
            texts, reduced = [], set()
            for name, device, run, option, why in found:
                what = f"{name or f'seed {seed}'} on {device}, {run}, {option}"
                texts.append(("DIFFERS " if name else "FAILED ") + f"{what}: {why[:2000]}")
                if arguments.reduce and name and (name, device) not in reduced:
                    reduced.add((name, device))
                    smaller = make(seed, arguments.each).reduced(
                        name, lambda text: runs.differs(text, name, device, run, option))
                    texts.append(smaller)
            return ran, texts, len(found)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for ran, texts, wrong in pool.map(test, range(first, last + 1)):
            count += ran
            bad += wrong
            for text in texts:
                print(text, flush=True)
    for (device, run, option), n in sorted(count.items()):
        print(f"{n} on {device}, {run}, {option}")
    print(f"{sum(count.values())} runs, {bad} differ")
    return int(bad != 0)
