#!/usr/bin/env python3
# pack.py - Everything that a machine with a GPU is to run, in one folder
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the tests that run programs, and puts all of it into a folder for a
machine that has a GPU's driver, bash and a C library as new as this one's:

  pack.py BUILD OUT [ARCHS]

BUILD is a build folder of xcc, ARCHS what to compile for (the common GPUs and the
host unless given). On the other machine, OUT/run.sh runs all of it. OUT.packed has
the same in few bytes; its unpack.sh makes the folder again.

A program that does not compile for all archs is built for those it compiles for;
one that does not compile at all is left out. OUT/ABOUT says so, and the status is 1
then, and when OUT.packed is larger than --size.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "test/formats")]

import example_programs
import run_lines
import suitability

ARCHS = (
    "sm_70,sm_75,sm_80,sm_86,sm_89,sm_90,sm_100,sm_120,"
    "gfx90a,gfx942,gfx1030,gfx1100,host"
)
# Folders of test/ whose RUN lines are read.
AREAS = ["exec", "mapping", "kernel-info", "host-calls", "cuda"]
# What is compiled once more as a portable image, for generation at run time.
GENERATED = {"conformance", "exec"}
ARCH = re.compile(r"-offload-arch=(\S+)")
PORTABLE = {"cuda": "nvptx64", "hsa": "amdgcn", "host": "x86_64"}
SECONDS = 600  # the most that one command may take
OF_C_LIBRARY = re.compile(r"(libc|libm|libdl|libpthread|librt|ld-linux.*)\.so")
# Libraries that LLVM names, and of which it uses nothing here: libraries with their
# symbols, which begin so, will do.
STAND_INS = {"libz3.": "Z3_", "libxml2.": "xml"}
# Programs of LLVM that judge what programs print.
JUDGES = ["FileCheck", "not", "count"]


