#!/usr/bin/env python3
# Random scripts over mapped objects
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: mapping.py --xcc PATH [--seeds FIRST LAST] [--scripts N] [--steps N]
#                   [--options=-O2] [--on separate,two,cuda,hsa] [--print] ...
#
# Each seed gives a program with classes of its own: members that are numbers,
# containers, strings, other classes. The program runs N random scripts over
# objects of them (Inputs/mapped_objects.h): scopes over parts that nest, overlap
# and end in any order, updates, launches in several streams and on two devices.
# The reference is a copy of each object to which the host does the same. A
# program is compiled once and runs on each of:
#   plain      the CPU device, which shares the host's memory
#   separate   the CPU device with memory of its own
#   two        two simulated NVIDIA GPUs
#   cuda, hsa  one simulated GPU

import argparse
import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

LEAVES = ["unsigned", "Numbers", "Numbers", "Numbers", "std::string", "std::array<unsigned, 4>",
          "std::vector<Numbers>", "std::optional<Numbers>", "std::unique_ptr<Numbers>",
          "std::variant<unsigned, Numbers>", "std::vector<std::string>", "Text"]


def environments(simulators):
    return {
        "plain": {"XCC_DEVICE": "cpu"},
        "separate": {"XCC_DEVICE": "cpu", "XCC_CPU_SEPARATE": "1"},
        "two": {"XCC_DEVICE": "cuda", "LD_LIBRARY_PATH": f"{simulators}/cuda",
                "MOCK_CUDA_DEVICES": "sm_90,sm_90"},
        "cuda": {"XCC_DEVICE": "cuda", "LD_LIBRARY_PATH": f"{simulators}/cuda",
                 "MOCK_CUDA_DEVICES": "sm_90"},
        "hsa": {"XCC_DEVICE": "hsa", "LD_LIBRARY_PATH": f"{simulators}/hsa",
                "MOCK_HSA_AGENTS": "gfx1100"},
    }


class Class:
    def __init__(self, r, name, others):
        self.name = name
        self.members = []
        kinds = LEAVES + [o.name for o in others] * 2
        kinds += [f"std::{h}<{o.name}>" for o in others for h in ("vector", "unique_ptr", "optional")]
        for i in range(r.randint(2, 6)):
            self.members.append((r.choice(kinds), f"m{i}"))
        self.subsets = []
        for _ in range(3):
            chosen = r.sample(self.members, min(len(self.members), r.randint(2, 3)))
            self.subsets.append(chosen if r.random() < 0.5 else sorted(chosen, key=lambda m: m[1]))

    def text(self):
        n = self.name
        members = "".join(f"  {t} {m}{{}};\n" for t, m in self.members)
        def each(f):
            return "".join(f"  {f(t, m, i)}\n" for i, (t, m) in enumerate(self.members))
        lines = [f"struct {n} {{\n{members}}};"]
        lines.append(f"inline void touch({n} &x, std::size_t i, unsigned c) {{\n"
                     + each(lambda t, m, i: f"touch(x.{m}, i, c + {i});") + "}")
        lines.append(f"inline bool same(const {n} &a, const {n} &b) {{\n  return "
                     + " && ".join(f"same(a.{m}, b.{m})" for _, m in self.members) + ";\n}")
        lines.append(f"inline void build({n} &x, Random &r) {{\n"
                     + each(lambda t, m, i: f"build(x.{m}, r);") + "}")
        lines.append(f"inline void list(Parts &parts, {n} &real, {n} &copy, const std::string &name) {{\n"
                     "  std::size_t own = parts.open(real, copy, name);\n"
                     + each(lambda t, m, i: f"list(parts, real.{m}, copy.{m}, name + \".{m}\");")
                     + "  parts.finish(own);\n}")
        for k, chosen in enumerate(self.subsets):
            objects = ", ".join(f"x.{m}" for _, m in chosen)
            lines.append(f"inline Scope hold_{n}_{k}(void *of) {{\n"
                         f"  auto &x = *static_cast<{n} *>(of);\n"
                         f"  return std::make_unique<xcc::map>({objects});\n}}")
        return "\n".join(lines)


