# Tests that CTest knows: GoogleTests, examples, fuzzers
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A lit test format. It runs the tests that CTest knows of a build folder, but for
# lit's own, in groups: one test of lit's is up to GROUP tests of one label, so that
# they run beside all others. By hand, `ctest --preset release -R NAME` runs one.

import json
import os
import re
import subprocess

import lit.formats
import lit.Test

GROUP = 24


def known_to_ctest(build):
    """Name and labels of each test of a build folder."""
    done = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"],
                          capture_output=True, text=True)
    if done.returncode:
        return []
    tests = []
    for test in json.loads(done.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        if not properties.get("DISABLED"):
            tests.append((test["name"], properties.get("LABELS", ["other"])))
    return tests


class CTests(lit.formats.FileBasedTest):
    """Tests of a folder of test/; builds: a prefix for names -> build folder."""

    def __init__(self, folder, builds):
        self.folder, self.builds = folder, builds

    def getTestsInDirectory(self, suite, path, lit_config, config):
        if path != (self.folder,):  # a folder below
            return
        for build, folder in self.builds.items():
            by_label = {}
            for name, labels in known_to_ctest(folder):
                if not name.startswith("lit-") and "sanitizer" not in labels:
                    by_label.setdefault(labels[0], []).append(name)
            for label, names in by_label.items():
                # Every nth: neighbours take about the same time.
                count = (len(names) + GROUP - 1) // GROUP
                for i in range(count):
                    test = lit.Test.Test(suite, path + (f"{build}{label}-{i + 1}.ctest",), config)
                    test.folder, test.names = folder, names[i::count]
                    yield test

    def execute(self, test, lit_config):
        chosen = "^(" + "|".join(re.escape(name).replace("\\/", "/") for name in test.names) + ")$"
        command = ["ctest", "--test-dir", test.folder, "--output-on-failure", "-R", chosen]
        done = subprocess.run(command, env=dict(test.config.environment), text=True,
                              capture_output=True, errors="replace", stdin=subprocess.DEVNULL)
        output = f"$ ctest --test-dir {test.folder} ({len(test.names)} tests)\n" + done.stdout
        ran = re.search(r"tests passed, \d+ tests failed out of (\d+)", done.stdout)
        if done.returncode or not ran or int(ran[1]) != len(test.names):
            return lit.Test.FAIL, output + done.stderr
        return lit.Test.PASS, output
