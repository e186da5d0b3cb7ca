// Which image suits which GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_unit.h"
#include "src/cuda/target.h"

using namespace xcc::rt;
using namespace xcc::rt::cuda;

static int rank(const char *Arch, uint16_t Kind, int Major, int Minor,
                const char *Triple = "nvptx64-nvidia-cuda") {
  OffloadImage I;
  I.ImageKind = Kind;
  I.Triple = Triple;
  I.Arch = Arch;
  return rankImage(I, Major, Minor);
}

TEST(Target, ReadsArchs) {
  Arch A;
  ASSERT_TRUE(parseArch("sm_90a", A));
  EXPECT_EQ(A.Major, 9);
  EXPECT_EQ(A.Minor, 0);
  EXPECT_EQ(A.Suffix, 'a');
  ASSERT_TRUE(parseArch("sm_121f", A));
  EXPECT_EQ(A.Major, 12);
  EXPECT_EQ(A.Minor, 1);
  EXPECT_EQ(A.Suffix, 'f');
  for (const char *Bad : {"", "sm_", "sm_9", "sm_90b", "sm_90aa", "sm_9000",
                          "gfx90a", "sm_-90", "90", "sm_ 90", "compute_90"})
    EXPECT_FALSE(parseArch(Bad, A)) << Bad;
}

TEST(Target, Cubins) {
  EXPECT_GT(rank("sm_90", KindCubin, 9, 0), 0);
  EXPECT_GT(rank("sm_80", KindCubin, 8, 6), 0);
  EXPECT_GT(rank("sm_80", KindCubin, 8, 9), 0);
  EXPECT_EQ(rank("sm_86", KindCubin, 8, 0), 0); // newer
  EXPECT_EQ(rank("sm_80", KindCubin, 9, 0), 0); // another major
  EXPECT_EQ(rank("sm_90", KindCubin, 8, 9), 0);
  EXPECT_GT(rank("sm_90a", KindCubin, 9, 0), 0);
  EXPECT_EQ(rank("sm_100a", KindCubin, 10, 3), 0); // this GPU only
  EXPECT_GT(rank("sm_100f", KindCubin, 10, 3), 0); // the family
  EXPECT_EQ(rank("sm_103f", KindCubin, 10, 0), 0);
  EXPECT_EQ(rank("sm_100f", KindCubin, 12, 0), 0);
}

TEST(Target, EmbeddedGpusTakeTheirOwnCubins) {
  EXPECT_GT(rank("sm_87", KindCubin, 8, 7), 0);
  EXPECT_EQ(rank("sm_86", KindCubin, 8, 7), 0);
  EXPECT_EQ(rank("sm_87", KindCubin, 8, 9), 0);
  EXPECT_EQ(rank("sm_70", KindCubin, 7, 2), 0);
  EXPECT_GT(rank("sm_70", KindPtx, 7, 2), 0);
}

TEST(Target, Ptx) {
  EXPECT_GT(rank("sm_70", KindPtx, 9, 0), 0);
  EXPECT_GT(rank("sm_90", KindPtx, 9, 0), 0);
  EXPECT_GT(rank("sm_90", KindPtx, 12, 1), 0);
  EXPECT_EQ(rank("sm_90", KindPtx, 8, 9), 0);
  EXPECT_EQ(rank("sm_89", KindPtx, 8, 6), 0);
  EXPECT_GT(rank("sm_90a", KindPtx, 9, 0), 0);
  EXPECT_EQ(rank("sm_90a", KindPtx, 10, 0), 0);
  EXPECT_GT(rank("sm_100f", KindPtx, 10, 3), 0);
  EXPECT_EQ(rank("sm_100f", KindPtx, 12, 0), 0);
}

TEST(Target, OtherImages) {
  EXPECT_EQ(rank("sm_90", 1, 9, 0), 0); // an object
  EXPECT_EQ(rank("sm_90", 2, 9, 0), 0); // bitcode
  EXPECT_EQ(rank("sm_90", KindCubin, 9, 0, "amdgcn-amd-amdhsa"), 0);
  EXPECT_EQ(rank("gfx90a", KindCubin, 9, 0), 0);
}

TEST(Target, BestFirst) {
  // What a GPU of capability 8.6 takes, from best to worst.
  struct {
    const char *Arch;
    uint16_t Kind;
  } Order[] = {{"sm_86a", KindCubin}, {"sm_86f", KindCubin},
               {"sm_86", KindCubin},  {"sm_80", KindCubin},
               {"sm_86", KindPtx},    {"sm_80", KindPtx},
               {"sm_75", KindPtx},    {"sm_52", KindPtx}};
  int Last = 1 << 30;
  for (auto &O : Order) {
    int Rank = rank(O.Arch, O.Kind, 8, 6);
    EXPECT_GT(Rank, 0) << O.Arch;
    EXPECT_LT(Rank, Last) << O.Arch;
    Last = Rank;
  }
}
