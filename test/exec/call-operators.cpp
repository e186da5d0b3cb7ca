// Function objects with call operators of every kind are called as they would be
// in the launch's place; threads share the object, or call a copy of their own
// where the call operator may change it.
// RUN: %xcc -O0 -std=c++23 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++23 %s -o %t && %t | FileCheck %s
#include "Inputs/expect.h"
#include "Inputs/same.h"
#include <array>
#include <functional>

#define KIND(name, qualifiers)                                                 \
  struct name {                                                                \
    int add;                                                                   \
    void operator()(int *p, int n = 5) qualifiers { *p = n + add; }            \
  };
KIND(Plain, )
KIND(Const, const)
KIND(Volatile, volatile)
KIND(ConstVolatile, const volatile)
KIND(Lvalue, &)
KIND(ConstLvalue, const &)
KIND(Rvalue, &&)
KIND(ConstRvalue, const &&)
KIND(Noexcept, const noexcept)
KIND(All, const volatile && noexcept)

struct Static {
  int add;
  static void operator()(int *p, int n = 5) { *p = n + 1; }
};
struct ByValue {
  int add;
  void operator()(this ByValue self, int *p, int n = 5) { *p = n + self.add; }
};
struct ByReference {
  int add;
  void operator()(this ByReference &self, int *p, int n = 5) {
    *p = n + self.add++;
  }
};
struct ByConst {
  int add;
  void operator()(this const ByConst &self, int *p, int n = 5) {
    *p = n + self.add;
  }
};
struct ByRvalue {
  int add;
  void operator()(this ByRvalue &&self, int *p, int n = 5) {
    *p = n + self.add;
  }
};

/// Writes 3 more than n where no other thread has changed it.
struct Counts {
  int *p;
  mutable int calls = 0;
  void operator()(int n) const {
    ++calls;
    calls += 2;
    *p = n + calls;
  }
};

/// Which one is called?
struct Overloaded {
  void operator()(int *p) & { *p = 1; }
  void operator()(int *p) const & { *p = 2; }
  void operator()(int *p) && { *p = 3; }
  void operator()(int *p) const && { *p = 4; }
  void operator()(int *p, int) const { *p = 5; }
  void operator()(int *p, int *) { *p = 6; }
};
struct Deduced {
  void operator()(this auto &&self, int *p) {
    using S = decltype(self);
    *p = std::is_same_v<S, Deduced &>         ? 1
         : std::is_same_v<S, const Deduced &> ? 2
         : std::is_same_v<S, Deduced &&>      ? 3
                                              : 4;
  }
};
struct Templates {
  template <class T> void operator()(T *p, int n = 7) const { *p = n; }
  template <class T> void operator()(T *p, double) const { *p = 8; }
};
struct Base {
  int add;
  void operator()(int *p) const { *p = 10 + add; }
};
struct Inherits : Base {};
struct Uses : private Base {
  Uses() : Base{2} {}
  using Base::operator();
  void operator()(int *p, int n) const { *p = n; }
};
template <class... F> struct Several : F... {
  using F::operator()...;
};
template <class... F> Several(F...) -> Several<F...>;

void function(int *p) { *p = 20; }
void other_function(int *p, int n) { *p = n; }
struct Surrogate {
  using Pointer = void (*)(int *);
  operator Pointer() const { return function; }
};
union Union {
  int add;
  float other;
  void operator()(int *p) const { *p = 30 + add; }
};
struct Callee {
  void operator()(int *p, int n) const { *p = n; }
};
struct Host {
  int value;
  decltype([](int *p) { *p = 40; }) member = {};
  void launch() {
    xcc::launch({{1}, {1}}, member, out());
    EXPECT(40);
    xcc::launch({{1}, {1}}, [this_is = *this, p = out()] { *p = this_is.value; });
    EXPECT(41);
  }
};
template <class T>
concept Small = sizeof(T) < 8;
template <class... A> void captures(A... a) {
  xcc::launch({{1}, {1}}, [=, p = out(), ... b = a] { *p = (a + ...) + (b + ...); });
}
template <class F = decltype([](int *p) { *p = 43; })>
void by_default(F f = {}) {
  xcc::launch({{1}, {1}}, f, out());
}

