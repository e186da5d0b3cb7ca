// <system_error>: error categories and exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers and texts of errors are those of the host's C library.

#include "streams.h"

#include <cstring>
#include <ios>
#include <string>
#include <system_error>

namespace std {

inline namespace _V2 {
error_category::~error_category() = default;
__cow_string error_category::_M_message(int value) const {
  const string text = message(value);
  return __cow_string(text.c_str(), text.size());
}
error_condition
error_category::default_error_condition(int value) const noexcept {
  return error_condition(value, *this);
}
bool error_category::equivalent(int value,
                                const error_condition &other) const noexcept {
  return default_error_condition(value) == other;
}
bool error_category::equivalent(const error_code &code,
                                int value) const noexcept {
  return *this == code.category() && code.value() == value;
}
} // namespace _V2

namespace {
/// The C library's text for an error.
string textOf(int error) {
  char text[128];
  return strerror_r(error, text, sizeof text);
}

/// Whether std::errc has a name for the number, so that it belongs to the
/// generic category.
bool isGeneric(int error) {
  // One bit per number.
  constexpr unsigned long named[] = {0xf0000dffffff7fff, 0x200ecffebf100c88,
                                     0xc};
  return error >= 0 && error < 192 && named[error / 64] >> error % 64 & 1;
}

class Generic final : public error_category {
public:
  const char *name() const noexcept override { return "generic"; }
  string message(int value) const override { return textOf(value); }
};
constinit const Generic generic;

class System final : public error_category {
public:
  const char *name() const noexcept override { return "system"; }
  string message(int value) const override { return textOf(value); }
  error_condition default_error_condition(int value) const noexcept override {
    return isGeneric(value) ? error_condition(value, generic)
                            : error_condition(value, *this);
  }
};
constinit const System ofSystem;

class Streams final : public error_category {
public:
  const char *name() const noexcept override { return "iostream"; }
  string message(int value) const override {
    return value == int(io_errc::stream) ? "iostream error" : "Unknown error";
  }
};
constinit const Streams ofStreams;
} // namespace

inline namespace _V2 {
const error_category &generic_category() noexcept { return generic; }
const error_category &system_category() noexcept { return ofSystem; }
} // namespace _V2
const error_category &iostream_category() noexcept { return ofStreams; }

error_condition error_code::default_error_condition() const noexcept {
  return category().default_error_condition(value());
}

system_error::~system_error() noexcept = default;

ios_base::failure::failure(const string &what)
    : system_error(io_errc::stream, what) {}
ios_base::failure::failure(const string &what, const error_code &code)
    : system_error(code, what) {}
ios_base::failure::failure(const char *what, const error_code &code)
    : system_error(code, what) {}

} // namespace std
