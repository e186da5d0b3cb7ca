#!/usr/bin/env python3
# Random kernels whose threads work together
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: simt.py --xcc PATH --clang PATH [--seeds FIRST LAST] [--each N]
#                [--options=-O1,-O2] [--on cpu,nvptx,amdgcn] [--reduce] ...
#
# Kernels of order.py's kind, to which come: grids and blocks of three
# dimensions, barriers in loops and in the arms of divergent branches, warp
# operations wherever lanes can be, block-shared and dynamic shared memory that
# threads read from each other, atomics, early returns, switches, functions
# (inlined or not, templates, recursive ones, with warp operations inside),
# structures, and integers and floating point of many sizes.
#
# Nothing is undefined and nothing races: between two barriers, each element of
# memory belongs to one thread or is read only; atomics commute, and their
# values are read after the last barrier; a shuffle asks lanes that a ballot just
# saw. Floating point is of small integers, where nothing is rounded. So there is
# one result, and fibers.h computes it.

import sys

import order
import runs
from order import Block, Buffer, FLOATS, Line, Pointer

MIXED = {"a": "unsigned", "b": "short", "c": "uchar", "d": "ulong", "e": "float"}


class Function:
    """A function that a kernel calls; its body is made like a kernel's."""

    def __init__(self, kernel, number):
        self.number = number
        self.name = f"{kernel.name}_f{number}"
        r = kernel.r
        self.kind = r.choice(["plain", "noinline", "noinline", "template", "recursive"])
        self.warps = kernel.warps and r.random() < 0.6
        # A kernel's state, for as long as its statements are made in here.
        saved = {k: getattr(kernel, k) for k in
                 ("pointers", "locals", "array", "loops", "mixed", "turns", "most_turns",
                  "warp_here", "functions", "in_function", "wide", "atomic", "board")}
        kernel.pointers, kernel.locals = [], ["a", "b", "s"]
        kernel.array, kernel.loops, kernel.mixed = r.choice([0, 0, 4]), [], r.random() < 0.4
        kernel.turns, kernel.most_turns = 1, 6
        kernel.warp_here, kernel.in_function = self.warps, True
        kernel.wide, kernel.atomic, kernel.board = False, False, False
        self.array, self.mixed = kernel.array, kernel.mixed
        self.body = kernel.statements(1, r.randint(2, 4))
        if self.kind == "recursive":
            self.body.append(Block(f"if (depth && {kernel.condition()}) {{", [
                Line(f"CALL s += {self.name}(depth - 1, {kernel.value()}, {kernel.value()});")]))
            self.body += kernel.statements(2, 1)
        for k, v in saved.items():
            setattr(kernel, k, v)

    def call(self, r, a, b):
        if self.kind == "recursive":
            return f"{self.name}({r.randint(0, 3)}u, {a}, {b})"
        if self.kind == "template":
            return f"{self.name}<{r.randint(1, 3)}>({a}, {b})"
        return f"{self.name}({a}, {b})"

    def lines(self):
        depth = "unsigned depth, " if self.kind == "recursive" else ""
        if self.kind == "template":
            yield "template <int N>"
        if self.kind in ("noinline", "recursive"):
            yield "[[gnu::noinline]]"
        yield f"unsigned {self.name}({depth}unsigned a, unsigned b) {{"
        yield "  const unsigned t = thread_of_block(), g = t + block_of_grid() * 7;"
        yield "  const unsigned n = b & 63u, w = (a & 3u) + 1u;"
        yield f"  unsigned s = {'N' if self.kind == 'template' else '1u'};"
        if self.array:
            yield f"  unsigned own[{self.array}] = {{a, b}};"
        if self.mixed:
            yield "  Mixed mixed = {a, short(b), 1, b, 2.0f};"
        for statement in self.body:
            yield from statement.lines(1)
        yield "  return a + b * 3u + s * 5u" + (
            f" + own[{self.array - 1}]" if self.array else "") + (
            " + digest(mixed)" if self.mixed else "") + ";"
        yield "}"


