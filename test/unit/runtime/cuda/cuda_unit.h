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
#include "cuda/driver/driver.h"
#include "mock_cuda.h"
#include "xcc/host.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace xcc::test {

/// The mock's functions; the library is the one that the runtime opens.
namespace mock {
inline void *find(const char *name) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  void *found = library ? dlsym(library, name) : nullptr;
  if (!found)
    abort(); // main.cpp sets LD_LIBRARY_PATH
  return found;
}
#define XCC_MOCK(name) reinterpret_cast<decltype(&name)>(find(#name))
inline std::string calls() { return XCC_MOCK(mock_cuda_calls)(); }
inline void clear() { XCC_MOCK(mock_cuda_clear)(); }
inline size_t count(const char *function) {
  return XCC_MOCK(mock_cuda_count)(function);
}
inline void fail(const char *function, int nth, int result) {
  XCC_MOCK(mock_cuda_fail)(function, nth, result);
}
inline void fault(int result) { XCC_MOCK(mock_cuda_fault)(result); }
inline void setKernel(const char *symbol, mock_kernel body) {
  XCC_MOCK(mock_cuda_set_kernel)(symbol, body);
}
inline void addParameter(const char *symbol, size_t offset, size_t size) {
  XCC_MOCK(mock_cuda_add_parameter)(symbol, offset, size);
}
inline void setAttributes(int shared, int local, int maxThreads) {
  XCC_MOCK(mock_cuda_set_attributes)(shared, local, maxThreads);
}
inline void switchContext(int device) {
  XCC_MOCK(mock_cuda_switch_context)(device);
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
inline std::string cudaImage(const std::string &arch, uint16_t kind = Cubin,
                             std::string data = "k_nothing k_add k_fill") {
  data += " of " + arch + (kind == Ptx ? " ptx" : " cubin");
  if (kind == Cubin)
    data += '\0'; // PTX need not have one
  return writeOffloadBinary(data,
                            {{"triple", "nvptx64-nvidia-cuda"},
                             {"arch", arch},
                             {"xcc.abi", std::to_string(XCC_ABI_VERSION)},
                             {"xcc.hash", hashText(data)},
                             {"xcc.kernels", kernelTable()}},
                            kind);
}

/// A unit for one arch, or for what the section says.
struct CudaUnit : Unit {
  explicit CudaUnit(const std::string &section = cudaImage("sm_90"))
      : Unit(section) {}
};

/// Does the last error hold some words?
inline testing::AssertionResult says(const std::string &words,
                                     const std::string &text) {
  if (text.find(words) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << words << "' is not in: " << text;
}
#define EXPECT_SAYS(words) EXPECT_TRUE(says(words, xcc_error_last()))

/// Runs another test of this program, usually a disabled one, with settings
/// before it ("NAME=value NAME=value"), and gives what the process wrote.
std::string runTest(const std::string &name, const std::string &settings);

} // namespace xcc::test
#endif // XCC_TEST_CUDA_UNIT_H
