#!/usr/bin/env python3
# docs/cuda-names.md: which functions of CUDA's headers xcc's headers have
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: docs/cuda_names.py --xcc PATH [--toolkit /usr/local/cuda/include] [--check]
#
# Reads the declarations of the toolkit's headers, and what xcc's headers declare
# or define as macros, as xcc preprocesses them. Without a toolkit nothing is
# done. With --check nothing is written, and the exit status says whether the
# page is up to date.

import argparse
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent / "cuda-names.md"
OURS = ["xcc/cuda.h", "xcc/cuda/half.h", "xcc/cuda/fp4.h", "xcc/cuda/random.h"]
DEVICE = ["crt/device_functions.h", "crt/device_double_functions.h",
          "crt/math_functions.h", "crt/sm_70_rt.h", "crt/sm_80_rt.h",
          "crt/sm_90_rt.h", "device_atomic_functions.h", "sm_20_atomic_functions.h",
          "sm_20_intrinsics.h", "sm_30_intrinsics.h", "sm_32_atomic_functions.h",
          "sm_32_intrinsics.h", "sm_35_intrinsics.h", "sm_60_atomic_functions.h",
          "sm_61_intrinsics.h", "cuda_fp16.h", "cuda_bf16.h",
          "cuda_fp8.h", "cuda_fp8.hpp", "cuda_fp6.h", "cuda_fp6.hpp", "cuda_fp4.h",
          "cuda_fp4.hpp"]

# What to write instead of a function of the runtime that is not there: the first
# pattern that is found in its name. A name without one is an error.
RUNTIME = [
    ("External|NvSci|Graphics|EGL|GLD|VDPAU|D3D",
     "a copy through host memory: memory of other interfaces, such as Vulkan, is not supported"),
    ("Mipmapped", "an array and a texture object for each level"),
    ("ArrayGetPlane|Sparse|MemoryRequirements",
     "`cudaArrayGetInfo`: an array has one plane, and all of its memory"),
    ("ObjectResource|ObjectTexture", "the description from which the program made the object"),
    ("Node.*Symbol", "`cudaGraphAddMemcpyNode1D` and its like, with `cudaGetSymbolAddress`"),
    ("Conditional", "the branch or loop in host code, with launches of a graph in it"),
    ("UserObject", "the object's end behind `cudaGraphExecDestroy`"),
    ("GraphAddNode|GraphNodeSetParams|GraphExecNodeSetParams",
     "the function of the node's kind, such as `cudaGraphAddKernelNode`"),
    ("KernelNode.*Attribute", "`cudaGraphAddKernelNode`: a node has no attributes"),
    ("DotPrint", "`cudaGraphGetNodes`, `cudaGraphGetEdges` and `cudaGraphNodeGetType`"),
    ("GraphMemAttribute", "`cudaMemGetInfo`"),
    ("CaptureToGraph|CaptureDependencies",
     "`cudaStreamBeginCapture`, and `cudaGraphAddChildGraphNode` of its graph"),
    ("MemPool|Ipc", "`cudaHostRegister` of memory of `shm_open` and `mmap`"),
    ("PCIBusId", "the device's number: where it is on a bus is not known"),
    ("Library|KernelSetAttribute", "`xcc::source`"),
    ("DriverEntryPoint|ExportTable", "the runtime's functions: the driver's interface is not there"),
    ("Logs", "`XCC_LOG`"),
    ("AsyncNotification", "`cudaMemGetInfo`"),
    ("AtomicCapabilities", "the device's own memory, in which all atomics work"),
    ("GPUDirect", "nothing: no other device writes to a device's memory"),
    ("Cluster", "`cudaOccupancyMaxActiveBlocksPerMultiprocessor`: a block is a cluster of its own"),
    ("3DBatch", "`cudaMemcpy3DAsync` for each copy"),
    ("ParamInfo", "the kernel's declaration"),
    ("ValidDevices", "`cudaSetDevice`"),
]
# The same of device functions.
DEVICE_INSTEAD = [
    ("__cvta", "the pointer: on every device it leads to all memory"),
    ("__is[A-Z]", "nothing: which memory a pointer leads to cannot be asked"),
    ("__pm", "`clock64()`"),
    ("barrier_sync", "`__syncthreads()`, or `cuda::barrier`"),
    ("u128Atomic", "`std::atomic_ref` of an `unsigned __int128`"),
    ("multicast", "a store: a block is a cluster of its own"),
    ("uni_sync", "`__syncwarp()`"),
    ("^syncthreads", "the name with two underscores, such as `__syncthreads_and`"),
]
# The same of constants: by the name of their enumeration, or by the constant's own.
CONSTANT_INSTEAD = [
    ("External|NvSci|Graphics|Fabric|Win32|Cig", "nothing: memory of other interfaces is not supported"),
    ("ChannelFormatKind", "the kinds of whole elements, such as `cudaChannelFormatKindFloat`"),
    ("ResView|Cubemap|TextureGather|ArrayColor|Sparse|Deferred|FormatMode|Surface\\w*Type|SurfaceType|TextureType",
     "an array and a texture object for each level or face"),
    ("GPUDirect", "nothing: no other device writes to a device's memory"),
    ("GraphMemAttr", "`cudaMemGetInfo`"),
    ("Jit|Library|DriverEntryPoint|cudaEnable|cudaPrefer", "`xcc::source`"),
    ("UserObject", "the object's end behind `cudaGraphExecDestroy`"),
    ("Cond", "the branch or loop in host code, with launches of a graph in it"),
    ("DebugDot", "`cudaGraphGetNodes`, `cudaGraphGetEdges` and `cudaGraphNodeGetType`"),
    ("KernelNode|Dependency|ChildGraph|InstantiateResult|GraphInstantiate|CaptureDependencies",
     "the functions of the node's kind, such as `cudaGraphAddKernelNode`"),
    ("Atomic", "the device's own memory, in which all atomics work"),
    ("Memcpy", "`cudaMemcpyAsync` for each copy"),
    ("Cluster|MemSyncDomain|Launch", "nothing: a block is a cluster of its own"),
    ("CGScope", "`cooperative_groups`"),
    ("Async|Log", "`XCC_LOG`"),
    ("PoolAttr|Pool", "`cudaMemPoolAttrUsedMemCurrent`: the highest use is not counted"),
    ("Event", "nothing: events of other graphs are not supported"),
    ("Reserved|Max\\b|Count\\b|GraphNode", "nothing: they are reserved, or count the others"),
    ("Numa|AllocationType|HandleType", "nothing: memory has no such place or handle"),
    ("IPC", "`shm_open` and `mmap`"),
]
# Functions of the toolkit's own headers, which no program calls.
INTERNAL = r"__(isfinite[df]?|isinfd|isnand|signbitd|libcpp_\w+|pow_helper|cmath_power)$|defined$"


