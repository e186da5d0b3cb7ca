# How the tests by file are run
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every file with RUN lines below a folder of test/ is a test. run.py runs all;
# by hand, `lit <build>/test/driver` runs one folder and `lit <build>/test --filter
# name` one test. `--param xcc=PATH` tests another compiler, such as an installed
# one.

import importlib.util
import os
import pathlib
import runpy
import sys

import lit.formats

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "formats"))

config.name = "xcc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp", ".c", ".test", ".ll"]
# What the tests read, and the folders whose tests unit/ runs.
config.excludes = ["Inputs", "rpc", "services", "mock", "hardware", "formats", "mutations",
                   "simulator"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.xcc_build + "/test/lit"

xcc = lit_config.params.get("xcc", config.xcc_build + "/bin/xcc")

# LLVM's tools of the version we build with come before the system's.
path = [os.path.dirname(xcc), config.llvm_root + "/bin"]
config.environment["PATH"] = os.pathsep.join(path + [config.environment["PATH"]])

# What a user's shell sets must not change a result.
for name in list(config.environment):
    if name.startswith(("XCC_", "CCACHE_", "CLANG_", "OMP_")):
        del config.environment[name]
# Nor does what a user's own programs left behind, and nothing is left to them.
config.environment["XCC_CACHE_DIR"] = config.xcc_build + "/test/cache"
for name in ("CPATH", "LIBRARY_PATH", "CPLUS_INCLUDE_PATH", "CFLAGS", "CXXFLAGS"):
    config.environment.pop(name, None)

# -include-pch of what most test programs include (formats/CMakeLists.txt), for -O2
# -std=c++20 and a source that has no macro before what it includes.
headers = config.xcc_build + "/test/formats/O2-c++20.pch"
if "xcc" in lit_config.params or not os.path.exists(headers):
    headers = None

config.substitutions += [
    ("%headers", f"-include-pch {headers}" if headers else ""),
    ("%xcc-info", os.path.join(os.path.dirname(xcc), "xcc-info")),
    ("%xcc-replay", os.path.join(os.path.dirname(xcc), "xcc-replay")),
    ("%cudaify", os.path.join(os.path.dirname(xcc), "xcc-cudaify")),
    ("%xcc", xcc),
    ("%clangxx", config.llvm_root + "/bin/clang++"),
    ("%clang", config.llvm_root + "/bin/clang"),
    ("%cmake", config.cmake),
    ("%cpack", config.cpack),
    ("%build", config.xcc_build),
    ("%python", sys.executable),
    ("%llvm", config.llvm_root),
    ("%FileCheck", config.llvm_root + "/bin/FileCheck"),
    ("%not", config.llvm_root + "/bin/not"),
]

# Tests say what they need beyond a Debian with our packages.
for feature, program in config.programs.items():
    if program and not program.endswith("-NOTFOUND"):
        config.available_features.add(feature)
if os.geteuid() == 0:
    config.available_features.add("root")
# libc++: headers and library, Debian's or LLVM's own.
if any(
    os.path.exists(folder + "/c++/v1/__config")
    for folder in (config.llvm_root + "/include", "/usr/include")
) and any(
    os.path.exists(folder + "/libc++.so")
    for folder in (config.llvm_root + "/lib", "/usr/lib/x86_64-linux-gnu")
):
    config.available_features.add("libcxx")
# libstdc++'s tests, from Debian's package of GCC's sources.
if list(pathlib.Path("/usr/src/gcc-12").glob("gcc-12.*.tar.xz")):
    config.available_features.add("gcc-12-source")
if importlib.util.find_spec("yaml"):
    config.available_features.add("yaml")
# NVIDIA's disassembler, of a toolkit or from PyPI.
nvdisasm = runpy.run_path(config.test_source_root + "/nvptx/Inputs/nvdisasm.py")["find"]()
if nvdisasm:
    config.available_features.add("nvdisasm")
    config.environment["NVDISASM"] = nvdisasm
# distccd gives up root's rights, and with them folders that are root's alone.
if os.geteuid() == 0 and any(
    not os.stat(folder).st_mode & 1
    for folder in map(str, pathlib.Path(config.xcc_build, "bin").parents)
):
    config.available_features.discard("distcc")
