// Which image an AMD GPU takes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "src/hsa/target.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace xcc::rt::hsa;

static int rankOf(const char *Image, const char *Device,
                  std::string *Missing = nullptr) {
  TargetId I, D;
  EXPECT_TRUE(TargetId::parse(Device, D));
  if (!TargetId::parse(Image, I))
    return -1;
  const char *Why = nullptr;
  int Rank = rank(I, D, Why);
  if (Missing)
    *Missing = Why ? Why : "";
  return Rank;
}

TEST(HsaTarget, Parse) {
  TargetId Id;
  ASSERT_TRUE(TargetId::parse("gfx90a:sramecc+:xnack-", Id));
  EXPECT_EQ(Id.Processor, "gfx90a");
  EXPECT_EQ(Id.Sramecc, Feature::On);
  EXPECT_EQ(Id.Xnack, Feature::Off);
  ASSERT_TRUE(TargetId::parse("gfx906", Id));
  EXPECT_EQ(Id.Sramecc, Feature::Any);
  EXPECT_EQ(Id.Xnack, Feature::Any);
  for (const char *Bad :
       {"", "sm_90", ":xnack+", "gfx90a:", "gfx90a:xnack", "gfx90a::xnack+",
        "gfx90a:xnack+:xnack-", "gfx90a:unknown+", "gfx90a:+", "x86-64-v3"})
    EXPECT_FALSE(TargetId::parse(Bad, Id)) << Bad;
}

/// Each line: a device, and images from the best to the worst it can run.
TEST(HsaTarget, Ranks) {
  const std::vector<std::vector<const char *>> Lines = {
      {"gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-", "gfx90a:xnack-",
       "gfx90a"},
      {"gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-", "gfx90a:sramecc+",
       "gfx90a"},
      {"gfx906:sramecc-:xnack-", "gfx906:xnack-", "gfx906",
       "gfx9-generic:xnack-", "gfx9-generic"},
      {"gfx942:sramecc+:xnack+", "gfx942", "gfx9-4-generic:sramecc+:xnack+",
       "gfx9-4-generic:xnack+", "gfx9-4-generic"},
      {"gfx1100", "gfx1100", "gfx11-generic"},
      {"gfx1030", "gfx1030", "gfx10-3-generic"},
      {"gfx1012:xnack-", "gfx1012", "gfx10-1-generic"},
      {"gfx1201", "gfx1201", "gfx12-generic"},
  };
  for (auto &Line : Lines)
    for (size_t I = 1; I != Line.size(); ++I) {
      int Rank = rankOf(Line[I], Line[0]);
      EXPECT_GT(Rank, 0) << Line[I] << " on " << Line[0];
      if (I + 1 != Line.size()) {
        EXPECT_GT(Rank, rankOf(Line[I + 1], Line[0]))
            << Line[I] << " before " << Line[I + 1] << " on " << Line[0];
      }
    }
}

TEST(HsaTarget, Mismatches) {
  std::string Missing;
  EXPECT_EQ(rankOf("gfx90a:xnack+", "gfx90a:sramecc+:xnack-", &Missing), 0);
  EXPECT_EQ(Missing.substr(0, 6), "xnack+");
  EXPECT_EQ(rankOf("gfx90a:sramecc-", "gfx90a:sramecc+:xnack-", &Missing), 0);
  EXPECT_EQ(Missing, "sramecc-");
  EXPECT_EQ(rankOf("gfx9-generic:xnack+", "gfx906:sramecc-:xnack-", &Missing),
            0);
  EXPECT_NE(Missing, "");
  // A device without the feature does not run code that needs it.
  EXPECT_EQ(rankOf("gfx1100:xnack-", "gfx1100", &Missing), 0);
  EXPECT_EQ(Missing, "xnack-");
  for (auto [Image, Device] :
       std::vector<std::pair<const char *, const char *>>{
           {"gfx908", "gfx90a:sramecc+:xnack-"},
           {"gfx9-generic", "gfx90a:sramecc+:xnack-"},
           {"gfx9-generic", "gfx908:sramecc+:xnack-"},
           {"gfx9-4-generic", "gfx90a:sramecc+:xnack-"},
           {"gfx11-generic", "gfx1030"},
           {"gfx12-generic", "gfx1250"},
           {"gfx10-1-generic", "gfx1030"},
           {"gfx110", "gfx1100"},
           {"gfx1100", "gfx1101"}}) {
    EXPECT_EQ(rankOf(Image, Device, &Missing), 0) << Image << " " << Device;
    EXPECT_EQ(Missing, "") << Image << " " << Device;
  }
}

TEST(HsaTarget, Generics) {
  EXPECT_TRUE(covers("gfx9-generic", "gfx900"));
  EXPECT_TRUE(covers("gfx9-generic", "gfx90c"));
  EXPECT_FALSE(covers("gfx9-generic", "gfx90"));
  EXPECT_TRUE(covers("gfx10-3-generic", "gfx1036"));
  EXPECT_TRUE(covers("gfx11-generic", "gfx1153"));
  EXPECT_TRUE(covers("gfx9-4-generic", "gfx950"));
  EXPECT_FALSE(covers("gfx8-generic", "gfx803"));
  EXPECT_FALSE(covers("gfx11-generic", ""));
}