def instead_of(name, table):
    found = [text for pattern, text in table if re.search(pattern, name)]
    if not found:
        sys.exit(f"{name}: say in {__file__} what to write instead")
    return found[0]


def declared(path):
    """Names of functions that a header of the toolkit declares."""
    text = path.read_text(errors="replace")
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"\\\n", " ", text)
    return text


def runtime_functions(toolkit):
    text = declared(toolkit / "cuda_runtime_api.h")
    return sorted(set(re.findall(r"CUDARTAPI\s+(cuda\w+)\s*\(", text)))


def device_functions(toolkit):
    found = set()
    for header in DEVICE:
        if not (toolkit / header).exists():
            continue
        text = declared(toolkit / header)
        for line in re.findall(
                r"(?:__device__|__DEVICE_(?:HOST_)?FUNCTIONS_(?:STATIC_)?DECL__|__CUDA_FP16_DECL__|"
                r"__CUDA_BF16_DECL__|__CUDA_HOSTDEVICE_\w+_DECL__|"
                r"__\w*INTRINSICS_DECL__|__\w*ATOMIC_FUNCTIONS_DECL__|"
                r"__SM_\w+_DECL__)([^;{}()]*)\(", text):
            words = re.findall(r"\w+", line)
            if len(words) > 1 and not words[-1].isupper():
                found.add(words[-1])
    # Private ones, and words of declarations.
    return sorted(n for n in found if not re.match(INTERNAL, n) and (
        not re.match(r"__nv_(?!atomic|cvt)|_|operator|__internal", n)
        or re.match(r"__(?!nv_|internal|cuda|half_raw)[a-z]|__nv_(atomic|cvt)", n)
        and not n.endswith("__")))


def ours(xcc):
    """Every name that our headers declare as a function or define as a macro."""
    source = "".join(f"#include <{header}>\n" for header in OURS)
    made = subprocess.run([xcc, "-E", "-P", "-dD", "-foffload-host-only", "-x",
                           "c++", "-"], input=source, capture_output=True,
                          text=True, check=True).stdout
    return set(re.findall(r"\b(\w+)\s*\(", made)) | set(
        re.findall(r"^#define (\w+)", made, re.M))


# The headers declare these, but they only return cudaErrorNotSupported.
REFUSED = r"cudaIpc|PCIBusId"


