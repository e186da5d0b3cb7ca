# usage: info-damaged.py XCC-INFO FILE...: what it says of damaged copies
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import random
import subprocess
import sys

tool, *files = sys.argv[1:]
random.seed(1)
damaged = [random.randbytes(300), b"BC\xc0\xde", b"BC\xc0\xde" + random.randbytes(300), b""]
for file in files:
    data = pathlib.Path(file).read_bytes()
    damaged += [data[: len(data) * i // 6] for i in range(1, 6)]
    for _ in range(6):
        copy = bytearray(data)
        for _ in range(20):
            copy[random.randrange(len(copy))] ^= 1 << random.randrange(8)
        damaged.append(bytes(copy))
refused = 0
for data in damaged:
    pathlib.Path("damaged").write_bytes(data)
    run = subprocess.run([tool, "damaged"], capture_output=True, text=True, errors="replace", timeout=60)
    assert run.returncode in (0, 1), (run.returncode, data[:40])
    assert run.returncode == 0 or run.stderr.startswith("xcc-info: damaged"), run.stderr
    refused += run.returncode
assert refused > len(damaged) / 3, refused
