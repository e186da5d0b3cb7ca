#!/usr/bin/env python3
# Random kernels whose threads have loops of their own
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: own_loops.py SEED [KERNELS]  (writes a program)
#
# What backend/block/simd makes vectors of: loops that each thread leaves at its
# own iteration, in each other and in branches, with break, continue and early
# return; numbers of several widths; reads beside each other, backwards, apart
# and of one place; stores under conditions; divisions and calls that only some
# threads come to. Each kernel is compared with the same code on the host, one
# thread after the other. Tables end where memory ends, so a read by a thread that
# should not read is a fault.

import random
import sys

HEAD = """\
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <vector>
#include <xcc/xcc.h>
using u8 = std::uint8_t;
using i16 = std::int16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
constexpr int Table = 1024;
// The last byte is the last before a page that must not be touched.
template <class T> T *atTheEnd(std::size_t count) {
  const std::size_t size = (count * sizeof(T) + 4095) / 4096 * 4096;
  char *pages = static_cast<char *>(
      mmap(nullptr, size + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + 4096, size, PROT_READ | PROT_WRITE);
  return reinterpret_cast<T *>(pages + 4096 + size - count * sizeof(T));
}
struct Data {
  const i32 *ti; const u8 *tb; const float *tf; const double *td; const i64 *tl;
  const i32 *in; const float *fin;
  u32 *out; float *fout; i64 *lout; u8 *bout; double *dout; u32 *list;
};
static u32 bitsOf(float v) { u32 r; std::memcpy(&r, &v, 4); return v == v ? r : 1; }
static u64 bitsOf(double v) { u64 r; std::memcpy(&r, &v, 8); return v == v ? r : 1; }
"""

MAIN = """\
static int wrong = 0;
template <class T> T *filled(std::size_t count, u32 seed) {
  T *p = atTheEnd<T>(count);
  for (std::size_t i = 0; i != count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    p[i] = T((seed >> 8) % 200) - T(seed >> 28);
  }
  return p;
}
template <class F> void compare(const char *name, F body, void (*launch)(int, int, Data)) {
  for (int n : {1, 7, 64, 333, 1000})
    for (int threads : {32, 96}) {
      Data d{filled<i32>(Table, 1), filled<u8>(Table, 2), filled<float>(Table, 3), filled<double>(Table, 4),
             filled<i64>(Table, 5), filled<i32>(n, 6), filled<float>(n, 7), {}, {}, {}, {}, {}, {}};
      Data e = d;
      for (Data *x : {&d, &e}) {
        x->out = filled<u32>(n, 8); x->fout = filled<float>(n, 9); x->lout = filled<i64>(n, 10);
        x->bout = filled<u8>(n, 11); x->dout = filled<double>(n, 12); x->list = filled<u32>(n * 8, 13);
      }
      launch(n, threads, d);
      for (int i = 0; i < n; ++i)
        body(n, i, e);
      for (int i = 0; i < n * 8; ++i) {
        bool bad = d.list[i] != e.list[i];
        if (i < n)
          bad |= d.out[i] != e.out[i] || bitsOf(d.fout[i]) != bitsOf(e.fout[i]) || d.lout[i] != e.lout[i] ||
                 d.bout[i] != e.bout[i] || bitsOf(d.dout[i]) != bitsOf(e.dout[i]);
        if (bad) {
          std::printf("%s: wrong at %d of %d in blocks of %d\\n", name, i, n, threads);
          ++wrong;
          return;
        }
      }
    }
}
"""


