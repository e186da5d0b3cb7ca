// Operations among the lanes of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.9.6 (shfl), 9.7.13.9 and following (vote, match, activemask,
// redux, elect) and 9.7.13.2 (bar.warp.sync).

#include "handlers.h"
#include "sync.h"

#include <algorithm>

namespace ptx {
namespace {

constexpr Type Word32{Type::U, 1, 32};

/// All *.sync instructions begin so; the masks are operand c.
void together(Warp &w, const Inst &i, uint32_t lanes) {
  w.waitForLanes(i, lanes, w.in<uint32_t>(i.c));
}
Inst &emitSync(Decoder &d, const SyncOperation &kind, size_t maskAt) {
  int32_t mask = d.in(maskAt, Word32);
  Inst &n = d.emit(together);
  n.c = mask, n.sync = &kind;
  return n;
}

/// The bits of a register that are undefined; 0 where that is not tracked.
template <class T> T undefinedOf(const Warp &w, int32_t at, unsigned l) {
  if (!w.undefined || at < 0)
    return 0;
  return reinterpret_cast<const T *>(w.undefined + at)[l];
}
/// Says of a result which bits are undefined, and that they are from \p from.
void setUndefined(Warp &w, int32_t at, unsigned l, uint32_t bits,
                  int32_t from) {
  if (!w.undefined)
    return;
  reinterpret_cast<uint32_t *>(w.undefined + at)[l] = bits;
  if (bits && from >= 0)
    *w.originOf(at) = *w.originOf(from);
}
void setUndefinedPredicate(Warp &w, int32_t at, uint32_t lanes, bool is,
                           int32_t from) {
  if (!w.undefined || at < 0)
    return;
  auto &p = *reinterpret_cast<uint32_t *>(w.undefined + at);
  p = (p & ~lanes) | (is ? lanes : 0);
  if (is && from >= 0)
    *w.originOf(at) = *w.originOf(from);
}

void gatherNothing(Warp &, const Inst &, uint32_t) {}
void finishNothing(Warp &, const Inst &, uint32_t, uint32_t) {}

//===--- shfl -------------------------------------------------------------===//

enum Mode { Up, Down, Butterfly, Index };

void gatherShuffle(Warp &w, const Inst &i, uint32_t lanes) {
  const uint32_t *a = w.in<uint32_t>(i.a), *b = w.in<uint32_t>(i.b),
                 *c = w.in<uint32_t>(int32_t(i.imm));
  each(lanes, [&](unsigned l) {
    w.exchange.value[l] = a[l];
    w.exchange.lane[l] = b[l];
    w.exchange.clamp[l] = c[l];
    w.exchange.undefined[l] = undefinedOf<uint32_t>(w, i.a, l);
  });
}
template <Mode How>
void finishShuffle(Warp &w, const Inst &i, uint32_t lanes, uint32_t all) {
  uint32_t *d = w.out<uint32_t>(i.d), in = 0, absent = 0;
  uint32_t out[WarpSize], undefined[WarpSize];
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = unsigned(__builtin_ctz(m));
    uint32_t b = w.exchange.lane[l] & 31, c = w.exchange.clamp[l] & 31,
             segment = w.exchange.clamp[l] >> 8 & 31;
    uint32_t most = (l & segment) | (c & ~segment), least = l & segment;
    int32_t from = How == Up          ? int32_t(l - b)
                   : How == Down      ? int32_t(l + b)
                   : How == Butterfly ? int32_t(l ^ b)
                                      : int32_t(least | (b & ~segment));
    bool valid = How == Up ? from >= int32_t(most) : from <= int32_t(most);
    if (valid)
      in |= m & -m;
    else
      from = int32_t(l);
    if (!(all >> from & 1)) {
      // What the register of a lane elsewhere holds is undefined.
      absent |= m & -m;
      out[l] = 0xA5A5A5A5;
      undefined[l] = ~0u;
    } else {
      out[l] = uint32_t(w.exchange.value[from]);
      undefined[l] = uint32_t(w.exchange.undefined[from]);
    }
  }
  each(lanes, [&](unsigned l) { d[l] = out[l]; });
  if (w.undefined)
    eachInOrder(
        lanes, [&](unsigned l) { setUndefined(w, i.d, l, undefined[l], i.a); });
  setUndefinedPredicate(w, i.p, lanes, false, -1);
  if (i.p >= 0)
    w.setPredicate(i.p, in, lanes);
  if (absent)
    w.block.grid.note(w, "a shuffle from lanes that take no part in it");
}
constexpr SyncOperation Shuffles[] = {
    {"shfl.sync.up", gatherShuffle, finishShuffle<Up>},
    {"shfl.sync.down", gatherShuffle, finishShuffle<Down>},
    {"shfl.sync.bfly", gatherShuffle, finishShuffle<Butterfly>},
    {"shfl.sync.idx", gatherShuffle, finishShuffle<Index>}};

void shfl(Decoder &d) {
  if (!d.has("sync"))
    d.refuse("'.sync' is missing");
  int how = d.oneOf({"up", "down", "bfly", "idx"});
  if (how < 0 || d.type().bits() != 32)
    d.refuse("a mode or type that the instruction does not have");
  int32_t to = d.out(0, 4), p = d.second(0), a = d.in(1, Word32),
          b = d.in(2, Word32), c = d.in(3, Word32);
  Inst &n = emitSync(d, Shuffles[how], 4);
  n.d = to, n.p = p, n.a = a, n.b = b, n.imm = uint64_t(int64_t(c));
}

//===--- vote, match, redux -----------------------------------------------===//

void gatherUndefined(Warp &w, uint32_t lanes, uint32_t undefined) {
  uint32_t &all = w.exchange.undefinedLanes;
  all = (all & ~lanes) | (undefined & lanes);
}
void gatherPredicate(Warp &w, const Inst &i, uint32_t lanes) {
  uint32_t p = w.predicate(i.a, i.small & 1);
  w.exchange.trueLanes = (w.exchange.trueLanes & ~lanes) | (p & lanes);
  gatherUndefined(w, lanes, undefinedOf<uint32_t>(w, i.a, 0));
}
enum Vote { VoteAll, VoteAny, VoteUniform, Ballot };
template <Vote How>
void finishVote(Warp &w, const Inst &i, uint32_t lanes, uint32_t all) {
  uint32_t trueLanes = w.exchange.trueLanes & all,
           unknown = w.exchange.undefinedLanes & all;
  if (How == Ballot) {
    uint32_t *d = w.out<uint32_t>(i.d);
    each(lanes, [=](unsigned l) { d[l] = trueLanes; });
    eachInOrder(lanes,
                [&](unsigned l) { setUndefined(w, i.d, l, unknown, i.a); });
    return;
  }
  // A lane that is known may decide.
  const bool decided =
      How == VoteAll   ? all & ~unknown & ~trueLanes
      : How == VoteAny ? ~unknown & trueLanes
                       : all & ~unknown & ~trueLanes && ~unknown & trueLanes;
  bool is = How == VoteAll   ? trueLanes == all
            : How == VoteAny ? trueLanes != 0
                             : trueLanes == all || !trueLanes;
  w.setPredicate(i.d, is ? AllLanes : 0, lanes);
  setUndefinedPredicate(w, i.d, lanes, unknown && !decided, i.a);
}
constexpr SyncOperation Votes[] = {
    {"vote.sync.all", gatherPredicate, finishVote<VoteAll>},
    {"vote.sync.any", gatherPredicate, finishVote<VoteAny>},
    {"vote.sync.uni", gatherPredicate, finishVote<VoteUniform>},
    {"vote.sync.ballot", gatherPredicate, finishVote<Ballot>}};
void vote(Decoder &d) {
  if (!d.has("sync"))
    d.refuse("'.sync' is missing");
  int how = d.oneOf({"all", "any", "uni", "ballot"});
  d.type();
  if (how < 0)
    d.refuse("the kind of vote is missing");
  bool negated;
  int32_t to = how == Ballot ? d.out(0, 4) : d.outPredicate(d.operand(0).index),
          a = d.inPredicate(1, negated);
  Inst &n = emitSync(d, Votes[how], 2);
  n.d = to, n.a = a, n.small = negated;
}

template <class T> void gatherValue(Warp &w, const Inst &i, uint32_t lanes) {
  const T *a = w.in<T>(i.a);
  each(lanes, [&](unsigned l) { w.exchange.value[l] = a[l]; });
  uint32_t undefined = 0;
  if (w.undefined)
    eachInOrder(lanes, [&](unsigned l) {
      undefined |= uint32_t(undefinedOf<T>(w, i.a, l) != 0) << l;
    });
  gatherUndefined(w, lanes, undefined);
}
/// Each result depends on all that was given.
void finishUndefined(Warp &w, const Inst &i, uint32_t lanes, uint32_t all) {
  if (!w.undefined)
    return;
  const bool is = w.exchange.undefinedLanes & all;
  eachInOrder(lanes,
              [&](unsigned l) { setUndefined(w, i.d, l, is ? ~0u : 0, i.a); });
}
void finishMatchAny(Warp &w, const Inst &i, uint32_t lanes, uint32_t all) {
  uint32_t *d = w.out<uint32_t>(i.d);
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = unsigned(__builtin_ctz(m));
    uint32_t same = 0;
    for (uint32_t n = all; n; n &= n - 1)
      if (w.exchange.value[__builtin_ctz(n)] == w.exchange.value[l])
        same |= n & -n;
    d[l] = same;
  }
  finishUndefined(w, i, lanes, all);
}
void finishMatchAll(Warp &w, const Inst &i, uint32_t lanes, uint32_t all) {
  uint32_t *d = w.out<uint32_t>(i.d);
  bool same = true;
  for (uint32_t n = all; n; n &= n - 1)
    same &= w.exchange.value[__builtin_ctz(n)] ==
            w.exchange.value[__builtin_ctz(all)];
  each(lanes, [=](unsigned l) { d[l] = same ? all : 0; });
  if (i.p >= 0)
    w.setPredicate(i.p, same ? AllLanes : 0, lanes);
  finishUndefined(w, i, lanes, all);
  setUndefinedPredicate(w, i.p, lanes, w.exchange.undefinedLanes & all, i.a);
}
constexpr SyncOperation Matches[] = {
    {"match.any.sync.b32", gatherValue<uint32_t>, finishMatchAny},
    {"match.any.sync.b64", gatherValue<uint64_t>, finishMatchAny},
    {"match.all.sync.b32", gatherValue<uint32_t>, finishMatchAll},
    {"match.all.sync.b64", gatherValue<uint64_t>, finishMatchAll}};
