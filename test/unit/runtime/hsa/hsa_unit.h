// AMD images in memory, and the mock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units with images that the mock HSA runtime loads, and the mock's functions.
// Each test is a process of its own under ctest, but all of them also run in
// one: a test leaves the mock as it found it.

#ifndef XCC_TEST_HSA_UNIT_H
#define XCC_TEST_HSA_UNIT_H

#include "../unit.h"
#include "common/aql.h"
#include "mock_hsa.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace xcc::test {

/// The mock's functions. The library is the one that the runtime opens.
struct Mock {
  static void *find(const char *name) {
    static void *library = dlopen("libhsa-runtime64.so.1", RTLD_NOW);
    void *found = library ? dlsym(library, name) : nullptr;
    if (!found) {
      fprintf(stderr,
              "no %s: the tests need the mock's folder in "
              "LD_LIBRARY_PATH\n",
              name);
      abort();
    }
    return found;
  }
  template <class F> static F get(const char *name) {
    return reinterpret_cast<F>(find(name));
  }
  static size_t records() {
    return get<mock_hsa_record_count_fn>("mock_hsa_record_count")();
  }
  static mock_record record(size_t index) {
    mock_record r{};
    EXPECT_TRUE(get<mock_hsa_record_fn>("mock_hsa_record")(index, &r));
    return r;
  }
  static std::string violation() {
    return get<mock_hsa_violation_fn>("mock_hsa_violation")();
  }
  static void fail(const char *function, unsigned n, int status) {
    get<mock_hsa_fail_fn>("mock_hsa_fail")(function, n, status);
  }
  static size_t calls(const char *function) {
    return get<mock_hsa_calls_fn>("mock_hsa_calls")(function);
  }
  static void failDispatch(unsigned n, int status) {
    get<mock_hsa_fail_dispatch_fn>("mock_hsa_fail_dispatch")(n, status);
  }
  static void fault(unsigned n, uint64_t address, uint32_t reason) {
    get<mock_hsa_fault_fn>("mock_hsa_fault")(n, address, reason);
  }
  static void failCopy(unsigned n) {
    get<mock_hsa_fail_copy_fn>("mock_hsa_fail_copy")(n);
  }
  static void pause(bool paused) {
    get<mock_hsa_pause_fn>("mock_hsa_pause")(paused);
  }
  static void readLate(bool late) {
    get<mock_hsa_read_late_fn>("mock_hsa_read_late")(late);
  }
  static void body(const char *symbol, mock_body body) {
    get<mock_hsa_body_fn>("mock_hsa_body")(symbol, body);
  }
  static size_t locked() {
    return get<mock_hsa_locked_fn>("mock_hsa_locked")();
  }
  static size_t additions() {
    return get<mock_hsa_additions_fn>("mock_hsa_additions")();
  }
  static size_t rings() { return get<mock_hsa_rings_fn>("mock_hsa_rings")(); }
  static size_t allocated() {
    return get<mock_hsa_allocated_fn>("mock_hsa_allocated")();
  }
};

/// What the compiler says of a kernel's implicit arguments under code object
/// versions 5 and 6, when they begin at \p base.
inline std::string hiddenColumns(uint32_t base) {
  static const struct {
    const char *kind;
    uint32_t offset, size;
  } all[] = {{"block_count_x", 0, 4},
             {"block_count_y", 4, 4},
             {"block_count_z", 8, 4},
             {"group_size_x", 12, 2},
             {"group_size_y", 14, 2},
             {"group_size_z", 16, 2},
             {"remainder_x", 18, 2},
             {"remainder_y", 20, 2},
             {"remainder_z", 22, 2},
             {"global_offset_x", 40, 8},
             {"global_offset_y", 48, 8},
             {"global_offset_z", 56, 8},
             {"grid_dims", 64, 2},
             {"printf_buffer", 72, 8},
             {"hostcall_buffer", 80, 8},
             {"multigrid_sync_arg", 88, 8},
             {"heap_v1", 96, 8},
             {"default_queue", 104, 8},
             {"completion_action", 112, 8},
             {"dynamic_lds_size", 120, 4},
             {"private_base", 192, 4},
             {"shared_base", 196, 4},
             {"queue_ptr", 200, 8}};
  std::string text = "hidden=";
  for (auto &a : all)
    text += std::string(text.back() == '=' ? "" : ",") + a.kind + ":" +
            std::to_string(base + a.offset) + ":" + std::to_string(a.size);
  return text;
}

/// A kernel of an image: what the mock's loader and the table say.
struct TestKernel {
  std::string name = {};
  uint32_t kernarg = 0; ///< explicit bytes
  uint32_t segment = 0; ///< all bytes
  uint32_t group = 0, privateSize = 0, maxThreads = 0;
  bool dynamicStack = false;
  std::string columns = {}; ///< after the common ones
};

inline std::string codeObject(const std::vector<TestKernel> &kernels) {
  std::string text = "MOCKHSA\n";
  for (const TestKernel &k : kernels)
    text += "k_" + k.name + " " + std::to_string(k.segment) + " " +
            std::to_string(k.group) + " " + std::to_string(k.privateSize) +
            " " + (k.dynamicStack ? "1" : "0") + "\n";
  return text;
}

inline std::string kernelTable(const std::vector<TestKernel> &kernels) {
  rt::KernelTableWriter table;
  for (const TestKernel &k : kernels) {
    std::string symbol = "k_" + k.name;
    std::string columns = "kernarg_segment=" + std::to_string(k.segment) +
                          (k.dynamicStack ? "\tdynamic_stack=1" : "") +
                          (k.columns.empty() ? "" : "\t" + k.columns);
    table.add({.symbol = symbol,
               .name = k.name,
               .kernargSize = k.kernarg,
               .sharedSize = k.group,
               .privateSize = k.privateSize,
               .maxThreads = k.maxThreads,
               .fingerprint = 0x1234,
               .columns = columns});
  }
  return table.text();
}

inline std::string amdSection(const std::string &arch,
                              const std::vector<TestKernel> &kernels,
                              std::string code = "") {
  if (code.empty())
    code = codeObject(kernels);
  return writeOffloadBinary(code, {{"triple", "amdgcn-amd-amdhsa"},
                                   {"arch", arch},
                                   {"xcc.abi", std::to_string(XCC_ABI_VERSION)},
                                   {"xcc.hash", hashText(code)},
                                   {"xcc.kernels", kernelTable(kernels)}});
}

/// Kernels that most tests take.
inline std::vector<TestKernel> usualKernels() {
  return {{"nothing"},
          {"increment", 8, 8},
          {"add", 24, 24},
          {"all_hidden", 24, 24 + 256, 512, 64, 256, false, hiddenColumns(24)},
          {"deep", 8, 8, 0, 32, 0, true},
          {"big", 1000, 1256, 0, 0, 0, false, hiddenColumns(1000)}};
}

/// A program for both of the mock's GPUs.
inline std::string usualSection() {
  return amdSection("gfx90a", usualKernels()) +
         amdSection("gfx1100", usualKernels());
}

/// No test may break a rule of HSA.
class Hsa : public ::testing::Test {
protected:
  Hsa() { setenv("XCC_DEVICE", "hsa", 1); }
  void TearDown() override { EXPECT_EQ(Mock::violation(), ""); }
  Unit u{usualSection()};
};

#define EXPECT_OK(call) EXPECT_EQ(call, XCC_SUCCESS) << xcc_error_last()
#define ASSERT_OK(call) ASSERT_EQ(call, XCC_SUCCESS) << xcc_error_last()

} // namespace xcc::test
#endif // XCC_TEST_HSA_UNIT_H
