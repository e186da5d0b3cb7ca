// Loads, stores, fences, the stack
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.9.8 and following. Every access is one of the host's of the same
// size, which orders at least as much as any that PTX has.

#include "handlers.h"
#include "numbers.h"

#include <type_traits>

namespace ptx {
namespace {

constexpr int32_t Dropped = INT32_MIN;

template <class T> T read(const char *at) {
  return __atomic_load_n(reinterpret_cast<const T *>(at), __ATOMIC_ACQUIRE);
}
template <class T> void write(char *at, T v) {
  __atomic_store_n(reinterpret_cast<T *>(at), v, __ATOMIC_RELEASE);
}

/// F(lane, pointer) for each lane's place in memory.
template <bool Write, class T, class Fn>
[[gnu::always_inline]] inline void
eachPlace(Warp &w, const Inst &i, unsigned bytes, uint32_t lanes, Fn f) {
  const uint64_t *a = w.in<uint64_t>(i.a);
  Warp::Reached all;
  if (areMany(lanes) && w.reachAll(a, i, bytes, Write, lanes, all)) {
    if (lanes == AllLanes)
      for (unsigned l = 0; l != WarpSize; ++l)
        f(l, all.of<T>(a[l], l));
    else
      for (; lanes; lanes &= lanes - 1) {
        unsigned l = unsigned(__builtin_ctz(lanes));
        f(l, all.of<T>(a[l], l));
      }
    return;
  }
  for (; lanes; lanes &= lanes - 1) {
    unsigned l = unsigned(__builtin_ctz(lanes));
    f(l, reinterpret_cast<T *>(w.reach<Write>(a[l] + i.imm, bytes, i.in, l)));
  }
}

/// M: the type in memory, with its sign; R: the register's.
template <class M, class R> void load(Warp &w, const Inst &i, uint32_t lanes) {
  R *d = w.out<R>(i.d);
  if (i.in == Space::Param && i.a < 0) { // a kernel's parameter
    const unsigned first = unsigned(__builtin_ctz(lanes));
    const R value = R(read<M>(w.reach<false>(w.in<uint64_t>(i.a)[first] + i.imm,
                                             sizeof(M), i.in, first)));
    each(lanes, [=](unsigned l) { d[l] = value; });
    return;
  }
  eachPlace<false, const char>(
      w, i, sizeof(M), lanes,
      [=](unsigned l, const char *at) { d[l] = R(read<M>(at)); });
}
/// Those lanes whose store of \p word tells of no zone.
uint32_t tellZones(Warp &w, const Inst &i, uint32_t word, uint32_t lanes) {
  const uint64_t *a = w.in<uint64_t>(i.a);
  uint32_t others = 0;
  for (; lanes; lanes &= lanes - 1) {
    const unsigned l = unsigned(__builtin_ctz(lanes));
    if (!w.tellsZone(a[l] + i.imm, i.in, word, l))
      others |= 1u << l;
  }
  return others;
}
template <class M, class R> void store(Warp &w, const Inst &i, uint32_t lanes) {
  const R *b = w.in<R>(i.b);
  if constexpr (sizeof(M) == 4)
    if (const unsigned first = unsigned(__builtin_ctz(lanes));
        simulator::RedZones::mayTell(uint32_t(b[first]))) [[unlikely]]
      lanes = tellZones(w, i, uint32_t(b[first]), lanes);
  eachPlace<true, char>(w, i, sizeof(M), lanes,
                        [=](unsigned l, char *at) { write<M>(at, M(b[l])); });
}

template <class M, class R>
void loadVector(Warp &w, const Inst &i, uint32_t lanes) {
  const auto &to = w.running->lists[i.extra];
  eachPlace<false, const char>(w, i, sizeof(M) * i.count, lanes,
                               [&](unsigned l, const char *at) {
                                 // The address may be in one of the registers.
                                 R v[8];
                                 for (unsigned n = 0; n != i.count; ++n)
                                   v[n] = R(read<M>(at + n * sizeof(M)));
                                 for (unsigned n = 0; n != i.count; ++n)
                                   if (to[n] != Dropped)
                                     w.out<R>(to[n])[l] = v[n];
                               });
}
template <class M, class R>
void storeVector(Warp &w, const Inst &i, uint32_t lanes) {
  const auto &from = w.running->lists[i.extra];
  eachPlace<true, char>(
      w, i, sizeof(M) * i.count, lanes, [&](unsigned l, char *at) {
        for (unsigned n = 0; n != i.count; ++n)
          write<M>(at + n * sizeof(M), M(w.in<R>(from[n])[l]));
      });
}

// What is passed in calls lies in the frame: d or a is lane 0's, imm the bytes
// from one lane to the next.
template <class M, class R>
void loadPassed(Warp &w, const Inst &i, uint32_t lanes) {
  const char *at = w.data + i.a;
  const auto &to = w.running->lists[i.extra];
  for (unsigned n = 0; n != i.count; ++n) {
    if (to[n] == Dropped)
      continue;
    R *d = w.out<R>(to[n]);
    const char *from = at + n * sizeof(M);
    each(lanes, [=, stride = i.imm](unsigned l) {
      M v;
      __builtin_memcpy(&v, from + l * stride, sizeof(M));
      d[l] = R(v);
    });
  }
}
template <class M, class R>
void storePassed(Warp &w, const Inst &i, uint32_t lanes) {
  char *at = w.data + i.a;
  const auto &from = w.running->lists[i.extra];
  for (unsigned n = 0; n != i.count; ++n) {
    const R *b = w.in<R>(from[n]);
    char *to = at + n * sizeof(M);
    each(lanes, [=, stride = i.imm](unsigned l) {
      M v = M(b[l]);
      __builtin_memcpy(to + l * stride, &v, sizeof(M));
    });
  }
}

enum Form { Plain, Vector, InFrame };

/// The handler for types in memory and register.
template <bool Store>
Handler handlerFor(Decoder &d, Type t, unsigned regBytes, Form how) {
  auto with = [&]<class M, class R>() -> Handler {
    if constexpr (sizeof(M) > sizeof(R))
      d.refuse("a register that is smaller than the type");
    else if (Store)
      return how == Plain    ? store<M, R>
             : how == Vector ? storeVector<M, R>
                             : storePassed<M, R>;
    else
      return how == Plain    ? load<M, R>
             : how == Vector ? loadVector<M, R>
                             : loadPassed<M, R>;
  };
  auto withMemory = [&]<class M>() -> Handler {
    using S = std::conditional_t<std::is_signed_v<M>, int64_t, uint64_t>;
    switch (regBytes) {
    case 2:
      if constexpr (std::is_signed_v<M>)
        return with.template operator()<M, int16_t>();
      else
        return with.template operator()<M, uint16_t>();
    case 4:
      if constexpr (std::is_signed_v<M>)
        return with.template operator()<M, int32_t>();
      else
        return with.template operator()<M, uint32_t>();
    case 8:
      return with.template operator()<M, S>();
    }
    d.refuse("a register of a size that is not supported");
  };
  bool isSigned = t.of == Type::S;
  switch (t.bits()) {
  case 8:
    return isSigned ? withMemory.template operator()<int8_t>()
                    : withMemory.template operator()<uint8_t>();
  case 16:
    return isSigned ? withMemory.template operator()<int16_t>()
                    : withMemory.template operator()<uint16_t>();
  case 32:
    return isSigned ? withMemory.template operator()<int32_t>()
                    : withMemory.template operator()<uint32_t>();
  case 64:
    return withMemory.template operator()<uint64_t>();
  }
  d.refuse("a type that the instruction does not have");
}

Space spaceOf(Decoder &d) {
  switch (d.oneOf({"global", "const", "shared", "local", "param", "shared::cta",
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

void caches(Decoder &d) {
  d.ignore({"ca",
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

/// A number without its fraction, as an unsigned integer of i.small bits.
template <class F, class R>
void toInteger(Warp &w, const Inst &i, uint32_t lanes) {
  R *to = w.out<R>(i.d);
  const F *from = w.in<F>(i.a);
  for (; lanes; lanes &= lanes - 1) {
    unsigned l = unsigned(__builtin_ctz(lanes));
    double v;
    if constexpr (std::is_floating_point_v<F>)
      v = double(from[l]);
    else
      v = F::wide(from[l].bits);
    double most = double((uint64_t(1) << i.small) - 1);
    to[l] = v > 0 ? R(v < most ? v : most) : R(0); // of NaN too
  }
}

/// What a store takes from a register that has more bits than are stored. Where
/// a floating-point instruction wrote it, ptxas takes it for a number, and
/// converts that.
int32_t narrowed(Decoder &d, const Operand &reg, int32_t slot, Type stored) {
  Type t = d.writtenAs(reg);
  if (t.of == Type::None || t.packed != 1 ||
      stored.bits() >= d.typeOf(reg).bits())
    return slot;
  int32_t to = d.temporary(d.typeOf(reg).bytes());
  Inst &n = d.emit(t.bits() == 64    ? toInteger<double, uint64_t>
                   : t.bits() == 32  ? toInteger<float, uint32_t>
                   : t.of == Type::F ? toInteger<Half, uint16_t>
                                     : toInteger<Brain, uint16_t>);
  n.d = to, n.a = slot, n.small = uint8_t(stored.bits());
  return to;
}

template <bool Store> void access(Decoder &d) {
  int order =
      d.oneOf({"weak", "volatile", "relaxed", "mmio", "release", "acquire"});
  if (order >= 0)
    d.scope();
  Space where = spaceOf(d);
  caches(d);
  int vec = d.oneOf({"v2", "v4", "v8"});
  Type t = d.type();
  size_t memory = Store ? 0 : 1, value = Store ? 1 : 0;
  const Operand &o = d.operand(value), &at = d.operand(memory);
  std::vector<Operand> parts = {o};
  if (vec >= 0) {
    if (o.is != Operand::Vector || o.parts.size() != size_t(2) << vec)
      d.refuse("a vector of another length");
    parts = o.parts;
  }
  // Registers of a vector have one size.
  unsigned bytes = 0;
  for (const Operand &p : parts)
    if (p.is == Operand::Register) {
      unsigned has;
      d.anyRegister(p, has);
      if (bytes && has != bytes)
        d.refuse("registers of different sizes in a vector");
      bytes = has;
    }
  if (!bytes)
    bytes = t.bytes() < 2 ? 2 : t.bytes();
  std::vector<int32_t> list;
  for (const Operand &p : parts) {
    list.push_back(!Store && p.is == Operand::Sink ? Dropped
                   : p.is == Operand::Register || !Store
                       ? d.outRegister(p, bytes)
                       : d.in(p, {t.of, 1, uint16_t(8 * bytes)}));
    if (Store && p.is == Operand::Register)
      list.back() = narrowed(d, p, list.back(), t);
  }
  if (at.is != Operand::Memory)
    d.refuse("an address is missing");
  const Passed *in = where == Space::Param ? d.passed(at.parts[0]) : nullptr;
  bool entry =
      d.f.entry && in && size_t(at.parts[0].index) < d.f.of.takes.size();
  if (Store && entry)
    d.refuse("a store to a kernel's parameter");
  uint32_t extra = uint32_t(d.c.lists.size());
  if (in && !entry) {
    if (at.bits + t.bytes() * parts.size() > in->size)
      d.refuse("an access beyond the end of '" + std::string(at.parts[0].name) +
               "'");
    Inst &n = d.emit(handlerFor<Store>(d, t, bytes, InFrame));
    n.a = in->at + int32_t(at.bits);
    n.imm = in->stride();
    n.count = uint8_t(parts.size());
    n.extra = extra;
    d.c.lists.push_back(std::move(list));
    return;
  }
  // An address of a parameter that a function has computed, as LLVM does for one
  // of two parameters: ptxas has both in local memory.
  if (where == Space::Param && !d.f.entry) {
    if (Store)
      d.refuse("a store to an address in .param that is no variable's");
    where = Space::Local;
  }
  Inst i;
  d.address(memory, where, i);
  Inst &n = d.emit(handlerFor<Store>(d, t, bytes, vec < 0 ? Plain : Vector));
  n.a = i.a, n.imm = i.imm, n.in = i.in;
  n.strong = order > 0;
  if (vec < 0) {
    (Store ? n.b : n.d) = list[0];
  } else {
    n.count = uint8_t(parts.size());
    n.extra = extra;
    d.c.lists.push_back(std::move(list));
  }
}

/// ldu and the hints that have no effect here, but whose address is one.
void nothing(Warp &, const Inst &, uint32_t) {}
void prefetch(Decoder &d) {
  spaceOf(d);
  d.ignore({"L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap"});
  Inst i;
  d.address(0, Space::Generic, i);
  d.emit(nothing);
}

void fenceLanes(Warp &w, const Inst &, uint32_t) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  // It may order anything, with what else these threads do.
  w.block.order();
}
void fence(Decoder &d) {
  d.oneOf({"sc", "acq_rel", "acquire", "release"});
  d.scope();
  if (d.has("proxy") && d.oneOf({"alias", "async", "async.global"}) < 0)
    d.refuse("a proxy that is not supported");
  d.emit(fenceLanes);
}
void membar(Decoder &d) {
  if (d.oneOf({"cta", "gl", "sys"}) < 0)
    d.refuse("a scope is missing");
  d.emit(fenceLanes);
}

//===--- Copies that go on meanwhile ---------------------------------------===//

// PTX ISA 9.7.9.25.3: i.count bytes from global to shared memory.
void beginCopies(Warp &w, const Inst &i, uint32_t lanes) {
  const uint64_t *to = w.in<uint64_t>(i.a), *from = w.in<uint64_t>(i.b);
  for (; lanes; lanes &= lanes - 1) {
    unsigned l = unsigned(__builtin_ctz(lanes));
    char *target = w.reach<true>(to[l] + i.imm, i.count, Space::Shared, l);
    const char *source =
        w.reach<false>(from[l] + i.extra, i.count, Space::Global, l);
    w.copying = true;
    w.copies[l].push_back({target, source, i.count, w.committed[l]});
  }
}
void commitLanes(Warp &w, const Inst &, uint32_t lanes) {
  w.copying = true;
  each(lanes, [&](unsigned l) { ++w.committed[l]; });
}
/// Ends all but the latest i.imm groups; all copies where i.small says so.
void endCopies(Warp &w, const Inst &i, uint32_t lanes) {
  eachInOrder(lanes, [&](unsigned l) {
    auto &left = w.copies[l];
    auto copy = left.begin();
    for (; copy != left.end() &&
           (i.small || copy->group + i.imm < w.committed[l]);
         ++copy)
      __builtin_memcpy(copy->to, copy->from, copy->bytes);
    left.erase(left.begin(), copy);
  });
}
void copy(Decoder &d) {
  if (!d.has("async"))
    d.refuse("a copy that is not supported");
  if (d.has("commit_group")) {
    d.emit(commitLanes);
    return;
  }
  if (d.has("wait_all") || d.has("wait_group")) {
    bool all = d.operands() == 0;
    uint64_t latest = all ? 0 : d.operand(0).bits;
    Inst &n = d.emit(endCopies);
    n.small = all;
    n.imm = latest;
    return;
  }
  caches(d);
  d.oneOf({"shared", "shared::cta"});
  d.oneOf({"global"});
  caches(d);
  Inst to, from;
  d.address(0, Space::Shared, to);
  d.address(1, Space::Global, from);
  const Operand &size = d.operand(2);
  if (size.is != Operand::Integer || d.operands() != 3 ||
      (size.bits != 4 && size.bits != 8 && size.bits != 16))
    d.refuse("a size that is not supported");
  Inst &n = d.emit(beginCopies);
  n.a = to.a, n.imm = to.imm;
  n.b = from.a, n.extra = uint32_t(from.imm);
  n.count = uint8_t(size.bits);
}

//===--- The stack --------------------------------------------------------===//

void allocateLanes(Warp &w, const Inst &i, uint32_t lanes) {
  uint64_t *d = w.out<uint64_t>(i.d);
  const uint64_t *size = w.in<uint64_t>(i.a);
  for (; lanes; lanes &= lanes - 1) {
    unsigned l = unsigned(__builtin_ctz(lanes));
    uint64_t left = w.stack - (LocalTop - w.sp[l]);
    uint64_t to = (w.sp[l] - size[l]) & ~(i.imm - 1);
    if (size[l] > left || LocalTop - to > w.stack)
      w.fault(xcc::rt::cuda::IllegalAddress,
              "stack overflow: " + std::to_string(size[l]) +
                  " bytes are wanted, and of " + std::to_string(w.stack) +
                  " bytes for each thread " + std::to_string(left) +
                  " are left",
              1u << l);
    if (w.undefined)
      w.forgetStack(l, to, w.sp[l]);
    d[l] = w.sp[l] = to;
  }
}
void alloca_(Decoder &d) {
  Type t = d.type();
  if (t.bits() != 64)
    d.refuse("addresses must have 64 bits");
  int32_t to = d.out(0, 8), size = d.in(1, t);
  uint64_t align = 8;
  if (d.operands() > 2)
    align = d.operand(2).bits;
  d.c.allocates = true;
  Inst &n = d.emit(allocateLanes);
  n.d = to, n.a = size, n.imm = align < 8 ? 8 : align;
}
void saveLanes(Warp &w, const Inst &i, uint32_t lanes) {
  uint64_t *d = w.out<uint64_t>(i.d);
  each(lanes, [&](unsigned l) { d[l] = w.sp[l]; });
}
void restoreLanes(Warp &w, const Inst &i, uint32_t lanes) {
  const uint64_t *a = w.in<uint64_t>(i.a);
  for (; lanes; lanes &= lanes - 1) {
    unsigned l = unsigned(__builtin_ctz(lanes));
    if (a[l] < w.sp[l] || a[l] > LocalTop)
      w.fault(xcc::rt::cuda::IllegalAddress,
              "the stack pointer is set to an address that is not above it",
              1u << l);
    w.sp[l] = a[l];
  }
}
void stacksave(Decoder &d) {
  Type t = d.type();
  int32_t to = d.out(0, t.bytes());
  Inst &n = d.emit(saveLanes);
  n.d = to;
}
void stackrestore(Decoder &d) {
  Type t = d.type();
  int32_t a = d.in(0, t);
  Inst &n = d.emit(restoreLanes);
  n.a = a;
}

PTX_OPCODES({"cp", copy}, {"ld", access<false>}, {"ldu", access<false>},
            {"st", access<true>}, {"prefetch", prefetch},
            {"prefetchu", prefetch}, {"fence", fence}, {"membar", membar},
            {"alloca", alloca_}, {"stacksave", stacksave},
            {"stackrestore", stackrestore})

} // namespace
} // namespace ptx
