// typeid and dynamic_cast: names, order and hashes of types, also of the
// descriptions of types, casts down, across and to the whole object, through
// virtual, private and repeated bases. Each
// value is compared with what the host computes.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// CHECK: 460 values, 0 wrong
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <vector>
#include <xcc/xcc.h>
struct A {
  virtual ~A() = default;
  virtual int f() const { return 1; }
  int a = 1;
};
struct B {
  virtual ~B() = default;
  virtual int g() const { return 2; }
  int b = 2;
};
struct C : A {
  int f() const override { return 3; }
  int c = 3;
};
struct D : A, B {
  int f() const override { return 4; }
  int g() const override { return 5; }
  int d = 4;
};
struct V : virtual A {
  int v = 5;
};
struct W : virtual A {
  int w = 6;
};
struct X : V, W, B {
  int x = 7;
  int f() const override { return 8; }
};
struct P : private A {
  A *base() { return this; }
  int p = 1;
};
template <class T> struct T1 : A {
  T t{};
};
struct Amb : C, D {};
namespace {
struct Hidden : A {};
} // namespace
struct L1 : V {};
struct L2 : V {};
struct Y : L1, L2 {};
struct Fin final : A {};
struct B2 : B {};
struct Z : D, B2 {};
struct NP {
  int i;
};
enum E { e };
enum class Scoped { e };

struct Log {
  long n = 0;
  unsigned long v[500];
};
[[gnu::noinline]] A *opaque(A *p) { return p; }
[[gnu::noinline]] B *opaque(B *p) { return p; }
inline unsigned long h(const std::type_info &t) {
  unsigned long x = 5381;
  for (const char *s = t.name(); *s; ++s)
    x = x * 33 + (unsigned char)*s;
  return x;
}
inline void work(Log &l) {
  auto put = [&](auto v) { l.v[l.n++] = (unsigned long)v; };
  auto off = [&](const void *p, const void *q) {
    l.v[l.n++] = p ? (unsigned long)((const char *)p - (const char *)q) : ~0ul;
  };
  A a;
  C c;
  D d;
  X x;
  T1<int> ti;
  T1<double> td;
  Amb amb;
  Hidden hi;
  Y y;
  P pr;
  Fin fin;
  Z z;
  A *all[] = {&a,        &c,  &d, &x,        &ti,  &td, (C *)&amb,
              (D *)&amb, &hi, &y, pr.base(), &fin, &z};
  for (A *raw : all) {
    A *p = opaque(raw);
    put(h(typeid(*p)));
    put(typeid(*p).hash_code());
    put(typeid(*p) == typeid(C));
    put(typeid(*p) != typeid(T1<int>));
    put(p->f());
    off(dynamic_cast<C *>(p), p);
    off(dynamic_cast<D *>(p), p);
    off(dynamic_cast<B *>(p), p);
    off(dynamic_cast<X *>(p), p);
    off(dynamic_cast<V *>(p), p);
    off(dynamic_cast<const W *>(p), p);
    off(dynamic_cast<void *>(p), p);
    off(dynamic_cast<T1<double> *>(p), p);
    off(dynamic_cast<P *>(p), p);
    off(dynamic_cast<L2 *>(p), p);
    off(dynamic_cast<Fin *>(p), p);
    off(dynamic_cast<Amb *>(p), p);
    off(dynamic_cast<B2 *>(p), p);
  }
}
inline void work2(Log &l) {
  auto put = [&](auto v) { l.v[l.n++] = (unsigned long)v; };
  const std::type_info &a = typeid(A);
  for (const std::type_info *t :
       {&typeid(int), &typeid(const char *), &typeid(unsigned long *),
        &typeid(A), &typeid(A *), &typeid(NP), &typeid(E), &typeid(int[3]),
        &typeid(void (*)(int)), &typeid(int A::*), &typeid(void),
        &typeid(__int128), &typeid(decltype(nullptr)), &typeid(T1<T1<int>>),
        &typeid(void(int)), &typeid(const NP *const *),
        &typeid(int (A::*)(int) const noexcept), &typeid(std::type_info),
        &typeid(typeid(a)), &typeid(Scoped), &typeid(V), &typeid(X),
        &typeid(std::string), &typeid(std::exception),
        &typeid(std::out_of_range), &typeid(std::bad_alloc)}) {
    put(h(*t));
    put(h(typeid(*t)));
    put(typeid(*t) == typeid(std::type_info));
    put(dynamic_cast<const void *>(t) == t);
    put(t->hash_code());
    put(t->before(typeid(A)));
    put(std::type_index(*t) < std::type_index(typeid(float)));
    put(std::hash<std::type_index>()(*t));
  }
  std::bad_alloc alloc;
  std::out_of_range range("x");
  for (const std::exception *thrown :
       {(const std::exception *)&alloc, (const std::exception *)&range}) {
    put(h(typeid(*thrown)));
    put(dynamic_cast<const std::logic_error *>(thrown) != nullptr);
    put(dynamic_cast<const std::bad_alloc *>(thrown) != nullptr);
  }
  X x;
  B *b = opaque((B *)&x);
  put(dynamic_cast<A *>(b)->a);
  put(dynamic_cast<V *>(b)->v);
  put(dynamic_cast<W &>(*b).w);
  put(dynamic_cast<X *>(b)->x);
  put((char *)dynamic_cast<void *>(b) - (char *)&x);
  Y y;
  A *ya = opaque((A *)&y);
  put(dynamic_cast<V *>(ya) == nullptr);
  put(dynamic_cast<L1 *>(ya) == &y);
  Z z;
  B *zb = opaque(static_cast<B *>(static_cast<D *>(&z)));
  put(dynamic_cast<D *>(zb) == &z);
  put(dynamic_cast<B2 *>(zb) == &z);
  put(dynamic_cast<A *>(zb) != nullptr);
  A *null = opaque((A *)nullptr);
  put(dynamic_cast<C *>(null) == nullptr);
  put(zb->g());
}

