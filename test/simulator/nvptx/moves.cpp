// Moves, special registers, addresses of variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.9.3 to 9.7.9.7, mov, and chapter 10, special registers.

#include "handlers.h"

#include <ctime>

namespace ptx {
namespace {

//===--- Special registers ------------------------------------------------===//

/// The thread's number in its block.
uint32_t threadOf(const Warp &W, unsigned L) { return W.Index * WarpSize + L; }

template <int Axis> uint32_t tid(Warp &W, unsigned L) {
  const uint32_t *B = W.In.In.Shape.Block;
  uint32_t T = threadOf(W, L);
  return Axis == 0 ? T % B[0] : Axis == 1 ? T / B[0] % B[1] : T / B[0] / B[1];
}
template <int Axis> uint32_t ntid(Warp &W, unsigned) {
  return W.In.In.Shape.Block[Axis];
}
template <int Axis> uint32_t ctaid(Warp &W, unsigned) { return W.In.At[Axis]; }
template <int Axis> uint32_t nctaid(Warp &W, unsigned) {
  return W.In.In.Shape.Grid[Axis];
}
uint32_t zero(Warp &, unsigned) { return 0; }
uint32_t one(Warp &, unsigned) { return 1; }
uint32_t laneid(Warp &, unsigned L) { return L; }
uint32_t warpid(Warp &W, unsigned) { return W.Index; }
uint32_t nwarpid(Warp &, unsigned) { return 64; }
uint32_t smid(Warp &W, unsigned) { return uint32_t(W.In.Number % 4); }
uint32_t nsmid(Warp &, unsigned) { return 4; }
uint32_t maskEqual(Warp &, unsigned L) { return 1u << L; }
uint32_t maskLess(Warp &, unsigned L) { return (1u << L) - 1; }
uint32_t maskLessEqual(Warp &, unsigned L) { return (2u << L) - 1; }
uint32_t maskGreater(Warp &, unsigned L) { return ~((2u << L) - 1); }
uint32_t maskGreaterEqual(Warp &, unsigned L) { return ~((1u << L) - 1); }
uint32_t dynamicShared(Warp &W, unsigned) { return W.In.In.Shape.Dynamic; }
uint32_t totalShared(Warp &W, unsigned) {
  return uint32_t(W.In.In.SharedBytes - W.In.In.K.SharedBase);
}
// A clock that counts instructions; the global one is the host's.
uint64_t clock64(Warp &W, unsigned) {
  return W.Executed + uint64_t(W.Doing - W.Running->Insts.data());
}
uint32_t clock32(Warp &W, unsigned L) { return uint32_t(clock64(W, L)); }
uint32_t clockHigh(Warp &W, unsigned L) {
  return uint32_t(clock64(W, L) >> 32);
}
uint64_t globalTimer(Warp &, unsigned) {
  timespec T;
  clock_gettime(CLOCK_REALTIME, &T);
  return uint64_t(T.tv_sec) * 1'000'000'000u + uint64_t(T.tv_nsec);
}
uint32_t timerLow(Warp &W, unsigned L) { return uint32_t(globalTimer(W, L)); }
uint32_t timerHigh(Warp &W, unsigned L) {
  return uint32_t(globalTimer(W, L) >> 32);
}
uint64_t gridid(Warp &W, unsigned) { return W.In.In.Number; }

template <class T, T (*Read)(Warp &, unsigned)>
void readSpecial(Warp &W, const Inst &I, uint32_t Lanes) {
  unsigned Bytes = unsigned(I.Imm);
  for (uint32_t M = Lanes; M; M &= M - 1) {
    unsigned L = unsigned(__builtin_ctz(M));
    uint64_t V = Read(W, L);
    __builtin_memcpy(W.Data + I.D + L * Bytes, &V, Bytes);
  }
}
template <uint32_t (*Read)(Warp &, unsigned)>
constexpr Handler Word = readSpecial<uint32_t, Read>;
template <uint64_t (*Read)(Warp &, unsigned)>
constexpr Handler Long = readSpecial<uint64_t, Read>;

struct SpecialRegister {
  Handler Read;
  unsigned Bytes;
};
const std::unordered_map<std::string_view, SpecialRegister> Specials = {
    {"%tid.x", {Word<tid<0>>, 4}},
    {"%tid.y", {Word<tid<1>>, 4}},
    {"%tid.z", {Word<tid<2>>, 4}},
    {"%ntid.x", {Word<ntid<0>>, 4}},
    {"%ntid.y", {Word<ntid<1>>, 4}},
    {"%ntid.z", {Word<ntid<2>>, 4}},
    {"%ctaid.x", {Word<ctaid<0>>, 4}},
    {"%ctaid.y", {Word<ctaid<1>>, 4}},
    {"%ctaid.z", {Word<ctaid<2>>, 4}},
    {"%nctaid.x", {Word<nctaid<0>>, 4}},
    {"%nctaid.y", {Word<nctaid<1>>, 4}},
    {"%nctaid.z", {Word<nctaid<2>>, 4}},
    // Without clusters each block is one.
    {"%cluster_ctaid.x", {Word<zero>, 4}},
    {"%cluster_ctaid.y", {Word<zero>, 4}},
    {"%cluster_ctaid.z", {Word<zero>, 4}},
    {"%cluster_nctaid.x", {Word<one>, 4}},
    {"%cluster_nctaid.y", {Word<one>, 4}},
    {"%cluster_nctaid.z", {Word<one>, 4}},
    {"%clusterid.x", {Word<ctaid<0>>, 4}},
    {"%clusterid.y", {Word<ctaid<1>>, 4}},
    {"%clusterid.z", {Word<ctaid<2>>, 4}},
    {"%nclusterid.x", {Word<nctaid<0>>, 4}},
    {"%nclusterid.y", {Word<nctaid<1>>, 4}},
    {"%nclusterid.z", {Word<nctaid<2>>, 4}},
    {"%laneid", {Word<laneid>, 4}},
    {"%warpid", {Word<warpid>, 4}},
    {"%nwarpid", {Word<nwarpid>, 4}},
    {"%smid", {Word<smid>, 4}},
    {"%nsmid", {Word<nsmid>, 4}},
    {"%gridid", {Long<gridid>, 8}},
    {"%lanemask_eq", {Word<maskEqual>, 4}},
    {"%lanemask_lt", {Word<maskLess>, 4}},
    {"%lanemask_le", {Word<maskLessEqual>, 4}},
    {"%lanemask_gt", {Word<maskGreater>, 4}},
    {"%lanemask_ge", {Word<maskGreaterEqual>, 4}},
    {"%clock", {Word<clock32>, 4}},
    {"%clock_hi", {Word<clockHigh>, 4}},
    {"%clock64", {Long<clock64>, 8}},
    {"%globaltimer", {Long<globalTimer>, 8}},
    {"%globaltimer_lo", {Word<timerLow>, 4}},
    {"%globaltimer_hi", {Word<timerHigh>, 4}},
    {"%dynamic_smem_size", {Word<dynamicShared>, 4}},
    {"%total_smem_size", {Word<totalShared>, 4}},
    {"%is_explicit_cluster", {Word<zero>, 4}},
};

//===--- mov --------------------------------------------------------------===//

template <class T> void copy(Warp &W, const Inst &I, uint32_t Lanes) {
  T *D = W.out<T>(I.D);
  const T *A = W.in<T>(I.A);
  each(Lanes, [=](unsigned L) { D[L] = A[L]; });
}
void copyPredicate(Warp &W, const Inst &I, uint32_t Lanes) {
  W.setPredicate(I.D, W.predicate(I.A, I.Small & 1), Lanes);
}

constexpr int32_t Dropped = INT32_MIN;

/// Registers side by side to one; Imm: bytes of each, Count: how many.
void pack(Warp &W, const Inst &I, uint32_t Lanes) {
  const auto &From = W.Running->Lists[I.Extra];
  size_t Each = I.Imm, All = Each * I.Count;
  for (uint32_t M = Lanes; M; M &= M - 1) {
    unsigned L = unsigned(__builtin_ctz(M));
    char Whole[16];
    for (unsigned N = 0; N != I.Count; ++N)
      __builtin_memcpy(Whole + N * Each, W.in<char>(From[N]) + L * Each, Each);
    __builtin_memcpy(W.Data + I.D + L * All, Whole, All);
  }
}
void unpack(Warp &W, const Inst &I, uint32_t Lanes) {
  const auto &To = W.Running->Lists[I.Extra];
  size_t Each = I.Imm, All = Each * I.Count;
  for (uint32_t M = Lanes; M; M &= M - 1) {
    unsigned L = unsigned(__builtin_ctz(M));
    char Whole[16];
    __builtin_memcpy(Whole, W.in<char>(I.A) + L * All, All);
    for (unsigned N = 0; N != I.Count; ++N)
      if (To[N] != Dropped)
        __builtin_memcpy(W.Data + To[N] + L * Each, Whole + N * Each, Each);
  }
}

void mov(Decoder &D) {
  Type T = D.type();
  if (T.Of == Type::Pred) {
    bool Not;
    int32_t To = D.outPredicate(D.operand(0).Index), A = D.inPredicate(1, Not);
    Inst &N = D.emit(copyPredicate);
    N.D = To, N.A = A, N.Small = Not;
    return;
  }
  const Operand &To = D.operand(0), &From = D.operand(1);
  if (To.Is == Operand::Vector || From.Is == Operand::Vector) {
    bool Out = To.Is == Operand::Vector;
    const auto &Parts = (Out ? To : From).Parts;
    unsigned Each = T.bytes() / unsigned(Parts.size());
    std::vector<int32_t> List;
    for (const Operand &O : Parts)
      List.push_back(Out && O.Is == Operand::Sink ? Dropped
                     : Out ? D.outRegister(O, Each)
                           : D.in(O, {Type::B, 1, uint16_t(8 * Each)}));
    int32_t Whole = Out ? D.in(1, T) : D.out(0, T.bytes());
    uint32_t Extra = uint32_t(D.C.Lists.size());
    Inst &N = D.emit(Out ? unpack : pack);
    (Out ? N.A : N.D) = Whole;
    N.Extra = Extra, N.Count = uint8_t(Parts.size()), N.Imm = Each;
    D.C.Lists.push_back(std::move(List));
    return;
  }
  if (From.Is == Operand::Special) {
    auto Found = Specials.find(From.Name);
    if (Found == Specials.end())
      D.refuse("unknown register '" + std::string(From.Name) + "'");
    // The 64-bit ones may be read in a smaller type, and the other way round.
    int32_t At = D.out(0, T.bytes());
    Inst &N = D.emit(Found->second.Read);
    N.D = At, N.Imm = T.bytes();
    return;
  }
  int32_t At = D.out(0, T.bytes()), A = D.in(1, T);
  Handler H = T.bytes() == 2    ? copy<uint16_t>
              : T.bytes() == 4  ? copy<uint32_t>
              : T.bytes() == 8  ? copy<uint64_t>
              : T.bytes() == 16 ? copy<unsigned __int128>
                                : nullptr;
  if (!H)
    D.refuse("a type that the instruction does not have");
  Inst &N = D.emit(H);
  N.D = At, N.A = A;
}

PTX_OPCODES({"mov", mov})

} // namespace
} // namespace ptx
