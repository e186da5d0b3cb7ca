#!/usr/bin/env python3
"""Prints what a profile (XCC_PROFILE=FILE) says, and checks a trace's tracks of devices.

    profile.py PROFILE.json [TRACE.json]
"""

import json
import sys


def show(profile):
    assert profile["version"] == 1 and profile["elapsed_ns"] > 0
    for device in profile["devices"]:
        print(f"device {device['id']}")
        assert device["kernel_ns"] == sum(k["total_ns"] for k in device["kernels"])
        for k in device["kernels"]:
            assert k["total_ns"] >= k["max_ns"] >= k["min_ns"]
            assert k["max_ns"] > 0 or not k["timed"]
            print(
                f"kernel {k['name']}: {k['launches']} launches, {k['timed']} timed, blocks "
                f"{k['min_blocks']} to {k['max_blocks']}, threads {k['min_threads']} to {k['max_threads']}"
                f", calls {k['host_calls']}"
            )
        for c in device["copies"]:
            print(f"copy {c['kind']}: {c['timed']} timed of {c['count']}, {c['bytes']} bytes")


def tracks(events):
    names = {
        e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"
    }
    slices = [e for e in events if e["ph"] == "X"]
    launches = {e["id"]: e["ts"] for e in events if e["ph"] == "s"}
    ends = {(e["tid"], e["ts"]): e["id"] for e in events if e["ph"] == "f"}
    for tid in sorted(t for t in names if t >= 1 << 28):
        mine = sorted((e for e in slices if e["tid"] == tid), key=lambda e: e["ts"])
        kernels = [e for e in mine if e["cat"] == "kernel"]
        copies = [e for e in mine if e["cat"] == "copy"]
        if not kernels:
            continue
        slack = 1  # microseconds: clocks are read one after the other
        for a, b in zip(kernels, kernels[1:]):
            assert a["ts"] + a["dur"] <= b["ts"] + slack, (a, b)
        for k in kernels:
            assert launches[ends[tid, k["ts"]]] <= k["ts"] + slack
        print(
            f"track {names[tid]}: {len(kernels)} kernels in order, {len(copies)} copies, "
            "each kernel after its launch began"
        )


show(json.load(open(sys.argv[1])))
if len(sys.argv) > 2:
    tracks(json.load(open(sys.argv[2]))["traceEvents"])
