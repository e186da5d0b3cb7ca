// The front end as a library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller has made a thread for it. What LLVM would end the process for comes
// back through the code generator's library, which LLVM calls then: there is one
// such place in a process.

#include "compile.h"
#include "jit/loaded.h"
#include "preambles.h"
#include "support/CompileLimit.h"
#include "clang/Basic/Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include <cstdlib>
#include <memory>

using namespace llvm;
using namespace xcc;

namespace {

/// What a result's owner is.
struct Made {
  std::string data, error;
};

void compile(const xcc_rtc_request *request, xcc_rtc_result *result);

/// All this code, and where it lies.
struct Identity {
  std::string words, files;

  static const Identity &ours() {
    static const Identity found = [] {
      const LoadedLibrary
          ours = libraryOf(reinterpret_cast<const void *>(&compile)),
          llvm = libraryOf(reinterpret_cast<const void *>(
              static_cast<void (*)(fatal_error_handler_t, void *)>(
                  install_fatal_error_handler))),
          clangs = libraryOf(reinterpret_cast<const void *>(
              static_cast<std::string (*)()>(clang::getClangFullVersion)));
      return Identity{"xcc " XCC_VERSION " " + ours.buildId +
                          " LLVM " LLVM_VERSION_STRING " " + llvm.buildId +
                          " Clang " + clangs.buildId,
                      ours.path + "\n" + llvm.path + "\n" + clangs.path + "\n"};
    }();
    return found;
  }
};

void compile(const xcc_rtc_request *request, xcc_rtc_result *result) {
  struct Call {
    const xcc_rtc_request &request;
    Made &made;
  };
  auto made = std::make_unique<Made>();
  Call call{*request, *made};
  char *words = request->generator->attempt(
      [](void *argument) {
        auto &call = *static_cast<Call *>(argument);
        Compiled compiled;
        CompileLimit::set(call.request.options->seconds,
                          call.request.options->memory);
        if (Error error =
                compileText(call.request, Identity::ours().words, compiled))
          call.made.error = toString(std::move(error));
        else
          call.made.data = rt::writeSource(compiled.table, compiled.images);
      },
      &call);
  if (words)
    made->error = std::string("LLVM cannot compile it: ") + words;
  if (auto exceeded = CompileLimit::exceeded();
      exceeded != CompileLimit::Nothing) {
    abandonPreamble();
    made->error.clear();
    raw_string_ostream os(made->error);
    if (exceeded == CompileLimit::Time)
      os << format("it takes longer than the options allow (%g s)",
                   request->options->seconds);
    else
      os << "it takes more than the " << request->options->memory
         << " bytes of memory that the options allow";
  }
  free(words);
  *result = {};
  if (made->error.empty()) {
    result->data = made->data.data();
    result->size = made->data.size();
  } else {
    result->error = made->error.c_str();
  }
  result->owner = made.release();
}

void release(xcc_rtc_result *result) {
  delete static_cast<Made *>(result->owner);
  *result = {};
}

} // namespace

extern "C" const xcc_rtc_functions *xcc_rtc_library(uint32_t version) {
  if (version != XCC_RTC_INTERFACE)
    return nullptr;
  static const xcc_rtc_functions functions = {XCC_RTC_INTERFACE,
                                              XCC_ABI_VERSION,
                                              Identity::ours().words.c_str(),
                                              Identity::ours().files.c_str(),
                                              compile,
                                              release};
  return &functions;
}
