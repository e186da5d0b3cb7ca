# Seeds of a generator of random programs for the CPU device, one after the other
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import tempfile


def run(test, each, line):
    """Runs test(seed, option, args, folder), which gives counts and a message if the program is wrong, for the seeds and
    options of the command line, and prints the line with the counts' sums. True if a program is wrong, or if the first
    count, of what is to be tested, is 0."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--xcc", required=True)
    parser.add_argument("--seeds", nargs=2, type=int, default=(1, 1))
    parser.add_argument("--each", type=int, default=each)
    parser.add_argument("--options", default="-O2")
    parser.add_argument("--keep")
    args = parser.parse_args()
    sums, failed = (), 0
    with tempfile.TemporaryDirectory() as temporary:
        for seed in range(args.seeds[0], args.seeds[1] + 1):
            for option in args.options.split(","):
                *counts, wrong = test(seed, option, args, args.keep or temporary)
                sums = tuple(map(sum, zip(sums or [0] * len(counts), counts)))
                if wrong:
                    failed += 1
                    print(wrong, flush=True)
    print(f"{line.format(*sums)}, {failed} programs wrong")
    return failed != 0 or not sums[0]
