#!/usr/bin/env python3
# Random classes, and whether they are the same on every device
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: records.py --xcc PATH [--seeds FIRST LAST] [--each N] [--options=-O0,-O2]
#                 [--on cpu,nvptx,amdgcn] [--only NAME] [--print]
#
# Each seed gives a program with N classes: structs and unions, with bases,
# virtual ones too, bit-fields, packed and aligned by numbers and by every
# constant that the language and its library have, empty members, arrays, vectors,
# classes of the library. A kernel says of each class its size and alignment,
# where its bases and members are, and which bits are a bit-field's; the same code
# says it on the host. An object that has no tables of virtual functions is also
# given to a kernel by value and by reference, with every member set, and comes
# back with others.

import random
import sys

import runs

SCALARS = ["bool", "char", "schar", "short", "ushort", "int", "unsigned", "long",
           "ulong", "llong", "float", "double", "wchar_t", "char16_t", "char32_t",
           "Small", "Wide", "Tiny", "__int128", "std::byte", "_Float16"]
POINTERS = ["Ints", "Text", "Any", "std::nullptr_t", "Member"]
LIBRARY = ["std::pair<char, long>", "std::array<short, 3>", "std::optional<int>",
           "std::tuple<char, double, short>", "std::complex<float>", "std::pair<Empty, int>",
           "std::tuple<Empty, Other, int>", "std::chrono::seconds", "std::bitset<70>",
           "std::variant<char, double>"]
VECTORS = ["v2float", "v4float", "v8int", "v3char"]
EMPTY = ["Empty", "Other", "Derived"]
BITS = ["int", "unsigned", "char", "long", "ulong", "bool", "Small", "Wide", "short"]
WIDTH = {"int": 32, "unsigned": 32, "char": 8, "long": 64, "ulong": 64, "bool": 1,
         "Small": 8, "Wide": 64, "short": 16}
ALIGNMENTS = ["1", "2", "4", "8", "16", "32", "64", "128", "256", "__BIGGEST_ALIGNMENT__",
              "alignof(std::max_align_t)", "alignof(long long)",
              "alignof(double)", "alignof(void *)", "alignof(__int128)",
              "__STDCPP_DEFAULT_NEW_ALIGNMENT__", "std::hardware_destructive_interference_size",
              "std::hardware_constructive_interference_size", "alignof(std::complex<double>)",
              "alignof(std::aligned_storage_t<24>)", "alignof(std::jmp_buf)", "alignof(wchar_t)",
              "alignof(std::mutex)", "alignof(v8int)", "alignof(Aligned)"]
SIZES = ["1", "2", "3", "5", "sizeof(std::max_align_t)", "sizeof(wchar_t)",
         "sizeof(std::mutex) / 8", "__SIZEOF_POINTER__", "sizeof(Aligned) / 4"]

