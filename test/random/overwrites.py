#!/usr/bin/env python3
# Random kernels that write all or most of what they refer to
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: overwrites.py --xcc PATH [--seeds FIRST LAST] [--each N] [--options=-O1,-O2]
#                      [--keep FOLDER]
#
# Each seed gives a program of N launches over vectors, of kernels whose threads
# store their elements always, on conditions, in loops, in parts, through other
# addresses, or not at all, and fewer or more threads than there are elements.
# What it prints with memory of the device's own, where all that was not copied
# is a pattern (XCC_CPU_SEPARATE=1), is what it prints where nothing is copied.

import os
import random
import subprocess
import sys

import campaign

HEAD = """
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>
#include <xcc/xcc.h>
struct Pixel { int r, g, b; };
struct World { std::vector<int> a, b; std::vector<long> c; std::vector<short> d; std::vector<Pixel> p; std::vector<int> q, never; int zero = 0, three = 3; };
[[gnu::noinline]] void put(int &to, int what) { to = what; }
template <class V> static std::uint64_t hash(const V &v) {
  std::uint64_t h = 14695981039346656037u;
  auto *bytes = reinterpret_cast<const unsigned char *>(v.data());
  for (std::size_t i = 0; i != v.size() * sizeof(v[0]); ++i) h = (h ^ bytes[i]) * 1099511628211u;
  return h;
}
static void show(int step, const World &w) {
  std::printf("%d: %llx %llx %llx %llx %llx %llx\\n", step, (long long unsigned)hash(w.a), (long long unsigned)hash(w.b), (long long unsigned)hash(w.c),
              (long long unsigned)hash(w.d), (long long unsigned)hash(w.p), (long long unsigned)hash(w.q));
}
"""


