#!/usr/bin/env python3
# Random kernels for the block passes
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a file of random kernels for compare.sh to standard output.

    random_kernels.py SEED [COUNT]

The kernels have no data races: shared memory is written between two barriers,
each thread its own element. Barriers stand in control flow that all threads of
a block take alike, except that, rarely, some threads return early.
"""
import random
import sys


class Kernel:
    def __init__(self, rng, name):
        self.rng = rng
        self.name = name
        self.lines = []
        self.depth = 1
        self.loops = 0
        self.budget = 26

    def emit(self, line):
        self.lines.append("  " * self.depth + line)

    def private(self):
        return self.rng.choice(["a", "b", "c", "d"])

    def uniform(self):
        counters = [f"i{n}" for n in range(self.loops)]
        return self.rng.choice(
            ["s", "t", "unsigned(p->n)", "block_linear()", "threads()",
             str(self.rng.randrange(1, 9))] + counters)

    def value(self):
        """An expression that may differ between threads."""
        r = self.rng.randrange(9)
        if r == 0:
            return "linear()"
        if r == 1:
            return "unsigned(p->u[global() % 5000u])"
        if r == 2:
            return self.uniform()
        if r == 3:
            return f"keep[{self.private()} & 7]"
        if r == 4:
            return f"unsigned(p->u[{self.private()} & 1023])"
        x, y = self.private(), self.private()
        op = self.rng.choice(["+", "-", "*", "^", "|", "&"])
        if r == 5:
            y = self.uniform()
        return f"({x} {op} {y})"

    def condition(self, uniform):
        v = self.uniform() if uniform else self.private()
        if uniform and self.rng.randrange(3) == 0:
            return f"shared_word % {self.rng.randrange(2, 4)}u"
        return f"{v} % {self.rng.randrange(2, 5)}u {self.rng.choice(['==', '!='])} 1u"

    def block(self, uniform, size):
        self.depth += 1
        for _ in range(size):
            self.statement(uniform)
        self.depth -= 1

    def warps(self, r):
        """What a warp does, or one warp alone, or a lane with its turns."""
        if r == 20:
            self.emit(f"if (linear() / 32 % 2u == {self.rng.randrange(2)}u) {{")
            self.emit(f"  {self.private()} += shuffle({self.private()}, linear() ^ {self.rng.randrange(1, 31)});")
            self.emit(f"  keep[{self.private()} & 7] = shuffle({self.private()}, 5);")
            self.emit("}")
            return
        step, first = self.rng.choice([("32u", "linear() % 32u"), ("threads()", "linear()")])
        n = self.loops
        self.emit(f"for (unsigned i{n} = {first} + {self.rng.randrange(3)}; i{n} < {self.rng.randrange(200)}u; i{n} += {step})")
        self.emit(f"  {self.private()} += unsigned(p->u[i{n}]) * 3;")
        if r == 22:
            self.emit(f"{self.private()} += shuffle({self.private()}, linear() + {self.rng.randrange(1, 31)});")

    def statement(self, uniform):
        self.budget -= 1
        if self.budget < 0:
            self.emit(f"{self.private()} += {self.value()};")
            return
        r = self.rng.randrange(23 if uniform else 11)
        if r < 4:
            self.emit(f"{self.private()} = {self.value()};")
        elif r == 4:
            self.emit(f"keep[{self.private()} & 7] = {self.value()};")
        elif r == 5:
            self.emit(f"f = f * 0.5f + float({self.private()} & 255);")
        elif r == 6 and uniform:
            self.emit(f"{self.rng.choice(['s', 't'])} = {self.uniform()} * 3 + {self.uniform()};")
        elif r in (6, 7, 8):
            self.emit(f"if ({self.condition(False)}) {{")
            self.block(False, self.rng.randrange(1, 3))
            if self.rng.randrange(2):
                self.emit("} else {")
                self.block(False, self.rng.randrange(1, 3))
            self.emit("}")
        elif r in (9, 10):
            n = self.loops
            self.loops += 1
            limit = f"{self.private()} % 5u" if self.rng.randrange(2) or not uniform else "3u"
            self.emit(f"for (unsigned i{n} = 0; i{n} < {limit}; ++i{n}) {{")
            if "%" in limit:
                # The counter differs from thread to thread after this.
                self.loops -= 1
                self.block(False, 1)
                self.loops += 1
                if self.rng.randrange(3) == 0:
                    self.emit(f"  if ({self.condition(False)}) break;")
            else:
                self.block(True, 2)
            self.emit("}")
            self.loops -= 1
        elif r in (11, 12):
            self.emit("sync();")
            self.emit(f"tile[linear()] = {self.value()};")
            self.emit("sync();")
            self.emit(f"{self.private()} += tile[(linear() * 3 + {self.rng.randrange(5)}) % threads()];")
        elif r == 13 and self.rng.randrange(2):
            n = self.loops
            self.emit(f"for (unsigned i{n} = 0; i{n} < {self.uniform()} % 16u; ++i{n}) {{")
            self.emit(f"  f += p->x[i{n} + linear()] * 0.25f;")
            self.emit(f"  {self.private()} += unsigned(p->u[i{n}]) ^ {self.private()};")
            self.emit("}")
        elif r == 14:
            self.emit(f"{self.private()} = shuffle({self.private()}, linear() + {self.rng.randrange(1, 31)});")
        elif r == 15:
            self.emit("sync();")
            self.emit(f"if (linear() == 0) shared_word = {self.private()};")
            self.emit("sync();")
        elif r in (16, 17):
            self.emit(f"if ({self.condition(True)}) {{")
            self.block(True, self.rng.randrange(1, 4))
            if self.rng.randrange(2):
                self.emit("} else {")
                self.block(True, self.rng.randrange(1, 3))
            self.emit("}")
        elif r in (20, 21, 22):
            self.warps(r)
        else:
            n = self.loops
            self.loops += 1
            self.emit(f"for (unsigned i{n} = 0; i{n} < {self.uniform()} % 4u + 1; ++i{n}) {{"
                      .replace(f"i{n} < i{n} ", f"i{n} < s "))
            self.block(True, self.rng.randrange(1, 4))
            if self.rng.randrange(3) == 0:
                self.emit(f"  if ({self.condition(True)}) {self.rng.choice(['break', 'continue'])};")
            self.emit("}")
            self.loops -= 1

    def text(self):
        self.emit("unsigned a = linear(), b = p->u[global()], c = 1, d = global();")
        self.emit("unsigned s = p->n & 15, t = block_linear();")
        self.emit("unsigned keep[8] = {1, 2, 3, 4, 5, 6, 7, 8};")
        self.emit("float f = p->x[global()];")
        self.emit("if (linear() == 0) shared_word = t;")
        self.emit("sync();")
        if self.rng.randrange(4) == 0:
            self.emit(f"if (linear() % 8u == {self.rng.randrange(8)}u) return;")
        if self.rng.randrange(3) == 0:
            self.emit("int i = __xcc_block_idx_x() * __xcc_block_dim_x() + __xcc_thread_idx_x();")
            self.emit(self.rng.choice([
                "if (i >= p->n) return;",
                "if (i < 5 || i > p->n) return;",
                "if (int(__xcc_thread_idx_x()) >= p->n - 1 || __xcc_thread_idx_y() == 1) return;",
                "if (unsigned(p->n) <= __xcc_thread_idx_x()) return;"]))
        while self.budget > 0:
            self.statement(True)
        self.emit("unsigned sum = a + 3 * b + 5 * c + 7 * d + s + t;")
        self.emit("for (int i = 0; i < 8; ++i) sum = sum * 31 + keep[i];")
        self.emit("p->v[global()] = sum;")
        self.emit("p->y[global()] = f;")
        body = "\n".join(self.lines)
        return f"KERNEL({self.name}) {{\n{body}\n}}\n"


def main():
    seed = int(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    print('#include "xcc_device.h"\n')
    print("SHARED unsigned tile[1024];\nSHARED unsigned shared_word;\n")
    for n in range(count):
        print(Kernel(random.Random(seed * 1000 + n), f"k_{seed}_{n}").text())


main()
