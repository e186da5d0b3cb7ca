// Classes of the program's own: inheritance, templates, private members, odd
// layouts, launches from constructors and destructors, variables at namespace scope.
// RUN: %everywhere
#include "Inputs/check.h"

#include <array>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Bases with members, one of them twice the name.
class Named {
public:
  explicit Named(std::string name) : name(std::move(name)) {}
  std::size_t length() const { return name.size(); }
  void mark() { name[0] = '*'; }
  const std::string &get() const { return name; }

private:
  std::string name;
};
class Counted {
protected:
  int count = 0;
  std::vector<int> marks = std::vector<int>(3);
};
template <class T> class Series : public Named, private Counted {
public:
  Series(std::string name, std::size_t n) : Named(std::move(name)), data(n) {}
  void fill(T first) {
    xcc::parallel_for(data.size(),
                      [=, this](std::size_t i) { data[i] = first + T(i); });
  }
  void finish() {
    xcc::launch({{1}, {1}}, [this] {
      count = int(data.size()) + int(length());
      marks[2] = count;
      mark();
    });
  }
  T at(std::size_t i) const { return data[i]; }
  int counted() const { return count == marks[2] ? count : -1; }

private:
  std::vector<T> data;
};
static void inheritance() {
  Series<float> a("a series with a long name of its own", 9);
  Series<long> b("b", 4);
  a.fill(.5f);
  b.fill(100);
  a.finish();
  b.finish();
  xcc::synchronize();
  CHECK(a.at(8) == 8.5f && b.at(3) == 103);
  CHECK(a.counted() == 9 + 36 && b.counted() == 5);
  CHECK(a.get()[0] == '*' && a.get()[1] == ' ' && b.get() == "*");
}

/// The same base several times over, and through a reference to it.
struct Left : Counted {
  std::vector<int> left{1, 2, 3};
};
struct Right : Counted {
  std::vector<int> right{4, 5};
};
struct Both : Left, Right {
  std::array<std::vector<int>, 2> own{{{6}, {}}};
};
static void diamonds() {
  Both both;
  Left &left = both;
  Right *right = &both;
  int sum = 0;
  xcc::launch({{1}, {1}}, [&, right] {
    for (int v : left.left)
      sum += v;
    for (int &v : right->right)
      sum += v++;
    both.own[0][0] = 60;
  });
  xcc::synchronize();
  CHECK(sum == 15 && both.right[1] == 6 && both.own[0][0] == 60);
}

struct Flags {
  unsigned low : 3, middle : 7;
  int high : 9;
  bool on : 1;
  std::vector<int> list;
  unsigned long wide : 40;
};
static void bitFields() {
  std::vector<Flags> all(5);
  for (unsigned i = 0; i < 5; ++i)
    all[i] = {i,
              i * 20,
              -int(i),
              i % 2 == 0,
              std::vector<int>(i, 1),
              1ul << (30 + i)};
  xcc::parallel_for(5, [&](std::size_t i) {
    all[i].middle += unsigned(all[i].list.size());
    all[i].high -= 1;
    all[i].on = !all[i].on;
    all[i].wide += 1;
    for (int &v : all[i].list)
      v = all[i].low;
  });
  xcc::synchronize();
  for (unsigned i = 0; i < 5; ++i) {
    CHECK(all[i].low == i && all[i].middle == i * 21 &&
          all[i].high == -int(i) - 1);
    CHECK(all[i].on == (i % 2 == 1) && all[i].wide == (1ul << (30 + i)) + 1);
    CHECK(all[i].list == std::vector<int>(i, int(i)));
  }
}

