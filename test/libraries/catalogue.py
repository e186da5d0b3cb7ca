# The libraries that are tried in kernels, and what is known of each
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# docs/libraries.md is printed from this (run.py --table), and run.py sees to it
# that it is so.

import dataclasses

HEADERS, SOURCES, INSTALLED = "headers", "sources", "installed"


@dataclasses.dataclass
class Library:
    title: str
    kind: str
    # Debian's package: of headers, or of sources.
    package: str = ""
    # Folders to include from: below /usr/include, or in the sources.
    includes: tuple = ()
    # What is compiled of the sources, with -foffload-export.
    sources: tuple = ()
    # What GPUs lack: a part of what the compiler says of it, and why, for people.
    lacks: tuple = ()
    remark: str = ""
    # What programs run with.
    environment: dict = dataclasses.field(default_factory=dict)


THREAD_LOCAL = ("thread_local variable", "has `thread_local` variables")


def headers(title, package, *includes, **more):
    return Library(title, HEADERS, package, includes, **more)


def sources(title, package, patterns, *includes, **more):
    return Library(title, SOURCES, package, includes, patterns, **more)


def installed(title, package, **more):
    return Library(title, INSTALLED, package, **more)


LIBRARIES = {
    # Tests of every run: test/libraries/NAME.cpp.
    "boost": installed("Boost.Math, Boost.Container", "libboost-dev"),
    "eigen": installed("Eigen, of fixed and of dynamic size", "libeigen3-dev"),
    "fmt": installed("fmt, header only", "libfmt-dev"),
    "glm": installed("GLM", "libglm-dev"),
    "json": installed("nlohmann::json", "nlohmann-json3-dev"),
    "range-v3": installed("range-v3", "librange-v3-dev"),
    "xsimd": installed("xsimd, also with `-march=haswell`", "libxsimd-dev"),
    # Headers that run.py fetches: headers/NAME.cpp.
    "absl": headers(
        "Abseil: inlined_vector, fixed_array, span, int128, bits", "libabsl-dev",
        remark="what throws is in its throw_delegate.cc"),
    "armadillo": headers("Armadillo, without LAPACK", "libarmadillo-dev"),
    "boost-algebra": headers("Boost.Multiprecision, QVM, Odeint, Random", "libboost1.74-dev"),
    "boost-data": headers(
        "Boost.CircularBuffer, CRC, DynamicBitset, Heap, ICL, Intrusive, Lockfree, MultiArray, "
        "MultiIndex, Rational, SmartPtr, Sort, StaticString, Unordered, Variant, Variant2",
        "libboost1.74-dev"),
    "boost-interval": headers(
        "Boost.Interval", "libboost1.74-dev",
        lacks=("fesetround", "switches the direction of rounding")),
    "boost-text": headers(
        "Boost.Spirit X3, Tokenizer, String algorithms, Hana, MP11, Range, LexicalCast",
        "libboost1.74-dev"),
    "cereal": headers("cereal", "libcereal-dev"),
    "cgal": headers("CGAL, Simple_cartesian", "libcgal-dev", lacks=THREAD_LOCAL),
    "concurrentqueue": headers("moodycamel::ConcurrentQueue", "libconcurrentqueue-dev",
                               lacks=THREAD_LOCAL),
    "date": headers("date", "libhowardhinnant-date-dev"),
    "dlib": headers("dlib, matrices", "libdlib-dev"),
    "dragonbox": headers("dragonbox", "libdragonbox-dev"),
    "fast-float": headers("fast_float", "libfast-float-dev"),
    "highway": headers("Highway, static dispatch", "libhwy-dev"),
    "hopscotch": headers("tsl::hopscotch_map", "libtsl-hopscotch-map-dev"),
    "imath": headers("Imath, without half's table", "libimath-dev"),
    "kissfft": headers("KISS FFT, C++", "libkissfft-dev"),
    "mdds": headers("mdds::flat_segment_tree", "libmdds-dev", "mdds-2.0"),
    "msgsl": headers("GSL", "libmsgsl-dev"),
    "nanoflann": headers("nanoflann", "libnanoflann-dev"),
    "pcg": headers("PCG", "libpcg-cpp-dev"),
    "pegtl": headers("PEGTL", "tao-pegtl-dev"),
    "picojson": headers("picojson", "picojson-dev"),
    "random123": headers("Random123", "librandom123-dev"),
    "rapidxml": headers("RapidXML", "librapidxml-dev"),
    "robin-map": headers("tsl::robin_map", "robin-map-dev"),
    "simde": headers("SIMDe: AVX2 and NEON", "libsimde-dev"),
    "sparsehash": headers("sparsehash", "libsparsehash-dev"),
    "tinyobj": headers("tinyobjloader", "libtinyobjloader-dev"),
    "tomlplusplus": headers("toml++", "libtomlplusplus-dev"),
    "utfcpp": headers("UTF8-CPP", "libutfcpp-dev"),
    "xtensor": headers("xtensor, with reshaped expressions", "libxtensor-dev xtl-dev",
                       lacks=THREAD_LOCAL),
    # Files that know nothing of xcc: kernels/NAME.cpp.
    "box2d": sources("Box2D", "box2d", ("src/*/*.cpp",), "include", "src"),
    "bzip2": sources("bzip2", "bzip2", tuple(f"{name}.c" for name in (
        "blocksort", "bzlib", "compress", "crctable", "decompress", "huffman", "randtable")), "."),
    "cjson": sources("cJSON", "cjson", ("cJSON.c",), "."),
    "double-conversion": sources("double-conversion", "double-conversion",
                                 ("double-conversion/*.cc",), "."),
    "jsoncpp": sources("JsonCpp", "libjsoncpp", ("src/lib_json/*.cpp",), "include",
                       remark="on AMD GPUs with `XCC_HSA_STACK=65536`",
                       environment={"XCC_HSA_STACK": "65536"}),
    "libtommath": sources("LibTomMath", "libtommath", ("bn_[!s]*.c", "bn_s_mp_[!r]*.c", "bn_s_mp_reverse.c"), "."),
    "lodepng": sources("lodepng", "lodepng", ("lodepng.cpp",), "."),
    "lua": sources("Lua 5.4", "lua5.4", ("src/l*.c",), "src",
                   lacks=("setjmp", "jumps out of functions")),
    "lz4": sources("LZ4", "lz4", ("lib/lz4*.c", "lib/xxhash.c"), "lib"),
    "miniz": sources("miniz", "r-cran-zip", ("src/miniz.c",), "src"),
    "muparser": sources("muParser", "muparser", ("src/muParser*.cpp",), "include"),
    "pugixml": sources("pugixml", "pugixml", ("src/pugixml.cpp",), "src"),
    "sqlite3": sources("SQLite's amalgamation", "sqlite3", ("sqlite3.c",), ".",
                       lacks=("which nothing in this link defines", "opens files by descriptors")),
    "tinyxml2": sources("TinyXML-2", "tinyxml2", ("tinyxml2.cpp",), "."),
    "utf8proc": sources("utf8proc", "utf8proc", ("utf8proc.c",), "."),
    "xxhash": sources("xxHash", "xxhash", ("xxhash.c",), "."),
    "zlib": sources("zlib", "zlib", ("[!g]*.c",), "."),
}


