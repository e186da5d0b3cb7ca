// Exceptions together with other parts of the language and the library: in a kernel
// as on the host.
// RUN: %xcc -std=c++20 -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O3 -w %s -o %t && %t | FileCheck %s
// CHECK-NOT: differs
// CHECK: 51 cases
#include "Inputs/logged_cases.h"
#include <algorithm>
#include <any>
#include <array>
#include <bitset>
#include <deque>
#include <exception>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace {

constexpr int Cases = 51;

struct Mark {
  Log &log;
  char name;
  Mark(Log &log, char name) : log(log), name(name) { log.put(name); }
  ~Mark() {
    log.put(char(name - 32));
    if (std::uncaught_exceptions())
      log.put('!');
  }
};

/// Its nth copy throws; all that live are counted.
struct Brittle {
  int value;
  int *left, *alive;
  Brittle(int value, int *left, int *alive)
      : value(value), left(left), alive(alive) {
    ++*alive;
  }
  Brittle(const Brittle &o) : value(o.value), left(o.left), alive(o.alive) {
    if (--*left == 0)
      throw value;
    ++*alive;
  }
  Brittle &operator=(const Brittle &o) {
    if (--*left == 0)
      throw -value;
    value = o.value;
    return *this;
  }
  ~Brittle() { --*alive; }
  bool operator<(const Brittle &o) const {
    if (--*left == 0)
      throw std::logic_error("compared");
    return value < o.value;
  }
  bool operator==(const Brittle &o) const { return value == o.value; }
};
struct BrittleHash {
  int *left;
  std::size_t operator()(int n) const {
    if (--*left == 0)
      throw std::range_error("hashed");
    return std::size_t(n) * 7;
  }
};
struct BrittleLess {
  int *left;
  bool operator()(int a, int b) const {
    if (--*left == 0)
      throw 'l';
    return a < b;
  }
};
struct BrittleMove {
  int value, *left;
  BrittleMove(int value, int *left) : value(value), left(left) {}
  BrittleMove(BrittleMove &&o) : value(o.value), left(o.left) {
    o.value = -1;
    if (--*left == 0)
      throw 'm';
  }
  BrittleMove(const BrittleMove &o) : value(o.value), left(o.left) {}
};

template <class C> void show(Log &log, const C &c) {
  for (const auto &e : c) {
    if constexpr (requires { e.value; })
      log.put(long(e.value));
    else if constexpr (requires { e.first; })
      log.put(long(e.first));
    else
      log.put(long(e));
    log.put(' ');
  }
}

/// A generator that throws at its end, and keeps what it has thrown.
struct Numbers {
  Mark mark;
  int at = 0, most;
  std::exception_ptr thrown;
  Numbers(Log &log, int most) : mark(log, 'n'), most(most) {}
  int next() {
    if (thrown)
      std::rethrow_exception(thrown);
    try {
      if (at == most)
        throw std::out_of_range("numbers");
      if (at == 1)
        throw at;
      return at++;
    } catch (int n) {
      mark.log.put('i');
      return ++at;
    } catch (...) {
      thrown = std::current_exception();
      throw;
    }
  }
};

struct Expression {
  virtual ~Expression() = default;
  virtual long value() const = 0;
};
struct Number : Expression {
  long n;
  explicit Number(long n) : n(n) {}
  long value() const override { return n; }
};
struct Quotient : Expression {
  std::unique_ptr<Expression> a, b;
  Quotient(std::unique_ptr<Expression> a, std::unique_ptr<Expression> b)
      : a(std::move(a)), b(std::move(b)) {}
  long value() const override {
    long by = b->value();
    if (!by)
      throw std::domain_error("a quotient by zero");
    return a->value() / by;
  }
};
/// A parser by recursive descent.
struct Parser {
  const char *at;
  int depth = 0;
  std::unique_ptr<Expression> primary() {
    if (++depth > 6)
      throw std::length_error("too deep");
    if (*at == '(') {
      ++at;
      auto e = quotient();
      if (*at != ')')
        throw std::invalid_argument(std::string("expected ) before ") + *at);
      ++at;
      --depth;
      return e;
    }
    if (*at < '0' || *at > '9')
      throw std::invalid_argument(std::string("unexpected ") + *at);
    long n = 0;
    while (*at >= '0' && *at <= '9')
      n = n * 10 + (*at++ - '0');
    --depth;
    return std::make_unique<Number>(n);
  }
  std::unique_ptr<Expression> quotient() {
    auto a = primary();
    while (*at == '/') {
      ++at;
      a = std::make_unique<Quotient>(std::move(a), primary());
    }
    return a;
  }
};
void parse(Log &log, const char *text) {
  try {
    Parser p{text};
    auto e = p.quotient();
    log.put(e->value());
  } catch (const std::invalid_argument &e) {
    log.put(e.what());
  }
  log.put(';');
}

