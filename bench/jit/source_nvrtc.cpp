// Compiles source as the program runs: NVRTC, to PTX, which needs no GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "source.h"
#include <cstdlib>
#include <nvrtc.h>

static void check(nvrtcResult result) {
  if (result != NVRTC_SUCCESS) {
    std::fprintf(stderr, "%s\n", nvrtcGetErrorString(result));
    std::exit(1);
  }
}

int main() {
  measure([](int number) {
    std::string text = textOf("extern \"C\" __global__",
                              "blockIdx.x * blockDim.x + threadIdx.x", number);
    nvrtcProgram program;
    check(nvrtcCreateProgram(&program, text.c_str(), "source", 0, nullptr,
                             nullptr));
    const char *options[] = {"--gpu-architecture=compute_90"};
    check(nvrtcCompileProgram(program, 1, options));
    std::size_t size = 0;
    check(nvrtcGetPTXSize(program, &size));
    std::string ptx(size, 0);
    check(nvrtcGetPTX(program, ptx.data()));
    check(nvrtcDestroyProgram(&program));
  });
}