void match(Decoder &d) {
  int how = d.oneOf({"any", "all"});
  if (how < 0 || !d.has("sync"))
    d.refuse("'.any' or '.all' and '.sync' are needed");
  Type t = d.type();
  int32_t to = d.out(0, 4), p = how ? d.second(0) : -1, a = d.in(1, t);
  Inst &n = emitSync(d, Matches[how * 2 + (t.bits() == 64)], 2);
  n.d = to, n.p = p, n.a = a;
}

enum Reduction { RAdd, RMin, RMax, RAnd, ROr, RXor };
template <Reduction How, class T>
void finishReduction(Warp &w, const Inst &i, uint32_t lanes, uint32_t all) {
  T out = T(w.exchange.value[__builtin_ctz(all)]);
  for (uint32_t n = all & (all - 1); n; n &= n - 1) {
    T v = T(w.exchange.value[__builtin_ctz(n)]);
    out = How == RAdd   ? T(uint32_t(out) + uint32_t(v))
          : How == RMin ? std::min(out, v)
          : How == RMax ? std::max(out, v)
          : How == RAnd ? T(out & v)
          : How == ROr  ? T(out | v)
                        : T(out ^ v);
  }
  T *d = w.out<T>(i.d);
  each(lanes, [=](unsigned l) { d[l] = out; });
  finishUndefined(w, i, lanes, all);
}
constexpr SyncOperation Reductions[2][6] = {
    {{"redux.sync.add", gatherValue<uint32_t>, finishReduction<RAdd, uint32_t>},
     {"redux.sync.min", gatherValue<uint32_t>, finishReduction<RMin, uint32_t>},
     {"redux.sync.max", gatherValue<uint32_t>, finishReduction<RMax, uint32_t>},
     {"redux.sync.and", gatherValue<uint32_t>, finishReduction<RAnd, uint32_t>},
     {"redux.sync.or", gatherValue<uint32_t>, finishReduction<ROr, uint32_t>},
     {"redux.sync.xor", gatherValue<uint32_t>,
      finishReduction<RXor, uint32_t>}},
    {{"redux.sync.add", gatherValue<uint32_t>, finishReduction<RAdd, int32_t>},
     {"redux.sync.min", gatherValue<uint32_t>, finishReduction<RMin, int32_t>},
     {"redux.sync.max", gatherValue<uint32_t>, finishReduction<RMax, int32_t>},
     {"redux.sync.and", gatherValue<uint32_t>, finishReduction<RAnd, int32_t>},
     {"redux.sync.or", gatherValue<uint32_t>, finishReduction<ROr, int32_t>},
     {"redux.sync.xor", gatherValue<uint32_t>,
      finishReduction<RXor, int32_t>}}};
