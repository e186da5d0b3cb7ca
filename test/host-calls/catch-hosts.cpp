// Handlers in kernels of the CPU device catch what the host's code throws: the C++
// library's functions, and functions that an object of the host's leads to.
// RUN: %xcc -std=c++17 -O0 -w -offload-arch=host %s -o %t-host && %t-host | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -w -offload-arch=host %s -o %t-host && %t-host | FileCheck %s
// CHECK-NOT: differs
// CHECK: 32 cases
// CHECK-NEXT: an exception left the kernel: std::out_of_range: a shape
// CHECK-NEXT: 1000 caught
#include "../exec/Inputs/logged_cases.h"
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <locale>
#include <memory>
#include <memory_resource>
#include <random>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace {

constexpr int Cases = 32;

struct Shape {
  virtual ~Shape() = default;
  virtual double area(int n) const {
    if (n > 2)
      throw std::out_of_range("a shape");
    return n;
  }
};
struct Square : Shape {
  double area(int n) const override {
    try {
      return Shape::area(n);
    } catch (const std::out_of_range &) {
      throw n;
    }
  }
};
struct Large {
  long a, b, c, d;
};
struct Mine : std::runtime_error {
  int code;
  explicit Mine(int code) : runtime_error("mine"), code(code) {}
};
int order(const void *a, const void *b) {
  const int x = *static_cast<const int *>(a), y = *static_cast<const int *>(b);
  if (x == 7 || y == 7)
    throw Mine(x + y > 7);
  return x - y;
}
using Variadic = int (*)(int, ...);
int variadic(int n, ...) {
  if (n > 1)
    throw Mine(n);
  return n;
}
Large large(Large l, double by) {
  if (by > 2)
    throw Mine(int(l.d));
  return {long(by), l.a, l.b, l.c};
}

/// Functions of the host's, by their addresses and those of objects.
struct Hosts {
  Shape shape;
  Square square;
  std::function<int(int)> function = [](int n) -> int {
    if (n > 3)
      throw std::length_error("function");
    return n;
  };
  std::function<void(const std::string &)> text = [](const std::string &s) {
    throw s;
  };
  Variadic many = variadic;
  Large (*values)(Large, double) = large;
  int (Shape::*unused)() = nullptr;
};

struct Mark {
  Log &log;
  explicit Mark(Log &log) : log(log) { log.put('('); }
  ~Mark() { log.put(std::uncaught_exceptions() ? '!' : ')'); }
};

void library(Log &log, int which) {
  std::string text = "some text";
  switch (which) {
  case 0:
    text.at(9 + which);
    break;
  case 1:
    text.resize(~std::size_t(0) / 2 + 9);
    break;
  case 2:
    log.put(long(std::stoi("none")));
    break;
  case 3:
    log.put(long(std::stoul("99999999999999999999999")));
    break;
  case 4:
    text.insert(50, "x");
    break;
  case 5:
    log.put(text.substr(10 + which).c_str());
    break;
  case 6:
    log.put(text.compare(20, 1, "x") ? 'a' : 'b');
    break;
  case 7: {
    std::wstring wide = L"wide";
    wide.at(20);
    break;
  }
  case 8: {
    std::istringstream in("x");
    in.exceptions(std::ios::failbit);
    int n = 0;
    in >> n;
    break;
  }
  case 9:
    std::pmr::null_memory_resource()->allocate(16);
    break;
  case 10: {
    char room[64];
    std::pmr::monotonic_buffer_resource few(room, sizeof(room),
                                            std::pmr::null_memory_resource());
    std::pmr::vector<int> v(&few);
    for (int i = 0; i != 100; ++i) {
      v.push_back(i);
      log.put('.');
    }
    break;
  }
  case 11:
    throw std::system_error(std::make_error_code(std::errc::invalid_argument),
                            "made here");
  case 12:
    std::filesystem::file_size("/there/is/none");
    break;
  case 13:
    std::regex("(");
    break;
  case 14:
    std::locale("no such locale");
    break;
  case 15:
    std::thread().join();
    break;
  case 16:
    std::random_device("no such device");
    break;
  case 17:
    std::shared_ptr<int>(std::weak_ptr<int>());
    break;
  }
}

