// What a conformance program is made of
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of the suite is one source that includes this header once, which
// brings its main. It runs on the current device (XCC_DEVICE) and needs no
// other file, so it can be carried to a machine that has nothing but a driver.
//
//     TEST(name, needs(execution)) { ... CHECK(a == b); EQUAL(a, b); ... }
//
// It prints one line for each test:
//
//     PASS         as it should be
//     FAIL         a check did not hold, something was thrown, it crashed
//     UNSUPPORTED  this device cannot do it (expectations.txt, needs, SKIP)
//     XFAIL        fails, and expectations.txt says why
//     XPASS        passes though expectations.txt says that it fails
//
// and ends with a status other than 0 after FAIL or XPASS. Tests run in a child
// process. A test that fails ends that child and the next test gets a new one,
// because a kernel that faults can make a GPU unusable for its process; a test
// that needs(own_process) gets one in any case.
//
// Arguments: --list, or beginnings of names ("warp.shuffle"). Environment:
// CONFORMANCE_DEVICE  the device's name in expectations.txt (default: its kind)
// CONFORMANCE_SECONDS after how long a test counts as hung (default 120)

#ifndef XCC_TEST_HARNESS_H
#define XCC_TEST_HARNESS_H

#include <xcc/xcc.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <type_traits>
#include <vector>

namespace conformance {

//===----------------------------------------------------------------------===//
// Tests and what they need
//===----------------------------------------------------------------------===//

enum need : unsigned {
  nothing = 0,
  execution = 1,   ///< kernels' results: mock drivers only load and launch
  own_process = 2, ///< may leave the device unusable
  two_devices = 4  ///< two devices of which each can run this program's code
};
constexpr unsigned needs(unsigned what) { return what; }

struct test {
  const char *name;
  const char *file;
  void (*body)();
  unsigned needs;
};

inline std::vector<test> &tests() {
  static std::vector<test> all;
  return all;
}

struct registration {
  registration(const char *name, const char *file, void (*body)(),
               unsigned needs = nothing) {
    tests().push_back({name, file, body, needs});
  }
};

/// "warp.shuffle": the file's name without its ending, and the test's.
inline std::string full_name(const test &t) {
  const char *slash = std::strrchr(t.file, '/');
  std::string file = slash ? slash + 1 : t.file;
  return file.substr(0, file.find('.')) + "." + t.name;
}

#define TEST(name, ...)                                                        \
  static void test_##name();                                                   \
  [[maybe_unused]] static const conformance::registration register_##name{     \
      #name, __FILE__, test_##name __VA_OPT__(, ) __VA_ARGS__};                \
  static void test_##name()

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

struct failure : std::exception {
  std::string text;
  const char *what() const noexcept override { return text.c_str(); }
};
struct skipped : failure {};

template <class E = failure>
[[noreturn, gnu::format(printf, 1, 2)]] void stop(const char *format, ...) {
  char text[2000];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  E e;
  e.text = text;
  throw e;
}

/// Ends the test unless the condition holds.
#define CHECK(...)                                                             \
  do                                                                           \
    if (!(__VA_ARGS__))                                                        \
      conformance::stop("line %d: %s", __LINE__, #__VA_ARGS__);                \
  while (false)

/// Ends the test unless two numbers are equal; shows both.
#define EQUAL(a, b) conformance::equal(a, b, #a, #b, __LINE__)

/// Ends the test because this device, or this machine, cannot do it.
#define SKIP(...) conformance::stop<conformance::skipped>(__VA_ARGS__)

template <class A, class B>
void equal(const A &a, const B &b, const char *left, const char *right,
           int line) {
  if (!(a == static_cast<A>(b)))
    stop("line %d: %s is %.17g, %s is %.17g", line, left,
         static_cast<double>(a), right, static_cast<double>(b));
}

/// The status that a call throws; XCC_SUCCESS when it throws nothing.
template <class F> xcc_status status_of(F call, std::string *what = nullptr) {
  try {
    call();
  } catch (const xcc::error &e) {
    if (what)
      *what = e.what();
    return e.status();
  }
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Device and host side by side
//===----------------------------------------------------------------------===//

/// What a buffer holds; bool as char, because a vector of bool has no array.
template <class T> auto read(const xcc::buffer<T> &from, std::size_t n) {
  std::vector<std::conditional_t<std::is_same_v<T, bool>, char, T>> values(n);
  from.copy_to(reinterpret_cast<T *>(values.data()), n);
  return values;
}
template <class T> auto read(const xcc::buffer<T> &from) {
  return read(from, from.size());
}

/// f(0), ..., f(n - 1), each computed by a thread of the device.
template <class F> auto on_device(std::size_t n, F f, unsigned block = 64) {
  using T = decltype(f(0u));
  xcc::buffer<T> out(n);
  xcc::launch({{(n + block - 1) / block}, {block}}, [f, n, p = out.data()] {
    if (const std::size_t i = xcc::global_id(); i < n)
      p[i] = f(unsigned(i));
  });
  return read(out);
}

/// Ends the test unless f(0), ..., f(n - 1) are the same on device and host.
/// With floating point, f must be exact or not depend on contraction.
template <class F> void same(const char *what, std::size_t n, F f) {
  const auto values = on_device(n, f);
  for (std::size_t i = 0; i < n; ++i)
    if (!(values[i] == f(unsigned(i))))
      stop("%s differs at %zu", what, i);
}

/// Where threads note what is wrong: the host sees one note.
struct notes {
  int *first;
  void expect(bool holds, int note) const {
    if (!holds)
      __atomic_store_n(first, note, __ATOMIC_RELAXED);
  }
};

/// Runs body(notes) in every thread; ends the test if one of them noted
/// something. Notes are numbers other than 0, by custom __LINE__.
template <class F> void every_thread(xcc::launch_config config, F body) {
  xcc::buffer<int> first(1);
  first.fill(0);
  xcc::launch(config, [body, n = notes{first.data()}] { body(n); });
  if (const int note = read(first)[0])
    stop("a thread noted line %d", note);
}
#define EXPECT(notes, ...) (notes).expect(__VA_ARGS__, __LINE__)

} // namespace conformance

using conformance::every_thread, conformance::execution, conformance::needs,
    conformance::notes, conformance::on_device, conformance::own_process,
    conformance::read, conformance::same, conformance::status_of,
    conformance::two_devices;

#include "runner.h"

#endif // XCC_TEST_HARNESS_H