void redux(Decoder &d) {
  bool sync = d.has("sync");
  int how = d.oneOf({"add", "min", "max", "and", "or", "xor"});
  Type t = d.type();
  if (!sync || how < 0 || !isInteger(t) || t.bits() != 32)
    d.refuse("a form that is not supported");
  if (d.p.capability < 80)
    d.refuse("sm_" + std::to_string(d.p.capability) + " does not have it");
  int32_t to = d.out(0, 4), a = d.in(1, Word32);
  Inst &n = emitSync(d, Reductions[t.of == Type::S][how], 2);
  n.d = to, n.a = a;
}

//===--- Others -----------------------------------------------------------===//

void runActive(Warp &w, const Inst &i, uint32_t lanes) {
  uint32_t *d = w.out<uint32_t>(i.d);
  each(lanes, [=](unsigned l) { d[l] = lanes; });
}
void activemask(Decoder &d) {
  d.type();
  int32_t to = d.out(0, 4);
  Inst &n = d.emit(runActive);
  n.d = to;
}

void finishElect(Warp &w, const Inst &i, uint32_t lanes, uint32_t all) {
  unsigned leader = unsigned(__builtin_ctz(all));
  if (i.small) {
    uint32_t *d = w.out<uint32_t>(i.d);
    each(lanes, [=](unsigned l) { d[l] = leader; });
  }
  if (i.p >= 0)
    w.setPredicate(i.p, 1u << leader, lanes);
}
constexpr SyncOperation Elect{"elect.sync", gatherNothing, finishElect};
void elect(Decoder &d) {
  if (!d.has("sync"))
    d.refuse("'.sync' is missing");
  bool drops = d.operand(0).is == Operand::Sink;
  int32_t to = drops ? 0 : d.out(0, 4), p = d.second(0);
  Inst &n = emitSync(d, Elect, 1);
  n.d = to, n.p = p, n.small = !drops;
}