int main() {
  xcc::buffer<int> made(4);
  memory = &made;
  memory->fill(0);
  const xcc::launch_config one{{1}, {1}};

  auto kinds = [&](auto object, auto as) {
    xcc::launch(one, as(object), out());
    EXPECT(5 + object.add);
    xcc::launch(one, as(object), out(), 9);
    EXPECT(9 + object.add);
  };
  auto lvalue = [](auto &f) -> auto & { return f; };
  auto rvalue = [](auto &f) -> auto && { return std::move(f); };
  kinds(Plain{1}, lvalue);
  kinds(Plain{1}, rvalue);
  kinds(Const{1}, lvalue);
  kinds(Const{1}, rvalue);
  kinds(Volatile{1}, lvalue);
  kinds(ConstVolatile{1}, rvalue);
  kinds(Lvalue{1}, lvalue);
  kinds(ConstLvalue{1}, rvalue);
  kinds(Rvalue{1}, rvalue);
  kinds(ConstRvalue{1}, rvalue);
  kinds(Noexcept{1}, lvalue);
  kinds(All{1}, rvalue);
  kinds(Static{1}, lvalue);
  kinds(ByValue{1}, lvalue);
  kinds(ByReference{1}, lvalue);
  kinds(ByConst{1}, rvalue);
  kinds(ByRvalue{1}, rvalue);
  const volatile ConstVolatile constant{3};
  xcc::launch(one, constant, out());
  EXPECT(8);

  Overloaded overloaded;
  const Overloaded const_overloaded;
  xcc::launch(one, overloaded, out());
  EXPECT(1);
  xcc::launch(one, const_overloaded, out());
  EXPECT(2);
  xcc::launch(one, Overloaded(), out());
  EXPECT(3);
  xcc::launch(one, std::move(const_overloaded), out());
  EXPECT(4);
  xcc::launch(one, overloaded, out(), 1);
  EXPECT(5);
  xcc::launch(one, overloaded, out(), out());
  EXPECT(6);
  Deduced deduced;
  const Deduced const_deduced;
  xcc::launch(one, deduced, out());
  EXPECT(1);
  xcc::launch(one, const_deduced, out());
  EXPECT(2);
  xcc::launch(one, Deduced(), out());
  EXPECT(3);
  xcc::launch(one, [k = 3](this auto const &, int *p) { *p = k; }, out());
  EXPECT(3);
  xcc::launch(
      one,
      [](this auto self, int *p, int n) -> void {
        if (n)
          self(p, n - 1);
        ++*p;
      },
      out(), 3);
  EXPECT(4);

  xcc::launch(one, Templates(), out());
  EXPECT(7);
  xcc::launch(one, Templates(), out(), 2.0);
  EXPECT(8);
  xcc::launch(one, Inherits{{1}}, out());
  EXPECT(11);
  xcc::launch(one, Uses(), out());
  EXPECT(12);
  xcc::launch(one, Uses(), out(), 13);
  EXPECT(13);
  Several several{[](int *p) { *p = 14; }, [](int *p, int n) { *p = n; }};
  xcc::launch(one, several, out());
  EXPECT(14);
  xcc::launch(one, several, out(), 15);
  EXPECT(15);
  xcc::launch(one, Union{1}, out());
  EXPECT(31);

  // What leads to a function, and what is made of others.
  xcc::launch(one, Surrogate(), out());
  EXPECT(20);
  xcc::launch(one, std::integral_constant<void (*)(int *), function>(), out());
  EXPECT(20);
  xcc::launch(one, std::bind(Callee(), std::placeholders::_1, 21), out());
  EXPECT(21);
  xcc::launch(one, std::bind_front([](int n, int *p) { *p = n; }, 22), out());
  EXPECT(22);
  Callee callee;
  xcc::launch(one, std::ref(callee), out(), 23);
  xcc::synchronize();
  EXPECT(23);

  // Wherever a lambda is written, and whatever its head is.
  Host{41}.launch();
  captures(20, 1);
  EXPECT(42);
  by_default();
  EXPECT(43);
  xcc::launch(one, [](int *p, Small auto... a) { *p = (a + ...); }, out(), 40, short(4));
  EXPECT(44);
  xcc::launch(one, []<class T, std::size_t N>(T *p, std::array<T, N> a) requires(N > 1) { *p = a[N - 1]; }, out(), std::array{1, 45});
  EXPECT(45);
  xcc::launch(one, [](int *p) static noexcept { *p = 46; }, out());
  EXPECT(46);
  xcc::launch(one, [n = 46](int *p) mutable { *p = ++n; }, out());
  EXPECT(47);
  xcc::launch(one, [](int *p) constexpr { *p = 48; }, out());
  EXPECT(48);

  // parallel_for's bodies likewise.
  struct Body {
    int *p;
    void operator()(std::size_t i) && { p[i] = 50; }
  };
  xcc::parallel_for(1, Body{out()});
  EXPECT(50);
  xcc::parallel_for(1, [p = out(), n = 50](int i) mutable { p[i] = ++n; });
  EXPECT(51);
  // What a const call operator changes too is a thread's own.
  static Counts counts{out()}; // one for all its threads
  xcc::launch({{2}, {32}}, counts, 54);
  EXPECT(54 + 1 + 2);
  xcc::launch({{2}, {32}}, std::as_const(counts), 55);
  EXPECT(55 + 1 + 2);
  xcc::launch({{2}, {32}}, [c = Counts{out()}] { c(56); });
  EXPECT(56 + 1 + 2);
  xcc::parallel_for(64, [c = Counts{out()}](std::size_t) { c(57); });
  EXPECT(57 + 1 + 2);
  struct Either : Counts {
    using Counts::operator();
    void operator()(int) { *p = 0; }
  };
  xcc::launch({{2}, {32}}, std::as_const(*new Either{{out()}}), 58);
  EXPECT(58 + 1 + 2);
  xcc::parallel_for(1, [p = out()](this auto, auto i) { p[i] = 52; });
  EXPECT(52);
  xcc::parallel_for(1, [p = out()](std::size_t &&i) { return p[i] = 53; });
  EXPECT(53);

  // Their descriptors.
  check(xcc::kernel_info_for(Rvalue{}).param_count == 3, "an rvalue's");
  check(xcc::kernel_info_for(Volatile{}).param_count == 3, "a volatile one's");
  check(xcc::kernel_info_for<int *>(Surrogate{}).param_count == 2, "a pointer's");
  check(xcc::kernel_info_for<int *, int>(overloaded).param_count == 3, "one of several");
  check(&xcc::kernel_info_for(Const{1}) == &xcc::kernel_info_for(std::as_const(*new Const{2})),
        "one for all objects");
  check(xcc::kernel_info_for(Union{}).param_count == 2, "a union's");
  std::puts("all right"); // CHECK: all right
}
