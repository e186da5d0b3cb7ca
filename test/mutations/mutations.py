#!/usr/bin/env python3
# mutations.py - puts faults back that were fixed, and looks which tests find them
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# mutations.toml names faults of docs/bugs.md and, of each, the lines of the sources
# that keep it away. For one fault after the other, this changes those lines, builds
# what depends on them, runs the tests that are expected to fail, and changes the
# lines back. With --whole, a fault that those do not find meets all tests of
# `./dev test`. It ends with a table. Results are kept in the build folder: a run
# that was stopped goes on where it was.
#
#     test/mutations/mutations.py                    in this tree and its build/
#     test/mutations/mutations.py --scratch FOLDER   in a copy of this tree there
#     test/mutations/mutations.py --check            only looks at mutations.toml

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
import run

# What is built for a changed file, where a fault does not say it itself; the
# longest beginning decides. Tests take the rest as it was built before.
TARGETS = {
    "driver/": ["xcc"],
    "frontend/": ["xcc"],
    "backend/": ["xcc"],
    "device-runtime/": ["xcc_device_runtime"],
    "host-runtime/": ["xcc_runtime", "xcc_runtime_shared"],
    "rpc/": ["xcc_runtime", "xcc_runtime_shared"],
    "test/simulator/nvptx/": ["simulator_cuda", "xcc_ptx_tests"],
    "test/simulator/amdgcn/": ["simulator_hsa", "xcc_amdgcn_tests"],
}
KEYS = {"name", "bug", "file", "search", "replace", "tests", "targets"}
MAY_SURVIVE = 1  # of all faults
NAMED_SECONDS, WHOLE_SECONDS = 1200, 3 * 3600  # the most that tests may take
GUESS = 150  # seconds for a fault, before it was ever measured here


def say(text):
    print("==> " + text, flush=True)


def read_faults():
    with open(HERE / "mutations.toml", "rb") as file:
        return tomllib.load(file)["fault"]


def entries_of_diary(root):
    """The entries of docs/bugs.md, each in one line."""
    text = (root / "docs/bugs.md").read_text()
    return [re.sub(r"\s+", " ", entry) for entry in re.split(r"\n(?=\*\*)", text)]


def title_of(fault, entries):
    """What docs/bugs.md calls the bug; None if it does not have the sentence once."""
    found = [entry for entry in entries if fault["bug"] in entry]
    title = re.match(r"\*\*(.*?)\.\*\*", found[0]) if len(found) == 1 else None
    return title and title[1]


# ---- Checking mutations.toml -------------------------------------------------

def wrong_with(fault, root, entries, names):
    if set(fault) | {"targets"} != KEYS:
        yield "an entry has a name, bug, file, search, replace and tests"
        return
    path = root / fault["file"]
    count = path.read_text().count(fault["search"]) if path.is_file() else 0
    if count != 1:
        yield (f"{fault['file']} has the lines to replace {count} times; say in "
               "mutations.toml what keeps the fault away now")
    if not title_of(fault, entries):
        yield f"docs/bugs.md does not have this once: {fault['bug']}"
    if "targets" not in fault and not any(map(fault["file"].startswith, TARGETS)):
        yield f"no line of TARGETS says what to build for {fault['file']}"
    for test in fault["tests"]:
        # Those of CTest are asked for by their whole names.
        match = re.match if "/" in test else re.fullmatch
        if not any(match(test, name) for name in names):
            yield f"'{test}' is the name of no test"


def check(root, build, faults):
    """What is wrong with the list, as lines."""
    known = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"],
                           capture_output=True, text=True, check=True).stdout
    names = [test["name"] for test in json.loads(known)["tests"]]
    listed = subprocess.run([run.lit_of(build), "--show-tests", build / "test"],
                            capture_output=True, text=True, check=True).stdout
    names += [line.strip().removeprefix("xcc :: ") for line in listed.splitlines()
              if " :: " in line]
    entries = entries_of_diary(root)
    wrong = [f"{fault.get('name')}: {text}" for fault in faults
             for text in wrong_with(fault, root, entries, names)]
    known = [fault.get("name") for fault in faults]
    return wrong + [f"{name}: a second one" for name in set(known) if known.count(name) > 1]


# ---- Building and testing ----------------------------------------------------

