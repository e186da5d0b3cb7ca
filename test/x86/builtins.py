#!/usr/bin/env python3
# x86's instructions in code for GPUs, against the instructions themselves
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: builtins.py list LLVM                     HostInstructions.def, to stdout
#        builtins.py check LLVM                    does it have all that is defined?
#        builtins.py host LLVM [SAMPLES]           a program, to stdout
#        builtins.py device LLVM PART/PARTS [SAMPLES]
#
# Clang's own tables (clang/Basic/BuiltinsX86*.inc) say which builtins there are,
# of what types and for which CPUs. `host` makes a C++ program that contains the
# sources of device-runtime/gpu/x86 and compares each function with the builtin
# whose place it takes, on random arguments.
# `device` makes a program for xcc that runs every builtin in kernels and on the
# host, and compares. What the CPU at hand lacks is left out.

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RUNTIME = ROOT / "device-runtime/gpu/x86"
LIST = ROOT / "frontend/kernels/check/HostInstructions.def"
PREFIX = "__builtin_ia32_"
# No type of Clang's table, or a machine of 32 bits.
UNTRIED = re.compile("amx|prefetchi")
# What CPUs of today's test machines have; the rest is compiled, not run.
RUN = {"", "mmx", "sse", "sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2", "fma", "bmi",
       "bmi2", "f16c", "crc32", "pclmul", "aes", "vaes", "vpclmulqdq", "sha", "gfni"}
# They have no result that could be compared, or one of the machine's own.
NO_RESULT = re.compile(r"(mfence|[ls]fence|serialize|pause|emms|vzero\w+|clflush\w*|clwb|"
                       r"stmxcsr|rdtscp?|undef\d+|rdrand.*|rdseed.*|supports|is|init)$")
# NaN is NaN where numbers are computed; elsewhere all bits are compared.
COMPUTES = re.compile(r"(h?add|h?sub|mul|div|sqrt|dp|round|cvt|vcvt|vfm|addsub|rcp|rsqrt)")
APPROXIMATE = re.compile(r"(rcp|rsqrt)")


class Builtin:
    def __init__(self, name, types, attributes, features):
        self.name = name
        self.features = [f.strip("()") for f in re.sub(r"\|[^,]*", "", features).split(",") if f]
        self.types = decode(types)

    @property
    def immediates(self):
        return sum(immediate for _, immediate in self.types[1:])


NAMES = {"v": "void", "b": "bool", "c": "char", "s": "short", "i": "int", "f": "float",
         "d": "double", "x": "_Float16", "y": "__bf16", "h": "__fp16", "z": "unsigned long",
         "w": "wchar_t"}


def decode(text):
    """The types of a builtin's result and parameters, and which are immediates.

    The letters are those of clang/Basic/Builtins.def."""
    result, at = [], 0

    def one(modifiers):
        nonlocal at
        letter = text[at]
        if letter == "V":
            count = re.match(r"V(\d+)", text[at:])
            at += len(count.group(0))
            own = ""
            while text[at] in "LSUWO":
                own += text[at]
                at += 1
            return ("vector", int(count.group(1)), one(own))
        at += 1
        name = NAMES[letter]
        if letter == "i" and "O" in modifiers:
            name = "long long"
        elif letter == "i" and set(modifiers) & set("LWN"):
            name = "long"
        if letter in "csi":
            if "U" in modifiers:
                name = "unsigned " + name
            elif "S" in modifiers and letter == "c":
                name = "signed char"
        return name

    while at < len(text):
        modifiers, immediate = "", False
        while text[at] in "ILSUWNO":
            if text[at] == "I":
                immediate = True
            else:
                modifiers += text[at]
            at += 1
        if text[at] == ".":
            result.append(("...", False))
            break
        type = one(modifiers)
        while at < len(text) and text[at] in "*CD":
            type = ("pointer" if text[at] == "*" else "const", type)
            at += 1
        result.append((type, immediate))
    return result


