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
#include "mock_hsa.h"
#include "src/aql.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace xcc::test {

/// The mock's functions. The library is the one that the runtime opens.
struct Mock {
  static void *find(const char *Name) {
    static void *Library = dlopen("libhsa-runtime64.so.1", RTLD_NOW);
    void *Found = Library ? dlsym(Library, Name) : nullptr;
    if (!Found) {
      fprintf(stderr,
              "no %s: the tests need the mock's folder in "
              "LD_LIBRARY_PATH\n",
              Name);
      abort();
    }
    return Found;
  }
  template <class F> static F get(const char *Name) {
    return reinterpret_cast<F>(find(Name));
  }
  static size_t records() {
    return get<mock_hsa_record_count_fn>("mock_hsa_record_count")();
  }
  static mock_record record(size_t Index) {
    mock_record R{};
    EXPECT_TRUE(get<mock_hsa_record_fn>("mock_hsa_record")(Index, &R));
    return R;
  }
  static std::string violation() {
    return get<mock_hsa_violation_fn>("mock_hsa_violation")();
  }
  static void fail(const char *Function, unsigned N, int Status) {
    get<mock_hsa_fail_fn>("mock_hsa_fail")(Function, N, Status);
  }
  static size_t calls(const char *Function) {
    return get<mock_hsa_calls_fn>("mock_hsa_calls")(Function);
  }
  static void failDispatch(unsigned N, int Status) {
    get<mock_hsa_fail_dispatch_fn>("mock_hsa_fail_dispatch")(N, Status);
  }
  static void fault(unsigned N, uint64_t Address, uint32_t Reason) {
    get<mock_hsa_fault_fn>("mock_hsa_fault")(N, Address, Reason);
  }
  static void failCopy(unsigned N) {
    get<mock_hsa_fail_copy_fn>("mock_hsa_fail_copy")(N);
  }
  static void pause(bool Paused) {
    get<mock_hsa_pause_fn>("mock_hsa_pause")(Paused);
  }
  static void readLate(bool Late) {
    get<mock_hsa_read_late_fn>("mock_hsa_read_late")(Late);
  }
  static void body(const char *Symbol, mock_body Body) {
    get<mock_hsa_body_fn>("mock_hsa_body")(Symbol, Body);
  }
  static size_t locked() {
    return get<mock_hsa_locked_fn>("mock_hsa_locked")();
  }
  static size_t allocated() {
    return get<mock_hsa_allocated_fn>("mock_hsa_allocated")();
  }
};

/// What the compiler says of a kernel's implicit arguments under code object
/// versions 5 and 6, when they begin at \p Base.
inline std::string hiddenColumns(uint32_t Base) {
  static const struct {
    const char *Kind;
    uint32_t Offset, Size;
  } All[] = {{"block_count_x", 0, 4},
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
  std::string Text = "hidden=";
  for (auto &A : All)
    Text += std::string(Text.back() == '=' ? "" : ",") + A.Kind + ":" +
            std::to_string(Base + A.Offset) + ":" + std::to_string(A.Size);
  return Text;
}

/// A kernel of an image: what the mock's loader and the table say.
struct TestKernel {
  std::string Name = {};
  uint32_t Kernarg = 0; ///< explicit bytes
  uint32_t Segment = 0; ///< all bytes
  uint32_t Group = 0, Private = 0, MaxThreads = 0;
  bool DynamicStack = false;
  std::string Columns = {}; ///< after the common ones
};

inline std::string codeObject(const std::vector<TestKernel> &Kernels) {
  std::string Text = "MOCKHSA\n";
  for (const TestKernel &K : Kernels)
    Text += "k_" + K.Name + " " + std::to_string(K.Segment) + " " +
            std::to_string(K.Group) + " " + std::to_string(K.Private) + " " +
            (K.DynamicStack ? "1" : "0") + "\n";
  return Text;
}

inline std::string kernelTable(const std::vector<TestKernel> &Kernels) {
  rt::KernelTableWriter Table;
  for (const TestKernel &K : Kernels) {
    std::string Symbol = "k_" + K.Name;
    std::string Columns = "kernarg_segment=" + std::to_string(K.Segment) +
                          (K.DynamicStack ? "\tdynamic_stack=1" : "") +
                          (K.Columns.empty() ? "" : "\t" + K.Columns);
    Table.add({.symbol = Symbol,
               .name = K.Name,
               .kernargSize = K.Kernarg,
               .groupSize = K.Group,
               .privateSize = K.Private,
               .maxThreads = K.MaxThreads,
               .fingerprint = 0x1234,
               .columns = Columns});
  }
  return Table.text();
}

inline std::string amdSection(const std::string &Arch,
                              const std::vector<TestKernel> &Kernels,
                              std::string Code = "") {
  if (Code.empty())
    Code = codeObject(Kernels);
  return writeOffloadBinary(Code, {{"triple", "amdgcn-amd-amdhsa"},
                                   {"arch", Arch},
                                   {"xcc.abi", std::to_string(XCC_ABI_VERSION)},
                                   {"xcc.hash", hashText(Code)},
                                   {"xcc.kernels", kernelTable(Kernels)}});
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
  Unit U{usualSection()};
};

#define EXPECT_OK(call) EXPECT_EQ(call, XCC_SUCCESS) << xcc_last_error()
#define ASSERT_OK(call) ASSERT_EQ(call, XCC_SUCCESS) << xcc_last_error()

} // namespace xcc::test
#endif // XCC_TEST_HSA_UNIT_H
