#!/usr/bin/env python3
# Random kernels that pass addresses about
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: access.py --xcc PATH [--seeds FIRST LAST] [--each N] [--options=-O1,-O2]
#                  [--keep FOLDER]
#
# Each seed gives a program of N kernels over a graph of objects. They load,
# store, copy, swap and rebuild addresses, through local and block-shared memory,
# functions, virtual functions and integers. Each runs on the CPU device while
# no object can be used in a way that the image's kernel table does not name
# (Inputs/access_objects.h): what the compiler missed is an invalid access.

import json
import os
import random
import subprocess
import sys

import campaign

HERE = os.path.dirname(os.path.abspath(__file__))

HELPERS = """
[[gnu::noinline]] Node *choose(Node *x, Node *y, int k) { return k & 1 ? x : y->a; }
[[gnu::noinline]] void put(Node **to, Node *what) { *to = what; }
[[gnu::noinline]] Node *walk(Node *n, int depth) { return depth > 0 ? walk(depth & 1 ? n->a : n->c[depth & 1], depth - 1) : n; }
[[gnu::noinline]] void bump(Node *n) { n->v += 3; }
[[gnu::noinline]] void wipe(Node *n) { n->w = 0; }
[[gnu::noinline]] long sum(Node copy) { return copy.v + copy.a->w + copy.bytes[1]; }
struct Pair { Node *x, *y; int k; };
[[gnu::noinline]] Pair turned(Pair p) { return {p.y, p.x, p.k + 1}; }
struct Visitor { virtual Node *visit(Node *n) = 0; };
struct Left : Visitor { Node *visit(Node *n) override { return n->a; } };
struct Keeps : Visitor { Node *kept; explicit Keeps(Node *n) : kept(n) {} Node *visit(Node *n) override { n->w ^= 1; return kept; } };
template <class F> [[gnu::noinline]] void apply(F &&f, int k) { f(k); }
"""


