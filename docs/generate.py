#!/usr/bin/env python3
# docs/supported.md, from the compiler, docs/features.toml and the tests; the
# table of variables in docs/settings.md, from what the runtime has of them; the
# tables of options in docs/driver.md, from driver/Options.def and the compiler; and
# the table of algorithms in docs/stdpar.md, from the functions that the header has
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: docs/generate.py --xcc PATH [--check]
#        docs/generate.py --tests
#
# A feature is in supported.md because tests of it are in the tree. With --check
# nothing is written, and the exit status says whether the files are up to date
# and each test says what it tests. --tests prints what each test says.

import argparse
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALGORITHMS = (ROOT / "host-runtime" / "include" / "xcc" / "stdpar" /
              "functions.h")
VARIABLES = ROOT / "host-runtime" / "src" / "process" / "environment.def"
OPTIONS = ROOT / "driver" / "Options.def"
STRING = r'\s*"(?:[^"\\]|\\.)*"'
AREAS = {
    "exec": "What kernels are written with, run on the CPU device",
    "kernel-info": "What a kernel can be, and what its descriptor says",
    "diagnostics": "What xcc rejects, and its messages",
    "driver": "The command line",
    "embedding": "Device code in objects, archives, libraries and programs",
    "nvptx": "Code for NVIDIA GPUs",
    "amdgcn": "Code for AMD GPUs",
    "archs": "The command line with GPUs",
    "host-calls": "Device code calls the host",
    "cuda": "Keywords and functions of CUDA and HIP, by `<xcc/cuda.h>` and `<xcc/hip.h>`",
    "mapping": "Members of objects",
    "jit": "Code generated where the program runs",
    "simulator-checks": "What simulators find in programs that go wrong",
    "libraries": "Libraries that work unmodified",
    "debugging": "Debuggers and profilers",
    "x86": "x86's instructions on GPUs",
    "random": "Random programs, compared with the host",
    "cmake": "CMake and compiler caches",
    "install": "An installation",
}


def by_device(archs):
    """Names by what they name; a GPU's other names follow its own."""
    devices, device = {}, "CPU device"
    for arch in archs:
        if arch.startswith("generic"):
            device = "any device ([jit.md](jit.md))"
        elif arch.startswith("sm_"):
            device = "NVIDIA GPUs"
        elif arch.startswith("gfx"):
            device = "AMD GPUs"
        devices.setdefault(device, []).append(f"`{arch}`")
    return devices


def first_comment(path):
    words = []
    for line in path.read_text().splitlines():
        text = line.lstrip("/#; ").rstrip()
        if not line.startswith(("//", "#", ";")) or text.startswith(("RUN:", "REQUIRES:")):
            break
        if text.startswith(("===", "Part of the xcc project", "SPDX-")):
            continue
        if text:
            words.append(text)
    return " ".join(words).replace("|", "\\|").replace("<", "\\<")


def tests_page():
    out = ["# What the tests show"]
    for area, title in AREAS.items():
        out += ["", f"## {title}", "", f"| test/{area} | |", "|---|---|"]
        for path in sorted((ROOT / "test" / area).iterdir()):
            if path.suffix in (".cpp", ".test"):
                words = first_comment(path)
                if not words:
                    sys.exit(f"{path}: its first line does not say what it tests")
                out.append(f"| `{path.stem}` | {words} |")
    return "\n".join(out) + "\n"


def left_out(simulator):
    """The programs that a simulator never runs, on none of its archs."""
    lines = (ROOT / "test/formats/expectations" / (simulator + ".txt")).read_text()
    return set(re.findall(r"^\* \* (\S+) unsupported ", lines, re.M))


# What simulators run is one compile and one run (test/formats/programs.py).
ONE_RUN = re.compile(r"// RUN: %xcc (.*)%s -o %t && %t ?(.*?)(?:\| FileCheck %s)?$", re.M)


def devices_of(test):
    """The kinds of devices on which a test runs, as far as its area says so."""
    found = [path for path in (ROOT / "test").glob(test + ".*") if path.is_file()]
    if not found:
        sys.exit(f"docs/features.toml: there is no test/{test}")
    area = test.split("/")[0]
    if area == "conformance" or (area in ("exec", "host-calls", "math", "cuda")
                                 and ONE_RUN.search(found[0].read_text())):
        return {"cpu"} | {device for device, simulator in (("nvidia", "nvptx"), ("amd", "amdgcn"))
                          if test not in left_out(simulator)}
    return {"cpu"}


def feature_row(row):
    """A feature is on a device if all of its tests are, unless it says where."""
    what, tests, *where = row
    devices = set.intersection(*[devices_of(test) for test in tests.split()])
    if where:
        devices = set(where[0].split())
    cells = ["yes" if device in devices else "" for device in ("cpu", "nvidia", "amd")]
    links = ", ".join(f"`{test}`" for test in tests.split())
    return f"| {what} | {' | '.join(cells)} | {links} |"


def supported_page(xcc):
    archs = subprocess.run([xcc, "-print-offload-archs"], check=True,
                           capture_output=True, text=True).stdout.split()
    features = tomllib.loads((ROOT / "docs" / "features.toml").read_text())
    out = ["# What is supported", "",
           "`docs/generate.py` makes this page from [features.toml](features.toml), the compiler and "
           "the tests. Each line has tests",
           "that fail if it stops being true; `docs/generate.py --tests` prints what each test shows.", "",
           "On GPUs *yes* means that the tests run on the project's simulators, which execute the "
           "device code that the compiler",
           "makes. [testing.md](testing.md#what-has-run-where) lists what ran on hardware."]
    for section in features["section"]:
        out += ["", f"## {section['title']}", "",
                "| | CPU | NVIDIA | AMD | tests |", "|---|---|---|---|---|"]
        out += [feature_row(row) for row in section["rows"]]
    out += ["", "## `--offload-arch=`", "", "| device | names |", "|---|---|"]
    out += [f"| {device} | {', '.join(names)} |" for device, names in by_device(archs).items()]
    return "\n".join(out) + "\n"


