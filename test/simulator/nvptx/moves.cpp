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

template <int Axis> uint32_t tid(Warp &w, unsigned l) {
  return w.threads[Axis][l];
}
template <int Axis> uint32_t ntid(Warp &w, unsigned) {
  return w.block.grid.shape.block[Axis];
}
template <int Axis> uint32_t ctaid(Warp &w, unsigned) {
  return w.block.at[Axis];
}
template <int Axis> uint32_t nctaid(Warp &w, unsigned) {
  return w.block.grid.shape.grid[Axis];
}
uint32_t zero(Warp &, unsigned) { return 0; }
uint32_t one(Warp &, unsigned) { return 1; }
uint32_t laneid(Warp &, unsigned l) { return l; }
uint32_t warpid(Warp &w, unsigned) { return w.index; }
uint32_t nwarpid(Warp &, unsigned) { return 64; }
uint32_t smid(Warp &w, unsigned) { return uint32_t(w.block.number % 4); }
uint32_t nsmid(Warp &, unsigned) { return 4; }
uint32_t maskEqual(Warp &, unsigned l) { return 1u << l; }
uint32_t maskLess(Warp &, unsigned l) { return (1u << l) - 1; }
uint32_t maskLessEqual(Warp &, unsigned l) { return (2u << l) - 1; }
uint32_t maskGreater(Warp &, unsigned l) { return ~((2u << l) - 1); }
uint32_t maskGreaterEqual(Warp &, unsigned l) { return ~((1u << l) - 1); }
uint32_t dynamicShared(Warp &w, unsigned) { return w.block.grid.shape.dynamic; }
uint32_t totalShared(Warp &w, unsigned) {
  const Grid &g = w.block.grid;
  return uint32_t(g.sharedBytes - g.k.sharedGaps - g.k.sharedBase);
}
// A clock that counts instructions; the global one is the host's.
uint64_t clock64(Warp &w, unsigned) {
  return w.executed + uint64_t(w.doing - w.running->insts.data());
}
uint32_t clock32(Warp &w, unsigned l) { return uint32_t(clock64(w, l)); }
uint32_t clockHigh(Warp &w, unsigned l) {
  return uint32_t(clock64(w, l) >> 32);
}
uint64_t globalTimer(Warp &, unsigned) {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return uint64_t(t.tv_sec) * 1'000'000'000u + uint64_t(t.tv_nsec);
}
uint32_t timerLow(Warp &w, unsigned l) { return uint32_t(globalTimer(w, l)); }
uint32_t timerHigh(Warp &w, unsigned l) {
  return uint32_t(globalTimer(w, l) >> 32);
}
uint64_t gridid(Warp &w, unsigned) { return w.block.grid.number; }

template <class T, T (*Read)(Warp &, unsigned)>
void readSpecial(Warp &w, const Inst &i, uint32_t lanes) {
  unsigned bytes = unsigned(i.imm);
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = unsigned(__builtin_ctz(m));
    uint64_t v = Read(w, l);
    __builtin_memcpy(w.data + i.d + l * bytes, &v, bytes);
  }
}
/// Where all lanes read the same.
template <class T, T (*Read)(Warp &, unsigned)>
void readUniform(Warp &w, const Inst &i, uint32_t lanes) {
  const uint64_t v = Read(w, 0);
  auto write = [&]<class R>(R *d) {
    each(lanes, [=, v = R(v)](unsigned l) { d[l] = v; });
  };
  if (i.imm == 4)
    write(w.out<uint32_t>(i.d));
  else if (i.imm == 8)
    write(w.out<uint64_t>(i.d));
  else
    readSpecial<T, Read>(w, i, lanes);
}
template <uint32_t (*Read)(Warp &, unsigned)>
constexpr Handler Word = readUniform<uint32_t, Read>;
template <uint32_t (*Read)(Warp &, unsigned)>
constexpr Handler LaneWord = readSpecial<uint32_t, Read>;
template <uint64_t (*Read)(Warp &, unsigned)>
constexpr Handler Long = readUniform<uint64_t, Read>;

