// Lambdas and function objects as kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lambdas with captures, generic lambdas, function objects, templates over
// them, and parallel_for. Captures by value travel with the launch.

#include <xcc/xcc.h>

#include <cstdio>
#include <vector>

/// A function object is a kernel, its members its data.
struct scale {
  float factor;
  void operator()(float *data, std::size_t n) const {
    if (std::size_t i = xcc::global_id(); i < n)
      data[i] *= factor;
  }
};

/// A function that a template argument names is part of the kernel's type.
float square(float x) { return x * x; }
float half(float x) { return x / 2; }

template <auto Function> void apply(float *data, std::size_t n) {
  if (std::size_t i = xcc::global_id(); i < n)
    data[i] = Function(data[i]);
}

/// One's own algorithms take any callable, also through several layers.
template <class Function>
void transform(xcc::buffer<float> &data, Function function) {
  xcc::parallel_for(data.size(), [function, p = data.data()](std::size_t i) {
    p[i] = function(p[i]);
  });
}

int failures = 0;

void expect(const char *what, const xcc::buffer<float> &data, float value) {
  std::vector<float> host(data.size());
  data.copy_to(host.data(), host.size());
  std::size_t wrong = 0;
  for (float x : host)
    wrong += x != value;
  std::printf("%-36s %s\n", what, wrong ? "WRONG" : "correct");
  failures += wrong != 0;
}

int main() {
  const std::size_t n = 100'000;
  xcc::buffer<float> data(n);
  const xcc::launch_config config{{(n + 255) / 256}, {256}};
  float *p = data.data();
  std::printf("lambda: kernels of every kind on %s\n",
              xcc::device::current().name());

  const float three = 3;
  xcc::launch(config, [=] {
    if (std::size_t i = xcc::global_id(); i < n)
      p[i] = three;
  });
  expect("a lambda with captures", data, 3);

  xcc::launch(config, scale{2}, p, n);
  expect("a function object", data, 6);

  xcc::launch(config, apply<square>, p, n);
  xcc::launch(config, apply<half>, p, n);
  expect("a template over functions", data, 18);

  xcc::launch(
      config,
      [=](auto *values, auto added) {
        if (std::size_t i = xcc::global_id(); i < n)
          values[i] += added;
      },
      p, 2);
  expect("a generic lambda", data, 20);

  xcc::parallel_for(n, [p](std::size_t i) { p[i] -= 5; });
  expect("parallel_for", data, 15);

  transform(data, [three](float x) { return x / three; });
  expect("a lambda through layers of templates", data, 5);
  return failures ? 1 : 0;
}
