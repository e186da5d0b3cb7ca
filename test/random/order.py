#!/usr/bin/env python3
# Random kernels whose threads keep to memory of their own
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: order.py --xcc PATH --clang PATH [--seeds FIRST LAST] [--each N]
#                 [--options=-O1,-O2] [--on cpu,nvptx,amdgcn] [--reduce] ...
#
# Each seed gives a program of N kernels (runs.py says how it is tested). The
# kernels read and write buffers through pointers of which some are the same;
# between two barriers an element belongs to one thread, so whatever the order
# of the threads, there is one result. What a compiler may get wrong is the
# order of one thread's own accesses. simt.py builds on this.

import random
import sys

import runs

TYPES = ["int", "unsigned", "short", "uchar", "long", "ulong", "float", "double"]
# Pointers to these may point to the same memory.
SIGNS = {"int": "unsigned", "unsigned": "int", "long": "ulong", "ulong": "long",
         "short": "ushort", "uchar": "schar"}
FLOATS = {"float", "double"}


class Block:
    """A statement with statements inside; `fixed` ones are never taken out."""

    def __init__(self, head, body, tail="}", fixed=False):
        self.head, self.body, self.tail, self.fixed = head, body, tail, fixed

    def lines(self, indent):
        pad = "  " * indent
        yield pad + self.head
        for s in self.body:
            yield from s.lines(indent + 1)
        yield pad + self.tail


class Line:
    def __init__(self, text, fixed=False):
        self.text, self.fixed = text, fixed

    def lines(self, indent):
        yield "  " * indent + self.text


class Buffer:
    """Memory of which each thread owns `k` elements; `record` ones have fields."""

    def __init__(self, name, type, k, fields=None, shared=False):
        self.name, self.type, self.k, self.fields, self.shared = name, type, k, fields, shared


class Pointer:
    def __init__(self, name, buffer, type, offset):
        self.name, self.buffer, self.type, self.offset = name, buffer, type, offset


