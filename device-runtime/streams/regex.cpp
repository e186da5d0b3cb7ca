// Errors of <regex>
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything else in <regex> is a template.

#include "streams.h"

#include <regex>

namespace std {

regex_error::regex_error(regex_constants::error_type code)
    : runtime_error("regex_error"), _M_code(code) {}
regex_error::~regex_error() throw() {}

void __throw_regex_error(regex_constants::error_type code) {
  char text[] = "std::regex_error: error_type 00";
  text[sizeof text - 3] = char('0' + int(code) / 10);
  text[sizeof text - 2] = char('0' + int(code) % 10);
  __xcc_trap(2, text, nullptr, 0); // an exception
}

} // namespace std
