// Abseil: inlined_vector, fixed_array, span, int128, bits in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <absl/algorithm/container.h>
#include <absl/container/fixed_array.h>
#include <absl/container/inlined_vector.h>
#include <absl/functional/function_ref.h>
#include <absl/numeric/bits.h>
#include <absl/numeric/int128.h>
#include <absl/types/optional.h>
#include <absl/types/span.h>
int main() {
  both("containers", std::vector<int>(16, 3), [](int *p) {
    absl::InlinedVector<int, 4> v;
    for (int i = 0; i < 20; ++i)
      v.push_back(i * 7 % 13);
    absl::c_sort(v);
    p[0] = v[3];
    p[1] = absl::c_accumulate(v, 0);
    absl::FixedArray<int, 8> f(12);
    f[11] = 5;
    p[2] = f[11] + (int)f.size();
    absl::Span<int> s(p, 4);
    p[3] = s[1];
    p[4] = absl::popcount(0xffu) + absl::countl_zero(1u);
    absl::uint128 w = absl::MakeUint128(1, 2);
    w *= 3;
    p[5] = (int)absl::Uint128Low64(w) + (int)absl::Uint128High64(w);
    absl::optional<int> o = 4;
    p[6] = o.value_or(1);
    auto g = [&](int x) { return x + v[1]; };
    absl::FunctionRef<int(int)> h = g;
    p[7] = h(3);
  });
}
