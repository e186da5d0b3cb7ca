#!/usr/bin/env python3
# run.py - all tests at once, slowest first
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `./dev test` builds everything and calls this. lit runs the tests of all folders,
# and CTest's in groups, on all cores. The last line is "N passed, N failed, N
# skipped"; the status is 0 if none failed.
#
# The sanitizers' builds are made and run if the runtime or its tests changed since
# they last passed: here, or where sanitizers/passed.txt was written, which is to be
# committed. --all makes them always.

import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "formats"))

import changed
import days

# What the sanitizers' builds are made of.
SANITIZED = ["CMakeLists.txt", "cmake", "formats", "host-runtime", "rpc", "device-runtime/rpc",
             "test/unit/runtime", "test/rpc", "test/services", "test/mock"]
# What --all runs, one after the other: a name and lit's parameters; None: faults
# that were fixed are put back, in a copy of the sources (mutations/mutations.py).
STAGES = [("every run's tests, with sanitizers", {}),
          ("every arch at every level", {"campaign": "archs"}),
          ("other -O levels, and -g", {"campaign": "levels"}),
          ("what takes minutes", {"campaign": "full"}),
          ("faults put back, which tests find", None)]


def options():
    parser = argparse.ArgumentParser(prog="./dev test", description="Builds and tests.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help=argparse.SUPPRESS)
    parser.add_argument("--all", action="store_true",
                        help="everything there is; goes on where an earlier run stopped")
    parser.add_argument("--changed", metavar="REV", nargs="?", const="",
                        help="what the files changed since REV can break (default: since main)")
    parser.add_argument("--filter", metavar="REGEX", help="tests whose names match, as lit has it")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--everything", action="store_true",
                        help="do not leave tests to the runs of other days")
    parser.add_argument("--record", action="store_true",
                        help="keep the tests' times in test/.lit_test_times.txt, and their "
                             "table in docs/testing.md")
    return parser.parse_args()


def say(text):
    print("==> " + text, flush=True)


class Progress:
    """Shows how far lit is: in place on a terminal, else a line for each twentieth.
    What failed is shown at once, in full."""

    LINE = re.compile(r"(\w+): xcc :: (.*) \((\d+) of (\d+)\)")

    def __init__(self):
        self.terminal = sys.stdout.isatty()
        self.failed = 0
        self.start, self.shown = time.time(), 0

    def line(self, line):
        found = self.LINE.match(line)
        if not found:
            if line.strip():
                self.clear()
                print(line, flush=True)
            return
        code, name, done, total = found[1], found[2], int(found[3]), int(found[4])
        self.failed += code in ("FAIL", "XPASS", "TIMEOUT", "UNRESOLVED")
        text = (f"{done} of {total} tests, {self.failed} failed, "
                f"{time.time() - self.start:.0f} s: {name}")
        if self.terminal:
            self.clear()
            print(text[:os.get_terminal_size().columns - 1], end="", flush=True)
        elif done * 20 // total > self.shown or done == total:
            self.shown = done * 20 // total
            print(text, flush=True)

    def clear(self):
        if self.terminal:
            print("\r\033[K", end="")


