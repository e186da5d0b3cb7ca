// libstdc++'s throwing functions, where a handler can catch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where no handler can catch, ../throws.cpp has the same functions.

#include "../text.h"

// NOLINTBEGIN(readability-identifier-naming)
namespace std {
class exception {
public:
  exception() noexcept {}
  virtual ~exception() noexcept;
  virtual const char *what() const noexcept;
};
#define XCC_PLAIN(name, base)                                                  \
  class name : public base {                                                   \
  public:                                                                      \
    name() noexcept {}                                                         \
    ~name() noexcept override;                                                 \
    const char *what() const noexcept override;                                \
  }
XCC_PLAIN(bad_exception, exception);
XCC_PLAIN(bad_alloc, exception);
XCC_PLAIN(bad_array_new_length, bad_alloc);
XCC_PLAIN(bad_cast, exception);
XCC_PLAIN(bad_typeid, exception);
XCC_PLAIN(bad_function_call, exception);

#define XCC_ROOT(name)                                                         \
  class name : public exception {                                              \
    char *text;                                                                \
                                                                               \
  public:                                                                      \
    explicit name(const char *what);                                           \
    ~name() noexcept override;                                                 \
    const char *what() const noexcept override;                                \
  }
XCC_ROOT(logic_error);
XCC_ROOT(runtime_error);

#define XCC_ERROR(name, base)                                                  \
  class name : public base {                                                   \
  public:                                                                      \
    explicit name(const char *what);                                           \
    ~name() noexcept override;                                                 \
  }
XCC_ERROR(domain_error, logic_error);
XCC_ERROR(invalid_argument, logic_error);
XCC_ERROR(length_error, logic_error);
XCC_ERROR(out_of_range, logic_error);
XCC_ERROR(range_error, runtime_error);
XCC_ERROR(overflow_error, runtime_error);
XCC_ERROR(underflow_error, runtime_error);

inline namespace _V2 {
class error_category;
const error_category &generic_category() noexcept;
} // namespace _V2
const error_category &iostream_category() noexcept;
class error_code {
public:
  int value;
  const error_category *category;
};
class system_error : public runtime_error {
  error_code code;

public:
  explicit system_error(const error_code &code);
  ~system_error() noexcept override;
};
class ios_base {
public:
  class [[gnu::abi_tag("cxx11")]] failure : public system_error {
  public:
    explicit failure(const char *what, const error_code &code);
    ~failure() noexcept override;
    const char *what() const noexcept override;
  };
};
namespace regex_constants {
enum error_type : unsigned;
}
class regex_error : public runtime_error {
  regex_constants::error_type code;

public:
  explicit regex_error(regex_constants::error_type code);
  ~regex_error() noexcept override;
};
} // namespace std

extern "C" char *strerror_r(int error, char *to,
                            decltype(sizeof 0) size) noexcept;

namespace std {
struct ErrorText {
  char text[128];
  const char *of(int error) { return strerror_r(error, text, sizeof text); }
};
/// A header of libstdc++ defines this for any category.
inline system_error::system_error(const error_code &code)
    : runtime_error(ErrorText().of(code.value)), code(code) {}

#define XCC_THROW(name)                                                        \
  [[noreturn, gnu::noinline, gnu::cold]] void __throw_##name() { throw name(); }
#define XCC_THROW_TEXT(name)                                                   \
  [[noreturn, gnu::noinline, gnu::cold]] void __throw_##name(                  \
      const char *what) {                                                      \
    throw name(what);                                                          \
  }
XCC_THROW(bad_exception)
XCC_THROW(bad_alloc)
XCC_THROW(bad_array_new_length)
XCC_THROW(bad_cast)
XCC_THROW(bad_typeid)
XCC_THROW(bad_function_call)
XCC_THROW_TEXT(logic_error)
XCC_THROW_TEXT(domain_error)
XCC_THROW_TEXT(invalid_argument)
XCC_THROW_TEXT(length_error)
XCC_THROW_TEXT(out_of_range)
XCC_THROW_TEXT(runtime_error)
XCC_THROW_TEXT(range_error)
XCC_THROW_TEXT(overflow_error)
XCC_THROW_TEXT(underflow_error)
[[noreturn, gnu::noinline, gnu::cold]] void
__throw_out_of_range_fmt(const char *format, ...) {
  Text text;
  __builtin_va_list args;
  __builtin_va_start(args, format);
  text.format(format, args);
  __builtin_va_end(args);
  throw out_of_range(text.end());
}
[[noreturn, gnu::noinline, gnu::cold]] void __throw_system_error(int error) {
  throw system_error({error, &generic_category()});
}
[[noreturn, gnu::noinline, gnu::cold]] void
__throw_ios_failure(const char *what, int error) {
  throw ios_base::failure(what, error ? error_code{error, &generic_category()}
                                      : error_code{1, &iostream_category()});
}
[[noreturn, gnu::noinline, gnu::cold]] void
__throw_ios_failure(const char *what) {
  __throw_ios_failure(what, 0);
}
[[noreturn, gnu::noinline, gnu::cold]] void
__throw_regex_error(regex_constants::error_type code) {
  throw regex_error(code);
}
} // namespace std
// NOLINTEND(readability-identifier-naming)

extern "C" {
[[noreturn]] void __cxa_throw_bad_array_new_length() {
  std::__throw_bad_array_new_length();
}
[[noreturn]] void __cxa_bad_cast() { std::__throw_bad_cast(); }
[[noreturn]] void __cxa_bad_typeid() { std::__throw_bad_typeid(); }
}
