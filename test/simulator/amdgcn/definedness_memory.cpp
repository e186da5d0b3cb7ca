// Uninitialised values on AMD GPUs: accesses of memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "definedness.h"
#include "dispatch.h"
#include "test/simulator/common/definedness.h"
#include "test/simulator/common/device_memory.h"

#include <algorithm>

namespace amdgcn {

constexpr unsigned StoresTold = 64; ///< of each instruction and launch

uint8_t *Definedness::place(int lane, uint64_t at, unsigned size,
                            Origin::Memory in) {
  Access &a = accesses[std::min<size_t>(used++, Accesses - 1)];
  a = {lane, at, size, nullptr, in, false, {}};
  if (in == Origin::Shared) {
    if (at + size <= w.group.written.size())
      a.defined = &w.group.written[at];
  } else if (in == Origin::Stack) {
    const uint64_t all = w.group.d.privateSize;
    if (at + size <= all)
      a.defined = &stack[uint64_t(lane) * all + at];
  } else {
    a.defined = simulator::definedBits(at);
    // What may not be reached is a fault of its own.
    simulator::Allocation owner;
    if (a.defined && (!simulator::findAllocation(at, owner) ||
                      size > owner.bytes - (at - owner.begin)))
      a.defined = nullptr;
    else
      a.isHost = !a.defined;
  }
  if (a.defined)
    for (unsigned n = 0; n != std::min(size, 64u); ++n)
      a.data[n] = uint8_t(~a.defined[n]);
  return a.data;
}

/// Carries an instruction out on the bits of memory. \p to: registers that it
/// writes, which keep their values.
void Definedness::runShadow(const Instruction &i, const Operand *to) {
  uint32_t *kept[SpareRows];
  const unsigned count = to ? std::min<unsigned>(to->count, SpareRows) : 0;
  for (unsigned n = 0; n != count; ++n) {
    uint32_t *row = &spare[size_t(n) * 64];
    kept[n] = w.rows[to->reg + n];
    memcpy(row, kept[n], w.lanes * 4); // addresses may be there
    w.rows[to->reg + n] = row;
  }
  used = 0;
  shadowing = true;
  i.run(w, i);
  shadowing = false;
  for (unsigned n = 0; n != count; ++n)
    w.rows[to->reg + n] = kept[n];
  used = std::min<size_t>(used, Accesses);
}

void Definedness::load(const Instruction &i) {
  const Operand &to = i.op[0];
  for (unsigned n = 1; n < i.operands; ++n)
    checkAddress(i.op[n]);
  if (to.k != Operand::Vector)
    return;
  runShadow(i, &to);
  const bool half = i.mnemonic.find("d16") != std::string::npos,
             upper = half && i.mnemonic.find("d16_hi") != std::string::npos;
  const uint32_t fresh = upper ? 0xffff0000 : half ? 0xffff : ~0u;
  Origin from{&i, 0, Origin::Device, false};
  for (size_t n = 0; n != used; ++n)
    if (const Access &a = accesses[n];
        a.defined && std::any_of(a.data, a.data + std::min(a.size, 64u),
                                 [](uint8_t b) { return b != 0; })) {
      from.address = a.at;
      from.in = a.in;
      break;
    }
  for (unsigned n = 0; n != std::min<unsigned>(to.count, SpareRows); ++n) {
    const uint32_t *row = &spare[size_t(n) * 64];
    uint32_t any = tainted[to.reg + n];
    for (uint64_t m = w.exec(); m; m &= m - 1)
      any |= row[__builtin_ctzll(m)];
    if (!any)
      continue;
    for (uint64_t m = w.exec(); m; m &= m - 1) {
      const unsigned l = unsigned(__builtin_ctzll(m));
      uint32_t &u = undefined(to.reg + n)[l];
      u = (u & ~fresh) | (row[l] & fresh);
    }
    noteTaint(to.reg + n);
    origins[to.reg + n] = from;
  }
}

void Definedness::loadScalars(const Instruction &i) {
  for (unsigned n = 1; n < i.operands; ++n)
    checkAddress(i.op[n]);
  const Operand &to = i.op[0];
  if (to.k != Operand::Scalar)
    return;
  uint32_t before[ScalarRegisters];
  memcpy(before, w.s, sizeof(before));
  runShadow(i, nullptr);
  for (unsigned r = to.reg; r != to.reg + to.count && r < ScalarRegisters;
       ++r) {
    scalars[r] = w.s[r];
    scalarOrigins[r] = {&i, accesses[0].at, Origin::Device, false};
  }
  memcpy(w.s, before, sizeof(before));
}

/// The host gets an undefined value, or may get it. Of what was not computed all
/// bits have to be undefined: some may be padding, and so may whole bytes.
void Definedness::storesUndefined(int lane, uint64_t at, unsigned bytes,
                                  bool isHost, bool whole, const Origin &from) {
  if (!from.computed && (!whole || bytes < 4))
    return;
  if (isHost) {
    accuse("is stored in memory of the host", unsigned(lane), from);
    return;
  }
  Dispatch &d = w.group.d;
  if (d.storedUndefined[w.current]++ >= StoresTold)
    return;
  simulator::storedUndefined(
      at, bytes, !from.computed,
      d.finding(w.current, "init",
                "the host reads an uninitialised value, which the kernel has "
                "stored" +
                    tell(from) + " at " + d.place(*w.current)));
}

/// Operands \p data to \p end are what is stored.
void Definedness::store(const Instruction &i, unsigned data, unsigned end) {
  bool any = false;
  Origin from;
  for (unsigned n = 0; n != i.operands; ++n)
    if (n < data || n >= end)
      checkAddress(i.op[n]);
  std::vector<std::pair<unsigned, uint32_t *>> kept;
  for (unsigned n = data; n != end; ++n)
    if (isTainted(i.op[n])) {
      for (unsigned r = i.op[n].reg; !any; ++r)
        if (tainted[r]) {
          any = true;
          from = origins[r];
        }
    }
  if (any)
    for (unsigned n = data; n != end; ++n)
      for (unsigned r = i.op[n].reg; r != i.op[n].reg + i.op[n].count; ++r) {
        // An address that is stored at its own place is defined by now.
        const bool isAddress =
            std::any_of(i.op, i.op + i.operands, [&](const Operand &o) {
              return (&o < i.op + data || &o >= i.op + end) &&
                     o.k == Operand::Vector && r - o.reg < o.count;
            });
        if (isAddress)
          any = false;
        kept.emplace_back(r, w.rows[r]);
      }
  if (any)
    for (auto &[r, row] : kept)
      w.rows[r] = undefined(r);
  runShadow(i, nullptr);
  if (any)
    for (auto &[r, row] : kept)
      w.rows[r] = row;
  for (size_t n = 0; n != used; ++n) {
    const Access &a = accesses[n];
    bool some = false, whole = true;
    for (unsigned b = 0; b != a.size; ++b) {
      const uint8_t u = any ? a.data[b] : 0;
      some |= u != 0;
      whole &= u == 0xff;
      if (a.defined)
        a.defined[b] = uint8_t(~u);
    }
    if (some && a.in == Origin::Device)
      storesUndefined(a.lane, a.at, a.size, a.isHost, whole, from);
  }
}

void Definedness::atomic(const Instruction &i, unsigned address) {
  checkAddress(i.op[address]);
  const std::string_view name = i.mnemonic;
  const bool lds = name.starts_with("ds_"),
             exchanges = name.find("swap") != name.npos &&
                         name.find("cmpswap") == name.npos,
             returns = address == 1;
  if (!lds && address + 2 < i.operands)
    checkAddress(i.op[address + 2]);
  std::vector<unsigned> data;
  Origin given;
  for (unsigned n = address + 1; n < (lds ? i.operands : address + 2); ++n)
    if (i.op[n].k == Operand::Vector)
      for (unsigned r = i.op[n].reg; r != i.op[n].reg + i.op[n].count; ++r)
        if (tainted[r]) {
          data.push_back(r);
          given = origins[r];
        }
  const Operand *to =
      returns && i.op[0].k == Operand::Vector ? &i.op[0] : nullptr;
  // The operation itself must change nothing but its own place.
  runShadow(i, to);
  for (size_t n = 0; n != used; ++n) {
    const Access &a = accesses[n];
    const unsigned l = unsigned(a.lane);
    uint64_t old = 0, fresh = 0;
    if (a.defined)
      for (unsigned b = 0; b != std::min(a.size, 8u); ++b)
        old |= uint64_t(uint8_t(~a.defined[b])) << 8 * b;
    for (unsigned r : data)
      fresh |= undefined(r)[l];
    const Origin read{&i, a.at, a.in, false};
    const bool whole = fresh || (old && !exchanges);
    if (a.defined)
      memset(a.defined, whole ? 0 : 0xff, a.size);
    if (whole && a.in == Origin::Device)
      storesUndefined(a.lane, a.at, a.size, a.isHost, true,
                      fresh ? given : read);
    for (unsigned c = 0; to && c != to->count; ++c) {
      undefined(to->reg + c)[l] = uint32_t(old >> 32 * c);
      if (old)
        origins[to->reg + c] = read;
    }
  }
  for (unsigned c = 0; to && c != to->count; ++c)
    noteTaint(to->reg + c);
}

} // namespace amdgcn
