// Target ids, and what the metadata of code objects says of arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/amdgcn/arch.h"
#include "targets/amdgcn/inline.h"
#include "targets/amdgcn/metadata.h"
#include "targets/amdgcn/workarounds/workarounds.h"
#include "llvm/Support/CommandLine.h"

#include <gtest/gtest.h>

namespace xcc::amdgcn {
namespace {

template <class Type = bool> Type option(const char *name) {
  auto &all = llvm::cl::getRegisteredOptions();
  auto found = all.find(name);
  EXPECT_TRUE(found != all.end()) << name;
  return found == all.end()
             ? Type()
             : Type(*static_cast<llvm::cl::opt<Type> *>(found->second));
}

TEST(Options, OutliveALinkOfAnotherThread) {
  chooseOptions();
  // As lld does before it reads its own.
  llvm::cl::ResetAllOptionOccurrences();
  EXPECT_TRUE(option("disable-promote-alloca-to-lds"));
  EXPECT_FALSE(option("amdgpu-remove-redundant-endcf"));
  EXPECT_EQ(option<size_t>("amdgpu-inline-max-bb"), MostBlocks);
}

TEST(TargetID, HasFeaturesByName) {
  auto id = parseTargetID("gfx90a:xnack-:sramecc+");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->canonical, "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(id->processor, "gfx90a");
  EXPECT_EQ(id->features, "+sramecc,-xnack");
  EXPECT_FALSE(id->generic);
  EXPECT_TRUE(parseTargetID("gfx9-generic")->generic);
}

TEST(TargetID, OfTextThatIsNone) {
  for (llvm::StringRef text : {"", "gfx", "gfx9999", "gfx90a:", "gfx90a:xnack",
                               "gfx90a:xnack+:", "gfx90a:xnack+:xnack-",
                               "gfx1100:sramecc+", "gfx90a::xnack+"})
    EXPECT_FALSE(parseTargetID(text)) << text.str();
}

struct Argument {
  const char *kind;
  unsigned offset, size;
};

/// The metadata of a kernel with such arguments, compared with such parameters.
std::string differ(std::vector<Argument> args,
                   std::vector<KernelParam> params) {
  llvm::msgpack::Document document;
  llvm::msgpack::ArrayDocNode list = document.getArrayNode();
  for (const Argument &arg : args) {
    llvm::msgpack::MapDocNode map = document.getMapNode();
    map[".value_kind"] = arg.kind;
    map[".offset"] = arg.offset;
    map[".size"] = arg.size;
    list.push_back(map);
  }
  llvm::msgpack::MapDocNode map = document.getMapNode();
  map[".args"] = list;
  KernelMetadata data(map);
  Kernel kernel;
  kernel.params = std::move(params);
  return differenceInMetadata(data, kernel);
}

TEST(ArgumentsInMetadata, AgreeWithTheLayout) {
  EXPECT_EQ(differ({{"global_buffer", 0, 8},
                    {"by_value", 8, 4},
                    {"hidden_block_count_x", 16, 4}},
                   {{"p", "int *", 8, 8, 0}, {"n", "int", 4, 4, 8}}),
            "");
}

TEST(ArgumentsInMetadata, NameADifference) {
  EXPECT_EQ(differ({{"global_buffer", 0, 8}, {"by_value", 12, 4}},
                   {{"p", "int *", 8, 8, 0}, {"n", "int", 4, 4, 8}}),
            "parameter 2 is at 12 with 4 bytes, and the host puts 4 bytes at "
            "8");
  EXPECT_EQ(differ({{"by_value", 0, 4}}, {}),
            "it has more parameters than the kernel");
  EXPECT_EQ(differ({{"hidden_none", 0, 4}}, {{"n", "int", 4, 4, 0}}),
            "it has fewer parameters than the kernel");
}

TEST(Metadata, OfBytesThatAreNoCodeObject) {
  EXPECT_FALSE(Metadata().read(""));
  EXPECT_FALSE(Metadata().read("\x7f"
                               "ELF"));
}

} // namespace
} // namespace xcc::amdgcn
