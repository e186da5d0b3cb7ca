#!/usr/bin/env python3
# What ptxas takes for converged behind calls that may recurse.
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   uniform_registers.py CUBIN...
#
# A warp has one uniform register (UR0, UP0) of a name for all of its lanes, and
# lanes may return from recursion one group after the other. So behind a call that
# may recurse, up to a WARPSYNC if there is one, no uniform register may change that
# was set before the call and is read behind it, and no barrier of the block may
# stand there. A direct call of what recurses has such a WARPSYNC; the compiler
# makes calls through pointers, of which ptxas expects nothing. Prints each place where that is not
# so, and ends with status 1 if there are any. It needs nvdisasm
# (nvdisasm.py).
import re
import subprocess
import sys

import nvdisasm


class Instruction:
    """One line of nvdisasm's: `@!P0 UIADD3 UR38, UP1, UR38, 0x1, URZ`."""

    def __init__(self, at, text):
        self.at, self.text = at, text
        words = text.split(None, 1)
        self.guarded = words[0].startswith("@")
        if self.guarded:
            words = words[1].split(None, 1)
        self.opcode = words[0]
        self.rest = words[1] if len(words) > 1 else ""
        self.operands = [o.strip() for o in self.rest.split(",")] if self.rest else []
        self.labels = re.findall(r"\.L_x_\d+", self.rest)
        called = re.search(r"`\((?!\.L_)([^)]*)\)", self.rest)
        self.is_call = self.opcode.startswith("CALL")
        self.indirect = self.is_call and re.match(r"U?R\d+", self.rest) is not None
        self.callee = called.group(1) if self.is_call and called and not self.indirect else None
        self.writes, self.reads = self.uniform()

    def uniform(self):
        """The uniform registers and predicates that it writes and reads."""
        def those(text):
            found = set()
            for name, number, wide in re.findall(r"(?<![A-Z])(UR|UP)(\d+)(\.64)?", text):
                found.add(name + number)
                if wide or (name == "UR" and re.search(r"\[UR" + number + r"\]", text)):
                    found.add(name + str(int(number) + 1))
            return found

        writes, count = set(), 0
        if re.match(r"(U(?!TM)|LDCU|R2UR|S2UR|CS2UR|VOTEU|REDUX|R2P|ELECT)", self.opcode):
            # Results stand first: UIADD3 UR4, UP0, UR4, ...
            for operand in self.operands[:3]:
                found = re.fullmatch(r"(UR|UP)(\d+)", operand)
                if not found or (count and found.group(1) == "UR"):
                    if operand in ("UPT", "PT", "URZ") and not count:
                        count += 1
                        continue
                    break
                writes.add(operand)
                count += 1
                if found.group(1) == "UR":
                    size = 4 if ".128" in self.opcode else 2 if re.search(r"\.64|\.WIDE", self.opcode) else 1
                    for more in range(1, size):
                        writes.add("UR%d" % (int(found.group(2)) + more))
        guard = self.text.split(None, 1)[0] if self.guarded else ""
        return writes, those(guard + " " + ", ".join(self.operands[count:]))

    @property
    def constant(self):
        """Whether it writes what is the same each time."""
        return (re.match(r"(ULDC|LDCU|UMOV)", self.opcode) is not None
                and not self.reads and not self.guarded and "UR" not in ",".join(self.operands[1:]).replace("URZ", ""))

    @property
    def joins(self):
        """Whether lanes that were apart are together behind it."""
        return (self.opcode.startswith(("WARPSYNC", "BRA.DIV", "BRA.CONV"))
                or (self.callee or "").endswith("warpsync"))


class Function:
    def __init__(self, name, is_entry):
        self.name, self.is_entry = name, is_entry
        self.instructions, self.labels, self.next = [], {}, []

    def successors(self, index):
        if not self.next:
            self.next = [self.find_successors(i) for i in range(len(self.instructions))]
        return self.next[index]

    def find_successors(self, index):
        inst = self.instructions[index]
        base = inst.opcode.split(".")[0]
        to = [self.labels[l] for l in inst.labels if l in self.labels] \
            if base in ("BRA", "BRX", "BRXU", "JMP", "JMX") else []
        ends = base in ("EXIT", "RET", "BRA", "BRX", "BRXU", "JMP", "JMX", "BPT")
        # `BRA P1, L`, `BRA.U !UP0, L` and BRA.DIV have a condition too.
        conditional = inst.guarded or re.match(r"!?U?P\d|U?R\d", inst.rest) or \
            inst.opcode.startswith(("BRA.DIV", "BRA.CONV"))
        if (not ends or conditional) and index + 1 < len(self.instructions):
            to.append(index + 1)
        return to

    def live_at(self):
        """The uniform registers that are read before they are written, from each
        instruction on."""
        count = len(self.instructions)
        live = [set() for _ in range(count + 1)]
        before = [[] for _ in range(count)]
        for i in range(count):
            for to in self.successors(i):
                before[to].append(i)
        work = list(range(count))
        while work:
            i = work.pop()
            inst = self.instructions[i]
            out = set().union(*[live[to] for to in self.successors(i)])
            now = (out - (set() if inst.guarded else inst.writes)) | inst.reads
            if now != live[i]:
                live[i] = now
                work.extend(before[i])
        return live


