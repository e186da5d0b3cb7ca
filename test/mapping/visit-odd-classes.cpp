// xcc::visit_members of what classes can be made of: structs and unions without
// names, bit-fields, packed classes, empty members that take no place, volatile
// ones, virtual and ambiguous bases, references, arrays of no elements,
// captures of packs and bindings, the standard library's classes; visitors of
// every kind, in code that is instantiated late, and in kernels.
// DEVICES: host, because its kernels use memory of the host
// RUN: %xcc -std=c++20 -O0 -g -w %s -o %t && %t | %FileCheck %s
// RUN: %xcc %headers -std=c++20 -O2 -w %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O1 -w -fsanitize=address,undefined \
// RUN:   -fno-sanitize-recover=undefined %s -o %t
// RUN: env ASAN_OPTIONS=detect_leaks=0 %t | %FileCheck %s
// CHECK: anon: a+0/0=1 b+4/0=2 c+8/0=3 +12/0 named+16/0
// CHECK-NEXT: bits: a+0/0!=5 b+1/0!=-3 c+1/0!=1 d+2/0!=5.49756e+11 e+7/0!
// CHECK-NEXT: cbits: a+0/0!=5 b+1/0!=-3 c+1/0!=1 d+2/0!=5.49756e+11 e+7/0!
// CHECK-NEXT: vbits: a+0/0!=5 b+1/0!=-3 c+1/0!=1 d+2/0!=5.49756e+11 e+7/0!
// CHECK-NEXT: packed: c+0/0=1 d+1/0=2 p+9/0 in+20/0
// CHECK-NEXT: nua: a+0/0 b+0/0 i+0/0=7 c+4/0
// CHECK-NEXT: vol: v+0/0v=3 w+8/0cv=4 x+16/0=5
// CHECK-NEXT: cvol: v+0/0cv=3 w+8/0cv=4 x+16/0c=5
// CHECK-NEXT: vvol: v+0/0v=3 w+8/0cv=4 x+16/0v=5
// CHECK-NEXT: dia: L+0/2 R+16/2 d+28/0=4
// CHECK-NEXT: L: VB+32/2 l+8/0=2
// CHECK-NEXT: R: VB+16/2 r+8/0=3
// CHECK-NEXT: zero: a+0/0=1 b+4/0=2
// CHECK-NEXT: flex: n+0/0=0
// CHECK-NEXT: amb: Dup+0/2 VB+4/2 z+8/0=1
// CHECK-NEXT: ref: r+0/1=1 rr+8/1=1 c+16/1c=2
// CHECK-NEXT: cref: r+0/1=1 rr+8/1=1 c+16/1c=2
// CHECK-NEXT: comma: a+0/0 b+4/0
// CHECK-NEXT: deleted: at+0/0 up+8/0
// CHECK-NEXT: atomic: x+0/0
// CHECK-NEXT: later: done+0/0=1
// CHECK-NEXT: fn done=1
// CHECK-NEXT: fn done=1
// CHECK-NEXT: conv 1
// CHECK-NEXT: pack: b+0/0=1 b+8/0=2.5 b+16/0=99 a+24/1=1 a+32/1=2.5 a+40/1=99
// CHECK-NEXT: pal: Priv+0/2
// CHECK-NEXT: wide: big+0/0 ld+16/0=6 h+32/0 s+34/0 m+36/0 pm+64/0 pf+72/0 np+88/0 v+96/0 cd+112/0
// CHECK-NEXT: local: a+0/0=1 s+8/0
// CHECK-NEXT: unnamed: q+0/0=4
// CHECK-NEXT: bindings: x+0/0=4 y+8/1=5
// CHECK-NEXT: vla:
// CHECK-NEXT: mut: k+0/0=0
// CHECK-NEXT: cmut: k+0/0c=0
// CHECK-NEXT: tuple: _Tuple_impl<0, int, double, char>+0/2
// CHECK-NEXT: array: _M_elems+0/0
// CHECK-NEXT: vector: _Vector_base<int, std::allocator<int>>+0/2
// CHECK-NEXT: string: _M_dataplus+0/0 _M_string_length+8/0=1 +16/0
// CHECK-NEXT: map: _M_t+0/0
// CHECK-NEXT: self: next+0/0
// CHECK-NEXT: thrown a
// CHECK-NEXT: count 1
// CHECK-NEXT: sum 3
// CHECK-NEXT: each: done+0/0=1
// CHECK-NEXT: each: a+0/0=1 b+4/0=2
// CHECK-NEXT: fn done=1
// CHECK-NEXT: L VB vb l R VB vb r d
// CHECK-NEXT: kernel a 6
// CHECK-NEXT: kernel b 8
// CHECK-NEXT: in kernel 7
#include <xcc/xcc.h>
#include <algorithm>
#include <atomic>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