struct alignas(64) Line {
  int values[4];
  std::vector<int> more;
};
struct alignas(32) Wide {
  double d[4];
};
static void overAligned() {
  std::vector<Line> lines(6);
  std::array<Wide, 3> wide{};
  Line one{{1, 2, 3, 4}, {5}};
  bool aligned[3] = {};
  for (auto &l : lines)
    l = one;
  xcc::parallel_for(6, [&](std::size_t i) {
    lines[i].values[i % 4] += one.values[3];
    lines[i].more[0] += int(i);
    if (i < 3) {
      wide[i].d[1] = 2;
      aligned[i] = reinterpret_cast<std::uintptr_t>(&lines[i]) % 64 == 0 &&
                   reinterpret_cast<std::uintptr_t>(&wide[i]) % 32 == 0 &&
                   reinterpret_cast<std::uintptr_t>(&one) % 64 == 0;
    }
  });
  xcc::synchronize();
  CHECK(aligned[0] && aligned[1] && aligned[2]);
  CHECK(lines[5].values[1] == 6 && lines[5].more[0] == 10 && wide[2].d[1] == 2);
}

#pragma pack(push, 1)
struct Packed {
  char tag;
  int *at;
  short s;
  std::uint64_t wide;
};
#pragma pack(pop)
static void packed() {
  std::vector<int> values(8, 1);
  std::vector<Packed> all(3);
  for (std::size_t i = 0; i < 3; ++i)
    all[i] = {char(i), &values[i * 2], short(i), i};
  xcc::parallel_for(3, [&](std::size_t i) {
    *all[i].at += int(values.size());
    all[i].wide += 5;
    all[i].at = values.data() + 7 - i;
  });
  xcc::synchronize();
  CHECK(values[0] == 9 && values[4] == 9 && values[5] == 1);
  CHECK(all[2].wide == 7 && all[2].at == &values[5] && all[2].s == 2 &&
        all[2].tag == 2);
}

/// Launches from a constructor, methods and a destructor.
class Session {
public:
  explicit Session(std::vector<int> &log) : log(log), scratch(log.size(), 1) {
    xcc::parallel_for(scratch.size(),
                      [this](std::size_t i) { scratch[i] += int(i); });
    xcc::synchronize();
  }
  void add() {
    xcc::parallel_for(scratch.size(),
                      [this](std::size_t i) { log[i] += scratch[i]; });
  }
  ~Session() {
    xcc::parallel_for(log.size(),
                      [&log = log](std::size_t i) { log[i] *= 10; });
    xcc::synchronize();
  }

private:
  std::vector<int> &log;
  std::vector<int> scratch;
};
static void sessions() {
  std::vector<int> log(5);
  {
    Session s(log);
    s.add();
    s.add();
  }
  CHECK(log == std::vector<int>({20, 40, 60, 80, 100}));
}

// At namespace scope, and given to a function.
static std::vector<int> table{1, 2, 3, 4};
struct Settings {
  std::string title = "settings with a title that is long";
  static inline int instances = 3;
  double factor = 2;
};
static Settings settings;
static void use(std::vector<int> &t, const Settings &s, std::vector<int> &l) {
  std::size_t length = 0;
  xcc::parallel_for(4, [&, factor = s.factor](std::size_t i) {
    t[i] = int(t[i] * factor) + l[i];
    if (!i)
      length = s.title.size();
  });
  xcc::synchronize();
  CHECK(t == std::vector<int>({9, 11, 13, 15}) && length == s.title.size());
}

static void variablesOfTheProgram() {
  static std::vector<int> local(4, 7);
  use(table, settings, local);
}