class Kernel:
    def __init__(self, seed, number):
        self.r = random.Random(f"{seed}.{number}")
        self.name = f"kernel_{number}"
        self.locals = 0
        r = self.r
        # Kernels that do all of it have no column, or one that names all.
        kinds = list(self.statements())
        self.chosen = r.sample(kinds, r.randint(2, 7))
        self.sources = r.sample(list(range(len(self.plain("n0", "n1")))), r.randint(2, 6))
        body = ["Node *n0 = %s;" % self.first(), "Node *n1 = %s;" % self.first(), "Node *n2 = n0;", "long acc = roots.k;",
                "int k = roots.k + int(xcc::thread_idx().x);"]
        for _ in range(r.randint(2, 9)):
            body += self.statement(2)
        if r.random() < 0.5:
            body.append("roots.out->v = acc;")
        self.body = body

    def fresh(self):
        self.locals += 1
        return f"t{self.locals}"

    def var(self):
        return self.r.choice(["n0", "n1", "n2"])

    def first(self):
        return self.r.choice(["roots.r0", "roots.r0", "roots.out", "roots.r0->a", "roots.list[1]", "roots.odd[2].n", "roots.own.a",
                              "const_cast<Node *>(roots.r1)", "roots.r1->b"])

    def plain(self, x, y):
        return [x, f"{x}->a", f"{x}->b", f"{x}->c[k & 1]", "roots.list[k & 3]", "roots.odd[k % 3].n", f"{x}->a->b", "roots.own.c[k & 1]",
                f"(k & 1 ? {x} : {y})", f"choose({x}, {y}, k)", f"walk({x}, k & 3)", "roots.r0", "roots.out", f"(acc > 9 ? {x}->a : {y}->c[1])"]

    def node(self):
        options = self.plain(self.var(), self.var())
        return options[self.r.choice(self.sources)]

    def statements(self):
        return {
            "number": lambda: [f"{self.var()}->v += acc;", f"{self.var()}->w = int(acc);", f"{self.var()}->d *= 1.5;",
                               f"{self.var()}->bytes[k & 7] = (unsigned char)acc;"],
            "read": lambda: [f"acc += {self.node()}->v;", f"acc ^= {self.node()}->bytes[k & 7];", f"acc += long({self.node()}->d);"],
            "move": lambda: [f"{self.var()} = {self.node()};"],
            "link": lambda: [f"{self.var()}->{self.r.choice(['a', 'b', 'c[k & 1]', 'c[0]'])} = {self.node()};",
                             f"roots.list[k & 3] = {self.node()};", f"roots.odd[k % 3].n = {self.node()};"],
            "whole": lambda: [f"*{self.var()} = *{self.node()};", f"*{self.var()} = roots.own;", "roots.odd[0] = roots.odd[k % 3];"],
            "copy": lambda: [f"std::memcpy({self.var()}->c, {self.node()}->c, 16);", f"std::memmove(&{self.var()}->a, &{self.node()}->b, 8);",
                             f"std::memcpy(&{self.var()}->bytes, &{self.node()}->bytes, 8);", "std::memcpy(roots.list, roots.list + 1, 8 * (k & 3));"],
            "swap": lambda: [f"std::swap({self.var()}->a, {self.var()}->c[1]);", f"std::swap(n0, {self.var()});", f"std::swap(*{self.var()}, *{self.node()});",
                             "std::reverse(roots.list, roots.list + 4);"],
            "bytes": lambda: [f"for (int i = 0; i != 8; ++i) std::swap(((char *)&{self.var()}->a)[i], ((char *)&{self.var()}->b)[i]);",
                              f"for (int i = 0; i != 8; ++i) ((volatile char *)&{self.var()}->b)[i] = ((volatile char *)&{self.var()}->a)[i];"],
            "local": self.local, "function": self.function, "integer": self.integer, "object": self.object, "shared": self.shared,
            "heap": self.heap, "parts": self.parts,
        }

    def local(self):
        t, x, y = self.fresh(), self.var(), self.node()
        return [f"{{ Node {t} = *{x}; {t}.b = {y}; {x} = {t}.{self.r.choice(['a', 'b', 'c[k & 1]'])}; }}",
                f"{{ Node *{t}[3] = {{{x}, {y}, n0}}; {x} = {t}[k % 3]; }}",
                f"{{ Pair {t} = turned({{{x}, {y}, k}}); {x} = {t}.x; k = {t}.k; }}",
                f"{{ Odd {t} = roots.odd[k % 3]; {x} = {t}.n; }}",
                f"{{ Odd {t}[2] = {{roots.odd[0], roots.odd[1]}}; {x} = {t}[k & 1].n; }}",
                f"{{ Node *{t}; std::memcpy(&{t}, &{x}->c[k & 1], 8); {x} = {t}; }}",
                f"{{ Roots {t} = roots; {t}.own.a = {y}; {x} = {t}.own.{self.r.choice(['a', 'b'])}; }}"]

    def function(self):
        x = self.var()
        return [f"put(&{self.var()}->a, {self.node()});", f"put(&{x}, {self.node()});", f"bump({self.node()});", f"acc += sum(*{x});",
                f"(k & 1 ? bump : wipe)({self.node()});", "{ void (*f[2])(Node *) = {bump, wipe}; f[k & 1](%s); }" % self.node(),
                f"apply([&](int j) {{ {x} = j & 1 ? {x}->b : {self.var()}; acc += j; }}, k);",
                f"apply([&roots, {x}](int j) {{ {x}->w = j; roots.list[j & 3] = {x}; }}, k);"]

    def integer(self):
        t, x, y = self.fresh(), self.var(), self.node()
        return [f"{x} = (Node *)((std::uintptr_t){y});", f"{x} = (Node *)(((std::uintptr_t){y} | 1) & ~std::uintptr_t(1));",
                f"{{ auto {t} = (std::uintptr_t){x} ^ (std::uintptr_t){y}; {x} = (Node *)({t} ^ (std::uintptr_t){x}); }}",
                f"acc += ((std::uintptr_t){x} >> 4 & 1) + ({x} == {y});",
                f"{{ Node *{t}n = {y}; std::uintptr_t {t}; std::memcpy(&{t}, &{t}n, 8); std::memcpy(&{x}, &{t}, 8); }}",
                f"{{ std::uintptr_t {t}; std::memcpy(&{t}, &{x}->a, 8); std::memcpy(&{self.var()}->b, &{t}, 8); }}"]

    def object(self):
        t, x = self.fresh(), self.var()
        return [f"{{ Left {t}; Keeps {t}k({self.node()}); Visitor *{t}v = k & 1 ? (Visitor *)&{t} : &{t}k; {x} = {t}v->visit({x}); }}",
                f"{{ Keeps {t}({self.node()}); Visitor &{t}v = {t}; acc += {t}v.visit({x})->w; }}"]

    def shared(self):
        t, x = self.fresh(), self.var()
        return [f"{{ static xcc::block_shared<Node *[4]> {t}; {t}[k & 3] = {x}; {t}[(k + 1) & 3] = {self.node()}; {x} = {t}[k & 3]; }}"]

    def heap(self):
        t, x = self.fresh(), self.var()
        return [f"{{ std::vector<Node *> {t}; {t}.push_back({x}); {t}.push_back({self.node()}); {x} = {t}[k & 1]; }}",
                f"{{ Node **{t} = new Node *[2]; {t}[0] = {x}; {t}[1] = {self.node()}; {x} = {t}[k & 1]; delete[] {t}; }}"]

    def parts(self):
        t, x = self.fresh(), self.var()
        return [f"{{ union {{ Node *p; unsigned h[2]; }} {t}, {t}o; {t}.p = {self.node()}; {t}o.h[0] = {t}.h[0]; {t}o.h[1] = {t}.h[1]; {x} = {t}o.p; }}",
                f"{{ unsigned {t}[2]; std::memcpy({t}, &{x}->a, 8); std::memcpy(&{x}->b, {t}, 4); std::memcpy((char *)&{x}->b + 4, {t} + 1, 4); }}"]

    def statement(self, depth):
        r = self.r
        if depth and r.random() < 0.2:
            inner = [s for _ in range(r.randint(1, 3)) for s in self.statement(depth - 1)]
            head = r.choice(["if (k & 1) {", "if (acc > 20) {", "for (int i = 0; i != 3; ++i, ++k) {"])
            return [head] + ["  " + s for s in inner] + ["}"]
        kinds = self.statements()
        return [r.choice(kinds[r.choice(self.chosen)]())]

    def source(self):
        return "\n".join([f"void {self.name}(Roots roots) {{"] + ["  " + s for s in self.body] + ["}"])