template <class T> struct Stack {
  std::vector<T> items;
  T pop() {
    if (items.empty())
      throw std::underflow_error("empty");
    T last = items.back();
    items.pop_back();
    return last;
  }
};

struct Transaction {
  std::vector<int> &target;
  std::vector<int> saved;
  bool done = false;
  explicit Transaction(std::vector<int> &target)
      : target(target), saved(target) {}
  ~Transaction() {
    if (!done)
      target.swap(saved);
  }
};

[[gnu::noinline]] int &element(int (&a)[4], int i) {
  if (i > 3)
    throw i;
  return a[i];
}
int ladder(Log &log, int depth) {
  Mark m(log, char('a' + depth));
  try {
    if (depth == 5)
      throw depth;
    return ladder(log, depth + 1) + 1;
  } catch (int n) {
    if (n > depth + 1)
      throw;
    if (depth > 1)
      throw n - 2;
    return n;
  }
}
struct Logged : std::exception {
  Log *log;
  explicit Logged(Log &log) : log(&log) { log.put('<'); }
  Logged(const Logged &o) : log(o.log) { log->put('='); }
  ~Logged() override { log->put('>'); }
  const char *what() const noexcept override { return "logged"; }
};
int made(int n) {
  if (!n)
    throw std::invalid_argument("none");
  return n;
}
template <class... T> int sumOf(T... parts) { return (made(parts) + ...); }

