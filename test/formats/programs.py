# Test programs: compiled once for all devices, run on each
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A lit test format. In a folder that uses it, a file whose RUN line compiles and
# runs one program, such as
#
#     // RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#
# is a program. At each -O level of its RUN lines it is one test, exec/warp.cpp-O2,
# which compiles it once, for the CPU device and all kinds of devices.py, and runs
# it on each. Every run of the tests has -O2. A program whose other RUN lines say
# more is a test of lit's own besides, exec/warp.cpp.
#
# The runs of a day take one arch of each kind of device for a program, and one of
# each size of warps if the program speaks of warps. At -O0 one half of the programs
# runs on a GPU, of one kind. Which ones depends on the program's name and on the day
# of the last commit: each arch has its share of the programs, and a week has them all.
# A whole run (rotate=1) takes less of a program that never found a bug (days.py).
#
#     --param rotate=1           one kind that generates code, and one -O level, a day
#     --param campaign=archs     every arch at every level
#     --param campaign=full      the same, what takes minutes too
#     --param campaign=levels    -O1, -O3, -Os, -O0 -g and -O2 -g
#     --param devices=host,nvptx the CPU device and the NVIDIA simulator alone
#     --param unit=FILE          one more unit: the images are made in parts
#     --param checks=init        under XCC_SIM_CHECK=init: no program is accused
#     --param day=N              the archs of another day

import os
import re
import shlex
import subprocess
import zlib

import lit.formats
import lit.Test

import days
import devices
import example_programs

SECONDS = 300  # the most that compiling or one run may take
LEVELS = ["-O0", "-O2"]
MORE_LEVELS = ["-O1", "-O3", "-Os", "-O0-g", "-O2-g"]

# "RUN: %xcc -O2 OPTIONS %s -o %t && %t ARGUMENTS | FileCheck %s"
RUN = re.compile(r"(?://|#) RUN: %xcc (.*)%s -o %t && %t ?(.*?)(?:\| FileCheck %s)?$", re.M)
# The conformance suite's own, which stand for CONFORMANCE.
SUITE = re.compile(r"// RUN: (?:%compile %s -o %t|%host-1 %t && %host-3 %t|%cuda-mock %t"
                   r"|%hsa-mock %t)$", re.M)


class Run:
    """One run of a compiled program."""

    def __init__(self, name, archs, environment, expectation=None):
        self.name, self.archs, self.environment = name, archs, environment
        self.expectation = expectation or devices.Expectation()


class Program:
    """A source at one -O level: how it is compiled, and how runs are judged."""

    def __init__(self, name, source, level, flags, arguments=(), check=False, host=()):
        self.name = name  # "exec/warp"
        self.source, self.level, self.flags = source, level, list(flags)
        self.arguments, self.check = list(arguments), check
        self.host = list(host)  # runs on the CPU device as it is
        self.everywhere = True  # on the kinds of devices too
        with open(source) as file:
            text = file.read()
        # Where the size of a warp may matter, each has a run.
        self.warps = re.search(r"warp|lane|shuffle|ballot", text) is not None
        # Whether it may include more than it says, and before what it says.
        self.plain = not re.search(r"#\s*(?:define|undef|pragma)(?s:.*)#\s*include", text)


def level_of(flags):
    return next((f for f in flags if re.match(r"-O\w", f)), "-O0")


def programs_of(area, file, path, campaign):
    """The programs that a file is, and whether lit has to run the file besides."""
    with open(path) as source:
        text = source.read()
    name = area + "/" + os.path.splitext(file)[0]
    if area == "conformance":
        if file == "harness.cpp":
            return [], True
        more = len(SUITE.findall(text)) != len(re.findall(r"RUN:", text))
        suite = [
            Run("host with 1 thread", ["host"], {"XCC_DEVICE": "host", "XCC_CPU_THREADS": "1"}),
            Run("host with 3 threads", ["host"], {"XCC_DEVICE": "host", "XCC_CPU_THREADS": "3"}),
            Run("cuda-mock", [], {"XCC_DEVICE": "cuda"}),
            Run("hsa-mock", [], {"XCC_DEVICE": "hsa"}),
        ]
        return [Program(name, path, level, ["-std=c++20"],
                        host=suite if level == "-O2" and not more else ())
                for level in (MORE_LEVELS if campaign == "levels" else LEVELS)], more
    lines = []
    for found in RUN.finditer(text):
        flags = [f.replace("%S", os.path.dirname(path)) for f in shlex.split(found[1])]
        lines.append((level_of(flags), [f for f in flags if not re.match(r"-O\w", f)],
                      shlex.split(found[2]), "FileCheck" in found[0]))
    if not lines:
        return [], True
    more = len(lines) != len(re.findall(r"RUN:", text))
    if campaign == "levels":
        level, flags, arguments, check = lines[0]
        return [Program(name, path, level, flags, arguments, check) for level in MORE_LEVELS], False
    programs = []
    for level, flags, arguments, check in lines:
        # Where lit runs the file besides, it does these too.
        host = [] if more else [Run("host", ["host"], {})]
        program = Program(name, path, level, flags, arguments, check, host)
        # The first of a level stands for it.
        program.everywhere = level in LEVELS and all(p.level != level for p in programs)
        if host or program.everywhere:
            programs.append(program)
    for level in LEVELS:
        if all(p.level != level for p in programs):
            programs.append(Program(name, path, level, *lines[0][1:]))
    return programs, more


