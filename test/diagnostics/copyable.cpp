// Arguments and captures travel as bytes. A class with code of its own to copy
// or destroy it is refused for the address in it, which is named; where there is
// none, it is an argument like others (exec/values.cpp).
// RUN: not %xcc -std=c++20 -fsyntax-only -ferror-limit=0 %s 2>&1 | FileCheck %s
#include <xcc/xcc.h>
#include <any>
#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <vector>

void by_value(std::string text) {}
void fine(std::tuple<int, float> t, std::pair<int, int> p) {}

struct Short { // points into itself
  char *begin;
  char text[16];
  Short() : begin(text) {}
  Short(const Short &other);
};
struct Empty {};
struct Pair : Empty {
  Short both[2];
};
struct Owner {
  struct {
    int *memory;
  };
  int count;
  ~Owner();
};
struct Refers {
  Refers(const Refers &);
  Refers();
  int &to;
};
template <class T, int N> struct Fixed { // as boost::static_vector
  unsigned count = 0;
  alignas(T) unsigned char bytes[N * sizeof(T)];
  Fixed() {}
  Fixed(const Fixed &);
  ~Fixed();
};
struct Named : Fixed<std::string, 2> {};
struct Shape {
  virtual double area() const;
};
struct Shapes {
  Shape shape;
};
struct Virtual : virtual Empty {};
struct MoveOnly {
  MoveOnly() {}
  MoveOnly(MoveOnly &&) {}
};
struct FromVariable {
  FromVariable() {}
  FromVariable(FromVariable &) {}
  FromVariable(FromVariable &&) {}
};
struct Explicit {
  Explicit() {}
  explicit Explicit(const Explicit &) {}
};
class Private {
  Private(const Private &) {}

public:
  Private() {}
  Private(Private &&) {}
};
void pair(Pair p) {}
void move_only(MoveOnly only) {}
void from_variable(FromVariable v) {}
void explicitly(Explicit e) {}
void privately(Private p) {}

