// <system_error>, and what streams and the library throw of it: in a kernel as on the
// host, and caught there.
// RUN: %xcc -std=c++17 -O0 -w -offload-arch=host %s -o %t-host && %t-host | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -w -offload-arch=host %s -o %t-host && %t-host | FileCheck %s
// GPUs without expressions, whose code takes long to generate.
// RUN: %if simulators %{ %xcc -std=c++20 -O0 -w -DWITHOUT_REGEX %two-gpus %s -o %t %}
// RUN: %if simulators %{ %on-nvidia %t | FileCheck %s %}
// RUN: %if simulators %{ %on-amd %t | FileCheck %s %}
// CHECK-NOT: differs
// CHECK: 10 cases
#include "../exec/Inputs/logged_cases.h"
#include <cerrno>
#include <ios>
#include <mutex>
#include <regex>
#include <sstream>
#include <string>
#include <system_error>

namespace {

constexpr int Cases = 10;

enum class Fault { none, small, great };
struct Category : std::error_category {
  const char *name() const noexcept override { return "faults"; }
  std::string message(int n) const override {
    return n == 1 ? "a small one" : "a great one";
  }
  std::error_condition default_error_condition(int n) const noexcept override {
    return n == 1 ? std::make_error_condition(std::errc::interrupted)
                  : std::error_condition(n, *this);
  }
};

void put(Log &log, const std::error_code &code) {
  log.put(code.category().name());
  log.put(long(code.value()));
  log.put(code ? ' ' : '0');
  log.put(code.message().c_str());
}

void one(Log &log, int which, int zero) {
  const Category faults;
  try {
    switch (which) {
    case 0:
      put(log, std::make_error_code(std::errc::invalid_argument));
      put(log, std::error_code());
      break;
    case 1:
      put(log, std::error_code(ENOENT, std::system_category()));
      log.put(long(std::error_code(ENOENT, std::system_category()) ==
                   std::errc::no_such_file_or_directory));
      log.put(long(std::error_code(ENOENT, std::generic_category()) ==
                   std::errc::permission_denied));
      break;
    case 2: {
      std::error_code e(int(Fault::small), faults);
      put(log, e);
      log.put(e == std::errc::interrupted ? 'i' : '-');
      log.put(e.default_error_condition().category().name());
      log.put(e == std::error_code(1, std::generic_category()) ? '=' : '!');
      log.put(e.category() == faults ? '=' : '!');
      break;
    }
    case 3:
      throw std::system_error(std::make_error_code(std::errc::io_error),
                              "reading");
    case 4:
      throw std::system_error(int(Fault::great), faults, std::string("mine"));
    case 5: {
      std::istringstream in("x");
      in.exceptions(std::ios::failbit);
      int n = 0;
      in >> n;
      break;
    }
#ifndef WITHOUT_REGEX
    case 6:
      std::regex(zero ? "a" : "(");
      break;
#endif
    case 7:
      throw std::ios_base::failure("my own");
    case 8:
      throw std::system_error(ENOMEM, std::system_category(), "no room");
    case 9:
      try {
        throw std::system_error(EAGAIN, std::generic_category());
      } catch (const std::runtime_error &e) {
        log.put(e.what());
        throw;
      }
    }
  } catch (const std::ios_base::failure &e) {
    log.put("failure ");
    put(log, e.code());
    log.put(e.what());
  } catch (const std::system_error &e) {
    log.put("system ");
    put(log, e.code());
    log.put(e.what());
  } catch (const std::regex_error &e) {
    log.put("regex ");
    log.put(long(e.code()));
  }
}

void kernel(Log *logs, int zero) {
  if (xcc::global_id() < Cases)
    one(logs[xcc::global_id()], int(xcc::global_id()), zero);
}

} // namespace

int main() {
  compareCases<kernel>(Cases, 32, one);
  std::printf("%d cases\n", Cases);
}
