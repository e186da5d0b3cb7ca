// Faults, deadlocks, schedules
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lab.h"

#include <gtest/gtest.h>

using namespace amdgcn;

static std::string failure(const std::string &Snippet, Lab L = {}) {
  EXPECT_FALSE(L.run(Snippet));
  return L.Report;
}
static bool has(const std::string &Text, const char *What) {
  return Text.find(What) != Text.npos;
}

TEST(Faults, AStoreBeyondAnAllocation) {
  std::string R = failure("global_store_dword v1, v2, s[2:3] offset:4092");
  EXPECT_TRUE(has(R, "MEMORY FAULT: a store of 4 bytes"));
  EXPECT_TRUE(has(R, "lane 1")) << R;
  EXPECT_TRUE(has(R, "kernel snippet on gfx90a"));
  EXPECT_TRUE(has(R, "global_store_dword v1, v2, s[2:3] offset:4092"));
}

TEST(Faults, SharedMemoryAndScratchHaveEnds) {
  EXPECT_TRUE(has(failure("v_mov_b32 v3, 0x100\nds_write_b32 v3, v2"),
                  "APERTURE VIOLATION: shared memory 256 of 256"));
  Lab L;
  L.Processor = "gfx942";
  EXPECT_TRUE(has(failure("scratch_store_dword off, v2, off offset:64", L),
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
  Lab L;
  L.Processor = "gfx1100";
  L.Lanes = L.Threads = 32;
  EXPECT_TRUE(has(failure("s_mov_b32 exec_hi, 1", L), "exec_hi"));
}

TEST(Faults, RegistersBeyondTheKernels) {
  EXPECT_TRUE(has(failure("v_mov_b32 v200, 0"), "a vector register beyond"));
}

TEST(Deadlocks, AWaveThatSpinsAndOnesAtTheBarrier) {
  Lab L;
  L.Threads = 128;
  L.Set.HangSeconds = 0.2;
  // The second wave waits for its first word to change, which nobody does.
  std::string R = failure("s_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v0\n"
                          "s_cmp_eq_u32 s6, 0\ns_cbranch_scc1 1\n"
                          "s_branch 65535\ns_barrier",
                          L);
  EXPECT_TRUE(has(R, "DEADLOCK")) << R;
  EXPECT_TRUE(has(R, "1 wave wait for the barrier at s_barrier")) << R;
  EXPECT_TRUE(has(R, "1 wave run in a circle at s_branch")) << R;
}

TEST(Schedules, WorkgroupsWaitForEachOther) {
  for (auto Kind : {Settings::Fair, Settings::Lockstep, Settings::Random})
    for (uint64_t Seed : {1, 2}) {
      Lab L;
      L.Groups = 2;
      L.Threads = 1;
      L.Set.Schedule = Kind;
      L.Set.Seed = Seed;
      L.Set.HangSeconds = 5;
      // Each sets its own word and waits for the other's, at 1024.
      EXPECT_TRUE(L.run("s_lshl_b32 s5, s2, 0\n"
                        "v_mov_b32 v4, 0x400\nv_mov_b32 v5, 1\n"
                        "global_atomic_add v4, v5, s[2:3]\n"
                        "global_load_dword v6, v4, s[2:3] glc\n"
                        "s_waitcnt vmcnt(0)\nv_readfirstlane_b32 s6, v6\n"
                        "s_cmp_lg_u32 s6, 2\ns_cbranch_scc1 65530"))
          << L.Report;
    }
}

TEST(Schedules, BarriersOrderSharedMemory) {
  for (auto Kind : {Settings::Fair, Settings::Lockstep, Settings::Random}) {
    Lab L;
    L.Threads = 256;
    L.LdsBytes = 1024;
    L.Set.Schedule = Kind;
    for (unsigned I = 0; I != 256; ++I)
      L.Words[I] = I;
    ASSERT_TRUE(L.run("ds_write_b32 v1, v2\ns_barrier\n"
                      "v_sub_u32 v4, 0x3fc, v1\nds_read_b32 v2, v4"))
        << L.Report;
    for (unsigned I = 0; I != 256; ++I)
      EXPECT_EQ(L.Words[I], 255 - I);
  }
}

TEST(Notes, TellOfRacesInSharedMemory) {
  Lab L;
  L.Threads = 128;
  L.LdsBytes = 1024;
  L.Set.Notes = true;
  // Each lane's word, and then one's of the other wave.
  const std::string Other = "v_xor_b32 v4, 0x100, v1\nds_read_b32 v2, v4";
  ASSERT_TRUE(L.run("ds_write_b32 v1, v2\ns_barrier\n" + Other)) << L.Report;
  EXPECT_EQ(L.Notes, "");
  ASSERT_TRUE(L.run("ds_write_b32 v1, v2\n" + Other)) << L.Report;
  EXPECT_TRUE(has(L.Notes, "with no barrier in between")) << L.Notes;
  EXPECT_TRUE(has(L.Notes, "ds_read_b32")) << L.Notes;
  EXPECT_TRUE(has(L.Notes, "ds_write_b32")) << L.Notes;
  // A wave's lanes are in step, and atomic operations are no race.
  ASSERT_TRUE(L.run("ds_write_b32 v1, v2\nv_xor_b32 v4, 4, v1\n"
                    "ds_read_b32 v2, v4"));
  EXPECT_EQ(L.Notes, "");
  ASSERT_TRUE(L.run("v_mov_b32 v4, 0\nds_add_u32 v4, v2\ns_barrier\n"
                    "ds_read_b32 v2, v4"));
  EXPECT_EQ(L.Notes, "");
  ASSERT_TRUE(L.run("ds_write_b32 v1, v2\nv_xor_b32 v4, 0x100, v1\n"
                    "ds_add_u32 v4, v2"));
  EXPECT_TRUE(has(L.Notes, "atomic operation")) << L.Notes;
}
