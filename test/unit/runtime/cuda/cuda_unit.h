// Units with CUDA images, and the mock driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test has a process of its own (main.cpp), so it may set the environment
// before its first call and leave a device unusable behind.

#ifndef XCC_TEST_CUDA_UNIT_H
#define XCC_TEST_CUDA_UNIT_H

#include "../unit.h"
#include "mock_cuda.h"
#include "src/cuda/driver.h"
#include "xcc/host.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace xcc::test {

/// The mock's functions; the library is the one that the runtime opens.
namespace mock {
inline void *find(const char *Name) {
  void *Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  void *Found = Library ? dlsym(Library, Name) : nullptr;
  if (!Found)
    abort(); // main.cpp sets LD_LIBRARY_PATH
  return Found;
}
#define XCC_MOCK(name) reinterpret_cast<decltype(&name)>(find(#name))
inline std::string calls() { return XCC_MOCK(mock_cuda_calls)(); }
inline void clear() { XCC_MOCK(mock_cuda_clear)(); }
inline size_t count(const char *Function) {
  return XCC_MOCK(mock_cuda_count)(Function);
}
inline void fail(const char *Function, int Nth, int Result) {
  XCC_MOCK(mock_cuda_fail)(Function, Nth, Result);
}
inline void fault(int Result) { XCC_MOCK(mock_cuda_fault)(Result); }
inline void setKernel(const char *Symbol, mock_kernel Body) {
  XCC_MOCK(mock_cuda_set_kernel)(Symbol, Body);
}
inline void setAttributes(int Shared, int Local, int MaxThreads) {
  XCC_MOCK(mock_cuda_set_attributes)(Shared, Local, MaxThreads);
}
inline void switchContext(int Device) {
  XCC_MOCK(mock_cuda_switch_context)(Device);
}
#undef XCC_MOCK
} // namespace mock

constexpr uint16_t Cubin = 3, Ptx = 5;

/// The kernels of every image here; the mock finds their names in the bytes.
inline std::string kernelTable() {
  return kernelRows(
      {{.symbol = "k_nothing", .name = "nothing", .columns = "registers=8"},
       {.symbol = "k_add", .name = "add", .kernargSize = 24, .maxThreads = 256},
       {.symbol = "k_fill", .name = "fill", .kernargSize = 16}});
}
inline std::string cudaImage(const std::string &Arch, uint16_t Kind = Cubin,
                             std::string Data = "k_nothing k_add k_fill") {
  Data += " of " + Arch + (Kind == Ptx ? " ptx" : " cubin");
  if (Kind == Cubin)
    Data += '\0'; // PTX need not have one
  return writeOffloadBinary(Data,
                            {{"triple", "nvptx64-nvidia-cuda"},
                             {"arch", Arch},
                             {"xcc.abi", std::to_string(XCC_ABI_VERSION)},
                             {"xcc.hash", hashText(Data)},
                             {"xcc.kernels", kernelTable()}},
                            Kind);
}

/// A unit for one arch, or for what the section says.
struct CudaUnit : Unit {
  explicit CudaUnit(const std::string &Section = cudaImage("sm_90"))
      : Unit(Section) {}
};

/// Does the last error hold some words?
inline testing::AssertionResult says(const std::string &Words,
                                     const std::string &Text) {
  if (Text.find(Words) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << Words << "' is not in: " << Text;
}
#define EXPECT_SAYS(words) EXPECT_TRUE(says(words, xcc_last_error()))

/// Runs another test of this program, usually a disabled one, with settings
/// before it ("NAME=value NAME=value"), and gives what the process wrote.
std::string runTest(const std::string &Name, const std::string &Settings);

} // namespace xcc::test
#endif // XCC_TEST_CUDA_UNIT_H
