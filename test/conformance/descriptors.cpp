// kernel_info_for, and launches by descriptor
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <span>

namespace {
struct point {
  float x, y;
};
void plain(int n, float a, const float *x, float *y) {
  if (const std::size_t i = xcc::global_id(); i < std::size_t(n))
    y[i] += a * x[i];
}
template <class T, int N> void generic(T value, T *out) { *out = value * N; }
void references(point &p, std::span<int> s, point by_value) {
  p = by_value;
  s[0] = 1;
}
void nothing() {}
struct worker {
  static void member(int *p) { *p = 77; }
};
struct functor {
  int add;
  void operator()(int *p) const { *p = add; }
};
void uses_shared(int *p) {
  static xcc::block_shared<int[500]> tile;
  tile[xcc::thread_idx().x] = p[xcc::global_id()];
  xcc::sync_block();
  p[xcc::global_id()] = tile[xcc::block_dim().x - 1 - xcc::thread_idx().x];
}
inline void inline_kernel(int *p) { *p = 5; }

void is(const char *text, const char *expected) {
  if (std::strcmp(text, expected))
    conformance::stop("'%s' is not '%s'", text, expected);
}
} // namespace

TEST(plain_function) {
  const xcc::kernel_info &k = xcc::kernel_info_for(plain);
  EQUAL(k.magic, XCC_KERNEL_MAGIC);
  EQUAL(k.abi_version, XCC_ABI_VERSION);
  CHECK(std::strstr(k.name, "plain"));
  CHECK(*k.symbol);
  CHECK(std::strstr(k.file, "descriptors.cpp"));
  CHECK(k.line > 10 && k.column > 0);
  EQUAL(k.param_count, 4);
  EQUAL(k.capture_count, 0);
  const char *names[] = {"n", "a", "x", "y"};
  const char *types[] = {"int", "float", "const float *", "float *"};
  const unsigned offsets[] = {0, 4, 8, 16}, sizes[] = {4, 4, 8, 8};
  for (int i = 0; i < 4; ++i) {
    is(k.params[i].name, names[i]);
    is(k.params[i].type, types[i]);
    EQUAL(k.params[i].offset, offsets[i]);
    EQUAL(k.params[i].size, sizes[i]);
    EQUAL(k.params[i].alignment, sizes[i]);
    EQUAL(k.params[i].kind, i < 2 ? XCC_PARAM_VALUE : XCC_PARAM_POINTER);
  }
  EQUAL(k.kernarg_size, 24);
  EQUAL(k.kernarg_alignment % 8, 0);
}

TEST(kinds_of_parameters) {
  const xcc::kernel_info &k = xcc::kernel_info_for(references);
  EQUAL(k.param_count, 3);
  EQUAL(k.params[0].kind, XCC_PARAM_REFERENCE);
  EQUAL(k.params[1].kind, XCC_PARAM_SPAN);
  EQUAL(k.params[1].size, 16);
  EQUAL(k.params[2].kind, XCC_PARAM_VALUE);
  EQUAL(k.params[2].alignment, 4);
  EQUAL(k.kernarg_size, 32);
}

TEST(same_object_each_time) {
  CHECK(&xcc::kernel_info_for(plain) == &xcc::kernel_info_for(plain));
  CHECK(&xcc::kernel_info_for(generic<int, 2>) !=
        &xcc::kernel_info_for(generic<int, 3>));
  CHECK(&xcc::kernel_info_for(generic<float, 2>) !=
        &xcc::kernel_info_for(generic<int, 2>));
  static constexpr auto *constant = &nothing;
  CHECK(&xcc::kernel_info_for(constant) == &xcc::kernel_info_for(nothing));
}

TEST(template_specializations) {
  const xcc::kernel_info &k = xcc::kernel_info_for(generic<double, 3>);
  CHECK(std::strstr(k.name, "generic<double, 3>"));
  EQUAL(k.params[0].size, 8);
}

TEST(closures) {
  int first = 1;
  const double second = 2;
  const point third{3, 4};
  auto closure = [first, second, third](int *p) {
    *p = first + int(second) + int(third.x);
  };
  const xcc::kernel_info &k = xcc::kernel_info_for(closure);
  EQUAL(k.param_count, 2);
  EQUAL(k.params[0].kind, XCC_PARAM_CLOSURE);
  EQUAL(k.params[0].size, sizeof closure);
  EQUAL(k.params[1].kind, XCC_PARAM_POINTER);
  EQUAL(k.capture_count, 3);
  is(k.captures[0].name, "first");
  is(k.captures[1].name, "second");
  EQUAL(k.captures[1].size, 8);
  EQUAL(k.captures[1].offset, 8);
  EQUAL(k.captures[1].by_reference, 0);
  is(k.captures[2].name, "third");
}

