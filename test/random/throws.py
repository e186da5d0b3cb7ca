#!/usr/bin/env python3
# Random kernels that throw and catch
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: throws.py --xcc PATH --clang PATH [--seeds FIRST LAST] [--each N]
#                  [--options=-O0,-O2] [--on cpu,nvptx,amdgcn] [--archs sm_90] ...
#
# Small kernels, each with functions of its own, in which most statements throw,
# catch, or are passed by an exception: handlers of all types in any order,
# handlers in handlers, `throw;` in them and in functions that they call,
# std::exception_ptr, destructors that catch, constructors that throw with
# members and elements built so far, virtual calls, calls through pointers and
# closures, recursion, try blocks of functions, noexcept functions that catch,
# jumps and returns out of all of these, barriers in try blocks and in handlers.
#
# A thread's statements depend on no other thread's but by barriers, so there is
# one result.

import random
import sys

import order
import runs
from order import Block, Line

THROWN = [  # what is thrown, from two values
    "throw {a};", "throw int({a});", "throw long({a}) * 3;", "throw Plain{{{a}, {b}}};", "throw Root({a});",
    "throw Left({a}, {b});", "throw Right({a});", "throw Bottom({a}, {b});", "throw Twice({a});", "throw Hidden({a});",
    "throw &numbers[({a}) & 15u];", "throw static_cast<const Root *>(&bottom);", "throw &lefty;", "throw nullptr;",
    "throw Color(({a}) % 3u);", "throw std::runtime_error(texts[({a}) & 3u]);", "throw std::out_of_range(texts[({a}) & 3u]);",
    "throw Named({a});", "throw Counted({a});",
]
CAUGHT = [  # handlers, and the value that each sees
    ("unsigned x", "x"), ("int x", "unsigned(x)"), ("const long &x", "unsigned(x)"), ("Plain &e", "(e.b += 3u, e.a ^ e.b)"),
    ("const Plain &e", "e.a * e.b"), ("Plain e", "e.a + e.b"), ("const Root &e", "e.of({k}u)"), ("Root &e", "(e.v += 5u, e.of({k}u))"),
    ("const Left &e", "e.of(e.l)"), ("Right &e", "e.of(e.r)"), ("Bottom e", "e.of({k}u) ^ e.l"), ("const Bottom &e", "e.r + e.l"),
    ("const Twice &e", "e.v"), ("Hidden &e", "e.h"), ("const unsigned *x", "(x ? *x : 6u)"), ("const Root *e", "(e ? e->of({k}u) : 9u)"),
    ("const Left *const &e", "(e ? e->l : 7u)"), ("std::nullptr_t", "11u"), ("Color c", "unsigned(c) + 40u"),
    ("const std::exception &e", "length(e.what())"), ("const std::runtime_error &e", "length(e.what()) * 3u"),
    ("std::logic_error e", "length(e.what()) + 100u"), ("const std::out_of_range &e", "unsigned(e.what()[0])"),
    ("const Named &e", "e.n + length(e.what())"), ("Counted c", "c.v * 2u"), ("const Counted &c", "c.v"),
    ("const std::bad_cast &", "21u"), ("const std::bad_optional_access &", "22u"), ("const std::bad_variant_access &e", "23u"),
]