def examples(root):
    for name, source, flags, arguments in example_programs.examples(root):
        for level in LEVELS:
            yield Program("examples/" + name, source, level, flags, arguments)


class Programs(lit.formats.ShTest):
    def __init__(self, config, lit_config):
        super().__init__(execute_external=False)
        self.campaign = lit_config.params.get("campaign")
        wanted = lit_config.params.get("devices")
        self.wanted = wanted.split(",") if wanted else None
        self.unit = lit_config.params.get("unit")
        self.checks = lit_config.params.get("checks")
        self.kinds = devices.all_kinds(config.xcc_build, self.campaign)
        self.build = config.xcc_build
        self.own_compiler = "xcc" not in lit_config.params
        self.day = int(lit_config.params.get("day", days.day_of(config.test_source_root)))
        # Programs of which a whole run takes all kinds; None: this is no whole run.
        self.whole = days.found_bugs(os.path.dirname(config.test_source_root)) \
            if "rotate" in lit_config.params else None

    # Tests.

    def getTestsInDirectory(self, suite, path, lit_config, config):
        root = suite.getSourcePath(())
        area = "/".join(path)
        if area == "examples":
            for program in examples(root):
                yield from self.test_of(program, suite, path, config)
            return
        for test in super().getTestsInDirectory(suite, path, lit_config, config):
            source = test.getSourcePath()
            if not source.endswith(".cpp"):
                yield test
                continue
            programs, more = programs_of(area, test.path_in_suite[-1], source, self.campaign)
            if more and not self.campaign:
                yield test
            used = set()
            for program in programs:
                yield from self.test_of(program, suite, path, config, used)

    def test_of(self, program, suite, path, config, used=None):
        if not self.runs_of(program)[0] and not self.runs_of(program)[1]:
            return
        name = os.path.basename(program.source) + program.level
        while used is not None and name in used:
            name += "+"
        if used is not None:
            used.add(name)
        test = lit.Test.Test(suite, path + (name,), config)
        test.program = program
        yield test

    def runs_of(self, program):
        """The runs of a program today, and why there are no others."""
        runs = [run for run in program.host if self.wants("host")]
        skipped = []  # why there are no others
        if not program.everywhere:
            return runs, skipped
        area, level = program.name.split("/")[0], program.level
        turn = zlib.crc32(program.name.encode()) + self.day
        if self.rotates(program) and level == "-O0" and turn % 2:
            return [], []
        families = []  # of the runs that are to be had
        for kind in self.kinds:
            if area not in kind.areas or not self.wants(kind.name):
                continue
            if kind.families[0][0] in ("host", "generic:x86_64") and level == "-O0" \
                    and not self.campaign:
                continue
            for family in kind.families:
                found = []
                for arch in family:
                    e = kind.expected(level, arch, program.name)
                    if e.kind == "unsupported" or e.kind == "slow" and self.campaign != "full":
                        skipped.append(f"{kind.name}, {arch}: {e.kind}: {e.reason}")
                        continue
                    environment = {k: v.replace("%arch", arch)
                                   for k, v in kind.environment.items()}
                    environment["CONFORMANCE_DEVICE"] = kind.conformance
                    found.append(Run(kind.name + " " + arch, [arch], environment, e))
                if found:
                    families.append(found)
        if self.campaign:
            return runs + sum(families, []), skipped
        if level == "-O0":
            families = [families[turn % len(families)]] if families and not turn >> 8 & 1 else []
            turn += 2  # another arch than at the other level
        elif not program.warps and area != "conformance":
            families = self.one_of_each(families, turn)
        if self.rotates(program):
            families = self.one_kind(families, turn)
        return runs + [family[turn // 2 % len(family)] for family in families], skipped

    def rotates(self, program):
        """Whether this run takes one kind of device for a program."""
        return self.whole is not None and not self.campaign and program.name not in self.whole

    @staticmethod
    def one_kind(families, turn):
        """The families of one of the kinds for which code is generated, in rotation, and
        those of the others."""
        kinds = sorted({family[0].name.split()[0] for family in families
                        if family[0].archs != ["host"]})
        chosen = kinds[turn % len(kinds)] if kinds else None
        return [family for family in families
                if family[0].archs == ["host"] or family[0].name.split()[0] == chosen]

    @staticmethod
    def one_of_each(families, turn):
        """One family of each kind of device: one size of warps."""
        kinds = {}
        for family in families:
            kinds.setdefault(family[0].name.split()[0], []).append(family)
        return [of_kind[(turn >> 2) % len(of_kind)] for of_kind in kinds.values()]

    def wants(self, device):
        return not self.wanted or device in self.wanted

    # Execution.

    def execute(self, test, lit_config):
        program = getattr(test, "program", None)
        if not program:
            return super().execute(test, lit_config)
        runs, skipped = self.runs_of(program)
        if not runs:
            return lit.Test.UNSUPPORTED, "\n".join(skipped)
        log = []
        out = test.getExecPath() + ".tmp"
        os.makedirs(os.path.dirname(out), exist_ok=True)
        compiled = self.run(self.compile_command(test, runs, out),
                            dict(test.config.environment), log) == 0
        wrong, passed, known = [], [], []
        for run in runs:
            good = compiled and self.run_one(run, test, out, log)
            if good and run.expectation.kind == "fails":
                wrong.append(f"{run.name} passes, though: {run.expectation.reason}")
            elif good:
                passed.append(run.name)
            elif run.expectation.kind == "fails":
                known.append(f"{run.name}: {run.expectation.reason}")
            else:
                wrong.append(f"{run.name} fails")
        text = "\n".join(log + known + skipped + wrong)
        if wrong:
            return lit.Test.FAIL, text
        if compiled and os.path.exists(out):
            os.remove(out)  # some gigabytes in all
        return (lit.Test.PASS if passed else lit.Test.XFAIL), text

    def compile_command(self, test, runs, out):
        program = test.program
        archs = sorted({arch for run in runs for arch in run.archs})
        own = [f for f in program.flags if not f.startswith(("-offload-arch", "--offload-arch"))]
        command = [dict(test.config.substitutions)["%xcc"],
                   *["-" + option for option in program.level[1:].split("-")], *own]
        if archs != ["host"]:
            command += ["-foffload-no-cubin", "-foffload-ptx=all"]
            command.append("-offload-arch=" + ",".join(archs))
        elif len(own) != len(program.flags):  # as the RUN line has it
            command += [f for f in program.flags if f not in own]
        # Of two units, so that the device code is generated in parts.
        command += self.headers_of(program)
        return command + [program.source, "-o", out] + ([self.unit] if self.unit else [])

    def headers_of(self, program):
        """The precompiled headers of CMakeLists.txt, for a program of plain options."""
        standard = "-std=gnu++17"
        for flag in program.flags:
            if flag == "-std=c++20":
                standard = flag
            elif not flag.startswith(("-W", "-w", "-l", "-offload-arch", "--offload-arch")):
                return []
        file = f"{self.build}/test/formats/{program.level[1:]}-{standard[5:]}.pch"
        if not program.plain or not self.own_compiler or not os.path.exists(file):
            return []
        return ["-include-pch", file]

    def run_one(self, run, test, out, log):
        program = test.program
        ours = dict(run.environment)
        if run.name.endswith("-mock"):
            driver = run.name.split("-")[0]
            ours.update(CONFORMANCE_DEVICE=run.name,
                        LD_LIBRARY_PATH=f"{self.build}/mock/{driver}")
            arch = self.arch_of(program, {"cuda": "sm_", "hsa": "gfx"}[driver])
            if not arch:
                return True  # this program has no code for such a GPU
            ours["MOCK_CUDA_DEVICES" if driver == "cuda" else "MOCK_HSA_AGENTS"] = arch
        if self.checks:
            ours["XCC_SIM_CHECK"] = self.checks
        environment = {**test.config.environment, **ours}
        arguments = [a.replace("%t", out + "-" + run.name.replace(" ", "-"))
                     for a in program.arguments]
        output = []
        if self.run([out, *arguments], environment, log, output):
            return False
        if not program.check:
            return True
        filecheck = dict(test.config.substitutions)["%FileCheck"]
        return self.run([filecheck, program.source], environment, log, [], output[0]) == 0

    def arch_of(self, program, start):
        """One of a program's archs, whose name begins so."""
        return next((arch for run in self.runs_of(program)[0] for arch in run.archs
                     if arch.startswith(start) and "generic" not in arch), None)

    @staticmethod
    def run(command, environment, log, output=None, input=None):
        """Its status; the log has the command and what it said."""
        shown = {k: v for k, v in environment.items()
                 if k.startswith(("XCC_", "MOCK_", "CONFORMANCE_", "LD_LIBRARY"))}
        log.append("$ " + shlex.join([f"{k}={v}" for k, v in shown.items()] + command))
        try:
            done = subprocess.run(
                command, env=environment, input=input, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, timeout=SECONDS, text=True, errors="replace",
            )
        except subprocess.TimeoutExpired:
            log.append(f"it took more than {SECONDS} seconds")
            return 124
        if output is not None:
            output.append(done.stdout)
        log.extend(t for t in (done.stdout.rstrip(), done.stderr.rstrip()) if t)
        if done.returncode:
            log.append(f"status {done.returncode}")
        return done.returncode
