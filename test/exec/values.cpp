// Objects of classes with constructors and destructors of their own, as
// arguments and captures: made on the host as often as a call would make them,
// and copied and destroyed by each thread that takes one by value.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++17 %s -o %t && env XCC_CPU_SEPARATE=1 %t | FileCheck %s
#include "Inputs/expect.h"
#include "Inputs/same.h"
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <string_view>
#include <tuple>
#include <variant>

struct Counts {
  int copies = 0, moves = 0, ends = 0;
};
static Counts host; // the device's is another

/// Counts what happens to it; a device's threads change theirs alone.
struct Counted {
  int value;
  Counted(int v) : value(v) {}
  Counted(const Counted &other) : value(other.value) { ++host.copies; }
  Counted(Counted &&other) : value(other.value) {
    ++host.moves;
    other.value = -1;
  }
  ~Counted() {
    ++host.ends;
    value = -2;
  }
};

/// Like a fixed vector of Eigen's.
struct alignas(32) Vector {
  double at[4];
  explicit Vector(double v) : at{v, v, v, v} {}
  Vector(const Vector &other) {
    check_aligned();
    std::memcpy(at, other.at, sizeof at);
  }
  void check_aligned() const {
    if (reinterpret_cast<std::uintptr_t>(this) % 32)
      __builtin_trap();
  }
  double sum() const {
    check_aligned();
    return at[0] + at[1] + at[2] + at[3];
  }
};

/// Like boost::static_vector.
template <class T, unsigned N> class Static {
  unsigned size_ = 0;
  alignas(T) unsigned char bytes[N * sizeof(T)];

public:
  Static() {}
  Static(const Static &other) {
    for (const T &each : other)
      push_back(each);
  }
  ~Static() {
    for (T &each : *this)
      each.~T();
  }
  void push_back(const T &t) { ::new (bytes + size_++ * sizeof(T)) T(t); }
  T *begin() { return reinterpret_cast<T *>(bytes); }
  T *end() { return begin() + size_; }
  const T *begin() const { return reinterpret_cast<const T *>(bytes); }
  const T *end() const { return begin() + size_; }
};

/// A short string without an address.
class Text {
  unsigned char length = 0;
  char text[23];

public:
  Text(std::string_view t) : length(t.size()) {
    std::memcpy(text, t.data(), t.size());
  }
  Text(const Text &other) : Text(std::string_view(other)) {}
  Text &operator=(const Text &other) {
    length = other.length;
    std::memmove(text, other.text, length);
    return *this;
  }
  ~Text() { length = 0; }
  operator std::string_view() const { return {text, length}; }
};

struct MoveOnly {
  int value;
  explicit MoveOnly(int v) : value(v) {}
  MoveOnly(MoveOnly &&other) : value(other.value) { other.value = -1; }
  ~MoveOnly() { value = -2; }
};
struct Neither { // copied nor moved
  int value;
  explicit Neither(int v) : value(v) {}
  Neither(const Neither &) = delete;
};
struct Converted {
  operator Counted() const { return Counted(31); }
};
struct Mixed { // an address is fine where nobody's code copies it
  Counted counted;
  int *to;
};
struct Thrower {
  Thrower(int) {}
  Thrower(const Thrower &) { throw 7; }
};
union Either {
  int number;
  Counted counted;
  Either(int v) : counted(v) {}
  Either(const Either &other) : counted(other.counted) {}
  ~Either() { counted.~Counted(); }
};
struct Empty {
  Empty() {}
  Empty(const Empty &) {}
  ~Empty() {}
};

void take(int *out, Counted c, int add) { *out = c.value + add; }
void with_default(int *out, Counted c = 8) { *out = c.value; }
void take_two(int *out, Counted c, Thrower) { *out = c.value; }
void take_vector(char, int *out, Vector v, char) { *out = int(v.sum()); }
void take_static(int *out, Static<Counted, 5> s) {
  for (const Counted &each : s)
    *out = *out * 10 + each.value;
}
void take_text(int *out, Text t) {
  std::string_view text = t;
  *out = int(text.size()) * 1000 + text.back();
}
void take_tuple(int *out, std::tuple<char, Counted, Vector> t) {
  *out = std::get<1>(t).value + int(std::get<2>(t).sum());
}
void take_optional(int *out, std::optional<Counted> o) {
  *out = o ? o->value : -9;
}
void take_variant(int *out, std::variant<Text, Counted> v) {
  *out = v.index() ? std::get<1>(v).value : 0;
}
void take_either(int *out, Either e) { *out = e.counted.value; }
void take_empty(Empty, int *out, Empty) { *out = 12; }
void take_mixed(Mixed m) { *m.to = m.counted.value; }
void by_reference(int *out, const MoveOnly &m, MoveOnly &&n) {
  *out = m.value + n.value;
}

static void expect_counts(int copies, int moves, int ends, int line) {
  if (host.copies != copies || host.moves != moves || host.ends != ends) {
    std::printf("line %d: %d copies, %d moves, %d ends\n", line, host.copies,
                host.moves, host.ends);
    std::exit(1);
  }
  host = {};
}
#define EXPECT_COUNTS(copies, moves, ends)                                     \
  expect_counts(copies, moves, ends, __LINE__)

struct Member {
  Counted counted{3};
  int *out;
  void launch() {
    xcc::launch({{1}, {1}}, [*this] { *out = counted.value; });
  }
};

