#!/usr/bin/env python3
"""Prints what a trace (XCC_TRACE) says of mapped objects, a sorted line for each transfer.

    trace.py TRACE.json
"""

import json
import os
import re
import sys


def main():
    events = json.load(open(sys.argv[1]))["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    at = {(event["tid"], event["ts"]): event for event in slices}
    begins = {
        event["id"]: at[event["tid"], event["ts"]]
        for event in events
        if event["ph"] == "s" and (event["tid"], event["ts"]) in at
    }
    copies = {}
    for event in events:
        if event["ph"] == "f" and at[event["tid"], event["ts"]]["cat"] == "copy":
            copies[event["id"]] = copies.get(event["id"], 0) + 1
    flow_of = {id(begin): number for number, begin in begins.items()}
    lines = []
    for event in slices:
        if event["cat"] != "map":
            continue
        args = event["args"]
        line = f"{event['name']}: {args['bytes']} bytes"
        if "variable" in args:
            line += f", {args['variable']} mapped {args['mapped']}, because {args['reason']}"
        else:
            line += f" of {args['objects']}"
        line += f", {copies.get(flow_of.get(id(event)), 0)} copies"
        lines.append(re.sub(r"[^ (]*" + os.sep, "", line))
    print("\n".join(sorted(lines)), end="\n" if lines else "")


if __name__ == "__main__":
    main()
