// PTX by hand, on the simulator
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SIMULATOR_TEST_SUPPORT_H
#define XCC_SIMULATOR_TEST_SUPPORT_H

#include "cuda/driver/driver.h"
#include "mock_cuda.h"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace xcc::rt::cuda {
extern "C" {
#define DECLARE(need, name, symbol, params) Result symbol params;
XCC_CUDA_DRIVER_API(DECLARE)
#undef DECLARE
}
} // namespace xcc::rt::cuda

/// Another schedule from now on, as XCC_SIM_SCHEDULE names it.
extern "C" bool simulator_schedule(const char *text);
/// When streams' work begins from now on, as XCC_SIM_STREAMS says it.
extern "C" bool simulator_streams(const char *text);
/// Notes from now on, or none.
extern "C" bool simulator_notes(bool wanted);
/// Vectors for many lanes from now on, if the processor has them, or none.
extern "C" bool simulator_wide(bool wanted);
/// Blocks are hot from so many instructions on, and waited for; 0: never. How many
/// pieces of host code were made before.
extern "C" uint64_t simulator_hot(uint64_t from);

namespace test {
using namespace xcc::rt::cuda;

class Simulator : public ::testing::Test {
protected:
  void SetUp() override {
    Context c = nullptr;
    ASSERT_EQ(cuInit(0), Success);
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&c, 0), Success);
    mock_cuda_fault(Success); // what the last test did
    ASSERT_EQ(cuCtxSetCurrent(c), Success);
    ASSERT_EQ(cuStreamCreate(&in, StreamNonBlocking), Success);
    ASSERT_TRUE(simulator_schedule("lockstep"));
  }
  void TearDown() override {
    mock_cuda_fault(Success);
    for (Address a : memory)
      cuMemFree_v2(a);
  }

  static std::string head(int arch = 90) {
    return ".version 8.0\n.target sm_" + std::to_string(arch) +
           "\n.address_size 64\n";
  }
  /// Words of device memory, all set to a value.
  Address words(size_t count, uint32_t value = 0) {
    Address a = 0;
    EXPECT_EQ(cuMemAlloc_v2(&a, count * 4), Success);
    memory.push_back(a);
    std::vector<uint32_t> host(count, value);
    write(a, host.data(), count * 4);
    return a;
  }
  void write(Address to, const void *from, size_t bytes) {
    EXPECT_EQ(cuMemcpyAsync(to, Address(uintptr_t(from)), bytes, in), Success);
  }
  template <class T = uint32_t>
  std::vector<T> read(Address from, size_t count) {
    std::vector<T> host(count);
    EXPECT_EQ(cuMemcpyAsync(Address(uintptr_t(host.data())), from,
                            count * sizeof(T), in),
              Success);
    return host;
  }
  /// What refusing the text says; empty when it is taken.
  std::string refusal(const std::string &text) {
    Module m;
    char log[1000] = "";
    JitOption options[] = {JitErrorLog, JitErrorLogSize};
    void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
    testing::internal::CaptureStderr();
    Result r = cuModuleLoadDataEx(&m, text.c_str(), 2, options, values);
    said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(r == Success, !*log) << log;
    return log;
  }
  /// Launches the kernel "k" of the text with pointers for parameters, waits.
  Result run(const std::string &text, unsigned blocks, unsigned threads,
             std::vector<Address> parameters, unsigned shared = 0) {
    Module m = nullptr;
    Function f = nullptr;
    Result r = cuModuleLoadDataEx(&m, text.c_str(), 0, nullptr, nullptr);
    EXPECT_EQ(r, Success);
    if (r || (r = cuModuleGetFunction(&f, m, "k")))
      return r;
    size_t size = parameters.size() * 8;
    void *extra[] = {LaunchBuffer, parameters.data(), LaunchBufferSize, &size,
                     LaunchEnd};
    testing::internal::CaptureStderr();
    r = cuLaunchKernel(f, blocks, 1, 1, threads, 1, 1, shared, in, nullptr,
                       extra);
    if (r == Success)
      r = cuStreamSynchronize(in);
    said = testing::internal::GetCapturedStderr();
    return r;
  }
  /// A kernel of one parameter, in %out, whose threads number themselves %tid.
  static std::string kernel(const std::string &body, int arch = 90,
                            const std::string &before = "") {
    return head(arch) + before +
           ".visible .entry k(.param .u64 k_param_0) {\n"
           ".reg .b64 %out, %at, %rd<20>;\n.reg .b32 %tid, %r<40>;\n"
           ".reg .b16 %rs<20>;\n.reg .pred %p<20>;\n"
           "ld.param.b64 %out, [k_param_0];\nmov.u32 %tid, %tid.x;\n"
           "mad.wide.u32 %at, %tid, 4, %out;\n" +
           body + "\nret;\n}\n";
  }

  /// One instruction's result: %d from %a, %b, %c of these types. It is the same
  /// for one lane, for many and for all, with vectors and without.
  uint64_t eval(const std::string &instruction,
                const std::vector<std::string> &types,
                const std::vector<uint64_t> &values) {
    std::string text;
    const char *names[] = {"%d", "%a", "%b", "%c", "%e"};
    for (size_t n = 0; n != types.size(); ++n)
      text += ".reg ." + types[n] + " " + names[n] + ";\n";
    for (size_t n = 0; n != values.size(); ++n)
      text += "ld.global." + types[n + 1] + " " + names[n + 1] + ", [%out+" +
              std::to_string(8 + 8 * n) + "];\n";
    text += ".reg .b64 %to;\nmad.wide.u32 %to, %tid, 8, %out;\n" + instruction +
            "\nst.global." + types[0] + " [%to+64], %d;\n";
    uint64_t first = 0;
    for (auto [threads, wide] : {std::pair(1u, true), std::pair(20u, true),
                                 std::pair(32u, true), std::pair(32u, false)}) {
      Address a = words(16 + 2 * threads);
      write(a + 8, values.data(), values.size() * 8);
      simulator_wide(wide);
      EXPECT_EQ(run(kernel(text), 1, threads, {a}), Success) << said;
      simulator_wide(true);
      const auto out = read<uint64_t>(a + 64, threads);
      if (threads == 1)
        first = out[0];
      EXPECT_EQ(out, std::vector<uint64_t>(threads, first)) << instruction;
    }
    return first;
  }
  uint32_t eval32(const std::string &instruction,
                  const std::vector<uint64_t> &values) {
    return uint32_t(eval(instruction,
                         std::vector<std::string>(values.size() + 1, "b32"),
                         values));
  }
  static uint32_t f32(float v) { return std::bit_cast<uint32_t>(v); }
  static uint64_t f64(double v) { return std::bit_cast<uint64_t>(v); }

  Stream in = nullptr;
  std::vector<Address> memory;
  std::string said; ///< on stderr, by the last run
};

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace test
#endif // XCC_SIMULATOR_TEST_SUPPORT_H
