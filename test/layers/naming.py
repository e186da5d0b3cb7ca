#!/usr/bin/env python3
# Names are as .clang-tidy says
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: naming.py SOURCE BUILD [--changed] [PATH...]

Runs clang-tidy over the C++ of SOURCE, that of the device runtime too: all of
it, what lies below PATH..., or what changed in the last five commits and since.
For a header it looks at a source that includes it.
"""

import concurrent.futures
import json
import os
import re
import subprocess
import sys

# --changed looks at this many sources, so that the test takes seconds; a change
# of more, or of a header that all include, is a matter for ./dev tidy.
MOST = 5

# Sources that the build gives to "clang -cc1", which clang-tidy does not read.
DEVICE = "device-runtime/"
TARGETS = {
    "nvptx": ["--target=nvptx64-nvidia-cuda", "-Xclang", "-target-feature", "-Xclang", "+ptx63"],
    "amdgcn": ["--target=amdgcn-amd-amdhsa"],
    "cpu": ["--target=x86_64-pc-linux-gnu"],
}


def git(source, *arguments):
    """Lines that git prints; None where it fails."""
    try:
        result = subprocess.run(["git", "-C", source, "-c", "safe.directory=*", *arguments],
                                capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return result.stdout.splitlines() if result.returncode == 0 else None


def changed(source):
    """Files that the last commits touched, or none without a history."""
    for depth in (5, 1, 0):
        names = git(source, "diff", "--name-only", "--diff-filter=d", f"HEAD~{depth}")
        if names is not None:
            return names
    return []


def is_source(name):
    return name.endswith((".cpp", ".c"))


def includes(source, files):
    """What each of the files names in #include "...", without folders."""
    found = {}
    for name in files:
        with open(os.path.join(source, name), encoding="utf-8", errors="replace") as file:
            found[name] = set(re.findall(r'^#include "(?:[^"\n]*/)?([^"/\n]+)"', file.read(), re.M))
    return found


def looked_at(source, names, compiled):
    """The compiled ones of the names, and one that reads each header."""
    sources = [name for name in names if name in compiled]
    headers = [name for name in names if name.endswith(".h")]
    files = set(compiled) | set(git(source, "ls-files", "*.h") or [])
    files = {name for name in files if os.path.exists(os.path.join(source, name))}
    reads = includes(source, files)
    for header in headers:
        # Those that include it, or a header that does, and so on.
        readers, seen = [], set()
        level = {os.path.basename(header)}
        while level and not readers:
            including = [name for name in files if reads[name] & level]
            readers = [name for name in including if name in compiled]
            seen |= level
            level = {os.path.basename(name) for name in including} - seen
        if readers and not set(readers) & set(sources):
            stem, folder = os.path.splitext(header)[0], os.path.dirname(header)
            sources.append(min(readers, key=lambda name: (
                os.path.splitext(name)[0] != stem, os.path.dirname(name) != folder, name)))
    return sorted(set(sources))


def commands(source, build, resources):
    """For each source, what clang-tidy is called with."""
    found = {}
    with open(os.path.join(build, "compile_commands.json")) as file:
        for command in json.load(file):
            name = os.path.relpath(command["file"], source)
            if is_source(name) and not name.startswith(("..", "build")):
                found[name] = [["-p", build]]
    for folder, _, names in os.walk(os.path.join(source, DEVICE)):
        for name in filter(is_source, names):
            path = os.path.relpath(os.path.join(folder, name), source)
            if path in found:
                continue
            own = path[len(DEVICE):].split("/")[0]
            flags = ["-std=c++20", f"-I{source}", f"-I{source}/host-runtime/include"]
            if own == "streams":  # of the host's C++ library
                found[path] = [["--", *flags, "-Xclang", "-fno-access-control"]]
                continue
            if own != "cpu":
                flags += ["-nostdinc", "-nostdinc++", "-ffreestanding", "-nogpulib", "-isystem",
                          resources + "/include"]
            found[path] = [["--", *flags, f"-I{source}/{DEVICE}{target}", *TARGETS[target]]
                           for target in ([own] if own in TARGETS else ["nvptx", "amdgcn"])]
    return found


def main():
    source, build = map(os.path.abspath, sys.argv[1:3])
    paths = sys.argv[3:]
    resources = subprocess.run(["clang-22", "-print-resource-dir"], capture_output=True,
                               text=True, check=True).stdout.strip()
    compiled = commands(source, build, resources)
    if "--changed" in paths:
        files = looked_at(source, changed(source), compiled)
        files = files[::-(-len(files) // MOST) or 1]  # some of every folder
    else:
        wanted = [os.path.relpath(os.path.abspath(p), source) for p in paths] or ["."]
        files = looked_at(source, wanted + [
            name for name in compiled
            if any(w == "." or name.startswith(w.rstrip("/") + "/") for w in wanted)], compiled)

    def tidy(job):
        name, arguments = job
        command = ["clang-tidy-22", "--quiet", "--warnings-as-errors=*"]
        at = arguments.index("--") if "--" in arguments else len(arguments)
        return subprocess.run(
            [*command, *arguments[:at], os.path.join(source, name), *arguments[at:]],
            capture_output=True, text=True)

    def below_source(line):
        path, rest = line.split(":", 1)
        return os.path.relpath(os.path.join(source, path), source) + ":" + rest

    found = set()
    failed = False
    jobs = [(name, arguments) for name in files for arguments in compiled[name]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(tidy, jobs):
            failed = failed or result.returncode != 0
            # Several sources find a header, each by its own way.
            errors = [below_source(line) for line in result.stdout.splitlines()
                      if ": error: " in line]
            found.update(errors)
            if result.returncode != 0 and not errors:
                found.add((result.stdout + result.stderr).strip())
    print("\n".join(sorted(found)))
    print(len(files), "files,", len(found), "names to change")
    return failed


if __name__ == "__main__":
    sys.exit(main())