def lit_of(build):
    return re.search(r"^XCC_LIT:[^=]*=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1]


def run_lit(build, parameters, arguments, jobs):
    """Runs lit; the results of its tests, or None if it could not run."""
    results = build / "test" / "results.json"
    results.unlink(missing_ok=True)
    command = [lit_of(build), "-v", "-j", str(jobs), "--output", str(results), *arguments]
    for key, value in parameters.items():
        command += ["--param", f"{key}={value}"]
    progress = Progress()
    child = subprocess.Popen([*command, str(build / "test")], stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    for line in child.stdout:
        progress.line(line.rstrip("\n"))
    progress.clear()
    child.wait()
    if not results.exists():
        return None
    return json.loads(results.read_text())["tests"]


def count(tests):
    """Passed, failed and skipped; a group of CTest's counts as many as it holds."""
    passed = failed = skipped = 0
    for test in tests:
        group = re.search(r"(\d+)% tests passed, (\d+) tests failed out of (\d+)", test["output"])
        if test["name"].endswith(".ctest") and group:
            wrong = max(int(group[2]), test["code"] != "PASS")
            failed += wrong
            passed += int(group[3]) - wrong
        elif test["code"] in ("PASS", "XFAIL", "FLAKYPASS"):
            passed += 1
        elif test["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            skipped += 1
        else:
            failed += 1
    return passed, failed, skipped


def state_of(paths, root=ROOT):
    """A hash of what is in these files and folders."""
    hash = hashlib.sha256()
    for path in paths:
        base = root / path
        for file in sorted(base.rglob("*")) if base.is_dir() else [base]:
            if file.is_file() and "__pycache__" not in file.parts:
                hash.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes())
    return hash.hexdigest()


def build_sanitizers(build, always):
    """Builds the sanitizers' trees if they have to run; says what has passed when
    they do."""
    state = state_of(SANITIZED) + "\n"
    green = ROOT / "test" / "sanitizers" / "passed.txt"
    if not always and green.exists() and green.read_text() == state:
        say("The runtime is as it was when the sanitizers passed")
        return None
    say("Building the runtime for sanitizers")
    for name in ("thread", "address-undefined"):
        done = subprocess.run(["cmake", "--build", build, "--target", "sanitizer-" + name],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            print(done.stdout[-20000:])
            sys.exit(f"run.py: the build for the {name} sanitizer failed")
    return lambda: green.write_text(state)


def slowest(tests):
    print("The slowest:")
    for test in sorted(tests, key=lambda t: -(t["elapsed"] or 0))[:10]:
        print(f"  {test['elapsed'] or 0:6.1f} s  {test['name'].removeprefix('xcc :: ')}")


def record(build, tests, seconds):
    """Keeps the times of a run: lit begins with the slowest tests, and readers see
    where the minutes are."""
    times = build / "test" / "lit" / ".lit_test_times.txt"
    kept = sorted(line.split() for line in times.read_text().splitlines())
    (ROOT / "test" / ".lit_test_times.txt").write_text(
        "".join(f"{abs(float(t)):.1f} {name}\n" for t, name in kept if abs(float(t)) >= 1))
    areas = {}
    for test in tests:
        name = test["name"].removeprefix("xcc :: ")
        areas.setdefault(name.split("/")[0], []).append((test["elapsed"] or 0, name))
    lines = ["| folder | tests | seconds | slowest |", "|---|---|---|---|"]
    for area, of_area in sorted(areas.items(), key=lambda a: -sum(t for t, _ in a[1])):
        slow, name = max(of_area)
        lines.append(f"| `{area}` | {len(of_area)} | {sum(t for t, _ in of_area):.0f} | "
                     f"`{name.split('/', 1)[-1]}`, {slow:.0f} s |")
    page = ROOT / "docs" / "testing.md"
    start, end = "<!-- minutes -->\n", "<!-- end of minutes -->"
    before, rest = page.read_text().split(start)
    total = sum(t for of_area in areas.values() for t, _ in of_area)
    page.write_text(before + start +
                    f"{len(tests)} tests took {seconds / 60:.0f} minutes on {os.cpu_count()} cores, "
                    f"{total:.0f} seconds of tests:\n\n" + "\n".join(lines) + "\n" + end +
                    rest.split(end)[1])


def report(tests):
    """Says how it went; whether all is well."""
    failed = [t["name"].removeprefix("xcc :: ") for t in tests
              if t["code"] not in ("PASS", "XFAIL", "FLAKYPASS", "UNSUPPORTED", "SKIPPED", "EXCLUDED")]
    slowest(tests)
    for name in failed:
        print("failed: " + name)
    print("%d passed, %d failed, %d skipped" % count(tests), flush=True)
    return not failed and count(tests)[0] > 0


def run_stage(o, parameters):
    """Passed, failed and skipped of a stage, or None if it is not good."""
    if parameters is None:
        from mutations import mutations
        found, missed, good = mutations.undo_all(o.build / "mutations", o.jobs)
        return (found, missed, 0) if good else None
    passed = build_sanitizers(o.build, True) if not parameters else None
    tests = run_lit(o.build, parameters or {"sanitizers": 1}, [], o.jobs)
    if tests is None or not report(tests):
        return None
    if passed:
        passed()
    return count(tests)


def run_all(o):
    """The stages; those that passed for this very state of the sources are not
    repeated."""
    kept = o.build / "test" / "stages.json"
    stages = json.loads(kept.read_text()) if kept.exists() else {}
    state = state_of([p.name for p in ROOT.iterdir()
                      if not p.name.startswith((".", "build", "install"))])
    took = stages.get("seconds", {})
    expected = [took.get(name) for name, _ in STAGES]
    say(f"{len(STAGES)} stages; " + (f"they took {sum(expected) // 60} minutes when last run here"
                                   if all(expected) else "some hours on two cores"))
    if stages.get("state") != state:
        stages = {"state": state, "tests": {}, "seconds": took}
    for name, parameters in STAGES:
        if name in stages["tests"]:
            say(f"{name}: has passed")
            continue
        say(name)
        start = time.time()
        done = run_stage(o, parameters)
        if done is None:
            kept.write_text(json.dumps(stages))
            return False
        stages["tests"][name] = done
        stages["seconds"][name] = int(time.time() - start)
        kept.write_text(json.dumps(stages))
    sums = [sum(column) for column in zip(*stages["tests"].values())]
    print("%d passed, %d failed, %d skipped" % tuple(sums))
    return True


def main():
    o = options()
    if o.all:
        return run_all(o)
    arguments = []
    passed = None
    if o.changed is not None:
        arguments += changed.tests(ROOT, o.changed)
        if not arguments:
            print("nothing that a test looks at has changed\n0 passed, 0 failed, 0 skipped")
            return True
    elif not o.filter:
        passed = build_sanitizers(o.build, False)
    if o.filter:
        arguments += ["--filter", o.filter]
    parameters = {"sanitizers": 1} if passed else {}
    if o.changed is None and not o.filter and not o.everything:
        parameters["rotate"] = 1
        others = days.left_out(ROOT)
        arguments += days.without(others)
    say(f"Testing; {len(others)} tests are in the runs of other days" if parameters.get("rotate")
        else "Testing")
    start = time.time()
    tests = run_lit(o.build, parameters, arguments, o.jobs)
    if tests is None:
        sys.exit("run.py: lit did not run")
    good = report(tests)
    sanitized = [t for t in tests if t["name"].startswith("xcc :: sanitizers/")]
    if passed and sanitized and all(t["code"] == "PASS" for t in sanitized):
        passed()
    if o.record and not o.filter and o.changed is None:
        record(o.build, tests, time.time() - start)
    return good


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
