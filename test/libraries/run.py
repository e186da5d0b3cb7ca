#!/usr/bin/env python3
"""Libraries in kernels, unmodified: see catalogue.py.

Fetches headers and sources from Debian and runs headers/NAME.cpp and
kernels/NAME.cpp, which do the same work on a device and on the host: on the CPU
device with -O0 and -O2, on simulated GPUs with -O2. Sources are compiled with
-foffload-export and nothing else changed. What a GPU is known to lack has to be
what the compiler says, and what cannot be fetched is left out:

    test/libraries/run.py --xcc build/bin/xcc [NAME...]

With --table it prints docs/libraries.md. What -foffload-export costs a unit is
measured by bench/compile/offered.py.
"""

import argparse
import concurrent.futures
import glob
import os
import pathlib
import shutil
import subprocess
import sys

import catalogue
from catalogue import LIBRARIES

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = {"lua.c", "luac.c"}
GPUS = {
    "sm_90": ("cuda", {"MOCK_CUDA_DEVICES": "sm_90", "XCC_DEVICE": "cuda"}),
    "gfx90a": ("hsa", {"MOCK_HSA_AGENTS": "gfx90a", "XCC_DEVICE": "hsa"}),
    "gfx1100": ("hsa", {"MOCK_HSA_AGENTS": "gfx1100", "XCC_DEVICE": "hsa"}),
}


class NotFetched(Exception):
    pass


def apt(into):
    """apt-get with a list of sources of our own."""
    state = into / "apt"
    for part in ("lists/partial", "cache/archives/partial"):
        (state / part).mkdir(parents=True, exist_ok=True)
    (state / "sources").write_text("".join(
        f"{kind} http://deb.debian.org/debian bookworm main\n" for kind in ("deb", "deb-src")))
    command = ["apt-get", "-qq", "-o", f"Dir::Etc::sourcelist={state}/sources",
               "-o", "Dir::Etc::sourceparts=/dev/null",
               "-o", f"Dir::State::lists={state}/lists",
               "-o", f"Dir::Cache={state}/cache"]
    if not any((state / "lists").glob("*Sources*")):
        subprocess.run(command + ["update"], check=True, capture_output=True)
    return command


def fetch_headers(packages, into):
    """Debian packages of headers, unpacked."""
    folder = into / packages.split()[0]
    if not folder.exists():
        fresh = into / (folder.name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        subprocess.run(apt(into) + ["download", *packages.split()], check=True, cwd=fresh,
                       capture_output=True)
        for package in fresh.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, fresh], check=True)
        fresh.rename(folder)
    return folder / "usr/include"


def fetch_sources(package, into):
    """The sources of a Debian package."""
    folder = into / (package + "-sources")
    if not folder.exists():
        fresh = into / (folder.name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        # Debian's own changes may be gone from the archive; the sources are not.
        subprocess.run(apt(into) + ["--download-only", "--tar-only", "source", package],
                       check=True, cwd=into, capture_output=True)
        archive = next(path for path in sorted(into.glob(f"{package}_*.orig.tar.*"))
                       if not path.name.endswith(".asc"))
        subprocess.run(["tar", "xf", archive, "-C", fresh, "--strip-components=1"], check=True)
        if package == "sqlite3":  # its amalgamation
            subprocess.run("./configure && make sqlite3.c", shell=True, check=True, cwd=fresh,
                           stdout=subprocess.DEVNULL)
        fresh.rename(folder)
    return folder


def fetch(library, into):
    try:
        if library.kind == catalogue.HEADERS:
            return fetch_headers(library.package, into)
        return fetch_sources(library.package, into)
    except (subprocess.CalledProcessError, StopIteration) as error:
        raise NotFetched(f"{library.package} cannot be fetched ({error})") from error


def compile_unit(xcc, source, output, options):
    """What the compiler said, where it failed."""
    language = ["-x", "c"] if source.suffix == ".c" else []
    done = subprocess.run([xcc, "-w", *options, *language, "-c", source, "-o", output],
                          text=True, capture_output=True, check=False)
    return f"{source.name}: {done.stderr or done.returncode}" if done.returncode else ""


def includes_of(library, folder):
    return [f"-I{folder / include}" for include in ("", *library.includes)]


def sources_of(library, folder):
    paths = [pathlib.Path(path) for pattern in library.sources
             for path in sorted(glob.glob(str(folder / pattern)))]
    return [path for path in paths if path.name not in PROGRAMS]


def build(name, args, folder, level, archs):
    """The program of a library, and what the compiler said if there is none."""
    library = LIBRARIES[name]
    work = args.work / "built" / f"{name}{level}-{archs.replace(',', '-')}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    options = [level, f"-offload-arch={archs}", *includes_of(library, folder)]
    if archs != "host":
        options.append("-foffload-no-cubin")
    objects = []
    for source in sources_of(library, folder):
        objects.append(work / (source.name + ".o"))
        wrong = compile_unit(args.xcc, source, objects[-1], [*options, "-foffload-export"])
        if wrong:
            return None, wrong
    linked = subprocess.run(
        [args.xcc, "-w", "-std=c++20", *options, HERE / catalogue.place(name, library), *objects,
         "-o", work / "program"], text=True, capture_output=True, check=False)
    return work / "program", linked.stderr if linked.returncode else ""


def execute(program, what, environment):
    ran = subprocess.run([program], text=True, capture_output=True, check=False,
                         env={**os.environ, **environment})
    return "" if ran.returncode == 0 else f"{what}: {ran.stdout}{ran.stderr}"


def try_on_host(name, args, folder, level):
    program, wrong = build(name, args, folder, level, "host")
    return wrong and f"{level}: {wrong}" or execute(program, level, {})


def try_on_gpus(name, args, folder):
    lacks = LIBRARIES[name].lacks
    program, wrong = build(name, args, folder, "-O2", ",".join(GPUS))
    if lacks:
        if not wrong:
            return f"GPUs: works, though it {lacks[1]}"
        return "" if lacks[0] in wrong else f"GPUs: {wrong}"
    if wrong:
        return f"GPUs: {wrong}"
    for arch, (driver, environment) in GPUS.items():
        simulator = args.xcc.parent.parent / "simulator" / driver
        if simulator.exists() and not wrong:
            wrong = execute(program, arch, {"LD_LIBRARY_PATH": str(simulator), **environment,
                                            **LIBRARIES[name].environment})
    return wrong


def try_library(name, args):
    """What is wrong with a library, or empty; None if it is not here."""
    try:
        folder = fetch(LIBRARIES[name], args.work)
    except NotFetched as reason:
        print(f"{name}: left out, {reason}", flush=True)
        return None
    wrong = (try_on_host(name, args, folder, "-O0") or try_on_host(name, args, folder, "-O2")
             or try_on_gpus(name, args, folder))
    print(f"{name}: {wrong or 'as it should be'}", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--xcc", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/xcc-libraries"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if args.table:
        print(catalogue.table(), end="")
        return 0
    if not args.xcc:
        parser.error("--xcc is needed")
    args.xcc = args.xcc.resolve()
    args.work.mkdir(parents=True, exist_ok=True)
    names = args.names or [name for name, library in LIBRARIES.items()
                           if library.kind != catalogue.INSTALLED]
    try:
        apt(args.work)
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        print(f"nothing is tried: Debian's archive cannot be reached ({error})")
        return 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda name: try_library(name, args), names))
    print(f"{results.count('')} as they should be, {results.count(None)} left out, "
          f"{sum(map(bool, results))} not")
    return 1 if any(results) else 0


if __name__ == "__main__":
    sys.exit(main())
