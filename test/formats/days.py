# What a run of the tests takes in turn
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import subprocess


def day_of(root):
    """Days since 1970 of the last commit; 0 without Git."""
    try:
        done = subprocess.run(["git", "-c", "safe.directory=*", "-C", root, "log", "-1",
                               "--format=%ct"], capture_output=True, text=True, check=True)
        return int(done.stdout) // 86400
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 0
