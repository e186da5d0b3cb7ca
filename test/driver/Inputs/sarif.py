"""Prints the results of the SARIF document within a compiler's messages."""

import json
import sys

text = open(sys.argv[1]).read()
document, _ = json.JSONDecoder().raw_decode(text[text.index("{") :])
for run in document["runs"]:
    for result in run["results"]:
        print(result["level"] + ": " + result["message"]["text"])