/// A matrix that owns plain memory, with an iterator of its own and a transfer.
template <class T> class Buffer2 {
public:
  Buffer2(std::size_t rows, std::size_t columns)
      : rows(rows), columns(columns), data(new T[rows * columns]()) {}
  Buffer2(const Buffer2 &) = delete;
  Buffer2(Buffer2 &&other) noexcept
      : rows(other.rows), columns(other.columns),
        data(std::exchange(other.data, nullptr)) {}
  ~Buffer2() { delete[] data; }
  T &operator()(std::size_t i, std::size_t j) { return data[i * columns + j]; }
  const T &operator()(std::size_t i, std::size_t j) const {
    return data[i * columns + j];
  }
  T *begin() { return data; }
  T *end() { return data + rows * columns; }

private:
  friend struct xcc::transfer<Buffer2>;
  std::size_t rows, columns;
  T *data;
};
template <class T> struct xcc::transfer<Buffer2<T>> {
  template <class B> static void map(xcc::mapper &m, B &b) {
    m.range(b.data, b.data ? b.rows * b.columns : 0);
  }
};
static void ownContainer() {
  Buffer2<int> a(3, 4);
  Buffer2<std::string> words(2, 2);
  std::vector<Buffer2<double>> several;
  several.emplace_back(2, 2);
  several.emplace_back(0, 5);
  several.emplace_back(1, 3);
  Buffer2<double> moved = std::move(several[1]);
  words(1, 1) = "a word of more than sixteen characters";
  const Buffer2<int> constant(1, 1);
  xcc::parallel_for(12, [&](std::size_t i) {
    a(i / 4, i % 4) = int(i) + constant(0, 0);
    if (i < 3)
      several[2](0, i) += double(i);
    if (i == 5) {
      words(1, 1)[0] = 'A';
      for (double &d : several[0])
        d = 9;
    }
  });
  xcc::synchronize();
  int expected = 0;
  for (int v : a)
    CHECK(v == expected++);
  CHECK(several[2](0, 2) == 2 && several[0](1, 1) == 9 &&
        words(1, 1)[0] == 'A');
}

/// What refers to parts of itself and of others.
struct Ring {
  std::vector<int> storage;
  int *head, *tail;
  std::span<int> window;
  std::vector<int>::iterator at;
  explicit Ring(std::size_t n)
      : storage(n), head(storage.data()), tail(storage.data() + n),
        window(storage), at(storage.begin() + 1) {}
};
static void intoItself() {
  Ring r(10);
  xcc::launch({{1}, {1}}, [&] {
    for (int *p = r.head; p != r.tail; ++p)
      *p = int(p - r.head);
    r.head += 3;
    r.window = r.window.subspan(2, 5);
    *r.at = 77;
    r.at += 4;
    *r.at = 88;
  });
  xcc::synchronize();
  CHECK(r.head == &r.storage[3] && r.tail == r.storage.data() + 10);
  CHECK(r.window.data() == &r.storage[2] && r.window.size() == 5);
  CHECK(r.storage[1] == 77 && r.at == r.storage.begin() + 5 && *r.at == 88 &&
        r.storage[9] == 9);
}

/// Classes by value: the kernel's own, whose memory is mapped all the same.
struct View {
  std::vector<int> *whole;
  std::span<const int> part;
  const std::string &label;
  std::reference_wrapper<int> total;
};
static void byValue() {
  std::vector<int> v(20, 2);
  std::string label = "l";
  int total = 0;
  View view{&v, std::span<const int>(v).subspan(5, 5), label, total};
  xcc::map scope(v);
  xcc::launch({{1}, {1}}, [view] {
    for (int x : view.part)
      view.total += x;
    view.total += int(view.label.size());
    (*view.whole)[19] = 40;
  });
  xcc::synchronize();
  CHECK(total == 11);
  scope.end();
  CHECK(v[19] == 40);
}

struct NoMembers {};
struct Odd {
  [[no_unique_address]] NoMembers nothing;
  volatile int seen = 0;
  mutable std::vector<int> cache{1};
  const int fixed = 5;
  int zero[0];
  enum class Kind : char { a, b } kind = Kind::a;
  std::nullptr_t null = nullptr;
  std::bitset<70> bits;
  std::chrono::milliseconds time{5};
  struct {
    int x;
    std::vector<int> inner;
  } anonymous{1, {2, 3}};
  union {
    int number = 3;
    float real;
  };
};
static void oddMembers() {
  Odd odd;
  const Odd constant{};
  xcc::launch({{1}, {1}}, [&] {
    odd.seen = odd.fixed + constant.fixed;
    constant.cache[0] = 9;
    odd.kind = Odd::Kind::b;
    odd.bits.set(69);
    odd.time *= 2;
    odd.anonymous.inner[1] += odd.anonymous.x;
    odd.number = 12;
  });
  xcc::synchronize();
  CHECK(odd.seen == 10 && odd.kind == Odd::Kind::b && odd.bits[69] &&
        odd.time.count() == 10);
  CHECK(odd.anonymous.inner[1] == 4 && odd.number == 12);
  CHECK(constant.cache[0] == 9);
}

