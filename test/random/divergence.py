#!/usr/bin/env python3
# Random kernels with warp operations in divergent code, and what a model says
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program of random kernels with warp operations in divergent code.

    divergence.py SEED [KERNELS [FIRST]] > program.cpp

FIRST is the number of the first kernel: single ones of a seed can be had.

Each kernel is a tree of statements, written out twice: as C++, and run here by
`Warp`, which says what docs/language-warps.md promises. It takes all lanes of a warp
through the statements in the order of the source; a set of lanes goes into an
arm or a turn of a loop, those that break, continue, return or jump leave the
set until the place where they go on, and an operation is one of all lanes in
the set. The program compares what each thread computed with what is computed
here, and prints the kernels that differ.

A kernel is a word of hash for each thread: order among sets of lanes does not
show, with whom an operation was done does.
"""
import random
import sys

LANES = 32
M = 0xFFFFFFFF
STEPS = 2000  # operations, calls and turns of a warp, at most


class TooLong(Exception):
    pass


# Expressions: (text, function of a lane's variables).


class Expr:
    def __init__(self, text, value):
        self.text, self.value = text, value


def lit(n):
    return Expr(f"{n}u", lambda v: n)


def var(name):
    return Expr(name, lambda v: v[name])


def binary(op, a, b):
    def value(v):
        x, y = a.value(v), b.value(v)
        if op == "+":
            return (x + y) & M
        if op == "*":
            return (x * y) & M
        if op == "^":
            return x ^ y
        if op == "&":
            return x & y
        if op == ">>":
            return x >> y
        if op == "%":
            return x % y
        if op == "==":
            return int(x == y)
        if op == "<":
            return int(x < y)
        raise AssertionError(op)

    return Expr(f"({a.text} {op} {b.text})", value)


class Lanes:
    """The lanes of a warp within one call of a function."""

    def __init__(self, variables):
        self.v = variables  # a dict for each lane
        self.returned = {}  # lane -> value


class Warp:
    """Runs a kernel for the lanes of one warp. Sets of lanes are sets."""

    def __init__(self, program, lanes):
        self.program, self.lanes, self.steps = program, lanes, 0

    def step(self):
        self.steps += 1
        if self.steps > STEPS:
            raise TooLong

    # Operations; each gives a value for each lane of the set.
    def operation(self, op, frame, here):
        self.step()
        kind, a, b = op
        values = {l: a.value(frame.v[l]) for l in here}
        if kind == "ballot":
            bits = sum(1 << l for l in here if values[l] & 1)
            return {l: bits for l in here}
        if kind == "any":
            return {l: int(any(values[x] & 1 for x in here)) for l in here}
        if kind == "all":
            return {l: int(all(values[x] & 1 for x in here)) for l in here}
        if kind == "sync":
            return {l: 1 for l in here}
        source = {}
        for l in here:
            step = b.value(frame.v[l])
            if kind == "shuffle":
                source[l] = step % LANES
            elif kind == "down":
                source[l] = l + step if l + step < LANES else l
            elif kind == "up":
                source[l] = l - step if l >= step else l
            else:
                source[l] = l ^ step if l ^ step < LANES else l
        return {l: values[source[l] if source[l] in here else l] for l in here}

    def condition(self, cond, frame, here):
        """The lanes of the set for which a Condition holds."""
        return cond.holding(self, frame, here)

    def call(self, function, args, here):
        self.step()
        frame = Lanes({l: dict(args[l]) for l in here})
        for l in here:
            frame.v[l].update(lane=l, h=(self.program.seed + l) & M)
        rest = function.body.run(self, frame, set(here), {})
        for l in rest:
            frame.returned[l] = frame.v[l]["h"]
        return frame.returned


class Value:
    """A condition that is an expression's lowest bit."""

    def __init__(self, e):
        self.e = e

    def text(self):
        return f"({self.e.text} & 1u)"

    def holding(self, warp, frame, here):
        return {l for l in here if self.e.value(frame.v[l]) & 1}