class Packer:
    def __init__(self, options):
        self.options = options
        self.out = os.path.abspath(options.out)
        self.build = os.path.abspath(options.build)
        self.xcc = os.path.join(self.build, "bin/xcc")
        self.tools = os.path.dirname(os.path.realpath(shutil.which(
            "FileCheck", path="/usr/lib/llvm-22/bin:" + os.environ["PATH"])))
        self.lists = suitability.unsupported(ROOT)
        self.notes = []

    #===--- What there is to run --------------------------------------------===#

    def tests(self):
        """Tests with what makes their programs."""
        found = [*self.by_run_lines(), *self.by_source()]
        found += [self.generated(t) for t in found
                  if t.name.split("/")[0] in GENERATED and t.runs]
        wanted = re.compile(self.options.filter or "")
        return [t for t in found if wanted.search(t.name)]

    def folder(self, name):
        return os.path.join(self.out, "programs", name)

    def archs(self, name, path):
        """What a test is compiled for: not for GPUs that it is not for."""
        kinds = suitability.not_on(name, path, self.lists)
        return ",".join(a for a in self.options.archs.split(",")
                        if suitability.kind(a) not in kinds)

    def by_run_lines(self):
        for area in AREAS:
            folder = os.path.join(ROOT, "test", area)
            for file in sorted(os.listdir(folder)):
                path = os.path.join(folder, file)
                name = area + "/" + os.path.splitext(file)[0]
                if file.endswith((".cpp", ".c", ".test")):
                    yield self.test(name, path, lambda archs: run_lines.read(
                        path, name, self.folder(name),
                        f"{self.xcc} {self.options.flags}", self.tools, archs))

    def test(self, name, path, read):
        archs = self.archs(name, path)
        if archs:
            return read(archs)
        test = run_lines.Test(name, path)
        test.left_out = "is for no device of " + self.options.archs
        return test

    def by_source(self):
        """Programs that are their own judges."""
        for area in ("conformance", "math"):
            folder = os.path.join(ROOT, "test", area)
            for file in sorted(os.listdir(folder)):
                path = os.path.join(folder, file)
                if file.endswith(".cpp") and file != "harness.cpp" and "int main" in (
                        open(path).read() if area == "math" else "int main"):
                    yield self.program(area + "/" + file[:-4], path, ["-std=c++20"])
        for name, path, flags, arguments in example_programs.examples(
                os.path.join(ROOT, "test")):
            if not needs_stb(path):
                yield self.program("examples/" + name, path, flags, arguments)
            else:
                self.notes.append(f"examples/{name}: not built, stb is not installed")

    def program(self, name, path, flags, arguments=()):
        return self.test(
            name, path, lambda archs: self.one_program(name, path, archs, flags, arguments))

    def one_program(self, name, path, archs, flags, arguments):
        test = run_lines.Test(name, path)
        made = self.folder(name) + "/1.a"
        command = " ".join([self.xcc, self.options.flags, "-w -O2 -shared-libxcc",
                            "-offload-arch=" + archs, *flags, path, "-o", made])
        test.made.append(run_lines.Made(command, made, []))
        words = [run_lines.PROGRAMS + "/1.a"]
        for argument in arguments:
            if os.path.exists(argument):
                self.carry(argument, "data")
                argument = "$DATA/" + os.path.basename(argument)
            words.append(argument.replace("%t", run_lines.SCRATCH + "/t"))
        test.runs.append(run_lines.Run(name + ".1", " ".join(words), [made]))
        return test

    def generated(self, test):
        """The test's last program and its runs, as code that is generated there."""
        again = run_lines.Test("generated/" + test.name, test.source)
        old, new = self.folder(test.name), self.folder(again.name)
        for m in test.made:
            again.made.append(run_lines.Made(
                ARCH.sub(portable, m.command).replace(old, new), m.path.replace(old, new), [n.replace(old, new) for n in m.needs]))
        last = test.runs[-1]
        again.runs = [run_lines.Run(
            f"{again.name}.1", "export XCC_JIT=always XCC_CACHE_SIZE=0; " + last.command,
            [n.replace(old, new) for n in last.needs], last.cpu_alone)]
        needed = again.runs[0].needs
        for m in reversed(again.made):
            if m.path in needed:
                needed = needed + m.needs
        again.made = [m for m in again.made if m.path in needed]
        return again

    #===--- Making it -------------------------------------------------------===#

    def make(self, test):
        """Makes a test's files, in their order; the paths that are there."""
        there = set()
        for m in test.made:
            if not all(n in there for n in m.needs):
                continue
            os.makedirs(os.path.dirname(m.path), exist_ok=True)
            if self.made(test, m):
                there.add(m.path)
        return there

    def made(self, test, m):
        said = run(m.command, os.path.dirname(test.source))
        if said is None:
            return True
        option = ARCH.search(m.command)
        archs = option[1].split(",") if option else []
        left = [a for a in archs if len(archs) > 1 and run(
            ARCH.sub("-offload-arch=" + a, m.command), os.path.dirname(test.source)) is None]
        name = m.path[len(self.folder("")):].strip("/")
        with open(os.path.join(self.out, "logs", name.replace("/", "-")), "w") as log:
            log.write(m.command + "\n" + said)
        if not left:
            self.notes.append(f"{name}: not built")
            return False
        self.notes.append(f"{name}: not built for " + ",".join(
            a for a in archs if a not in left))
        return run(ARCH.sub("-offload-arch=" + ",".join(left), m.command),
                   os.path.dirname(test.source)) is None

    def keep(self, test, there):
        """Writes the test's runs; removes what no run needs."""
        name = test.name.replace("generated/", "", 1)
        not_on = suitability.not_on(name, test.source, self.lists)
        used = set()
        for r in test.runs:
            if not all(n in there for n in r.needs):
                continue
            used.update(r.needs)
            reasons = dict(not_on)
            if r.cpu_alone:
                reasons = {kind: r.cpu_alone for kind in suitability.SIMULATORS}
            lines = [f"# not on {kind}: {why}" for kind, why in sorted(reasons.items())]
            if "compile-source" in r.name:
                lines.append("# needs xcc: compiles source when it runs")
            path = os.path.join(self.out, "runs", r.name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write("\n".join([*lines, r.command, ""]))
            if "$SOURCES" in r.command:
                self.carry_sources(test, r.command)
        folder = self.folder(test.name)
        for file in os.listdir(folder) if os.path.isdir(folder) else ():
            if os.path.join(folder, file) not in used:
                os.remove(os.path.join(folder, file))
        programs = [p for p in used if is_program(p)]
        if programs:
            subprocess.run(["strip", *programs], check=True)
        return len(used)

    def carry_sources(self, test, command):
        area = test.source.split("/test/")[1].split("/")[0]
        for name in re.findall(r"\$SOURCES/[-\w]+/([-.\w/]+)", command):
            source = os.path.join(ROOT, "test", area, name)
            if os.path.exists(source):
                self.carry(source, os.path.dirname(f"sources/{area}/{name}"))

    def carry(self, path, folder):
        os.makedirs(os.path.join(self.out, folder), exist_ok=True)
        shutil.copy(path, os.path.join(self.out, folder))

    def carry_libraries(self):
        """The runtime, the library that generates code, and what judges output, with
        the libraries that another machine may lack."""
        lib = os.path.join(self.build, "lib")
        files = [os.path.join(lib, f) for f in os.listdir(lib)
                 if re.fullmatch(r"libxcc(-jit)?\.so\.\d+", f)]
        tools = [os.path.join(self.tools, name) for name in JUDGES]
        for path in [*files, *tools]:
            self.carry(path, "lib" if path in files else "tools")
        for path in libraries_of([*files, *tools]):
            name = os.path.basename(path)
            if name.startswith(tuple(STAND_INS)):
                self.stand_in(name)
            else:
                self.carry(path, "lib")
        for name in os.listdir(os.path.join(self.out, "lib")):
            run(f"strip --strip-unneeded {self.out}/lib/{name}")

    def stand_in(self, name):
        """A library of that name that has what the carried ones want of it, in the
        versions in which they want it."""
        begins = next(b for of, b in STAND_INS.items() if name.startswith(of))
        lib = os.path.join(self.out, "lib")
        wanted = {match for file in os.listdir(lib) for match in re.findall(
            rf"\*UND\*\s+\w+\s+(?:\(?([\w.]+)\)?\s+)?({begins}\w+)$",
            run(f"objdump -T {lib}/{file}", output=True) or "", re.M)}
        versions = {}
        for version, symbol in sorted(wanted):
            versions.setdefault(version, []).append(symbol)
        versions.pop("", None)
        with tempfile.NamedTemporaryFile("w", suffix=".map") as script:
            for version, symbols in versions.items():
                script.write(f"{version} {{ {'; '.join(symbols)}; }};\n")
            script.flush()
            option = ["-Wl,--version-script=" + script.name] if versions else []
            subprocess.run(["cc", "-shared", "-nostdlib", "-Wl,-soname," + name, *option,
                            "-x", "c", "-", "-o", os.path.join(lib, name)], check=True, text=True,
                           input="".join(f"char {s}[64];\n" for s in sorted({s for _, s in wanted})))

    def carry_benchmarks(self):
        script = os.path.join(ROOT, "bench/gpu/run.sh")
        gpus = [a for a in self.options.archs.split(",") if a.startswith("sm_")]
        nvcc = os.environ.get("NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        said = run(f"{nvcc} --list-gpu-code", output=True)
        if said:
            gpus = [a for a in gpus if a in said.split()]
        said = run(f"XCC={self.xcc} NVCC={nvcc} {script} build {self.out}/bench "
                   + (",".join(gpus) or "none"))
        if said is not None:
            self.notes.append("bench: not built: " + said.strip().split("\n")[-1])

    def about(self, tests):
        c_library = max(
            (v for t in tests for m in t.made if os.path.exists(m.path) and is_program(m.path)
             for v in re.findall(r"GLIBC_([\d.]+)", run(f"objdump -T {m.path}", output=True) or "")),
            key=lambda v: [int(n) for n in v.split(".")], default="?")
        version = run(f"{self.xcc} --version", output=True).split("\n")[0]
        source = run(f"git -C {ROOT} describe --always --dirty", output=True) or "unknown"
        with open(os.path.join(self.out, "ABOUT"), "w") as file:
            print(f"xcc: {version}\nsource: {source.strip()}\narchs: {self.options.archs}\n"
                  f"C library: GLIBC_{c_library} or newer", *sorted(self.notes),
                  sep="\n", file=file)
        left_out = [f"{t.name}: {t.left_out}" for t in tests if t.left_out]
        with open(os.path.join(self.out, "LEFT-OUT"), "w") as file:
            print(*left_out, sep="\n", file=file)

    def pack(self):
        """The folder in few bytes, with what takes it apart. Programs are much alike:
        what makes it small is that all of it is one window."""
        packed = self.out + ".packed"
        shutil.rmtree(packed, ignore_errors=True)
        os.makedirs(packed + "/lib")
        subprocess.run(
            f"tar -C {self.out} --sort=name -cf - . |"
            f" zstd -q -{self.options.level} --long=30 -T0 -o {packed}/files.tar.zst",
            shell=True, check=True)
        zstd = shutil.which("zstd")
        shutil.copy(zstd, packed)
        for path in libraries_of([zstd]):
            shutil.copy(path, packed + "/lib")
        shutil.copy(os.path.join(HERE, "unpack.sh"), packed)
        return sum(os.path.getsize(os.path.join(f, n))
                   for f, _, names in os.walk(packed) for n in names)

    def run(self):
        if not os.access(self.xcc, os.X_OK):
            sys.exit(f"pack.py: there is no {self.xcc}: build xcc first")
        for name in ("programs", "runs", "logs", "lib", "tools", "sources", "data", "bench"):
            shutil.rmtree(os.path.join(self.out, name), ignore_errors=True)
        os.makedirs(os.path.join(self.out, "logs"))
        tests = self.tests()
        with ThreadPoolExecutor(self.options.jobs) as pool:
            for test, there in zip(tests, pool.map(self.make, tests)):
                self.keep(test, there)
                if test.made:
                    print(" ", test.name, "" if there else "not built", flush=True)
        self.carry_libraries()
        if not self.options.filter:
            self.carry_benchmarks()
        self.about(tests)
        for name in ("run.sh", "one.sh"):
            self.carry(os.path.join(HERE, "carried", name), "")
        size = self.pack() / 1e6
        print(f"{self.out}: see ABOUT and LEFT-OUT; {self.out}.packed: {size:.1f} MB")
        if size > self.options.size:
            self.notes.append("too large")
            print(f"pack.py: more than {self.options.size} MB", file=sys.stderr)
        return 1 if self.notes else 0


def portable(option):
    """The same devices' portable images, for an option with archs."""
    kinds = sorted({PORTABLE[suitability.kind(a)] for a in option[1].split(",")})
    return "-offload-arch=" + ",".join("generic:" + k for k in kinds)


def run(command, folder=None, output=False):
    """None when the command ends well, else what it said. With output: what it printed,
    or None when it fails."""
    try:
        done = subprocess.run(["bash", "-c", command], cwd=folder, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None if output else f"took more than {SECONDS} seconds"
    if output:
        return done.stdout if done.returncode == 0 else None
    return None if done.returncode == 0 else done.stdout + done.stderr or "failed"


def is_program(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needs_stb(path):
    with open(path) as file:
        return "stb/" in file.read() and not any(
            os.path.exists(f + "/stb/stb_image.h")
            for f in ("/usr/include", "/usr/local/include"))


def libraries_of(paths):
    """What these need, and what that needs, without the C library's own; not what
    only those need that STAND_INS are for."""
    found, queue = set(), list(paths)
    while queue:
        path = queue.pop()
        places = dict(re.findall(r"(\S+) => (/\S+)", run(f"ldd {path}", output=True) or ""))
        for name in re.findall(r"NEEDED\s+(\S+)", run(f"objdump -p {path}", output=True) or ""):
            if name in places and places[name] not in found and not OF_C_LIBRARY.match(name):
                found.add(places[name])
                if not name.startswith(tuple(STAND_INS)):
                    queue.append(places[name])
    return sorted(p for p in found if not os.path.basename(p).startswith("libxcc"))


def main():
    parser = argparse.ArgumentParser(
        prog="pack.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("out")
    parser.add_argument("archs", nargs="?", default=ARCHS)
    parser.add_argument("--filter", help="only tests whose names match")
    parser.add_argument("--flags", default="", help="more options of the compiler")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="at a time")
    parser.add_argument("--level", type=int, default=16, help="of zstd")
    parser.add_argument("--size", type=float, default=60, help="the most, in MB")
    return Packer(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