void first(Log &log, int which, int zero) {
  switch (which) {
  case 0: { // strong guarantee of push_back
    int left = 1000, alive = 0;
    {
      std::vector<Brittle> v;
      for (int i = 0; i != 4; ++i)
        v.emplace_back(i, &left, &alive);
      v.shrink_to_fit();
      left = 3;
      try {
        v.push_back(v[2]);
      } catch (int n) {
        log.put(long(n));
      }
      show(log, v);
      log.put(long(alive));
    }
    log.put(long(alive));
    break;
  }
  case 1: { // insert in the middle
    int left = 1000, alive = 0;
    {
      std::deque<Brittle> v;
      for (int i = 0; i != 6; ++i)
        v.emplace_back(i, &left, &alive);
      Brittle other(9, &left, &alive);
      left = 2;
      try {
        v.insert(v.begin() + 3, 3, other);
      } catch (int n) {
        log.put(long(n));
      }
      log.put(long(v.size()));
    }
    log.put(long(alive));
    break;
  }
  case 2: { // copies of containers
    int left = 1000, alive = 0;
    {
      std::list<Brittle> v;
      for (int i = 0; i != 6; ++i)
        v.emplace_back(i, &left, &alive);
      left = 4;
      try {
        std::list<Brittle> copy(v);
      } catch (int n) {
        log.put(long(n));
      }
      log.put(long(alive));
    }
    log.put(long(alive));
    break;
  }
  case 3: {
    int left = 1000, alive = 0;
    {
      std::map<int, Brittle> m;
      for (int i = 0; i != 6; ++i)
        m.try_emplace(i * 5 % 6, i, &left, &alive);
      left = 4;
      try {
        auto copy = m;
      } catch (int n) {
        log.put(long(n));
      }
      show(log, m);
    }
    log.put(long(alive));
    break;
  }
  case 4: { // a comparison in the middle of an insertion
    int left = 1000;
    std::set<int, BrittleLess> s(BrittleLess{&left});
    for (int i = 0; i != 8; ++i)
      s.insert(i * 3 % 8);
    left = 3;
    try {
      s.insert(20);
    } catch (char c) {
      log.put(c);
    }
    left = 1000;
    show(log, s);
    break;
  }
  case 5: {
    int left = 1000;
    std::unordered_map<int, int, BrittleHash> m(8, BrittleHash{&left});
    for (int i = 0; i != 5; ++i)
      m[i] = i * i;
    for (left = 1; left < 3; ++left)
      try {
        const int kept = left;
        m.emplace(9, 81);
        left = kept;
        log.put('k');
      } catch (const std::range_error &e) {
        log.put(e.what());
        left = 1;
      }
    left = 1000;
    log.put(long(m.size()));
    log.put(long(m.count(9)));
    break;
  }
  case 6: { // sort
    int left = 1000, alive = 0;
    {
      std::vector<Brittle> v;
      for (int i = 0; i != 20; ++i)
        v.emplace_back(i * 7 % 20, &left, &alive);
      left = 37;
      try {
        std::sort(v.begin(), v.end());
      } catch (const std::logic_error &e) {
        log.put(e.what());
      } catch (int n) {
        log.put(long(n));
      }
      log.put(long(alive));
    }
    log.put(long(alive));
    break;
  }
  case 7: {
    int left = 1000;
    std::vector<BrittleMove> v;
    v.reserve(4);
    for (int i = 0; i != 4; ++i)
      v.emplace_back(i, &left);
    left = 2;
    try {
      v.emplace_back(4, &left);
    } catch (char c) {
      log.put(c);
    }
    show(log, v);
    break;
  }
  case 8: { // visitors
    std::variant<int, double, std::string> v = std::string("text");
    try {
      std::visit(
          [](const auto &x) {
            if constexpr (requires { x.size(); })
              throw x.size();
          },
          v);
    } catch (std::size_t n) {
      log.put(long(n));
    }
    try {
      v.emplace<std::string>().at(1);
    } catch (const std::out_of_range &) {
      log.put(long(v.index()));
    }
    break;
  }
  case 9: { // a variant that an exception leaves without a value
    struct Throws {
      Throws(int) { throw 5; }
      Throws(Throws &&) noexcept(false) {}
    };
    std::variant<std::string, Throws> v = "long enough to be in memory";
    try {
      v.emplace<1>(3);
    } catch (int n) {
      log.put(long(n));
    }
    log.put(v.valueless_by_exception() ? 'v' : '-');
    try {
      std::visit([&](auto &) { log.put('?'); }, v);
    } catch (const std::bad_variant_access &e) {
      log.put(e.what());
    }
    break;
  }
  case 10: {
    std::any a = 3;
    try {
      log.put(long(std::any_cast<long>(a)));
    } catch (const std::bad_any_cast &e) {
      log.put(e.what());
    }
    log.put(long(std::any_cast<int>(a)));
    break;
  }
  case 11: {
    std::function<int(int)> f;
    try {
      f(1);
    } catch (const std::bad_function_call &e) {
      log.put(e.what());
    }
    f = [&](int n) { return n > 2 ? throw n : f(n + 1) + 1; };
    try {
      f(0);
    } catch (int n) {
      log.put(long(n));
    }
    break;
  }
  case 12:
    try {
      std::bitset<8> b(std::string("0120"));
      log.put(long(b.count()));
    } catch (const std::invalid_argument &e) {
      log.put(e.what());
    }
    break;
  case 13:
    try {
      std::bitset<8> b(7);
      b.set(8 + zero);
    } catch (const std::out_of_range &e) {
      log.put('r');
    }
    break;
  case 14: {
    Numbers n(log, 3);
    for (int i = 0; i != 5; ++i)
      try {
        log.put(long(n.next()));
      } catch (const std::exception &e) {
        log.put(e.what());
      }
    n.next();
    break;
  }
  case 15:
    parse(log, "40/(10/2)");
    parse(log, "(1/(2");
    parse(log, "7/x");
    break;
  case 16:
    parse(log, "1/(0/5)");
    break;
  case 17:
    parse(log, "((((((((1");
    break;
  case 18: {
    Stack<std::string> s;
    s.items = {"one", "two, which is longer than a short string"};
    for (;;)
      log.put(s.pop().c_str());
  }
  case 19: { // a transaction
    std::vector<int> v = {1, 2, 3};
    try {
      Transaction t(v);
      v.push_back(4);
      v.at(9) = 1;
      t.done = true;
    } catch (const std::out_of_range &) {
      show(log, v);
    }
    Transaction t(v);
    v.push_back(5);
    t.done = true;
    show(log, v);
    break;
  }
  case 20: { // references that a function returns
    int a[4] = {1, 2, 3, 4};
    try {
      element(a, 1) += element(a, 2);
      element(a, 4 + zero) = a[0]++;
    } catch (int n) {
      log.put(long(n));
    }
    for (int n : a)
      log.put(long(n));
    break;
  }
  case 21:
    log.put(long(ladder(log, 0)));
    break;
  case 22: // how often an object is copied
    try {
      try {
        Logged l(log);
        throw l;
      } catch (Logged copy) {
        log.put('c');
        throw;
      }
    } catch (const std::exception &e) {
      log.put(e.what());
    }
    break;
  case 23:
    try {
      log.put(long(sumOf(1, 2, 3)));
      log.put(long(sumOf(1, 0, 3)));
    } catch (const std::invalid_argument &e) {
      log.put(e.what());
    }
    break;
  case 24: { // jumps out of handlers
    int n = 0;
  again:
    for (int i = 0; i != 4; ++i) {
      Mark m(log, 'm');
      try {
        if (i == 1)
          continue;
        throw i;
      } catch (int k) {
        if (k == 2)
          break;
        if (n++ == 1)
          goto again;
      }
    }
    log.put(long(n));
    break;
  }
  }
}