HEAD = r"""
#ifndef REFERENCE
#include <xcc/xcc.h>
#endif
#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

using word = unsigned long;
using schar = signed char;
using ushort = unsigned short;
using ulong = unsigned long;
using llong = long long;
using Ints = int *;
using Text = const char *;
using Any = void *;
enum class Small : char { none };
enum class Wide : unsigned long { none };
enum __attribute__((packed)) Tiny { nothing, something };
struct Empty {};
struct Other {};
struct Derived : Empty {};
inline bool operator==(Empty, Empty) { return true; }
inline bool operator==(Other, Other) { return true; }
struct Pair { int a, b; };
using Member = int Pair::*;
struct __attribute__((aligned)) Aligned { char c; };
typedef float v2float __attribute__((vector_size(8)));
typedef float v4float __attribute__((vector_size(16)));
typedef int v8int __attribute__((vector_size(32)));
typedef char v3char __attribute__((ext_vector_type(3)));

/// What is known of a class, as numbers.
struct Facts {
  word *first, *last;
  void add(word value) { *last++ = value; }
};
template <class Object, class Part> word place(Object *object, Part *part) {
  return word(reinterpret_cast<const volatile char *>(part) -
              reinterpret_cast<const volatile char *>(object));
}
/// The bits in which an object of so many bytes differs from what it was; of
/// large objects nothing, since simulators are slow.
struct Bits {
  static constexpr word most = 512;
  volatile unsigned char *bytes;
  word size;
  template <class Set> word of(Set set) {
    if (size > most)
      return 0;
    unsigned char before[most];
    for (word i = 0; i < size; ++i)
      before[i] = bytes[i];
    set();
    word sum = 7;
    for (word i = 0; i < size; ++i)
      sum = (sum ^ (unsigned char)(bytes[i] ^ before[i])) * 0x100000001b3u;
    return sum;
  }
};

inline void fill(_Float16 &v, word n) { v = _Float16(float(n & 63)); }
inline void fill(__int128 &v, word n) { v = __int128(n) << 40; }
inline void fill(v2float &v, word n) { v = v2float{float(n & 7), 1}; }
inline void fill(v4float &v, word n) { v = v4float{float(n & 7), 1, 2, 3}; }
inline void fill(v8int &v, word n) { v = v8int{int(n & 7), 1, 2, 3, 4, 5, 6, 7}; }
inline void fill(v3char &v, word n) { v = v3char{char(n & 7), 1, 2}; }
template <class A, class B> void fill(std::pair<A, B> &, word);
template <class A, std::size_t N> void fill(std::array<A, N> &, word);
template <class A> void fill(std::optional<A> &, word);
template <class... A> void fill(std::tuple<A...> &, word);
template <class A> void fill(std::complex<A> &, word);
inline void fill(std::chrono::seconds &, word);
template <std::size_t N> void fill(std::bitset<N> &, word);
template <class... A> void fill(std::variant<A...> &, word);

template <class T> void set(T &v, word n) {
  if constexpr (std::is_same_v<T, bool>)
    v = n & 1;
  else if constexpr (std::is_enum_v<T>)
    v = T(n & 1);
  else if constexpr (std::is_arithmetic_v<T>)
    v = T(n & 63);
  else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>)
    v = nullptr;
  else if constexpr (std::is_member_pointer_v<T>)
    v = n & 1 ? &Pair::a : &Pair::b;
  else if constexpr (std::is_empty_v<T>)
    ;
  else
    fill(v, n);
}
template <class A, class B> void fill(std::pair<A, B> &v, word n) { set(v.first, n); set(v.second, n + 1); }
template <class A, std::size_t N> void fill(std::array<A, N> &v, word n) { for (A &a : v) set(a, n++); }
template <class A> void fill(std::optional<A> &v, word n) { v = A(n & 63); }
template <class... A> void fill(std::tuple<A...> &v, word n) { std::apply([&](A &...a) { (set(a, n++), ...); }, v); }
template <class A> void fill(std::complex<A> &v, word n) { v = {A(n & 7), A(n & 3)}; }
inline void fill(std::chrono::seconds &v, word n) { v = std::chrono::seconds(n & 63); }
template <std::size_t N> void fill(std::bitset<N> &v, word n) { v = std::bitset<N>(n); v[N - 1] = n & 1; }
template <class... A> void fill(std::variant<A...> &v, word n) { n & 1 ? v = char(n & 63) : v = double(n & 63); }

template <class T> bool same(const T &a, const T &b) {
  if constexpr (std::is_empty_v<T>)
    return true;
  else if constexpr (requires { __builtin_convertvector(a, T); })
    return !std::memcmp(&a, &b, sizeof(a[0]) * (sizeof(T) == 4 ? 3 : sizeof(T) / sizeof(a[0])));
  else
    return bool(a == b);
}
"""