class Kernel:
    def __init__(self, r):
        self.r = r
        self.lines = []
        self.depth = 1
        self.loops = []
        self.names = 0
        self.budget = 34
        # Names and C++ types of what a thread computes with.
        self.vars = [("a", "i32"), ("b", "u32"), ("x", "float")]
        for extra in r.sample([("l", "i64"), ("y", "double"), ("c", "u8"), ("s", "i16"), ("z", "float"), ("m", "u64")],
                              r.choice([0, 0, 1, 2])):
            self.vars.append(extra)

    def emit(self, line):
        self.lines.append("  " * self.depth + line)

    def whole(self):
        """An integer, as an i32 expression."""
        r = self.r
        kind = r.randrange(12)
        if kind == 0:
            return str(r.choice([0, 1, 2, 3, 7, 31, 100, -1, -5]))
        if kind == 1:
            return "i"
        if kind == 2:
            return "n"
        if kind == 3 and self.loops:
            return r.choice(self.loops)
        if kind == 4:
            return r.choice(["d.in[i]", "d.in[n - 1 - i]", "i32(d.out[i])", "i32(d.list[i * 8 + (b & 7u)])"])
        if kind == 5:
            return r.choice([f"d.ti[u32({self.some()}) & 1023u]", f"i32(d.tb[u32({self.some()}) & 1023u])",
                             f"i32(d.tl[u32({self.some()}) & 1023u])"])
        if kind == 6 and self.loops:
            k = r.choice(self.loops)
            return r.choice([f"d.ti[{k}]", f"d.ti[{k} + (i & 511)]", f"d.ti[({k} * 17 + i) & 1023]", f"i32(d.tb[1023 - {k}])"])
        if kind == 7:
            return f"(i32({self.some()}) {r.choice(['/', '%'])} ({self.positive()}))"
        if kind == 8:
            return f"i32(std::{r.choice(['fabs', 'floor', 'sqrt'])}(float(u32({self.some()}) & 4095u)))"
        return f"i32({self.some()})"

    def some(self):
        name, kind = self.r.choice(self.vars)
        return f"whole({name})" if kind in ("float", "double") else name

    def positive(self):
        return f"(i32({self.some()}) & {self.r.choice([3, 7, 15])}) + 1"

    def real(self):
        r = self.r
        kind = r.randrange(7)
        if kind == 0:
            return r.choice(["0.5f", "1.25f", "-3.0f", "100.0f"])
        if kind == 1:
            return r.choice(["d.fin[i]", "d.fin[n - 1 - i]", "d.fout[i]"])
        if kind == 2:
            return r.choice([f"d.tf[u32({self.some()}) & 1023u]", f"float(d.td[u32({self.some()}) & 1023u])"])
        if kind == 3 and self.loops:
            return r.choice([f"d.tf[{r.choice(self.loops)}]", f"d.tf[{r.choice(self.loops)} + (i & 511)]"])
        if kind == 4:
            return f"float(i32({self.some()}) & 4095)"
        if kind == 5:
            return f"std::{r.choice(['sqrt', 'fabs', 'floor', 'ceil'])}(std::fabs(x))"
        return r.choice(["x"] + [v for v, t in self.vars if t in ("float", "double")])

    def value(self, kind):
        r = self.r
        if kind in ("float", "double"):
            op = r.choice(["+", "-", "*", "+"])
            v = f"({kind}({self.real()}) {op} {kind}({self.real()}))"
            if r.random() < 0.2:
                v = f"({kind}({self.real()}) / ({kind}({self.real()}) + {kind}(1000)))"
            return f"bounded({v})"
        wide = "u64" if kind in ("i64", "u64") else "u32"
        op = r.choice(["+", "-", "*", "^", "|", "&", "+"])
        v = f"{wide}({self.whole()}) {op} {wide}({self.whole()})"
        if r.random() < 0.15:
            v = f"({v}) {r.choice(['<<', '>>'])} ({wide}({self.some()}) & 7u)"
        return f"{kind}({v})"

    def condition(self, uniform=False):
        r = self.r
        if uniform:
            return r.choice(["n > 50", "n % 3 == 1", "d.ti[5] > 20"] + [f"({k} & 1) == 0" for k in self.loops])
        if r.random() < 0.3:
            return f"{self.real()} {r.choice(['<', '>', '<=', '>='])} {self.real()}"
        c = f"{self.whole()} {r.choice(['<', '>', '==', '!=', '<='])} {self.whole()}"
        if r.random() < 0.2:
            c = f"{c} {r.choice(['&&', '||'])} (u32({self.some()}) & 3u) != 0"
        if r.random() < 0.15:
            c = f"i > {r.choice([0, 3, 10, 40])}"
        return c

    def statement(self):
        r = self.r
        self.budget -= 1
        kind = r.random()
        if kind < 0.38 or self.budget <= 0 or self.depth > 5:
            name, t = r.choice(self.vars)
            self.emit(f"{name} = {self.value(t)};")
        elif kind < 0.46:
            self.emit(r.choice([
                f"d.out[i] = u32({self.whole()});", f"d.fout[i] = bounded(float({self.real()}));",
                f"d.lout[i] = i64({self.whole()}) * 3;", f"d.bout[i] = u8({self.whole()});",
                f"d.dout[i] = double(bounded(float({self.real()})));",
                f"d.list[i * 8 + (u32({self.some()}) & 7u)] = u32({self.whole()});",
                f"d.list[(n - 1 - i) * 8 + {r.randrange(8)}] = u32({self.whole()});" if self.reversed else
                f"d.list[i * 8 + {r.randrange(8)}] += u32({self.whole()});"]))
        elif kind < 0.51:
            self.row()
        elif kind < 0.68:
            self.emit(f"if ({self.condition(r.random() < 0.25)}) {{")
            self.body(r.randrange(1, 4))
            if r.random() < 0.4:
                self.emit("} else {")
                self.body(r.randrange(1, 3))
            self.emit("}")
        elif kind < 0.88 and len(self.loops) < 3:
            self.loop()
        elif self.loops and kind < 0.97:
            what = r.choice(["break", "continue", "break"])
            if what == "continue" and not self.counted:
                what = "break"
            self.emit(f"if ({self.condition(r.random() < 0.15)})")
            self.emit(f"  {what};")
        elif kind >= 0.985:
            self.emit(f"if ({self.condition()})")
            self.emit("  return;")
        else:
            name, t = r.choice(self.vars)
            self.emit(f"{name} = {self.value(t)};")

    def loop(self):
        r = self.r
        k = f"k{self.names}"
        self.names += 1
        most = r.choice([3, 5, 9, 20]) if not self.loops else r.choice([2, 3, 5])
        bound = r.choice([str(most), f"(i32({self.some()}) & {r.choice([1, 3, 7, 15])})", f"(n & 7)", f"(i % {most})",
                          f"(d.in[i] & 7)"])
        outer = self.counted if self.loops else True
        self.counted = r.random() < 0.7
        if self.counted:
            self.emit(f"for (i32 {k} = 0; {k} < {bound}; ++{k}) {{")
        elif r.random() < 0.5:
            self.emit(f"for (i32 {k} = 0; {k} < {most} && ({self.condition()}); ++{k}) {{")
            self.counted = True
        else:
            self.emit(f"i32 {k} = 0;")
            self.emit("do {")
        self.loops.append(k)
        self.body(r.randrange(1, 5))
        self.loops.pop()
        if self.counted:
            self.emit("}")
        else:
            self.emit(f"}} while (++{k} < {most} && ({self.condition()}));")
        self.counted = outer

    def row(self):
        """A loop along a row of the thread's own, the last of which ends where its table ends."""
        r = self.r
        name, t = r.choice([("x", "float"), ("a", "i32")])
        table = r.choice(["ti", "tb", "tf", "td", "tl"])
        length = r.choice([3, 16, 21, 64])
        bound = r.choice([str(length), f"(n % {length + 1})"])
        start = f"({r.choice(['15 - (i & 15)', '(i & 15)'])}) * 64 + {64 - length}"
        v = f"d.{table}[{start} + q]"
        q = f"d.tf[q]" if r.random() < 0.5 else "float(q & 3)"
        self.emit(f"for (i32 q = 0; q < {bound}; ++q)")
        self.emit(f"  x = bounded(x * 0.5f + float({v}) * {q});" if name == "x" else
                  f"  a = i32(u32(a) * 31u + u32(i32({v})));")

    def body(self, count):
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1

    def code(self, name):
        r = self.r
        self.reversed = False
        self.counted = True
        self.depth = 1
        self.loop()
        for _ in range(r.randrange(1, 5)):
            self.statement()
        start = {"i32": "i * 7 - 3", "u32": "u32(i) * 2654435761u", "float": "d.fin[i]", "i64": "i64(i) * 1000003",
                 "double": "double(d.fin[i]) * 0.5", "u8": "u8(i)", "i16": "i16(i * 31)", "u64": "u64(i) << 20"}
        lines = [f"static void {name}(int n, int i, Data d) {{"]
        lines += [f"  {t} {v} = {start[t]};" for v, t in self.vars]
        lines += self.lines
        lines.append("  d.out[i] ^= u32(a) + b + u32(whole(x));")
        lines.append("  d.fout[i] = x;")
        for v, t in self.vars[3:]:
            lines.append(f"  d.lout[i] += i64(whole({v}));" if t in ("float", "double") else f"  d.lout[i] += i64({v});")
        lines.append("}")
        loop = r.random() < 0.25
        lines.append(f"static void {name}_kernel(int n, Data d) {{")
        if loop:
            lines.append(f"  for (int i = xcc::global_id(); i < n; i += xcc::global_size())")
            lines.append(f"    {name}(n, i, d);")
        else:
            lines.append("  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;")
            lines.append(f"  if (i < n)")
            lines.append(f"    {name}(n, i, d);")
        lines.append("}")
        blocks = "2u" if loop else "unsigned(n + threads - 1) / threads"
        lines.append(f"static void {name}_launch(int n, int threads, Data d) {{")
        lines.append(f"  xcc::launch({{{{{blocks}}}, {{unsigned(threads)}}}}, {name}_kernel, n, d);")
        lines.append("  xcc::synchronize();\n}")
        return "\n".join(lines)


HELPERS = """\
static i32 whole(double v) { return v > -1e6 && v < 1e6 ? i32(v) : 7; }
static i32 whole(float v) { return v > -1e6f && v < 1e6f ? i32(v) : 7; }
template <class T> static T bounded(T v) { return v > T(-1e6) && v < T(1e6) ? v : T(3); }
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    names, text = [], [HEAD, HELPERS]
    for n in range(count):
        r = random.Random(seed * 10007 + n)
        names.append(f"k{seed}_{n}")
        text.append(Kernel(r).code(names[-1]))
    text.append(MAIN)
    text.append("int main() {")
    text += [f'  compare("{name}", {name}, {name}_launch);' for name in names]
    text.append(f'  std::printf("{count} kernels, %d wrong\\n", wrong);\n  return wrong != 0;\n}}')
    print("\n".join(text))


main()