template <class T> void show(const char *title, T &o) {
  std::printf("%s:", title);
  xcc::visit_members(o, [&](xcc::member m, auto &&v) {
    using M = std::remove_reference_t<decltype(v)>;
    std::printf(" %s+%zu/%d%s%s%s", m.name, m.offset, int(m.kind), std::is_const_v<M> ? "c" : "", std::is_volatile_v<M> ? "v" : "",
                std::is_lvalue_reference_v<decltype(v)> ? "" : "!");
    if constexpr (std::is_arithmetic_v<M>) std::printf("=%g", double(v));
    if (m.kind != xcc::member_kind::reference && std::is_lvalue_reference_v<decltype(v)> && (char *)&o + m.offset != (char *)std::addressof(v)) std::printf(" WRONG");
  });
  std::printf("\n");
}
struct Anon { int a = 1; struct { int b = 2; struct { int c = 3; }; }; union { int u = 4; float f; }; union { int n; } named{5}; };
struct Bits { unsigned a : 3; int : 5; int b : 7; bool c : 1; unsigned long long d : 40; enum E : char { X, Y } e : 2; Bits() : a(5), b(-3), c(true), d(1ull << 39), e(Y) {} };
struct [[gnu::packed]] Packed { char c = 1; double d = 2; int *p = nullptr; struct { short s = 3; int i = 4; } in; };
struct E1 {}; struct E2 {};
struct NUA { [[no_unique_address]] E1 a; [[no_unique_address]] E2 b; int i = 7; [[no_unique_address]] E1 c; };
struct Vol { volatile int v = 3; const volatile double w = 4; int x = 5; };
struct VB { int vb = 1; };
struct L : virtual VB { int l = 2; }; struct R : virtual VB { int r = 3; };
struct Dia : L, R { int d = 4; };
struct Z { int a = 1; int none[0]; int b = 2; };
struct Flex { int n = 3; int data[]; };
struct Dup : VB {}; struct Amb : Dup, VB { int z = 1; };
struct Ref { int &r; int &&rr; const double &c; };
class Op { int *operator&() { return nullptr; } int x = 3; void operator,(int); };
struct Comma { Op a, b; };
struct Thrower { int a, b; };
struct Deleted { Deleted() = default; Deleted(const Deleted &) = delete; std::atomic<int> at{3}; std::unique_ptr<int> up; };
struct _At { _Atomic(int) x = 3; };
struct Later;
void use(Later &l);
static void usesLater(Later &l) ;
template <class T> void lazily(T &l) { show("later", l); }
static void usesLater(Later &l) { lazily(l); }
struct Later { int done = 1; };
void fnvisitor(xcc::member m, int &v) { std::printf(" fn %s=%d\n", m.name, v); }
struct Conv { Conv(int v) : v(v) {} int v; };
template <class... A> void pack(A... a) { auto c = [... b = a, &a...] {}; show("pack", c); }
struct Priv { private: int x = 1; friend struct Pal; struct Inner { int in = 9; }; Inner i; protected: ~Priv() = default; };
struct Pal : private Priv {};
enum class Sc : short { A, B };
struct Wide { __int128 big = 5; long double ld = 6; _Float16 h = 7; Sc s = Sc::B; int m[2][3] = {}; int Pal::*pm = nullptr; void (Comma::*pf)() = nullptr; std::nullptr_t np; typedef float f4 __attribute__((ext_vector_type(4))); f4 v; _Complex double cd; };
int main() {
  Anon an; show("anon", an);
  Bits b; show("bits", b); const Bits cb; show("cbits", cb); volatile Bits vb; show("vbits", vb);
  Packed p; show("packed", p);
  NUA n; show("nua", n);
  Vol v; show("vol", v); const Vol cv; show("cvol", cv); volatile Vol vv; show("vvol", vv);
  Dia d; show("dia", d); show("L", static_cast<L &>(d)); show("R", static_cast<R &>(d));
  Z z; show("zero", z);
  Flex *f = (Flex *)calloc(1, 64); show("flex", *f);
  Amb a; show("amb", a);
  int i = 1; double dd = 2; Ref r{i, std::move(i), dd}; show("ref", r); const Ref cr{i, std::move(i), dd}; show("cref", cr);
  Comma c; show("comma", c);
  Deleted del; show("deleted", del);
  _At at; show("atomic", at);
  Later l; usesLater(l);
  xcc::visit_members(l, fnvisitor); xcc::visit_members(l, &fnvisitor);
  auto conv = [](xcc::member, Conv c) { std::printf(" conv %d\n", c.v); return c.v; };
  xcc::visit_members(l, conv);
  pack(1, 2.5, 'c');
  Pal pal; show("pal", pal);
  Wide w; show("wide", w);
  struct Local { int a = 1; std::string s; } loc; show("local", loc);
  struct { int q = 4; } unnamed; show("unnamed", unnamed);
  auto [x, y] = std::pair<int, double>(4, 5);
  auto sb = [x, &y] { return x + y; }; show("bindings", sb);
  int len = 3; int vla[len]; auto vl = [&] { return sizeof(vla) + vla[0]; }; show("vla", vl);
  int k = 0; auto mut = [k]() mutable { return ++k; }; show("mut", mut); const auto &cm = mut; show("cmut", cm);
  std::tuple<int, double, char> t{1, 2, 'c'}; show("tuple", t);
  std::array<int, 3> arr{}; show("array", arr);
  std::vector<int> ve(5); show("vector", ve);
  std::string st = "x"; show("string", st);
  std::map<int, int> ma; show("map", ma);
  struct T3 { T3 *next; } t3{}; show("self", t3);
  try { Thrower th{1, 2}; int seen = 0; xcc::visit_members(th, [&](xcc::member m, int &v) { seen++; if (v == 1) throw m; }); } catch (xcc::member m) { std::printf("thrown %s\n", m.name); }
  struct Count { int n = 0; void operator()(xcc::member, int) { ++n; } } count;
  xcc::visit_members(l, count); std::printf("count %d\n", count.n);
  std::vector<Later> many(3); int sum = 0;
  std::for_each(many.begin(), many.end(), [&](Later &e) { xcc::visit_members(e, [&](auto, int v) { sum += v; }); });
  std::printf("sum %d\n", sum);
  std::apply([](auto &...e) { (show("each", e), ...); }, *new std::tuple<Later, Z>());
  void (*ptr)(Later &, void (&)(xcc::member, int &)) = &xcc::visit_members; ptr(l, fnvisitor);
  auto g = []<class T>(auto self, T &o) -> void { xcc::visit_members(o, [&](xcc::member m, auto &v) { std::printf(" %s", m.name); if constexpr (std::is_class_v<std::remove_reference_t<decltype(v)>>) self(self, v); }); };
  g(g, d); puts("");
  // a kernel is launched by a visitor
  struct Work { int a = 3; float b = 4; } work;
  xcc::visit_members(work, [](xcc::member m, auto &value) {
    int *out = (int *)calloc(4, 1);
    xcc::launch({1, 1}, [out, value] { *out = int(value) * 2; }); xcc::synchronize(); std::printf("kernel %s %d\n", m.name, *out); });
  // in a kernel
  int *res = (int *)calloc(4, 1);
  xcc::launch({1, 1}, [res] { Work w; int s = 0; xcc::visit_members(w, [&](xcc::member, auto &v) { s += int(v); }); *res = s; }); xcc::synchronize(); std::printf("in kernel %d\n", *res);
}