void hosts(Log &log, const Hosts &h, int which) {
  switch (which) {
  case 18:
    log.put(long(h.shape.area(2)));
    log.put(long(h.shape.area(which)));
    break;
  case 19: {
    const Shape *s = &h.square;
    log.put(long(s->area(1)));
    log.put(long(s->area(which)));
    break;
  }
  case 20:
    log.put(long(h.function(3)));
    log.put(long(h.function(which)));
    break;
  case 21:
    h.text("handed on, and longer than what a string has room for");
    break;
  case 22:
    log.put(long(h.many(1, 2.0)));
    log.put(long(h.many(7, 1.0, 2, "x")));
    break;
  case 23: {
    Large l = h.values({1, 2, 3, 4}, 1.5);
    log.put(l.a + l.b * 10 + l.c * 100 + l.d * 1000);
    l = h.values({1, 2, 3, 4}, 2.5);
    log.put('x');
    break;
  }
  case 24: // again, and out of a handler
    try {
      h.shape.area(3);
    } catch (const std::exception &e) {
      log.put(e.what());
      throw;
    }
    break;
  case 25: { // kept, and thrown twice
    std::exception_ptr kept;
    try {
      h.shape.area(4);
    } catch (...) {
      kept = std::current_exception();
    }
    for (int i = 0; i != 2; ++i)
      try {
        std::rethrow_exception(kept);
      } catch (const std::logic_error &e) {
        log.put(e.what());
      }
    std::rethrow_exception(kept);
  }
  case 26:
    try {
      h.function(9);
    } catch (std::length_error e) { // a copy
      Mark inner(log);
      try {
        h.square.area(8);
      } catch (int n) {
        log.put(long(n));
      }
      log.put(e.what());
    }
    break;
  case 27:
    try {
      h.function(9);
    } catch (...) {
      std::throw_with_nested(Mine(3));
    }
    break;
  case 28: {
    struct Undo {
      const Hosts &h;
      Log &log;
      ~Undo() {
        try {
          h.shape.area(5);
        } catch (const std::out_of_range &) {
          log.put('u');
        }
      }
    } undo{h, log};
    h.function(which);
    break;
  }
  case 29:
    [&]() noexcept {
      try {
        h.shape.area(6);
      } catch (const std::out_of_range &) {
        log.put("within");
      }
    }();
    break;
  case 30: // through the C library, which calls the kernel's function
  case 31: {
    const int wanted = 7;
    int values[] = {5, 3, wanted, 1};
    Mark between(log);
    if (which == 30)
      std::qsort(values, 4, sizeof(int), order);
    else
      std::bsearch(&wanted, values, 4, sizeof(int), order);
    break;
  }
  }
}

void one(Log &log, const Hosts &h, int which) {
  try {
    Mark mark(log);
    if (which < 18)
      library(log, which);
    else
      hosts(log, h, which);
    log.put(" end");
  } catch (const Mine &e) {
    log.put("mine ");
    log.put(long(e.code));
    try {
      std::rethrow_if_nested(e);
    } catch (const std::length_error &e) {
      log.put(e.what());
    }
  } catch (const std::ios_base::failure &e) {
    log.put("failure");
  } catch (const std::system_error &e) {
    log.put("system ");
    log.put(long(e.code().value()));
    log.put(e.what());
  } catch (const std::regex_error &e) {
    log.put("regex ");
    log.put(long(e.code()));
  } catch (const std::out_of_range &e) {
    log.put("range ");
    log.put(e.what());
  } catch (const std::logic_error &e) {
    log.put("logic ");
    log.put(e.what());
  } catch (const std::exception &e) {
    log.put(e.what());
  } catch (const std::string &s) {
    log.put(s.c_str());
  } catch (int n) {
    log.put(long(n));
  }
}

} // namespace

int main() {
  std::vector<Log> device(Cases), host(Cases);
  Hosts h;
  xcc::parallel_for(Cases, [&](std::size_t i) { one(device[i], h, int(i)); });
  xcc::synchronize();
  for (int i = 0; i < Cases; ++i) {
    one(host[i], h, i);
    if (std::strcmp(device[i].text, host[i].text))
      std::printf("case %d differs: '%s', on the host '%s'\n", i,
                  device[i].text, host[i].text);
  }
  std::printf("%d cases\n", Cases);
  // One that nothing catches.
  const Shape *shape = &h.shape;
  xcc::parallel_for(1, [=](std::size_t) {
    try {
      shape->area(7);
    } catch (int) {
    }
  });
  try {
    xcc::synchronize();
  } catch (const xcc::error &e) {
    std::puts(std::strstr(e.what(), "an exception left") ?: e.what());
  }
  // By many threads, at barriers too.
  int caught = 0;
  xcc::buffer<int> counts(1000);
  xcc::launch({{10}, {100}}, [shape, p = counts.data()] {
    p[xcc::global_id()] = 0;
    try {
      shape->area(int(xcc::thread_idx().x) + 5);
    } catch (const std::logic_error &e) {
      xcc::sync_block();
      p[xcc::global_id()] = e.what()[0] == 'a';
    }
    xcc::sync_block();
  });
  std::vector<int> all(1000);
  counts.copy_to(all.data(), 1000);
  for (int n : all)
    caught += n;
  std::printf("%d caught\n", caught);
}
