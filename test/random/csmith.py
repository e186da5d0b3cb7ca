#!/usr/bin/env python3
# Programs of csmith inside a kernel
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: csmith.py --xcc PATH --clang PATH [--seeds FIRST LAST] [--each N]
#                  [--options=-O1,-O2] [--on cpu,nvptx,amdgcn] [--reduce] ...
#
# Seed S stands for the N programs that csmith makes of the seeds S * N to
# S * N + N - 1. Each is a namespace, and its main() a function that a kernel of
# one thread calls, with the program's globals as the device's own. Programs
# that run for long on the host, or about whose results clang -O0 and -O2
# disagree there, are left out. Structures are not packed where a program takes
# addresses of members: an int * to a member that is not aligned is undefined, and
# an error on NVIDIA GPUs. --reduce leaves the other programs away.

import re
import subprocess
import sys
import tempfile

import runs

OPTIONS = ["--lang-cpp", "--cpp11", "--no-argc", "--no-volatile-pointers", "--max-funcs", "6",
           "--max-block-depth", "3", "--max-expr-complexity", "8"]

PROLOGUE = """#include "threads.h"
#include "csmith_runtime.h"
"""


class Program:
    def __init__(self, seed, each, arguments):
        self.texts = {}
        with tempfile.TemporaryDirectory() as folder:
            for number in range(seed * each, seed * each + each):
                # It leaves a file in the folder where it runs.
                made = subprocess.run(["csmith", "--seed", str(number), *OPTIONS], cwd=folder,
                                      capture_output=True, text=True, check=True)
                self.texts[f"csmith_{number}"] = self.part(number, made.stdout)
            self.leave_out(arguments, folder)

    @staticmethod
    def part(number, text):
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        text = text.replace('#include "csmith.h"', "")
        text = re.sub(r"int main \((void)?\)", "void csmith_main(std::uint64_t *csmith_sum)", text)
        text = re.sub(r"return 0;\s*}\s*$", "}", text)
        text = re.sub(r"\n\s*\n+", "\n", text)
        if re.search(r"&\(?\*?\w+\)?(\[[^]]*\])*(\.|->)f\d", text):
            text = re.sub(r"#pragma pack.*\n", "", text)
        # The loops over arrays of its main print indices where asked to.
        text = re.sub(r"if \(print_hash_value\) printf\(.*?\);", "", text)
        return f"""namespace csmith_{number} {{
{text}
void kernel(std::uint64_t *csmith_sum) {{ csmith_main(csmith_sum); }}
std::uint64_t run() {{
  Memory<std::uint64_t> sum(1);
  sum.send();
  Shape shape = {{1, 1}};
  std::uint64_t *p = sum.data();
  LAUNCH(shape, kernel, p);
  sum.fetch();
  return sum.host[0];
}}
}}
"""

    def leave_out(self, arguments, folder):
        """Keeps programs that end soon, the same way at -O0 and -O2."""
        reference = runs.Runs(arguments, folder)
        path = reference.folder / "host.cpp"
        path.write_text(self.source())
        results = []
        for level in ("-O0", "-O2"):
            binary = reference.folder / f"host{level}"
            runs.command(arguments.clang, *reference.common, level, "-DREFERENCE", path, "-o", binary)
            results.append(reference.lines(binary, self.names, timeout=2))
        for name in self.names:
            if results[0][name] != results[1][name] or len(results[0][name]) != 16:
                del self.texts[name]

    @property
    def names(self):
        return list(self.texts)

    def keep(self, name):
        self.texts = {name: self.texts[name]}

    def source(self):
        parts = ", ".join(f'{{{n}::run, "{n}"}}' for n in self.texts)
        return PROLOGUE + "\n".join(self.texts.values()) + (
            f"\n#undef printf\nconst Part parts[] = {{{parts}}};\n"
            "int main(int count, char **words) { return run_parts(parts, count, words); }\n")

    def reduced(self, name, differs):
        self.keep(name)
        lines = self.texts[name].split("\n")

        def attempt(kept):
            self.texts[name] = "\n".join(kept)
            return differs(self.source())

        # Whole pieces of the text, smaller and smaller ones.
        size = max(1, len(lines) // 2)
        while size:
            i = 0
            while i < len(lines):
                kept = lines[:i] + lines[i + size:]
                if attempt(kept):
                    lines = kept
                else:
                    i += size
            size //= 2
        self.texts[name] = "\n".join(lines)
        return self.source()


if __name__ == "__main__":
    arguments = runs.arguments("csmith", 20).parse_args()
    sys.exit(runs.main(lambda seed, each: Program(seed, each, arguments), arguments))