int main() {
  const xcc::launch_config one{{1}, {1}};
  xcc::buffer<int> made(1);
  memory = &made;
  memory->fill(0);

  // As often as a call: made from what is passed, destroyed after the launch.
  {
    Counted c(5);
    xcc::launch(one, take, out(), c, 1);
    EXPECT_COUNTS(1, 0, 1);
    EXPECT(6);
    xcc::launch(one, take, out(), std::move(c), 2);
    check(c.value == -1, "moved from");
    EXPECT_COUNTS(0, 1, 1);
    EXPECT(7);
    xcc::launch(one, take, out(), 9, 1);
    EXPECT_COUNTS(0, 0, 1);
    EXPECT(10);
    xcc::launch(one, take, out(), Converted(), 0);
    EXPECT_COUNTS(0, 0, 1);
    EXPECT(31);
    xcc::launch(one, take, out(), Counted(4), 1);
    EXPECT_COUNTS(0, 0, 1);
    EXPECT(5);
    xcc::launch(one, with_default, out());
    EXPECT_COUNTS(0, 0, 1);
    EXPECT(8);
    xcc::launch(one, [](Counted c, auto d, int *p) { *p = c.value + d.value; },
                Counted(4), Counted(5), out());
    EXPECT_COUNTS(0, 0, 2);
    EXPECT(9);
    xcc::launch(one, with_default, out());
    host = {};
    EXPECT(8);
    EXPECT_COUNTS(0, 0, 0);
  }
  EXPECT_COUNTS(0, 0, 1);
  // Also when the launch cannot be made, and when a later argument cannot.
  {
    Counted c(5);
    bool thrown = false;
    try {
      xcc::launch({{0}, {1}}, take, out(), c, 1);
    } catch (const xcc::error &) {
      thrown = true;
    }
    check(thrown, "no launch without blocks");
    EXPECT_COUNTS(1, 0, 1);
    thrown = false;
    Thrower thrower(1);
    try {
      xcc::launch(one, take_two, out(), c, thrower);
    } catch (int) {
      thrown = true;
    }
    check(thrown, "a constructor's exception");
    EXPECT_COUNTS(1, 0, 1);
  }
  EXPECT_COUNTS(0, 0, 1);

  // Captures: what the lambda copied is what threads share.
  {
    Counted c(5);
    auto lambda = [c, p = out()] { *p = c.value; };
    EXPECT_COUNTS(1, 0, 0);
    xcc::launch(one, lambda);
    EXPECT(5);
    host = {};
    xcc::parallel_for(1, [c, p = out()](std::size_t i) { p[i] = c.value; });
    EXPECT_COUNTS(1, 0, 1);
    EXPECT(5);
    xcc::launch(one, [c, p = out()]() mutable { *p = ++c.value; });
    EXPECT(6);
    xcc::parallel_for(1, [c, p = out()](std::size_t i) mutable { p[i] = --c.value; });
    EXPECT(4);
    Counted array[2] = {1, 6};
    xcc::launch(one, [array, p = out()] { *p = array[1].value; });
    EXPECT(6);
    Member member{{3}, out()};
    member.launch();
    EXPECT(3);
    host = {};
    xcc::launch(one, [](auto c, int *p) { *p = c.value; }, c, out());
    EXPECT_COUNTS(1, 0, 1);
    EXPECT(5);
  }

  // Whatever the layout.
  Vector v(1.5);
  xcc::launch(one, take_vector, 'a', out(), v, 'b');
  EXPECT(6);
  xcc::launch(one, [v, p = out()] { *p = int(v.sum()); });
  EXPECT(6);
  Static<Counted, 5> some;
  for (int i = 1; i < 4; ++i)
    some.push_back(Counted(i));
  xcc::launch(one, take_static, out(), some);
  EXPECT(123);
  xcc::parallel_for(1, [some, p = out()](std::size_t) {
    for (const Counted &each : some)
      *p += each.value;
  });
  EXPECT(6);
  xcc::launch(one, take_text, out(), Text("device"));
  EXPECT(6000 + 'e');
  xcc::launch(one, take_tuple, out(),
              std::tuple<char, Counted, Vector>('a', 3, v));
  EXPECT(9);
  xcc::launch(one, take_optional, out(), Counted(17));
  EXPECT(17);
  xcc::launch(one, take_optional, out(), std::nullopt);
  EXPECT(-9);
  xcc::launch(one, take_variant, out(), Counted(18));
  EXPECT(18);
  xcc::launch(one, take_either, out(), Either(19));
  EXPECT(19);
  xcc::launch(one, take_empty, Empty(), out(), Empty());
  EXPECT(12);
  xcc::launch(one, take_mixed, Mixed{Counted(20), out()});
  EXPECT(20);
  xcc::launch(one, [m = Mixed{Counted(21), out()}] { *m.to = m.counted.value; });
  EXPECT(21);

  // What cannot be copied: threads share it.
  MoveOnly only(22), other(1);
  xcc::launch(one, by_reference, out(), only, std::move(other));
  EXPECT(23);
  xcc::launch(one, [m = MoveOnly(24), p = out()] { *p = m.value; });
  EXPECT(24);
  auto shared = [m = MoveOnly(25), p = out()] { *p = m.value; };
  xcc::launch(one, shared);
  EXPECT(25);
  xcc::parallel_for(1, [m = MoveOnly(26), p = out()](std::size_t i) {
    p[i] = m.value;
  });
  EXPECT(26);
  struct Odd {
    Neither n{27};
    std::atomic<int> a{1};
    int *p;
    void operator()() const { *p = n.value + a.load(); }
  };
  Odd odd;
  odd.p = out();
  xcc::launch(one, odd);
  EXPECT(28);
  std::puts("all right"); // CHECK: all right
}
