// Five kernels as they are generated for any launch, and for the values of
// theirs. Prints for each: name, best seconds generic, best seconds specialised.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
#include <xcc/xcc.h>

using xcc::constant;

static void matmul(const float *a, const float *b, float *c, int n, int inner) {
  int x = int(xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x);
  int y = int(xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y);
  if (x >= n || y >= n)
    return;
  float sum = 0;
  for (int k = 0; k < inner; ++k)
    sum += a[y * inner + k] * b[k * n + x];
  c[y * n + x] = sum;
}

/// Of any radius, as a library has it.
static void stencil(const float *in, float *out, int width, int height,
                    int radius, float factor) {
  int x = int(xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x);
  int y = int(xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y);
  if (x < radius || y < radius || x >= width - radius || y >= height - radius)
    return;
  float sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += in[(y + dy) * width + x + dx] * factor;
  out[y * width + x] = sum;
}

/// In any number of dimensions.
static void nbody(const float *at, float *force, int n, int dims,
                  float softening) {
  std::size_t i = xcc::global_id();
  if (i >= std::size_t(n))
    return;
  float sum[4] = {};
  for (int j = 0; j < n; ++j) {
    float distance = softening, delta[4];
    for (int d = 0; d < dims; ++d) {
      delta[d] = at[j * dims + d] - at[i * std::size_t(dims) + d];
      distance += delta[d] * delta[d];
    }
    float inverse = 1 / std::sqrt(distance);
    float scale = inverse * inverse * inverse;
    for (int d = 0; d < dims; ++d)
      sum[d] += delta[d] * scale;
  }
  for (int d = 0; d < dims; ++d)
    force[i * std::size_t(dims) + d] = sum[d];
}

enum class style : int { european, digital, straddle };

static float normal(float x) { return 0.5f * std::erfc(-x * 0.70710678f); }

/// With rates, dividends and styles that a desk may have.
static void black_scholes(const float *price, float *value, int n, style what,
                          float strike, float years, float rate, float dividend,
                          float volatility, int steps) {
  std::size_t i = xcc::global_id();
  if (i >= std::size_t(n))
    return;
  float total = 0;
  for (int step = 0; step < steps; ++step) {
    float t = years * float(step + 1) / float(steps);
    float root = volatility * std::sqrt(t);
    float d1 = (std::log(price[i] / strike) +
                (rate - dividend + volatility * volatility / 2) * t) /
               root;
    float d2 = d1 - root, discount = std::exp(-rate * t);
    float carried = price[i] * std::exp(-dividend * t);
    switch (what) {
    case style::european:
      total += carried * normal(d1) - strike * discount * normal(d2);
      break;
    case style::digital:
      total += discount * normal(d2);
      break;
    case style::straddle:
      total += carried * (2 * normal(d1) - 1) -
               strike * discount * (2 * normal(d2) - 1);
      break;
    }
  }
  value[i] = total;
}

/// Sixteen operations of four bits each.
static void interpreter(const float *x, float *y, int n, std::uint64_t program,
                        int rounds) {
  std::size_t i = xcc::global_id();
  if (i >= std::size_t(n))
    return;
  float value = x[i], kept = 1;
  for (int round = 0; round < rounds; ++round)
    for (int at = 0; at != 16; ++at)
      switch (program >> (4 * at) & 15) {
      case 1:
        value += kept;
        break;
      case 2:
        value *= kept;
        break;
      case 3:
        kept = value * 0.25f;
        break;
      case 4:
        value -= kept * 0.5f;
        break;
      case 5:
        value = std::fmin(value, 8.0f);
        break;
      default:
        break;
      }
  y[i] = value;
}

template <class F> static double time(F launch) {
  auto begin = std::chrono::steady_clock::now();
  launch();
  xcc::synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// The two take turns; both have been launched before.
template <class Generic, class Special>
static void compare(const char *name, xcc::buffer<float> &out, Generic generic,
                    Special special) {
  std::vector<float> first(out.size()), second(out.size());
  generic();
  out.copy_to(first.data(), first.size());
  special();
  out.copy_to(second.data(), second.size());
  for (std::size_t i = 0; i != first.size(); ++i)
    if (!(std::abs(first[i] - second[i]) <=
          1e-4f * std::abs(first[i]) + 1e-6f)) {
      std::fprintf(stderr, "%s differs at %zu: %g %g\n", name, i, first[i],
                   second[i]);
      std::exit(1);
    }
  double best[2] = {1e9, 1e9};
  for (int round = 0; round != 15; ++round) {
    best[0] = std::fmin(best[0], time(generic));
    best[1] = std::fmin(best[1], time(special));
  }
  std::printf("%s %.6f %.6f\n", name, best[0], best[1]);
}

int main() {
  constexpr int size = 512, n = 1 << 18, bodies = 3072;
  std::vector<float> host(n);
  for (int i = 0; i != n; ++i)
    host[i] = float(i % 997) / 499 + 0.1f;
  xcc::buffer<float> a(n), b(n), c(n);
  a.copy_from(host.data(), n);
  b.copy_from(host.data(), n);
  c.copy_from(host.data(), n);
  const xcc::launch_config square{{size / 32, size / 8}, {32, 8}};
  const xcc::launch_config line{{n / 256}, {256}};
  const xcc::launch_config few{{bodies / 128}, {128}};

  compare(
      "matmul", c,
      [&] {
        xcc::launch(square, matmul, a.data(), b.data(), c.data(), size, 16);
      },
      [&] {
        xcc::launch(constant(square), matmul, a.data(), b.data(), c.data(),
                    constant(size), constant(16));
      });
  compare(
      "stencil", c,
      [&] {
        xcc::launch(square, stencil, a.data(), c.data(), size, size, 2, 0.04f);
      },
      [&] {
        xcc::launch(constant(square), stencil, a.data(), c.data(),
                    constant(size), constant(size), constant(2),
                    constant(0.04f));
      });
  compare(
      "n-body", c,
      [&] { xcc::launch(few, nbody, a.data(), c.data(), bodies, 3, 0.01f); },
      [&] {
        xcc::launch(constant(few), nbody, a.data(), c.data(), constant(bodies),
                    constant(3), constant(0.01f));
      });
  compare(
      "black-scholes", c,
      [&] {
        xcc::launch(line, black_scholes, a.data(), c.data(), n, style::european,
                    1.0f, 1.0f, 0.02f, 0.0f, 0.3f, 4);
      },
      [&] {
        xcc::launch(constant(line), black_scholes, a.data(), c.data(),
                    constant(n), constant(style::european), constant(1.0f),
                    constant(1.0f), constant(0.02f), constant(0.0f),
                    constant(0.3f), constant(4));
      });
  constexpr std::uint64_t program = 0x5132'4513'2134'1253;
  compare(
      "interpreter", c,
      [&] {
        xcc::launch(line, interpreter, a.data(), c.data(), n, program, 4);
      },
      [&] {
        xcc::launch(constant(line), interpreter, a.data(), c.data(),
                    constant(n), constant(program), constant(4));
      });
}
