// A compiler of source that compiles nothing
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands for libxcc-rtc.so in source_test.cpp, also under sanitizers: of each
// text it makes the image that is compiled beside the tests. The text's first
// word says what goes wrong.

#include "formats/rtc_interface.h"
#include "formats/source_table.h"
#include "unit.h"

#include <atomic>
#include <cstdlib>

using namespace xcc::test;
using namespace xcc::rt;

namespace {

struct Owned {
  std::string data, error;
};

std::atomic<unsigned> compiled{0};

std::string result() {
  SourceTable table;
  table.log = "a\tlog\nof \\ two lines\n";
  table.diagnostics.push_back({XCC_SOURCE_WARNING, 1, 2, "a\tb", "words"});
  // One that goes on disk says what it was made of.
  table.files.push_back({stampOfSource(XCC_TEST_IMAGE),
                         hashOfSource(XCC_TEST_IMAGE), XCC_TEST_IMAGE});
  SourceKernel kernel;
  kernel.symbol = "k_increment";
  kernel.name = "increment";
  kernel.file = "text";
  kernel.line = kernel.column = 1;
  kernel.kernargSize = kernel.kernargAlignment = 8;
  kernel.fingerprint = 0x1234;
  kernel.expressions = {"increment<int>"};
  kernel.params.push_back({"p", "int *", 8, 8, 0, 0, 'v', "Pi"});
  table.kernels.push_back(kernel);
  table.variables.push_back({"v", "int", 4, "k_v", "i"});
  std::string image = readFile(XCC_TEST_IMAGE);
  return writeSource(table, writeOffloadBinary(image, imageStrings(image)));
}

void compile(const xcc_rtc_request *request, xcc_rtc_result *out) {
  ++compiled;
  std::string_view text(request->text, request->size);
  if (text.starts_with("crash"))
    __builtin_trap(); // with nothing of its own: what it had would be lost
  auto *made = new Owned;
  if (text.starts_with("refuse")) {
    made->error = "it was asked not to";
  } else if (text.starts_with("wrong")) {
    SourceTable table;
    table.log = "wrong:1:1: error: it is\n";
    table.diagnostics.push_back({XCC_SOURCE_ERROR, 1, 1, "wrong", "it is"});
    made->data = writeSource(table, "");
  } else {
    made->data = result();
    // "cut N": so many bytes of the table; "turn N": that byte is another.
    if (text.starts_with("cut "))
      made->data.resize(strtoul(request->text + 4, nullptr, 10));
    if (text.starts_with("turn "))
      made->data[strtoul(request->text + 5, nullptr, 10)] ^= 0x15;
  }
  *out = {};
  out->owner = made;
  if (made->error.empty()) {
    out->data = made->data.data();
    out->size = made->data.size();
  } else {
    out->error = made->error.c_str();
  }
}

void release(xcc_rtc_result *out) { delete static_cast<Owned *>(out->owner); }

} // namespace

extern "C" {
[[gnu::visibility("default")]] unsigned test_compiled() { return compiled; }

[[gnu::visibility("default")]] const xcc_rtc_functions *
xcc_rtc_library(uint32_t version) {
  static const xcc_rtc_functions functions = {
      XCC_RTC_INTERFACE,   XCC_ABI_VERSION, "a compiler of the tests",
      XCC_TEST_IMAGE "\n", compile,         release};
  return version == XCC_RTC_INTERFACE ? &functions : nullptr;
}
}