TEST(every_form_has_one) {
  for (const xcc::kernel_info *k :
       {&xcc::kernel_info_for(nothing), &xcc::kernel_info_for(worker::member),
        &xcc::kernel_info_for(functor{3}), &xcc::kernel_info_for(inline_kernel),
        &xcc::kernel_info_for(+[](int) {}), &xcc::kernel_info_for([] {}),
        &xcc::kernel_info_for<int, float *>([](auto, auto) {})}) {
    EQUAL(k->magic, XCC_KERNEL_MAGIC);
    CHECK(*k->name && *k->symbol && k->binary && k->slots);
  }
  EQUAL(xcc::kernel_info_for(nothing).kernarg_size, 0);
}

TEST(prepare) {
  xcc_kernel_properties p{};
  EQUAL(xcc_kernel_prepare(&xcc::kernel_info_for(plain), &p), XCC_SUCCESS);
  CHECK(p.max_threads >= 1 &&
        p.max_threads <= xcc::device::current().max_block());
  EQUAL(xcc_kernel_prepare(&xcc::kernel_info_for(plain), nullptr), XCC_SUCCESS);
  EQUAL(xcc_kernel_prepare(nullptr, &p), XCC_ERROR_INVALID_KERNEL);
}

TEST(prepare_says_what_a_kernel_needs, needs(execution)) {
  xcc_kernel_properties p{};
  EQUAL(xcc_kernel_prepare(&xcc::kernel_info_for(uses_shared), &p),
        XCC_SUCCESS);
  CHECK(p.shared_size >= 2000 && p.shared_size < 2200);
}

TEST(launch_by_descriptor, needs(execution)) {
  struct {
    int n;
    float a;
    const float *x;
    float *y;
  } arguments{};
  xcc::buffer<float> x(10), y(10);
  std::vector<float> ones(10, 1.0f);
  x.copy_from(ones.data(), 10);
  y.copy_from(ones.data(), 10);
  arguments = {10, 2.5f, x.data(), y.data()};
  xcc_launch_config config{};
  config.grid[0] = config.grid[1] = config.grid[2] = 1;
  config.block[0] = 32, config.block[1] = config.block[2] = 1;
  EQUAL(xcc_kernel_launch(&xcc::kernel_info_for(plain), &config, &arguments,
                   sizeof arguments),
        XCC_SUCCESS);
  EQUAL(xcc_device_synchronize(-1), XCC_SUCCESS);
  for (float value : read(y))
    EQUAL(value, 3.5f);
}

TEST(bad_launches_by_descriptor) {
  xcc_launch_config config{};
  char arguments[64] = {};
  const xcc::kernel_info &k = xcc::kernel_info_for(plain);
  EQUAL(xcc_kernel_launch(&k, &config, arguments, 24), XCC_ERROR_INVALID_LAUNCH);
  config.grid[0] = config.grid[1] = config.grid[2] = 1;
  config.block[0] = config.block[1] = config.block[2] = 1;
  EQUAL(xcc_kernel_launch(&k, &config, arguments, 23), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_kernel_launch(&k, &config, nullptr, 24), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_kernel_launch(&k, nullptr, arguments, 24), XCC_ERROR_INVALID_VALUE);
  EQUAL(xcc_kernel_launch(nullptr, &config, arguments, 24), XCC_ERROR_INVALID_KERNEL);
  xcc::kernel_info foreign = k;
  foreign.magic = 0;
  EQUAL(xcc_kernel_launch(&foreign, &config, arguments, 24), XCC_ERROR_INVALID_KERNEL);
  foreign = k;
  foreign.abi_version += 1;
  EQUAL(xcc_kernel_launch(&foreign, &config, arguments, 24), XCC_ERROR_INVALID_KERNEL);
}

TEST(every_form_runs, needs(execution)) {
  xcc::buffer<int> b(4);
  xcc::launch({{1}, {1}}, worker::member, b.data());
  xcc::launch({{1}, {1}}, functor{3}, b.data() + 1);
  xcc::launch({{1}, {1}}, inline_kernel, b.data() + 2);
  xcc::launch({{1}, {1}}, generic<int, 4>, 5, b.data() + 3);
  xcc::launch({{1}, {1}}, nothing);
  const auto back = read(b);
  CHECK(back[0] == 77 && back[1] == 3 && back[2] == 5 && back[3] == 20);
}

TEST(images_of_this_program) {
  struct counter {
    int all = 0, named = 0;
  } images;
  EQUAL(xcc_binary_visit_images(
            xcc::kernel_info_for(plain).binary,
            [](const xcc_image_info *image, void *user) {
              auto *c = static_cast<counter *>(user);
              ++c->all;
              c->named += *image->triple && *image->arch && image->size &&
                          std::strstr(image->kernels, "plain") != nullptr;
              return 0;
            },
            &images),
        XCC_SUCCESS);
  CHECK(images.all > 0 && images.all == images.named);
}