struct SpecialRegister {
  Handler read;
  unsigned bytes;
};
const std::unordered_map<std::string_view, SpecialRegister> Specials = {
    {"%tid.x", {LaneWord<tid<0>>, 4}},
    {"%tid.y", {LaneWord<tid<1>>, 4}},
    {"%tid.z", {LaneWord<tid<2>>, 4}},
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
    {"%laneid", {LaneWord<laneid>, 4}},
    {"%warpid", {Word<warpid>, 4}},
    {"%nwarpid", {Word<nwarpid>, 4}},
    {"%smid", {Word<smid>, 4}},
    {"%nsmid", {Word<nsmid>, 4}},
    {"%gridid", {Long<gridid>, 8}},
    {"%lanemask_eq", {LaneWord<maskEqual>, 4}},
    {"%lanemask_lt", {LaneWord<maskLess>, 4}},
    {"%lanemask_le", {LaneWord<maskLessEqual>, 4}},
    {"%lanemask_gt", {LaneWord<maskGreater>, 4}},
    {"%lanemask_ge", {LaneWord<maskGreaterEqual>, 4}},
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

template <class T> void copy(Warp &w, const Inst &i, uint32_t lanes) {
  T *d = w.out<T>(i.d);
  const T *a = w.in<T>(i.a);
  each(lanes, [=](unsigned l) { d[l] = a[l]; });
}
void copyPredicate(Warp &w, const Inst &i, uint32_t lanes) {
  w.setPredicate(i.d, w.predicate(i.a, i.small & 1), lanes);
}

constexpr int32_t Dropped = INT32_MIN;

/// Registers side by side to one; imm: bytes of each, count: how many.
void pack(Warp &w, const Inst &i, uint32_t lanes) {
  const auto &from = w.running->lists[i.extra];
  size_t each = i.imm, all = each * i.count;
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = unsigned(__builtin_ctz(m));
    char whole[16];
    for (unsigned n = 0; n != i.count; ++n)
      __builtin_memcpy(whole + n * each, w.in<char>(from[n]) + l * each, each);
    __builtin_memcpy(w.data + i.d + l * all, whole, all);
  }
}
void unpack(Warp &w, const Inst &i, uint32_t lanes) {
  const auto &to = w.running->lists[i.extra];
  size_t each = i.imm, all = each * i.count;
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = unsigned(__builtin_ctz(m));
    char whole[16];
    __builtin_memcpy(whole, w.in<char>(i.a) + l * all, all);
    for (unsigned n = 0; n != i.count; ++n)
      if (to[n] != Dropped)
        __builtin_memcpy(w.data + to[n] + l * each, whole + n * each, each);
  }
}

void mov(Decoder &d) {
  Type t = d.type();
  if (t.of == Type::Pred) {
    bool negated;
    int32_t to = d.outPredicate(d.operand(0).index),
            a = d.inPredicate(1, negated);
    Inst &n = d.emit(copyPredicate);
    n.d = to, n.a = a, n.small = negated;
    return;
  }
  const Operand &to = d.operand(0), &from = d.operand(1);
  if (to.is == Operand::Vector || from.is == Operand::Vector) {
    bool out = to.is == Operand::Vector;
    const auto &parts = (out ? to : from).parts;
    unsigned each = t.bytes() / unsigned(parts.size());
    std::vector<int32_t> list;
    for (const Operand &o : parts)
      list.push_back(out && o.is == Operand::Sink ? Dropped
                     : out ? d.outRegister(o, each)
                           : d.in(o, {Type::B, 1, uint16_t(8 * each)}));
    int32_t whole = out ? d.in(1, t) : d.out(0, t.bytes());
    uint32_t extra = uint32_t(d.c.lists.size());
    Inst &n = d.emit(out ? unpack : pack);
    (out ? n.a : n.d) = whole;
    n.extra = extra, n.count = uint8_t(parts.size()), n.imm = each;
    d.c.lists.push_back(std::move(list));
    return;
  }
  if (from.is == Operand::Special) {
    auto found = Specials.find(from.name);
    if (found == Specials.end())
      d.refuse("unknown register '" + std::string(from.name) + "'");
    // The 64-bit ones may be read in a smaller type, and the other way round.
    int32_t at = d.out(0, t.bytes());
    Inst &n = d.emit(found->second.read);
    n.d = at, n.imm = t.bytes();
    return;
  }
  int32_t at = d.out(0, t.bytes()), a = d.in(1, t);
  Handler h = t.bytes() == 2    ? copy<uint16_t>
              : t.bytes() == 4  ? copy<uint32_t>
              : t.bytes() == 8  ? copy<uint64_t>
              : t.bytes() == 16 ? copy<unsigned __int128>
                                : nullptr;
  if (!h)
    d.refuse("a type that the instruction does not have");
  Inst &n = d.emit(h);
  n.d = at, n.a = a;
}

PTX_OPCODES({"mov", mov})

} // namespace
} // namespace ptx
