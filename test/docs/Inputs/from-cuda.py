# Compiles the code in the tables of docs/from-cuda.md, a column at a time.
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   from-cuda.py XCC PAGE FOLDER [XCC'S OPTION...]

import re
import subprocess
import sys

xcc, page, folder = sys.argv[1:4]
NAMES = """
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <vector>
void function(void *);
float table[4];
void kernel(int n, float *p) { p[0] = n + table[0]; }
"""
HOST = """
  std::size_t bytes = n * sizeof(float);
  const unsigned grid = 1, block = 32, shared = 0;
  float h[16] = {}, f = 0;
  xcc::buffer<float> buffer(n);
  xcc::pitched_buffer<float> image(n, n);
  std::size_t pitch = 0, width = bytes, height = n;
  xcc::stream *stream = nullptr;
  xcc::event *start = nullptr, *event = nullptr;
"""
TYPES = """
  cudaDeviceProp known;
  cudaPitchedPtr volume = {};
  cudaMemcpy3DParms parameters = {};
  cudaGraphExec_t run = nullptr;
  cudaMemPool_t pool = nullptr;
"""
KNOWN = {"cuda": TYPES, "hip": TYPES.replace("cuda", "hip").replace("Prop ", "Prop_t "),
         "xcc": "xcc::graph graph = xcc::graph::record(*stream, [] {});"}

tables, rows = {}, None
for line in open(page, encoding="utf-8"):
    if line.startswith("## "):
        rows = tables.setdefault(line[3:].strip(), [])
    cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split(" | ")]
    if line.startswith("| `") and rows is not None:
        rows.append(cells)
kernels, host = tables["In kernels"], tables["In host code"]
assert len(kernels) > 20 and len(host) > 20
assert all(len(row) == 3 for row in kernels + host)

for at, header in enumerate(["cuda", "hip", "xcc"]):
    def blocks(of):
        return "\n".join(f"  {{ {row[at]}; }}" for row in of if "<<<" not in row[at])
    text = f"""#include <xcc/{header}.h>
{NAMES}
void in_kernels(int n, float *p, float f) {{
{blocks(kernels)}
  p[0] = f;
}}
void in_host_code(int n, float *p) {{
  {HOST}
  {KNOWN[header]}
{blocks(host)}
  xcc::launch({{grid, block}}, in_kernels, n, p, f);
}}
"""
    source = f"{folder}/{header}.cpp"
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([xcc, "-std=c++20", "-w", "-c", *sys.argv[4:], source, "-o", source + ".o"],
                          stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stderr
