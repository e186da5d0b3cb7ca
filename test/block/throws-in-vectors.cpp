// Threads of which few throw run in vectors; those that throw are taken out of them.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -std=c++20 -O2 -w -Rpass=xcc-simd -offload-arch=host %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %t | FileCheck %s
// RUN: env XCC_CPU_SEPARATE=1 XCC_CPU_THREADS=3 %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -w -mllvm -xcc-simd=always -march=native -offload-arch=host %s -o %t && %t | FileCheck %s
// REMARK-COUNT-12: threads are vectorised {{.*}}one by one where a thread throws
// CHECK-NOT: differs
// CHECK: all of 20 cases
#include <xcc/xcc.h>

#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int Threads = 5000;
int cases = 0;

struct Data {
  std::vector<float> x, y, z;
  std::vector<int> n, m;
  std::vector<double> d;
  explicit Data(int every) : x(Threads), y(Threads), z(Threads), n(Threads), m(Threads), d(Threads) {
    for (int i = 0; i < Threads; ++i) {
      x[i] = every && i % every == every / 2 ? -float(i) : float(i) * .25f;
      n[i] = i * 7 % 1000 - (every && i % every == 3 ? 1000 : 0);
      d[i] = x[i] * .5;
    }
  }
  bool operator==(const Data &o) const {
    auto same = [](auto &a, auto &b) {
      for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i] && !(a[i] != a[i] && b[i] != b[i]))
          return false;
      return true;
    };
    return same(x, o.x) && same(y, o.y) && same(z, o.z) && same(n, o.n) &&
           same(m, o.m) && same(d, o.d);
  }
};

/// Runs \p body for all threads here and on the device: none, one in 1,000, in 50,
/// in 3 of them throws, or all.
template <class Body, class Launch>
void compare(const char *name, Launch launch, Body body) {
  ++cases;
  for (int every : {0, 1000, 50, 3, 1}) {
    Data here(every), there(every);
    for (int i = 0; i < Threads; ++i)
      body(i, here);
    launch(there, body);
    xcc::synchronize();
    if (!(here == there))
      std::printf("%s differs (every %d)\n", name, every);
  }
}

/// Remarks have the line of the launch.
#define COMPARE(name, ...)                                                     \
  compare(                                                                     \
      name,                                                                    \
      [](Data &data, auto body) {                                              \
        xcc::parallel_for(Threads, [&](int i) { body(i, data); });             \
      },                                                                       \
      __VA_ARGS__)

[[gnu::noinline]] float checked(float x) {
  if (x < 0)
    throw std::domain_error("negative");
  return std::sqrt(x);
}
inline float inlined(float x) {
  if (x < 0)
    throw std::domain_error("negative");
  return std::sqrt(x);
}
struct Own {
  int at;
};

/// Views of one array, which the compiler cannot tell apart: the same elements,
/// others between them, or behind them.
template <int Stride> void compareViews() {
  for (int every : {0, 1000, 50, 3, 1})
    for (int shift : {0, Stride - 1, Stride * Threads}) {
      std::vector<float> here(2 * Stride * Threads), there;
      for (std::size_t i = 0; i < here.size(); ++i)
        here[i] = every && int(i) / Stride % every == every / 2 ? -float(i) : float(i);
      there = here;
      auto body = [](int i, std::span<float> to, std::span<const float> from) {
        try {
          to[i * Stride] = from[i * Stride] * 3 + 1;
          if (from[i * Stride] < 0)
            throw i;
          to[i * Stride] += 2;
        } catch (int) {
          to[i * Stride] -= 5;
        }
      };
      for (int i = 0; i < Threads; ++i)
        body(i, here, std::span<const float>(here).subspan(shift));
      const std::span<float> to = there;
      const std::span<const float> from = to.subspan(shift);
      xcc::parallel_for(Threads, [&](int i) { body(i, to, from); });
      xcc::synchronize();
      if (here != there)
        std::printf("views differs (stride %d, shift %d, every %d)\n", Stride,
                    shift, every);
    }
}

} // namespace

