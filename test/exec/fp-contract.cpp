// Kernels of the CPU device fuse multiplication and addition where the host's code does, and where options ask for it: results are the host's.
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t
// RUN: %xcc -O2 -std=c++20 -offload-arch=x86-64-v4 -offload-arch=x86-64-v2 %s -o %t && %t
// RUN: %xcc -O2 -std=c++20 -ffp-contract=off %s -o %t && %t
// RUN: %xcc -O2 -std=c++20 -c %s -o %t.o && %xcc -ffp-contract=on %t.o -o %t && %t
//
// What becomes of it, for each way to ask.
// RUN: %xcc -O2 -std=c++20 -foffload-device-only -S %s -o - | FileCheck --check-prefix=APART %s
// RUN: %xcc -O2 -std=c++20 -mfma -foffload-device-only -S %s -o - | FileCheck --check-prefix=FUSED %s
// RUN: %xcc -O2 -std=c++20 -march=haswell -foffload-device-only -S %s -o - | FileCheck --check-prefix=FUSED %s
// RUN: %xcc -O2 -std=c++20 -ffp-contract=on -foffload-device-only -S %s -o - | FileCheck --check-prefix=FUSED %s
// RUN: %xcc -O2 -std=c++20 -ffp-contract=fast -foffload-device-only -S %s -o - | FileCheck --check-prefix=FUSED %s
// RUN: %xcc -O2 -std=c++20 -ffast-math -foffload-device-only -S %s -o - | FileCheck --check-prefix=FUSED %s
// RUN: %xcc -O2 -std=c++20 -mfma -ffp-contract=off -foffload-device-only -S %s -o - | FileCheck --check-prefix=APART %s
// RUN: %xcc -O2 -std=c++20 -ffp-contract=on -offload-arch=x86-64-v2 -foffload-device-only -S %s -o - | FileCheck --check-prefix=APART %s
// RUN: %xcc -O2 -std=c++20 -DFUSES_ALWAYS -foffload-device-only -S %s -o - | FileCheck --check-prefix=FUSED %s
// APART-NOT: vfm{{add|sub}}
// FUSED: vfm{{add|sub}}
#include <cstdio>
#include <cstring>
#include <vector>
#include <xcc/xcc.h>

template <class T> T step(T a, T b, T c) {
#ifdef FUSES_ALWAYS
#pragma clang fp contract(fast)
#endif
  T x = a * b + c;
  T y = c - a * x;
  return x * x - b * y + a;
}

template <class T> bool same() {
  const unsigned n = 1000;
  std::vector<T> in(n), out(n);
  for (unsigned i = 0; i < n; ++i)
    in[i] = T(1) / T(i + 3);
  xcc::parallel_for(n, [p = in.data(), q = out.data()](std::size_t i) {
    q[i] = step(p[i], p[(i * 7 + 1) % n], p[(i + 5) % n]);
  });
  xcc::synchronize();
  for (unsigned i = 0; i < n; ++i) {
    T expected = step(in[i], in[(i * 7 + 1) % n], in[(i + 5) % n]);
    if (std::memcmp(&expected, &out[i], sizeof(T))) {
      std::printf("element %u: %a on the device, %a on the host\n", i,
                  double(out[i]), double(expected));
      return false;
    }
  }
  return true;
}

int main() { return same<float>() && same<double>() ? 0 : 1; }
