// xcc::holds_addresses is a constant that says whether there is an address
// anywhere in an object.
// RUN: %xcc -std=c++20 -fsyntax-only %s
#include <xcc/xcc.h>

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

template <class... T> constexpr bool any = (xcc::holds_addresses<T>() || ...);
template <class... T> constexpr bool all = (xcc::holds_addresses<T>() && ...);

struct Plain {
  int i;
  double d[4];
  enum { A } e;
  unsigned bits : 3;
  int Plain::*member;
};
class Private : Plain {
  int secret;
};
struct Empty {};
struct Recursive {
  Recursive *next;
};
struct Deep {
  struct {
    std::array<std::pair<int, char *>, 3> rows[2];
  } inner;
};
struct Refers {
  int &to;
};
struct Virtual {
  virtual void f();
};
struct VirtualBase : virtual Empty {};
struct Method {
  void (Plain::*function)();
};
union Bits {
  int i;
  float f;
};
union Either {
  int i;
  void *p;
};
struct Unnamed {
  union {
    int i;
    void *p;
  };
};
template <class T> struct Wrapper {
  T value;
  static inline int *shared;
};

static_assert(!any<int, bool, float, std::nullptr_t, char[3], const volatile long, Plain, Private,
                   Empty, Bits, std::array<Plain, 1000000>, std::optional<Plain>,
                   std::tuple<int, Plain>, std::variant<int, float>, std::atomic<int>,
                   Wrapper<int>, Wrapper<const int[2]>, _Atomic(int), int Plain::*>);
static_assert(all<int *, void (*)(), int &, int &&, char *const, void *[2], Recursive, Deep, Refers,
                  Virtual, VirtualBase, Method, Either, Unnamed, std::vector<int>, std::string,
                  std::function<void()>, Wrapper<int *>, Wrapper<Deep>, std::optional<int *>,
                  std::variant<int, char *>, std::atomic<int *>, _Atomic(int *),
                  void (Plain::*)()>);

// It can be asked anywhere: here in a parameter list, of classes that asking
// instantiates.
template <class T> struct Later {
  T value;
};
template <class T, bool B = xcc::holds_addresses<Later<T>>()>
constexpr bool later(T) {
  return B;
}
static_assert(!later(3) && later("text"));

void closures(int n) {
  int *p = nullptr;
  auto values = [n] { return n; };
  auto references = [&n] { return n; };
  auto pointers = [values, p] { return values() + *p; };
  static_assert(!xcc::holds_addresses<decltype(values)>());
  static_assert(xcc::holds_addresses<decltype(references)>());
  static_assert(xcc::holds_addresses<decltype(pointers)>());
}