[[gnu::noinline]] unsigned odd(unsigned n) {
  if (n & 1)
    throw long(n);
  return n;
}
[[gnu::noinline]] unsigned through(unsigned (*f)(unsigned), unsigned n) {
  return f(n) + 1;
}
/// Asks for what its callers have caught, so it has their state.
[[gnu::noinline]] unsigned caughtWithin(unsigned n) {
  try {
    n = through(odd, n);
  } catch (long) {
    n += 100;
  }
  return std::current_exception() ? n + 1000 : n;
}

struct Base {
  Log &log;
  explicit Base(Log &log) : log(log) { hook(); }
  virtual void hook() { log.put('b'); }
  virtual ~Base() { log.put('~'); }
};
struct Derived : Base {
  Mark m;
  explicit Derived(Log &log) try : Base(log), m(log, 'd') {
    hook();
  } catch (char c) {
    log.put(c); // the base is gone
    throw long(c);
  }
  void hook() override { throw 'h'; }
};
struct Resource {
  Log *log;
  explicit Resource(Log &log) : log(&log) { log.put('['); }
  void operator()(int *p) const {
    log->put(']');
    delete p;
  }
};
struct Cleanup {
  Log &log;
  int depth;
  ~Cleanup() {
    if (!depth)
      return;
    try {
      Cleanup inner{log, depth - 1};
      throw depth;
    } catch (int n) {
      log.put(long(n));
      log.put(long(std::uncaught_exceptions()));
    }
  }
};
enum class Level : unsigned char { low, high };
union Either {
  int i;
  float f;
};
int staticOnce(Log &log, int &tries) {
  struct Sometimes {
    int n;
    explicit Sometimes(int &tries) : n(tries) {
      if (tries++ < 2)
        throw tries;
    }
  };
  static const Sometimes s(tries); // the third try makes it
  return s.n;
}
template <int N> [[gnu::noinline]] void deepTemplate(Log &log) {
  Mark m(log, char('a' + N));
  if constexpr (N == 0)
    throw std::array<int, 5>{1, 2, 3, 4, 5};
  else
    deepTemplate<N - 1>(log);
}
int early(Log &log, int n) {
  for (;;) {
    Mark m(log, 'e');
    try {
      if (n > 2)
        return n;
      throw n;
    } catch (int k) {
      if (k == 2)
        return k + 10;
      ++n;
    }
  }
}
struct Proxy {
  int *p;
  Proxy operator++(int) { return throw std::logic_error("++"), *this; }
  operator int() const {
    if (!p)
      throw std::logic_error("null");
    return *p;
  }
  Proxy operator[](int i) const {
    return i < 3 ? Proxy{p + i} : throw std::out_of_range("[]");
  }
};