def execute(command, seconds):
    """Its status and output; None as status if it took too long."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, errors="replace",
                             start_new_session=True)
    try:
        output = child.communicate(timeout=seconds)[0]
        return child.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        return None, child.communicate()[0]
    except BaseException:
        os.killpg(child.pid, signal.SIGKILL)
        raise


class Tree:
    """Sources with a build folder, of which one file at a time is changed."""

    def __init__(self, root, build, jobs):
        self.root, self.build, self.jobs = root, build, jobs
        # What a file was before it was changed, should this process be killed.
        self.kept = build / "test" / "mutated.json"

    def change(self, fault):
        path = self.root / fault["file"]
        text = path.read_text()
        self.kept.write_text(json.dumps({"file": fault["file"], "text": text}))
        path.write_text(text.replace(fault["search"], fault["replace"]))

    def restore(self):
        if self.kept.exists():
            kept = json.loads(self.kept.read_text())
            # With a new time, so that what depends on it is built again.
            (self.root / kept["file"]).write_text(kept["text"])
            self.kept.unlink()

    def compile(self, targets):
        """What the build said if it failed, or nothing."""
        wanted = ["--target", *targets] if targets else []
        status, output = execute(["cmake", "--build", str(self.build), "--parallel",
                                  str(self.jobs), *wanted], None)
        return output if status else ""

    def failing(self, patterns, seconds=NAMED_SECONDS):
        """The tests of these names that fail."""
        failed = []
        lit = [pattern for pattern in patterns if "/" in pattern]
        if lit:
            failed += self.failing_of_lit(["--filter", "^xcc :: (" + "|".join(lit) + ")"], seconds)
        ctest = [pattern for pattern in patterns if "/" not in pattern]
        if ctest:
            status, output = execute(
                ["ctest", "--test-dir", str(self.build), "--timeout", "120", "-R",
                 "^(" + "|".join(ctest) + ")$"], seconds)
            failed += re.findall(r"^\s*\d+ - (\S+) \(", output, re.M)
            if status and not failed:
                failed.append("no end of " + " ".join(ctest) if status is None else output[-500:])
        return failed

    def failing_of_all(self):
        # `layers` looks at the sources' text: no behaviour.
        return self.failing_of_lit(["--filter-out", "^xcc :: layers/"], WHOLE_SECONDS)

    def failing_of_lit(self, arguments, seconds):
        results = self.build / "test" / "mutated-results.json"
        results.unlink(missing_ok=True)
        status, output = execute([run.lit_of(self.build), "-q", "-j", str(self.jobs), "--output",
                                  str(results), *arguments, str(self.build / "test")], seconds)
        if status is None:
            return [f"no end within {seconds} s"]
        if not results.exists():
            sys.exit("mutations.py: lit did not run: " + output[-2000:])
        return [test["name"].removeprefix("xcc :: ")
                for test in json.loads(results.read_text())["tests"]
                if test["code"] in ("FAIL", "XPASS", "TIMEOUT", "UNRESOLVED")]


def scratch_tree(folder, jobs):
    """A copy of this tree, with what is not committed, built."""
    folder = folder.resolve()
    source, build = folder / "source", folder / "build"
    if not source.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "-c", "safe.directory=*", "clone", "-q", "--shared", ROOT, source],
                       check=True)
    git = ["git", "-c", "safe.directory=*", "-C"]
    head = subprocess.run([*git, ROOT, "rev-parse", "HEAD"], capture_output=True, text=True,
                          check=True).stdout.strip()
    subprocess.run([*git, source, "checkout", "-q", "--force", "--detach", head], check=True)
    listed = subprocess.run(
        [*git, ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        here, there = ROOT / name, source / name
        if not here.exists():
            there.unlink(missing_ok=True)
        elif here.is_file() and (not there.exists() or there.read_bytes() != here.read_bytes()):
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(here.read_bytes())
            there.chmod(here.stat().st_mode)
    say(f"Building a copy of the sources in {folder}")
    if not (build / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "release", "-S", source, "-B", build], check=True,
                       cwd=source, stdout=subprocess.DEVNULL)
    tree = Tree(source, build, jobs)
    tree.restore()
    if said := tree.compile([]):
        sys.exit("mutations.py: the copy does not build: " + said[-3000:])
    return tree


# ---- One fault after the other -----------------------------------------------

def targets_of(fault):
    if "targets" in fault:
        return fault["targets"]
    return TARGETS[max((key for key in TARGETS if fault["file"].startswith(key)), key=len)]


def try_fault(tree, fault, known, whole):
    """What became of it, and the tests that failed. Those `known` fail always."""
    tree.change(fault)
    try:
        if said := tree.compile(targets_of(fault)):
            return "does not build", [said[-1500:]]
        failed = [name for name in tree.failing(fault["tests"]) if name not in known]
        if failed:
            return "found", failed
        if not whole:
            return "survived", []
        say(f"{fault['name']}: not found by {' '.join(fault['tests'])}; all tests")
        if said := tree.compile([]):
            return "found", ["the build: " + said[-500:]]
        failed = tree.failing_of_all()
    finally:
        tree.restore()
    tree.compile([])
    again = tree.failing([re.escape(name) for name in failed if "/" in name]) if failed else []
    if found := [name for name in failed if name not in again]:
        return "found", found
    return "survived", []


class Results:
    """What is known of faults, for these sources and tests; and how long each took."""

    def __init__(self, tree):
        self.path = tree.build / "test" / "mutations.json"
        kept = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.seconds = kept.get("seconds", {})
        looked_at = [p for p in tree.root.iterdir() if p.name not in ("docs", "test")
                     and not p.name.startswith((".", "build", "install"))]
        looked_at += [p for p in (tree.root / "test").iterdir() if p.name != "mutations"]
        self.state = run.state_of([str(p.relative_to(tree.root)) for p in sorted(looked_at)],
                                  tree.root)
        self.all = kept.get("of", {}) if kept.get("state") == self.state else {}

    def of(self, fault):
        """What became of this fault, as it is described now; or nothing."""
        known = self.all.get(fault["name"], {})
        return known if known.get("fault") == fault else {}

    def add(self, fault, result, failed, seconds):
        self.all[fault["name"]] = {"result": result, "by": failed, "fault": fault}
        self.seconds[fault["name"]] = int(seconds)
        self.path.write_text(json.dumps({"state": self.state, "of": self.all,
                                         "seconds": self.seconds}))

    def expected(self, faults):
        return sum(self.seconds.get(f["name"], GUESS) for f in faults) // 60


def try_all(tree, faults, whole, again=False):
    results = Results(tree)
    left = [fault for fault in faults if again or not results.of(fault)
            or results.of(fault)["result"] == "survived" and whole]
    say(f"{len(left)} of {len(faults)} faults to try; about {results.expected(left) + 1} minutes")
    known = set()
    if left:
        say("Their tests, without faults")
        if said := tree.compile(sorted({t for fault in left for t in targets_of(fault)})):
            sys.exit("mutations.py: the sources do not build: " + said[-3000:])
        known = set(tree.failing(sorted({t for fault in left for t in fault["tests"]})))
        for name in sorted(known):
            say(f"fails always, and finds nothing: {name}")
    for number, fault in enumerate(left, 1):
        start = time.time()
        result, failed = try_fault(tree, fault, known, whole)
        results.add(fault, result, failed, time.time() - start)
        say(f"{number} of {len(left)}, {time.time() - start:.0f} s: {fault['name']}: {result} "
            + " ".join(failed)[:200])
    if left:
        tree.compile(sorted({t for fault in left for t in targets_of(fault)}))
    return {fault["name"]: results.of(fault) for fault in faults}


def report(faults, results, root):
    """Prints the table; how many were found, and how many not."""
    entries = entries_of_diary(root)
    found = 0
    for fault in faults:
        result = results[fault["name"]]
        found += result["result"] == "found"
        by = " ".join(result["by"]) if result["result"] == "found" else ""
        print(f"{result['result']:14} {fault['name']:28} {by[:120]:40} ({title_of(fault, entries)})")
    print(f"{found} of {len(faults)} faults found", flush=True)
    return found, len(faults) - found


def undo_all(folder, jobs):
    """For `./dev test --all`: how many were found and how many not; whether that is
    good."""
    faults = read_faults()
    tree = scratch_tree(folder, jobs)
    found, missed = report(faults, try_all(tree, faults, whole=True), tree.root)
    return found, missed, missed <= MAY_SURVIVE


def main():
    parser = argparse.ArgumentParser(prog="mutations.py",
                                     description="Puts fixed faults back: which tests find them?")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--scratch", type=pathlib.Path, metavar="FOLDER",
                        help="work in a copy of this tree, there")
    parser.add_argument("--check", action="store_true",
                        help="only whether the list fits the sources and the tests")
    parser.add_argument("--whole", action="store_true",
                        help="all tests for what the named ones do not find")
    parser.add_argument("--again", action="store_true", help="forget the results that are there")
    parser.add_argument("--filter", metavar="REGEX", default="", help="some of the faults")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    o = parser.parse_args()
    faults = [fault for fault in read_faults() if re.search(o.filter, fault["name"])]
    if o.check:
        wrong = check(ROOT, o.build.resolve(), faults)
        print("\n".join(wrong) or f"{len(faults)} faults")
        return not wrong
    # The compiler cache, as ./dev has it; and files are put back however it ends.
    os.environ.setdefault("CCACHE_SLOPPINESS", "pch_defines,time_macros")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if o.scratch:
        tree = scratch_tree(o.scratch, o.jobs)
    else:
        tree = Tree(ROOT, o.build.resolve(), o.jobs)
        tree.restore()
    _, missed = report(faults, try_all(tree, faults, o.whole, o.again), tree.root)
    return missed <= MAY_SURVIVE


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
