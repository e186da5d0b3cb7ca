// Boost.Multiprecision, QVM, Odeint, Random in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <boost/numeric/odeint/integrate/integrate_const.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/qvm/all.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
int main() {
  both("numbers", std::vector<double>(32, 3), [](double *p) {
    boost::multiprecision::int256_t a = 1;
    for (int i = 2; i < 40; ++i)
      a *= i;
    a /= 12345678901ll;
    p[0] = double(a);
    p[1] = double(a % 1000003);
    boost::multiprecision::cpp_int b = 1;
    for (int i = 2; i < 60; ++i)
      b *= i;
    p[2] = double(int(b % 1000007));
    p[3] = double(msb(b));
    boost::qvm::mat<double, 3, 3> m = boost::qvm::rotx_mat<3>(0.5);
    boost::qvm::vec<double, 3> v = {1, 2, 3};
    v = m * v;
    p[4] = v.a[1];
    std::array<double, 2> x = {1, 0};
    boost::numeric::odeint::runge_kutta4<std::array<double, 2>> rk;
    for (int i = 0; i < 50; ++i)
      rk.do_step(
          [](const auto &x, auto &d, double) {
            d[0] = x[1];
            d[1] = -x[0];
          },
          x, i * .02, .02);
    p[5] = x[0];
    p[6] = x[1];
    boost::random::mt19937 g(7);
    boost::random::normal_distribution<> n(0, 1);
    p[7] = n(g);
    p[8] = n(g);
  });
}