void second(Log &log, int which, int zero) {
  switch (which) {
  case 25: {
    Derived d(log);
    break;
  }
  case 26: {
    std::unique_ptr<int, Resource> p(new int(1), Resource(log));
    std::shared_ptr<int> q(new int(2), Resource(log));
    std::vector<std::shared_ptr<int>> all(3, q);
    throw *p + *q;
  }
  case 27:
    try {
      Cleanup c{log, 3};
      throw 9;
    } catch (int n) {
      log.put(long(n));
    }
    break;
  case 28:
    try {
      throw Level::high;
    } catch (unsigned char) {
      log.put('u');
    } catch (Level l) {
      log.put(long(l));
    }
    break;
  case 29:
    try {
      Either e;
      e.f = 1.5f;
      throw e;
    } catch (Either e) {
      log.put(long(e.f * 2));
    }
    break;
  case 30: {
    int tries = 0;
    for (int i = 0; i != 4; ++i)
      try {
        log.put(long(staticOnce(log, tries)));
        break;
      } catch (int n) {
        log.put(long(n));
      }
    break;
  }
  case 31:
    try {
      deepTemplate<6>(log);
    } catch (const std::array<int, 5> &a) {
      log.put(long(std::accumulate(a.begin(), a.end(), 0)));
    }
    break;
  case 32:
    log.put(long(early(log, zero)));
    break;
  case 33:
    try {
      int a[3] = {1, 2, 3};
      Proxy p{a};
      log.put(long(p[2]));
      log.put(long(p[3]));
    } catch (const std::logic_error &e) {
      log.put(e.what());
    }
    break;
  case 34: { // the value of a conditional expression
    const int n = zero ? 1 : throw 34;
    log.put(long(n));
    break;
  }
  case 35: { // structured bindings, and a range that throws at its end
    struct Range {
      struct It {
        int n;
        std::pair<int, int> operator*() const { return {n, n * n}; }
        It &operator++() {
          if (++n == 3)
            throw std::pair(n, 'p');
          return *this;
        }
        bool operator!=(It o) const { return n != o.n; }
      };
      It begin() const { return {0}; }
      It end() const { return {9}; }
    };
    try {
      for (auto [a, b] : Range()) {
        log.put(long(a));
        log.put(long(b));
      }
    } catch (const std::pair<int, char> &p) {
      log.put(p.second);
    }
    break;
  }
  case 36: { // functions of the library that call back
    std::vector<int> v = {5, 3, 8, 1};
    try {
      std::for_each(v.begin(), v.end(), [&](int n) {
        log.put(long(n));
        if (n == 8)
          throw n;
      });
    } catch (int n) {
    }
    try {
      std::transform(v.begin(), v.end(), v.begin(), [](int n) {
        return n == 1 ? throw 'z' : n * 2;
      });
    } catch (char) {
      show(log, v);
    }
    try {
      std::stable_sort(v.begin(), v.end(), [n = 0](int a, int b) mutable {
        return ++n == 4 ? throw n : a < b;
      });
    } catch (int n) {
      log.put(long(n));
    }
    break;
  }
  case 37: {
    std::priority_queue<int> q;
    for (int i : {4, 9, 2})
      q.push(i);
    try {
      while (true) {
        log.put(long(q.top()));
        q.pop();
        if (q.empty())
          throw std::make_unique<int>(7);
      }
    } catch (const std::unique_ptr<int> &p) {
      log.put(long(*p));
    }
    break;
  }
  case 38: {
    std::optional<std::string> o;
    try {
      log.put(o.value().c_str());
    } catch (const std::bad_optional_access &e) {
      log.put(e.what());
    }
    try {
      o.emplace("long enough for memory of its own").at(100);
    } catch (const std::out_of_range &) {
      log.put(o->c_str());
    }
    break;
  }
  case 39:
    try {
      std::shared_ptr<int> p;
      std::weak_ptr<int> w = p;
      std::shared_ptr<int> q(w);
    } catch (const std::bad_weak_ptr &e) {
      log.put(e.what());
    }
    break;
  case 40: { // typeid of what is thrown by its base
    try {
      try {
        throw std::underflow_error("under");
      } catch (std::runtime_error &e) {
        log.put(typeid(e) == typeid(std::underflow_error) ? 'u' : '-');
        throw e; // sliced
      }
    } catch (const std::underflow_error &) {
      log.put('w');
    } catch (const std::runtime_error &e) {
      log.put(e.what());
    }
    break;
  }
  case 41: // a cast in a handler
    try {
      throw std::out_of_range("range");
    } catch (const std::exception &e) {
      if (auto *r = dynamic_cast<const std::logic_error *>(&e))
        log.put(r->what());
      try {
        (void)dynamic_cast<const std::runtime_error &>(e);
      } catch (const std::bad_cast &c) {
        log.put(c.what());
      }
    }
    break;
  case 42: { // exceptions that outlive their handlers, in containers
    std::vector<std::exception_ptr> all;
    for (int i = 0; i != 4; ++i)
      try {
        if (i & 1)
          throw i;
        throw Logged(log);
      } catch (...) {
        all.push_back(std::current_exception());
      }
    std::reverse(all.begin(), all.end());
    for (auto &p : all)
      try {
        std::rethrow_exception(std::exchange(p, nullptr));
      } catch (int n) {
        log.put(long(n));
      } catch (const Logged &) {
        log.put('L');
      }
    break;
  }
  case 43: { // nested exceptions, three deep
    auto level = [](auto &self, int n) -> void {
      try {
        if (!n)
          throw std::domain_error("root");
        self(self, n - 1);
      } catch (...) {
        std::throw_with_nested(std::runtime_error(std::string(n + 1, 'n')));
      }
    };
    auto print = [&](auto &self, const std::exception &e) -> void {
      log.put(e.what());
      try {
        std::rethrow_if_nested(e);
      } catch (const std::exception &inner) {
        log.put('/');
        self(self, inner);
      }
    };
    try {
      level(level, 2);
    } catch (const std::exception &e) {
      print(print, e);
    }
    break;
  }
  case 44: // no memory, in an array with elements
    try {
      std::vector<std::string> v(3, std::string(30, 'x'));
      v.reserve(~std::size_t(0) / 64);
    } catch (const std::length_error &e) {
      log.put('l');
    } catch (const std::bad_alloc &e) {
      log.put('a');
    }
    break;
  case 45:
    try {
      delete new long[std::size_t(zero) - 1];
    } catch (const std::bad_array_new_length &) {
      log.put('n');
    } catch (const std::bad_alloc &) {
      log.put('a');
    }
    break;
  case 46: { // a string that grows in a handler
    std::string text;
    for (int i = 0; i != 5; ++i)
      try {
        throw std::runtime_error(std::string(i * 9, char('a' + i)));
      } catch (const std::exception &e) {
        text += e.what();
        text += ';';
      }
    log.put(text.c_str());
    break;
  }
  case 47: { // a list that is half spliced
    std::forward_list<int> a = {1, 2, 3, 4};
    try {
      a.remove_if([](int n) { return n == 3 ? throw n : n % 2 == 0; });
    } catch (int) {
    }
    show(log, a);
    break;
  }
  case 48: { // a lambda by value with members that have destructors
    auto f = [m = std::make_shared<Mark>(log, 'q'), s = std::string(40, 's')](
                 int n) mutable -> std::string {
      s += 'x';
      if (n > 1)
        throw std::move(s);
      return s;
    };
    auto g = f;
    try {
      log.put(long(f(1).size()));
      log.put(long(g(2).size()));
    } catch (const std::string &s) {
      log.put(long(s.size()));
    }
    break;
  }
  case 50: // by pointers, and caught where a pointer led to
    for (unsigned i = 0; i != 4; ++i)
      try {
        log.put(long(through(caughtWithin, i)));
        if (i == 2)
          throw 'c';
      } catch (char) {
        log.put(long(through(caughtWithin, i + 1)));
      }
    break;
  case 49: { // a switch, each of whose cases throws
    for (int i = 0; i != 5; ++i)
      try {
        switch (i) {
        case 0:
          throw i;
        case 1:
          throw long(i);
        case 2:
          throw 'c';
        case 3: {
          Mark m(log, 's');
          [[fallthrough]];
        }
        default:
          throw 1.5;
        }
      } catch (int) {
        log.put('i');
      } catch (long) {
        log.put('l');
      } catch (char c) {
        log.put(c);
      } catch (double) {
        log.put('d');
      }
    break;
  }
  }
}

void one(Log &log, int which, int zero) {
  try {
    if (which < 25)
      first(log, which, zero);
    else
      second(log, which, zero);
    log.put(" end");
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
  } catch (...) {
    log.put(" something");
  }
}

void kernel(Log *logs, int zero) {
  if (xcc::global_id() < Cases)
    one(logs[xcc::global_id()], int(xcc::global_id()), zero);
}

} // namespace

int main() {
  compareCases<kernel>(Cases, 64, one);
  std::printf("%d cases\n", Cases);
}