int main() {
  COMPARE("in front", [](int i, Data &v) {
    try {
      if (v.x[i] < 0)
        throw std::runtime_error("negative");
      v.y[i] = std::sqrt(v.x[i]);
    } catch (const std::exception &e) {
      v.y[i] = -float(e.what()[0]);
    }
  });
  COMPARE("called", [](int i, Data &v) {
    try {
      v.y[i] = inlined(v.x[i]);
    } catch (const std::exception &e) {
      v.y[i] = -float(e.what()[0]);
    }
  });
  COMPARE("not inlined", [](int i, Data &v) {
    try {
      v.y[i] = checked(v.x[i]);
    } catch (...) {
      v.y[i] = -1;
    }
  });
  COMPARE("at", [](int i, Data &v) {
    try {
      v.y[i] = v.x.at(i) + v.x.at(std::size_t(v.n[i] < 0 ? 100000 : i));
    } catch (const std::out_of_range &) {
      v.y[i] = -2;
    }
  });
  COMPARE("behind a write", [](int i, Data &v) {
    v.y[i] = 3;
    try {
      v.z[i] = v.x[i] * 2;
      if (v.z[i] < 0)
        throw Own{i};
      v.y[i] = v.x[i] + 1;
    } catch (Own o) {
      v.m[i] = o.at;
    }
  });
  COMPARE("in place", [](int i, Data &v) {
    try {
      v.x[i] = v.x[i] * 3 + 1;
      if (v.n[i] < 0)
        throw 1;
      v.x[i] += 2;
    } catch (int) {
      v.x[i] -= 5;
    }
  });
  COMPARE("two writes in place", [](int i, Data &v) {
    try {
      v.n[i] += 4;
      v.x[i] *= 2;
      if (v.x[i] < 0)
        throw 1;
    } catch (int) {
      v.n[i] = v.n[i] * 2 + 1;
    }
  });
  COMPARE("own loop", [](int i, Data &v) {
    float sum = v.x[i];
    try {
      for (int k = 0; k < 20; ++k) {
        sum = sum * 1.25f + float(k);
        if (sum < -1000)
          throw k;
      }
    } catch (int k) {
      sum = float(-k);
    }
    v.y[i] = sum;
  });
  COMPARE("as long as it takes", [](int i, Data &v) {
    int steps = 0;
    try {
      for (long n = v.n[i]; n != 1; n = n % 2 ? 3 * n + 1 : n / 2) {
        if (n <= 0)
          throw std::invalid_argument("n");
        ++steps;
      }
    } catch (const std::logic_error &) {
      steps = -steps - 1;
    }
    v.m[i] = steps;
  });
  COMPARE("caught in the loop", [](int i, Data &v) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) {
      try {
        if (v.x[i] + float(k) < 0 && k % 3 == 1)
          throw k;
        sum += v.x[i] * float(k);
      } catch (int n) {
        sum -= float(n);
        if (n > 4)
          break;
        continue;
      }
      sum += 1;
    }
    v.y[i] = sum;
  });
  COMPARE("under a condition", [](int i, Data &v) {
    try {
      float r = 1;
      if (v.n[i] % 2) {
        if (v.x[i] < 0)
          throw 'a';
        r = std::sqrt(v.x[i]);
      } else if (v.n[i] < -900) {
        throw 2.5;
      }
      v.y[i] = r;
    } catch (char) {
      v.y[i] = 7;
    } catch (double d) {
      v.y[i] = float(d);
    }
  });
  COMPARE("two outputs", [](int i, Data &v) {
    try {
      v.y[i] = inlined(v.x[i]);
      v.z[i] = inlined(v.x[i] - 1);
    } catch (const std::domain_error &) {
      v.m[i] = 1;
    }
  });
  COMPARE("division", [](int i, Data &v) {
    try {
      int by = v.n[i] % 5;
      if (by == 0)
        throw std::range_error("by zero");
      v.m[i] = 1000 / by;
    } catch (const std::exception &) {
      v.m[i] = -1;
    }
  });
  COMPARE("strings", [](int i, Data &v) {
    std::string text;
    try {
      if (v.x[i] < 0)
        throw std::runtime_error("thread " + std::to_string(i));
      v.y[i] = v.x[i];
    } catch (const std::exception &e) {
      text = e.what();
    }
    v.m[i] = int(text.size());
  });
  COMPARE("handlers in handlers", [](int i, Data &v) {
    try {
      try {
        if (v.x[i] < 0)
          throw Own{i};
        v.y[i] = v.x[i] + 1;
      } catch (Own &o) {
        if (o.at % 2)
          throw;
        v.y[i] = -3;
      }
      if (v.n[i] < 0)
        throw std::bad_optional_access();
      v.z[i] = 4;
    } catch (Own o) {
      v.m[i] = o.at;
    } catch (const std::bad_optional_access &) {
      v.m[i] = -9;
    }
  });
  COMPARE("optional", [](int i, Data &v) {
    std::optional<float> o;
    if (v.x[i] >= 0)
      o = v.x[i];
    try {
      v.y[i] = o.value() + 1;
    } catch (const std::bad_optional_access &) {
      v.y[i] = -1;
    }
  });
  COMPARE("doubles", [](int i, Data &v) {
    try {
      double r = v.d[i];
      for (int k = 0; k < 5; ++k) {
        if (r < -100)
          throw r;
        r = r * 1.5 - 1;
      }
      v.d[i] = r;
    } catch (double r) {
      v.d[i] = r + 0.5;
    }
  });
  COMPARE("destructors", [](int i, Data &v) {
    struct Count {
      int &n;
      ~Count() { ++n; }
    };
    int left = 0;
    try {
      Count one{left};
      if (v.x[i] < 0)
        throw i;
      Count two{left};
      v.y[i] = v.x[i] * 2;
    } catch (int) {
      left += 10;
    }
    v.m[i] = left;
  });
  COMPARE("thread_local", [](int i, Data &v) {
    static thread_local int count = 0;
    try {
      if (v.x[i] < 0)
        throw i;
      v.y[i] = v.x[i];
    } catch (int) {
      ++count;
    }
    v.m[i] = count != 0;
    count = 0;
  });
  COMPARE("neighbours", [](int i, Data &v) {
    try {
      float before = i ? v.x[i - 1] : 0, after = i + 1 < Threads ? v.x[i + 1] : 0;
      if (before < 0 || after < 0)
        throw before + after;
      v.y[i] = before + after;
    } catch (float sum) {
      v.y[i] = -sum;
    }
  });
  compareViews<1>();
  compareViews<2>();
  std::printf("all of %d cases\n", cases);
}
