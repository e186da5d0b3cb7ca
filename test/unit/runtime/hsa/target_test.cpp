// Which image an AMD GPU takes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hsa/image/target.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace xcc::rt::hsa;

static int rankOf(const char *image, const char *device,
                  std::string *missing = nullptr) {
  TargetId i, d;
  EXPECT_TRUE(TargetId::parse(device, d));
  if (!TargetId::parse(image, i))
    return -1;
  const char *why = nullptr;
  int score = rank(i, d, why);
  if (missing)
    *missing = why ? why : "";
  return score;
}

TEST(HsaTarget, Parse) {
  TargetId id;
  ASSERT_TRUE(TargetId::parse("gfx90a:sramecc+:xnack-", id));
  EXPECT_EQ(id.processor, "gfx90a");
  EXPECT_EQ(id.sramecc, Feature::On);
  EXPECT_EQ(id.xnack, Feature::Off);
  ASSERT_TRUE(TargetId::parse("gfx906", id));
  EXPECT_EQ(id.sramecc, Feature::Any);
  EXPECT_EQ(id.xnack, Feature::Any);
  for (const char *bad :
       {"", "sm_90", ":xnack+", "gfx90a:", "gfx90a:xnack", "gfx90a::xnack+",
        "gfx90a:xnack+:xnack-", "gfx90a:unknown+", "gfx90a:+", "x86-64-v3"})
    EXPECT_FALSE(TargetId::parse(bad, id)) << bad;
}

/// Each line: a device, and images from the best to the worst it can run.
TEST(HsaTarget, Ranks) {
  const std::vector<std::vector<const char *>> lines = {
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
  for (auto &line : lines)
    for (size_t i = 1; i != line.size(); ++i) {
      int rank = rankOf(line[i], line[0]);
      EXPECT_GT(rank, 0) << line[i] << " on " << line[0];
      if (i + 1 != line.size()) {
        EXPECT_GT(rank, rankOf(line[i + 1], line[0]))
            << line[i] << " before " << line[i + 1] << " on " << line[0];
      }
    }
}

TEST(HsaTarget, Mismatches) {
  std::string missing;
  EXPECT_EQ(rankOf("gfx90a:xnack+", "gfx90a:sramecc+:xnack-", &missing), 0);
  EXPECT_EQ(missing.substr(0, 6), "xnack+");
  EXPECT_EQ(rankOf("gfx90a:sramecc-", "gfx90a:sramecc+:xnack-", &missing), 0);
  EXPECT_EQ(missing, "sramecc-");
  EXPECT_EQ(rankOf("gfx9-generic:xnack+", "gfx906:sramecc-:xnack-", &missing),
            0);
  EXPECT_NE(missing, "");
  // A device without the feature does not run code that needs it.
  EXPECT_EQ(rankOf("gfx1100:xnack-", "gfx1100", &missing), 0);
  EXPECT_EQ(missing, "xnack-");
  for (auto [image, device] :
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
    EXPECT_EQ(rankOf(image, device, &missing), 0) << image << " " << device;
    EXPECT_EQ(missing, "") << image << " " << device;
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
