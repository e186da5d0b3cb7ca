// Uninitialised values on AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "definedness.h"
#include "dispatch.h"
#include "lanes.h"
#include "test/simulator/common/definedness.h"
#include "test/simulator/common/device_memory.h"

#include <algorithm>

namespace amdgcn {

namespace {

constexpr unsigned Accesses = 192; ///< of an instruction, at most
constexpr unsigned SpareRows = 32;
constexpr unsigned Fillings = 6;
constexpr unsigned StoresTold = 64; ///< of each instruction and launch

bool startsWithAny(std::string_view name,
                   std::initializer_list<std::string_view> with) {
  return std::any_of(with.begin(), with.end(), [&](std::string_view one) {
    return name.starts_with(one);
  });
}

/// Another value for undefined bits of a register: the least and the greatest
/// number without and with a sign, and two that look like chance.
uint32_t filling(unsigned which, unsigned reg, unsigned lane) {
  constexpr uint32_t Ends[] = {0, ~0u, 0x7fffffff, 0x80000000};
  if (which < 4)
    return Ends[which];
  uint64_t h = (uint64_t(which) << 32 | reg << 6 | lane) * 0x9e3779b97f4a7c15;
  h ^= h >> 31;
  return uint32_t(h * 0xbf58476d1ce4e5b9 >> 29);
}

/// What an instruction does with a value: all of it is used, or parts are put
/// together, or it is the same as before.
enum Effect { Computes, PutsTogether, Copies };
Effect effectOf(const Instruction &i) {
  const std::string_view name = i.first ? i.first->mnemonic : i.mnemonic;
  if (startsWithAny(name, {"v_mov",      "v_accvgpr",       "v_cndmask",
                           "v_readlane", "v_readfirstlane", "v_writelane",
                           "v_permlane", "v_swap",          "v_lshrrev",
                           "v_ashrrev",  "v_bfe",           "v_alignb",
                           "s_mov",      "s_cselect",       "s_cmov",
                           "s_lshr",     "s_ashr",          "s_bfe",
                           "s_sext",     "s_and",           "s_or",
                           "s_xor",      "s_not",           "ds_"}))
    return Copies; // or its upper part; of masks, what decides is one of them
  if (startsWithAny(name, {"v_and", "v_or", "v_xor", "v_not", "v_lshl_or",
                           "v_bfi", "v_perm", "v_pack", "s_pack"}))
    return PutsTogether;
  return Computes;
}

} // namespace

Track trackOf(const Instruction &i) {
  if (i.first)
    return Track::Compute;
  const std::string_view name = i.mnemonic;
  auto has = [&](std::string_view part) {
    return name.find(part) != name.npos;
  };
  if (name.starts_with("v_"))
    return name.starts_with("v_cmp") &&
                   (has("_eq_") || has("_ne_") || has("_lg_") || has("_f"))
               ? Track::Equality
           : name == "v_nop" ? Track::Nothing
                             : Track::Compute;
  if (name.starts_with("s_")) {
    if (name == "s_cbranch_scc0" || name == "s_cbranch_scc1")
      return Track::BranchByScc;
    if (name == "s_cbranch_vccz" || name == "s_cbranch_vccnz")
      return Track::BranchByVcc;
    if (startsWithAny(name, {"s_setpc", "s_swappc"}))
      return Track::Jump;
    if (startsWithAny(name, {"s_load_"}))
      return Track::LoadScalars;
    if (startsWithAny(name, {"s_cmp_eq", "s_cmp_lg"}))
      return Track::Equality;
    if (startsWithAny(name,
                      {"s_branch",     "s_cbranch", "s_call",    "s_barrier",
                       "s_wait",       "s_nop",     "s_sleep",   "s_send",
                       "s_trap",       "s_endpgm",  "s_sethalt", "s_setreg",
                       "s_getreg",     "s_mem",     "s_dcache",  "s_icache",
                       "s_set",        "s_clause",  "s_delay",   "s_inst",
                       "s_round_mode", "s_denorm",  "s_code",    "s_ttrace",
                       "s_get",        "s_gl1",     "s_version", "s_buffer",
                       "s_atomic",     "s_prefetch"}))
      return Track::Nothing;
    return Track::Compute;
  }
  const bool lds = name.starts_with("ds_");
  if (startsWithAny(name, {"ds_bpermute", "ds_permute", "ds_swizzle"}))
    return Track::Compute;
  if (!lds && !startsWithAny(name, {"flat_", "global_", "scratch_", "buffer_"}))
    return Track::Nothing;
  if (has("_load_") || has("_read"))
    return Track::Load;
  if (has("_store_") || has("_write"))
    return Track::Store;
  if (lds && name != "ds_nop")
    return has("_rtn") ? Track::ReturningAtomic : Track::Atomic;
  if (has("_atomic_"))
    return i.operands == (name.starts_with("flat_") ? 3 : 4)
               ? Track::ReturningAtomic
               : Track::Atomic;
  return Track::Nothing;
}

Definedness::Definedness(Wave &w)
    : w(w), bits(size_t(VectorRegisters) * 64), tainted(VectorRegisters),
      scalars(ScalarRegisters), origins(VectorRegisters),
      scalarOrigins(ScalarRegisters + 1),
      stack(size_t(w.group.d.privateSize) * w.lanes), accesses(Accesses),
      spare(size_t(SpareRows) * 64) {}

//===--- Registers ---------------------------------------------------------===//

bool Definedness::isTainted(const Operand &o) const {
  if (o.k == Operand::Vector)
    return std::any_of(&tainted[o.reg], &tainted[o.reg] + o.count,
                       [](char c) { return c != 0; });
  return o.k == Operand::Scalar &&
         std::any_of(&scalars[o.reg],
                     &scalars[std::min<unsigned>(o.reg + o.count,
                                                 ScalarRegisters - 1)] +
                         (o.reg + o.count >= ScalarRegisters),
                     [](uint32_t u) { return u != 0; });
}

bool Definedness::isAnyTainted(const Instruction &i) const {
  if (scc || scalars[VccLo] || scalars[VccLo + 1])
    return true;
  if (i.first)
    return isAnyTainted(*i.first) || isAnyTainted(*i.second);
  return std::any_of(i.op, i.op + i.operands,
                     [&](const Operand &o) { return isTainted(o); });
}

/// Of the first operand that has undefined bits.
const Origin *Definedness::originOf(const Instruction &i) const {
  if (i.first) {
    const Origin *of = originOf(*i.first);
    return of ? of : originOf(*i.second);
  }
  for (unsigned n = i.operands; n--;)
    if (const Operand &o = i.op[n]; isTainted(o))
      for (unsigned r = o.reg; r != o.reg + o.count; ++r) {
        if (o.k == Operand::Vector && tainted[r])
          return &origins[r];
        if (o.k == Operand::Scalar && r < ScalarRegisters && scalars[r])
          return &scalarOrigins[r];
      }
  if (scc)
    return &scalarOrigins[ScalarRegisters];
  for (unsigned r : {VccLo + 0, VccLo + 1})
    if (scalars[r])
      return &scalarOrigins[r];
  return nullptr;
}

void Definedness::noteTaint(unsigned reg) {
  const uint32_t *row = undefined(reg);
  tainted[reg] =
      std::any_of(row, row + w.lanes, [](uint32_t u) { return u != 0; });
}

void Definedness::compute(const Instruction &i) {
  if (!isAnyTainted(i))
    return;
  Origin from;
  if (const Origin *o = originOf(i))
    from = *o;
  const Effect effect = effectOf(i);
  from.computed = effect == Computes || (effect == Copies && from.computed);
  // All that it may read or write.
  std::vector<unsigned> regs;
  for (const Instruction *part : {i.first ? i.first : &i, i.second})
    for (unsigned n = 0; part && n != part->operands; ++n)
      if (const Operand &o = part->op[n]; o.k == Operand::Vector)
        for (unsigned r = o.reg; r != o.reg + o.count; ++r)
          if (std::find(regs.begin(), regs.end(), r) == regs.end())
            regs.push_back(r);
  const size_t lanes = w.lanes, row = lanes * 4;
  std::vector<uint32_t> before(regs.size() * lanes), first(before.size()),
      differ(before.size());
  for (size_t n = 0; n != regs.size(); ++n)
    memcpy(&before[n * lanes], w.row(regs[n]), row);
  uint32_t scalarsBefore[ScalarRegisters], scalarsFirst[ScalarRegisters],
      scalarsDiffer[ScalarRegisters] = {};
  memcpy(scalarsBefore, w.s, sizeof(scalarsBefore));
  const bool sccBefore = w.scc;
  bool sccFirst = false, sccDiffers = false;
  for (unsigned f = 0; f != Fillings; ++f) {
    for (size_t n = 0; n != regs.size(); ++n) {
      uint32_t *to = w.row(regs[n]);
      memcpy(to, &before[n * lanes], row);
      if (tainted[regs[n]])
        for (unsigned l = 0; l != lanes; ++l) {
          const uint32_t u = undefined(regs[n])[l];
          to[l] = (to[l] & ~u) | (filling(f, regs[n], l) & u);
        }
    }
    memcpy(w.s, scalarsBefore, sizeof(scalarsBefore));
    for (unsigned r = 0; r != ScalarRegisters; ++r)
      if (const uint32_t u = scalars[r])
        w.s[r] = (w.s[r] & ~u) | (filling(f, VectorRegisters + r, 0) & u);
    w.scc = scc ? f & 1 : sccBefore;
    i.run(w, i);
    if (!f) {
      for (size_t n = 0; n != regs.size(); ++n)
        memcpy(&first[n * lanes], w.row(regs[n]), row);
      memcpy(scalarsFirst, w.s, sizeof(scalarsFirst));
      sccFirst = w.scc;
      continue;
    }
    for (size_t n = 0; n != regs.size(); ++n)
      for (unsigned l = 0; l != lanes; ++l)
        differ[n * lanes + l] |= w.row(regs[n])[l] ^ first[n * lanes + l];
    for (unsigned r = 0; r != ScalarRegisters; ++r)
      scalarsDiffer[r] |= w.s[r] ^ scalarsFirst[r];
    sccDiffers |= w.scc != sccFirst;
  }
  for (size_t n = 0; n != regs.size(); ++n) {
    const unsigned reg = regs[n];
    memcpy(w.row(reg), &before[n * lanes], row);
    if (memcmp(undefined(reg), &differ[n * lanes], row) != 0) {
      memcpy(undefined(reg), &differ[n * lanes], row);
      noteTaint(reg);
      origins[reg] = from;
    }
  }
  memcpy(w.s, scalarsBefore, sizeof(scalarsBefore));
  w.scc = sccBefore;
  for (unsigned r = 0; r != ScalarRegisters; ++r)
    if (scalars[r] != scalarsDiffer[r]) {
      scalars[r] = scalarsDiffer[r];
      scalarOrigins[r] = from;
    }
  if (sccDiffers && !scc)
    scalarOrigins[ScalarRegisters] = from;
  scc = sccDiffers;
  branch("decides a branch",
         uint64_t(scalars[ExecLo + 1]) << 32 | scalars[ExecLo],
         scalarOrigins[scalars[ExecLo] ? ExecLo : ExecLo + 1]);
  scalars[ExecLo] = scalars[ExecLo + 1] = 0;
}

/// Bits that are defined and differ decide; where none do, the others do. Of
/// floating-point numbers any undefined bit does.
void Definedness::compareEqual(const Instruction &i) {
  if (i.operands < 2 || i.modifiers & (ModDpp | ModSdwa))
    return compute(i);
  const Operand &a = i.op[i.operands - 2], &b = i.op[i.operands - 1];
  if (!isTainted(a) && !isTainted(b))
    return compute(i);
  Origin from = *originOf(i);
  from.computed = true;
  const std::string_view name = i.mnemonic;
  const bool wide = name.ends_with("64"), half = name.ends_with("16"),
             number = name.find("_f") != name.npos;
  const uint64_t mask = wide ? ~uint64_t(0) : half ? 0xffff : 0xffffffff;
  auto valueAt = [&](const Operand &o, unsigned l, bool isUndefined) {
    uint64_t v = 0;
    if (o.k == Operand::Vector) {
      auto of = [&](unsigned r) {
        return isUndefined ? undefined(r)[l] : w.row(r)[l];
      };
      v = of(o.reg) | (wide ? uint64_t(of(o.reg + 1)) << 32 : 0);
    } else if (!isUndefined) {
      v = scalarValue(w, o);
    } else if (o.k == Operand::Scalar) {
      v = scalars[o.reg] | (wide ? uint64_t(scalars[o.reg + 1]) << 32 : 0);
    }
    return v >> (o.high ? 16 : 0) & mask;
  };
  auto isDecided = [&](unsigned l) {
    const uint64_t u = valueAt(a, l, true) | valueAt(b, l, true);
    return !u ||
           (!number && (valueAt(a, l, false) ^ valueAt(b, l, false)) & ~u);
  };
  if (name.starts_with("s_")) {
    scc = !isDecided(0);
    scalarOrigins[ScalarRegisters] = from;
    return;
  }
  uint64_t open = 0;
  for (uint64_t m = w.exec(); m; m &= m - 1)
    if (const unsigned l = unsigned(__builtin_ctzll(m)); !isDecided(l))
      open |= uint64_t(1) << l;
  const bool named = i.operands > 2 && i.op[0].k == Operand::Scalar;
  if (named) {
    scalars[i.op[0].reg] = uint32_t(open);
    scalarOrigins[i.op[0].reg] = from;
    if (w.lanes == 64) {
      scalars[i.op[0].reg + 1] = uint32_t(open >> 32);
      scalarOrigins[i.op[0].reg + 1] = from;
    }
  }
  if (name.starts_with("v_cmpx"))
    branch("decides a branch", open, from);
}

void Definedness::branch(const char *what, uint64_t open, const Origin &from) {
  if (open)
    accuse(what, unsigned(__builtin_ctzll(open)), from);
}

void Definedness::checkAddress(const Operand &o) {
  if (!isTainted(o))
    return;
  for (unsigned r = o.reg; r != o.reg + o.count; ++r) {
    if (o.k == Operand::Scalar) {
      if (scalars[r])
        accuse("decides an address", 0, scalarOrigins[r]);
      scalars[r] = 0;
      continue;
    }
    for (uint64_t m = w.exec(); m; m &= m - 1)
      if (uint32_t &u = undefined(r)[__builtin_ctzll(m)]) {
        accuse("decides an address", unsigned(__builtin_ctzll(m)), origins[r]);
        u = 0; // what follows from it is not said again
      }
    noteTaint(r);
  }
}

//===--- Memory ------------------------------------------------------------===//

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

//===--- One instruction ---------------------------------------------------===//

void Definedness::track(const Instruction &i) {
  if (w.indexMode)
    return;
  switch (i.track) {
  case Track::Nothing:
    return;
  case Track::Compute:
    return compute(i);
  case Track::Equality:
    return compareEqual(i);
  case Track::Load:
    return load(i);
  case Track::LoadScalars:
    return loadScalars(i);
  case Track::Store:
    if (i.mnemonic.starts_with("ds_"))
      return store(i, 1, i.operands);
    if (i.mnemonic.starts_with("buffer_"))
      return store(i, 0, 1);
    return store(i, 1, 2);
  case Track::Atomic:
  case Track::ReturningAtomic:
    return atomic(i, i.track == Track::ReturningAtomic);
  case Track::BranchByScc:
    branch("decides a branch", scc, scalarOrigins[ScalarRegisters]);
    scc = false;
    return;
  case Track::BranchByVcc: {
    const uint64_t vcc = w.mask(VccLo),
                   open = w.lanes == 64 ? uint64_t(scalars[VccLo + 1]) << 32 |
                                              scalars[VccLo]
                                        : scalars[VccLo];
    if (open && !(vcc & ~open))
      branch("decides a branch", open, scalarOrigins[VccLo]);
    scalars[VccLo] = scalars[VccLo + 1] = 0;
    return;
  }
  case Track::Jump:
    for (unsigned n = 0; n != i.operands; ++n)
      if (n + 1 == i.operands && isTainted(i.op[n])) {
        accuse("decides which function is called", 0,
               scalarOrigins[i.op[n].reg]);
        scalars[i.op[n].reg] = scalars[i.op[n].reg + 1] = 0;
      }
    return;
  }
}

//===--- Reports -----------------------------------------------------------===//

std::string Definedness::who(unsigned lane) const {
  return "thread " + std::to_string(w.number * w.lanes + lane) + " of block " +
         std::to_string(w.group.index);
}

std::string Definedness::tell(const Origin &o) const {
  if (!o.read)
    return "";
  std::string where = "memory of the host";
  simulator::Allocation owner;
  if (o.in == Origin::Stack)
    where = "the thread's stack";
  else if (o.in == Origin::Shared)
    where =
        "byte " + std::to_string(o.address) + " of the block's shared memory";
  else if (simulator::findAllocation(o.address, owner))
    where = "byte " + std::to_string(o.address - owner.begin) +
            " of an allocation of " + std::to_string(owner.bytes) + " bytes";
  return ", read from " + where + " at " + w.group.d.place(*o.read) + ",";
}

void Definedness::accuse(const std::string &what, unsigned lane,
                         const Origin &from) {
  Dispatch &d = w.group.d;
  if (!d.accused.insert(w.current).second)
    return;
  const std::string text = "an uninitialised value" + tell(from) + " " + what +
                           ": " + who(lane) + ": " + d.place(*w.current);
  simulator::tellFinding(d.finding(w.current, "init", text));
}

} // namespace amdgcn
