// Faults, deadlocks, schedules
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lab.h"

#include <gtest/gtest.h>

using namespace amdgcn;

static std::string failure(const std::string &snippet, Lab l = {}) {
  EXPECT_FALSE(l.run(snippet));
  return l.report;
}
static bool has(const std::string &text, const char *what) {
  return text.find(what) != text.npos;
}

TEST(Faults, AStoreBeyondAnAllocation) {
  std::string r = failure("global_store_dword v1, v2, s[2:3] offset:4092");
  EXPECT_TRUE(has(r, "MEMORY FAULT: a store of 4 bytes"));
  EXPECT_TRUE(has(r, "lane 1")) << r;
  EXPECT_TRUE(has(r, "kernel snippet on gfx90a"));
  EXPECT_TRUE(has(r, "global_store_dword v1, v2, s[2:3] offset:4092"));
}

TEST(Faults, SharedMemoryAndScratchHaveEnds) {
  EXPECT_TRUE(has(failure("v_mov_b32 v3, 0x100\nds_write_b32 v3, v2"),
                  "APERTURE VIOLATION: shared memory 256 of 256"));
  // The last of 64 lanes.
  std::string r = failure("ds_write_b32 v1, v2 offset:4");
  EXPECT_TRUE(has(r, "APERTURE VIOLATION: shared memory 256 of 256"));
  EXPECT_TRUE(has(r, "lane 63")) << r;
  Lab l;
  l.processor = "gfx942";
  EXPECT_TRUE(has(failure("scratch_store_dword off, v2, off offset:64", l),
                  "APERTURE VIOLATION: scratch 64 of 64"));
}

TEST(Faults, Traps) { EXPECT_TRUE(has(failure("s_trap 2"), "TRAP: trap 2")); }

TEST(Faults, AnUnknownInstructionIsNamed) {
  EXPECT_TRUE(has(failure("v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[0:3]"),
                  "ILLEGAL INSTRUCTION: the instruction is not known"));
}

TEST(Faults, AJumpToNowhere) {
  EXPECT_TRUE(has(failure("s_mov_b64 s[4:5], 0x1000\ns_setpc_b64 s[4:5]"),
                  "MEMORY FAULT: a jump to 0x1000"));
}

TEST(Faults, UpperExecInAWaveOf32) {
  Lab l;
  l.processor = "gfx1100";
  l.lanes = l.threads = 32;
  EXPECT_TRUE(has(failure("s_mov_b32 exec_hi, 1", l), "exec_hi"));
}

TEST(Faults, RegistersBeyondTheKernels) {
  EXPECT_TRUE(has(failure("v_mov_b32 v200, 0"), "a vector register beyond"));
}

TEST(Deadlocks, AWaveThatSpinsAndOnesAtTheBarrier) {
  Lab l;
  l.threads = 128;
  l.set.hangSeconds = 0.2;
  // The second wave waits for its first word to change, which nobody does.
  std::string r = failure("s_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v0\n"
                          "s_cmp_eq_u32 s6, 0\ns_cbranch_scc1 1\n"
                          "s_branch 65535\ns_barrier",
                          l);
  EXPECT_TRUE(has(r, "DEADLOCK")) << r;
  EXPECT_TRUE(has(r, "1 wave wait for the barrier at s_barrier")) << r;
  EXPECT_TRUE(has(r, "1 wave run in a circle at s_branch")) << r;
}

TEST(Schedules, WorkgroupsWaitForEachOther) {
  for (auto kind : {Settings::Fair, Settings::Lockstep, Settings::Random})
    for (uint64_t seed : {1, 2}) {
      Lab l;
      l.groups = 2;
      l.threads = 1;
      l.set.schedule = kind;
      l.set.seed = seed;
      l.set.hangSeconds = 5;
      // Each sets its own word and waits for the other's, at 1024.
      EXPECT_TRUE(l.run("s_lshl_b32 s5, s2, 0\n"
                        "v_mov_b32 v4, 0x400\nv_mov_b32 v5, 1\n"
                        "global_atomic_add v4, v5, s[2:3]\n"
                        "global_load_dword v6, v4, s[2:3] glc\n"
                        "s_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v6\n"
                        "s_cmp_lg_u32 s6, 2\ns_cbranch_scc1 65530"))
          << l.report;
    }
}

TEST(Schedules, BarriersOrderSharedMemory) {
  for (auto kind : {Settings::Fair, Settings::Lockstep, Settings::Random}) {
    Lab l;
    l.threads = 256;
    l.ldsBytes = 1024;
    l.set.schedule = kind;
    for (unsigned i = 0; i != 256; ++i)
      l.words[i] = i;
    ASSERT_TRUE(l.run("ds_write_b32 v1, v2\ns_barrier\n"
                      "v_sub_u32 v4, 0x3fc, v1\nds_read_b32 v2, v4"))
        << l.report;
    for (unsigned i = 0; i != 256; ++i)
      EXPECT_EQ(l.words[i], 255 - i);
  }
}

TEST(Notes, TellOfRacesInSharedMemory) {
  Lab l;
  l.threads = 128;
  l.ldsBytes = 1024;
  l.set.notes = true;
  // Each lane's word, and then one's of the other wave.
  const std::string other = "v_xor_b32 v4, 0x100, v1\nds_read_b32 v2, v4";
  ASSERT_TRUE(l.run("ds_write_b32 v1, v2\ns_barrier\n" + other)) << l.report;
  EXPECT_EQ(l.notes, "");
  ASSERT_TRUE(l.run("ds_write_b32 v1, v2\n" + other)) << l.report;
  EXPECT_TRUE(has(l.notes, "with no barrier in between")) << l.notes;
  EXPECT_TRUE(has(l.notes, "ds_read_b32")) << l.notes;
  EXPECT_TRUE(has(l.notes, "ds_write_b32")) << l.notes;
  // A wave's lanes are in step, and atomic operations are no race.
  ASSERT_TRUE(l.run("ds_write_b32 v1, v2\nv_xor_b32 v4, 4, v1\n"
                    "ds_read_b32 v2, v4"));
  EXPECT_EQ(l.notes, "");
  ASSERT_TRUE(l.run("v_mov_b32 v4, 0\nds_add_u32 v4, v2\ns_barrier\n"
                    "ds_read_b32 v2, v4"));
  EXPECT_EQ(l.notes, "");
  ASSERT_TRUE(l.run("ds_write_b32 v1, v2\nv_xor_b32 v4, 0x100, v1\n"
                    "ds_add_u32 v4, v2"));
  EXPECT_TRUE(has(l.notes, "atomic operation")) << l.notes;
}