int main() {
  xcc::launch_config one{{1}, {1}};
  std::vector<float> v;
  // CHECK: :[[#@LINE+1]]:20: error: parameter 'text' of type 'std::string' cannot be copied to a device: the type holds addresses, and has code of its own to copy or destroy it
  xcc::launch(one, by_value, "a");
  // CHECK: :15:27: note: declared here; a capture or parameter by reference is mapped, a std::span carries elements
  // CHECK: :[[#@LINE+1]]:20: error: capture 'v' of type 'std::vector<float>' cannot be copied to a device
  xcc::launch(one, [=] { (void)v.size(); });
  // CHECK: :[[#@LINE+1]]:24: error: capture 'v' of type 'std::vector<float>' cannot be copied to a device
  xcc::parallel_for(3, [=](std::size_t) { (void)v.size(); });
  xcc::launch(one, fine, std::tuple<int, float>{}, std::pair<int, int>{});
  std::tuple<int, float> captured;
  xcc::launch(one, [=] { (void)std::get<0>(captured); });

  // With the way to the address, and who may know what it means.
  Pair p;
  // CHECK: :[[#@LINE+1]]:20: error: parameter 'p' -> member 'both' -> member 'begin' of type 'char *' cannot be copied to a device: it is an address in an object of type 'Short', which has a copy constructor of its own
  xcc::launch(one, pair, p);
  // CHECK: :19:9: note: declared here; a capture or parameter by reference is mapped
  // CHECK: :22:3: note: 'Short' has this copy constructor, which knows what the address means
  // CHECK: :[[#@LINE+1]]:20: error: capture 'p' -> member 'both' -> member 'begin' of type 'char *' cannot
  xcc::launch(one, [=] { (void)p.both; });
  struct Derived : Pair {} derived;
  // CHECK: :[[#@LINE+1]]:20: error: capture 'both' -> base 'Pair' -> member 'both' -> member 'begin' of type 'char *' cannot
  xcc::launch(one, [both = derived] { (void)both.both; });
  Owner owner;
  // CHECK: error: capture 'owner' -> a member without a name -> member 'memory' of type 'int *' cannot be copied to a device: it is an address in an object of type 'Owner', which has a destructor of its own
  xcc::launch(one, [owner] { (void)owner.count; });
  Refers refers;
  // CHECK: error: capture 'refers' -> member 'to' of type 'int &' cannot be copied
  xcc::launch(one, [refers] { (void)refers.to; });
  // Bytes that are objects.
  Fixed<std::string, 3> texts;
  Fixed<MoveOnly, 3> fixed;
  Named named;
  // CHECK: error: capture 'texts' of type {{.*}} cannot be copied to a device: its bytes are objects of type 'std::{{.*}}string{{.*}}', which cannot be copied there
  xcc::launch(one, [texts] { (void)texts.count; });
  // CHECK: error: capture 'named' -> base 'Fixed<std::string, 2>' of type {{.*}} cannot be copied to a device: its bytes are objects
  xcc::launch(one, [named] { (void)named.count; });
  xcc::launch(one, [fixed] { (void)fixed.count; });

  // What the host's tables and functions are needed for.
  Shapes shapes;
  // CHECK: error: capture 'shapes' -> member 'shape' of type 'Shape' cannot be copied to a device: the type has virtual functions, and an object that the host made calls the host's functions
  xcc::launch(one, [shapes] { (void)&shapes; });
  // CHECK: note: declared here; make the object in the kernel, or use a std::variant
  Virtual with_base;
  // CHECK: error: capture 'with_base' of type 'Virtual' cannot be copied to a device: the type has virtual bases
  xcc::launch(one, [with_base] { (void)&with_base; });
  std::function<void()> function;
  // CHECK: error: capture 'function' of type 'std::function<void ()>' cannot be copied to a device: functions have other addresses there
  xcc::launch(one, [function] { function(); });
  // CHECK-NOT: _M_invoker
  // CHECK: error: function object of type 'std::function<void ()>' cannot be copied
  xcc::launch(one, function);
  // CHECK: error: capture 'shared' of type '{{.*}}shared_ptr<{{.*}}' cannot be copied to a device
  std::shared_ptr<int> shared;
  xcc::launch(one, [shared] { (void)*shared; });
  std::any any;
  // CHECK: error: capture 'any' of type 'std::any' cannot be copied
  xcc::launch(one, [any] { (void)any.has_value(); });

  // A parameter is each thread's own.
  // CHECK: :[[#@LINE+1]]:20: error: parameter 'only' of type 'MoveOnly' cannot be given to every thread: it cannot be copied from a constant
  xcc::launch(one, move_only, MoveOnly());
  // CHECK: note: declared here; take it by reference to const and pass a variable, which is mapped, or capture it in a lambda, whose captures all threads share
  FromVariable from;
  // CHECK: error: parameter 'v' of type 'FromVariable' cannot be given to every thread
  xcc::launch(one, from_variable, from);
  // CHECK: error: parameter 'e' of type 'Explicit' cannot be given to every thread
  xcc::launch(one, explicitly, Explicit());
  // CHECK: error: parameter 'p' of type 'Private' cannot be given to every thread
  xcc::launch(one, privately, Private());

  // CHECK: :[[#@LINE+1]]:24: error: each thread calls a copy of its own of the lambda
  xcc::parallel_for(3, [n = std::atomic<int>(0)](std::size_t) mutable {});

  // Parameters of lambdas are no different.
  // CHECK: :[[#@LINE+1]]:3: error: parameter 's' -> member 'begin' of type 'char *' cannot be copied
  xcc::launch(one, [](Short s) {}, Short());
  // CHECK: :[[#@LINE+1]]:3: error: parameter 's' -> member 'begin' of type 'char *' cannot be copied
  xcc::launch(one, [](auto s) {}, Short());
  // CHECK: error: parameter 'text' of type 'std::string' cannot be copied
  xcc::launch(one, [](std::string text) {}, "a");
  // CHECK: error: parameter 'm' of type 'MoveOnly' cannot be given to every thread
  xcc::launch(one, [](MoveOnly m) {}, MoveOnly());
  // CHECK: error: parameter 1 of type 'MoveOnly' cannot be given to every thread
  xcc::launch(one, [](auto m) {}, MoveOnly());

  // And so is an object that a thread may change.
  // CHECK: error: each thread calls a copy of its own of the lambda, which cannot be copied from a constant
  xcc::launch(one, [m = MoveOnly()]() mutable {});
  // CHECK: note: declared here; threads share an object whose call operator is const
  xcc::launch(one, [m = MoveOnly()] {});
  xcc::launch(one, [n = std::atomic<int>(0)] {});
}
// CHECK: 27 errors generated.