class Kernel(order.Kernel):
    # What the kernel is.

    def make(self):
        r = self.r
        self.name = f"simt_{self.name}"
        self.form = r.choice(["function", "function", "lambda", "functor", "template"])
        self.waits = r.random() < 0.6
        self.warps = r.random() < 0.7
        self.dimensions = self.choose_shape()
        (bx, by, bz), (x, y, z) = self.dimensions
        self.block, self.threads = x * y * z, bx * by * bz * x * y * z
        self.buffers, self.pointers = [], []
        k = r.choice([1, 2, 3, 4, 4, 5, 8])
        for b in range(r.choice([1, 1, 2])):
            type = r.choice(["int", "unsigned"] + order.TYPES)
            fields = r.choice([None, None, None, "abc", "ab"])
            self.buffers.append(Buffer(f"b{b}", type, k, fields))
        for p in range(r.choice([1, 2, 2, 3])):
            buffer = r.choice(self.buffers) if p else self.buffers[0]
            offset = r.randrange(buffer.k) if r.random() < 0.25 else 0
            type = buffer.type
            if buffer.fields is None and r.random() < 0.2:
                type = order.SIGNS.get(type, type)
            self.pointers.append(Pointer(f"p{p}", buffer, type, offset))
        self.dynamic = 0
        if self.waits:
            for name in ["tile", "dyn"]:
                if r.random() < 0.5:
                    size = r.choice(["int", "unsigned", "float", "uchar", "ulong", "double"])
                    buffer = Buffer(name, size, r.choice([1, 2, 3, 4]), shared=True)
                    self.pointers.append(Pointer(name, buffer, size, 0))
                    if name == "dyn":
                        self.dynamic = self.block * buffer.k * 8
        self.board = self.waits and r.random() < 0.3  # shared counters
        self.atomic = r.random() < 0.4
        self.locals = [f"s{i}" for i in range(r.choice([2, 3]))]
        self.array = r.choice([0, 0, 4, 8, 11])
        self.mixed = r.random() < 0.35
        self.wide = r.random() < 0.35
        self.loops, self.counter = [], 0
        self.turns, self.most_turns = 1, 48
        self.warp_here, self.in_function = self.warps, False
        self.layout, self.functions = {}, []
        for number in range(r.choice([0, 0, 1, 1, 2])):
            self.functions.append(Function(self, number))
        self.body = self.phases()

    def choose_shape(self):
        r = self.r
        kind = r.randrange(4)
        if kind < 2:
            block = (r.choice([1, 7, 31, 32, 33, 48, 64, 65, 96, 100, 128]), 1, 1)
        elif kind == 2:
            block = (r.choice([1, 3, 8, 16, 17, 32]), r.choice([2, 3, 5]), 1)
        else:
            block = (r.choice([1, 2, 5, 8, 16]), r.choice([1, 2, 3]), r.choice([2, 3]))
        grid = r.choice([(1, 1, 1), (2, 1, 1), (3, 1, 1), (1, 2, 1), (2, 2, 1), (1, 1, 2), (2, 1, 2)])
        return grid, block

    # Memory: "all" is memory that every thread of the block reads in this phase.

    def choose_layouts(self):
        super().choose_layouts()
        if not self.waits:
            return
        for p in self.pointers:
            if self.layout[p.buffer.name] == "chunk" and self.r.random() < 0.35:
                self.layout[p.buffer.name] = "all"

    def writable(self):
        return [p for p in self.pointers if self.layout[p.buffer.name] != "all"]

    def load(self, depth):
        r = self.r
        if not self.pointers:
            return r.choice(self.locals)
        p = r.choice(self.pointers)
        if self.layout[p.buffer.name] != "all":
            return f"u({self.element(depth, p)[0]})"
        limit = self.block * p.buffer.k - p.offset
        inner = r.choice([f"t * {p.buffer.k}u + {r.randrange(200)}u", f"{self.value(depth + 2)}",
                          f"(t ^ {r.randrange(64)}u) * {p.buffer.k}u", f"{limit - 1}u - t"])
        start = "" if p.buffer.shared else f"blk * {self.block * p.buffer.k} + "
        text = f"{p.name}[{start}({inner}) % {limit}u]"
        return f"u({text}{'.' + r.choice(p.buffer.fields) if p.buffer.fields else ''})"

    # Expressions.

    def value(self, depth=0):
        r = self.r
        if depth > 2 or r.random() > 0.35:
            return super().value(depth)
        a, b = self.value(depth + 1), self.value(depth + 1)
        k = r.randint(1, 13)
        return r.choice([
            lambda: f"u(short({a}))",
            lambda: f"u(schar({a}) * schar({b}))",
            lambda: f"u(ushort({a}) / ushort(({b}) & 31u | 1u))",
            lambda: f"unsigned(int({a}) >> {k})",
            lambda: f"u(int({a}) / int((({b}) & 15u) + 2u))",
            lambda: f"u(int({a}) % int((({b}) & 63u) + 2u))",
            lambda: f"u(short({a}) / short((({b}) & 15u) + 2u))",
            lambda: f"(({a}) / (({b}) | 1u))",
            lambda: f"(({a}) % (({b}) | 8u))",
            lambda: f"unsigned((std::uint64_t({a}) * ({b})) >> {k + 16})",
            lambda: f"unsigned((long(int({a})) * int({b})) >> {k})",
            lambda: f"unsigned((ulong({a}) << 20 ^ ({b})) % (ulong({b}) + 3u))",
            lambda: f"unsigned(long(int({a}) * 65537l) / long((({b}) & 255u) + 2u))",
            lambda: f"std::rotl({a}, {k})",
            lambda: f"unsigned(std::popcount({a}))",
            lambda: f"unsigned(std::countl_zero({a} | 1u))",
            lambda: f"unsigned(std::countr_zero(ulong({a}) << {k} | 1ul << 40))",
            lambda: f"__builtin_bswap32({a})",
            lambda: f"unsigned(__builtin_bswap64(ulong({a}) * 3u) >> {k})",
            lambda: f"u(std::max(int({a}), int({b})))",
            lambda: f"u(std::min(short({a}), short({b})))",
            lambda: f"u(real({a}) * real({b}) - real({a}))",
            lambda: f"u(real({a}) / 8.0f + std::fabs(real({b}) - 512.0f))",
            lambda: f"(real({a}) < real({b}) ? {a} : {b})",
            lambda: f"u(std::floor(real({a}) / 4.0f) - std::fmin(real({b}), 99.0f))",
            lambda: f"u(large({a}) * large({b}) + large({a}))",
            lambda: f"u(std::trunc(large({a}) / 64.0) + std::fmax(large({b}), 7.0))",
            lambda: f"u(large({a}) - float(short({b})))",
            lambda: f"digest(twist(Mixed{{{a}, short({b}), uchar({a}), {b}, real({a})}}, {b}))",
            lambda: f"u(mixed.{r.choice('abcde')})" if self.mixed else a,
            lambda: f"unsigned(z >> {k + 8})" if self.wide else b,
            lambda: r.choice(["lane_of_warp()", "block_of_grid()", "t / lanes_of_warp()"]),
            lambda: "u(given.%s)" % r.choice("abcde") if not self.in_function else a,
        ])()

    # Statements.

    def assignment(self):
        r = self.r
        kind = r.random()
        targets = self.writable()
        if kind < 0.38 and targets:
            text, type = self.element(pointer=r.choice(targets))
            if type in FLOATS:
                return Line(f"{text} = {self.converted(self.value(), type)};")
            op = r.choice(["=", "=", "=", "+", "^", "-"])
            if op == "=" or type in ("long", "ulong") and op != "^":
                return Line(f"{text} = {type}({self.value()});")
            if type == "ulong" or type in ("uchar", "unsigned", "short", "schar", "ushort"):
                return Line(f"{text} {op}= {type}({self.value()});")
            return Line(f"{text} = {type}(u({text}) {op} {self.value()});")
        if kind < 0.48 and self.array:
            return Line(f"own[{self.index(self.array, 0)}] {r.choice(['=', '+=', '^='])} {self.value()};")
        if kind < 0.56 and self.mixed:
            field = r.choice("abcde")
            return Line(r.choice([
                f"mixed.{field} = {self.converted(self.value(), MIXED[field])};",
                f"mixed = twist(mixed, {self.value()});",
                f"turn(&mixed, {self.value()});"]))
        if kind < 0.62 and self.wide:
            return Line(f"z = z * 6364136223846793005ul + {self.value()};")
        if kind < 0.68 and self.atomic:
            return Line(r.choice([
                "count(counts->add, {});", "count(counts->wide, ulong({}) << 7);",
                "std::atomic_ref<unsigned>(counts->differ).fetch_xor({});",
                "std::atomic_ref<unsigned>(counts->either).fetch_or({} & 0xff0fu);",
                "std::atomic_ref<unsigned>(counts->both).fetch_and({} | 0xffffu);",
                "most(counts->most, {});", "most(counts->wide_most, ulong({}) * 5u);",
                "count(counts->real, float({} & 15u));",
            ]).format(self.value()))
        if kind < 0.74 and self.board:
            return Line(f"count(board[{self.index(4, 0)}], {self.value()});")
        if kind < 0.78 and targets:
            p = r.choice(targets)
            if p.type not in FLOATS and not p.buffer.fields:
                text, type = self.element(pointer=p)
                return Line(f"{r.choice(self.locals)} += change(&{text}, {self.value()});")
        return Line(f"{r.choice(self.locals)} {r.choice(['=', '+=', '^='])} {self.value()};")

    def operation(self):
        """A warp operation, whose value goes to a local."""
        r = self.r
        s = r.choice(self.locals)
        kind = r.randrange(12)
        if kind < 3:
            return Line(f"{s} += mask(BALLOT({self.condition()}));")
        if kind == 3:
            return Line(f"{s} ^= {r.choice(['ANY', 'ALL'])}({self.condition()}) ? {self.value(1)} : 3u;")
        if kind == 4:
            return Block(f"{s} += {self.condition()} ?", [
                Line(f"mask(BALLOT({self.condition()})) :", fixed=True),
                Line(f"{r.choice(['ANY', 'ALL'])}({self.condition()}) + 5u;", fixed=True)], "")
        if kind == 5:
            return Line("SYNC_WARP();")
        v = r.choice([lambda: self.value(), lambda: f"short({self.value()})",
                      lambda: f"ulong({self.value()}) * 0x100000003ul",
                      lambda: f"real({self.value()})", lambda: f"large({self.value()})",
                      lambda: f"Three{{uchar({self.value(1)}), uchar(t), uchar({self.value(1)})}}",
                      lambda: f"Mixed{{{self.value(1)}, short(t), uchar(g), {self.value(1)}, 1.0f}}"])()
        digest = "digest" if v.startswith(("Three", "Mixed")) else "u"
        seen = Line("const std::uint64_t seen = BALLOT(true);", fixed=True)
        if kind < 9:
            return Block("{", [seen, Line(
                f"{s} += {digest}(SHUFFLE(({v}), nth_lane(seen, {self.value(1)})));")])
        by = r.choice([1, 1, 2, 4, 5, 8, 16, 17, 31])
        way, sign = r.choice([("UP", "-"), ("DOWN", "+"), ("XOR", "^")])
        return Block("{", [
            seen, Line(f"const unsigned got = {digest}(SHUFFLE_{way}(({v}), {by}));", fixed=True),
            Line(f"if (has_value(seen, lane_of_warp() {sign} {by}u)) {s} += got;")])

    def decision(self):
        """A condition, sometimes of a warp operation."""
        r = self.r
        if self.warp_here and r.random() < 0.15:
            ways = [f"ANY({self.condition()})", f"ALL({self.condition()})",
                    f"(BALLOT({self.condition()}) >> {r.randrange(32)} & 1)"]
            ways += [f"{self.condition()} && {ways[0]}", f"{self.condition()} || {ways[1]}"]
            return r.choice(ways)
        return self.condition()

    def statement(self, depth):
        r = self.r
        kind = r.random()
        if depth < 4 and kind < 0.16:
            return self.loop(depth)
        if depth < 5 and kind < 0.30:
            condition = self.decision() + ")" + r.choice(["", "", "", " [[unlikely]]", " [[likely]]"])
            then = self.statements(depth + 1, r.randint(1, 3))
            if r.random() < 0.5:
                return Block(f"if ({condition} {{", then)
            other = Block("else {", self.statements(depth + 1, r.randint(1, 2)), fixed=True)
            return Block(f"if ({condition} {{", then + [Line("}", fixed=True), other], "")
        if depth < 4 and kind < 0.34:
            return self.switch(depth)
        if self.loops and kind < 0.40:
            first = [self.operation()] if self.warp_here and r.random() < 0.2 else []
            return Block(f"if ({self.decision()}) {{", first + [Line(r.choice(["break;", "continue;"]))])
        if kind < 0.415:
            return Block(f"if ({self.condition()}) {{", [
                Line(f"return a ^ {self.value()};" if self.in_function else
                     f"{{ out[g] = {self.value()}; return; }}")])
        if self.functions and kind < 0.50:
            able = [f for f in self.functions if self.warp_here or not f.warps]
            if able and self.turns * 4 <= self.most_turns:
                f = r.choice(able)
                return Line(f"CALL {r.choice(self.locals)} += "
                            f"{f.call(r, self.value(), self.value())};")
        if self.warp_here and kind < 0.72:
            return self.operation()
        return self.assignment()

    def switch(self, depth):
        r = self.r
        count = r.randint(2, 4)
        body = []
        for case in range(count):
            label = "default:" if case == count - 1 and r.random() < 0.6 else f"case {case}:"
            inner = self.statements(depth + 1, r.randint(1, 2))
            ending = [] if r.random() < 0.25 else [Line("break;", fixed=True)]
            body.append(Block(label + " {", inner + ending, fixed=True))
        return Block(f"switch (({self.value()}) % {count + 1}u) {{", body)

    def loop(self, depth):
        r = self.r
        name = f"i{self.counter}"
        self.counter += 1
        room = max(1, self.most_turns // self.turns)
        limit = min(room, r.choice([2, 3, 4, 4, 6, 8] + [p.buffer.k for p in self.pointers]))
        bound = r.choice([str(limit), str(limit), f"(w < {limit}u ? w : {limit}u)",
                          f"(g % {limit}u + 1u)", f"(({self.value(1)}) % {limit + 1}u)"])
        saved = self.turns, self.warp_here
        again = ""
        if self.warp_here and r.random() < 0.2:
            again = f"{r.choice(['ANY', 'ALL'])}({self.condition()})"
        self.turns = self.turns * limit
        self.loops.append((name, limit))
        kind = r.choice(["for", "for", "for", "while", "do"])
        body = [Line("TURN", fixed=True)] + self.statements(depth + 1, r.randint(1, 4))
        self.loops.pop()
        self.turns, self.warp_here = saved
        later = f" && AGAIN({again})" if again else ""
        if kind == "for":
            return Block(f"LOOP for (unsigned {name} = 0, e{name} = {bound}; {name} < e{name}{later}; ++{name}) {{", body)
        # The counter is one below the turn's number until it is used.
        count = Line(f"const unsigned {name} = next{name}++;", fixed=True)
        body.insert(1, count)
        if kind == "while":
            inner = Block(f"LOOP while (next{name} < e{name}{later}) {{", body, fixed=True)
        else:
            later = f" && {again}" if again else ""
            inner = Block("LOOP do {", body, f"}} while (next{name} < e{name}{later});", fixed=True)
        return Block(f"{{ unsigned next{name} = 0; const unsigned e{name} = {bound};", [inner])

    # Phases: between them, everybody meets.

    def early_return(self):
        return Block(f"if ({self.condition()}) {{", [Line(f"out[g] = {self.value()};"), Line("return;")])

    def meeting(self):
        """A barrier, at which the layouts change; sometimes one in each arm."""
        r = self.r
        if r.random() < 0.75:
            meet = [Line("meet();", fixed=True)]
            self.choose_layouts()
            return meet
        before = dict(self.layout)
        condition = self.condition()
        arms, after = [], None
        for arm in range(2):
            self.layout = dict(before)
            body = self.statements(2, r.randint(0, 2))
            if after is None:
                self.choose_layouts()
                after = dict(self.layout)
            self.layout = dict(after)
            body.append(Line("meet();", fixed=True))
            arms.append(body + self.statements(2, r.randint(0, 2)))
        return [Block(f"if ({condition}) {{", arms[0], fixed=True),
                Block("else {", arms[1], fixed=True)]

    def phases(self):
        r = self.r
        self.choose_layouts()
        if not self.waits:
            body = self.statements(0, r.randint(3, 6))
            if r.random() < 0.3:
                body.insert(r.randrange(len(body) + 1), self.early_return())
            return body
        body = []
        round, self.turns = r.random() < 0.4, 1
        turns = r.choice(["2", "3", "w"])
        if round:
            self.turns = 3
        for phase in range(r.randint(2, 4)):
            if phase:
                body += self.meeting()
            body += self.statements(1, r.randint(1, 3))
            if r.random() < 0.15:
                body.append(self.early_return())
        if round:
            body.append(Line("meet();", fixed=True))
            body = [Block(f"LOOP for (unsigned round = 0; round < {turns}; ++round) {{",
                          [Line("TURN", fixed=True)] + body, fixed=True)]
        return body

    # Text.

    def bodies(self):
        return [self.body] + [f.body for f in self.functions]

    def parameters(self):
        given = [f"{self.type_of(p)} *{p.name}" for p in self.pointers if not p.buffer.shared]
        return given + ["unsigned *out", "Counts *counts", "Mixed given", "unsigned n", "unsigned w"]

    def code(self):
        lines = [f"const unsigned t = thread_of_block(), blk = block_of_grid(), g = blk * {self.block} + t;"]
        for p in self.pointers:
            if p.buffer.shared:
                size = self.block * p.buffer.k
                lines.append(f"DYNAMIC({p.type}, {p.name});" if p.name == "dyn" else
                             f"SHARED({p.type}, {size}, {p.name});")
        if self.board:
            lines += ["SHARED(unsigned, 4, board);",
                      f"for (unsigned i = t; i < 4; i += {self.block}) board[i] = 0;"]
        for p in self.pointers:
            if p.buffer.shared:
                k = p.buffer.k
                lines.append(f"for (unsigned i = 0; i < {k}; ++i) "
                             f"{p.name}[t * {k} + i] = {p.type}(i + w);")
        if self.waits:
            lines.append("meet();")
        if self.number % 3 == 1:
            lines.append("if (g >= n) return;")
        lines.append("unsigned " + ", ".join(f"{s} = {i}" for i, s in enumerate(self.locals)) + ";")
        if self.wide:
            lines.append("ulong z = g;")
        if self.mixed:
            lines.append("Mixed mixed = given;")
        if self.array:
            lines.append(f"unsigned own[{self.array}] = {{t, w}};")
        for s in self.body:
            lines += s.lines(0)
        result = " + ".join(f"{s} * {2 * i + 1}" for i, s in enumerate(self.locals))
        if self.array:
            lines.append(f"for (unsigned i = 0; i < {self.array}; ++i) s0 = s0 * 3u + own[i];")
        if self.mixed:
            result += " + digest(mixed)"
        if self.wide:
            result += " + unsigned(z >> 32)"
        if self.board:
            lines.append("meet();")
            result += " + board[t & 3u]"
        lines.append(f"out[g] = {result};")
        return lines

    def text(self):
        lines = []
        for f in self.functions:
            lines += f.lines()
        code = ["  " + l for l in self.code()]
        parameters = self.parameters()
        if self.form in ("function", "template"):
            if self.form == "template":
                lines.append("template <unsigned W>")
                parameters[-1] = "unsigned"
                code.insert(0, "  const unsigned w = W;")
            lines += [f"void {self.name}({', '.join(parameters)}) {{"] + code + ["}"]
        elif self.form == "functor":
            lines.append(f"struct {self.name}_functor {{")
            lines += [f"  {p};" for p in parameters]
            lines += ["  void operator()() const {"] + code + ["  }", "};"]
        (bx, by, bz), (x, y, z) = self.dimensions
        lines.append(f"std::uint64_t run_{self.name}() {{")
        lines.append(f"  Shape shape = {{{bx}, {x}, {y}, {z}, {by}, {bz}, {self.dynamic}}};")
        w = self.number % 4 + 1
        lines.append(f"  unsigned w = {w}, n = {max(1, self.threads - self.number % 7)};")
        lines.append("  Mixed given = {n, -3, 200, 77, 5.0f};")
        used = {p.buffer.name: p for p in self.pointers if not p.buffer.shared}
        for name, p in used.items():
            b = p.buffer
            t = f"Record<{b.type}, {len(b.fields)}>" if b.fields else b.type
            lines.append(f"  Memory<{t}> {name}({self.threads * b.k});")
            lines += [f"  fill({name}.host);", f"  {name}.send();"]
        lines.append(f"  Memory<unsigned> output({self.threads});")
        lines.append("  Memory<Counts> counters(1);")
        lines += ["  counters.host[0].both = ~0u;", "  output.send();", "  counters.send();"]
        lines.append("  unsigned *out = output.data(); Counts *counts = counters.data();")
        arguments = []
        for p in self.pointers:
            if not p.buffer.shared:
                t = self.type_of(p)
                lines.append(f"  {t} *{p.name} = ({t} *){p.buffer.name}.data() + {p.offset};")
                arguments.append(p.name)
        arguments = ", ".join(arguments + ["out", "counts", "given", "n", "w"])
        if self.form == "function":
            lines.append(f"  LAUNCH(shape, {self.name}, {arguments});")
        elif self.form == "template":
            lines.append(f"  LAUNCH(shape, {self.name}<{w}>, {arguments});")
        elif self.form == "functor":
            lines.append(f"  {self.name}_functor body = {{{arguments}}};")
            lines.append("  LAUNCH(shape, body);")
        else:
            lines += ["  auto body = [=]() {"] + ["  " + l for l in code] + ["  };"]
            lines.append("  LAUNCH(shape, body);")
        lines.append("  std::uint64_t sum = 0;")
        for name in list(used) + ["output", "counters"]:
            lines.append(f"  {name}.fetch();")
            lines.append(f"  sum = sum * 31 + sum_of({name}.host.data(), {name}.host.size() * sizeof({name}.host[0]));")
        lines += ["  return sum;", "}"]
        return "\n".join(lines)


PROLOGUE = order.PROLOGUE + """
struct Three { uchar a, b, c; };
struct Mixed { unsigned a; short b; uchar c; ulong d; float e; };
struct Counts {
  unsigned add, differ, either, both, most;
  float real;
  ulong wide, wide_most;
};

inline float real(unsigned x) { return float(x & 1023u); }
inline double large(unsigned x) { return double(x & 0xfffffu); }
inline unsigned mask(std::uint64_t lanes) { return unsigned(lanes ^ lanes >> 32) * 2654435761u; }
inline unsigned digest(Three x) { return x.a + x.b * 256u + x.c * 65536u; }
inline unsigned digest(const Mixed &x) {
  return x.a * 3u + unsigned(x.b) * 5u + x.c * 7u + unsigned(x.d) * 11u + unsigned(x.d >> 32) + unsigned(int(x.e));
}
[[gnu::noinline]] inline Mixed twist(Mixed m, unsigned by) {
  m.a += by;
  m.b = short(m.b - short(by));
  m.d ^= ulong(by) << (m.c & 31);
  m.e = float((unsigned(int(m.e)) + by) & 1023u);
  return m;
}
[[gnu::noinline]] inline void turn(Mixed *m, unsigned by) {
  m->c = uchar(m->c + by);
  m->a = m->a * 5u + m->c;
  if (by & 1u)
    m->b = short(m->a >> 3);
}
template <class T> void count(T &x, T by) {
  std::atomic_ref<T>(x).fetch_add(by, std::memory_order_relaxed);
}
template <class T> void most(T &x, T by) {
  std::atomic_ref<T> r(x);
  for (T old = r.load(); old < by && !r.compare_exchange_weak(old, by);)
    ;
}
"""


class Program(order.Program):
    def __init__(self, seed, each):
        super().__init__(seed, each, Kernel, PROLOGUE)


if __name__ == "__main__":
    sys.exit(runs.main(Program, runs.arguments("simt", 40).parse_args()))
