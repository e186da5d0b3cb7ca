// Handlers in kernels catch what the C++ library throws, and what passes through
// its functions and classes, as on the host.
// RUN: %xcc -O0 -Wno-exceptions %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -Wno-exceptions %s -o %t && %t | FileCheck %s
// CHECK-NOT: differs
// CHECK: 40 cases
// CHECK-NEXT: 0 objects left, 0 wrong
#include "Inputs/logged_cases.h"
#include <algorithm>
#include <any>
#include <array>
#include <bitset>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <unordered_map>
#include <variant>
#include <vector>
#include <xcc/xcc.h>

namespace {

constexpr int Cases = 40;

/// Throws when it is copied for the nth time.
struct Brittle {
  static constexpr int Never = 1000;
  Log *log;
  int value;
  int *left;
  Brittle(Log &log, int value, int &left)
      : log(&log), value(value), left(&left) {}
  Brittle(const Brittle &o) : log(o.log), value(o.value), left(o.left) {
    if (--*left == 0)
      throw value;
    log->put('c');
  }
  Brittle &operator=(const Brittle &) = default;
  ~Brittle() { log->put('d'); }
};

struct Animal {
  virtual ~Animal() = default;
  virtual int legs() const { throw std::logic_error("how many legs?"); }
};
struct Bird : Animal {
  int legs() const override { return 2; }
};
struct Fish : Animal {
  int legs() const override {
    try {
      return Animal::legs();
    } catch (const std::logic_error &e) {
      throw std::domain_error(e.what());
    }
  }
};

struct Holder {
  Log &log;
  Holder(Log &log, int) : log(log) { log.put('H'); }
  explicit Holder(Log &log) : Holder(log, 1) { throw 'x'; }
  ~Holder() { log.put('h'); }
};
struct Member {
  Log &log;
  char name;
  Member(Log &log, char name, bool fails) : log(log), name(name) {
    if (fails)
      throw name;
    log.put(name);
  }
  ~Member() { log.put(char(name - 32)); }
};
struct Whole : Member {
  Member second, third;
  Whole(Log &log, int fails) try
      : Member(log, 'a', fails == 1), second(log, 'b', fails == 2),
        third(log, 'c', fails == 3) {
    if (fails == 4)
      throw 'w';
  } catch (char c) {
    // The object is gone, its members too.
    throw int(c);
  }
};
enum class Colour { red, green };

int down(Log &log, int depth) {
  Member here(log, 'm', false);
  if (depth == 0)
    throw std::out_of_range("the bottom");
  return down(log, depth - 1) + 1;
}
template <class Type> Type checked(Type value, Type most) {
  if (value > most)
    throw std::pair<Type, Type>(value, most);
  return value;
}

void first(Log &log, int which, int zero) {
  std::vector<int> numbers = {3, 1, 2};
  std::string text = "some text that is not short";
  switch (which) {
  case 0:
    log.put(long(numbers.at(3 + zero)));
    break;
  case 1:
    log.put(long(std::stoi(zero ? "1" : "none")));
    break;
  case 2:
    log.put(long(std::stoi("99999999999")));
    break;
  case 3:
    log.put(long(std::stod("1e") + std::stol("x9")));
    break;
  case 4: {
    std::optional<int> nothing;
    log.put(long(nothing.value()));
    break;
  }
  case 5: {
    std::variant<int, std::string> either = "text";
    log.put(std::get<1>(either).c_str());
    log.put(long(std::get<int>(either)));
    break;
  }
  case 6: {
    std::variant<int, std::string> either = 7;
    std::visit([](auto &one) -> void { throw sizeof(one) == sizeof(int); },
               either);
    break;
  }
  case 7: {
    std::any any = 5;
    log.put(long(std::any_cast<int>(any)));
    log.put(long(std::any_cast<char>(any)));
    break;
  }
  case 8: {
    std::function<int(int)> none;
    log.put(long(none(1)));
    break;
  }
  case 9:
    log.put(long(std::bitset<4>("01x1").count()));
    break;
  case 10: {
    std::map<int, int> map = {{1, 2}};
    log.put(long(map.at(1)));
    log.put(long(map.at(2 + zero)));
    break;
  }
  case 11: {
    std::unordered_map<int, std::string> map = {{1, "one"}};
    log.put(map.at(1).c_str());
    log.put(map.at(2 + zero).c_str());
    break;
  }
  case 12:
    // libstdc++.so's own throws are not caught on the CPU device.
    log.put(long(std::string_view(text).substr(100 + zero).size()));
    break;
  case 13: {
    Bird bird;
    Animal &animal = bird;
    log.put(long(dynamic_cast<Fish &>(animal).legs()));
    break;
  }
  case 14: {
    Animal *none = zero ? new Bird : nullptr;
    log.put(typeid(*none).name());
    break;
  }
  case 15: {
    std::vector<int> large;
    large.reserve(large.max_size() + 1 + zero);
    break;
  }
  case 16: {
    std::weak_ptr<int> gone = std::make_shared<int>(1);
    log.put(long(gone.expired()));
    std::shared_ptr<int> again(gone);
    break;
  }
  case 17:
    log.put(long(::operator new(std::size_t(zero - 1) >> 1) != nullptr));
    break;
  case 18:
    log.put(long(std::string_view("abc").at(3 + zero)));
    break;
  case 19: {
    std::deque<int> deque(3);
    log.put(long(deque.at(3 + zero)));
    break;
  }
  }
}

void second(Log &log, int which, int zero) {
  std::vector<int> numbers = {3, 1, 2, 5, 4};
  switch (which) {
  case 20: // what was copied is destroyed again
  case 21: {
    int left = Brittle::Never;
    std::vector<Brittle> all;
    all.reserve(4);
    for (int i = 0; i < 3; ++i)
      all.emplace_back(log, i, left);
    left = which == 20 ? 3 : 2;
    try {
      if (which == 20)
        all.reserve(8);
      else
        std::list<Brittle> copy(all.begin(), all.end());
    } catch (int value) {
      left = Brittle::Never;
      log.put(long(value));
      log.put(long(all.size()));
      log.put(long(all[2].value));
    }
    break;
  }
  case 22:
    std::sort(numbers.begin(), numbers.end(), [](int a, int b) {
      if (a == 5 || b == 5)
        throw a + b;
      return a < b;
    });
    break;
  case 23:
    log.put(long(*std::find_if(numbers.begin(), numbers.end(), [](int n) {
      return n == 2 ? throw n : n == 9;
    })));
    break;
  case 24:
    log.put(std::accumulate(
        numbers.begin(), numbers.end(), 0L,
        [](long sum, int n) { return sum > 5 ? throw sum : sum + n; }));
    break;
  case 25: {
    auto owner = std::make_unique<Member>(log, 'u', false);
    auto shared = std::make_shared<Member>(log, 's', false);
    auto other = shared;
    throw long(shared.use_count());
  }
  case 26:
    try {
      try {
        throw std::range_error("inner");
      } catch (...) {
        std::throw_with_nested(std::runtime_error("outer"));
      }
    } catch (const std::exception &e) {
      log.put(e.what());
      std::rethrow_if_nested(e);
    }
    break;
  case 27: {
    std::exception_ptr kept;
    try {
      down(log, 2);
    } catch (...) {
      kept = std::current_exception();
    }
    auto other = kept;
    log.put(long(kept == other));
    std::rethrow_exception(other);
  }
  case 28: {
    auto made = std::make_exception_ptr(Colour::green);
    try {
      std::rethrow_exception(made);
    } catch (Colour c) {
      log.put(long(c));
    }
    std::rethrow_exception(made);
  }
  case 29: {
    struct Counts {
      Log &log;
      ~Counts() {
        log.put(long(std::uncaught_exceptions()));
        try {
          Counts *again = nullptr;
          throw again;
        } catch (Counts *) {
          log.put(long(std::uncaught_exceptions()));
        }
      }
    } counts{log};
    throw 1L;
  }
  case 30: {
    Holder broken{log};
    break;
  }
  case 31:
    (void)Whole{log, 2 + zero};
    break;
  case 32:
    (void)Whole{log, 4 + zero};
    break;
  case 33: {
    int made = 0;
    struct Element {
      Log &log;
      Element(Log &log, int &made) : log(log) {
        if (++made == 3)
          throw made;
        log.put('e');
      }
      ~Element() { log.put('E'); }
    };
    Element all[4] = {{log, made}, {log, made}, {log, made}, {log, made}};
    break;
  }
  case 34: {
    const Animal *all[] = {new Bird, new Fish, new Animal};
    std::unique_ptr<const Animal> owners[] = {
        std::unique_ptr<const Animal>(all[0]),
        std::unique_ptr<const Animal>(all[1]),
        std::unique_ptr<const Animal>(all[2])};
    for (auto &one : owners)
      try {
        log.put(long(one->legs()));
      } catch (const std::domain_error &) {
        log.put("fish ");
      }
    break;
  }
  case 35: {
    int (*table[])(Log &, int) = {down, [](Log &log, int n) {
                                    log.put(long(n));
                                    return n;
                                  }};
    for (int i = 1 + zero; i >= 0; --i)
      table[i](log, i);
    break;
  }
  case 36:
    log.put(long(checked(3 + zero, 4)));
    log.put(long(checked<char>('z', 'b')));
    break;
  case 37:
    for (int i = 0; i < 4; ++i) {
      Member here(log, 'l', false);
      try {
        if (i == 0)
          continue;
        if (i == 1)
          throw i;
        if (i == 2)
          goto out;
      } catch (int) {
        continue;
      }
      log.put("not here");
    }
  out:
    log.put('.');
    break;
  case 38: {
    // Made again after it failed.
    int tries = 0;
    auto get = [&]() -> int {
      struct Once {
        int value;
        explicit Once(int tried) : value(tried) {
          if (tried == 1)
            throw 's';
        }
      };
      Once once(++tries);
      return once.value;
    };
    for (int i = 0; i < 2; ++i)
      try {
        log.put(long(get()));
      } catch (char c) {
        log.put(c);
      }
    break;
  }
  case 39:
    try {
      throw std::out_of_range("sliced");
    } catch (std::logic_error e) {
      try {
        throw e;
      } catch (const std::out_of_range &) {
        log.put("not here");
      } catch (const std::logic_error &) {
        log.put("logic ");
      }
      throw;
    }
  }
}

/// The last handlers name what came.
void one(Log &log, int which, int zero) {
  try {
    if (which < 20)
      first(log, which, zero);
    else
      second(log, which, zero);
    log.put(" end");
  } catch (const std::bad_array_new_length &e) {
    log.put(" length ");
  } catch (const std::bad_alloc &e) {
    log.put(" alloc ");
  } catch (const std::bad_cast &e) {
    log.put(" cast ");
    log.put(e.what());
  } catch (const std::out_of_range &e) {
    log.put(" range ");
    log.put(e.what());
  } catch (const std::logic_error &e) {
    log.put(" logic ");
    log.put(e.what());
  } catch (const std::exception &e) {
    log.put(' ');
    log.put(typeid(e).name());
    log.put(e.what());
  } catch (int n) {
    log.put(" int ");
    log.put(long(n));
  } catch (long n) {
    log.put(" long ");
    log.put(n);
  } catch (bool b) {
    log.put(b ? " true" : " false");
  } catch (char c) {
    log.put(c);
  } catch (Colour c) {
    log.put(" colour ");
    log.put(long(c));
  } catch (const std::pair<char, char> &both) {
    log.put(both.first);
    log.put(both.second);
  } catch (...) {
    log.put(" something");
  }
}

void kernel(Log *logs, int zero) {
  if (xcc::global_id() < Cases)
    one(logs[xcc::global_id()], int(xcc::global_id()), zero);
}

/// Counts the objects of it that live.
struct Counted {
  int *living;
  explicit Counted(int *n) : living(n) { add(1); }
  Counted(const Counted &other) : living(other.living) { add(1); }
  ~Counted() { add(-1); }
  void add(int n) { __atomic_fetch_add(living, n, __ATOMIC_RELAXED); }
};

/// All threads copy one std::exception_ptr and throw its object.
void sharedByThreads(int *living, int *wrong) {
  static std::exception_ptr *shared;
  if (xcc::thread_idx().x == 0)
    shared = new std::exception_ptr(std::make_exception_ptr(Counted(living)));
  xcc::sync_block();
  for (int i = 0; i < 20; ++i) {
    std::exception_ptr mine = *shared;
    try {
      std::rethrow_exception(mine);
    } catch (const Counted &c) {
      if (c.living != living || __atomic_load_n(living, __ATOMIC_RELAXED) < 1)
        __atomic_fetch_add(wrong, 1, __ATOMIC_RELAXED);
    }
  }
  xcc::sync_block();
  if (xcc::thread_idx().x == 0)
    delete shared;
}

} // namespace

int main() {
  compareCases<kernel>(Cases, 64, one);
  std::printf("%d cases\n", Cases);
  xcc::buffer<int> counts(2);
  counts.fill(0);
  xcc::launch({{1}, {64}}, [n = counts.data()] { sharedByThreads(n, n + 1); });
  int is[2];
  counts.copy_to(is, 2);
  std::printf("%d objects left, %d wrong\n", is[0], is[1]);
}