class Vote:
    """A condition that is a warp operation's lowest bit."""

    def __init__(self, op):
        self.op = op

    def text(self):
        return f"({operation_text(self.op)} & 1u)"

    def holding(self, warp, frame, here):
        r = warp.operation(self.op, frame, here)
        return {l for l in here if r[l] & 1}


class Logical:
    def __init__(self, op, a, b):
        self.op, self.a, self.b = op, a, b

    def text(self):
        return f"({self.a.text()} {self.op} {self.b.text()})"

    def holding(self, warp, frame, here):
        first = self.a.holding(warp, frame, here)
        if self.op == "&&":
            return self.b.holding(warp, frame, first)
        return first | self.b.holding(warp, frame, here - first)


def operation_text(op):
    kind, a, b = op
    if kind in ("ballot", "any", "all"):
        return f"unsigned(xcc::{kind}({a.text} & 1u))"
    if kind == "sync":
        return "(xcc::sync_warp(), 1u)"
    name = "shuffle" if kind == "shuffle" else f"shuffle_{kind}"
    # Without a mask, a GPU gives anything of a lane that is not there.
    return f"xcc::{name}(xcc::active_lanes(), {a.text}, {b.text})"


def mix(v, value):
    v["h"] = (v["h"] * 31 + value) & M


# Statements. run(warp, frame, here, out) takes the set through and returns
# those that come out at the end; out collects lanes by where else they go:
# "break", "continue", or a label's name.


class Block:
    def __init__(self, statements):
        self.statements = statements

    def run(self, warp, frame, here, out):
        for s in self.statements:
            if isinstance(s, Label):
                here |= out.pop(s.name, set())
            elif here:
                here = s.run(warp, frame, here, out)
        return here

    def write(self, w):
        for s in self.statements:
            s.write(w)


class Label:
    """Where lanes that jump forwards go on."""

    def __init__(self, name):
        self.name = name

    def write(self, w):
        w(f"{self.name}:;")


class Mix:
    def __init__(self, e):
        self.e = e

    def run(self, warp, frame, here, out):
        for l in here:
            mix(frame.v[l], self.e.value(frame.v[l]))
        return here

    def write(self, w):
        w(f"h = h * 31u + {self.e.text};")


class Operation:
    def __init__(self, op):
        self.op = op

    def run(self, warp, frame, here, out):
        r = warp.operation(self.op, frame, here)
        for l in here:
            mix(frame.v[l], r[l])
        return here

    def write(self, w):
        w(f"{{ const unsigned r = {operation_text(self.op)};")
        w("  h = h * 31u + r; }")


class Barrier:
    """Only where all threads that have not ended come."""

    def run(self, warp, frame, here, out):
        return here

    def write(self, w):
        w("xcc::sync_block();")


class Choose:
    """c ? an operation : another."""

    def __init__(self, cond, a, b):
        self.cond, self.a, self.b = cond, a, b

    def run(self, warp, frame, here, out):
        yes = warp.condition(self.cond, frame, here)
        r = {}
        r.update(warp.operation(self.a, frame, yes))
        r.update(warp.operation(self.b, frame, here - yes))
        for l in here:
            mix(frame.v[l], r[l])
        return here

    def write(self, w):
        w(f"{{ const unsigned r = {self.cond.text()}"
          f" ? {operation_text(self.a)}")
        w(f"    : {operation_text(self.b)};")
        w("  h = h * 31u + r; }")


class If:
    def __init__(self, cond, then, other, hint):
        self.cond, self.then, self.other, self.hint = cond, then, other, hint

    def run(self, warp, frame, here, out):
        yes = warp.condition(self.cond, frame, here)
        no = here - yes
        yes = self.then.run(warp, frame, yes, out)
        if self.other:
            no = self.other.run(warp, frame, no, out)
        return yes | no

    def write(self, w):
        w(f"if ({self.cond.text()}){self.hint} {{")
        self.then.write(w.deeper())
        if self.other:
            w("} else {")
            self.other.write(w.deeper())
        w("}")