class Launch:
    """One kernel, and how it is launched."""

    def __init__(self, r, count):
        self.r = r
        self.count = count  # elements of every vector
        self.before = []

    def value(self, others):
        r = self.r
        terms = [f"int(i) * {r.randint(1, 9)}", str(r.randint(-50, 50)), "w.three"]
        for o in others:
            terms.append(f"int({o}[i]{'.g' if o.endswith('p') else ''})")
        return " + ".join(r.sample(terms, r.randint(1, min(3, len(terms)))))

    def path(self, name):
        """The vector, or another way to it."""
        r = self.r
        if r.random() < 0.6:
            return f"w.{name}"
        local = f"s{len(self.before)}"
        if r.random() < 0.5:
            self.before.append(f"std::span {local}(w.{name});")
        else:
            self.before.append(f"auto *{local} = &w.{name};")
            return f"(*{local})"
        return local

    def store(self, v, value):
        """A store to the thread's own element, or to a part of it."""
        r = self.r
        if v.endswith("p") or v in self.pixels:
            parts = r.choice(["rgb", "rgb", "gb", "r", "bgr"])
            return " ".join(f"{v}[i].{part} = {value};" for part in parts) if r.random() < 0.8 else f"{v}[i] = Pixel{{{value}, 1, 2}};"
        return r.choice([f"{v}[i] = {value};"] * 3 + [f"{{ auto *at = &{v}[i]; *at = {value}; }}", f"{{ auto local = {v}[0]; local = {value}; std::memcpy(&{v}[i], &local, sizeof local); }}"
                                                     if v in self.only else f"{v}[i] = {value};",
                                                     f"std::memset(&{v}[i], {r.randint(0, 9)}, sizeof {v}[i]);"])

    def body(self):
        r = self.r
        names = r.sample(["a", "b", "c", "d", "p", "q"], r.randint(1, 4))
        written = names[: r.randint(1, len(names))]
        read = [f"w.{n}" for n in names[len(written):]]
        self.pixels, self.only = set(), set()
        lines = []
        for name in written:
            v = self.path(name)
            if name == "p":
                self.pixels.add(v)
            value = self.value(read)
            one, two = self.store(v, value), self.store(v, self.value(read))
            cond = r.choice(["i % 3 == 1", "w.three == 3", "w.zero", "int(i) > w.three * 100", "i < n / 2"])
            kind = r.random()
            if kind < 0.35:
                lines.append(one)
            elif kind < 0.45:
                lines.append(f"if ({cond}) {{ {one} }}")
            elif kind < 0.55:
                lines.append(f"if ({cond}) {{ {one} }} else {{ {two} }}")
            elif kind < 0.6:
                lines.append(f"for (int j = 0; j < {r.choice(['w.zero', 'w.three', '2', 'int(i % 2)'])}; ++j) {{ {one} }}")
            elif kind < 0.65:
                lines.append(f"if ({cond}) return; {one}")
            elif kind < 0.7:
                lines.append(f"switch (i % 4) {{ case 0: {one} break; case 1: {two} break; default: {r.choice([one, '', two])} }}")
            elif kind < 0.75 and name != "p":
                lines.append(f"{v}[i] {r.choice(['+=', '^=', '-='])} {value};")
            elif kind < 0.8 and name in "abq":
                lines.append(r.choice([f"put({v}[i], {value});", f"if ({cond}) put({v}[i], {value});"]))
            elif kind < 0.87 and name != "p":
                index = r.choice([f"(i + {r.randint(1, 5)}) % {self.count}", f"{self.count - 1} - i % {self.count}", f"i / 2 * 2 % {self.count}", f"i ^ {0}"])
                lines.append(f"{v}[{index}] = {r.randint(1, 99)};")
            elif kind < 0.92 and name == "a" and "b" not in names:
                lines.append(f"(w.{r.choice(['zero', 'three'])} ? w.a : w.b)[i] = {value};")
            elif kind < 0.96 and name in "abq":
                lines.append(f"{{ auto was = w.{name}[i]; {one} if (was == {r.randint(0, 30)}) {v}[i] = was; }}")
            else:
                lines.append(f"{one} {two}")
        if r.random() < 0.2:
            lines.insert(0, f"if (i % {r.randint(2, 9)} == 0 && w.{r.choice(['zero', 'three'])}) return;")
        return " ".join(lines)

    def text(self):
        r = self.r
        body = self.body()
        n = r.choice([self.count] * 6 + [self.count - 1, self.count // 2, 0, self.count // 3 * 2])
        block = r.choice([1, 32, 64, 100, 128])
        grid = (n + block - 1) // block or 1
        if r.random() < 0.15:
            grid = max(1, grid // 2)
        form = r.random()
        kind = r.choice(["std::size_t", "unsigned", "int"])
        at = {"std::size_t": "xcc::global_id()", "unsigned": "xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x",
              "int": "int(xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x)"}[kind]
        how = f"xcc::launch({{{{{grid}}}, {{{block}}}}}, "
        if form < 0.5:
            launch = f"xcc::parallel_for({n}u + w.zero, [&w, n](std::size_t i) {{ (void)n; {body} }});"
        elif form < 0.7:
            launch = how + f"[&w, n] {{ const {kind} at = {at}; if (at < {'int(n)' if kind == 'int' else 'n'}) {{ const std::size_t i = at; {body} }} }});"
        elif form < 0.8:
            launch = how + f"[&w, n] {{ const {kind} at = {at}; if (at >= {'int(n)' if kind == 'int' else 'n'}) return; const std::size_t i = at; {body} }});"
        elif form < 0.9 and block * grid <= self.count:
            launch = how + f"[&w, n] {{ const std::size_t i = {at}; {body} }});"
        else:
            launch = how + f"[&w, n] {{ for (std::size_t i = xcc::global_id(); i < n; i += xcc::global_size()) {{ {body} }} }});"
        launch = launch.replace("[&w, n]", "[&w, n" + "".join(", " + b.split("(")[0].split()[-1] if b.startswith("std") else ", " + b.split("*")[1].split()[0]
                                                               for b in self.before) + "]")
        return "{ " + " ".join(self.before) + f" const unsigned n = {n}; {launch} }}"


def program(seed, each):
    r = random.Random(seed)
    lines = [HEAD, "int main() {", "World w;"]
    count = r.choice([7, 64, 700, 3000, 6000])
    for name in "abcdpq":
        lines.append(f"w.{name}.resize({count}); for (int i = 0; i != {count}; ++i) " +
                     (f"w.p[i] = {{i, 2, 3}};" if name == "p" else f"w.{name}[i] = i * {ord(name)};"))
    lines.append(f"w.never.resize({count});")
    open_scope = False
    for step in range(each):
        if not open_scope and r.random() < 0.1:
            lines.append("{ xcc::synchronize(); xcc::map scope(w);")
            open_scope = True
        lines.append(Launch(r, count).text())
        if open_scope and r.random() < 0.4:
            lines.append("}")
            open_scope = False
        if not open_scope and r.random() < 0.7:
            lines.append(f"xcc::synchronize(); show({step}, w);")
    lines += ["}"] if open_scope else []
    lines += [f"xcc::synchronize(); show({each}, w);", "}"]
    return "\n".join(lines) + "\n"


def test(seed, option, args, folder):
    """(what was not copied, what was, message)"""
    base = os.path.join(folder, f"overwrites_{seed}{option}")
    with open(base + ".cpp", "w") as file:
        file.write(program(seed, args.each))
    subprocess.run([args.xcc, "-std=c++20", option, "-w", base + ".cpp", "-o", base], check=True)
    said = []
    for mode in ("0", "1", "2"):
        said.append(subprocess.run([base], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300,
                                   env=os.environ | {"XCC_CPU_SEPARATE": mode, "XCC_LOG": "map"}))
    wrong = [f"seed {seed} {option}: XCC_CPU_SEPARATE={mode} differs\n" for mode in (1, 2)
             if (said[mode].returncode, said[mode].stdout) != (said[0].returncode, said[0].stdout)]
    if said[0].returncode:
        wrong.append(f"seed {seed} {option}: {said[0].stderr[-500:]}")
    log = said[2].stderr
    return log.count("new, overwritten by"), log.count("to the device: new, launch"), "".join(wrong)


if __name__ == "__main__":
    sys.exit(campaign.run(test, 30, "{} ranges overwritten, {} copied"))