def runtime_row(name, known):
    if re.search(REFUSED, name):
        return f"| `{name}` | returns `cudaErrorNotSupported` | {instead_of(name, RUNTIME)} |"
    return row(name, known, RUNTIME)


def row(name, known, table):
    if name in known:
        return f"| `{name}` | yes | |"
    return f"| `{name}` | no | {instead_of(name, table)} |"


def constants(toolkit):
    """The enumerations of driver_types.h with their constants, and its flags."""
    text = declared(toolkit / "driver_types.h")
    for enum in re.finditer(r"enum\s+(?:__device_builtin__\s+)?(\w+)\s*\{(.*?)\}", text, re.S):
        names = re.findall(r"(?:^|,)\s*(\w+)", enum[2])
        yield f"`{enum[1].removesuffix('_enum')}`", names
    flags = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(cuda\w+)[ \t]+\S", text, re.M)
    for prefix, name in FLAGS:
        yield name, [flag for flag in flags if re.match(prefix, flag)]


# Kinds of flags, which are macros in CUDA's header.
FLAGS = [("cudaHost(Alloc|Register)", "page-locked memory"), ("cudaEvent", "events"),
         ("cudaStream(Default|NonBlocking)", "streams"), ("cudaMemAttach", "managed memory"),
         ("cudaDevice(?!Prop)", "devices"), ("cudaOccupancy", "occupancy"),
         ("cudaArray", "arrays"), ("cudaCooperativeLaunch", "cooperative launches"),
         ("cudaPeer|cudaIpc", "peers and processes")]


def constant_row(name, names, known):
    lacking = [each for each in names if each not in known]
    if not lacking:
        return f"| {name} | all | |"
    instead = {instead_of(each + " " + name, CONSTANT_INSTEAD) for each in lacking}
    there = len(names) - len(lacking)
    said = "none" if not there else f"{there} of {len(names)}"
    if there and len(lacking) <= 8:
        said += ": not " + ", ".join(f"`{each}`" for each in lacking)
    return f"| {name} | {said} | {'; '.join(sorted(instead))} |"


def words(xcc):
    """Every word of our headers, as xcc preprocesses them."""
    made = subprocess.run([xcc, "-E", "-P", "-dD", "-foffload-host-only", "-x", "c++", "-"],
                          input="#include <xcc/cuda.h>\n", capture_output=True,
                          text=True, check=True).stdout
    return set(re.findall(r"\w+", made))


def page(toolkit, xcc):
    known = ours(xcc)
    runtime = runtime_functions(toolkit)
    device = device_functions(toolkit)
    lines = [
        "# CUDA's functions, one by one", "",
        "This page lists the functions of CUDA 13, and says which of them the headers",
        "`<xcc/cuda.h>`, `<xcc/cuda/half.h>`, `<xcc/cuda/fp8.h>`,",
        "`<xcc/cuda/fp6.h>`, `<xcc/cuda/fp4.h>` and `<xcc/cuda/random.h>` have: "
        f"{sum(n in known and not re.search(REFUSED, n) for n in runtime)} of {len(runtime)} functions of the runtime,",
        f"and {sum(n in known for n in device)} of {len(device)} device functions. The use of a function that they lack is a",
        "compile error, unless the table says what it returns. [From CUDA and",
        "HIP](from-cuda.md) describes how to port a program.", "",
        "[`docs/cuda_names.py`](cuda_names.py) generates this page from CUDA's headers.", "",
        "## The runtime's functions", "", "| CUDA | there | use instead |",
        "|---|---|---|"]
    lines += [runtime_row(name, known) for name in runtime]
    lines += ["", "## Device functions", "", "| CUDA | there | use instead |",
              "|---|---|---|"]
    lines += [row(name, known, DEVICE_INSTEAD) for name in device]
    there = words(xcc)
    lines += ["", "## Constants of the runtime", "",
              "Enumerations and flags of `<driver_types.h>`.", "",
              "| CUDA | there | use instead |", "|---|---|---|"]
    lines += [constant_row(name, names, there) for name, names in constants(toolkit)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--xcc", required=True)
    parser.add_argument("--toolkit", type=pathlib.Path,
                        default="/usr/local/cuda/include")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not (options.toolkit / "cuda_runtime_api.h").exists():
        print(f"no toolkit in {options.toolkit}: {PAGE.name} stays as it is")
        return
    text = page(options.toolkit, options.xcc)
    if options.check:
        sys.exit(text != PAGE.read_text())
    PAGE.write_text(text)


main()
