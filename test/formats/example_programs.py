# The examples as tests run them
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os


def examples(root):
    """Name, source, options and arguments of each example that has kernels. `%t` in an
    argument is a file of the run's own. root: the folder test."""
    folder = os.path.join(os.path.dirname(root), "examples")
    data = os.path.join(folder, "data")
    arguments = {
        "histogram": [data + "/alice.txt"],
        "blur": [data + "/chelsea.png", "%t.png"],
        "mandelbrot": ["%t.png"],
    }
    others = {
        "roman": ["-foffload-export", folder + "/library/roman.cpp"],
        "stdpar": ["-foffload-stdpar"],
    }
    for file in sorted(os.listdir(folder)):
        name, ending = os.path.splitext(file)
        if ending == ".cpp" and name != "words":  # it has no kernels
            yield (
                name,
                os.path.join(folder, file),
                ["-std=c++20", *others.get(name, ())],
                arguments.get(name, []),
            )
