// KISS FFT, C++ in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <kissfft/kissfft.hh>
int main() {
  both("transform", std::vector<float>(128, 0.f), [](float *p) {
    kissfft<float> f(30, false);
    std::complex<float> in[30], out[30];
    for (int i = 0; i < 30; ++i)
      in[i] = {float(i * 7 % 11), float(i % 3)};
    f.transform(in, out);
    for (int i = 0; i < 30; ++i) {
      p[2 * i] = out[i].real();
      p[2 * i + 1] = out[i].imag();
    }
  });
}
