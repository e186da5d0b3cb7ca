// Boost.Math, which makes the text of its errors with streams, and
// Boost.Container.
//
// REQUIRES: boost, simulators
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %two-gpus %s -o %t && %on-nvidia %t && %on-amd %t
#include "Inputs/both.h"
#include <algorithm>
#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

int main() {
  both("functions", std::vector<double>(8, 2.7), [](double *p) {
    double x = p[0];
    p[1] = boost::math::tgamma(x);
    p[2] = boost::math::lgamma(x + 0.5);
    p[3] = boost::math::erf(x);
    p[4] = boost::math::cyl_bessel_j(1, x);
    p[5] = boost::math::gamma_p(2.0, x);
    p[6] = boost::math::ibeta(2.0, 3.0, x / 10);
    p[7] = boost::math::quadrature::gauss<double, 7>::integrate(
        [](double t) { return t * t; }, 0.0, x);
  });
  both("containers", std::vector<int>(20, 0), [](int *p) {
    boost::container::static_vector<int, 16> v;
    for (int i = 0; i < 10; ++i)
      v.push_back(i * i % 7);
    v.erase(v.begin() + 2);
    v.insert(v.begin(), 42);
    std::sort(v.begin(), v.end());
    std::copy(v.begin(), v.end(), p);
    boost::container::small_vector<int, 4> w;
    for (int i = 0; i < 20; ++i)
      w.push_back(i);
    p[17] = w[17];
    boost::container::flat_map<int, int> m;
    for (int i = 0; i < 9; ++i)
      m[i * 5 % 9] = i;
    p[18] = m[7];
  });
}
