// Handlers follow the rules of C++ as on the host: which types they take, what
// functions return that may throw, and what constructors and destructors undo.
// RUN: %xcc -std=c++23 -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++23 -O2 -w %s -o %t && %t | FileCheck %s
// CHECK-NOT: differs
// CHECK: 70 cases
#include "Inputs/logged_cases.h"
#include <any>
#include <array>
#include <charconv>
#include <complex>
#include <coroutine>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>
#if __cplusplus > 202002L
#include <expected>
#endif
#include <xcc/xcc.h>

namespace {

struct Mark {
  Log &log;
  char name;
  Mark(Log &log, char name) : log(log), name(name) { log.put(name); }
  Mark(const Mark &o) : log(o.log), name(o.name) { log.put('c'); }
  ~Mark() { log.put(char(name - 32)); }
};

// Results of all kinds.
struct Pair {
  double d;
  int i;
};
struct Large {
  long v[12];
};
struct Wide {
  long a, b, c;
};
typedef float v4 __attribute__((vector_size(16)));
struct Owner {
  std::string s;
  std::vector<int> v;
};
template <class T> [[gnu::noinline]] T give(Log &log, T value, int zero) {
  Mark m(log, 'g');
  if (zero)
    throw zero;
  return value;
}
[[gnu::noinline]] int &reference(int &r, int zero) {
  if (zero)
    throw zero;
  return r;
}
[[gnu::noinline]] void nothing(int &r, int zero) {
  if (zero)
    throw zero;
  ++r;
}
[[gnu::noinline]] bool boolean(int a, int zero) {
  if (zero)
    throw zero;
  return a & 1;
}
[[gnu::noinline]] signed char narrow(int a, int zero) {
  if (zero)
    throw zero;
  return a;
}
[[gnu::noinline]] long variadic(int n, ...) {
  va_list list;
  va_start(list, n);
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += va_arg(list, int);
    if (sum > 20) {
      va_end(list);
      throw sum;
    }
  }
  va_end(list);
  return sum;
}
struct B1 {
  int b1 = 1;
  virtual ~B1() = default;
  virtual int f(int x) {
    if (x == 3)
      throw 'f';
    return x;
  }
};
struct B2 {
  int b2 = 2;
  virtual ~B2() = default;
  virtual Large g(int x) {
    if (x == 3)
      throw 'g';
    return Large{{x, x, x}};
  }
};
struct V : virtual B1 {
  int v = 5;
};
struct W : V, B2 {
  int w = 6;
  int f(int x) override {
    if (x == 4)
      throw 4.5;
    return V::f(x) + 1;
  }
  Large g(int x) override {
    if (x == 4)
      throw 5.5f;
    return B2::g(x + 1);
  }
};