/// A base that is made for one class, and casts itself to it in kernels.
template <class D> struct Shape {
  int corners = 3;
  D &self() { return *static_cast<D *>(this); }
  const D &self() const { return *static_cast<const D *>(this); }
  void grow() {
    xcc::launch({{1}, {1}}, [this] { self().scale(corners); });
  }
  void round() {
    xcc::parallel_for(2, [this](std::size_t i) {
      auto grow = [this, i] { ((D *)this)->sizes[i] += 100; };
      grow();
    });
  }
};
struct Tagged {
  std::string tag = "a name that is long enough to be allocated";
};
struct Square : Tagged, private Shape<Square> {
  double factor = 2;
  std::vector<double> sizes{1, 2, 3};
  void scale(int by) {
    for (double &size : sizes)
      size *= by * factor;
    tag[0] = 'A';
  }
  using Shape<Square>::grow;
  using Shape<Square>::round;
  friend Shape<Square>;
};
/// The class is known by its template, behind others, and derived from again.
template <int N, template <class> class D, class T> struct Series3 {
  T first() const {
    T made;
    xcc::launch({{1}, {1}}, [this, &made] {
      made = static_cast<const D<T> *>(this)->values[N];
    });
    xcc::synchronize();
    return made;
  }
};
template <class T> struct Stored : Counted, Series3<1, Stored, T> {
  std::vector<T> values{T(4), T(5)};
};
struct More : Stored<long> {
  int more = 0;
};
/// Expressions, by reference to a base of each.
template <class E> struct Expr {
  double operator[](std::size_t i) const {
    return static_cast<const E &>(*this)[i];
  }
};
struct Terms : Expr<Terms> {
  std::vector<double> v;
  explicit Terms(std::size_t n) : v(n, 1.5) {}
  double operator[](std::size_t i) const { return v[i]; }
};
template <class A, class B> struct Sum : Expr<Sum<A, B>> {
  const A &a;
  const B &b;
  Sum(const A &a, const B &b) : a(a), b(b) {}
  double operator[](std::size_t i) const { return a[i] + b[i]; }
};
template <class E> static void assign(Terms &to, const Expr<E> &from) {
  xcc::parallel_for(to.v.size(), [&](std::size_t i) { to.v[i] = from[i]; });
}
template <class E>
static void store(const Expr<E> &from, const std::reference_wrapper<Expr<E>> &,
                  double *to) {
  *to = from[1];
}
static void shapes() {
  Square square;
  square.grow();
  square.round();
  xcc::synchronize();
  CHECK(square.sizes[0] == 106 && square.sizes[1] == 112 &&
        square.sizes[2] == 18 && square.tag[0] == 'A');
  More more;
  CHECK(more.first() == 5);
  Terms a(5), b(5), c(5);
  Sum sum(a, b);
  Sum<Expr<Terms>, decltype(sum)> twice(a, sum);
  assign(c, twice);
  xcc::synchronize();
  CHECK(c.v[4] == 4.5);
  double out = 0;
  xcc::map scope(out);
  std::reference_wrapper<Expr<Terms>> wrapped(c);
  xcc::launch({{1}, {1}}, store<Terms>, c, wrapped, &out);
  scope.to_host(out);
  CHECK(out == 4.5);
}

int main() {
  shapes();
  inheritance();
  diamonds();
  bitFields();
  overAligned();
  packed();
  sessions();
  variablesOfTheProgram();
  ownContainer();
  intoItself();
  byValue();
  oddMembers();
}
