// Read, change, write
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.13.5 and 9.7.13.6, atom and red. The host's own atomic
// operations, since kernels in other streams and the host share the memory.

#include "handlers.h"
#include "numbers.h"

#include <type_traits>

namespace ptx {
namespace {

enum Operation { And, Or, Xor, Exch, Cas, Add, Inc, Dec, Min, Max };

template <class F> struct Stored {
  uint16_t bits;
};

template <int Op, class T> T apply(T old, T b) {
  if constexpr (Op == And)
    return T(old & b);
  else if constexpr (Op == Or)
    return T(old | b);
  else if constexpr (Op == Xor)
    return T(old ^ b);
  else if constexpr (Op == Exch)
    return b;
  else if constexpr (Op == Add && std::is_same_v<T, float>)
    return canonical(old + b);
  else if constexpr (Op == Add)
    return T(old + b);
  else if constexpr (Op == Inc)
    return old >= b ? T(0) : T(old + 1);
  else if constexpr (Op == Dec)
    return old == 0 || old > b ? b : T(old - 1);
  else if constexpr (Op == Min)
    return old < b ? old : b;
  else
    return old > b ? old : b;
}

template <class T>
using Word =
    std::conditional_t<sizeof(T) == 8, uint64_t,
                       std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>>;

/// The old value, after the new one is there.
template <int Op, class T> T change(char *at, T b, T wanted) {
  using W = Word<T>;
  auto *p = reinterpret_cast<W *>(at);
  if constexpr (Op == Cas) {
    W expected = std::bit_cast<W>(b);
    __atomic_compare_exchange_n(p, &expected, std::bit_cast<W>(wanted), false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return std::bit_cast<T>(expected);
  } else {
    W old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(
        p, &old, std::bit_cast<W>(apply<Op, T>(std::bit_cast<T>(old), b)),
        false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      ;
    return std::bit_cast<T>(old);
  }
}

template <int Op, class T> void run(Warp &w, const Inst &i, uint32_t lanes) {
  const uint64_t *a = w.in<uint64_t>(i.a);
  const T *b = w.in<T>(i.b), *c = Op == Cas ? w.in<T>(i.c) : b;
  T *d = i.small ? w.out<T>(i.d) : nullptr;
  for (; lanes; lanes &= lanes - 1) {
    unsigned l = unsigned(__builtin_ctz(lanes));
    if (i.in == Space::Generic &&
        a[l] + i.imm - windows().local < Windows::Size)
      w.fault(xcc::rt::cuda::IllegalAddress,
              "an atomic operation on local memory, which is undefined",
              1u << l);
    char *at = w.reach<true>(a[l] + i.imm, sizeof(T), i.in, l);
    T old = change<Op, T>(at, b[l], c[l]);
    if (d)
      d[l] = old;
  }
}

/// Sums of one or two short numbers in a word.
template <class F, class T>
void addShort(Warp &w, const Inst &i, uint32_t lanes) {
  const uint64_t *a = w.in<uint64_t>(i.a);
  const T *b = w.in<T>(i.b);
  T *d = i.small ? w.out<T>(i.d) : nullptr;
  for (; lanes; lanes &= lanes - 1) {
    unsigned l = unsigned(__builtin_ctz(lanes));
    char *at = w.reach<true>(a[l] + i.imm, sizeof(T), i.in, l);
    auto *p = reinterpret_cast<T *>(at);
    T old = __atomic_load_n(p, __ATOMIC_RELAXED), wanted;
    do {
      wanted = 0;
      for (unsigned n = 0; n != sizeof(T) / 2; ++n)
        wanted = T(wanted | T(F::of(F::wide(uint16_t(old >> 16 * n)) +
                                    F::wide(uint16_t(b[l] >> 16 * n))))
                                << 16 * n);
    } while (!__atomic_compare_exchange_n(p, &old, wanted, false,
                                          __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    if (d)
      d[l] = old;
  }
}

Handler handlerFor(Decoder &d, int op, Type t) {
  auto bits = [&]<class U, class S>() -> Handler {
    bool isSigned = t.of == Type::S;
    switch (op) {
    case And:
      return run<And, U>;
    case Or:
      return run<Or, U>;
    case Xor:
      return run<Xor, U>;
    case Exch:
      return run<Exch, U>;
    case Cas:
      return run<Cas, U>;
    case Add:
      return run<Add, U>;
    case Inc:
      return run<Inc, U>;
    case Dec:
      return run<Dec, U>;
    case Min:
      return isSigned ? run<Min, S> : run<Min, U>;
    case Max:
      return isSigned ? run<Max, S> : run<Max, U>;
    }
    return nullptr;
  };
  if (isInteger(t) && t.packed == 1 && t.elementBits == 32)
    return bits.template operator()<uint32_t, int32_t>();
  if (isInteger(t) && t.packed == 1 && t.elementBits == 64)
    return bits.template operator()<uint64_t, int64_t>();
  if (isInteger(t) && t.elementBits == 16 && op == Cas)
    return run<Cas, uint16_t>;
  if (op == Add) {
    if (t == Type{Type::F, 1, 32})
      return run<Add, float>;
    if (t == Type{Type::F, 1, 64})
      return run<Add, double>;
    if (t == Type{Type::F, 1, 16})
      return addShort<Half, uint16_t>;
    if (t == Type{Type::F, 2, 16})
      return addShort<Half, uint32_t>;
    if (t == Type{Type::BF, 1, 16})
      return addShort<Brain, uint16_t>;
    if (t == Type{Type::BF, 2, 16})
      return addShort<Brain, uint32_t>;
  }
  d.refuse("a type that the instruction does not have");
}

template <bool Returns> void decode(Decoder &d) {
  d.oneOf({"relaxed", "acquire", "release", "acq_rel"});
  d.scope();
  Space where = Space::Generic;
  int s = d.oneOf({"global", "shared", "shared::cta"});
  if (s >= 0)
    where = s ? Space::Shared : Space::Global;
  int op = d.oneOf(
      {"and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max"});
  if (op < 0)
    d.refuse("the operation is missing");
  d.ignore({"noftz", "L2::cache_hint"});
  Type t = d.type();
  size_t first = Returns ? 1 : 0;
  bool drops = Returns && d.operand(0).is == Operand::Sink;
  int32_t to = Returns && !drops ? d.out(0, t.bytes()) : 0;
  Inst i;
  d.address(first, where, i);
  int32_t b = d.in(first + 1, t), c = op == Cas ? d.in(first + 2, t) : 0;
  Inst &n = d.emit(handlerFor(d, op, t));
  n.d = to, n.a = i.a, n.b = b, n.c = c, n.imm = i.imm, n.in = i.in;
  n.small = Returns && !drops;
  n.strong = true;
}

PTX_OPCODES({"atom", decode<true>}, {"red", decode<false>})

} // namespace
} // namespace ptx