class Kernel:
    def __init__(self, seed, number):
        self.r = random.Random(f"{seed}.{number}")
        self.name = f"kernel_{seed}_{number}"
        self.number = number
        self.make()

    # What the kernel is.

    def make(self):
        r = self.r
        self.form = r.choice(["function", "function", "function", "lambda", "parallel_for"])
        self.waits = self.form != "parallel_for" and r.random() < 0.35
        self.shape = (r.choice([1, 2, 3]), r.choice([1, 3, 8, 16, 31, 32, 64, 65, 128, 256]), 1)
        if r.random() < 0.25:
            self.shape = (r.choice([1, 2]), r.choice([1, 4, 8, 16, 24]), r.choice([2, 3, 4, 8]))
        if self.form == "parallel_for":
            self.shape = (1, r.choice([1, 5, 64, 100, 257, 1000]), 1)
        self.block = self.shape[1] * self.shape[2]
        self.threads = self.block * self.shape[0]
        self.buffers, self.pointers = [], []
        k = r.choice([1, 2, 3, 4, 4, 5, 6, 8, 8, 16])
        for b in range(r.choice([1, 1, 2, 3])):
            type = r.choice(["int"] * 4 + TYPES)
            fields = r.choice([None, None, None, "abc", "ab", "abcd"])
            buffer = Buffer(f"b{b}", type, k if r.random() < 0.7 else r.choice([1, 2, 4, 8]), fields)
            self.buffers.append(buffer)
        for p in range(r.choice([1, 2, 2, 3, 3])):
            buffer = r.choice(self.buffers) if p else self.buffers[0]
            offset = r.randrange(buffer.k) if r.random() < 0.25 else 0
            type = buffer.type
            if buffer.fields is None and r.random() < 0.2:
                type = SIGNS.get(type, type)
            self.pointers.append(Pointer(f"p{p}", buffer, type, offset))
        if self.waits and r.random() < 0.5:
            buffer = Buffer("tile", r.choice(["int", "unsigned", "float"]), r.choice([1, 2, 4]), shared=True)
            self.pointers.append(Pointer("tile", buffer, buffer.type, 0))
        self.locals = [f"s{i}" for i in range(r.choice([2, 3, 4]))]
        self.array = r.choice([0, 0, 4, 8])
        self.loops = []  # (name, exclusive maximum)
        self.counter = 0
        self.helper = None
        self.atomic = r.random() < 0.15
        self.body = self.phases()

    # Layouts: which elements a thread owns.

    def choose_layouts(self):
        self.layout = {}
        for p in self.pointers:
            kinds = ["chunk", "chunk", "chunk", "rows"]
            if not self.waits:
                kinds.append("grid")
            self.layout.setdefault(p.buffer.name, self.r.choice(kinds))
        # Offsets only make sense where a thread's elements lie side by side.
        for p in self.pointers:
            if p.offset:
                self.layout[p.buffer.name] = "chunk"

    def first(self, p):
        """The index of a thread's first element, and the distance of the next."""
        kind = self.layout[p.buffer.name]
        k = p.buffer.k
        if p.buffer.shared:
            return (f"t * {k}", 1) if kind != "rows" else ("t", self.block)
        if kind == "chunk":
            return f"g * {k}", 1
        if kind == "rows" and self.form != "parallel_for":
            return f"blk * {self.block * k} + t", self.block
        return "g", self.threads

    # Expressions; all are unsigned, so that nothing overflows.

    def index(self, limit, depth):
        """An expression below `limit`."""
        r = self.r
        if limit == 1:
            return "0"
        choices = ["constant", "wrapped", "data"]
        fitting = [(i, m) for i, m in self.loops if m <= limit]
        if fitting:
            choices += ["loop"] * 5 + ["reverse"]
        if self.loops:
            choices += ["wrapped"] * 3
        kind = r.choice(choices)
        if kind == "constant":
            return str(r.randrange(limit))
        if kind == "loop":
            i, m = r.choice(fitting)
            step = r.randint(1, max(1, (limit - 1) // max(1, m - 1)))
            rest = limit - 1 - step * (m - 1)
            plus = r.randint(0, rest)
            text = i if step == 1 else f"{step} * {i}"
            return f"{text} + {plus}" if plus else text
        if kind == "reverse":
            i, m = r.choice(fitting)
            return f"{limit - 1} - {i}"
        if kind == "wrapped" and self.loops:
            i, _ = r.choice(self.loops)
            inner = r.choice([f"{i} + {r.randrange(9)}", f"{i} * 3 + {r.randrange(4)}", f"({i} ^ {r.randrange(8)})"])
        else:
            inner = self.value(depth + 2)
        if limit & (limit - 1) == 0 and r.random() < 0.7:
            return f"(({inner}) & {limit - 1})"
        return f"(({inner}) % {limit}u)"

    def element(self, depth=0, pointer=None):
        r = self.r
        p = pointer or r.choice(self.pointers)
        start, distance = self.first(p)
        i = self.index(p.buffer.k - p.offset, depth)
        if distance == 1:
            text = f"{p.name}[{start} + {i}]" if i != "0" or r.random() < 0.5 else f"{p.name}[{start}]"
            if r.random() < 0.1:
                text = f"({p.name} + {start})[{i}]"
        else:
            text = f"{p.name}[{start} + ({i}) * {distance}]"
        if p.buffer.fields:
            text += "." + r.choice(p.buffer.fields)
        return text, p.type

    def load(self, depth):
        return f"u({self.element(depth)[0]})"

    def value(self, depth=0):
        r = self.r
        leaf = depth > 2 or r.random() < 0.4
        if leaf:
            kind = r.randrange(8)
            if kind < 3 and depth < 5:
                return self.load(depth + 1)
            if kind == 3:
                return r.choice(["g", "t", "n", "w"])
            if kind == 4 and self.loops:
                return r.choice(self.loops)[0]
            if kind == 5:
                return f"{r.choice([0, 1, 2, 3, 5, 7, 100, 255])}u"
            if kind == 6 and self.array and depth < 4:
                return f"own[{self.index(self.array, depth)}]"
            return r.choice(self.locals)
        a, b = self.value(depth + 1), self.value(depth + 1)
        op = r.choice(["+", "+", "+", "-", "*", "^", "&", "|", "?", "min", ">>"])
        if op == "?":
            return f"({self.condition(depth + 1)} ? {a} : {b})"
        if op == "min":
            return f"({a} < {b} ? {a} : {b})"
        if op == ">>":
            return f"(({a}) >> {r.randint(1, 9)})"
        return f"({a} {op} {b})"

    def condition(self, depth=0):
        r = self.r
        kind = r.randrange(5)
        if kind == 0:
            return f"t % {r.randint(2, 5)} == {r.randrange(2)}"
        if kind == 1:
            return f"w > {r.randrange(9)}"
        if kind == 2 and self.loops:
            return f"{r.choice(self.loops)[0]} % 2 == {r.randrange(2)}"
        return f"({self.value(depth + 1)}) % {r.randint(2, 4)}u {r.choice(['==', '!=', '>'])} 0u"

    def converted(self, value, type):
        return f"{type}(({value}) & 1023)" if type in FLOATS else f"{type}({value})"

    # Statements.

    def assignment(self):
        r = self.r
        kind = r.random()
        if kind < 0.55:
            text, type = self.element()
            if type in FLOATS:
                return Line(f"{text} = {self.converted(self.value(), type)};")
            if r.random() < 0.3:
                op = r.choice(["+=", "^=", "-="])
                # Unsigned, so that nothing overflows.
                return Line(f"{text} = {type}(u({text}) {op[0]} ({self.value()}));")
            return Line(f"{text} = {self.converted(self.value(), type)};")
        if kind < 0.63 and self.array:
            return Line(f"own[{self.index(self.array, 0)}] = {self.value()};")
        if kind < 0.68:
            p = r.choice(self.pointers)
            if p.type not in FLOATS and not p.buffer.fields and not p.buffer.shared:
                text, type = self.element(pointer=p)
                return Line(f"{r.choice(self.locals)} += change(&{text}, {self.value()});")
        if kind < 0.71 and self.atomic:
            return Line(f"std::atomic_ref<unsigned>(*counter).fetch_add({self.value()}, "
                        "std::memory_order_relaxed);")
        return Line(f"{r.choice(self.locals)} {r.choice(['=', '+=', '^='])} {self.value()};")

    def statements(self, depth, count):
        return [self.statement(depth) for _ in range(count)]

    def statement(self, depth):
        r = self.r
        kind = r.random()
        if depth < 3 and kind < 0.30:
            return self.loop(depth)
        if depth < 4 and kind < 0.42:
            condition = self.condition()
            then = self.statements(depth + 1, r.randint(1, 2))
            if r.random() < 0.5:
                return Block(f"if ({condition}) {{", then)
            other = Block("else {", self.statements(depth + 1, r.randint(1, 2)), fixed=True)
            return Block(f"if ({condition}) {{", then + [Line("}", fixed=True), other], "")
        if depth and self.loops and kind < 0.45:
            return Line(f"if ({self.condition()}) {r.choice(['break', 'continue'])};")
        return self.assignment()

    def loop(self, depth):
        r = self.r
        name = f"i{self.counter}"
        self.counter += 1
        limit = r.choice([2, 3, 4, 4, 8, 8] + [p.buffer.k for p in self.pointers])
        kind = r.randrange(5)
        bound = str(limit)
        if kind == 0:
            bound = f"(w < {limit} ? w : {limit}u)"
        elif kind == 1:
            bound = f"(g % {limit}u + 1)"
        head = f"for (unsigned {name} = 0; {name} < {bound}; ++{name}) {{"
        self.loops.append((name, limit))
        body = self.statements(depth + 1, r.randint(1, 4))
        self.loops.pop()
        return Block(head, body)

    def phases(self):
        r = self.r
        self.choose_layouts()
        if not self.waits:
            body = self.statements(0, r.randint(1, 5))
            if self.form != "parallel_for" and r.random() < 0.15:
                body.insert(r.randrange(len(body) + 1), Line(f"if ({self.condition()}) return;"))
            return body
        body = []
        for phase in range(r.randint(2, 4)):
            if phase:
                body.append(Line("meet();", fixed=True))
            self.choose_layouts()
            body += self.statements(1, r.randint(1, 3))
        if r.random() < 0.4:
            body.append(Line("meet();", fixed=True))
            body = [Block(f"for (unsigned round = 0; round < {r.choice(['2', '3', 'w'])}; ++round) {{", body, fixed=True)]
        return body

    # Text.

    def parameters(self):
        given = [f"{self.type_of(p)} *{p.name}" for p in self.pointers if not p.buffer.shared]
        return ", ".join(given + ["unsigned *out", "unsigned *counter", "unsigned n", "unsigned w"])

    def type_of(self, p):
        if p.buffer.fields:
            return f"Record<{p.type}, {len(p.buffer.fields)}>"
        return p.type

    def code(self, parallel_for):
        lines = []
        for p in self.pointers:
            if p.buffer.shared:
                lines.append(f"SHARED({p.type}, {self.block * p.buffer.k}, {p.name});")
        if parallel_for:
            lines.append("const unsigned g = index, t = g & 63;")
        else:
            lines.append(f"const unsigned t = thread_of_block(), blk = block_of_grid(), g = blk * {self.block} + t;")
            if self.threads > 4 and not self.waits and self.number % 2:
                lines.append("if (g >= n) return;")
        lines.append("unsigned " + ", ".join(f"{s} = {i}" for i, s in enumerate(self.locals)) + ";")
        if self.array:
            lines.append(f"unsigned own[{self.array}] = {{t, w}};")
        for p in self.pointers:
            if p.buffer.shared:
                lines.append(f"for (unsigned i = 0; i < {p.buffer.k}; ++i) {p.name}[t * {p.buffer.k} + i] = {p.type}(i + w);")
                lines.append("meet();")
        for s in self.body:
            lines += s.lines(0)
        lines.append("out[g] = " + " + ".join(f"{s} * {2 * i + 1}" for i, s in enumerate(self.locals))
                     + (f" + own[{self.array - 1}]" if self.array else "") + ";")
        return lines

    def bodies(self):
        """What runs.shrink may take statements from."""
        return [self.body]

    def text(self):
        lines = []
        if self.form == "function":
            lines.append(f"void {self.name}({self.parameters()}) {{")
            lines += ["  " + l for l in self.code(False)]
            lines.append("}")
        lines.append(f"std::uint64_t run_{self.name}() {{")
        lines.append(f"  Shape shape = {{{self.shape[0]}, {self.shape[1]}, {self.shape[2]}}};")
        lines.append(f"  unsigned w = {self.number % 4 + 1}, n = {max(1, self.threads - self.number % 3)};")
        used = {p.buffer.name: p for p in self.pointers if not p.buffer.shared}
        for name, p in used.items():
            b = p.buffer
            t = f"Record<{b.type}, {len(b.fields)}>" if b.fields else b.type
            lines.append(f"  Memory<{t}> {name}({self.threads * b.k});")
            lines.append(f"  fill({name}.host);")
            lines.append(f"  {name}.send();")
        lines.append(f"  Memory<unsigned> output({self.threads}), count(1);")
        lines.append("  output.send();")
        lines.append("  count.send();")
        lines.append("  unsigned *out = output.data(), *counter = count.data();")
        arguments = []
        for p in self.pointers:
            if p.buffer.shared:
                continue
            t = self.type_of(p)
            lines.append(f"  {t} *{p.name} = ({t} *){p.buffer.name}.data() + {p.offset};")
            arguments.append(p.name)
        arguments += ["out", "counter", "n", "w"]
        if self.form == "function":
            lines.append(f"  LAUNCH(shape, {self.name}, {', '.join(arguments)});")
        else:
            parallel = self.form == "parallel_for"
            lines.append(f"  auto body = [=]({'std::size_t index' if parallel else ''}) {{")
            lines += ["    " + l for l in self.code(parallel)]
            lines.append("  };")
            lines.append(f"  PARALLEL_FOR({self.threads}, body);" if parallel else "  LAUNCH(shape, body);")
        lines.append("  std::uint64_t sum = 0;")
        for name in list(used) + ["output", "count"]:
            lines.append(f"  {name}.fetch();")
            lines.append(f"  sum = sum * 31 + sum_of({name}.host.data(), {name}.host.size() * sizeof({name}.host[0]));")
        lines.append("  return sum;")
        lines.append("}")
        return "\n".join(lines)


PROLOGUE = """#include "threads.h"

template <class T, int N> struct Record;
template <class T> struct Record<T, 2> { T a, b; };
template <class T> struct Record<T, 3> { T a, b, c; };
template <class T> struct Record<T, 4> { T a, b, c, d; };

template <class T> unsigned u(T x) { return unsigned(long(x)); }

template <class T> [[gnu::noinline]] unsigned change(T *p, unsigned by) {
  *p = T(u(*p) * 3u + by);
  return unsigned(*p) ^ by;
}

inline unsigned next(unsigned &state) { return (state = state * 1664525u + 1013904223u) >> 22; }
template <class T> void set(T &x, unsigned &state) { x = T(next(state)); }
template <class T> void set(Record<T, 2> &x, unsigned &s) { set(x.a, s); set(x.b, s); }
template <class T> void set(Record<T, 3> &x, unsigned &s) { set(x.a, s); set(x.b, s); set(x.c, s); }
template <class T> void set(Record<T, 4> &x, unsigned &s) { set(x.a, s); set(x.b, s); set(x.c, s); set(x.d, s); }

template <class V> void fill(V &v) {
  unsigned state = 1;
  for (auto &e : v)
    set(e, state);
}
"""


def program(kernels, prologue=None):
    parts = [prologue or PROLOGUE]
    parts += [k.text() for k in kernels]
    names = ", ".join(f'{{run_{k.name}, "{k.name}"}}' for k in kernels)
    parts.append(f"const Part parts[] = {{{names}}};\n"
                 "int main(int count, char **words) { return run_parts(parts, count, words); }\n")
    return "\n\n".join(parts)


class Program:
    """The kernels of one seed, behind a prologue that all need; runs.main tests it."""

    def __init__(self, seed, each, kind=Kernel, prologue=None):
        self.prologue = prologue
        self.kernels = [kind(seed, n) for n in range(each)]
        self.names = [k.name for k in self.kernels]

    def keep(self, name):
        self.kernels = [k for k in self.kernels if k.name == name]
        self.names = [name]

    def source(self):
        return program(self.kernels, self.prologue)

    def reduced(self, name, differs):
        kernel = next(k for k in self.kernels if k.name == name)
        runs.shrink(kernel.bodies(), lambda: differs(program([kernel], self.prologue)))
        return kernel.text()


if __name__ == "__main__":
    sys.exit(runs.main(Program, runs.arguments("order", 25).parse_args()))