def program(seed, count):
    kernels = [Kernel(seed, i) for i in range(count)]
    calls = "\n".join(
        f'  objects::run(columns, "{k.name}", [](Roots &r) {{ xcc::launch({{{{1}}, {{2}}}}, {k.name}, r); }});' for k in kernels)
    return ('#include "access_objects.h"\n' + HELPERS + "\n".join(k.source() for k in kernels) +
            "\nint main(int, char **args) {\n  auto columns = objects::columns(args[1]);\n" + calls +
            '\n  std::printf("%d failed\\n", objects::failures);\n  return objects::failures != 0;\n}\n')


def test(seed, option, args, folder):
    """(kernels that have a column, all, message)"""
    base = os.path.join(folder, f"access_{seed}{option}")
    with open(base + ".cpp", "w") as file:
        file.write(program(seed, args.each))
    subprocess.run([args.xcc, "-std=c++20", option, "-w", "-I" + HERE + "/Inputs", "-I" + HERE + "/../..",
                    base + ".cpp", "-o", base], check=True)
    info = os.path.join(os.path.dirname(args.xcc), "xcc-info")
    images = json.loads(subprocess.check_output([info, "--json", base]))["files"][0]["images"]
    columns = {k["name"]: k["access"] for k in images[0]["kernels"] if "access" in k}
    with open(base + ".columns", "w") as file:
        file.writelines(f"{name} {column}\n" for name, column in columns.items())
    ran = subprocess.run([base, base + ".columns"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    wrong = "" if ran.returncode == 0 else f"seed {seed} {option}:\n{ran.stdout}"
    return len(columns), args.each, wrong


if __name__ == "__main__":
    sys.exit(campaign.run(test, 40, "{} kernels with a column of {}"))