class Loop:
    """for, while and do with a counter of its own; at most `most` turns."""

    def __init__(self, kind, name, most, cond, body):
        self.kind, self.name, self.most = kind, name, most
        self.cond, self.body = cond, body

    def run(self, warp, frame, here, out):
        name, done = self.name, set()
        for l in here:
            frame.v[l][name] = 0

        def goes_on(here):
            bounded = {l for l in here if frame.v[l][name] < self.most}
            if self.cond:
                return warp.condition(self.cond, frame, bounded)
            return bounded

        first = True
        while here:
            warp.step()
            if self.kind in ("for", "while") or not first:
                if self.kind != "endless":
                    on = goes_on(here)
                    done |= here - on
                    here = on
            first = False
            inner = {}
            if self.kind in ("while", "do", "endless"):
                for l in here:
                    frame.v[l][name] += 1
            if self.kind == "endless":
                left = {l for l in here if frame.v[l][name] > self.most}
                done |= left
                here = here - left
            here = self.body.run(warp, frame, here, inner)
            done |= inner.pop("break", set())
            here |= inner.pop("continue", set())
            for to, lanes in inner.items():
                out.setdefault(to, set()).update(lanes)
            if self.kind == "for":
                for l in here:
                    frame.v[l][name] += 1
        return done

    def write(self, w):
        n, more = self.name, f" && {self.cond.text()}" if self.cond else ""
        test = f"{n} < {self.most}u{more}"
        if self.kind == "for":
            w(f"for ({n} = 0; {test}; ++{n}) {{")
            self.body.write(w.deeper())
            w("}")
            return
        w(f"{n} = 0;")
        if self.kind == "while":
            w(f"while ({test}) {{")
            w(f"  ++{n};")
            self.body.write(w.deeper())
            w("}")
        elif self.kind == "do":
            w("do {")
            w(f"  ++{n};")
            self.body.write(w.deeper())
            w(f"}} while ({test});")
        else:
            w("for (;;) {")
            w(f"  if (++{n} > {self.most}u)")
            w("    break;")
            self.body.write(w.deeper())
            w("}")


class Again:
    """A loop made of a label and a jump back."""

    def __init__(self, name, label, most, cond, body):
        self.name, self.label, self.most = name, label, most
        self.cond, self.body = cond, body

    def run(self, warp, frame, here, out):
        done = set()
        for l in here:
            frame.v[l][self.name] = 0
        while here:
            here = self.body.run(warp, frame, here, out)
            for l in here:
                frame.v[l][self.name] += 1
            back = {l for l in here if frame.v[l][self.name] < self.most}
            back = warp.condition(self.cond, frame, back)
            done |= here - back
            here = back
        return done

    def write(self, w):
        w(f"{self.name} = 0;")
        w(f"{self.label}:;")
        w("{")
        self.body.write(w.deeper())
        w("}")
        w(f"if (++{self.name} < {self.most}u && {self.cond.text()})")
        w(f"  goto {self.label};")


class Switch:
    def __init__(self, e, cases):
        self.e, self.cases = e, cases  # (number or None, block, falls through)

    def run(self, warp, frame, here, out):
        known = [n for n, _, _ in self.cases if n is not None]
        count = len(self.cases) + 1
        chosen = {l: self.e.value(frame.v[l]) % count for l in here}
        done, inner, through = set(), {}, set()
        if not any(n is None for n, _, _ in self.cases):
            done = {l for l in here if chosen[l] not in known}
        for n, body, falls in self.cases:
            at = {l for l in here
                  if (chosen[l] not in known if n is None else chosen[l] == n)}
            through = body.run(warp, frame, at | through, inner)
            if not falls:
                done |= through
                through = set()
        done |= through | inner.pop("break", set())
        for to, lanes in inner.items():
            out.setdefault(to, set()).update(lanes)
        return done

    def write(self, w):
        w(f"switch ({self.e.text} % {len(self.cases) + 1}u) {{")
        for n, body, falls in self.cases:
            w("default: {" if n is None else f"case {n}: {{")
            body.write(w.deeper())
            w("}")
            if not falls:
                w("  break;")
        w("}")


