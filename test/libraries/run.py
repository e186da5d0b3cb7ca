#!/usr/bin/env python3
"""Libraries that know nothing of xcc, called from kernels.

Fetches their sources from Debian, compiles them with -foffload-export and
nothing else changed, and runs kernels/NAME.cpp, which does the same work on
the device and on the host. For other archs it links, and says what is missing:

    test/libraries/run.py --xcc build/bin/xcc [--arch gfx90a] [NAME...]

With --cost it says instead what -foffload-export adds to a unit, on two cores.
"""

import argparse
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# Debian's source package, the sources to compile, include folders.
LIBRARIES = {
    "double-conversion": ("double-conversion", ["double-conversion/*.cc"], ["."]),
    "lodepng": ("lodepng", ["lodepng.cpp"], ["."]),
    "pugixml": ("pugixml", ["src/pugixml.cpp"], ["src"]),
    "lua": ("lua5.4", ["src/l*.c"], ["src"]),
    "sqlite3": ("sqlite3", ["sqlite3.c"], ["."]),
}
PROGRAMS = {"lua.c", "luac.c"}


def fetch(package, into):
    """The sources of a Debian package, by a list of sources of our own."""
    folder = into / package
    if folder.exists():
        return folder
    state = into / "apt"
    for part in ("lists/partial", "cache/archives/partial"):
        (state / part).mkdir(parents=True, exist_ok=True)
    (state / "sources").write_text(
        "deb-src http://deb.debian.org/debian bookworm main\n")
    apt = ["apt-get", "-q", "-o", f"Dir::Etc::sourcelist={state}/sources",
           "-o", "Dir::Etc::sourceparts=/dev/null",
           "-o", f"Dir::State::lists={state}/lists",
           "-o", f"Dir::Cache={state}/cache"]
    if not any((state / "lists").glob("*Sources*")):
        subprocess.run(apt + ["update"], check=True)
    subprocess.run(apt + ["--download-only", "source", package], check=True,
                   cwd=into)
    archive = next(path for path in sorted(into.glob(f"{package}_*.orig.tar.*"))
                   if not path.name.endswith(".asc"))
    folder.mkdir()
    subprocess.run(["tar", "xf", archive, "-C", folder,
                    "--strip-components=1"], check=True)
    if package == "sqlite3":  # its amalgamation
        subprocess.run("./configure && make sqlite3.c", shell=True, check=True,
                       cwd=folder, stdout=subprocess.DEVNULL)
    return folder


def compile_unit(xcc, source, output, options):
    language = ["-x", "c"] if source.suffix == ".c" else []
    subprocess.run([xcc, "-w", *options, *language, "-c", source, "-o", output],
                   check=True)


def sources_of(name, folder):
    _, patterns, includes = LIBRARIES[name]
    sources = [pathlib.Path(path) for pattern in patterns
               for path in sorted(glob.glob(str(folder / pattern)))]
    return ([source for source in sources if source.name not in PROGRAMS],
            [f"-I{folder / include}" for include in includes])


def run(name, args, folder, level):
    work = args.work / f"{name}{level}-{args.arch}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    sources, includes = sources_of(name, folder)
    arch = [f"-offload-arch={args.arch}"]
    objects = []
    for source in sources:
        objects.append(work / (source.name + ".o"))
        compile_unit(args.xcc, source, objects[-1],
                     [level, "-foffload-export", *arch, *includes])
    archive = work / "library.a"
    subprocess.run(["ar", "rc", archive, *objects], check=True)
    linked = subprocess.run(
        [args.xcc, "-w", level, *arch, *includes,
         HERE / "kernels" / f"{name}.cpp", archive, "-o", work / "program"],
        text=True, capture_output=True, check=False)
    if linked.returncode:
        missing = re.findall(r"device code uses '(.*)', which", linked.stderr)
        print(f"{name} {level}: lacks {', '.join(missing)}" if missing
              else linked.stderr)
        return False
    if args.arch != "host":
        print(f"{name} {level}: linked")
        return True
    ran = subprocess.run([work / "program"], text=True, capture_output=True,
                         check=False)
    print(f"{name} {level}: {ran.stdout}{ran.stderr}")
    return ran.returncode == 0


def cost(name, args, folder):
    """Wall time and size of a library's largest unit with the option, by those
    without it."""
    sources, includes = sources_of(name, folder)
    source = max(sources, key=lambda path: path.stat().st_size)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    for level in ("-O0", "-O2"):
        figures = []
        for option in ([], ["-foffload-export"]):
            output = args.work / "cost.o"
            times = []
            for _ in range(args.repeat):
                begin = time.monotonic()
                compile_unit(args.xcc, source, output,
                             [level, *includes, *option])
                times.append(time.monotonic() - begin)
            figures.append((min(times), output.stat().st_size))
        (plain, small), (export, large) = figures
        print(f"{name} {level}: {plain:.2f} s, x{export / plain:.2f}; "
              f"{small} bytes, x{large / small:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--xcc", required=True, type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path,
                        default=pathlib.Path("/tmp/xcc-libraries"))
    parser.add_argument("--arch", default="host")
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    args.xcc = args.xcc.resolve()
    args.work.mkdir(parents=True, exist_ok=True)
    good = True
    for name in args.names or LIBRARIES:
        folder = fetch(LIBRARIES[name][0], args.work)
        if args.cost:
            cost(name, args, folder)
            continue
        for level in ("-O0", "-O2"):
            good &= run(name, args, folder, level)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