class Member:
    def __init__(self, name, kind, type_, count=None, width=None, attribute=""):
        self.name, self.kind, self.type = name, kind, type_
        self.count, self.width, self.attribute = count, width, attribute

    def text(self):
        if self.kind == "bits":
            return f"  {self.type} {self.name or ''} : {self.width};\n"
        array = f"[{self.count}]" if self.count else ""
        before = "[[no_unique_address]] " if self.kind == "empty" and self.attribute == "shares" else ""
        align = f"alignas({self.attribute}) " if self.kind == "aligned" else ""
        return f"  {before}{align}{self.type} {self.name}{array};\n"


class Record:
    """`plain`: may be copied where it is not aligned. `passes`: may be given to
    kernels, and filled. `united`: may be in a union."""

    def __init__(self, r, number, before):
        self.name = f"T{number}"
        self.union = r.random() < 0.12
        self.packed = r.choice(["", "", "", "", "packed", "pragma"])
        self.packing = r.choice([1, 2, 4, 8])
        self.aligned = r.choice(ALIGNMENTS) if r.random() < 0.35 else ""
        self.natural = r.random() < 0.04
        self.uses, self.bases, self.members = [], [], []
        self.virtual = False
        self.plain = self.passes = self.united = True
        self.ancestors = {self}
        if not self.union and not (self.packed and r.random() < 0.7):
            self.chooseBases(r, before)
        if not self.union and r.random() < 0.06:
            self.virtual = True
        for i in range(r.randint(1, 7)):
            self.addMember(r, f"m{number}_{i}", before)
        if not any(m.name for m in self.members):
            self.members.append(Member(f"m{number}_x", "scalar", "int"))
        if self.virtual:
            self.plain = self.passes = self.united = False

    def take(self, other, base=False):
        self.uses.append(other)
        self.plain &= other.plain
        self.passes &= other.passes and not (base and self.packed)
        self.united &= other.united
        self.virtual |= base and other.virtual

    def chooseBases(self, r, before):
        for _ in range(r.choice([0, 0, 1, 1, 2, 3])):
            # The constructor of a base expects its alignment, which NVIDIA GPUs insist on.
            fitting = [o for o in before if not o.union and not o.ancestors & self.ancestors
                       and not (self.packed and not o.plain)]
            if not fitting:
                break
            base = r.choice(fitting[-12:])
            isVirtual = r.random() < 0.12
            self.bases.append((base, isVirtual))
            self.ancestors |= base.ancestors
            self.take(base, base=True)
            self.virtual |= isVirtual
        for name in EMPTY[:2]:
            if name not in self.ancestors and r.random() < 0.1:
                self.bases.append((name, False))
                self.ancestors.add(name)
        self.plain &= not self.bases

    def addMember(self, r, name, before):
        kind = r.choices(["scalar", "array", "bits", "class", "library", "vector", "empty", "aligned",
                          "pointer"], [8, 3, 6, 4, 2, 1, 2, 2, 1])[0]
        fits = [o for o in before[-15:] if not (self.packed and not o.plain)
                and not (self.union and not o.united)]
        if kind == "class" and not fits or (self.packed or self.union) and kind in ("library", "vector"):
            kind = "scalar"
        if self.union and kind in ("pointer", "empty"):
            kind = "array"
        count = r.choice(SIZES) if kind == "array" or r.random() < 0.1 else None
        if kind == "bits":
            type_ = r.choice(BITS)
            if r.random() < 0.15 and not self.union:
                self.members.append(Member("", "bits", "int", width=r.choice([0, 0, 3, 17])))
                return
            self.members.append(Member(name, "bits", type_, width=r.randint(1, WIDTH[type_])))
        elif kind == "class":
            other = r.choice(fits)
            self.take(other)
            count = count and r.choice(["2", "3"])
            self.members.append(Member(name, "class", other.name, count))
            self.plain &= other.plain
        elif kind == "library":
            self.plain = self.united = False
            self.members.append(Member(name, kind, r.choice(LIBRARY)))
        elif kind == "vector":
            self.plain = False
            self.members.append(Member(name, kind, r.choice(VECTORS)))
        elif kind == "empty":
            self.united = False
            self.members.append(Member(name, kind, r.choice(EMPTY), attribute=r.choice(["", "shares"])))
        elif kind == "aligned":
            self.plain &= not self.packed
            self.passes &= not self.packed
            self.members.append(Member(name, kind, "char", r.choice(SIZES), attribute=r.choice(ALIGNMENTS)))
        elif kind == "pointer":
            self.united = False
            self.members.append(Member(name, kind, r.choice(POINTERS)))
        else:
            self.members.append(Member(name, kind, r.choice(SCALARS), count))

    def definition(self):
        bases = ", ".join((f"virtual {b.name}" if v else b if isinstance(b, str) else b.name)
                          for b, v in self.bases)
        attributes = (" __attribute__((packed))" if self.packed == "packed" else "") + \
            (f" __attribute__((aligned({self.aligned})))" if self.aligned else "") + \
            (" __attribute__((aligned))" if self.natural else "")
        own = "  virtual void own() {}\n" if self.virtual and not any(v for _, v in self.bases) else ""
        text = f"{'union' if self.union else 'struct'}{attributes} {self.name}" + \
            (f" : {bases}" if bases else "") + " {\n" + own + \
            "".join(m.text() for m in self.members) + "};\n"
        if self.packed == "pragma":
            text = f"#pragma pack(push, {self.packing})\n{text}#pragma pack(pop)\n"
        return text

    def facts(self):
        name = self.name
        lines = [f"static void facts_{name}(Facts &f) {{",
                 f"  f.add(sizeof({name}));", f"  f.add(alignof({name}));",
                 f"  alignas({name}) unsigned char room[sizeof({name})];",
                 "  std::memset(room, 0, sizeof(room));",
                 f"  {name} *o = ::new ((void *)room) {name};",
                 f"  Bits bits{{room, sizeof(room)}};"]
        for base, _ in self.bases:
            base = base if isinstance(base, str) else base.name
            lines.append(f"  f.add(place(o, static_cast<{base} *>(o)));")
        for m in self.members:
            if m.kind == "bits" and m.name:
                lines.append(f"  o->{m.name} = {m.type}(0);")
                lines.append(f"  f.add(bits.of([&] {{ o->{m.name} = {m.type}(-1); }}));")
            elif m.kind != "bits":
                lines.append(f"  f.add(place(o, std::addressof(o->{m.name})));")
                lines.append(f"  f.add(sizeof(o->{m.name}));")
        return "\n".join(lines) + "\n}\n"

    def filled(self):
        """Functions that fill an object, and compare two, by copies of members."""
        name = self.name
        put, equal = [], []
        for k, (base, _) in enumerate(self.bases):
            if not isinstance(base, str):
                put.append(f"  fill(static_cast<{base.name} &>(o), n + {k + 20});")
                equal.append(f"same(static_cast<const {base.name} &>(a), static_cast<const {base.name} &>(b))")
        members = [m for m in self.members if m.name and m.kind != "empty"]
        if self.union:
            members = members[-1:]
        for k, m in enumerate(members):
            if m.kind == "bits":
                put.append(f"  o.{m.name} = {m.type}((n + {k}) & 1);")
                equal.append(f"a.{m.name} == b.{m.name}")
            elif m.count:
                put.append(f"  for (word i = 0; i < std::extent_v<decltype(o.{m.name})>; ++i) {{"
                           f" {m.type} t{{}}; set(t, n + {k} + i); o.{m.name}[i] = t; }}")
                equal.append(f"[&] {{ for (word i = 0; i < std::extent_v<decltype(a.{m.name})>; ++i) {{"
                             f" {m.type} s = a.{m.name}[i], t = b.{m.name}[i]; if (!same(s, t)) return false; }}"
                             " return true; }()")
            else:
                put.append(f"  {{ {m.type} t{{}}; set(t, n + {k}); o.{m.name} = t; }}")
                equal.append(f"[&] {{ {m.type} s = a.{m.name}, t = b.{m.name}; return same(s, t); }}()")
        return (f"static void fill({name} &o, word n) {{\n" + "\n".join(put) + "\n}\n"
                f"static bool same(const {name} &a, const {name} &b) {{\n  return "
                + " &&\n         ".join(equal or ["true"]) + ";\n}\n")

    def shown(self):
        name = self.name
        if not self.passes:
            return f"static void show_{name}() {{ show<facts_{name}>(\"{name}\", [] {{ return true; }}); }}\n"
        return f"""static void take_{name}({name} value, const {name} &constant, {name} &object, int *right) {{
  {name} expected{{}};
  fill(expected, 3);
  *right = same(value, expected) + 2 * same(constant, expected) + 4 * same(object, expected);
  fill(object, 6);
}}
static void show_{name}() {{
  show<facts_{name}>("{name}", [] {{
    {name} object{{}}, constant{{}}, after{{}};
    fill(object, 3);
    fill(constant, 3);
    fill(after, 6);
    int right = 0;
#ifdef REFERENCE
    take_{name}(object, constant, object, &right);
#else
    xcc::map scope(right);
    xcc::launch({{1, 1}}, take_{name}, object, constant, object, &right);
    xcc::synchronize();
    scope.to_host(right);
#endif
    return right == 7 && same(object, after);
  }});
}}
"""


