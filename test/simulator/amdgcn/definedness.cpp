// Uninitialised values on AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "definedness.h"
#include "dispatch.h"
#include "lanes.h"
#include "test/simulator/common/device_memory.h"

#include <algorithm>

namespace amdgcn {

namespace {

constexpr unsigned Fillings = 6;

bool startsWithAny(std::string_view name,
                   std::initializer_list<std::string_view> with) {
  return std::any_of(with.begin(), with.end(), [&](std::string_view one) {
    return name.starts_with(one);
  });
}

/// Another value for undefined bits of a register: the least and the greatest
/// number without and with a sign, and two that look like chance.
uint32_t filling(unsigned which, unsigned reg, unsigned lane) {
  constexpr uint32_t ends[] = {0, ~0u, 0x7fffffff, 0x80000000};
  if (which < 4)
    return ends[which];
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