def read(text):
    """The functions of `nvdisasm -c`."""
    functions, names, current, entry = {}, set(), None, set()
    for line in text.splitlines():
        if found := re.match(r"\s*\.type\s+(\S+),@function", line):
            names.add(found.group(1))
        elif found := re.match(r'\s*\.other\s+([^,]+),\s*@"STO_CUDA_ENTRY', line):
            entry.add(found.group(1))
        elif found := re.match(r"(\.L_x_\d+):", line):
            if current:
                current.labels[found.group(1)] = len(current.instructions)
        elif (found := re.match(r"(\S+):\s*$", line)) and found.group(1) in names:
            current = functions[found.group(1)] = Function(found.group(1), found.group(1) in entry)
        elif current and (found := re.match(r"\s*/\*([0-9a-f]+)\*/\s+(.*?)\s*;", line)):
            current.instructions.append(Instruction(int(found.group(1), 16), found.group(2)))
    return functions


def that_recurse(functions, through_pointers):
    """The functions from which a cycle of calls can be reached. Through pointers,
    any function may be called."""
    others = [f.name for f in functions.values() if not f.is_entry]
    calls = {}
    for function in functions.values():
        calls[function.name] = set()
        for inst in function.instructions:
            if inst.callee in functions:
                calls[function.name].add(inst.callee)
            elif inst.indirect and through_pointers:
                calls[function.name].update(others)
    left = dict(calls)
    while finite := [name for name, called in left.items() if not any(c in left for c in called)]:
        for name in finite:
            del left[name]
    return set(left)


def reached(function, first, stop):
    """The instructions that may be next from those on, up to where `stop` says."""
    seen, work = set(), list(first)
    while work:
        i = work.pop()
        if i in seen:
            continue
        seen.add(i)
        if not stop(function.instructions[i]):
            work.extend(function.successors(i))
    return seen


def that_join(functions, recursive):
    """Those of them whose lanes are together when they return: all come through a
    WARPSYNC outside of loops behind what recurses."""
    found = set()
    for name in recursive:
        function = functions[name]
        insts = function.instructions
        starts = [0] + [n for i, inst in enumerate(insts) if inst.callee in recursive or inst.indirect
                        for n in function.successors(i)]
        open_ends = reached(function, starts, lambda inst: inst.joins)
        if function.is_entry or any(insts[i].opcode.startswith("RET") for i in open_ends):
            continue
        if not any(inst.joins and i in reached(function, function.successors(i), lambda _: False)
                   for i, inst in enumerate(insts)):
            found.add(name)
    return found


def joined_behind(function, index):
    """Whether WARPSYNC comes before anything else that lanes do with others."""
    for inst in function.instructions[index + 1:]:
        if inst.joins:
            return True
        if inst.opcode.split(".")[0] in ("CALL", "BRA", "RET", "EXIT", "BAR", "SHFL", "VOTE", "VOTEU"):
            return False
    return False


def check_call(function, index, live, directly):
    """What is wrong behind one call that may recurse."""
    constants = {}
    for inst in function.instructions:
        for register in inst.writes:
            constants.setdefault(register, set()).add(inst.text if inst.constant else None)
    across = live[index + 1] if index + 1 < len(live) else set()
    harmful = {r for r in across if None in constants.get(r, set()) or len(constants.get(r, set())) > 1}
    for i in sorted(reached(function, function.successors(index), lambda inst: inst.joins)):
        inst = function.instructions[i]
        if inst.joins:
            continue
        for register in sorted(inst.writes & harmful):
            yield register + " lives across the call, and is changed", inst
        if inst.opcode.startswith("BAR.SYNC"):
            yield "a barrier without WARPSYNC", inst
    # Through pointers, xcc knows more of what is called, and ptxas that lanes return apart.
    if directly and not joined_behind(function, index):
        yield "no WARPSYNC", function.instructions[index]


def check(cubin, disassembler):
    text = subprocess.run([disassembler, "-c", cubin], capture_output=True, text=True, check=True).stdout
    functions = read(text)
    recursive, directly = that_recurse(functions, True), that_recurse(functions, False)
    joined = that_join(functions, recursive)
    calls, wrong = 0, 0
    for function in functions.values():
        live = None
        for index, inst in enumerate(function.instructions):
            if not (inst.callee in recursive or inst.indirect and recursive):
                continue
            calls += 1
            if inst.callee in joined:
                continue
            live = live or function.live_at()
            for what, where in check_call(function, index, live, inst.callee in directly):
                wrong += 1
                print("%s: %s: behind the call at %#x of %s: %s at %#x: %s" %
                      (cubin, function.name, inst.at, inst.callee or "a pointer", what, where.at, where.text))
    print("%s: %d calls that may recurse, %d wrong" % (cubin, calls, wrong))
    return wrong


def main():
    where = nvdisasm.find()
    if not where:
        sys.exit("uniform_registers.py: there is no nvdisasm")
    return 1 if sum(check(cubin, where) for cubin in sys.argv[1:]) else 0


if __name__ == "__main__":
    sys.exit(main())
