// Sources and results of vector instructions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plain.h"

#include <xmmintrin.h>

namespace amdgcn {

bool wide = __builtin_cpu_supports("x86-64-v3");

uint64_t namedValue(const Wave &w, const Operand &o) {
  if (o.k != Operand::Source)
    return 0; // null
  switch (o.reg) {
  case SrcScc:
    return w.scc;
  case SrcVccz:
    return w.vcc() == 0;
  case SrcExecz:
    return w.exec() == 0;
  case SrcSharedBase:
    return SharedBase;
  case SrcPrivateBase:
    return PrivateBase;
  case SrcSharedLimit:
    return SharedBase | 0xffffffff;
  case SrcPrivateLimit:
    return PrivateBase | 0xffffffff;
  }
  return 0;
}

uint64_t maskValue(const Wave &w, const Operand &o) {
  switch (o.k) {
  case Operand::Scalar:
    return w.mask(o.reg);
  case Operand::Constant:
    return o.value & w.full;
  default:
    return scalarValue(w, o);
  }
}

void setMaskValue(Wave &w, const Operand &o, uint64_t value) {
  if (o.k == Operand::Scalar)
    w.setMask(o.reg, value);
}

/// Where a lane reads from; negative when from nowhere.
static int dppSource(const Instruction &i, int lane, int lanes) {
  int row = lane & ~15, in = lane & 15, by = i.dppLanes[0];
  switch (i.dppKind) {
  case Dpp::None:
    return lane;
  case Dpp::QuadPerm:
    return (lane & ~3) | i.dppLanes[lane & 3];
  case Dpp::Dpp8:
    return (lane & ~7) | i.dppLanes[lane & 7];
  case Dpp::RowShl:
    return in + by < 16 ? lane + by : -1;
  case Dpp::RowShr:
    return in >= by ? lane - by : -1;
  case Dpp::RowRor:
    return row | ((in - by) & 15);
  case Dpp::WaveShl:
    return lane + 1 < lanes ? lane + 1 : -1;
  case Dpp::WaveRol:
    return (lane + 1) % lanes;
  case Dpp::WaveShr:
    return lane - 1;
  case Dpp::WaveRor:
    return (lane + lanes - 1) % lanes;
  case Dpp::RowMirror:
    return row | (15 - in);
  case Dpp::RowHalfMirror:
    return (lane & ~7) | (7 - (lane & 7));
  case Dpp::RowBcast15:
    return lane < 16 ? -1 : row - 1;
  case Dpp::RowBcast31:
    return lane < 32 ? -1 : (lane & ~31) - 1;
  case Dpp::RowNewbcast:
    return row | by;
  case Dpp::RowXmask:
    return row | (in ^ by);
  }
  return -1;
}

void permute(Wave &w, const Instruction &i, const uint32_t *from,
             uint32_t *to) {
  uint64_t exec = w.exec(), written = 0;
  alignas(64) uint32_t out[64];
  for (unsigned l = 0; l != w.lanes; ++l) {
    out[l] = 0;
    if (!(i.rowMask >> (l / 16) & 1) || !(i.bankMask >> (l / 4 % 4) & 1))
      continue;
    int at = dppSource(i, int(l), int(w.lanes));
    bool valid = at >= 0 && (i.fetchInactive || (exec >> at & 1));
    if (valid)
      out[l] = from[at];
    // dpp8 has no bound control: inactive lanes read as 0.
    if (valid || i.boundCtrl || i.dppKind == Dpp::Dpp8)
      written |= uint64_t(1) << l;
  }
  memcpy(to, out, w.lanes * 4);
  w.dppMask = written;
}

void writeSelected(Wave &w, const Instruction &i, uint32_t *to,
                   const uint32_t *value, uint64_t active) {
  auto s = unsigned(i.dstSelect);
  unsigned shift = s < 4 ? 8 * s : s < 6 ? 16 * (s - 4) : 0;
  uint32_t field = s < 4 ? 0xffu << shift : s < 6 ? 0xffffu << shift : ~0u;
  for (unsigned l = 0; l != w.lanes; ++l) {
    if (!(active >> l & 1))
      continue;
    uint32_t v = value[l] << shift & field;
    if (i.dstUnused == Instruction::Preserve)
      v |= to[l] & ~field;
    else if (i.dstUnused == Instruction::SignExtend && s < 6)
      v = uint32_t(int32_t(v << (32 - shift - (s < 4 ? 8 : 16))) >>
                   (32 - shift - (s < 4 ? 8 : 16)));
    to[l] = v;
  }
}

bool isPlain(const Instruction &i) {
  if (i.modifiers & (ModDpp | ModSdwa) || i.clamp || i.omod)
    return false;
  for (unsigned n = 0; n != i.operands; ++n)
    if (i.op[n].sext || i.op[n].select != Sel::Dword)
      return false;
  return true;
}

bool keepsHalf(const Wave &w, const Instruction &i) {
  if (archOf(w).keepsHalves)
    return true;
  // The generation before cleared it, but for a few of VOP3's.
  std::string_view n = i.mnemonic;
  return n == "v_mad_f16" || n == "v_mad_u16" || n == "v_mad_i16" ||
         n == "v_fma_f16" || n == "v_div_fixup_f16" ||
         n.starts_with("v_mad_mix") || n.starts_with("v_fma_mix");
}

void FloatMode::set(unsigned round, unsigned denormals) {
  before = _mm_getcsr();
  changed = true;
  // Nearest, up, down, to zero here; nearest, down, up, to zero on x86.
  static constexpr unsigned rounds[] = {0, 2, 1, 3};
  unsigned now = before & ~0xe040u;
  now |= rounds[round] << 13;
  if (!(denormals & 1))
    now |= 0x0040; // sources
  if (!(denormals & 2))
    now |= 0x8000; // results
  _mm_setcsr(now);
}

void FloatMode::restore() { _mm_setcsr(before); }

} // namespace amdgcn