class Function:
    """One of a kernel's functions: it may call those with lower numbers."""

    def __init__(self, kernel, number):
        r = kernel.r
        self.kernel, self.number = kernel, number
        self.name = f"{kernel.name}_f{number}"
        self.kind = r.choice(["plain", "noinline", "noinline", "try", "recursive", "noexcept", "virtual", "closure"])
        kernel.begin(number)
        self.body = kernel.statements(1, r.randint(2, 4))
        if self.kind == "recursive":
            again = Line(f"if (depth) s += {self.name}(depth - 1, {kernel.value()}, s);", fixed=True)
            self.body = [Block("try {", [Line("Guard way(s, depth);", fixed=True), again], "} " + kernel.handler(2), fixed=True)
                         if r.random() < 0.6 else again] + self.body
        if self.kind == "noexcept":
            self.body = [Block("try {", self.body, "} catch (...) { s = s * 3u + 1u; }", fixed=True)]
        self.handler = kernel.handler(1, returns=True) if self.kind == "try" else ""
        self.depth = r.randint(1, 3)

    def call(self, a, b):
        form = self.kernel.r.random()
        if self.kind == "recursive":
            return f"{self.name}({self.depth}u, {a}, {b})"
        if self.kind == "virtual":
            return f"called(static_cast<const Caller &>({self.name}_object), {a}, {b})"
        if form < 0.2 and self.kind != "closure":
            return f"through({self.name}, {a}, {b})"
        if form < 0.35:
            return f"[&](unsigned x) {{ const Guard g(s, 3u); return {self.name}(x, {b}) + s; }}({a})"
        return f"{self.name}({a}, {b})"

    def lines(self):
        depth = "unsigned depth, " if self.kind == "recursive" else ""
        start = f"unsigned {self.name}({depth}unsigned a, unsigned b)"
        if self.kind in ("noinline", "recursive"):
            yield "[[gnu::noinline]]"
        if self.kind == "virtual":
            yield f"struct {self.name}_class : Caller {{ unsigned call(unsigned a, unsigned b) const override {{"
        elif self.kind == "closure":
            yield f"constexpr auto {self.name} = [](unsigned a, unsigned b) -> unsigned {{"
        else:
            yield start + {"noexcept": " noexcept {", "try": " try {"}.get(self.kind, " {")
        yield "  unsigned s = a ^ b;"
        for statement in self.body:
            yield from statement.lines(1)
        yield "  return s + a * 5u;"
        if self.kind == "try":
            yield f"}} {self.handler}"
        elif self.kind == "virtual":
            yield f"}} }};\nstatic constexpr {self.name}_class {self.name}_object;"
        else:
            yield "};" if self.kind == "closure" else "}"