constexpr SyncOperation WarpBarrier{"bar.warp.sync", gatherNothing,
                                    finishNothing};

//===--- Barriers of the block --------------------------------------------===//

enum BarrierForm : uint8_t { Sync, Arrive, Popc, RedAnd, RedOr };

uint32_t same(Warp &w, int32_t offset, uint32_t lanes, const char *what) {
  const uint32_t *a = w.in<uint32_t>(offset);
  uint32_t v = a[__builtin_ctz(lanes)];
  for (uint32_t m = lanes; m; m &= m - 1)
    if (a[__builtin_ctz(m)] != v)
      w.fault(xcc::rt::cuda::LaunchFailed,
              std::string("threads of a warp give different ") + what);
  return v;
}

void barrierLanes(Warp &w, const Inst &i, uint32_t lanes) {
  uint32_t number = same(w, i.a, lanes, "barriers");
  if (number > 15)
    w.fault(xcc::rt::cuda::LaunchFailed,
            "barrier " + std::to_string(number) + " of 16");
  uint32_t threads = i.imm ? same(w, i.b, lanes, "counts of threads") : 0;
  if (threads % WarpSize || (i.imm && !threads))
    w.fault(xcc::rt::cuda::LaunchFailed,
            "a barrier for " + std::to_string(threads) +
                " threads, which are no whole warps");
  Block::Barrier &b = w.block.barrier(number);
  if (b.waiting && b.expected != threads)
    w.fault(xcc::rt::cuda::LaunchFailed,
            "a barrier for " + std::to_string(threads) +
                " threads, at which others wait for " +
                std::to_string(b.expected) + " (0: all)");
  b.expected = threads;
  if (i.small == Arrive) {
    b.passing += WarpSize;
    b.waiting = true;
    w.block.barriersChanged = true;
    return;
  }
  if (i.small >= Popc) {
    uint32_t p = w.predicate(i.c, i.count & 2);
    w.barrierTrue = (w.barrierTrue & ~lanes) | (p & lanes);
  }
  w.waitAtBarrier(int(number), lanes);
}