def place(name, library):
    folder = {HEADERS: "headers/", SOURCES: "kernels/", INSTALLED: ""}[library.kind]
    return f"{folder}{name}.cpp"


def table():
    """docs/libraries.md."""
    lines = [
        "# Libraries in kernels",
        "",
        "These libraries of Debian 12 were called from kernels, unmodified and without a macro. The test of each shows what was",
        "tried. On the CPU device each gives the host's results, bit by bit, with `-O0` and `-O2`. On GPUs (simulated, sm_90,",
        "gfx90a and gfx1100, `-O2`) it does nearly so. If a library needs what GPUs lack, the compiler or the link reports an",
        "error with the calls that lead there. The libraries at the end are compiled separately, with",
        "[`-foffload-export`](driver.md#compiling) and nothing else.",
        "",
        "`test/libraries/run.py --table` prints this page. `run.py`, and `lit build/test/libraries --param campaign=full`",
        "([testing](testing.md)), check that it is up to date. The first libraries are tests of every run.",
        "",
        "| library | test | CPU device | GPUs |",
        "|---|---|---|---|",
    ]
    for name, library in LIBRARIES.items():
        gpus = "works" if not library.lacks else f"no: {library.lacks[1]}"
        remark = f" ({library.remark})" if library.remark else ""
        lines.append(f"| {library.title}{remark} | "
                     f"[`{place(name, library)}`](../test/libraries/{place(name, library)}) | "
                     f"works | {gpus} |")
    lines += [
        "",
        "Clang 22 does not compile these for the host either: RapidJSON 1.1, the parts of Boost 1.74 that include its numeric",
        "conversions (Geometry), and SIMDe's AVX-512.",
    ]
    return "\n".join(lines) + "\n"
