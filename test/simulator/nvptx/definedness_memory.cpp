// Uninitialised values: accesses of memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "definedness_rules.h"
#include "test/simulator/common/definedness.h"
#include "test/simulator/common/undefined_bits.h"

namespace ptx {

namespace {

constexpr unsigned StoresTold = 64; ///< of each instruction and launch

/// The undefined bits of what is read there.
uint64_t undefinedIn(Warp::Bits bits, unsigned at, unsigned bytes) {
  if (!bits.at)
    return 0;
  uint64_t defined = 0;
  memcpy(&defined, bits.at + at, bytes);
  return ~defined & simulator::lowBits(8 * bytes);
}
void define(Warp::Bits bits, unsigned at, unsigned bytes, uint64_t undefined) {
  undefined = ~undefined;
  memcpy(bits.at + at, &undefined, bytes);
}

/// With the sign of what was read.
uint64_t extended(uint64_t undefined, unsigned bytes, bool isSigned) {
  const unsigned shift = 64 - 8 * bytes;
  return isSigned ? uint64_t(int64_t(undefined << shift) >> shift) : undefined;
}

/// The host gets an undefined value, or may get it. Of what was not computed all
/// bits have to be undefined: some may be padding, and so may whole bytes.
void storesUndefined(Warp &w, Warp::Bits to, uint64_t address, unsigned bytes,
                     bool whole, unsigned lane, const Origin *from) {
  const bool computed = from && from->computed;
  if (!computed && (!whole || bytes < 4))
    return;
  if (to.is == Warp::Bits::Host) {
    w.accuse("is stored in memory of the host", 1u << lane, from);
    return;
  }
  if (w.block.grid.storedUndefined[w.doing]++ >= StoresTold)
    return;
  simulator::storedUndefined(
      address, bytes, !computed,
      finding(w.block.grid, &w, "init",
              "the host reads an uninitialised value, which the kernel has "
              "stored" +
                  w.tell(from) + " at " + place(w.block.grid, *w.doing)));
}

} // namespace

void trackLoad(Warp &w, const Inst &i, const Rule &r, uint32_t lanes) {
  const Rule::Part address{i.a, 8};
  checkAddress(w, address, lanes);
  const bool isSigned = r.type.of == Type::S;
  unsigned told = 0; // elements of which the first lane's origin is noted
  for (uint32_t m = lanes; m; m &= m - 1) {
    const unsigned l = unsigned(__builtin_ctz(m));
    const uint64_t at = valueOf(w, address, l) + i.imm;
    const unsigned count = unsigned(r.writes.size());
    const Warp::Bits bits = w.definedAt(at, r.bytes * count, i.in, l);
    for (unsigned n = 0; n != count; ++n) {
      const Rule::Part to = r.writes[n];
      if (to.at < 0)
        continue; // dropped
      const uint64_t undefined =
          extended(undefinedIn(bits, n * r.bytes, r.bytes), r.bytes, isSigned);
      setUndefinedBits(w, to, l, undefined);
      if (undefined && !(told >> n & 1)) {
        *w.originOf(to.at) = {&i, at + n * r.bytes, i.in, false};
        told |= 1u << n;
      }
    }
  }
}

void trackStore(Warp &w, const Inst &i, const Rule &r, uint32_t lanes) {
  const Rule::Part address{i.a, 8};
  checkAddress(w, address, lanes);
  const uint64_t mask = simulator::lowBits(8 * r.bytes);
  for (uint32_t m = lanes; m; m &= m - 1) {
    const unsigned l = unsigned(__builtin_ctz(m));
    const uint64_t at = valueOf(w, address, l) + i.imm;
    const unsigned count = unsigned(r.reads.size());
    const Warp::Bits bits = w.definedAt(at, r.bytes * count, i.in, l);
    bool whole = true, any = false;
    const Origin *from = nullptr;
    for (unsigned n = 0; n != count; ++n) {
      const uint64_t undefined = undefinedBits(w, r.reads[n], l) & mask;
      whole &= undefined == mask;
      if (undefined && !any)
        from = w.originOf(r.reads[n].at);
      any |= undefined != 0;
      if (bits.at)
        define(bits, n * r.bytes, r.bytes, undefined);
    }
    if (any && bits.is != Warp::Bits::Elsewhere)
      storesUndefined(w, bits, at, r.bytes * count, whole, l, from);
  }
}

void trackAtomic(Warp &w, const Inst &i, const Rule &r, uint32_t lanes) {
  const Rule::Part address{i.a, 8};
  checkAddress(w, address, lanes);
  const uint64_t mask = simulator::lowBits(8 * r.bytes);
  for (uint32_t m = lanes; m; m &= m - 1) {
    const unsigned l = unsigned(__builtin_ctz(m));
    const uint64_t at = valueOf(w, address, l) + i.imm;
    const Warp::Bits bits = w.definedAt(at, r.bytes, i.in, l);
    const uint64_t old = undefinedIn(bits, 0, r.bytes);
    uint64_t given = 0;
    Origin *from = nullptr;
    for (const Rule::Part &p : r.reads)
      if (const uint64_t undefined = undefinedBits(w, p, l)) {
        given |= undefined;
        from = w.originOf(p.at);
      }
    uint64_t fresh;
    if (r.kind == Exchange)
      fresh = given;
    else if (r.kind == CompareAndSwap)
      fresh = old | undefinedBits(w, r.reads.back(), l);
    else
      fresh = simulator::allIfAny(old | given);
    fresh &= mask;
    const Origin read{&i, at, i.in, false};
    if (bits.at)
      define(bits, 0, r.bytes, fresh);
    if (fresh && bits.is != Warp::Bits::Elsewhere)
      storesUndefined(w, bits, at, r.bytes, fresh == mask, l,
                      from ? from : &read);
    for (const Rule::Part &to : r.writes) {
      setUndefinedBits(w, to, l, old);
      if (old)
        *w.originOf(to.at) = read;
    }
  }
}

/// cp.async: what nobody writes meanwhile is as defined now as it will be.
void trackCopy(Warp &w, const Inst &i, const Rule &, uint32_t lanes) {
  const Rule::Part to{i.a, 8}, from{i.b, 8};
  checkAddress(w, to, lanes);
  checkAddress(w, from, lanes);
  for (uint32_t m = lanes; m; m &= m - 1) {
    const unsigned l = unsigned(__builtin_ctz(m));
    const Warp::Bits into =
        w.definedAt(valueOf(w, to, l) + i.imm, i.count, Space::Shared, l);
    const Warp::Bits of =
        w.definedAt(valueOf(w, from, l) + i.extra, i.count, Space::Global, l);
    if (!into.at)
      continue;
    if (of.at)
      memcpy(into.at, of.at, i.count);
    else
      memset(into.at, 0xff, i.count);
  }
}

} // namespace ptx
