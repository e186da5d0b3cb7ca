// Loads, stores, fences, the stack
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.9.8 and following. Every access is one of the host's of the same
// size, which orders at least as much as any that PTX has.

#include "handlers.h"

#include <type_traits>

namespace ptx {
namespace {

constexpr int32_t Dropped = INT32_MIN;

template <class T> T read(const char *At) {
  return __atomic_load_n(reinterpret_cast<const T *>(At), __ATOMIC_ACQUIRE);
}
template <class T> void write(char *At, T V) {
  __atomic_store_n(reinterpret_cast<T *>(At), V, __ATOMIC_RELEASE);
}

/// M: the type in memory, with its sign; R: the register's.
template <class M, class R> void load(Warp &W, const Inst &I, uint32_t Lanes) {
  R *D = W.out<R>(I.D);
  const uint64_t *A = W.in<uint64_t>(I.A);
  for (; Lanes; Lanes &= Lanes - 1) {
    unsigned L = unsigned(__builtin_ctz(Lanes));
    D[L] = R(read<M>(W.reach<false>(A[L] + I.Imm, sizeof(M), I.In, L)));
  }
}
template <class M, class R> void store(Warp &W, const Inst &I, uint32_t Lanes) {
  const R *B = W.in<R>(I.B);
  const uint64_t *A = W.in<uint64_t>(I.A);
  for (; Lanes; Lanes &= Lanes - 1) {
    unsigned L = unsigned(__builtin_ctz(Lanes));
    write<M>(W.reach<true>(A[L] + I.Imm, sizeof(M), I.In, L), M(B[L]));
  }
}

template <class M, class R>
void loadVector(Warp &W, const Inst &I, uint32_t Lanes) {
  const auto &To = W.Running->Lists[I.Extra];
  const uint64_t *A = W.in<uint64_t>(I.A);
  for (; Lanes; Lanes &= Lanes - 1) {
    unsigned L = unsigned(__builtin_ctz(Lanes));
    const char *At = W.reach<false>(A[L] + I.Imm, sizeof(M) * I.Count, I.In, L);
    // The address may be in one of the registers.
    R V[8];
    for (unsigned N = 0; N != I.Count; ++N)
      V[N] = R(read<M>(At + N * sizeof(M)));
    for (unsigned N = 0; N != I.Count; ++N)
      if (To[N] != Dropped)
        W.out<R>(To[N])[L] = V[N];
  }
}
template <class M, class R>
void storeVector(Warp &W, const Inst &I, uint32_t Lanes) {
  const auto &From = W.Running->Lists[I.Extra];
  const uint64_t *A = W.in<uint64_t>(I.A);
  for (; Lanes; Lanes &= Lanes - 1) {
    unsigned L = unsigned(__builtin_ctz(Lanes));
    char *At = W.reach<true>(A[L] + I.Imm, sizeof(M) * I.Count, I.In, L);
    for (unsigned N = 0; N != I.Count; ++N)
      write<M>(At + N * sizeof(M), M(W.in<R>(From[N])[L]));
  }
}

// What is passed in calls lies in the frame: D or A is lane 0's, Imm the bytes
// from one lane to the next.
template <class M, class R>
void loadPassed(Warp &W, const Inst &I, uint32_t Lanes) {
  const char *At = W.Data + I.A;
  const auto &To = W.Running->Lists[I.Extra];
  for (unsigned N = 0; N != I.Count; ++N) {
    if (To[N] == Dropped)
      continue;
    R *D = W.out<R>(To[N]);
    const char *From = At + N * sizeof(M);
    each(Lanes, [=, Stride = I.Imm](unsigned L) {
      M V;
      __builtin_memcpy(&V, From + L * Stride, sizeof(M));
      D[L] = R(V);
    });
  }
}
template <class M, class R>
void storePassed(Warp &W, const Inst &I, uint32_t Lanes) {
  char *At = W.Data + I.A;
  const auto &From = W.Running->Lists[I.Extra];
  for (unsigned N = 0; N != I.Count; ++N) {
    const R *B = W.in<R>(From[N]);
    char *To = At + N * sizeof(M);
    each(Lanes, [=, Stride = I.Imm](unsigned L) {
      M V = M(B[L]);
      __builtin_memcpy(To + L * Stride, &V, sizeof(M));
    });
  }
}

enum Form { Plain, Vector, InFrame };

/// The handler for types in memory and register.
template <bool Store>
Handler handlerFor(Decoder &D, Type T, unsigned Register, Form How) {
  auto With = [&]<class M, class R>() -> Handler {
    if constexpr (sizeof(M) > sizeof(R))
      D.refuse("a register that is smaller than the type");
    else if (Store)
      return How == Plain    ? store<M, R>
             : How == Vector ? storeVector<M, R>
                             : storePassed<M, R>;
    else
      return How == Plain    ? load<M, R>
             : How == Vector ? loadVector<M, R>
                             : loadPassed<M, R>;
  };
  auto WithMemory = [&]<class M>() -> Handler {
    using S = std::conditional_t<std::is_signed_v<M>, int64_t, uint64_t>;
    switch (Register) {
    case 2:
      if constexpr (std::is_signed_v<M>)
        return With.template operator()<M, int16_t>();
      else
        return With.template operator()<M, uint16_t>();
    case 4:
      if constexpr (std::is_signed_v<M>)
        return With.template operator()<M, int32_t>();
      else
        return With.template operator()<M, uint32_t>();
    case 8:
      return With.template operator()<M, S>();
    }
    D.refuse("a register of a size that is not supported");
  };
  bool Signed = T.Of == Type::S;
  switch (T.bits()) {
  case 8:
    return Signed ? WithMemory.template operator()<int8_t>()
                  : WithMemory.template operator()<uint8_t>();
  case 16:
    return Signed ? WithMemory.template operator()<int16_t>()
                  : WithMemory.template operator()<uint16_t>();
  case 32:
    return Signed ? WithMemory.template operator()<int32_t>()
                  : WithMemory.template operator()<uint32_t>();
  case 64:
    return WithMemory.template operator()<uint64_t>();
  }
  D.refuse("a type that the instruction does not have");
}

Space spaceOf(Decoder &D) {
  switch (D.oneOf({"global", "const", "shared", "local", "param", "shared::cta",
                   "param::entry", "param::func"})) {
  case 0:
    return Space::Global;
  case 1:
    return Space::Const;
  case 2:
  case 5:
    return Space::Shared;
  case 3:
    return Space::Local;
  case 4:
  case 6:
  case 7:
    return Space::Param;
  }
  return Space::Generic;
}

void caches(Decoder &D) {
  D.ignore({"ca",
            "cg",
            "cs",
            "lu",
            "cv",
            "wb",
            "wt",
            "nc",
            "unified",
            "L1::evict_normal",
            "L1::evict_unchanged",
            "L1::evict_first",
            "L1::evict_last",
            "L1::no_allocate",
            "L2::64B",
            "L2::128B",
            "L2::256B",
            "L2::evict_last",
            "L2::evict_first",
            "L2::evict_normal"});
}

template <bool Store> void access(Decoder &D) {
  int Order =
      D.oneOf({"weak", "volatile", "relaxed", "mmio", "release", "acquire"});
  if (Order >= 0)
    D.scope();
  Space Where = spaceOf(D);
  caches(D);
  int Vec = D.oneOf({"v2", "v4", "v8"});
  Type T = D.type();
  size_t Memory = Store ? 0 : 1, Value = Store ? 1 : 0;
  const Operand &O = D.operand(Value), &At = D.operand(Memory);
  std::vector<Operand> Parts = {O};
  if (Vec >= 0) {
    if (O.Is != Operand::Vector || O.Parts.size() != size_t(2) << Vec)
      D.refuse("a vector of another length");
    Parts = O.Parts;
  }
  // Registers of a vector have one size.
  unsigned Bytes = 0;
  for (const Operand &P : Parts)
    if (P.Is == Operand::Register) {
      unsigned Has;
      D.anyRegister(P, Has);
      if (Bytes && Has != Bytes)
        D.refuse("registers of different sizes in a vector");
      Bytes = Has;
    }
  if (!Bytes)
    Bytes = T.bytes() < 2 ? 2 : T.bytes();
  std::vector<int32_t> List;
  for (const Operand &P : Parts)
    List.push_back(!Store && P.Is == Operand::Sink ? Dropped
                   : P.Is == Operand::Register || !Store
                       ? D.outRegister(P, Bytes)
                       : D.in(P, {T.Of, 1, uint16_t(8 * Bytes)}));
  if (At.Is != Operand::Memory)
    D.refuse("an address is missing");
  const Passed *In = Where == Space::Param ? D.passed(At.Parts[0]) : nullptr;
  bool Entry =
      D.F.Entry && In && size_t(At.Parts[0].Index) < D.F.Of.Takes.size();
  if (Store && Entry)
    D.refuse("a store to a kernel's parameter");
  uint32_t Extra = uint32_t(D.C.Lists.size());
  if (In && !Entry) {
    if (At.Bits + T.bytes() * Parts.size() > In->Size)
      D.refuse("an access beyond the end of '" + std::string(At.Parts[0].Name) +
               "'");
    Inst &N = D.emit(handlerFor<Store>(D, T, Bytes, InFrame));
    N.A = In->At + int32_t(At.Bits);
    N.Imm = In->stride();
    N.Count = uint8_t(Parts.size());
    N.Extra = Extra;
    D.C.Lists.push_back(std::move(List));
    return;
  }
  if (Where == Space::Param && !D.F.Entry)
    D.refuse("an address in .param that is no variable's");
  Inst I;
  D.address(Memory, Where, I);
  Inst &N = D.emit(handlerFor<Store>(D, T, Bytes, Vec < 0 ? Plain : Vector));
  N.A = I.A, N.Imm = I.Imm, N.In = I.In;
  N.Strong = Order > 0;
  if (Vec < 0) {
    (Store ? N.B : N.D) = List[0];
  } else {
    N.Count = uint8_t(Parts.size());
    N.Extra = Extra;
    D.C.Lists.push_back(std::move(List));
  }
}

/// ldu and the hints that have no effect here, but whose address is one.
void nothing(Warp &, const Inst &, uint32_t) {}
void prefetch(Decoder &D) {
  spaceOf(D);
  D.ignore({"L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap"});
  Inst I;
  D.address(0, Space::Generic, I);
  D.emit(nothing);
}

void fenceLanes(Warp &W, const Inst &, uint32_t) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  // It may order anything, with what else these threads do.
  W.In.Races.barrier();
}
void fence(Decoder &D) {
  D.oneOf({"sc", "acq_rel", "acquire", "release"});
  D.scope();
  if (D.has("proxy") && D.oneOf({"alias", "async", "async.global"}) < 0)
    D.refuse("a proxy that is not supported");
  D.emit(fenceLanes);
}
void membar(Decoder &D) {
  if (D.oneOf({"cta", "gl", "sys"}) < 0)
    D.refuse("a scope is missing");
  D.emit(fenceLanes);
}

//===--- The stack --------------------------------------------------------===//

void allocateLanes(Warp &W, const Inst &I, uint32_t Lanes) {
  uint64_t *D = W.out<uint64_t>(I.D);
  const uint64_t *Size = W.in<uint64_t>(I.A);
  for (; Lanes; Lanes &= Lanes - 1) {
    unsigned L = unsigned(__builtin_ctz(Lanes));
    uint64_t Left = W.Stack - (LocalTop - W.Sp[L]);
    uint64_t To = (W.Sp[L] - Size[L]) & ~(I.Imm - 1);
    if (Size[L] > Left || LocalTop - To > W.Stack)
      W.fault(xcc::rt::cuda::IllegalAddress,
              "stack overflow: " + std::to_string(Size[L]) +
                  " bytes are wanted, and of " + std::to_string(W.Stack) +
                  " bytes for each thread " + std::to_string(Left) +
                  " are left",
              1u << L);
    D[L] = W.Sp[L] = To;
  }
}
void alloca_(Decoder &D) {
  Type T = D.type();
  if (T.bits() != 64)
    D.refuse("addresses must have 64 bits");
  int32_t To = D.out(0, 8), Size = D.in(1, T);
  uint64_t Align = 8;
  if (D.operands() > 2)
    Align = D.operand(2).Bits;
  D.C.Allocates = true;
  Inst &N = D.emit(allocateLanes);
  N.D = To, N.A = Size, N.Imm = Align < 8 ? 8 : Align;
}
void saveLanes(Warp &W, const Inst &I, uint32_t Lanes) {
  uint64_t *D = W.out<uint64_t>(I.D);
  each(Lanes, [&](unsigned L) { D[L] = W.Sp[L]; });
}
void restoreLanes(Warp &W, const Inst &I, uint32_t Lanes) {
  const uint64_t *A = W.in<uint64_t>(I.A);
  for (; Lanes; Lanes &= Lanes - 1) {
    unsigned L = unsigned(__builtin_ctz(Lanes));
    if (A[L] < W.Sp[L] || A[L] > LocalTop)
      W.fault(xcc::rt::cuda::IllegalAddress,
              "the stack pointer is set to an address that is not above it",
              1u << L);
    W.Sp[L] = A[L];
  }
}
void stacksave(Decoder &D) {
  Type T = D.type();
  int32_t To = D.out(0, T.bytes());
  Inst &N = D.emit(saveLanes);
  N.D = To;
}
void stackrestore(Decoder &D) {
  Type T = D.type();
  int32_t A = D.in(0, T);
  Inst &N = D.emit(restoreLanes);
  N.A = A;
}

PTX_OPCODES({"ld", access<false>}, {"ldu", access<false>}, {"st", access<true>},
            {"prefetch", prefetch}, {"prefetchu", prefetch}, {"fence", fence},
            {"membar", membar}, {"alloca", alloca_}, {"stacksave", stacksave},
            {"stackrestore", stackrestore})

} // namespace
} // namespace ptx
