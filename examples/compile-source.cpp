// A formula from the command line is compiled while the program runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     compile-source                       the integral of a default formula
//     compile-source "exp(-x * x)" 0 5     of this formula, from 0 to 5
//
// The formula becomes the body of a C++ function, whose kernel is as fast as
// one that was compiled with the program. If the formula has a mistake, the
// program prints the compiler's message.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <xcc/source.h>
#include <xcc/xcc.h>

constexpr int Steps = 1 << 16;

// Each thread computes the formula in the middle of one step.
static const char Text[] = R"(
  #include <cmath>
  using namespace std;

  template <class Real> Real formula(Real x) { return Real(FORMULA); }

  template <class Real>
  void integrate(Real *parts, Real from, Real width, int steps) {
    int i = xcc::global_id();
    if (i < steps)
      parts[i] = formula(from + (Real(i) + Real(0.5)) * width) * width;
  }
)";

static double integral(const std::string &formula, double from, double to) {
  xcc::jit::source_options how;
  how.name = "formula";
  how.arguments = {"-DFORMULA=" + formula};
  how.kernels = {"integrate<double>"};
  auto integrate =
      xcc::jit::compile_source(Text, how)
          .kernel<void(double *, double, double, int)>("integrate<double>");
  xcc::buffer<double> parts(Steps);
  xcc::launch({{Steps / 256}, {256}}, integrate, parts.data(), from,
              (to - from) / Steps, Steps);
  std::vector<double> host(Steps);
  parts.copy_to(host.data(), Steps);
  double sum = 0;
  for (double part : host)
    sum += part;
  return sum;
}

int main(int argc, char **argv) try {
  if (argc == 4) {
    std::printf("%.6f\n",
                integral(argv[1], std::atof(argv[2]), std::atof(argv[3])));
    return 0;
  }
  double sine = integral("sin(x)", 0, 3.14159265358979);
  double circle = integral("4 / (1 + x * x)", 0, 1);
  std::printf("the integral of sin(x) from 0 to pi is %.6f\n", sine);
  std::printf("the integral of 4 / (1 + x * x) from 0 to 1 is %.6f\n", circle);
  bool refused = false;
  try {
    integral("sine(x)", 0, 1);
  } catch (const xcc::jit::compile_error &mistake) {
    std::printf("as for sine(x), the compiler says: %s\n",
                mistake.diagnostics().front().message.c_str());
    refused = true;
  }
  bool right = std::fabs(sine - 2) < 1e-6 &&
               std::fabs(circle - 3.14159265) < 1e-6 && refused;
  std::printf("%s\n", right ? "correct" : "WRONG");
  return right ? 0 : 1;
} catch (const xcc::error &e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