void decodeBarrier(Decoder &d, bool aligned) {
  d.ignore({"cta"});
  int how = d.oneOf({"sync", "arrive", "red"});
  if (how < 0)
    d.refuse("a form that is not supported");
  size_t at = 0;
  int32_t to = 0, c = 0;
  bool negated = false;
  int form = how;
  if (how == 2) {
    form = Popc + d.oneOf({"popc", "and", "or"});
    if (form < Popc)
      d.refuse("the reduction is missing");
    d.type();
    to = form == Popc ? d.out(0, 4) : d.outPredicate(d.operand(0).index);
    at = 1;
  }
  size_t last = d.operands() - (how == 2);
  int32_t a = d.in(at, Word32), b = 0;
  bool counted = at + 1 < last;
  if (counted)
    b = d.in(at + 1, Word32);
  if (how == 2)
    c = d.inPredicate(last, negated);
  Inst &n = d.emit(barrierLanes);
  n.d = to, n.a = a, n.b = b, n.c = c, n.imm = counted;
  n.small = uint8_t(form);
  n.count = uint8_t(1 | negated << 1);
  n.aligned = aligned;
  d.step().barrier = aligned;
}

void bar(Decoder &d) {
  if (d.has("warp")) {
    if (!d.has("sync"))
      d.refuse("'.sync' is missing");
    emitSync(d, WarpBarrier, 0);
    return;
  }
  decodeBarrier(d, true);
}
void barrier(Decoder &d) {
  bool aligned = d.has("aligned");
  decodeBarrier(d, aligned);
}

PTX_OPCODES({"shfl", shfl}, {"vote", vote}, {"match", match}, {"redux", redux},
            {"activemask", activemask}, {"elect", elect}, {"bar", bar},
            {"barrier", barrier})

} // namespace

void finishBarrier(Warp &w, const Group &g, const Inst &i, uint32_t threads,
                   bool all, bool any) {
  if (i.small == Popc) {
    auto *d = reinterpret_cast<uint32_t *>(g.at->data + i.d);
    each(g.lanes, [=](unsigned l) { d[l] = threads; });
  } else if (i.small == RedAnd || i.small == RedOr) {
    auto *p = reinterpret_cast<uint32_t *>(g.at->data + i.d);
    bool is = i.small == RedAnd ? all : any;
    *p = (*p & ~g.lanes) | (is ? g.lanes : 0);
  }
  (void)w;
}

} // namespace ptx