RUN = r"""
template <auto Of> static word collect(word *numbers) {
  word *last = numbers;
#ifdef REFERENCE
  Facts f{numbers, numbers};
  Of(f);
  last = f.last;
#else
  xcc::buffer<word> there(129);
  word *at = there.data();
  xcc::launch({1, 1}, [at] {
    Facts f{at + 1, at + 1};
    Of(f);
    at[0] = word(f.last - f.first);
  });
  const auto all = there.to_vector();
  for (word i = 0; i < all[0]; ++i)
    *last++ = all[1 + i];
#endif
  return word(last - numbers);
}
template <auto Of, class Passed> static void show(const char *name, Passed passed) {
  word numbers[128];
  const word count = collect<Of>(numbers);
  std::printf("%s", name);
  for (word i = 0; i < count; ++i)
    std::printf(" %lx", numbers[i]);
  std::printf(" %s\n", passed() ? "passed" : "not passed");
  std::fflush(stdout);
}
"""


class Program:
    def __init__(self, seed, each):
        r = random.Random(seed)
        self.records = []
        for i in range(each):
            self.records.append(Record(r, i, self.records))
        self.wanted = set(self.records)

    @property
    def names(self):
        return [record.name for record in self.records if record in self.wanted]

    def keep(self, name):
        self.wanted = {record for record in self.records if record.name == name}

    def source(self):
        needed, waiting = set(), list(self.wanted)
        while waiting:
            record = waiting.pop()
            if record not in needed:
                needed.add(record)
                waiting += record.uses
        needed = [record for record in self.records if record in needed]
        text = [HEAD] + [record.definition() for record in needed]
        text += [f"static void fill({x.name} &, word);\nstatic bool same(const {x.name} &, const {x.name} &);\n"
                 for x in needed if x.passes]
        text += [record.filled() for record in needed if record.passes]
        text.append(RUN)
        for record in needed:
            if record in self.wanted:
                text += [record.facts(), record.shown()]
        calls = "\n".join(f"  if (first <= {i}) show_{name}();" for i, name in enumerate(self.names))
        text.append("int main(int, char **words) {\n  const int first = std::atoi(words[1]);\n" + calls + "\n}\n")
        return "\n".join(text)

    def reduced(self, name, _):
        self.keep(name)
        return self.source()


if __name__ == "__main__":
    arguments = runs.arguments("random classes on every device", 40).parse_args()
    # Bits::of reads all bytes of an object. To Clang, that of a pointer to virtual functions is no char's.
    arguments.options = [f"{option} -fno-strict-aliasing" for option in arguments.options]
    sys.exit(runs.main(Program, arguments))