class Kernel:
    def __init__(self, seed, number):
        self.r = r = random.Random(f"throws.{seed}.{number}")
        self.name, self.number = f"throws_{seed}_{number}", number
        self.counter = 0
        self.functions = []
        for n in range(r.choice([1, 2, 2, 3])):
            self.functions.append(Function(self, n))
        self.begin(len(self.functions))
        self.grid, self.block = r.choice([1, 1, 2]), r.choice([1, 8, 31, 32, 33, 40, 64])
        self.body = []
        for phase in range(r.choice([1, 1, 2, 3])):
            if phase:
                self.body.append(self.together())
            self.body += self.guarded(self.statements(0, r.randint(1, 3)))

    # State, for as long as the statements of one function are made.

    def begin(self, number):
        self.callable = number  # functions below this number may be called
        self.loops, self.breakable, self.in_handler, self.calls = 0, 0, 0, 0

    def bodies(self):
        return [self.body] + [f.body for f in self.functions]

    # Expressions.

    def value(self, depth=0):
        r = self.r
        if depth > 1 or r.random() < 0.4:
            return r.choice(["a", "b", "s", "s", f"{r.randint(0, 9)}u", f"{r.randint(10, 999)}u"])
        x, y, k = self.value(depth + 1), self.value(depth + 1), r.randint(1, 9)
        return r.choice([f"({x} + {y})", f"({x} * {k}u + {y})", f"({x} ^ {y})", f"({x} >> {k})", f"(({x}) % {k + 1}u)",
                         f"({self.condition(depth + 1)} ? {x} : {y})"])

    def condition(self, depth=0):
        k = self.r.randint(2, 5)
        return f"({self.value(depth + 1)}) % {k}u == {self.r.randrange(k)}u"

    def throw(self):
        a, b = self.value(1), self.value(1)
        return self.r.choice(THROWN).format(a=a, b=b)

    # Statements.

    def statements(self, depth, count):
        return [self.statement(depth) for _ in range(count)]

    def statement(self, depth):
        r = self.r
        kind = r.random()
        s, k = "s", r.randint(2, 9)
        if depth < 3 and kind < 0.26:
            return Block("{", self.guarded(self.statements(depth + 1, r.randint(1, 3)), depth), fixed=True)
        if kind < 0.40:
            return Line(f"if ({self.condition()}) {self.throw()}")
        if kind < 0.55 and self.callable and self.calls < 4:
            self.calls += 1
            f = r.choice(self.functions[:self.callable])
            return Line(f"s = s * {k}u + {f.call(self.value(1), self.value(1))};")
        if kind < 0.61 and depth < 3:
            guard = r.choice([f"Guard g(s, {k}u);", f"Catcher g(s, {k}u);", f"Counter g(s);",
                              f"Guard g[2] = {{{{s, {k}u}}, {{s, 3u}}}};"])
            return Block("{", [Line(guard, fixed=True)] + self.statements(depth + 1, r.randint(1, 2)), fixed=True)
        if kind < 0.68:
            return Line(r.choice([
                f"{{ Parts parts(s, {self.value(1)}); s += parts.sum(); }}",
                f"{{ const Piece row[3] = {{{{s, {self.value(1)}}}, {{s, {self.value(1)}}}, {{s, s}}}}; s += row[2].v; }}",
                f"{{ const std::unique_ptr<Piece> p(new Piece(s, {self.value(1)})); s += p->v; }}",
                f"{{ const Delegating d(s, {self.value(1)}); s ^= 77u; }}",
                f"s += Virtuals(s, {self.value(1)}).v;"]))
        if kind < 0.76:
            return Line(r.choice([
                f"s += std::array<unsigned, 5>{{a, b, s, 3u, 4u}}.at(({self.value(1)}) % 7u);",
                f"s += std::optional<unsigned>({self.condition()} ? std::optional<unsigned>(s) : std::nullopt).value();",
                f"s += std::get<unsigned>(either({self.value(1)}));",
                f"s += cast_of({self.value(1)}).r;",
                f"s += kept({self.value(1)}, s);", f"s += nested({self.value(1)});",
                f"s += std::string(texts[s & 3u]).at(({self.value(1)}) % 9u);",
                f"s += std::vector<unsigned>({{a, b, s}}).at(({self.value(1)}) % 5u);"]))
        if depth < 3 and self.loops < 2 and kind < 0.84:
            name = f"i{self.counter}"
            self.counter += 1
            self.loops += 1
            self.breakable += 1
            body = self.statements(depth + 1, r.randint(1, 2)) + [Line(f"s += {name};")]
            self.loops -= 1
            self.breakable -= 1
            return Block(f"for (unsigned {name} = 0, e{name} = {r.choice(['2u', '3u', '(a & 3u)'])}; {name} < e{name}; ++{name}) {{",
                         body)
        if depth < 3 and kind < 0.90:
            then = self.statements(depth + 1, r.randint(1, 2))
            return Block(f"if ({self.condition()}) {{", then)
        if self.breakable and kind < 0.93:
            return Line(f"if ({self.condition()}) {r.choice(['break', 'continue'])};")
        return Line(f"s {r.choice(['=', '+=', '^='])} {self.value()};")

    def guarded(self, body, depth=0):
        """The statements in a try block, with handlers, or what comes of them caught later."""
        r = self.r
        form = r.random()
        if form < 0.2:
            held = f"held{self.counter}"
            self.counter += 1
            again = Block("try {", [Line(f"if ({held}) std::rethrow_exception({held});", fixed=True)], "} " + self.handlers(depth),
                          fixed=True)
            twice = [Line(f"s += {held} == std::exception_ptr(), s += unsigned(std::uncaught_exceptions());"), again]
            if not depth:
                twice = [Block("try {", twice, "} catch (...) { s += 9u; }", fixed=True)]
            return [Line(f"std::exception_ptr {held};", fixed=True),
                    Block("try {", body, f"}} catch (...) {{ {held} = std::current_exception(); s += 3u; }}", fixed=True)] + twice + (
                        [again] if depth and r.random() < 0.3 else [])
        inner = Block("try {", body, "} " + self.handlers(depth), fixed=True)
        if depth and r.random() < 0.5:
            return [inner]
        return [Block("try {", [inner], f"}} catch (...) {{ s = s * 3u + {r.randint(1, 9)}u; }}", fixed=True)]

    def handlers(self, depth):
        kept = self.r.sample(CAUGHT, self.r.randint(1, 4))
        return " ".join(self.handler(depth, c) for c in kept) + (
            " " + self.handler(depth, ("...", "s")) if self.r.random() < 0.3 else "")

    def handler(self, depth, clause=None, returns=False):
        r = self.r
        declared, seen = clause or r.choice(CAUGHT + [("...", "4u")] * 8)
        value = "b" if returns else "s"
        seen = seen.format(k=r.randint(1, 9)) if seen != "s" or not returns else "b"
        action = [f"{value} = {value} * 5u + {seen};"]
        kind = r.random()
        k = r.randint(2, 4)
        if kind < 0.2:
            action.append(f"if ({value} % {k}u == 1u) throw;")
        elif kind < 0.32:
            action.append(f"if ({value} % {k}u == 0u) {r.choice(THROWN).format(a=value, b='a')}")
        elif kind < 0.44:
            inner = r.choice(CAUGHT)
            again = r.choice(["throw;", "again();", r.choice(THROWN).format(a=value, b="a")])
            action.append(f"try {{ if ({value} & 1u) {again} }} catch ({inner[0]}) {{ {value} += {inner[1].format(k=3)}; }}")
        elif kind < 0.52:
            action.append(f"{value} += asked({value});")
        elif kind < 0.58 and self.breakable:
            action.append(f"if ({value} & 2u) {r.choice(['break', 'continue'])};")
        elif kind < 0.64:
            action.append(f"Catcher last({value}, 5u);")
        if returns:
            action.append("return a ^ b;")
        return f"catch ({declared}) {{ {' '.join(action)} }}"

    def together(self):
        """All threads meet, in a try block, a handler, or plainly; all take the same way."""
        r = self.r
        k = r.randint(2, 3)
        way = f"(w + {r.randrange(3)}u) % {k}u == 0u"
        meet = [Line("tile[t] = s;", fixed=True), Line("meet();", fixed=True),
                Line(f"s += tile[(t + {r.randint(1, 9)}u) % {self.block}u];", fixed=True), Line("meet();", fixed=True)]
        alike = r.choice(["throw w;", "throw Plain{w, 3u};", "throw Bottom(w, 4u);", "throw std::runtime_error(texts[w & 3u]);"])
        form = r.randrange(4)
        if form == 0:
            return Block("try {", [Line(f"if ({way}) {alike}")] + meet + self.statements(2, 1), "} catch (...) { s += 7u; }", fixed=True)
        if form == 1:
            return Block("try {", meet + [Line("Guard g(s, 3u);", fixed=True), Line(f"if ({self.condition()}) {self.throw()}")],
                         "} catch (const Root &e) { s += e.v; } catch (...) { s += 7u; }", fixed=True)
        if form == 2:
            return Block("{", [Block("try {", [Line(f"if ({way}) {alike}", fixed=True)], "} catch (...) {", fixed=True),
                               *meet, Line("}", fixed=True)], fixed=True)
        return Block("{", meet, fixed=True)

    # Text.

    def text(self):
        lines = []
        for f in self.functions:
            lines += f.lines()
        lines.append(f"void {self.name}(unsigned *out, unsigned w) {{")
        lines.append(f"  SHARED(unsigned, {self.block}, tile);")
        lines.append(f"  const unsigned t = thread_of_block(), g = block_of_grid() * {self.block} + t;")
        lines.append("  unsigned a = g * 7u + w, b = t ^ w * 3u, s = g;")
        lines.append("  tile[t] = s;")
        for s in self.body:
            lines += s.lines(1)
        lines += ["  out[g] = s * 3u + unsigned(std::uncaught_exceptions()) + !std::current_exception();", "}"]
        threads = self.grid * self.block
        lines += [f"std::uint64_t run_{self.name}() {{", f"  Shape shape = {{{self.grid}, {self.block}}};",
                  f"  Memory<unsigned> output({threads});", "  unsigned *out = output.data();", "  std::uint64_t sum = 0;",
                  "  for (unsigned w = 0; w < 3; ++w) {", "    output.send();", f"    LAUNCH(shape, {self.name}, out, w);",
                  "    output.fetch();",
                  f"    sum = sum * 31 + sum_of(output.host.data(), {threads} * sizeof(unsigned));", "  }", "  return sum;", "}"]
        return "\n".join(lines)