def spell(type):
    if isinstance(type, str):
        return type
    if type[0] == "vector":
        return f"Vec<{type[2]}, {type[1]}>"
    return spell(type[1]) + (" *" if type[0] == "pointer" else " const")


def load(llvm):
    found = {}
    for file in ("BuiltinsX86.inc", "BuiltinsX86_64.inc"):
        text = (pathlib.Path(llvm) / "include/clang/Basic" / file).read_text()
        text = text[text.index("#ifdef GET_BUILTIN_PREFIXED_INFOS"):]
        entry = r"StrOffsets\{" + ", ".join([r"\d+ /\* (.*?) \*/"] * 4) + r"\}"
        for each in re.finditer(entry, text):
            name, types, attributes, features = each.groups()
            if not UNTRIED.search(features) and not name.endswith("eflags_u32"):
                found[name] = Builtin(name, types, attributes, features)
    return found


VEC = "template <class T, int N> using Vec __attribute__((vector_size(N * sizeof(T)))) = T;\n"


def function(builtin, name, call, immediates):
    """A function that calls `call` with its own parameters and the immediates."""
    params, args, rest = [], [], list(immediates)
    for i, (type, immediate) in enumerate(builtin.types[1:]):
        if immediate:
            args.append(str(rest.pop(0)))
        else:
            params.append(f"{spell(type)} a{i}")
            args.append(f"a{i}")
    return (f"{spell(builtin.types[0][0])} {name}({', '.join(params)}) "
            f"{{ return {call}({', '.join(args)}); }}\n")


# --- the list --------------------------------------------------------------


def defined(llvm):
    """The functions that the device runtime's sources define."""
    text = "".join(f'#include "{path}"\n' for path in sorted(RUNTIME.glob("*.cpp")))
    out = subprocess.run([llvm + "/bin/clang", "-x", "c++", "-std=c++20", "-O0", "-w", "-S",
                          "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", "-", "-"],
                         input=text, check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"^define .*@__xcc_ia32_(\w+)\(", out, re.M))


def packed(macro, names):
    lines = [""]
    for name in sorted(names):
        item = f"{macro}({name})"
        if len(lines[-1]) + 1 + len(item) > 120:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + item
    return "\n".join(lines) + "\n"


def the_list(llvm):
    return f"""\
// x86's instructions in code for machines that are not the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's builtins that device-runtime/gpu/x86 has functions for, without their
// "{PREFIX}", and what else it answers for the host's CPU. Made by test/x86/builtins.py, which also says how they are tested.

{packed("INSTRUCTION", defined(llvm))}"""


def listed():
    return re.findall(r"\bINSTRUCTION\((\w+)\)", LIST.read_text())


# --- programs ----------------------------------------------------------------


