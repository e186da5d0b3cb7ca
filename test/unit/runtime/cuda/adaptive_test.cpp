// Values that stay the same, on several devices at once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"

#include <atomic>
#include <thread>

using namespace xcc::test;

namespace {

struct Arguments {
  uint32_t *list;
  uint32_t value;
};

std::atomic<uint64_t> sum{0};

void addUp(const void *kernarg, const mock_launch *) {
  sum += static_cast<const Arguments *>(kernarg)->value;
}

std::string portable() {
  std::string bitcode = "no bitcode that anybody looks at";
  return writeOffloadBinary(
      bitcode,
      {{"triple", "nvptx64-nvidia-cuda"},
       {"arch", "generic:nvptx64"},
       {"xcc.abi", std::to_string(XCC_ABI_VERSION)},
       {"xcc.hash", hashText(bitcode)},
       {"xcc.digest", hashText(bitcode)},
       {"xcc.kernels", kernelRows({{.symbol = "k_fill",
                                    .name = "fill",
                                    .kernargSize = 16,
                                    .columns = "group=0"}})}},
      /*imageKind=*/2); // bitcode
}

} // namespace

TEST(CudaAdaptive, DISABLED_Guesses) {
  CudaUnit unit(portable());
  static const xcc_param_info params[] = {
      {"list", "unsigned int *", 8, 8, 0, XCC_PARAM_POINTER},
      {"value", "unsigned int", 4, 4, 8, XCC_PARAM_VALUE}};
  xcc_kernel_info &fill = unit.kernel("fill", 16);
  fill.params = params;
  fill.param_count = 2;
  mock::setKernel("k_fill", addUp);
  constexpr int devices = 3;
  constexpr unsigned rounds = 60, values = 3;
  std::vector<std::thread> threads;
  for (int i = 0; i != 4 * devices; ++i)
    threads.emplace_back([&, i] {
      xcc::device::get(i % devices).set_current();
      for (unsigned value = 1; value <= values; ++value)
        for (unsigned round = 0; round != rounds; ++round)
          EXPECT_EQ(launch(fill, config(1, 32), Arguments{nullptr, value}),
                    XCC_SUCCESS)
              << xcc_error_last();
      xcc::synchronize();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(sum.load(), 4 * devices * rounds * (1 + 2 + 3));
  void *library = dlopen(XCC_TEST_GENERATOR_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
  auto generated =
      reinterpret_cast<unsigned (*)()>(dlsym(library, "test_generated"));
  // For each device its generic code, and for some what was guessed.
  EXPECT_GT(generated(), unsigned(devices));
  EXPECT_LE(generated(), unsigned(devices) * 5);
}

TEST(CudaAdaptive, EachDeviceGuessesForItself) {
  runTest("CudaAdaptive.DISABLED_Guesses",
          "MOCK_CUDA_DEVICES=sm_90,sm_90,sm_90 XCC_JIT=adaptive "
          "XCC_CACHE_SIZE=0 XCC_JIT_LIBRARY='" XCC_TEST_GENERATOR_LIBRARY "'");
}
