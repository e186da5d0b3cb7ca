#!/usr/bin/env python3
# That files which the documents name are there
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A name in backticks with an extension of source files must be a file of the
# project, or the end of one's path ("targets/cpu.cpp"); a link must lead to one,
# and to a heading that is there; README.md, or one of the pages that are lists of others, leads to every page.
# What begins as names of xcc's do, and its options, must stand in a source. docs/testing.md names every folder of test/, and
# how many whole programs there are. No page of docs/ names a deprecated member.

import glob
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# What users write, the build makes or systems have.
FOREIGN = re.compile(
    r"^(app|a|b|prog|program|kernel|main|saxpy|x|one|two|file|f|in|lib|other|host|my\w*)\.(cpp|c|h|o|ll|s)$"
    r"|^(cuda\.h|results\.txt)$|^\.\w+$"
)
# Names that users of C, CMake and the command line write.
OWN = re.compile(
    r"\b(?:xcc|XCC|__xcc|__XCC)_\w*\w|(?<![\w-])-{1,2}f?(?:no-)?offload-[\w-]*\w|-W(?:no-)?offload-[\w-]*\w"
)
EXTENSIONS = (".cpp", ".h", ".c", ".py", ".sh", ".def", ".test", ".txt", ".cmake", ".td")


def anchors(document):
    """What links call the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", open(document).read(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def sources(names):
    """The text of all that is no document; tests may name what is not there."""
    folders = ("backend", "bench", "cmake", "device-runtime", "driver", "examples", "formats", "frontend", "host-runtime", "rpc",
               "test/conformance", "test/mock", "test/rpc", "test/simulator", "test/unit", "CMakeLists.txt",
               "CMakePresets.json", "dev")
    files = (os.path.join(ROOT, name) for name in names if name.startswith(folders))
    return "\n".join(open(file, errors="replace").read() for file in files if os.path.isfile(file))


def programs():
    """How many whole programs are compared with their host builds, and how many of them on simulators."""
    texts = [open(file).read() for kind in ("c", "cpp") for file in glob.glob(f"{ROOT}/test/programs/*.{kind}")]
    compared = [text for text in texts if "%compare" in text]
    return len(compared), sum(bool(re.search(r"%compare.*--devices.*sm_90", text)) for text in compared)


def unnamed_hooks():
    """What a target is asked, and the page on adding one does not name."""
    page = open(ROOT + "/docs/adding-a-target.md").read()
    for header in ("targets/Target.h", "targets/Codegen.h", "gpu/GPUTarget.h", "gpu/GPUCodegen.h"):
        text = open(f"{ROOT}/backend/{header}").read()
        for hook in re.findall(r"^  virtual [^;{]*?(\w+)\(", text, re.M):
            if f"`{hook}`" not in page and not hook.startswith("~"):
                yield f"docs/adding-a-target.md: no {hook} of backend/{header}"


def deprecated():
    """Members that the headers call deprecated, and a page names."""
    headers = "\n".join(open(file).read() for file in glob.glob(ROOT + "/host-runtime/include/xcc/*.h"))
    old = set(re.findall(r'\[\[deprecated\("[^"]*"\)\]\][^;{(]*?(\w+)\(', headers))
    for page in sorted(glob.glob(ROOT + "/docs/*.md")):
        for number, line in enumerate(open(page), 1):
            for name in re.findall(r"`\w+::(\w+)", line):
                if name in old:
                    yield f"{os.path.relpath(page, ROOT)}:{number}: {name} is deprecated"


def unlisted():
    """Pages that no list of pages leads to."""
    listed = set()
    for index in ("README.md", "docs/language.md", "docs/architecture.md"):
        links = re.findall(r"\]\(([^)#: ]+\.md)", open(f"{ROOT}/{index}").read())
        listed |= {os.path.normpath(os.path.join(os.path.dirname(index), link)) for link in links}
    for page in sorted(glob.glob(ROOT + "/docs/**/*.md", recursive=True)):
        if os.path.relpath(page, ROOT) not in listed:
            yield f"{os.path.relpath(page, ROOT)}: no link from README.md, docs/language.md or docs/architecture.md"


def main():
    names = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True).stdout.split("\n")
    if len(names) < 10:
        names = [os.path.relpath(os.path.join(d, f), ROOT) for d, _, fs in os.walk(ROOT) for f in fs]
    ends = {name[i:] for name in names for i in [0] + [m.end() for m in re.finditer("/", name)]}
    bad = []
    text = sources(names)
    for document in sorted(glob.glob(ROOT + "/docs/**/*.md", recursive=True) + [ROOT + "/README.md", ROOT + "/CONTRIBUTING.md"]):
        here = os.path.relpath(document, ROOT)
        code = False
        for number, line in enumerate(open(document), 1):
            if line.startswith("```"):
                code = not code
            if code:
                continue
            for name in re.findall(r"`([\w./+-]+)`", line):
                if name.endswith(EXTENSIONS) and not FOREIGN.search(name) and name not in ends:
                    bad.append(f"{here}:{number}: no file {name}")
            for span in re.findall(r"`([^`]+)`", line):
                for name in OWN.findall(span):
                    # Opposites and warnings are made of these.
                    if re.sub(r"^-W(no-)?|^-+(fno-)?(?=offload)", "", name) not in text:
                        bad.append(f"{here}:{number}: nothing is called {name}")
            for link, anchor in re.findall(r"\]\(([^)#: ]*)(?:#([^)]*))?\)", re.sub(r"`[^`]*`", "", line)):
                path = os.path.join(os.path.dirname(document), link) if link else document
                if not os.path.exists(path):
                    bad.append(f"{here}:{number}: no {link}")
                elif anchor and anchor not in anchors(path):
                    bad.append(f"{here}:{number}: no heading {link}#{anchor}")
    bad += unlisted()
    bad += deprecated()
    bad += unnamed_hooks()
    count, simulated = programs()
    if f"{simulated} of {count} on simulators" not in open(ROOT + "/docs/testing.md").read():
        bad.append(f"docs/testing.md: {simulated} of {count} whole programs run on simulators")
    testing = re.findall(r"^\| (`.*?) \|", open(ROOT + "/docs/testing.md").read(), re.M)
    named = {folder.split("/")[0] for row in testing for folder in re.findall(r"`([\w/-]+)`", row)}
    folders = {name.split("/")[1] for name in names if name.startswith("test/") and name.count("/") > 1}
    bad += [f"docs/testing.md: no test/{folder}" for folder in sorted(folders - named - {"gpu"})]
    print("\n".join(bad) or "every file is there")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
