// Handlers in kernels catch as on the host.
// RUN: %xcc -O0 -Wno-exceptions %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -Wno-exceptions %s -o %t && %t | FileCheck %s
// CHECK-NOT: differs
// CHECK: 40 cases
#include "Inputs/logged_cases.h"
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <variant>
#include <vector>
#include <xcc/xcc.h>

namespace {

struct Tracked {
  Log &log;
  char name;
  Tracked(Log &log, char name) : log(log), name(name) { log.put(name); }
  Tracked(const Tracked &other) : log(other.log), name(other.name) {
    log.put('c');
  }
  ~Tracked() { log.put(char(name - 32)); }
};

struct A {
  int a = 1;
  virtual ~A() = default;
};
struct B {
  int b = 2;
  virtual ~B() = default;
};
struct C : A, B {
  int c = 3;
};
struct P : private A {};
struct L : virtual A {};
struct R : virtual A {};
struct D : L, R {
  int d = 4;
};
struct L2 : A {};
struct R2 : A {};
struct D2 : L2, R2 {};
struct Mine : std::runtime_error {
  int code;
  Mine(int code) : runtime_error("mine"), code(code) {}
};

[[gnu::noinline]] void thrower(int which) {
  static int number = 5;
  switch (which) {
  case 0:
    throw 7;
  case 1:
    throw C();
  case 2:
    throw &number;
  case 3:
    throw std::out_of_range("far");
  case 4:
    throw Mine(9);
  case 5:
    throw D();
  case 6:
    throw D2();
  case 7:
    throw nullptr;
  case 8:
    throw P();
  case 9:
    throw "text";
  }
}

[[gnu::noinline]] void through(Log &log, int which) {
  Tracked t(log, 'x');
  thrower(which);
  log.put('!');
}

/// Members that are built before a throw are destroyed.
struct Parts {
  Tracked first, second;
  int third;
  Parts(Log &log, int which)
      : first(log, 'f'), second(log, 's'), third((thrower(which), 1)) {}
};
struct Whole : Parts {
  Whole(Log &log, int which) try : Parts(log, which) {
    log.put('b');
  } catch (int) {
    log.put('t'); // and throws again
  }
};

struct Base {
  virtual int call(int n) = 0;
};
struct Thrower : Base {
  int call(int n) override {
    if (n > 2)
      throw n;
    return n;
  }
};
struct Quiet : Base {
  int call(int n) override { return -n; }
};

[[gnu::noinline]] int deep(Log &log, int n) {
  Tracked t(log, char('a' + n));
  if (!n)
    throw 'z';
  return deep(log, n - 1) + 1;
}

struct Picky {
  int v;
  explicit Picky(int v) : v(v) {
    if (v == 2)
      throw 'x';
  }
};
int plain(int n) { return n; }
int angry(int n) {
  if (n & 1)
    throw long(n);
  return n;
}

struct InDestructor {
  Log &log;
  ~InDestructor() {
    log.put(char('0' + std::uncaught_exceptions()));
    try {
      throw 1.5f;
    } catch (float) {
      log.put('F');
    }
  }
};

[[gnu::noinline]] void cases(Log &log, int which, int zero) {
  switch (which) {
  case 0:
    try {
      through(log, 0);
    } catch (int v) {
      log.put(char('0' + v));
    }
    break;
  case 1:
    try {
      through(log, 1);
    } catch (int) {
      log.put('i');
    } catch (B &b) {
      log.put(char('0' + b.b));
    } catch (...) {
      log.put('.');
    }
    break;
  case 2:
    try {
      through(log, 2);
    } catch (const void *p) {
      log.put(char('0' + *static_cast<const int *>(p)));
    }
    break;
  case 3:
    try {
      through(log, 3);
    } catch (const std::logic_error &e) {
      log.put(e.what());
    }
    break;
  case 4:
    try {
      try {
        through(log, 4);
      } catch (const std::exception &e) {
        log.put(e.what());
        throw;
      }
    } catch (const Mine &m) {
      log.put(char('0' + m.code));
    }
    break;
  case 5:
    try {
      through(log, 5);
    } catch (A &a) {
      log.put(char('0' + a.a));
    }
    break;
  case 6:
    try {
      through(log, 6);
    } catch (A &) {
      log.put('A'); // ambiguous
    } catch (L2 &) {
      log.put('L');
    }
    break;
  case 7:
    try {
      through(log, 7);
    } catch (int *p) {
      log.put(p ? 'p' : 'n');
    }
    break;
  case 8:
    try {
      through(log, 8);
    } catch (A &) {
      log.put('A'); // private
    } catch (...) {
      log.put('.');
    }
    break;
  case 9:
    try {
      through(log, 9);
    } catch (char *) {
      log.put('m');
    } catch (const char *s) {
      log.put(s);
    }
    break;
  case 10:
    try {
      Parts parts(log, 0);
    } catch (int) {
      log.put('i');
    }
    break;
  case 11:
    try {
      Whole whole(log, 0);
    } catch (int) {
      log.put('i');
    }
    break;
  case 12: {
    Thrower thrower;
    Quiet quiet;
    Base *bases[] = {&thrower, &quiet};
    for (int i = 1; i < 6; ++i)
      try {
        log.put(char('a' + bases[(i + zero) & 1]->call(i) + 10));
      } catch (int n) {
        log.put(char('0' + n));
      }
    break;
  }
  case 13:
    try {
      deep(log, 4);
    } catch (char c) {
      log.put(c);
    }
    break;
  case 14: {
    int (*functions[])(int) = {plain, angry};
    for (int i = 0; i < 4; ++i)
      try {
        log.put(char('0' + functions[(i >> 1) + zero](i)));
      } catch (long n) {
        log.put(char('a' + n));
      }
    break;
  }
  case 15:
    try {
      InDestructor d{log};
      throw 1;
    } catch (int) {
      log.put(char('0' + std::uncaught_exceptions()));
    }
    break;
  case 16: {
    std::exception_ptr kept;
    try {
      throw Mine(3);
    } catch (...) {
      kept = std::current_exception();
    }
    for (int i = 0; i < 2; ++i)
      try {
        std::rethrow_exception(kept);
      } catch (Mine &m) {
        log.put(char('0' + m.code++));
      }
    break;
  }
  case 17: {
    std::exception_ptr made = std::make_exception_ptr(Tracked(log, 'k'));
    try {
      std::rethrow_exception(made);
    } catch (Tracked &t) {
      log.put(t.name);
    }
    break;
  }
  case 18:
    try {
      std::array<int, 3> a{};
      log.put(char(a.at(zero + 5)));
    } catch (const std::out_of_range &e) {
      log.put(e.what());
    }
    break;
  case 19:
    try {
      std::vector<int> v(2);
      log.put(char(v.at(zero + 4)));
    } catch (const std::exception &e) {
      log.put(e.what());
    }
    break;
  case 20:
    try {
      log.put(char('0' + std::stoi(zero ? "5" : "x")));
    } catch (const std::invalid_argument &e) {
      log.put(e.what());
    }
    break;
  case 21:
    try {
      C c;
      A &a = c;
      (void)dynamic_cast<D &>(a);
    } catch (const std::bad_cast &e) {
      log.put(e.what());
    }
    break;
  case 22:
    try {
      std::optional<int> o;
      if (zero)
        o = 1;
      log.put(char(o.value()));
    } catch (const std::bad_optional_access &e) {
      log.put(e.what());
    }
    break;
  case 23:
    try {
      std::variant<int, float> v = 1.f;
      if (zero)
        v = 1;
      log.put(char(std::get<int>(v)));
    } catch (const std::bad_variant_access &) {
      log.put('v');
    }
    break;
  case 24:
    try {
      try {
        throw 1;
      } catch (int) {
        Tracked t(log, 'n');
        throw 2.0;
      }
    } catch (double) {
      log.put('d');
    }
    break;
  case 25:
    for (int i = 0; i < 5; ++i)
      try {
        Tracked t(log, 'l');
        if (i == 1)
          continue;
        if (i == 2)
          throw i;
        if (i == 3)
          break;
        log.put('e');
      } catch (int) {
        log.put('i');
      }
    break;
  case 26:
    try {
      Tracked thrown(log, 'o');
      throw thrown;
    } catch (Tracked copy) {
      log.put(copy.name);
    }
    break;
  case 27:
    try {
      try {
        throw std::runtime_error("inner");
      } catch (...) {
        std::throw_with_nested(std::logic_error("outer"));
      }
    } catch (const std::exception &e) {
      log.put(e.what());
      try {
        std::rethrow_if_nested(e);
      } catch (const std::exception &inner) {
        log.put(inner.what());
      }
    }
    break;
  case 28:
    try {
      int *p = zero ? nullptr : new int[3]{1, 2, 3};
      Tracked t(log, 'p');
      delete[] p;
      throw std::string("a string that is longer than a small one");
    } catch (const std::string &s) {
      log.put(char('0' + s.size() % 10));
    }
    break;
  case 29:
    try {
      thrower(2);
    } catch (int *&p) {
      log.put(char('0' + *p));
    }
    break;
  default: {
    // Threads of a warp that throw and threads that do not.
    const int kind = (which * 7 + zero) % 5;
    for (int i = 0; i < 3; ++i)
      try {
        if (kind == i)
          throw i;
        if (kind == i + 1)
          throw unsigned(i);
        log.put('n');
      } catch (int v) {
        log.put(char('0' + v));
      } catch (unsigned) {
        log.put('u');
      }
    // Memory of an object whose constructor throws, in a part of an expression.
    try {
      Picky *object = kind > 1 ? new Picky(kind) : nullptr;
      log.put(object ? 'p' : '-');
      delete object;
    } catch (char c) {
      log.put(c);
    }
    break;
  }
  }
}

constexpr int Cases = 40;

void kernel(Log *logs, int zero) {
  const int i = int(xcc::global_id());
  if (i < Cases)
    cases(logs[i], i, zero);
}

/// Threads that throw meet the others behind the handler.
void meet(int *out) {
  static xcc::block_shared<int[64]> sums;
  const unsigned i = unsigned(xcc::global_id());
  int value = 0;
  try {
    if (i % 3 == 0)
      throw int(i);
    if (i % 7 == 1)
      throw std::runtime_error("seven");
    value = 1;
  } catch (int v) {
    value = v;
  } catch (const std::exception &) {
    value = 100;
  }
  sums[i] = value;
  xcc::sync_block();
  try {
    value = sums[(i + 1) % 64];
    xcc::sync_block();
    if (value == 100)
      throw 'c';
  } catch (char) {
    value = 1000;
  }
  out[i] = value;
}

/// Most threads throw, and each exception is given back.
void many(int *count) {
  try {
    if (xcc::global_id() % 8)
      throw long(xcc::global_id());
  } catch (long v) {
    if (v == long(xcc::global_id()))
      __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  }
}

void check(const char *what, long sum, long expected) {
  if (sum != expected)
    std::printf("%s differs: %ld, not %ld\n", what, sum, expected);
}

} // namespace

int main() {
  compareCases<kernel>(Cases, 64, cases);
  xcc::buffer<int> out(64), count(1);
  int met[64], caught = 0;
  xcc::launch({{1}, {64}}, meet, out.data());
  out.copy_to(met, 64);
  auto value = [](int i) { return i % 3 == 0 ? i : i % 7 == 1 ? 100 : 1; };
  for (int i = 0; i < 64; ++i) {
    const int next = value((i + 1) % 64);
    check("barrier", met[i], next == 100 ? 1000 : next);
  }
  count.copy_from(&caught, 1);
  xcc::launch({{400}, {256}}, many, count.data());
  count.copy_to(&caught, 1);
  check("many threads", caught, 400 * 256 / 8 * 7);
  std::printf("%d cases\n", Cases);
}