struct Beside : A {};

/// Of an object on the stack that the thread's index chooses.
void chosen(int *out) {
  const unsigned i = xcc::thread_idx().x;
  C c;
  Beside e;
  A &either = i & 1 ? static_cast<A &>(c) : static_cast<A &>(e);
  try {
    out[i] = dynamic_cast<C &>(either).c;
  } catch (const std::bad_cast &) {
    out[i] = -1;
  }
}

void k(Log *out) {
  out[0].n = out[1].n = 0;
  work(out[0]);
  work2(out[1]);
}
int main() {
  xcc::buffer<Log> b(2);
  xcc::launch({1, 1}, k, b.data());
  std::vector<Log> got(2);
  b.copy_to(got.data(), 2);
  static Log want[2];
  work(want[0]);
  work2(want[1]);
  int bad = 0;
  for (int t = 0; t < 2; ++t) {
    if (got[t].n != want[t].n) {
      printf("n %ld %ld\n", got[t].n, want[t].n);
      return 1;
    }
    for (long i = 0; i < want[t].n; ++i)
      if (got[t].v[i] != want[t].v[i]) {
        ++bad;
        printf("%d[%ld]: %lx, host %lx\n", t, i, got[t].v[i], want[t].v[i]);
      }
  }
  xcc::buffer<int> four(4);
  xcc::launch({1, 4}, chosen, four.data());
  int casts[4];
  four.copy_to(casts, 4);
  for (int i = 0; i < 4; ++i)
    if (casts[i] != (i & 1 ? 3 : -1)) {
      ++bad;
      printf("chosen %d: %d\n", i, casts[i]);
    }
  printf("%ld values, %d wrong\n", want[0].n + want[1].n, bad);
  return bad != 0;
}
