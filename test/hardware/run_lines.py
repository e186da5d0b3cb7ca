# What the RUN lines of a test build and run
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A test compiles here and runs elsewhere. So its RUN lines are taken apart into
# what makes files (the compiler, archivers) and what runs programs that were
# made. Lines about the compiler alone are left out.
#
#     // RUN: %xcc -O2 %s -o %t && env XCC_LOG=map %t 2>&1 | FileCheck %s
#             `---- makes -----'   `------------- runs ----------------'
#
# A later line may make the same file again: files have numbers, and a run has
# those that were made last before it.

import os
import re

# Where things are on the other machine: shell variables of test/hardware/one.sh.
PROGRAMS, SCRATCH, SOURCES = "$PROGRAMS", "$SCRATCH", "$SOURCES"

RUN_LINE = re.compile(r"^(?://|#|;)\s*RUN:\s*(.*)$", re.M)
TEMPORARY = re.compile(r"%t[-.\w]*(?:/[-.\w]+)*")
# What makes no file that can run, or none at all.
NO_PROGRAM = re.compile(
    r"-fsyntax-only|-emit-(?:llvm|ast|pch)|-disable-llvm|--precompile|-save-temps"
    r"|\s-[ES]\b|device-only|host-only|-###|-x c\+\+-header|-include-pch"
)
ARCHS = re.compile(r"(?<!\S)--?offload-arch=(\S+)|-march=native|-foffload-no-cubin")
# The first word of a command, behind those that run it.
RUNS = re.compile(r"^(?:(?:env|not|%not|--crash|\w+=\S*)\s+)*(\S+)")


class Made:
    """A file that a command makes."""

    def __init__(self, command, path, needs):
        self.command, self.path, self.needs = command, path, needs


class Run:
    """Shell text that runs programs, and whether the CPU device alone can do it."""

    def __init__(self, name, command, needs, cpu_alone=""):
        self.name, self.command, self.needs = name, command, needs
        self.cpu_alone = cpu_alone  # why; "" when it is for every device


class Test:
    def __init__(self, name, source):
        self.name, self.source = name, source
        self.made, self.runs = [], []
        self.left_out = ""  # why nothing of it runs elsewhere


def joined(text):
    """RUN lines, with those that go on."""
    lines, line = [], ""
    for found in RUN_LINE.finditer(text):
        line += found[1].rstrip()
        if line.endswith("\\"):
            line = line[:-1] + " "
        else:
            lines.append(line)
            line = ""
    return lines


def cpu_alone(command, options):
    """Why a run is for the CPU device alone, as far as its words say so."""
    setting = re.search(r"\bXCC_CPU_\w+|\bXCC_DEVICE=host\b", command)
    if setting:
        return f"is about {setting[0]}"
    option = re.search(r"-foffload-cpu-[-\w]+|-fsanitize=\S+", options)
    return f"is compiled with {option[0]}" if option else ""


class Reader:
    """Reads one test. \\p folder: where files are made, here."""

    def __init__(self, test, folder, xcc, tools, archs):
        self.test, self.folder = test, folder
        self.xcc, self.tools = f"{xcc} -w -shared-libxcc -offload-arch={archs}", tools
        self.names = {}  # of a temporary file: what was made last
        self.options = {}  # of what was made: the command
        self.count = 0

    def read(self, lines):
        for line in lines:
            line = line.replace(
                "%everywhere", "%xcc -std=c++20 -O2 %s -o %t-all && %t-all"
            )
            runs = []
            for part in re.split(r"\s&&\s", line):
                part = part.strip()
                if re.search(r"(^|\s)cd\s", part):
                    self.test.left_out = "works in a folder of its own"
                    return
                if self.makes(part):
                    self.add_run(runs)
                    runs = []
                else:
                    runs.append(part)
            self.add_run(runs)

    def makes(self, part):
        """Notes what the part makes; False if it makes nothing."""
        word = part.split(None, 1)[0] if part else ""
        compiles = word in ("%xcc", "%clang", "%clangxx")
        if compiles:
            # What it says is looked at where it is compiled.
            part = re.split(r"\s+(?:\||2?>)", part)[0]
            target = re.search(r"(?<!\S)-o\s*(%t[-.\w/]*)", part)
            if not target or NO_PROGRAM.search(part):
                return True
        elif word.endswith("llvm-ar"):
            target = re.search(r"(%t[-.\w/]*)", part)
        else:
            target = re.search(r">\s*(%t[-.\w/]*)$", part)
            if not target or self.programs(" ".join(RUNS.findall(part))):
                return False
        asked = ARCHS.search(part)
        for_cpu = word == "%xcc" and asked and asked[1] and not re.search(
            r"sm_|gfx|generic", asked[1]
        )
        self.count += 1
        path = f"{self.folder}/{self.count}.a" + target[1][2:].replace("/", "-")
        before = part[: target.start(1)] + "\0" + part[target.end(1) :]
        needs = self.programs(before)
        command = TEMPORARY.sub(
            lambda t: self.names.get(t[0], f"{self.folder}/t{t[0][2:]}"), before)
        command = self.expand(ARCHS.sub("", command)).replace("\0", path)
        self.names[target[1]] = path
        self.options[path] = part + (" for the CPU device" if for_cpu else "")
        self.test.made.append(Made(command, path, needs))
        return True

    def expand(self, command):
        source = self.test.source
        for name, value in (
            ("%xcc", self.xcc),
            ("%clangxx", f"{self.tools}/clang++"),
            ("%clang", f"{self.tools}/clang"),
            ("%llvm/bin", self.tools),
            ("%S", os.path.dirname(source)),
            ("%s", source),
        ):
            command = command.replace(name, value)
        return command

    def programs(self, text):
        return [self.names[t] for t in TEMPORARY.findall(text) if t in self.names]

    def add_run(self, parts):
        text = " && ".join(parts)
        needs = self.programs(text)
        if not needs or re.search(r"%xcc|%python|%clang|%llvm|%build|MOCK_|llvm-", text):
            return
        text = text.replace("%not", "not").replace("%FileCheck", "FileCheck")
        options = " ".join(self.options[n] for n in needs)
        why = cpu_alone(text, options)
        if not why and "for the CPU device" in options:
            why = "is compiled for the CPU device"
        text = TEMPORARY.sub(
            lambda t: f"{PROGRAMS}/{os.path.basename(self.names[t[0]])}"
            if t[0] in self.names
            else SCRATCH + "/" + t[0][1:],
            text,
        )
        area = self.test.name.split("/")[0]
        text = text.replace("%S", f"{SOURCES}/{area}")
        text = text.replace("%s", f"{SOURCES}/{area}/{os.path.basename(self.test.source)}")
        name = f"{self.test.name}.{len(self.test.runs) + 1}"
        if not any(r.command == text and r.needs == needs for r in self.test.runs):
            self.test.runs.append(Run(name, text, needs, why))


def read(path, name, folder, xcc, tools, archs):
    """The test in a file, as far as it can run elsewhere."""
    test = Test(name, path)
    with open(path, errors="replace") as file:
        text = file.read()
    Reader(test, folder, xcc, tools, archs).read(joined(text))
    used, queue = set(), [n for run in test.runs for n in run.needs]
    makers = {m.path: m for m in test.made}
    while queue:
        path = queue.pop()
        if path not in used:
            used.add(path)
            queue.extend(makers[path].needs)
    test.made = [m for m in test.made if m.path in used]
    if test.left_out:
        test.made, test.runs = [], []
    elif not test.runs:
        test.left_out = "runs no program, or needs the compiler for it"
    return test
