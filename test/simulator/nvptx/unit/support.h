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
extern "C" bool simulator_schedule(const char *Text);
/// Notes from now on, or none.
extern "C" bool simulator_notes(bool Wanted);

namespace test {
using namespace xcc::rt::cuda;

class Simulator : public ::testing::Test {
protected:
  void SetUp() override {
    Context C = nullptr;
    ASSERT_EQ(cuInit(0), Success);
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&C, 0), Success);
    mock_cuda_fault(Success); // what the last test did
    ASSERT_EQ(cuCtxSetCurrent(C), Success);
    ASSERT_EQ(cuStreamCreate(&In, StreamNonBlocking), Success);
    ASSERT_TRUE(simulator_schedule("lockstep"));
  }
  void TearDown() override {
    mock_cuda_fault(Success);
    for (Address A : Memory)
      cuMemFree_v2(A);
  }

  static std::string head(int Arch = 90) {
    return ".version 8.0\n.target sm_" + std::to_string(Arch) +
           "\n.address_size 64\n";
  }
  /// Words of device memory, all set to a value.
  Address words(size_t Count, uint32_t Value = 0) {
    Address A = 0;
    EXPECT_EQ(cuMemAlloc_v2(&A, Count * 4), Success);
    Memory.push_back(A);
    std::vector<uint32_t> Host(Count, Value);
    write(A, Host.data(), Count * 4);
    return A;
  }
  void write(Address To, const void *From, size_t Bytes) {
    EXPECT_EQ(cuMemcpyAsync(To, Address(uintptr_t(From)), Bytes, In), Success);
  }
  template <class T = uint32_t>
  std::vector<T> read(Address From, size_t Count) {
    std::vector<T> Host(Count);
    EXPECT_EQ(cuMemcpyAsync(Address(uintptr_t(Host.data())), From,
                            Count * sizeof(T), In),
              Success);
    return Host;
  }
  /// What refusing the text says; empty when it is taken.
  std::string refusal(const std::string &Text) {
    Module M;
    char Log[1000] = "";
    JitOption Options[] = {JitErrorLog, JitErrorLogSize};
    void *Values[] = {Log, reinterpret_cast<void *>(sizeof(Log))};
    testing::internal::CaptureStderr();
    Result R = cuModuleLoadDataEx(&M, Text.c_str(), 2, Options, Values);
    Said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(R == Success, !*Log) << Log;
    return Log;
  }
  /// Launches the kernel "k" of the text with pointers for parameters, waits.
  Result run(const std::string &Text, unsigned Blocks, unsigned Threads,
             std::vector<Address> Parameters, unsigned Shared = 0) {
    Module M = nullptr;
    Function F = nullptr;
    Result R = cuModuleLoadDataEx(&M, Text.c_str(), 0, nullptr, nullptr);
    EXPECT_EQ(R, Success);
    if (R || (R = cuModuleGetFunction(&F, M, "k")))
      return R;
    size_t Size = Parameters.size() * 8;
    void *Extra[] = {LaunchBuffer, Parameters.data(), LaunchBufferSize, &Size,
                     LaunchEnd};
    testing::internal::CaptureStderr();
    R = cuLaunchKernel(F, Blocks, 1, 1, Threads, 1, 1, Shared, In, nullptr,
                       Extra);
    if (R == Success)
      R = cuStreamSynchronize(In);
    Said = testing::internal::GetCapturedStderr();
    return R;
  }
  /// A kernel of one parameter, in %out, whose threads number themselves %tid.
  static std::string kernel(const std::string &Body, int Arch = 90,
                            const std::string &Before = "") {
    return head(Arch) + Before +
           ".visible .entry k(.param .u64 k_param_0) {\n"
           ".reg .b64 %out, %at, %rd<20>;\n.reg .b32 %tid, %r<40>;\n"
           ".reg .b16 %rs<20>;\n.reg .pred %p<20>;\n"
           "ld.param.b64 %out, [k_param_0];\nmov.u32 %tid, %tid.x;\n"
           "mad.wide.u32 %at, %tid, 4, %out;\n" +
           Body + "\nret;\n}\n";
  }

  /// One instruction's result: %d from %a, %b, %c of these types.
  uint64_t eval(const std::string &Instruction,
                const std::vector<std::string> &Types,
                const std::vector<uint64_t> &Values) {
    std::string Text;
    const char *Names[] = {"%d", "%a", "%b", "%c", "%e"};
    for (size_t N = 0; N != Types.size(); ++N)
      Text += ".reg ." + Types[N] + " " + Names[N] + ";\n";
    for (size_t N = 0; N != Values.size(); ++N)
      Text += "ld.global." + Types[N + 1] + " " + Names[N + 1] + ", [%out+" +
              std::to_string(8 + 8 * N) + "];\n";
    Text += Instruction + "\nst.global." + Types[0] + " [%out], %d;\n";
    Address A = words(12);
    write(A + 8, Values.data(), Values.size() * 8);
    EXPECT_EQ(run(kernel(Text), 1, 1, {A}), Success) << Said;
    return read<uint64_t>(A, 1)[0];
  }
  uint32_t eval32(const std::string &Instruction,
                  const std::vector<uint64_t> &Values) {
    return uint32_t(eval(Instruction,
                         std::vector<std::string>(Values.size() + 1, "b32"),
                         Values));
  }
  static uint32_t f32(float V) { return std::bit_cast<uint32_t>(V); }
  static uint64_t f64(double V) { return std::bit_cast<uint64_t>(V); }

  Stream In = nullptr;
  std::vector<Address> Memory;
  std::string Said; ///< on stderr, by the last run
};

inline bool contains(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

} // namespace test
#endif // XCC_SIMULATOR_TEST_SUPPORT_H
