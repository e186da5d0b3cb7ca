// A code generator that generates nothing
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands for libxcc-jit.so in generate_test.cpp, also under sanitizers: hands
// back the image that is compiled beside the tests. XCC_TEST_GENERATOR says
// what goes wrong.

#include "formats/jit_interface.h"
#include "unit.h"

#include <atomic>

using namespace xcc::test;

namespace {

struct Owned {
  std::string image, error;
};

std::atomic<unsigned> generated{0};

bool isAsked(const char *what) {
  const char *set = getenv("XCC_TEST_GENERATOR");
  return set && std::string_view(set) == what;
}

/// Of the image with one kernel more.
Strings stringsOf(const std::string &image) {
  Strings strings = imageStrings(image);
  for (auto &[key, value] : strings)
    if (key == "xcc.kernels")
      value += kernelRows(
          {{.symbol = "k_append", .name = "append", .kernargSize = 16}});
  return strings;
}

void generate(const xcc_jit_request *request, xcc_jit_result *result) {
  ++generated;
  auto *made = new Owned;
  if (isAsked("refuse") || (isAsked("refuse-variants") && request->variant)) {
    made->error = "it was asked not to";
  } else if (std::string_view(request->triple).starts_with("nvptx")) {
    std::string text = "k_fill of a GPU, as PTX";
    made->image = writeOffloadBinary(
        text,
        {{"triple", request->triple},
         {"arch", request->arch},
         {"xcc.abi", std::to_string(XCC_ABI_VERSION)},
         {"xcc.hash", hashText(text)},
         {"xcc.kernels",
          kernelRows(
              {{.symbol = "k_fill", .name = "fill", .kernargSize = 16}})}},
        /*imageKind=*/5);
  } else {
    std::string image = readFile(XCC_TEST_IMAGE);
    // Whole, for this device, and no shared object.
    if (isAsked("unloadable"))
      image.assign(image.size(), '?');
    made->image = writeOffloadBinary(image, stringsOf(image));
  }
  result->owner = made;
  result->image = made->image.empty() ? nullptr : made->image.data();
  result->size = made->image.size();
  result->error = made->error.empty() ? nullptr : made->error.c_str();
}

void release(xcc_jit_result *result) {
  delete static_cast<Owned *>(result->owner);
}

} // namespace

extern "C" {
[[gnu::visibility("default")]] unsigned test_generated() { return generated; }

[[gnu::visibility("default")]] const xcc_jit_functions *
xcc_jit_library(uint32_t version) {
  static const xcc_jit_functions functions = {XCC_JIT_INTERFACE,
                                              XCC_ABI_VERSION,
                                              "a generator of the tests",
                                              XCC_TEST_IMAGE "\n",
                                              generate,
                                              release,
                                              nullptr};
  return version == XCC_JIT_INTERFACE ? &functions : nullptr;
}
}
