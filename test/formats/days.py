# What a whole run of the tests takes in rotation
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Two cores have to finish `./dev test` in the time of a coffee break. So a whole run
# leaves some work to the runs of other days:
#
#  * A test that took STEPS' seconds or more in the last recorded run is in the run of
#    every second to sixth day. Each day has about as much to do.
#  * A program of programs.py is run on the CPU device, and on one more kind of device
#    a day.
#
# A test that once found a bug is one that docs/bugs.md or test/mutations/mutations.toml
# names. It runs on every kind of device, and more often (FOUND_BUG). In every run are
# also a new test, whose time is not known, and the tests of EVERY_DAY. The day is that
# of the last commit: a run of the same sources always has the same tests. Runs of a part
# (--filter, --changed, lit by hand) and --all have everything.

import pathlib
import re
import subprocess

# Seconds that a test took, of all its -O levels together, and in the run of how many
# days it then is once.
STEPS = [(60, 6), (30, 4), (5, 3), (1.5, 2), (0, 1)]
# The same for a test that once found a bug.
FOUND_BUG = [(30, 3), (10, 2), (0, 1)]
# Folders of tests that any change can break, or that run.py itself selects.
EVERY_DAY = {"docs", "layers", "sanitizers", "unit"}


def day_of(root):
    """Days since 1970 of the last commit; 0 without Git."""
    try:
        done = subprocess.run(["git", "-c", "safe.directory=*", "-C", root, "log", "-1",
                               "--format=%ct"], capture_output=True, text=True, check=True)
        return int(done.stdout) // 86400
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 0


def found_bugs(root):
    """Tests that found a bug, without suffix: "exec/warp"."""
    diary = (pathlib.Path(root) / "docs/bugs.md").read_text()
    names = re.findall(r"`(?:test/)?([\w-]+/[\w-]+)(?:\.\w+)?`", diary)
    faults = (pathlib.Path(root) / "test/mutations/mutations.toml").read_text()
    names += re.findall(r'"([\w-]+/[\w-]+)\\\\\.\w+"', faults)
    return set(names)


def recorded_seconds(root):
    """Seconds of each test in the last recorded run, of all -O levels together."""
    seconds = {}
    for line in (pathlib.Path(root) / "test/.lit_test_times.txt").read_text().splitlines():
        time, name = line.split()
        name = re.sub(r"-O\w[\w+-]*$", "", name)
        seconds[name] = seconds.get(name, 0) + float(time)
    return seconds


def shares(root):
    """For each number of days, the names of the tests of each of them."""
    found = found_bugs(root)
    tests = {days: [] for _, days in STEPS if days > 1}
    for name, seconds in recorded_seconds(root).items():
        steps = FOUND_BUG if name.rsplit(".", 1)[0] in found else STEPS
        days = next(days for least, days in steps if seconds >= least)
        if days > 1 and name.split("/")[0] not in EVERY_DAY:
            tests[days].append((seconds, name))
    for days, named in tests.items():
        share = [[0, []] for _ in range(days)]
        # The longest first, each into the day that has least to do.
        for seconds, name in sorted(named, key=lambda test: (-test[0], test[1])):
            least = min(share, key=lambda s: s[0])
            least[0] += seconds
            least[1].append(name)
        tests[days] = [names for _, names in share]
    return tests


def left_out(root, day=None):
    """Tests, such as "libraries/eigen.cpp", that are not in the whole run of a day."""
    day = day_of(root) if day is None else day
    return [name for days, share in shares(root).items()
            for i, names in enumerate(share) if i != day % days for name in names]


def without(names):
    """lit's arguments that leave out the tests of these names."""
    return ["--filter-out", "|".join(re.escape(f" {name}") for name in names) or "^$"]