class Leave:
    """break, continue, or goto a label."""

    def __init__(self, to):
        self.to = to

    def run(self, warp, frame, here, out):
        out.setdefault(self.to, set()).update(here)
        return set()

    def write(self, w):
        w(f"{self.to};" if self.to in ("break", "continue")
          else f"goto {self.to};")


class Return:
    def __init__(self, e):
        self.e = e

    def run(self, warp, frame, here, out):
        for l in here:
            frame.returned[l] = self.e.value(frame.v[l])
        return set()

    def write(self, w):
        w(f"return {self.e.text};" if w.in_function
          else f"{{ *o = {self.e.text}; return; }}")


class Guarded:
    """A scope whose end is an operation for all that leave it."""

    def __init__(self, body):
        self.body = body

    def run(self, warp, frame, here, out):
        entered, inner = set(here), {}
        here = self.body.run(warp, frame, here, inner)
        r = warp.operation(("ballot", lit(1), None), frame, entered)
        for l in entered:
            if l not in frame.returned:
                mix(frame.v[l], r[l])
        for to, lanes in inner.items():
            out.setdefault(to, set()).update(lanes)
        return here

    def write(self, w):
        w("{")
        w("  at_end end{h};")
        self.body.write(w.deeper())
        w("}")


class Call:
    """Of one function, of one of several by pointer, or a virtual one."""

    def __init__(self, how, functions, choice, args):
        self.how, self.functions = how, functions
        self.choice, self.args = choice, args

    def run(self, warp, frame, here, out):
        args = {l: {"a": self.args[0].value(frame.v[l]),
                    "n": self.args[1].value(frame.v[l])} for l in here}
        chosen = {l: self.choice.value(frame.v[l]) % len(self.functions)
                  for l in here}
        for i, f in enumerate(self.functions):
            lanes = {l for l in here if chosen[l] == i}
            if lanes:
                for l, r in warp.call(f, args, lanes).items():
                    mix(frame.v[l], r)
        return here

    def write(self, w):
        args = ", ".join(a.text for a in self.args)
        names = [f.name for f in self.functions]
        w("{")
        if self.how == "pointer":
            w(f"  unsigned (*const f[])(unsigned, unsigned) = "
              f"{{{', '.join(names)}}};")
            callee = f"f[{self.choice.text} % {len(names)}u]({args})"
        elif self.how == "virtual":
            for i, name in enumerate(names):
                w(f"  struct c{i} : callee {{")
                w("    unsigned run(unsigned a, unsigned n) const override {")
                w(f"      return {name}(a, n);")
                w("    }")
                w(f"  }} const o{i};")
            w("  const callee *const c[] = "
              f"{{{', '.join(f'&o{i}' for i in range(len(names)))}}};")
            callee = f"c[{self.choice.text} % {len(names)}u]->run({args})"
        else:
            callee = f"{names[0]}({args})"
        w(f"  const unsigned r = {callee};")
        w("  h = h * 31u + r;")
        w("}")


class Recurse:
    """A function's call of itself, one level less to go."""

    def __init__(self, function, arg):
        self.function, self.arg = function, arg

    def run(self, warp, frame, here, out):
        on = {l for l in here if frame.v[l]["n"] % 8 > 0}
        args = {l: {"a": self.arg.value(frame.v[l]),
                    "n": frame.v[l]["n"] % 8 - 1} for l in on}
        if on:
            for l, r in warp.call(self.function, args, on).items():
                mix(frame.v[l], r)
        return here

    def write(self, w):
        w("if (n % 8u > 0) {")
        w(f"  const unsigned r = {self.function.name}({self.arg.text}, "
          "n % 8u - 1);")
        w("  h = h * 31u + r;")
        w("}")


