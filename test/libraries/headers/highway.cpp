// Highway, static dispatch in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <hwy/highway.h>
namespace hn = hwy::HWY_NAMESPACE;
int main() {
  both("simd", std::vector<float>(64, 1.5f), [](float *p) {
    for (int i = 0; i < 64; ++i)
      p[i] = 0.25f * i - 3;
    const hn::ScalableTag<float> d;
    for (unsigned i = 0; i + hn::Lanes(d) <= 32; i += hn::Lanes(d)) {
      auto v = hn::LoadU(d, p + i);
      auto m = hn::Lt(v, hn::Zero(d));
      v = hn::IfThenElse(m, hn::Neg(v), hn::MulAdd(v, v, hn::Set(d, 0.5f)));
      hn::StoreU(hn::Sqrt(v), d, p + i);
    }
    p[40] = hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, p)));
    const hn::RebindToSigned<decltype(d)> di;
    auto c = hn::ConvertTo(di, hn::LoadU(d, p + 4));
    p[41] = (float)hn::GetLane(hn::Add(c, hn::ShiftLeft<2>(c)));
    hn::StoreU(hn::Reverse(d, hn::LoadU(d, p + 32)), d, p + 48);
  });
}