[[gnu::noinline]] void again() { throw; }
[[gnu::noinline]] void lippincott(Log &log) {
  try {
    throw;
  } catch (int i) {
    log.put('i');
    log.put(long(i));
  } catch (const std::exception &e) {
    log.put(e.what());
  } catch (...) {
    log.put('?');
  }
}
[[gnu::noinline]] void throwKind(int k) {
  static int n = 9;
  static const int cn = 8;
  static W w;
  switch (k) {
  case 0:
    throw &n;
  case 1:
    throw &cn;
  case 2:
    throw &w;
  case 3:
    throw static_cast<const V *>(&w);
  case 4:
    throw nullptr;
  case 5:
    throw &W::w;
  case 6:
    throw &again;
  case 7:
    throw &B1::f;
  case 8:
    throw W();
  case 9:
    throw static_cast<void *>(&n);
  case 10:
    throw std::string("s");
  case 11:
    throw 1u;
  case 12:
    throw 1L;
  case 13:
    throw "array";
  case 14:
    throw static_cast<volatile int *>(&n);
  case 15:
    throw std::pair<int, char>(1, 'p');
  case 16:
    throw true;
  }
}
[[gnu::noinline]] void catchKind(Log &log, int k) {
  try {
    throwKind(k);
    log.put('-');
  } catch (int *p) {
    log.put('a');
    log.put(long(p ? *p : 0));
  } catch (const int *p) {
    log.put('b');
    log.put(long(p ? *p : 0));
  } catch (B2 *p) {
    log.put('c');
    log.put(long(p->b2));
  } catch (B1 const *p) {
    log.put('d');
    log.put(long(p->b1));
  } catch (int V::*m) {
    log.put('e');
  } catch (int W::*m) {
    log.put('E');
    W w;
    log.put(long(w.*m));
  } catch (void (*f)()) {
    log.put('f');
  } catch (int (B1::*f)(int)) {
    log.put('h');
    W w;
    B1 &b = w;
    log.put(long((b.*f)(1)));
  } catch (B2 b) {
    log.put('i');
    log.put(long(b.g(1).v[0]));
  } catch (void *v) {
    log.put('j');
  } catch (const std::string &s) {
    log.put(s.c_str());
  } catch (unsigned) {
    log.put('k');
  } catch (long) {
    log.put('l');
  } catch (const char *s) {
    log.put(s);
  } catch (const volatile int *p) {
    log.put('m');
    log.put(long(*p));
  } catch (...) {
    log.put('.');
  }
}
struct Delegating {
  Mark a;
  Log &log;
  Delegating(Log &log) : a(log, 'd'), log(log) { log.put('1'); }
  Delegating(Log &log, int zero) : Delegating(log) {
    log.put('2');
    if (zero)
      throw 'D';
  }
  ~Delegating() { log.put('~'); }
};
struct BaseThrows {
  Mark m;
  BaseThrows(Log &log, int zero) : m(log, 'b') {
    if (zero == 1)
      throw 1;
  }
  ~BaseThrows() { m.log.put('%'); }
};
struct Member {
  Mark m;
  Member(Log &log, int zero) : m(log, 'm') {
    if (zero)
      throw 2L;
  }
};
struct Elements {
  Mark m;
  static inline int dummy;
  Elements(Log &log, int &left) : m(log, 'e') {
    if (!--left)
      throw 'E';
  }
};
struct FunctionTry : BaseThrows {
  Member first;
  Elements parts[3];
  FunctionTry(Log &log, int zero, int left) try
      : BaseThrows(log, zero), first(log, zero == 2),
        parts{{log, left}, {log, left}, {log, left}} {
    log.put('!');
    if (zero == 3)
      throw 3.0;
  } catch (int) {
    log.put("(int)");
  } catch (long l) {
    log.put("(long)");
    throw l + 1;
  } catch (char c) {
    log.put("(char)");
    throw std::logic_error("from a handler");
  }
};
struct OwnNew {
  Mark m;
  static void *operator new(std::size_t n, Log &log) {
    log.put('+');
    return std::malloc(n);
  }
  static void operator delete(void *p, Log &log) {
    log.put('-');
    std::free(p);
  }
  static void operator delete(void *p) { std::free(p); }
  OwnNew(Log &log, int zero) : m(log, 'o') {
    if (zero)
      throw zero;
  }
};
struct ThrowingEnd {
  Log &log;
  Mark member;
  int zero;
  ThrowingEnd(Log &log, int zero) : log(log), member(log, 't'), zero(zero) {}
  ~ThrowingEnd() noexcept(false) {
    log.put('T');
    if (zero)
      throw zero;
  }
};
struct Counts {
  Log &log;
  ~Counts() { log.put(long(std::uncaught_exceptions())); }
};
struct CountsDeep {
  Log &log;
  ~CountsDeep() {
    log.put(long(std::uncaught_exceptions()));
    try {
      Counts c{log};
      throw 1;
    } catch (int) {
      log.put(long(std::uncaught_exceptions()));
    }
  }
};
struct ThrowingCopy {
  Log *log;
  int left;
  ThrowingCopy(Log *l, int n) : log(l), left(n) {}
  ThrowingCopy(const ThrowingCopy &o) : log(o.log), left(o.left - 1) {
    if (left < 0)
      throw "copy";
  }
};
[[gnu::noinline]] int early(Log &log, int k) {
  for (int i = 0; i < 4; ++i) {
    Mark m(log, char('w' + i));
    try {
      if (k == i)
        throw i;
      if (k == 9)
        return 7;
    } catch (int) {
      if (i == 0)
        continue;
      if (i == 1)
        break;
      if (i == 2)
        return 5;
      goto out;
    }
  }
  return 1;
out:
  return 9;
}
[[gnu::noinline]] int nestedCatch(Log &log, int n) {
  try {
    if (n == 0)
      throw 0;
    nestedCatch(log, n - 1);
  } catch (int v) {
    log.put(long(v));
    if (n < 3)
      throw v + 1;
    return v;
  }
  return -1;
}
template <class F> void both(Log &log, F f) {
  for (int zero = 0; zero < 2; ++zero)
    try {
      f(zero);
    } catch (int i) {
      log.put('x');
      log.put(long(i));
    }
}
struct Two {
  Mark a, b;
};
[[gnu::noinline]] Mark picky(Log &log, int n) {
  return n > 1 ? throw std::runtime_error("picky") : Mark(log, 'p');
}
[[gnu::noinline]] char use(Two two, const Mark &) { return two.b.name; }
enum class Colour { red, green };
struct Unrelated {};

