# What ptxas made of a kernel
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A cubin is an ELF file with a section .text.NAME for each kernel. From Volta
# on an instruction is 16 bytes, its opcode the low 12 bits. ptxas ends a
# section with a branch to itself and NOPs up to its alignment; neither is ever
# reached, so they are not counted. Slow paths of divisions and square roots are
# in the kernel's own section and are counted.
#
# Registers, spills, stack and shared memory are what `ptxas -v` says.

import re
import struct

INSTRUCTION = 16
NOP, BRANCH = 0x918, 0x947


class BadCubin(Exception):
    pass


def sections(data):
    """Name and contents of each section of a 64-bit little-endian ELF file."""
    if data[:6] != b"\x7fELF\x02\x01" or len(data) < 64:
        raise BadCubin("not a 64-bit ELF file")
    offset, = struct.unpack_from("<Q", data, 40)
    size, count, names_index = struct.unpack_from("<HHH", data, 58)
    headers = []
    for i in range(count):
        if offset + i * size + 64 > len(data):
            raise BadCubin("section headers end after the file")
        name, kind, _, _, at, length = struct.unpack_from("<IIQQQQ", data, offset + i * size)
        headers.append((name, b"" if kind == 8 else data[at:at + length]))
    names = headers[names_index][1]
    return {names[n:names.index(b"\0", n)].decode(): body for n, body in headers}


def instructions(text):
    """How many instructions of a kernel's section can be reached."""
    opcodes = [struct.unpack_from("<Q", text, at)[0] & 0xfff
               for at in range(0, len(text), INSTRUCTION)]
    while opcodes and opcodes[-1] == NOP:
        opcodes.pop()
    if opcodes and opcodes[-1] == BRANCH:
        opcodes.pop()
    return len(opcodes)


PROPERTIES = {
    "registers": r"Used (\d+) registers",
    "stack": r"(\d+) bytes stack frame",
    "spill_stores": r"(\d+) bytes spill stores",
    "spill_loads": r"(\d+) bytes spill loads",
    "shared": r"(\d+) bytes smem",
}


def describe(cubin, verbose):
    """The properties of a cubin's only kernel, from the file and ptxas -v."""
    texts = {name: body for name, body in sections(cubin).items()
             if name.startswith(".text.")}
    if len(texts) != 1:
        raise BadCubin(f"expected one kernel, found {sorted(texts) or 'none'}")
    found = {"instructions": instructions(*texts.values())}
    for name, pattern in PROPERTIES.items():
        match = re.search(pattern, verbose)
        found[name] = int(match.group(1)) if match else 0
    if not found["registers"]:
        raise BadCubin(f"ptxas -v names no registers:\n{verbose}")
    return found