def immediates(builtin, many):
    """Values for the immediates of a builtin: each a list of as many."""
    name, count = builtin.name, builtin.immediates
    if not count:
        return [[]]
    if name.startswith("gather"):
        values = [1, 2, 4, 8]
    elif name.startswith("round"):
        values = [0, 1, 2, 3, 4, 8, 9, 10, 11, 12]
    elif name.startswith(("cmpp", "cmps")):
        values = range(32)
    elif name.startswith("vcvtps2ph"):
        values = range(8)
    elif name.startswith("pclmul"):
        values = [0, 1, 16, 17]
    elif name.startswith(("vec_ext", "vec_set")):
        lanes = next(t[1] for t, _ in builtin.types[1:] if t[0] == "vector")
        values = [0, lanes // 2, lanes - 1]
    elif re.match("(vextractf|vinsertf|extract128|insert128)", name):
        values = [0, 1]
    elif re.match("(blendpd|shufpd|vpermilpd)", name):
        lanes = next(t[1] for t, _ in builtin.types[1:] if t[0] == "vector")
        values = range(1 << lanes)
    elif re.match("(blendps|pblendd)", name):
        lanes = next(t[1] for t, _ in builtin.types[1:] if t[0] == "vector")
        values = [0, 5, 10, (1 << lanes) - 1, 9]
    else:
        values = [0x00, 0x1b, 0x4e, 0xe4, 0x31, 0x7f, 0x0c, 0x44, 0x93, 0xff, 0x18, 0x29, 0x5a,
                  0x62, 0x03, 0x05, 0x08, 0x3a, 0x10, 0x11, 0x70, 0x71, 0xd1, 0xb1, 0x01]
        if name.startswith("pcmp"):
            values = range(0, 128, 7) if many else [0x00, 0x0c, 0x1a, 0x44, 0x3f, 0x71, 0x08, 0x35]
    values = list(values)
    if not many:
        values = values[:6] if len(values) > 8 else values
    # A char's value, as Clang wants it, is as good with its upper bit set.
    return [[value] * count for value in values]


COMMON = VEC + r"""
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

// Arguments come out of `bytes`; a pointer is `memory`, which may change.
template <int Memory> struct Arguments {
  unsigned char bytes[128];
  unsigned char memory[Memory];
};
template <int Memory> struct Result {
  unsigned char bytes[32];
  unsigned char memory[Memory];
};

template <class T> struct Take {
  static T from(const unsigned char *&bytes, unsigned char *) {
    T value;
    __builtin_memcpy(&value, bytes, sizeof(T));
    bytes += sizeof(T);
    return value;
  }
};
template <class T> struct Take<T *> {
  static T *from(const unsigned char *&, unsigned char *memory) { return (T *)memory; }
};

template <int Memory, class R, class... A>
inline void apply(R (*function)(A...), const Arguments<Memory> &in, Result<Memory> &out) {
  for (int i = 0; i < Memory; ++i)
    out.memory[i] = in.memory[i];
  __builtin_memset(out.bytes, 0, sizeof(out.bytes));
  const unsigned char *at = in.bytes;
  // Braces, so that arguments are taken in their order.
  struct Packed {
    Packed(R (*function)(A...), Result<Memory> &out, A... a) {
      if constexpr (std::is_void_v<R>) {
        function(a...);
      } else {
        R value = function(a...);
        __builtin_memcpy(out.bytes, &value, sizeof(R));
      }
    }
  };
  Packed{function, out, Take<A>::from(at, out.memory)...};
}

inline uint64_t state = 88172645463325252ull;
inline uint64_t random64() {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

// What instructions are particular about, and numbers of all kinds.
template <class T> T sample() {
  if constexpr (std::is_floating_point_v<T>) {
    static const T special[] = {T(0), T(-0.0), T(INFINITY), T(-INFINITY), T(NAN), T(0.5), T(1.5), T(2.5),
        T(-0.5), T(-1.5), T(1), T(-1), T(2147483648.0), T(-2147483648.0), T(2147483647.0),
        T(-2147483649.0), T(9223372036854775808.0), T(-9223372036854775808.0), T(65504), T(65519),
        T(65520), T(-65536), T(6.1e-5), T(5.96e-8), T(2.98e-8), T(1e-40), T(1e30), T(4194304.5), T(3.7),
        T(-3.7)};
    switch (random64() % 4) {
    case 0:
      return special[random64() % (sizeof(special) / sizeof(T))];
    case 1: {
      T value;
      uint64_t bits = random64();
      memcpy(&value, &bits, sizeof(T));
      return value;
    }
    case 2:
      return T(int64_t(random64() % 2000) - 1000) / 8;
    default:
      return T(int64_t(random64() >> 11)) / T(1ull << random64() % 60) * (random64() & 1 ? 1 : -1);
    }
  } else {
    switch (random64() % 4) {
    case 0:
      return T(random64() % 40);
    case 1:
      return T(int64_t(random64() % 9) - 4);
    case 2:
      return T((1ull << (sizeof(T) * 8 - 1)) - random64() % 3);
    default:
      return T(random64());
    }
  }
}
template <class T> void fill(unsigned char *bytes, int count, unsigned mask = ~0u) {
  for (int i = 0; i < count; ++i) {
    T value = sample<T>();
    if constexpr (std::is_integral_v<T>)
      value &= T(mask);
    memcpy(bytes + i * sizeof(T), &value, sizeof(T));
  }
}

enum { Exact, Computes, Approximate };

template <class T> bool same(T a, T b, int how) {
  if (!memcmp(&a, &b, sizeof(T)))
    return true;
  if constexpr (std::is_floating_point_v<T>) {
    if (how != Exact && a != a && b != b)
      return true;
    if (how == Approximate) // what is denormal, x86 takes for zero
      return std::fabs(a - b) <= std::fabs(b) / 2048 || std::isinf(b) ||
             (std::fabs(b) < 1e-37 && std::fabs(a) < 1e-37);
  }
  return false;
}
template <class T, int Memory>
bool same(const Result<Memory> &a, const Result<Memory> &b, int count, int how) {
  for (int i = 0; i < count; ++i) {
    T x, y;
    memcpy(&x, a.bytes + i * sizeof(T), sizeof(T));
    memcpy(&y, b.bytes + i * sizeof(T), sizeof(T));
    if (!same(x, y, how))
      return false;
  }
  return !memcmp(a.memory, b.memory, Memory);
}

inline int failures = 0, compared = 0;
inline void dump(const char *title, const unsigned char *bytes, int count) {
  printf("  %s", title);
  for (int i = 0; i < count; ++i)
    printf("%s%02x", i % 4 ? "" : " ", bytes[i]);
  printf("\n");
}
template <int Memory>
void failed(const char *name, const Arguments<Memory> &in, int size, const Result<Memory> &is,
            const Result<Memory> &should) {
  if (++failures > 20)
    return;
  printf("%s differs\n", name);
  dump("of", in.bytes, size);
  dump("is", is.bytes, 32);
  dump("should be", should.bytes, 32);
}
"""


def element(type):
    return type[2] if type[0] == "vector" else type


def count(type):
    return type[1] if type[0] == "vector" else 1


def fills(builtin):
    """Statements that fill `in`, the bytes that arguments take, and those of memory."""
    out, offset, memory = [], 0, 0
    sizes = {"char": 1, "short": 2, "int": 4, "float": 4, "double": 8, "long long": 8, "long": 8,
             "_Float16": 2}
    for i, (type, immediate) in enumerate(builtin.types[1:]):
        if type[0] == "pointer":
            memory = 256
        if immediate or memory and type[0] == "pointer":
            continue
        mask = ", 15" if builtin.name.startswith("gather") and i == 2 else ""
        unit = element(type)
        out.append(f"fill<{unit}>(in.bytes + {offset}, {count(type)}{mask});")
        offset += count(type) * sizes[re.sub("^(unsigned|signed) ", "", unit)]
    if memory:
        out.append(f"fill<float>(in.memory, {memory // 4});")
    return " ".join(out), offset, memory


def how(builtin):
    return "Approximate" if APPROXIMATE.match(builtin.name) else \
        "Computes" if COMPUTES.match(builtin.name) else "Exact"


def runnable(builtins):
    return [builtins[name] for name in listed()
            if name in builtins and not NO_RESULT.match(name) and set(builtins[name].features) <= RUN]


def where_present(builtin, text):
    """Text for a CPU that has the instruction, which -march=native knows."""
    conditions = [f"defined(__{f.upper().replace('.', '_')}__)" for f in builtin.features]
    if builtin.name in ("cmpss", "cmpsd"):  # with all their predicates
        conditions.append("defined(__AVX__)")
    return f"#if {' && '.join(conditions or ['1'])}\n{text}#endif\n"


def same_call(builtin):
    result = builtin.types[0][0]
    if result == "void":
        return "char", 0
    return element(result), count(result)


def host(llvm, samples):
    out = [f'#include "{path}"\n' for path in sorted(RUNTIME.glob("*.cpp"))]
    out.append(COMMON)
    main = []
    for builtin in runnable(load(llvm)):
        name = builtin.name
        for number, values in enumerate(immediates(builtin, many=True)):
            own = f"{name}_{number}"
            values = [v - 256 if v > 127 and name.startswith("insertps") else v for v in values]
            statements, size, memory = fills(builtin)
            unit, elements = same_call(builtin)
            out.append(where_present(builtin,
                function(builtin, f"real_{own}", PREFIX + name, values) +
                function(builtin, f"ours_{own}", "__xcc_ia32_" + name, values) +
                f"void test_{own}() {{ for (int i = 0; i < {samples}; ++i) {{ Arguments<{memory}> in; {statements} "
                f"Result<{memory}> is, should; apply(ours_{own}, in, is); apply(real_{own}, in, should); ++compared; "
                f"if (!same<{unit}>(is, should, {elements}, {how(builtin)})) "
                f'failed("{name} {values}", in, {size}, is, should); }} }}\n'))
            main.append(where_present(builtin, f"  test_{own}();\n"))
    out += ["int main() {\n", *main,
            '  printf("compared %d, different %d\\n", compared, failures);\n'
            "  return failures != 0;\n}\n"]
    return "".join(out)


def device(llvm, part, samples):
    index, parts = map(int, part.split("/"))
    out = ["#include <xcc/xcc.h>\n#include <vector>\n", COMMON, r"""
template <auto F, int Memory>
void kernel(const Arguments<Memory> *in, Result<Memory> *out, int count) {
  if (int i = xcc::global_id(); i < count)
    apply(F, in[i], out[i]);
}
template <class T, auto F, int Memory>
void compare(const char *name, const std::vector<Arguments<Memory>> &in, int size, int count, int how) {
  xcc::buffer<Arguments<Memory>> arguments(in.size());
  xcc::buffer<Result<Memory>> results(in.size());
  arguments.copy_from(in.data(), in.size());
  xcc::launch({{1}, {in.size()}}, kernel<F, Memory>, arguments.data(), results.data(), int(in.size()));
  std::vector<Result<Memory>> is(in.size());
  results.copy_to(is.data(), in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    Result<Memory> should;
    apply(F, in[i], should);
    ++compared;
    if (!same<T>(is[i], should, count, how))
      failed(name, in[i], size, is[i], should);
  }
}
"""]
    main = []
    for builtin in runnable(load(llvm))[index::parts]:
        name = builtin.name
        for number, values in enumerate(immediates(builtin, many=False)):
            own = f"{name}_{number}"
            statements, size, memory = fills(builtin)
            unit, elements = same_call(builtin)
            # The host's code of each is small: it is optimised too.
            out.append(where_present(builtin,
                function(builtin, f"real_{own}", PREFIX + name, values) +
                f"void test_{own}() {{ std::vector<Arguments<{memory}>> list({samples}); "
                f"for (Arguments<{memory}> &in : list) {{ {statements} }} "
                f'compare<{unit}, real_{own}>("{name} {values}", list, {size}, {elements}, '
                f"{how(builtin)}); }}\n"))
            main.append(where_present(builtin, f"  test_{own}();\n"))
    out += ["int main() {\n", *main,
            '  printf("compared %d, different %d\\n", compared, failures);\n'
            "  return failures != 0;\n}\n"]
    return "".join(out)


def main():
    what, llvm, *rest = sys.argv[1:]
    if what == "list":
        sys.stdout.write(the_list(llvm))
    elif what == "check":
        wrong = defined(llvm) ^ set(listed())
        if wrong:
            sys.exit(f"either defined or in {LIST}, not both: {' '.join(sorted(wrong))}; run\n"
                     f"    test/x86/builtins.py list {llvm} > {LIST.relative_to(ROOT)}")
    elif what == "host":
        sys.stdout.write(host(llvm, int(rest[0]) if rest else 200))
    elif what == "device":
        sys.stdout.write(device(llvm, rest[0], int(rest[1]) if rest[1:] else 32))
    else:
        sys.exit("what?")


main()
