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
  uint16_t Bits;
};

template <int Op, class T> T apply(T Old, T B) {
  if constexpr (Op == And)
    return T(Old & B);
  else if constexpr (Op == Or)
    return T(Old | B);
  else if constexpr (Op == Xor)
    return T(Old ^ B);
  else if constexpr (Op == Exch)
    return B;
  else if constexpr (Op == Add && std::is_same_v<T, float>)
    return canonical(Old + B);
  else if constexpr (Op == Add)
    return T(Old + B);
  else if constexpr (Op == Inc)
    return Old >= B ? T(0) : T(Old + 1);
  else if constexpr (Op == Dec)
    return Old == 0 || Old > B ? B : T(Old - 1);
  else if constexpr (Op == Min)
    return Old < B ? Old : B;
  else
    return Old > B ? Old : B;
}

template <class T>
using Word =
    std::conditional_t<sizeof(T) == 8, uint64_t,
                       std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>>;

/// The old value, after the new one is there.
template <int Op, class T> T change(char *At, T B, T New) {
  using W = Word<T>;
  auto *P = reinterpret_cast<W *>(At);
  if constexpr (Op == Cas) {
    W Expected = std::bit_cast<W>(B);
    __atomic_compare_exchange_n(P, &Expected, std::bit_cast<W>(New), false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return std::bit_cast<T>(Expected);
  } else {
    W Old = __atomic_load_n(P, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(
        P, &Old, std::bit_cast<W>(apply<Op, T>(std::bit_cast<T>(Old), B)),
        false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      ;
    return std::bit_cast<T>(Old);
  }
}

template <int Op, class T> void run(Warp &W, const Inst &I, uint32_t Lanes) {
  const uint64_t *A = W.in<uint64_t>(I.A);
  const T *B = W.in<T>(I.B), *C = Op == Cas ? W.in<T>(I.C) : B;
  T *D = I.Small ? W.out<T>(I.D) : nullptr;
  for (; Lanes; Lanes &= Lanes - 1) {
    unsigned L = unsigned(__builtin_ctz(Lanes));
    if (I.In == Space::Generic &&
        A[L] + I.Imm - windows().Local < Windows::Size)
      W.fault(xcc::rt::cuda::IllegalAddress,
              "an atomic operation on local memory, which is undefined",
              1u << L);
    char *At = W.reach<true>(A[L] + I.Imm, sizeof(T), I.In, L);
    T Old = change<Op, T>(At, B[L], C[L]);
    if (D)
      D[L] = Old;
  }
}

/// Sums of one or two short numbers in a word.
template <class F, class T>
void addShort(Warp &W, const Inst &I, uint32_t Lanes) {
  const uint64_t *A = W.in<uint64_t>(I.A);
  const T *B = W.in<T>(I.B);
  T *D = I.Small ? W.out<T>(I.D) : nullptr;
  for (; Lanes; Lanes &= Lanes - 1) {
    unsigned L = unsigned(__builtin_ctz(Lanes));
    char *At = W.reach<true>(A[L] + I.Imm, sizeof(T), I.In, L);
    auto *P = reinterpret_cast<T *>(At);
    T Old = __atomic_load_n(P, __ATOMIC_RELAXED), New;
    do {
      New = 0;
      for (unsigned N = 0; N != sizeof(T) / 2; ++N)
        New = T(New | T(F::of(F::wide(uint16_t(Old >> 16 * N)) +
                              F::wide(uint16_t(B[L] >> 16 * N))))
                          << 16 * N);
    } while (!__atomic_compare_exchange_n(P, &Old, New, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
    if (D)
      D[L] = Old;
  }
}

Handler handlerFor(Decoder &D, int Op, Type T) {
  auto Bits = [&]<class U, class S>() -> Handler {
    bool Signed = T.Of == Type::S;
    switch (Op) {
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
      return Signed ? run<Min, S> : run<Min, U>;
    case Max:
      return Signed ? run<Max, S> : run<Max, U>;
    }
    return nullptr;
  };
  if (isInteger(T) && T.Packed == 1 && T.Bits == 32)
    return Bits.template operator()<uint32_t, int32_t>();
  if (isInteger(T) && T.Packed == 1 && T.Bits == 64)
    return Bits.template operator()<uint64_t, int64_t>();
  if (isInteger(T) && T.Bits == 16 && Op == Cas)
    return run<Cas, uint16_t>;
  if (Op == Add) {
    if (T == Type{Type::F, 1, 32})
      return run<Add, float>;
    if (T == Type{Type::F, 1, 64})
      return run<Add, double>;
    if (T == Type{Type::F, 1, 16})
      return addShort<Half, uint16_t>;
    if (T == Type{Type::F, 2, 16})
      return addShort<Half, uint32_t>;
    if (T == Type{Type::BF, 1, 16})
      return addShort<Brain, uint16_t>;
    if (T == Type{Type::BF, 2, 16})
      return addShort<Brain, uint32_t>;
  }
  D.refuse("a type that the instruction does not have");
}

template <bool Returns> void decode(Decoder &D) {
  D.oneOf({"relaxed", "acquire", "release", "acq_rel"});
  D.scope();
  Space Where = Space::Generic;
  int S = D.oneOf({"global", "shared", "shared::cta"});
  if (S >= 0)
    Where = S ? Space::Shared : Space::Global;
  int Op = D.oneOf(
      {"and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max"});
  if (Op < 0)
    D.refuse("the operation is missing");
  D.ignore({"noftz", "L2::cache_hint"});
  Type T = D.type();
  size_t First = Returns ? 1 : 0;
  bool Drops = Returns && D.operand(0).Is == Operand::Sink;
  int32_t To = Returns && !Drops ? D.out(0, T.bytes()) : 0;
  Inst I;
  D.address(First, Where, I);
  int32_t B = D.in(First + 1, T), C = Op == Cas ? D.in(First + 2, T) : 0;
  Inst &N = D.emit(handlerFor(D, Op, T));
  N.D = To, N.A = I.A, N.B = B, N.C = C, N.Imm = I.Imm, N.In = I.In;
  N.Small = Returns && !Drops;
  N.Strong = true;
}

PTX_OPCODES({"atom", decode<true>}, {"red", decode<false>})

} // namespace
} // namespace ptx