class Function:
    def __init__(self, name, noinline):
        self.name, self.noinline = name, noinline
        self.body, self.counters = None, []


class Writer:
    def __init__(self, lines, in_function, depth=1):
        self.lines, self.in_function, self.depth = lines, in_function, depth

    def __call__(self, line):
        self.lines.append("  " * self.depth + line)

    def deeper(self):
        return Writer(self.lines, self.in_function, self.depth + 1)


class Generator:
    """Makes one function's body."""

    def __init__(self, rng, program, function, callees, recursive):
        self.rng, self.program, self.function = rng, program, function
        self.callees, self.recursive = callees, recursive
        self.labels, self.budget = [], rng.randrange(10, 30)
        self.scope = ["lane", "h", "a", "n"]  # what an expression may read
        self.is_kernel = function is program.kernel

    def expr(self, depth=2):
        r = self.rng
        if depth == 0 or r.randrange(4) == 0:
            return lit(r.randrange(64)) if r.randrange(4) == 0 else var(
                r.choice(self.scope))
        op = r.choice(["+", "+", "*", "^", "&", ">>", "%", "==", "<"])
        a = self.expr(depth - 1)
        if op == ">>":
            return binary(op, a, lit(r.randrange(1, 6)))
        if op == "%":
            return binary(op, a, lit(r.randrange(2, 7)))
        return binary(op, a, self.expr(depth - 1))

    def operation(self):
        kind = self.rng.choice(["ballot"] * 4 + ["any", "all", "sync"] +
                               ["shuffle", "down", "up", "xor"])
        a = lit(1) if kind == "ballot" and self.rng.randrange(2) else self.expr()
        b = None
        if kind == "shuffle":
            b = binary("%", self.expr(), lit(LANES))
        elif kind in ("down", "up", "xor"):
            b = lit(self.rng.randrange(1, 32))
        return kind, a, b

    def condition(self, depth=2):
        r = self.rng.randrange(6)
        if depth and r == 0:
            return Logical(self.rng.choice(["&&", "||"]),
                           self.condition(depth - 1), self.condition(depth - 1))
        if r == 1:
            return Vote(self.operation())
        if r == 2:
            return Value(self.expr())
        # Mostly something that lanes disagree about.
        v = binary("*", binary("+", var("lane"), self.expr(1)),
                   lit(self.rng.randrange(1, 999, 2)))
        return Value(binary(">>", v, lit(self.rng.randrange(1, 9))))

    def block(self, depth, in_loop, in_switch, least=1):
        statements = []
        count = least + self.rng.randrange(4)
        for i in range(count):
            if self.budget <= 0:
                break
            statements.append(self.statement(depth, in_loop, in_switch))
        return Block(statements or [Operation(self.operation())])

    def leave(self, in_loop, in_switch):
        ways = ["return"] * (1 + (not self.is_kernel))
        if in_loop:
            ways += ["break"] * 4
            ways += ["continue"] * 4
        elif in_switch:
            ways += ["break"] * 3
        if self.labels:
            ways += ["goto"] * 3
        way = self.rng.choice(ways)
        if way == "return":
            return Return(self.expr())
        return Leave(self.rng.choice(self.labels) if way == "goto" else way)

    def counter(self):
        name = f"i{len(self.function.counters)}"
        self.function.counters.append(name)
        return name

    def statement(self, depth, in_loop, in_switch):
        r = self.rng
        self.budget -= 1
        kind = r.choices(
            ["op", "mix", "if", "leave", "loop", "again", "switch", "choose",
             "guard", "call", "recurse", "jump"],
            [8, 1, 6, 3 if depth < 4 else 1, 7, 1, 2, 1, 1, 3,
             3 if self.recursive else 0, 1])[0]
        if depth <= 0 and kind in ("if", "loop", "again", "switch", "guard",
                                   "jump"):
            kind = "op"
        if kind == "call" and not self.callees:
            kind = "op"
        if kind == "mix":
            return Mix(self.expr())
        if kind == "choose":
            return Choose(self.condition(1), self.operation(), self.operation())
        if kind == "if":
            hint = r.choice(["", "", "", " [[likely]]", " [[unlikely]]"])
            other = self.block(depth - 1, in_loop, in_switch) \
                if r.randrange(2) else None
            return If(self.condition(),
                      self.block(depth - 1, in_loop, in_switch), other, hint)
        if kind == "leave":
            body = Block([Operation(self.operation())] * r.randrange(2) +
                         [self.leave(in_loop, in_switch)])
            return If(self.condition(1), body, None,
                      r.choice(["", " [[unlikely]]"]))
        if kind == "loop":
            name = self.counter()
            self.scope.append(name)
            loop = Loop(r.choice(["for", "for", "while", "do", "endless"]), name,
                        r.randrange(2, 6),
                        self.condition(1) if r.randrange(3) == 0 else None,
                        self.block(depth - 1, True, False, 2))
            self.scope.remove(name)
            return loop
        if kind == "again":
            name, label = self.counter(), f"again{len(self.function.counters)}"
            # Lanes that jump out pass no initialisation.
            return Again(name, label, r.randrange(2, 5), self.condition(1),
                         self.block(depth - 1, in_loop, in_switch))
        if kind == "switch":
            count = r.randrange(2, 5)
            numbers = list(range(count))
            if r.randrange(2):
                numbers[r.randrange(count)] = None
            return Switch(self.expr(), [
                (n, self.block(depth - 1, False if not in_loop else in_loop,
                               True, 1) if not in_loop
                 else self.switch_arm(depth - 1), r.randrange(3) == 0)
                for n in numbers])
        if kind == "guard":
            return Guarded(self.block(depth - 1, in_loop, in_switch))
        if kind == "jump":
            name = self.program.label()
            self.labels.append(name)
            body = self.block(depth - 1, in_loop, in_switch, 2)
            self.labels.remove(name)
            return Block([body, Label(name)])
        if kind == "call":
            how = r.choice(["direct", "direct", "pointer", "virtual"])
            count = 1 if how == "direct" else r.randrange(1, 4)
            functions = [r.choice(self.callees) for _ in range(count)]
            if how == "pointer":
                functions = list(dict.fromkeys(functions))
            elif how == "virtual":
                functions = list(dict.fromkeys(functions))
            return Call(how, functions, self.expr(), [self.expr(), self.expr()])
        if kind == "recurse":
            return Recurse(self.function, self.expr())
        return Operation(self.operation())

    def switch_arm(self, depth):
        """In a loop: break leaves the switch, continue the turn."""
        block = self.block(depth, False, True)
        if self.rng.randrange(3) == 0:
            block.statements.append(
                If(self.condition(1), Block([Leave("continue")]), None, ""))
        return block


