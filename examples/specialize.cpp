// Kernels whose code is generated at run time, for values that a launch knows:
// the program of a small interpreter, the degree of a polynomial, and the
// radius of a stencil, which is a capture.
//
//     xcc -std=c++20 -O2 --offload-arch=host,generic specialize.cpp -o specialize
//
// Without `generic` the program has no code that could be specialised. The
// results are the same.

#include <cstdint>
#include <cstdio>
#include <vector>
#include <xcc/jit.h>
#include <xcc/xcc.h>

/// The value of a polynomial with equal coefficients, by Horner's rule.
static void horner(const float *x, float *y, int n, int degree, float factor) {
  std::size_t i = xcc::global_id();
  if (i >= std::size_t(n))
    return;
  float sum = factor;
  for (int k = 0; k < degree; ++k)
    sum = sum * x[i] + factor;
  y[i] = sum;
}

/// Sixteen operations of four bits each: what calculates is a loop over them.
static void calculate(const float *x, float *y, int n,
                      [[xcc::specialize]] std::uint64_t program) {
  std::size_t i = xcc::global_id();
  if (i >= std::size_t(n))
    return;
  float value = x[i], kept = 1;
  for (int at = 0; at != 16; ++at)
    switch (program >> (4 * at) & 15) {
    case 1:
      value += kept;
      break;
    case 2:
      value *= kept;
      break;
    case 3:
      kept = value;
      break;
    case 4:
      value -= kept * 0.5f;
      break;
    default:
      break;
    }
  y[i] = value;
}

int main() try {
  constexpr int n = 1 << 16;
  std::vector<float> x(n), expected(n), y(n);
  for (int i = 0; i != n; ++i)
    x[i] = float(i % 100) / 100;
  xcc::buffer<float> in(n), out(n);
  in.copy_from(x.data(), n);
  const xcc::launch_config shape{{n / 256}, {256}};
  auto same = [&](const char *what) {
    out.copy_to(y.data(), n);
    std::printf("%s: %s\n", what, y == expected ? "the same" : "DIFFERENT");
    return y == expected;
  };

  // The length of the loop becomes a constant, so the loop is unrolled.
  xcc::launch(shape, horner, in.data(), out.data(), n, 7, 0.5f);
  out.copy_to(expected.data(), n);
  xcc::launch(shape, horner, in.data(), out.data(), n, xcc::constant(7), 0.5f);
  bool good = same("a polynomial of degree 7");

  // The parameter is marked, so each program of the interpreter gets its own
  // code. Block and grid may be constants, too.
  const std::uint64_t program = 0x4132'1234'2131'4321;
  xcc::launch(shape, calculate, in.data(), out.data(), n, program);
  out.copy_to(expected.data(), n);
  xcc::launch(xcc::constant(shape), calculate, in.data(), out.data(),
              xcc::constant(n), program);
  good &= same("an interpreter's program");

  // A kernel with its own options, if the program has portable code.
  try {
    xcc::jit::options how;
    how.max_threads = 256;
    auto calculator = xcc::jit::kernel(calculate, how);
    calculator(shape, in.data(), out.data(), n, program);
    good &= same("a kernel with launch bounds");
  } catch (const xcc::error &e) {
    if (e.status() != XCC_ERROR_NO_IMAGE)
      throw;
    std::printf("not generated: %s\n", e.what());
  }

  // Specialised code knows a value that is captured as xcc::constant.
  auto mean = [&](auto radius) {
    xcc::parallel_for(n,
                      [x = in.data(), y = out.data(), radius](std::size_t i) {
                        float sum = 0;
                        for (int k = -radius; k <= radius; ++k)
                          sum += x[(i + std::size_t(k)) % n];
                        y[i] = sum / float(2 * radius + 1);
                      });
  };
  mean(3);
  out.copy_to(expected.data(), n);
  mean(xcc::constant(3));
  good &= same("a stencil of radius 3");
  return !good;
} catch (const xcc::error &e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