#define CASE                                                                   \
  break;                                                                       \
  case __COUNTER__ - Base:
enum { Base = __COUNTER__ + 1 };
[[gnu::noinline]] void cases(Log &log, int which, int zero) {
  switch (which) {
  default:
    CASE both(log, [&](int t) { log.put(long(give(log, 3L, t + zero))); });
    CASE both(log, [&](int t) { log.put(long(give(log, 3.5, t + zero) * 2)); });
    CASE both(log,
              [&](int t) { log.put(long(give(log, 3.5f, t + zero) * 2)); });
    CASE both(log, [&](int t) {
      Pair p = give(log, Pair{2.5, 7}, t + zero);
      log.put(long(p.d * 2) + p.i);
    });
    CASE both(log, [&](int t) {
      Large p = give(log, Large{{1, 2, 3}}, t + zero);
      log.put(p.v[2]);
    });
    CASE both(log, [&](int t) {
      Wide p = give(log, Wide{1, 2, 3}, t + zero);
      log.put(p.c * 10 + p.a);
    });
    CASE both(log, [&](int t) {
      v4 p = give(log, v4{1, 2, 3, 4}, t + zero);
      log.put(long(p[3]));
    });
    CASE both(log, [&](int t) {
      __int128 p = give(log, (__int128)5 << 70, t + zero);
      log.put(long(p >> 70));
    });
    CASE both(log, [&](int t) {
      std::complex<double> p = give(log, std::complex<double>(1, 4), t + zero);
      log.put(long(p.imag()));
    });
    CASE both(log, [&](int t) {
      Owner p = give(
          log, Owner{"a string that is long enough to be allocated", {1, 2}},
          t + zero);
      log.put(long(p.s.size() + p.v[1]));
    });
    CASE both(log, [&](int t) {
      auto p = give(log, std::make_tuple(1, 'c', 2.0), t + zero);
      log.put(std::get<1>(p));
    });
    CASE both(log, [&](int t) {
      int i = 1;
      reference(i, t + zero) = 4;
      log.put(long(i));
    });
    CASE both(log, [&](int t) {
      int i = 1;
      nothing(i, t + zero);
      log.put(long(i));
    });
    CASE both(log, [&](int t) {
      log.put(boolean(3 + zero, t) ? 'y' : 'n');
      log.put(boolean(2 + zero, 0) ? 'y' : 'n');
    });
    CASE both(log, [&](int t) {
      log.put(long(narrow(300 + zero, t)));
      log.put(long(narrow(-3 + zero, 0)));
    });
    CASE both(log, [&](int t) {
      auto p = give(log, &Delegating::a, t + zero);
      log.put(p == &Delegating::a ? '=' : '!');
    });
    CASE both(log, [&](int t) {
      auto p = give(log, std::unique_ptr<Mark>(), t + zero);
      log.put(p ? '!' : '0');
    });
    CASE both(log, [&](int t) {
      try {
        log.put(variadic(3, 1, 2, 3 + 30 * t));
      } catch (long l) {
        log.put('v');
        log.put(l);
      }
    });
    CASE for (int k = 0; k < 9; ++k) catchKind(log, k);
    CASE for (int k = 9; k < 17; ++k) catchKind(log, k);
    CASE try {
      try {
        throw 3;
      } catch (...) {
        again();
      }
    } catch (int i) {
      log.put(long(i));
    }
    CASE try { throw 3; } catch (...) {
      lippincott(log);
      log.put(std::current_exception() ? 'c' : '0');
    }
    CASE try { throw std::domain_error("dom"); } catch (...) {
      lippincott(log);
    }
    log.put(std::current_exception() ? 'c' : '0');
    CASE both(log, [&](int t) {
      try {
        Delegating d(log, t + zero);
      } catch (char c) {
        log.put(c);
      }
    });
    CASE for (int k = 0; k < 4; ++k) try {
      log.put(' ');
      FunctionTry f(log, k + zero, 100);
    } catch (int) {
      log.put('I');
    } catch (long l) {
      log.put(l);
    } catch (double) {
      log.put('F');
    }
    CASE try {
      FunctionTry f(log, zero, 2);
    } catch (const std::logic_error &e) {
      log.put(e.what());
    }
    CASE both(log, [&](int t) {
      auto *p = new (log) OwnNew(log, t + zero);
      delete p;
    });
    CASE {
      int left = 3 + zero;
      try {
        auto *p =
            new Elements[4]{{log, left}, {log, left}, {log, left}, {log, left}};
        delete[] p;
      } catch (char c) {
        log.put(c);
      }
    }
    CASE {
      int left = 3 + zero;
      try {
        std::array<Elements, 4> p{
            {{log, left}, {log, left}, {log, left}, {log, left}}};
      } catch (char c) {
        log.put(c);
      }
    }
    CASE both(log, [&](int t) { ThrowingEnd e(log, t + zero); });
    CASE both(log, [&](int t) {
      auto e = std::make_unique<int>(3);
      ThrowingEnd a(log, 0), b(log, t + zero), c(log, 0);
    });
    CASE try {
      CountsDeep c{log};
      Counts d{log};
      throw 2;
    } catch (int) {
      log.put(long(std::uncaught_exceptions()));
      CountsDeep c{log};
    }
    CASE try {
      ThrowingCopy c(&log, 0);
      throw c;
    } catch (const char *s) {
      log.put(s);
    } catch (const ThrowingCopy &) {
      log.put("no");
    }
    CASE try {
      ThrowingCopy c(&log, 2);
      throw c;
    } catch (ThrowingCopy c) {
      log.put(long(c.left));
    }
    CASE for (int k : {0, 1, 2, 3, 4, 9}) {
      log.put(long(early(log, k + zero)));
      log.put(' ');
    }
    CASE log.put(long(nestedCatch(log, 3 + zero)));
    CASE {
      std::function<int(int)> f = [&](int x) {
        Mark m(log, 'f');
        if (x > 2)
          throw x;
        return x;
      };
      std::function<int(int)> g = [f](int x) { return f(x) + 1; };
      for (int i = 2; i < 4; ++i)
        try {
          log.put(long(g(i + zero)));
        } catch (int v) {
          log.put(long(-v));
        }
    }
    CASE {
      W w;
      B1 *b = &w;
      B2 *c = &w;
      for (int i = 2; i < 5; ++i) {
        try {
          log.put(long(b->f(i + zero)));
        } catch (char x) {
          log.put(x);
        } catch (double d) {
          log.put(long(d * 2));
        }
        try {
          log.put(c->g(i + zero).v[1]);
        } catch (char x) {
          log.put(x);
        } catch (float d) {
          log.put(long(d * 2));
        }
      }
    }
    CASE {
      int (B1::*f)(int) = zero ? nullptr : &B1::f;
      W w;
      for (int i = 2; i < 5; ++i)
        try {
          log.put(long((w.*f)(i)));
        } catch (char x) {
          log.put(x);
        } catch (double d) {
          log.put(long(d * 2));
        }
    }
    CASE try {
      int n = zero - 5;
      int *p = new int[n];
      asm volatile("" : : "r"(p) : "memory");
      log.put(p ? 'p' : '0');
      delete[] p;
    } catch (const std::bad_array_new_length &e) {
      log.put(e.what());
    } catch (const std::bad_alloc &e) {
      log.put(e.what());
    }
    CASE try {
      std::size_t n = (std::size_t(1) << 62) + zero;
      auto *p = new std::pair<long, long>[n];
      asm volatile("" : : "r"(p) : "memory");
      log.put(p ? 'p' : '0');
      delete[] p;
    } catch (const std::bad_array_new_length &e) {
      log.put(e.what());
    } catch (const std::bad_alloc &e) {
      log.put(e.what());
    }
    CASE {
      void *p = ::operator new(std::size_t(zero - 1) >> 1, std::nothrow);
      asm volatile("" : : "r"(p) : "memory");
      log.put(p ? 'p' : '0');
    }
    CASE {
      std::variant<int, std::string> v = 1;
      struct Bad {
        operator std::string() const { throw 5; }
      };
      try {
        v.emplace<1>(Bad());
      } catch (int i) {
        log.put(long(i));
      }
      log.put(v.valueless_by_exception() ? 'v' : 'k');
      try {
        log.put(long(std::visit([](auto &) { return 1; }, v)));
      } catch (const std::bad_variant_access &e) {
        log.put(e.what());
      }
      try {
        log.put(long(std::get<0>(v)));
      } catch (const std::bad_variant_access &e) {
        log.put(e.what());
      }
    }
    CASE {
      B1 b;
      B1 &r = b;
      try {
        log.put(long(dynamic_cast<W &>(r).w));
      } catch (const std::bad_cast &) {
        log.put("bad_cast");
      }
    }
    CASE {
      B1 *none = zero ? new B1 : nullptr;
      try {
        log.put(typeid(*none).name());
      } catch (const std::bad_typeid &) {
        log.put("bad_typeid");
      }
    }
#if __cplusplus > 202002L
    CASE {
      std::expected<int, std::string> e = std::unexpected("why");
      try {
        log.put(long(e.value()));
      } catch (const std::bad_expected_access<std::string> &x) {
        log.put(x.error().c_str());
      }
    }
#endif
    CASE {
      std::exception_ptr p, q;
      try {
        throw Colour::green;
      } catch (...) {
        p = std::current_exception();
        q = p;
      }
      log.put(p == q ? '=' : '!');
      try {
        std::rethrow_exception(q);
      } catch (Colour c) {
        log.put(long(int(c)));
        auto r = std::current_exception();
        log.put(r == p ? '=' : '!');
      }
      p = nullptr;
      log.put(p ? 'p' : '0');
    }
    CASE {
      std::exception_ptr p;
      {
        Mark m(log, 'k');
        try {
          throw m;
        } catch (...) {
          p = std::current_exception();
        }
        log.put('|');
      }
      log.put('|');
      p = nullptr;
      log.put('|');
    }
    CASE {
      struct N : std::nested_exception {
        int n = 4;
      };
      try {
        try {
          throw 1.5;
        } catch (...) {
          throw N();
        }
      } catch (const N &n) {
        log.put(long(n.n));
        try {
          n.rethrow_nested();
        } catch (double d) {
          log.put(long(d * 2));
        }
        log.put(n.nested_ptr() ? 'n' : '0');
      }
    }
    CASE {
      try {
        std::rethrow_if_nested(std::runtime_error("no"));
        log.put('-');
        std::throw_with_nested(3);
      } catch (const int &i) {
        log.put(long(i));
        auto *n = dynamic_cast<const std::nested_exception *>(
            reinterpret_cast<const B1 *>(0));
        log.put(n ? 'n' : '0');
      }
    }
    CASE {
      long levels = 0;
      std::function<void(const std::exception &)> walk =
          [&](const std::exception &e) {
            log.put(e.what());
            ++levels;
            try {
              std::rethrow_if_nested(e);
            } catch (const std::exception &x) {
              walk(x);
            }
          };
      try {
        try {
          try {
            throw std::runtime_error("a");
          } catch (...) {
            std::throw_with_nested(std::logic_error("b"));
          }
        } catch (...) {
          std::throw_with_nested(std::range_error("c"));
        }
      } catch (const std::exception &e) {
        walk(e);
      }
      log.put(levels);
    }
    CASE {
      auto f = [&](int x) noexcept(false) -> int {
        return x ? throw std::make_unique<int>(x) : 3;
      };
      try {
        log.put(long(f(zero)));
        log.put(long(f(zero + 6)));
      } catch (const std::unique_ptr<int> &p) {
        log.put(long(*p));
      }
    }
    CASE {
      try {
        std::vector<std::string> v(
            3, "a long string that needs memory of its own");
        v.at(1) = "b";
        throw std::move(v);
      } catch (std::vector<std::string> &v) {
        log.put(v[1].c_str());
        log.put(long(v.size()));
      }
    }
    CASE {
      std::optional<std::string> o;
      try {
        o.emplace(std::size_t(zero) - 1, 'c');
      } catch (const std::length_error &) {
        log.put("length");
      }
      log.put(o ? 'o' : '0');
    }
    CASE {
      std::unique_ptr<Mark> p = std::make_unique<Mark>(log, 'u');
      try {
        auto r = std::move(p);
        throw r.get()->name;
      } catch (char c) {
        log.put(c);
        log.put(p ? 'p' : '0');
      }
    }
    CASE {
      struct Empty {};
      try {
        throw Empty();
      } catch (Unrelated) {
        log.put('u');
      } catch (Empty) {
        log.put('e');
      }
    }
    CASE {
      try {
        throw std::array<long, 40>{1, 2};
      } catch (const std::array<long, 40> &a) {
        log.put(a[1] + a[39]);
      }
    }
    CASE {
      struct alignas(16) Aligned {
        double d[2];
      };
      try {
        throw Aligned{{1.5, 2.5}};
      } catch (const Aligned &a) {
        log.put(long(a.d[1] * 2));
        log.put(long(reinterpret_cast<std::size_t>(&a) % 16));
      }
    }
    CASE {
      try {
        try {
          throw 1;
        } catch (int i) {
          try {
            throw 2L;
          } catch (long l) {
            log.put(l);
          }
          throw;
        }
      } catch (int i) {
        log.put(long(i));
      }
    }
    CASE {
      try {
        try {
          throw 1;
        } catch (int &i) {
          i = 42;
          throw;
        }
      } catch (int i) {
        log.put(long(i));
      }
    }
    CASE {
      try {
        try {
          throw 1;
        } catch (int i) {
          i = 42;
          throw;
        }
      } catch (int i) {
        log.put(long(i));
      }
    }
    CASE {
      int tries = 0;
      auto f = [&](int n, auto &self) -> int {
        if (n == 0)
          throw tries++;
        try {
          return self(n - 1, self);
        } catch (int t) {
          return t < 3 ? self(n, self) : t;
        }
      };
      log.put(long(f(2, f)));
      log.put(long(tries));
    }
    CASE {
      Mark *p = static_cast<Mark *>(std::malloc(sizeof(Mark) * 2));
      try {
        std::construct_at(p, log, 'z');
        std::construct_at(p + 1, Mark(log, 'y'));
        throw 1;
      } catch (int) {
        std::destroy_n(p, 2);
      }
      std::free(p);
    }
    CASE {
      try {
        (void)std::stoul("-");
      } catch (const std::invalid_argument &e) {
        log.put(e.what());
      }
      try {
        (void)std::stof("1e999");
      } catch (const std::out_of_range &e) {
        log.put(e.what());
      }
    }
    CASE {
      std::any a = std::string("any");
      try {
        log.put(std::any_cast<std::string &>(a).c_str());
        log.put(long(std::any_cast<int>(a)));
      } catch (const std::bad_any_cast &e) {
        log.put(e.what());
      }
    }
    CASE {
      auto p = std::make_shared<Mark>(log, 's');
      std::weak_ptr<Mark> w = p;
      p.reset();
      try {
        auto q = w.lock();
        log.put(q ? 'q' : '0');
        std::shared_ptr<Mark> r(w);
      } catch (const std::bad_weak_ptr &e) {
        log.put(e.what());
      }
    }
    CASE {
      static int values[] = {3, 1, 2};
      int n = 0;
      try {
        std::qsort(values, 0, 4, [](const void *, const void *) { return 0; });
        log.put('q');
        throw n;
      } catch (int) {
        log.put('n');
      }
    }
    // Parts of expressions that are evaluated conditionally.
    CASE for (int i = 0; i < 3; ++i) try {
      Two t = i > zero ? Two{Mark(log, 'a'), picky(log, i)}
                       : Two{Mark(log, 'b'), Mark(log, 'c')};
      log.put('!');
    } catch (const std::exception &e) {
      log.put(e.what());
    }
    CASE for (int i = 0; i < 3; ++i) try {
      bool is = i > zero &&
                use(Two{Mark(log, 'a'), picky(log, i)}, Mark(log, 'd')) == 'p';
      log.put(is ? 'y' : 'n');
    } catch (const std::exception &e) {
      log.put(e.what());
    }
    CASE for (int i = 0; i < 3; ++i) try {
      Two *t = i > zero ? new Two{Mark(log, 'a'), picky(log, i)} : nullptr;
      Mark *m = i > zero ? new Mark[2]{{log, 'e'}, picky(log, i)} : nullptr;
      log.put('!');
      delete t;
      delete[] m;
    } catch (const std::exception &e) {
      log.put(e.what());
    }
    break;
  }
}
constexpr int Cases = __COUNTER__ - Base;
void kernel(Log *logs, int zero) {
  const int i = int(xcc::global_id());
  if (i < Cases)
    cases(logs[i], i, zero);
}
} // namespace
int main() {
  compareCases<kernel>(Cases, 96, cases);
  std::printf("%d cases\n", Cases);
}
