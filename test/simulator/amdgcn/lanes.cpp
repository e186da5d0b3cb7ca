// Sources and results of vector instructions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes.h"

#include <xmmintrin.h>

namespace amdgcn {

uint64_t scalarValue(const Wave &W, const Operand &O) {
  switch (O.K) {
  case Operand::Scalar:
    return O.Count >= 2 ? W.pair(O.Reg) : W.S[O.Reg];
  case Operand::Constant:
    return O.Value;
  case Operand::Source:
    switch (O.Reg) {
    case SrcScc:
      return W.Scc;
    case SrcVccz:
      return W.vcc() == 0;
    case SrcExecz:
      return W.exec() == 0;
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
  default:
    return 0; // null
  }
}

uint64_t maskValue(const Wave &W, const Operand &O) {
  switch (O.K) {
  case Operand::Scalar:
    return W.mask(O.Reg);
  case Operand::Constant:
    return O.Value & W.Full;
  default:
    return scalarValue(W, O);
  }
}

void setMaskValue(Wave &W, const Operand &O, uint64_t Value) {
  if (O.K == Operand::Scalar)
    W.setMask(O.Reg, Value);
}

void setScalar(Wave &W, const Operand &O, uint64_t Value, bool Wide) {
  if (O.K != Operand::Scalar)
    return; // null
  if (Wide)
    W.setPair(O.Reg, Value);
  else
    W.S[O.Reg] = uint32_t(Value);
}

/// Where a lane reads from; negative when from nowhere.
static int dppSource(const Instruction &I, int Lane, int Lanes) {
  int Row = Lane & ~15, In = Lane & 15, By = I.DppLanes[0];
  switch (I.DppKind) {
  case Dpp::None:
    return Lane;
  case Dpp::QuadPerm:
    return (Lane & ~3) | I.DppLanes[Lane & 3];
  case Dpp::Dpp8:
    return (Lane & ~7) | I.DppLanes[Lane & 7];
  case Dpp::RowShl:
    return In + By < 16 ? Lane + By : -1;
  case Dpp::RowShr:
    return In >= By ? Lane - By : -1;
  case Dpp::RowRor:
    return Row | ((In - By) & 15);
  case Dpp::WaveShl:
    return Lane + 1 < Lanes ? Lane + 1 : -1;
  case Dpp::WaveRol:
    return (Lane + 1) % Lanes;
  case Dpp::WaveShr:
    return Lane - 1;
  case Dpp::WaveRor:
    return (Lane + Lanes - 1) % Lanes;
  case Dpp::RowMirror:
    return Row | (15 - In);
  case Dpp::RowHalfMirror:
    return (Lane & ~7) | (7 - (Lane & 7));
  case Dpp::RowBcast15:
    return Lane < 16 ? -1 : Row - 1;
  case Dpp::RowBcast31:
    return Lane < 32 ? -1 : (Lane & ~31) - 1;
  case Dpp::RowNewbcast:
    return Row | By;
  case Dpp::RowXmask:
    return Row | (In ^ By);
  }
  return -1;
}

void permute(Wave &W, const Instruction &I, const uint32_t *From,
             uint32_t *To) {
  uint64_t Exec = W.exec(), Written = 0;
  alignas(64) uint32_t Out[64];
  for (unsigned L = 0; L != W.Lanes; ++L) {
    Out[L] = 0;
    if (!(I.RowMask >> (L / 16) & 1) || !(I.BankMask >> (L / 4 % 4) & 1))
      continue;
    int At = dppSource(I, int(L), int(W.Lanes));
    bool Valid = At >= 0 && (I.FetchInactive || (Exec >> At & 1));
    if (Valid)
      Out[L] = From[At];
    // dpp8 has no bound control: inactive lanes read as 0.
    if (Valid || I.BoundCtrl || I.DppKind == Dpp::Dpp8)
      Written |= uint64_t(1) << L;
  }
  memcpy(To, Out, W.Lanes * 4);
  W.DppMask = Written;
}

void writeSelected(Wave &W, const Instruction &I, uint32_t *To,
                   const uint32_t *Value, uint64_t Active) {
  auto S = unsigned(I.DstSelect);
  unsigned Shift = S < 4 ? 8 * S : S < 6 ? 16 * (S - 4) : 0;
  uint32_t Field = S < 4 ? 0xffu << Shift : S < 6 ? 0xffffu << Shift : ~0u;
  for (unsigned L = 0; L != W.Lanes; ++L) {
    if (!(Active >> L & 1))
      continue;
    uint32_t V = Value[L] << Shift & Field;
    if (I.DstUnused == Instruction::Preserve)
      V |= To[L] & ~Field;
    else if (I.DstUnused == Instruction::SignExtend && S < 6)
      V = uint32_t(int32_t(V << (32 - Shift - (S < 4 ? 8 : 16))) >>
                   (32 - Shift - (S < 4 ? 8 : 16)));
    To[L] = V;
  }
}

/// Whether a 16-bit result leaves the other half of its register alone.
bool keepsHalf(const Wave &W, const Instruction &I) {
  if (archOf(W).KeepsHalves)
    return true;
  // The generation before cleared it, but for a few of VOP3's.
  std::string_view N = I.Mnemonic;
  return N == "v_mad_f16" || N == "v_mad_u16" || N == "v_mad_i16" ||
         N == "v_fma_f16" || N == "v_div_fixup_f16" ||
         N.starts_with("v_mad_mix") || N.starts_with("v_fma_mix");
}

void FloatMode::set(unsigned Round, unsigned Denormals) {
  Before = _mm_getcsr();
  Changed = true;
  // Nearest, up, down, to zero here; nearest, down, up, to zero on x86.
  static constexpr unsigned Rounds[] = {0, 2, 1, 3};
  unsigned Now = Before & ~0xe040u;
  Now |= Rounds[Round] << 13;
  if (!(Denormals & 1))
    Now |= 0x0040; // sources
  if (!(Denormals & 2))
    Now |= 0x8000; // results
  _mm_setcsr(Now);
}

void FloatMode::restore() { _mm_setcsr(Before); }

} // namespace amdgcn