def code_of(path):
    """A .def file without its comments."""
    return "".join(line for line in path.read_text().splitlines(True)
                   if not line.startswith("//"))


def texts(arguments):
    """The values of arguments that are strings in C."""
    return [re.sub(r"\\(.)", r"\1", "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', argument)))
            for argument in re.findall(rf"(?:{STRING})+", arguments)]


def between(text, name, table):
    """The page with a table anew."""
    begin, end = f"<!-- docs/generate.py: {name} -->\n", "\n<!-- end -->"
    before, rest = text.split(begin)
    return before + begin + table + end + ("\n" + rest).split(end, 1)[1]


def variables():
    """A row for each XCC_VARIABLE(name, values, meaning, at length)."""
    text = code_of(VARIABLES)
    rows = ["| variable | values | meaning |", "|---|---|---|"]
    for entry in re.findall(rf"XCC_VARIABLE\(((?:{STRING}|,)+)\)", text):
        name, values, *meanings = texts(entry)
        rows.append(f"| `{name}` | {values} | {meanings[-1]} |")
    if len(rows) - 2 != text.count("XCC_VARIABLE("):
        sys.exit(f"{VARIABLES}: an entry is not understood")
    return "\n".join(rows)


OPPOSITE = re.compile(r"^(-[fm])(no-)?")


def opposite(name):
    """-fno-name of -fname, and the other way round."""
    return OPPOSITE.sub(lambda of: of[1] + ("" if of[2] else "no-"), name)


def own_options():
    """(group, names, details) of each row of Options.def that is listed."""
    text = code_of(OPTIONS)
    rows = [(group, *texts(arguments)) for group, arguments in
            re.findall(rf"^XCC_OPTION\w*\((\w+),((?:{STRING},?)+)", text, re.M)]
    if len(rows) != len(re.findall("^XCC_OPTION", text, re.M)) or any(len(row) != 5 for row in rows):
        sys.exit(f"{OPTIONS}: a row is not understood")
    hidden = {row[1] for row in rows if row[0] == "Hidden"}
    for group, name, value, help, details in rows:
        if group != "Hidden":
            # A word that is part of the name is no word of the command line.
            first = f"`{name}`*{value}*" if name.endswith("-") else f"`{name}{value}`"
            names = [first] + [f"`{other}`" for other in [opposite(name)] if other in hidden]
            yield group, names, details


def target_options(xcc):
    """The same of options of single targets, of which --help has the only text."""
    listed = subprocess.run([xcc, "--help"], check=True, capture_output=True, text=True).stdout
    for line in listed.split("\nSingle devices:\n")[1].splitlines():
        name, details = re.split(r"\s+", line.strip(), maxsplit=1)
        yield "Devices", [f"`{name}`"], details


def with_options(text, xcc):
    rows = [*own_options(), *target_options(xcc)]
    for group in dict.fromkeys(row[0] for row in rows):
        table = ["| option | meaning |", "|---|---|"]
        table += [f"| {', '.join(names)} | {details} |"
                  for of, names, details in rows if of == group]
        text = between(text, "options, " + group, "\n".join(table))
    return text


def with_algorithms(text):
    """Of each algorithm: whether a device and threads of the host have a form."""
    groups = {(True, True): [], (True, False): [],
              (False, True): [], (False, False): []}
    for name, device, host in re.findall(
            r"^XCC_STDPAR(?:_VOID)?\((\w+),\s*([^,]+),\s*(.+)\)$",
            ALGORITHMS.read_text(), re.M):
        groups[device != "none", host != "in_sequence"].append(f"`{name}`")
    said = {(True, True): "the device, or threads of the host",
            (True, False): "the device, or the host in sequence",
            (False, True): "threads of the host",
            (False, False): "the host in sequence"}
    table = "| runs on | algorithms |\n|---|---|\n"
    for kind, names in groups.items():
        # A cell is short.
        for first in range(0, len(names), 24):
            table += (f"| {said[kind]} | "
                      f"{', '.join(names[first:first + 24])} |\n")
    before, rest = text.split("<!-- algorithms -->\n")
    after = rest.split("<!-- end -->\n")[1]
    return (f"{before}<!-- algorithms -->\n{table}<!-- end -->\n{after}")


def main():
    parser = argparse.ArgumentParser()
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--xcc")
    mode.add_argument("--tests", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    tests = tests_page()
    if args.tests:
        print(tests, end="")
        return
    settings = ROOT / "docs" / "settings.md"
    driver = ROOT / "docs" / "driver.md"
    algorithms = ROOT / "docs" / "stdpar.md"
    made = {ROOT / "docs" / "supported.md": supported_page(args.xcc),
            settings: between(settings.read_text(), "variables", variables()),
            driver: with_options(driver.read_text(), args.xcc),
            algorithms: with_algorithms(algorithms.read_text())}
    for target, text in made.items():
        if not args.check:
            target.write_text(text)
        elif not target.exists() or target.read_text() != text:
            sys.exit(f"docs/{target.name} is out of date: "
                     "run docs/generate.py --xcc build/bin/xcc")


if __name__ == "__main__":
    main()