PROLOGUE = """#include "threads.h"
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <variant>

constexpr unsigned numbers[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3000000000u};
constexpr const char *texts[4] = {"one", "another", "", "the last one of them"};

struct Plain { unsigned a, b; };
enum class Color { red, green, blue };
struct Root {
  unsigned v;
  explicit Root(unsigned v) : v(v) {}
  Root(const Root &) = default;
  virtual ~Root() = default;
  virtual unsigned of(unsigned x) const { return v + x; }
};
struct Left : virtual Root {
  unsigned l;
  Left(unsigned v, unsigned l) : Root(v), l(l) {}
  unsigned of(unsigned x) const override { return v * x + l; }
};
struct Right : virtual Root {
  unsigned r;
  explicit Right(unsigned r) : Root(r + 1u), r(r) {}
};
struct Bottom : Left, Right {
  Bottom(unsigned v, unsigned l) : Root(v), Left(v, l), Right(v ^ l) {}
  unsigned of(unsigned x) const override { return Left::of(x) ^ r; }
};
struct One : Root { explicit One(unsigned v) : Root(v) {} };
struct Two : Root { explicit Two(unsigned v) : Root(v + 1u) {} };
struct Twice : One, Two { unsigned v; explicit Twice(unsigned v) : One(v), Two(v), v(v * 3u) {} };
struct Hidden : private Root { unsigned h; explicit Hidden(unsigned v) : Root(v), h(v ^ 9u) {} };
struct Named : std::runtime_error {
  unsigned n;
  explicit Named(unsigned n) : runtime_error(texts[n & 3u]), n(n) {}
};
struct Counted {
  unsigned v;
  explicit Counted(unsigned v) : v(v) {}
  Counted(const Counted &other) : v(other.v * 3u + 1u) {}
  ~Counted() { v = 0; }
};
const Bottom bottom(5, 6);
const Left lefty(7, 8);

inline unsigned length(const char *text) { unsigned n = 0; while (text[n]) ++n; return n; }

struct Guard {
  unsigned &at, by;
  Guard(unsigned &at, unsigned by) : at(at), by(by) {}
  ~Guard() { at = at * 3u + by; }
};
struct Counter {
  unsigned &at;
  explicit Counter(unsigned &at) : at(at) {}
  ~Counter() { at += unsigned(std::uncaught_exceptions()) * 100u; }
};
[[gnu::noinline]] inline unsigned thrower(unsigned a, unsigned b) {
  if (a % 3u == 1u)
    throw Plain{a, b};
  if (a % 5u == 2u)
    throw b;
  if (a % 7u == 3u)
    throw Bottom(b, a);
  return a + b;
}
/// Catches while another exception may pass.
struct Catcher {
  unsigned &at, by;
  Catcher(unsigned &at, unsigned by) : at(at), by(by) {}
  ~Catcher() {
    try {
      at += thrower(at, by);
    } catch (const Plain &e) {
      at ^= e.b + unsigned(std::uncaught_exceptions());
      try {
        if (at & 1u)
          throw;
      } catch (Plain &f) {
        at += f.a;
      }
    } catch (...) {
      at = at * 5u + by;
    }
  }
};
struct Piece {
  unsigned &at, v;
  Piece(unsigned &at, unsigned v) : at(at), v(v) {
    at += 11u;
    if (v % 4u == 3u)
      throw Plain{v, at};
  }
  ~Piece() { at = at * 3u + v; }
};
struct Parts : Piece {
  Piece first;
  Guard second;
  Piece rest[2];
  Parts(unsigned &at, unsigned v) try
      : Piece(at, v), first(at, v / 4u), second(at, 5u), rest{{at, v / 16u}, {at, v ^ 3u}} {
    if (v % 5u == 1u)
      throw v;
  } catch (const Plain &e) {
    if (e.a & 4u)
      throw Left(e.a, e.b);
  }
  unsigned sum() const { return v + first.v + rest[1].v; }
};
struct Delegating {
  unsigned &at;
  explicit Delegating(unsigned &at) : at(at) { at += 2u; }
  Delegating(unsigned &at, unsigned v) : Delegating(at) {
    if (v % 3u == 0u)
      throw Right(v);
  }
  ~Delegating() { at *= 7u; }
};
struct VirtualBase { Piece part; VirtualBase(unsigned &at, unsigned v) : part(at, v) {} };
struct Virtuals : virtual VirtualBase {
  Piece own;
  unsigned v;
  Virtuals(unsigned &at, unsigned v) : VirtualBase(at, v / 2u), own(at, v), v(v) {}
};
struct Caller { virtual unsigned call(unsigned a, unsigned b) const = 0; };
[[gnu::noinline]] inline unsigned called(const Caller &c, unsigned a, unsigned b) { return c.call(a, b); }
[[gnu::noinline]] inline unsigned through(unsigned (*f)(unsigned, unsigned), unsigned a, unsigned b) { return f(a, b) ^ 1u; }
[[gnu::noinline]] inline void again() { throw; }
/// What is handled, by those that are called.
inline unsigned asked(unsigned x) {
  const std::exception_ptr now = std::current_exception();
  try {
    again();
  } catch (unsigned y) {
    x ^= y;
  } catch (const Root &e) {
    x += e.of(3u);
  } catch (...) {
    x += now == std::current_exception() ? 5u : 6u;
  }
  return x;
}
[[gnu::noinline]] inline unsigned kept(unsigned a, unsigned b) {
  std::exception_ptr held;
  try {
    a += thrower(a, b);
  } catch (...) {
    held = std::current_exception();
  }
  if (!held)
    return a ^ 5u;
  const std::exception_ptr other = held;
  for (unsigned i = 0; i != 2; ++i)
    try {
      std::rethrow_exception(i ? other : held);
    } catch (Plain &e) {
      e.b += 7u;
      a = a * 3u + e.b;
    } catch (unsigned x) {
      a += x;
    } catch (const Right &e) {
      a ^= e.of(e.r);
    }
  if (a & 8u)
    std::rethrow_exception(std::move(held));
  return a + (std::make_exception_ptr(a) == nullptr);
}
inline unsigned nested(unsigned x) {
  try {
    try {
      x += thrower(x, 3u);
    } catch (...) {
      std::throw_with_nested(Root(x));
    }
  } catch (const Root &e) {
    x += e.v;
    try {
      std::rethrow_if_nested(e);
    } catch (const Plain &p) {
      x ^= p.a;
    } catch (unsigned y) {
      x *= y;
    } catch (const Bottom &b) {
      x += b.l;
    }
  }
  return x;
}
inline std::variant<unsigned, Color> either(unsigned x) {
  if (x % 3u)
    return x;
  return Color::blue;
}
inline const Right &cast_of(unsigned x) {
  const Root &r = x % 3u ? static_cast<const Root &>(bottom) : lefty;
  return dynamic_cast<const Right &>(r);
}
"""


class Program(order.Program):
    def __init__(self, seed, each):
        super().__init__(seed, each, Kernel, PROLOGUE)


if __name__ == "__main__":
    sys.exit(runs.main(Program, runs.arguments("throws", 40).parse_args()))
