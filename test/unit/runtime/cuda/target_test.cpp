// Which image suits which GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/image/target.h"
#include "cuda_unit.h"

using namespace xcc::rt;
using namespace xcc::rt::cuda;

static int rank(const char *arch, uint16_t kind, int major, int minor,
                const char *triple = "nvptx64-nvidia-cuda") {
  OffloadImage i;
  i.imageKind = kind;
  i.triple = triple;
  i.arch = arch;
  return rankImage(i, major, minor);
}

TEST(Target, ReadsArchs) {
  Arch a;
  ASSERT_TRUE(parseArch("sm_90a", a));
  EXPECT_EQ(a.major, 9);
  EXPECT_EQ(a.minor, 0);
  EXPECT_EQ(a.suffix, 'a');
  ASSERT_TRUE(parseArch("sm_121f", a));
  EXPECT_EQ(a.major, 12);
  EXPECT_EQ(a.minor, 1);
  EXPECT_EQ(a.suffix, 'f');
  for (const char *bad : {"", "sm_", "sm_9", "sm_90b", "sm_90aa", "sm_9000",
                          "gfx90a", "sm_-90", "90", "sm_ 90", "compute_90"})
    EXPECT_FALSE(parseArch(bad, a)) << bad;
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
    const char *arch;
    uint16_t kind;
  } order[] = {{"sm_86a", KindCubin}, {"sm_86f", KindCubin},
               {"sm_86", KindCubin},  {"sm_80", KindCubin},
               {"sm_86", KindPtx},    {"sm_80", KindPtx},
               {"sm_75", KindPtx},    {"sm_52", KindPtx}};
  int last = 1 << 30;
  for (auto &o : order) {
    int score = rank(o.arch, o.kind, 8, 6);
    EXPECT_GT(score, 0) << o.arch;
    EXPECT_LT(score, last) << o.arch;
    last = score;
  }
}