class Program:
    """One kernel and the functions it calls."""

    def __init__(self, seed, number, attempt):
        self.rng = rng = random.Random(f"{seed}/{number}/{attempt}")
        self.seed = rng.randrange(1 << 16)
        self.number, self.labels = number, 0
        self.functions = []
        for i in range(rng.randrange(0, 4)):
            f = Function(f"f{number}_{i}", rng.randrange(3) == 0)
            self.kernel = None
            f.body = Generator(rng, self, f, self.functions[-2:],
                               rng.randrange(2)).block(2, False, False, 2)
            self.functions.append(f)
        self.kernel = Function(f"k{number}", False)
        g = Generator(rng, self, self.kernel, self.functions, False)
        parts = []
        for _ in range(rng.randrange(1, 4)):
            parts += g.block(4, False, False, 2).statements
            if rng.randrange(4) == 0:
                parts.append(Barrier())
            g.budget = max(g.budget, 10)
        parts.append(Operation(("ballot", lit(1), None)))
        self.kernel.body = Block(parts)

    def label(self):
        self.labels += 1
        return f"out{self.labels}"

    def run(self, threads):
        """What each thread of a block computes."""
        results = []
        for first in range(0, threads, LANES):
            lanes = range(min(LANES, threads - first))
            args = {l: {"a": first // LANES, "n": threads} for l in lanes}
            got = Warp(self, lanes).call(self.kernel, args, set(lanes))
            results += [got[l] for l in lanes]
        return results

    def write(self, out):
        for f in self.functions + [self.kernel]:
            kernel = f is self.kernel
            if f.noinline:
                out.append("[[gnu::noinline]]")
            out.append(
                f"static void {f.name}(unsigned *out) {{" if kernel else
                f"static unsigned {f.name}(unsigned a, unsigned n) {{")
            w = Writer(out, not kernel)
            if kernel:
                w("unsigned *const o = out + xcc::thread_idx().x;")
                w("const unsigned a = xcc::thread_idx().x / 32;")
                w("const unsigned n = xcc::block_dim().x;")
            w("const unsigned lane = xcc::lane_id();")
            for c in f.counters:
                w(f"unsigned {c} = 0;")
            w(f"unsigned h = {self.seed}u + lane + (a + n) * 0;")
            f.body.write(w)
            w("*o = h;" if kernel else "return h;")
            out.append("}")


HEAD = """// Written by divergence.py {seed} {count}.
#include <xcc/xcc.h>

#include <cstdio>
#include <vector>

struct at_end {{
  unsigned &h;
  ~at_end() {{
    const unsigned r = unsigned(xcc::ballot(true));
    h = h * 31u + r;
  }}
}};
struct callee {{
  virtual unsigned run(unsigned, unsigned) const = 0;
}};
"""

TAIL = """
template <class K>
static bool same(K kernel, const char *name, unsigned threads, unsigned sum) {
  xcc::buffer<unsigned> out(threads);
  out.fill(0);
  xcc::launch({{1}, {threads}}, kernel, out.data());
  std::vector<unsigned> host(threads);
  out.copy_to(host.data(), threads);
  unsigned got = 0;
  for (unsigned v : host)
    got = got * 1000003u + v;
  if (got != sum)
    std::printf("%s differs with %u threads\\n", name, threads);
  return got == sum;
}
"""


def make(seed, number):
    """A kernel that does not take too long, and its results by block size."""
    attempt = 0
    while True:
        program = Program(seed, number, attempt)
        sizes = 32, program.rng.choice([1, 31, 33, 45, 64, 70])
        try:
            return program, {n: program.run(n) for n in sizes}
        except TooLong:
            attempt += 1


def checksum(values):
    total = 0
    for v in values:
        total = (total * 1000003 + v) & M
    return total


def main():
    seed = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    out, checks = [HEAD.format(seed=seed, count=count)], []
    sys.setrecursionlimit(10000)
    for number in range(first, first + count):
        program, results = make(seed, number)
        program.write(out)
        for threads, values in results.items():
            checks.append((f"k{number}", threads, checksum(values)))
    out.append(TAIL)
    out.append("int main() {")
    out.append("  bool good = true;")
    for name, threads, total in checks:
        out.append(f"  good &= same([](unsigned *o) {{ {name}(o); }}, "
                   f"\"{name}\", {threads}, {total}u);")
    out.append("  std::puts(good ? \"all as the source says\" : \"\");")
    out.append("  return !good;")
    out.append("}")
    print("\n".join(out))


if __name__ == "__main__":
    main()