def declarations(classes):
    """Functions of templates find these when they are instantiated."""
    text = ""
    for c in classes:
        n = c.name
        text += (f"struct {n};\ninline void touch({n} &, std::size_t, unsigned);\n"
                 f"inline bool same(const {n} &, const {n} &);\ninline void build({n} &, Random &);\n"
                 f"inline void list(Parts &, {n} &, {n} &, const std::string &);\n")
    return text


def program(seed):
    r = random.Random(seed)
    classes = []
    for i in range(r.randint(2, 3)):
        classes.append(Class(r, f"Class{i}", classes[:]))
    lines = ['#include "mapped_objects.h"', declarations(classes)]
    lines += [c.text() for c in classes]
    objects = [(c, f"{c.name.lower()}_{k}") for c in classes for k in range(2)]
    lines.append("int main(int count, char **words) {")
    lines.append("  return runScripts(count, words, [](unsigned seed, auto &&run) {")
    lines.append("    Parts parts;\n    std::vector<Several> several;")
    for c, o in objects:
        lines.append(f"    {c.name} {o}, {o}_copy;")
        lines.append(f"    {{ Random r(seed), same(seed); build({o}, r); build({o}_copy, same); }}")
        lines.append(f"    list(parts, {o}, {o}_copy, \"{o}\");")
        for k, chosen in enumerate(c.subsets):
            members = ", ".join(f'"{o}.{m}"' for _, m in chosen)
            lines.append(f'    several.push_back(parts.several("{o}", {{{members}}}, hold_{c.name}_{k}));')
    lines.append("    addViews(parts, seed, [&] { run(parts, several); });")
    lines.append("  });\n}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xcc", required=True)
    parser.add_argument("--seeds", type=int, nargs=2, default=[0, 0], metavar=("FIRST", "LAST"))
    parser.add_argument("--scripts", type=int, default=20, help="of each program")
    parser.add_argument("--steps", type=int, default=40, help="of each script")
    parser.add_argument("--options", default="-O2", type=lambda text: text.split(","))
    parser.add_argument("--on", default="plain,separate", type=lambda text: text.split(","))
    parser.add_argument("--simulators", help="folder of the simulated drivers")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="folder that the programs stay in")
    parser.add_argument("--print", action="store_true")
    a = parser.parse_args()
    if a.print:
        print(program(a.seeds[0]))
        return 0
    simulators = a.simulators or pathlib.Path(a.xcc).resolve().parent.parent / "simulator"
    envs = environments(simulators)
    archs = ["host"]
    if {"cuda", "two"} & set(a.on):
        archs.append("sm_90")
    if "hsa" in a.on:
        archs.append("gfx1100")

    def test(seed):
        texts, wrong, scripts = [], 0, 0
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(a.keep or folder)
            folder.mkdir(exist_ok=True)
            source = folder / f"mapping{seed}.cpp"
            source.write_text(program(seed))
            for option in a.options:
                binary = folder / f"mapping{seed}{option}"
                made = subprocess.run(
                    [a.xcc, "-std=c++20", "-w", "-I", HERE / "Inputs", option,
                     f"-offload-arch={','.join(archs)}", "-foffload-no-cubin", source, "-o", binary],
                    capture_output=True, text=True)
                if made.returncode:
                    return [f"FAILED program {seed}, {option}: {made.stderr[:2000]}"], 1, 0
                for on in a.on:
                    done = subprocess.run([binary, "0", str(a.scripts - 1), str(a.steps)],
                                          capture_output=True, text=True, errors="replace",
                                          env={**os.environ, **envs[on]}, timeout=900)
                    lines = done.stdout.splitlines()
                    scripts += a.scripts
                    bad = [l for l in lines if l.startswith("DIFFERS")]
                    texts += [f"program {seed}, {option}, {on}: {l}" for l in bad]
                    if done.returncode and not bad:
                        bad = [f"status {done.returncode}"]
                        texts.append(f"DIFFERS program {seed}, {option}, {on}: status {done.returncode}: "
                                     + " ".join(lines[-2:]) + done.stderr[-600:])
                    wrong += len(bad)
        return texts, wrong, scripts

    total = bad = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for texts, wrong, scripts in pool.map(test, range(a.seeds[0], a.seeds[1] + 1)):
            total, bad = total + scripts, bad + wrong
            for text in texts:
                print(text, flush=True)
    print(f"{total} runs of scripts, {bad} differ")
    return int(bad != 0)


if __name__ == "__main__":
    sys.exit(main())
