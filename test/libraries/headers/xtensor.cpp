// xtensor, with reshaped expressions in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
int main() {
  both("arrays", std::vector<double>(24, 0.5), [](double *p) {
    xt::xtensor_fixed<double, xt::xshape<2, 3>> f{{1, 2, 3}, {4, 5, 6}};
    p[0] = xt::sum(f)();
    xt::xarray<double> a = xt::arange<double>(12.).reshape({3, 4});
    xt::xarray<double> b = xt::sin(a) + 2. * a;
    p[1] = xt::mean(b)();
    auto v = xt::view(a, xt::all(), xt::range(1, 3));
    p[2] = xt::sum(v * v)();
    xt::xtensor<double, 1> s = xt::sum(a, {0});
    for (int i = 0; i < 4; ++i)
      p[3 + i] = s(i);
    auto w = xt::adapt(p + 10, 6, xt::no_ownership(),
                       std::array<std::size_t, 2>{2, 3});
    w += 1.5;
    p[20] = xt::amax(a)() - xt::amin(a)();
  });
}
