#!/usr/bin/env python3
# Random kernels with more of the language
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: language.py --xcc PATH --clang PATH [--seeds FIRST LAST] [--each N]
#                    [--options=-O1,-O2] [--on cpu,nvptx,amdgcn] [--reduce] ...
#
# Kernels of simt.py's kind, to which come: goto (forwards, out of loops, as
# loops, into loops), Duff's device, arrays of variable length (some alive over
# barriers), bit-fields, integers of 128 and of odd bits, vectors, _Float16,
# structures by value through recursion, pointers to functions and to members,
# virtual functions, throws and handlers, closures, unions of bits, atomics on a thread's own elements
# and locals, memmove and algorithms on them, constant tables, and large blocks.
#
# As in simt.py there is one result whatever the order of threads.

import sys

import order
import runs
import simt
from order import Block, FLOATS, Line


class Kernel(simt.Kernel):
    def make(self):
        r = self.r
        self.over = r.random() < 0.3  # an array of variable length of the whole kernel
        self.bits = r.random() < 0.3
        self.vectors = r.random() < 0.3
        self.big = r.random() < 0.3
        self.outs = []  # labels behind the loops around
        # A handler changes how all kernels of a program are compiled.
        self.throws = int(self.name.split("_")[1]) % 2 == 1
        super().make()
        self.name = self.name.replace("simt_", "language_")

    def choose_shape(self):
        r = self.r
        if r.random() < 0.08:
            return (r.choice([1, 2]), 1, 1), r.choice([(256, 1, 1), (257, 1, 1), (16, 16, 1), (511, 1, 1)])
        return super().choose_shape()

    # Expressions.

    def local(self, flag):
        return flag and not self.in_function

    def value(self, depth=0):
        r = self.r
        if depth > 2 or r.random() > 0.2:
            return super().value(depth)
        a, b, c = (self.value(depth + 1) for _ in range(3))
        k = r.randint(1, 15)
        choices = [
            lambda: f"unsigned(u128({a}) * (u128(ulong({b})) << {k + 40} | {k}u) >> {3 * k + 20})",
            lambda: f"unsigned((u128({a}) << {k + 50} ^ ulong({b})) / ((u128({c}) << {k}) + 3u) >> {k})",
            lambda: f"unsigned((u128({a}) << {k + 50} ^ ulong({b})) % ((u128({c}) << {4 * k}) + 7u))",
            lambda: f"unsigned((i128(int({a})) << {k + 30}) / (i128(int({b})) * 4 + 1) >> {k})",
            lambda: f"unsigned(i128(int({a})) * int({b}) >> {k + 10})",
            lambda: f"unsigned(U37(U37({a}) << 9 ^ U37({b})) >> {k})",
            lambda: f"unsigned(U37(U37({a}) * U37({b} | 1u << 30)) >> {k + 5})",
            lambda: f"unsigned(int(I19(int({a}) & 0x3ffff) - I19(int({b}) & 0x3ff)))",
            lambda: f"unsigned((U75({a}) << {k + 30} | U75({b})) >> {k + 20})",
            lambda: f"reduced(V4{{{a}, {b}, {k}u, 7u}} * {c})",
            lambda: f"(V4{{{a}, {b}, {k}u, {c}}}).{r.choice(['wzyx', 'xxzz', 'yxwz'])}[{r.randrange(4)}]",
            lambda: f"unsigned((V4{{{a}, {k}u, {b}, 9u}} > {c})[{r.randrange(4)}] & 3)",
            lambda: f"unsigned(__builtin_convertvector(V4{{{a}, {b}, 1u, 2u}}, S4)[{r.randrange(4)}])",
            lambda: f"u(float(half(real({a})) + half(real({b}))))",
            lambda: f"std::bit_cast<unsigned>(real({a}))",
            lambda: f"unsigned(std::bit_cast<ulong>(large({a})) >> {k + 20})",
            lambda: f"digest(walk(Node{{{a}, short({b}), {{{a}, ulong({b}) << {k}}}}}, ({c}) % 4u))",
            lambda: f"even({a}, ({b}) % 6u)",
            lambda: f"constants[({a}) & 15u]",
            lambda: f"unsigned(\"some text of a kernel\"[({a}) % 21u])",
            lambda: f"chosen({a})({b}, {c})",
            lambda: f"by_member({a}, {b}, {c})",
            lambda: f"by_class({a}, {b}, {c})",
            lambda: f"overflowing({a}, {b})",
            lambda: f"std::gcd({a} & 0xfffu, {b} | 1u)",
            lambda: f"std::clamp({a}, {k}u, {k * 99}u)",
            lambda: f"__builtin_bitreverse32({a})",
            lambda: f"unsigned(__builtin_bitreverse64(ulong({a}) << {k}) >> {k + 20})",
            lambda: f"unsigned(std::rotr(ulong({a}) * 0x9e3779b97f4a7c15ul, int(({b}) % 64u)))",
            lambda: f"unsigned(std::rotl(uchar({a}), int(({b}) % 8u)))",
            lambda: f"unsigned(std::countl_zero(ushort({a})) + __builtin_parity({b}) + __builtin_ffs(int({c})))",
            lambda: f"__builtin_elementwise_add_sat({a}, {b})",
            lambda: f"unsigned(__builtin_elementwise_sub_sat(short({a}), short({b})))",
            lambda: f"[&](unsigned x) {{ return x * {k}u ^ ({a}); }}({b})",
            lambda: f"digest(turned(Bits{{{a} & 7u, int({b}) % 32, {a}, uchar({b} & 31u), 3, true}}, {c}))",
        ]
        if self.local(self.bits):
            choices += [lambda: f"u(bits.{r.choice('abcdef')})"] * 4
        if self.local(self.vectors):
            choices += [lambda: f"vec[({a}) & 3u]", lambda: f"vec.{r.choice('xyzw')}", lambda: "reduced(vec)"] * 2
        if self.local(self.big):
            choices += [lambda: f"unsigned(q >> {r.randrange(97)})"] * 4
        if self.local(self.over):
            choices += [lambda: f"over[({a}) % length]"] * 4
        return r.choice(choices)()

    # Statements.

    def assignment(self):
        r = self.r
        s = r.choice(self.locals)
        kind = r.random()
        if kind > 0.3:
            return super().assignment()
        a, b = self.value(1), self.value(1)
        k = r.randint(2, 9)
        choices = [
            lambda: Line(f"{{ std::atomic<unsigned> x{{{a}}}; x.fetch_xor({b}); unsigned old = x; "
                         f"{s} += x.compare_exchange_strong(old, {b}) + x.exchange({a}) + old; }}"),
            lambda: Line(f"{{ const unsigned m = ({a}) % {k}u + 1u; unsigned vla[m]; "
                         f"for (unsigned i = 0; i < m; ++i) vla[i] = i * {k}u + {s}; "
                         f"vla[({b}) % m] ^= {b}; {s} += summed(vla, m); }}"),
            lambda: Line(f"{{ unsigned table[3][{k}] = {{{{{a}}}, {{1u, {b}}}}}; "
                         f"unsigned *cursor = &table[{s} % 3u][0]; cursor[({a}) % {k}u] += {b}; "
                         f"{s} ^= summed(table[({b}) % 3u], {k}); }}"),
            lambda: Line(f"{{ auto add = [&, x = {a}](unsigned y) mutable {{ x += y; {s} ^= x; return x; }}; "
                         f"{s} += add({b}) + add({k}u); }}"),
            lambda: Line(f"{{ unsigned left[4] = {{{a}}}, right[4] = {{0, {b}}}; "
                         f"unsigned *p = ({self.condition(1)}) ? left : right; p[{s} & 3u] += {k}u; "
                         f"{s} += summed(left, 4) * 3u + summed(right, 4); }}"),
        ]
        targets = [p for p in self.writable() if not p.buffer.fields]
        if targets:
            text, type = self.element(pointer=r.choice(targets))
            if type in FLOATS:
                choices += [lambda: Line(f"{{ std::atomic_ref<{type}> x({text}); "
                                         f"{s} += u(x.exchange({type}(({a}) & 1023u))); }}")] * 2
            else:
                how = r.choice(["fetch_add", "fetch_sub", "fetch_or", "fetch_and", "fetch_xor", "exchange"])
                choices += [lambda: Line(f"{{ std::atomic_ref<{type}> x({text}); "
                                         f"{s} += u(x.{how}({type}({a}))); }}"),
                            lambda: Line(f"{{ std::atomic_ref<{type}> x({text}); {type} old = {type}({a}); "
                                         f"if (!x.compare_exchange_strong(old, {type}({b}))) {s} += u(old); }}")] * 2
        if self.array and self.array > 2:
            n = self.array
            choices += [lambda: Line(f"std::sort(own, own + {n});"),
                        lambda: Line(f"std::memmove(own + 1, own, {n - 1} * sizeof(*own));"),
                        lambda: Line(f"std::rotate(own, own + ({a}) % {n}u, own + {n});"),
                        lambda: Line(f"std::reverse(own, own + ({a}) % {n}u);"),
                        lambda: Line(f"{s} += summed(own, ({a}) % {n + 1}u);")]
        if self.local(self.bits):
            choices += [lambda: Line(f"bits.{r.choice(['a', 'd'])} {r.choice(['=', '+=', '^='])} {a};"),
                        lambda: Line(f"bits.{r.choice(['b', 'e'])} = int({a});"),
                        lambda: Line(f"bits.c = bits.c * {k}u + {a};"),
                        lambda: Line(f"bits = turned(bits, {a});"),
                        lambda: Line(f"bits.f = {self.condition(1)};")]
        if self.local(self.vectors):
            choices += [lambda: Line(f"vec = vec * V4{{{a}, 3u, {b}, 5u}} + {k}u;"),
                        lambda: Line(f"vec[({a}) & 3u] {r.choice(['=', '+=', '^='])} {b};"),
                        lambda: Line(f"vec.{r.choice(['xy', 'zx', 'wy'])} = vec.zw + {a};"),
                        lambda: Line(f"vec = mixed_up(vec, {a});"),
                        lambda: Line(f"vec = vec > {a} ? vec - {b} : vec;")]
        if self.local(self.big):
            choices += [lambda: Line(f"q = q * ({a} | 1u) + {b};"),
                        lambda: Line(f"q ^= u128({a}) << {r.randrange(97)};"),
                        lambda: Line(f"q = q >> (({a}) & 63u) | q << 70;"),
                        lambda: Line(f"if (({a}) & 1u) q = q / (({b}) | 5u);")]
        if self.local(self.over):
            choices += [lambda: Line(f"over[({a}) % length] {r.choice(['=', '+=', '^='])} {b};"),
                        lambda: Line(f"{s} += summed(over, length);")]
        return r.choice(choices)()

    def operation(self):
        r = self.r
        if r.random() > 0.15:
            return super().operation()
        s = r.choice(self.locals)
        a, b = self.value(1), self.value(1)
        v = r.choice([f"Node{{{a}, short({b}), {{t, {a}}}}}", f"u128({a}) << 60 ^ {b}",
                      f"Bits{{{a} & 7u, 3, {b}, 1, 2, true}}", f"half(real({a}))", f"uchar({a})"])
        digest = "digest" if v.startswith(("Node", "Bits")) else "low"
        seen = Line("const std::uint64_t seen = BALLOT(true);", fixed=True)
        return Block("{", [seen, Line(f"{s} += {digest}(SHUFFLE(({v}), nth_lane(seen, {b})));")])

    def statement(self, depth):
        r = self.r
        kind = r.random()
        if depth < 4 and kind < 0.04:
            label = self.label("skip")
            return Block("{", [Line(f"if ({self.condition()}) goto {label};"),
                               Block("{", self.statements(depth + 1, r.randint(1, 3))),
                               Line(f"{label}:;", fixed=True)], fixed=True)
        # Jumps out of loops: where a break could stand, but past several.
        if self.outs and kind < 0.07:
            return Line(f"if ({self.condition()}) goto {r.choice(self.outs)};")
        if depth < 4 and kind < 0.085:
            return self.duff(depth)
        if depth < 4 and kind < 0.10:
            return self.entered(depth)
        if self.throws and depth < 4 and kind < 0.17:
            return self.handled(depth)
        return super().statement(depth)

    def handled(self, depth):
        """A try block with throws of several kinds, and handlers."""
        r = self.r
        s, other = r.choice(self.locals), r.choice(self.locals)
        k = r.randint(2, 9)
        saved = self.warp_here
        self.warp_here = False
        a, b = self.value(1), self.value(1)
        thrown = r.choice([f"throw {a};", f"throw Thrown{{{a}, {b}}};", f"throw Worse({a}, {b});",
                           f"throw &constants[({a}) & 15u];", f"{s} += thrower({a}, {b});",
                           f"{s} += by_thrower({a}, {b});", f"throw Thrower(({a}) % {k}u);"])
        guard = r.choice(["", f"Guard guard({other}, {k}u);", f"Guard guards[2] = {{{{{other}, 3u}}, {{{s}, {k}u}}}};"])
        body = ([Line(guard, fixed=True)] if guard else []) + self.statements(depth + 1, r.randint(0, 2)) + [
            Line(f"if ({self.condition()}) {thrown}")] + self.statements(depth + 1, r.randint(0, 2))
        again = r.choice(["", "", f"if (({self.value(1)}) % {k}u == 1u) throw;", f"if ({self.condition(1)}) throw e.a;"])
        clauses = [f"catch (const Worse &e) {{ {s} ^= e.a * {k}u; {again} }}",
                   f"catch (Thrown &e) {{ e.b += {k}u; {s} += e.a ^ e.b; {again} }}",
                   f"catch (unsigned x) {{ {s} += x; }}",
                   f"catch (const unsigned *x) {{ {s} ^= *x; }}"]
        kept = sorted(r.sample(range(4), r.randint(0, 4)))
        text = " ".join(clauses[i] for i in kept)
        last = self.statements(depth + 1, 1)
        self.warp_here = saved
        inner = Block("try {", body, f"}} {text}" if kept else "} catch (...) { throw; }", fixed=True)
        return Block("{", [Block("try {", [inner], f"}} catch (...) {{ {s} += {k}u; }}", fixed=True)] + last, fixed=True)

    def label(self, what):
        self.counter += 1
        return f"{what}{self.counter}"

    def loop(self, depth):
        r = self.r
        if r.random() < 0.25:
            return self.goto_loop(depth)
        if r.random() < 0.6:
            return super().loop(depth)
        label = self.label("out")
        self.outs.append(label)
        loop = super().loop(depth)
        self.outs.pop()
        return Block("{", [loop, Line(f"{label}:;", fixed=True)], fixed=True)

    def in_loop(self, depth, limit, quiet=False):
        """The statements of a loop of another form, and its counter."""
        r = self.r
        name = f"i{self.counter}"
        self.counter += 1
        saved = self.turns, self.warp_here
        if quiet:
            self.warp_here = False
        self.turns *= limit
        self.loops.append((name, limit))
        # What a `break` or `continue` leaves is the do around each statement list.
        lists = [self.statements(depth + 1, r.randint(1, 2)) for _ in range(3)]
        self.loops.pop()
        self.turns, self.warp_here = saved
        return name, lists

    def limit(self):
        room = max(1, self.most_turns // self.turns)
        return min(room, self.r.choice([2, 3, 4, 6]))

    def goto_loop(self, depth):
        limit = self.limit()
        bound = self.r.choice([str(limit), f"(g % {limit}u + 1u)", f"(({self.value(1)}) % {limit + 1}u)"])
        name, lists = self.in_loop(depth, limit)
        again = self.label("again")
        turn = [Line(f"const unsigned {name} = next{name}++;", fixed=True),
                Block("do {", lists[0] + lists[1], "} while (false);", fixed=True),
                Line(f"goto {again};", fixed=True)]
        return Block(f"{{ unsigned next{name} = 0; const unsigned e{name} = {bound};", [
            Block("LOOP {", [Line(f"{again}:", fixed=True), Line("TURN", fixed=True),
                             Block(f"if (next{name} < e{name}) {{", turn, fixed=True)], fixed=True)])

    def duff(self, depth):
        limit = self.limit()
        name, lists = self.in_loop(depth, limit, quiet=True)
        body = []
        for case, inner in zip((0, 2, 1), lists):
            body += [Line(f"case {case}:" if case else "", fixed=True),
                     Block("do {", inner, "} while (false);", fixed=True)]
        return Block(f"{{ unsigned {name} = 0;", [Block(f"switch (({self.value(1)}) % 4u) {{ case 0: case 3:", [
            Block("do {", body, f"}} while (++{name} < {limit}u);", fixed=True)], fixed=True)])

    def entered(self, depth):
        """A loop with two ways in."""
        limit = self.limit()
        bound = self.r.choice([str(limit), f"(g % {limit}u + 1u)"])
        name, lists = self.in_loop(depth, limit, quiet=True)
        label = self.label("middle")
        return Block(f"{{ unsigned {name} = 0; const unsigned e{name} = {bound};", [
            Line(f"if ({self.condition()}) goto {label};"),
            Block(f"while ({name} < e{name}) {{", [
                Block("do {", lists[0], "} while (false);", fixed=True),
                Line(f"{label}:;", fixed=True),
                Block("do {", lists[1], "} while (false);", fixed=True),
                Line(f"++{name};", fixed=True)], fixed=True)])

    # Text.

    def code(self):
        lines = super().code()
        start = next(i for i, l in enumerate(lines) if l.startswith("unsigned s0 = 0"))
        own, result = [], ""
        if self.over:
            own += ["const unsigned length = (t & 3u) + w + 1u;", "unsigned over[length];",
                    "for (unsigned i = 0; i < length; ++i) over[i] = i + t;"]
            result += " + summed(over, length) * 7u"
        if self.bits:
            own.append("Bits bits = {5, -3, t, 9, -7, false};")
            result += " + digest(bits)"
        if self.vectors:
            own.append("V4 vec = {t, g, w, 3u};")
            result += " + reduced(vec)"
        if self.big:
            own.append("u128 q = u128(g) << 64 | 0x123456789abcul;")
            result += " + low(q)"
        last = lines[-1]
        assert last.startswith("out[g] = ")
        return lines[:start] + own + lines[start:-1] + [last[:-1] + result + ";"]


PROLOGUE = simt.PROLOGUE + """
#include <numeric>
using u128 = unsigned __int128;
using i128 = __int128;
using U37 = unsigned _BitInt(37);
using I19 = _BitInt(19);
using U75 = unsigned _BitInt(75);
using half = _Float16;
typedef unsigned V4 __attribute__((ext_vector_type(4)));
typedef short S4 __attribute__((ext_vector_type(4)));

struct Bits { unsigned a : 3; int b : 7; ulong c : 37; uchar d : 5; short e : 9; bool f : 1; };
struct Node { unsigned v; short k; ulong w[2]; };

constexpr unsigned constants[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3000000000u};

inline unsigned digest(const Bits &x) {
  return x.a + unsigned(x.b) * 3u + unsigned(x.c) * 5u + unsigned(x.c >> 32) + x.d * 7u + unsigned(x.e) * 11u + x.f;
}
inline unsigned digest(const Node &n) {
  return n.v * 3u + unsigned(n.k) + unsigned(n.w[0] >> 5) * 5u + unsigned(n.w[1] >> 9);
}
inline unsigned low(u128 x) { return unsigned(x) ^ unsigned(x >> 32) * 3u ^ unsigned(x >> 64) * 5u ^ unsigned(x >> 96); }
inline unsigned low(half x) { return unsigned(float(x)); }
inline unsigned low(uchar x) { return x; }
inline unsigned reduced(V4 v) { return v.x + v.y * 3u + v.z * 5u + v.w * 7u; }
[[gnu::noinline]] inline Bits turned(Bits x, unsigned by) {
  x.a += by;
  x.b = int(by) - x.b;
  x.c = x.c << 3 ^ by;
  if (x.f)
    x.d ^= by >> 2;
  x.f = by & 1;
  return x;
}
[[gnu::noinline]] inline V4 mixed_up(V4 v, unsigned by) {
  v[by & 3] += by;
  return by & 4 ? v.wzyx : v + V4{1u, 2u, 3u, by};
}
[[gnu::noinline]] inline unsigned summed(const unsigned *p, unsigned n) {
  unsigned s = n;
  for (unsigned i = 0; i < n; ++i)
    s = s * 31u + p[i];
  return s;
}
[[gnu::noinline]] inline Node walk(Node n, unsigned depth) {
  if (!depth)
    return n;
  Node l = walk({n.v * 3u + 1u, short(n.k + short(depth)), {n.w[1], n.w[0] + n.v}}, depth - 1);
  l.w[depth & 1] ^= n.v;
  if (l.k & 4)
    return l;
  unsigned own[4] = {l.v, unsigned(l.k), n.v, depth};
  l.v += summed(own, 1 + (n.v & 3u));
  return walk(l, depth / 2);
}
inline unsigned odd(unsigned x, unsigned depth);
[[gnu::noinline]] inline unsigned even(unsigned x, unsigned depth) { return depth ? odd(x * 3u, depth - 1) + depth : x; }
[[gnu::noinline]] inline unsigned odd(unsigned x, unsigned depth) { return depth ? even(x ^ depth, depth - 1) * 5u : x + 1u; }

[[gnu::noinline]] inline unsigned plus(unsigned a, unsigned b) { return a + b * 3u; }
[[gnu::noinline]] inline unsigned times(unsigned a, unsigned b) { return a * (b | 1u); }
inline unsigned except(unsigned a, unsigned b) { return a & ~b; }
inline auto chosen(unsigned x) -> unsigned (*)(unsigned, unsigned) {
  switch (x % 3u) {
  case 0: return plus;
  case 1: return times;
  default: return except;
  }
}
struct Pair {
  unsigned a, b;
  unsigned first(unsigned x) const { return a * x + b; }
  unsigned second(unsigned x) const { return b ^ x * a; }
};
inline unsigned by_member(unsigned a, unsigned b, unsigned x) {
  const Pair pair = {a, b};
  unsigned (Pair::*which)(unsigned) const = x & 1 ? &Pair::first : &Pair::second;
  unsigned Pair::*field = x & 2 ? &Pair::a : &Pair::b;
  return (pair.*which)(x) + pair.*field;
}
struct Base {
  unsigned a;
  explicit Base(unsigned a) : a(a) {}
  virtual unsigned of(unsigned x) const { return a + x; }
};
struct Other : Base {
  ulong b;
  Other(unsigned a, unsigned b) : Base(a), b(b) {}
  unsigned of(unsigned x) const override { return unsigned(b * x >> 3) ^ Base::of(a); }
};
inline unsigned by_class(unsigned a, unsigned b, unsigned x) {
  const Base one(a);
  const Other two(b, x);
  const Base *which = x % 3u ? &one : &two;
  return which->of(x);
}
struct Thrown {
  unsigned a, b;
  Thrown(unsigned a, unsigned b) : a(a), b(b) {}
  Thrown(const Thrown &other) : a(other.a + 1u), b(other.b) {}
};
struct Worse : Base, Thrown {
  using Thrown::a;
  Worse(unsigned a, unsigned b) : Base(a), Thrown(a ^ b, b) {}
};
struct Guard {
  unsigned &at, by;
  Guard(unsigned &at, unsigned by) : at(at), by(by) {}
  ~Guard() { at = at * 3u + by; }
};
struct Thrower : Thrown {
  Guard guard;
  explicit Thrower(unsigned x) try : Thrown(x, 3u), guard(a, 5u) {
    if (x & 1u)
      throw x;
  } catch (unsigned y) {
    throw y + 1u;
  }
};
[[gnu::noinline]] inline unsigned thrower(unsigned a, unsigned b) {
  if (a % 3u == 1u)
    throw Thrown(a, b);
  if (a % 5u == 2u)
    throw b;
  if (a % 7u == 3u)
    throw Worse(b, a);
  return a + b;
}
inline unsigned by_thrower(unsigned a, unsigned b) {
  unsigned s = a;
  const Guard guard(s, b);
  unsigned (*which)(unsigned, unsigned) = b & 1u ? thrower : plus;
  try {
    return which(a, b) + s;
  } catch (const Worse &e) {
    s += e.b;
    if (s & 4u)
      throw;
  } catch (unsigned x) {
    throw Thrown(x, s);
  }
  return s;
}
inline unsigned overflowing(unsigned a, unsigned b) {
  int sum;
  long product;
  const bool over = __builtin_add_overflow(int(a), int(b), &sum);
  return unsigned(sum) + over + __builtin_mul_overflow(long(a) << 20, long(b), &product) + unsigned(product >> 7);
}
"""


class Program(order.Program):
    def __init__(self, seed, each):
        super().__init__(seed, each, Kernel, PROLOGUE)


if __name__ == "__main__":
    sys.exit(runs.main(Program, runs.arguments("language", 40).parse_args()))
