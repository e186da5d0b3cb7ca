// Branches, barriers, messages, state
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes.h"
#include "semantics.h"

#include <chrono>

namespace amdgcn {

using u32 = uint32_t;
using u64 = uint64_t;

static void nothing(Wave &, const Instruction &) {}

template <auto Taken> static void branch(Wave &W, const Instruction &I) {
  if (Taken(W))
    W.jumpDirect(I);
}

static u64 afterThis(const Instruction &I) { return I.Pc + I.Bytes; }

static void getPc(Wave &W, const Instruction &I) {
  setScalar(W, I.Op[0], afterThis(I), true);
}
static void setPc(Wave &W, const Instruction &I) {
  W.jump(scalarValue(W, I, 0));
}
static void swapPc(Wave &W, const Instruction &I) {
  u64 To = scalarValue(W, I, 1);
  setScalar(W, I.Op[0], afterThis(I), true);
  W.jump(To);
}
static void call(Wave &W, const Instruction &I) {
  setScalar(W, I.Op[0], afterThis(I), true);
  W.jumpDirect(I);
}

static void endProgram(Wave &W, const Instruction &) {
  W.Is = Wave::Ended;
  W.Group.ended(W);
}

static void barrier(Wave &W, const Instruction &) {
  W.Is = Wave::AtBarrier;
  W.Group.arrive(W);
}

/// gfx12 tells that a wave is there and waits for the others in two steps. Only
/// the workgroup's own barrier, -1, is known.
static void barrierSignal(Wave &W, const Instruction &I) {
  if (I.Op[0].Text != "-1")
    W.stop(Stop::Illegal, "only the workgroup's barrier, -1, is known");
  if (W.Signaled)
    W.stop(Stop::Illegal, "a barrier is signaled twice");
  W.Signaled = true;
}
static void barrierWait(Wave &W, const Instruction &I) {
  if (I.Simm16 != -1)
    W.stop(Stop::Illegal, "only the workgroup's barrier, -1, is known");
  if (!W.Signaled)
    W.stop(Stop::Illegal, "a barrier is waited for that was not signaled");
  W.Signaled = false;
  barrier(W, I);
}

static void trap(Wave &W, const Instruction &I) {
  unsigned Number = unsigned(I.Simm16) & 0xff;
  if (Number == 3) // a breakpoint, and no debugger
    return;
  W.stop(Stop::Trap, "trap " + std::to_string(Number));
}

static void halt(Wave &W, const Instruction &I) {
  if (I.Simm16 & 1)
    W.Is = Wave::Halted;
}

static void sleep(Wave &W, const Instruction &) { W.Slept = true; }

//===----------------------------------------------------------------------===//
// Clocks, messages and hardware registers
//===----------------------------------------------------------------------===//

static u64 clockNow() {
  return u64(std::chrono::steady_clock::now().time_since_epoch() /
             std::chrono::nanoseconds(1));
}

/// 100 MHz, as the system's timestamp counts on these GPUs.
static void realTime(Wave &W, const Instruction &I) {
  setScalar(W, I.Op[0], clockNow() / 10, true);
  W.Slept = true; // who asks for the time is likely to wait
}

static void message(Wave &W, const Instruction &I) {
  // An interrupt for the host's attention: nobody listens to it here. Vector
  // registers may be given back before a program's end.
  std::string_view Text = I.Op[0].Text;
  if (Text == "sendmsg(MSG_INTERRUPT)" || Text == "sendmsg(MSG_DEALLOC_VGPRS)")
    return;
  W.stop(Stop::Illegal, "the message is not known");
}

static void messageAndReturn(Wave &W, const Instruction &I) {
  std::string_view Text = I.Op[1].Text;
  bool Wide = I.Mnemonic.ends_with("b64");
  if (Text == "sendmsg(MSG_RTN_GET_DOORBELL)")
    setScalar(W, I.Op[0], 0, Wide);
  else if (Text == "sendmsg(MSG_RTN_GET_REALTIME)")
    setScalar(W, I.Op[0], clockNow() / 10, Wide);
  else
    W.stop(Stop::Illegal, "the message is not known");
}

namespace {
/// "hwreg(NAME, offset, width)".
struct Field {
  std::string_view Name;
  unsigned Offset = 0, Width = 32;
};
} // namespace

static Field fieldOf(std::string_view Text) {
  Field F;
  Text.remove_prefix(std::min<size_t>(Text.size(), 6));
  if (!Text.empty())
    Text.remove_suffix(1);
  size_t Comma = Text.find(',');
  F.Name = Text.substr(0, Comma);
  if (Comma != Text.npos) {
    F.Offset = unsigned(atoi(Text.data() + Comma + 1));
    size_t Second = Text.find(',', Comma + 1);
    if (Second != Text.npos)
      F.Width = unsigned(atoi(Text.data() + Second + 1));
  }
  return F;
}

static u32 cut(const Field &F, u32 Value) {
  return F.Width >= 32 ? Value >> F.Offset
                       : Value >> F.Offset & ((1u << F.Width) - 1);
}

static void getRegister(Wave &W, const Instruction &I) {
  Field F = fieldOf(I.Op[1].Text);
  u32 Value;
  if (F.Name == "HW_REG_MODE")
    Value = W.Mode;
  else if (F.Name == "HW_REG_SH_MEM_BASES")
    Value = u32(SharedBase >> 48) << 16 | u32(PrivateBase >> 48);
  else if (F.Name == "HW_REG_SHADER_CYCLES" ||
           F.Name == "HW_REG_SHADER_CYCLES_LO")
    Value = u32(W.Retired);
  else if (F.Name == "HW_REG_SHADER_CYCLES_HI")
    Value = u32(W.Retired >> 32);
  else if (F.Name == "HW_REG_HW_ID" || F.Name == "HW_REG_HW_ID1" ||
           F.Name == "HW_REG_HW_ID2" || F.Name == "HW_REG_XCC_ID")
    Value = 0;
  else if (F.Name == "HW_REG_FLAT_SCR_LO")
    Value = u32(W.FlatScratch);
  else if (F.Name == "HW_REG_FLAT_SCR_HI")
    Value = u32(W.FlatScratch >> 32);
  else if (F.Name == "HW_REG_TRAPSTS" || F.Name == "HW_REG_STATUS")
    Value = 0;
  else
    W.stop(Stop::Illegal, "the hardware register is not known");
  setScalar(W, I.Op[0], cut(F, Value), false);
}

static void setRegister(Wave &W, const Instruction &I) {
  Field F = fieldOf(I.Op[0].Text);
  u32 Mask = F.Width >= 32 ? ~0u : ((1u << F.Width) - 1) << F.Offset;
  u32 Value = u32(scalarValue(W, I, 1)) << F.Offset & Mask;
  if (F.Name == "HW_REG_MODE")
    W.Mode = (W.Mode & ~Mask) | Value;
  else if (F.Name == "HW_REG_FLAT_SCR_LO")
    W.FlatScratch = (W.FlatScratch & ~u64(0xffffffff)) | Value;
  else if (F.Name == "HW_REG_FLAT_SCR_HI")
    W.FlatScratch = (W.FlatScratch & 0xffffffff) | u64(Value) << 32;
  else
    W.stop(Stop::Illegal, "the hardware register is not known");
}

static void roundMode(Wave &W, const Instruction &I) {
  W.Mode = (W.Mode & ~0xfu) | (u32(I.Simm16) & 0xf);
}
static void denormMode(Wave &W, const Instruction &I) {
  W.Mode = (W.Mode & ~0xf0u) | (u32(I.Simm16) & 0xf) << 4;
}

void addControl(Table &T) {
  T.add("s_nop s_waitcnt s_waitcnt_vscnt s_waitcnt_vmcnt s_waitcnt_expcnt "
        "s_waitcnt_lgkmcnt s_waitcnt_depctr s_wait_alu s_wait_loadcnt "
        "s_wait_storecnt s_wait_samplecnt s_wait_bvhcnt s_wait_expcnt "
        "s_wait_dscnt s_wait_kmcnt s_wait_loadcnt_dscnt s_wait_storecnt_dscnt "
        "s_wait_idle s_wait_event s_delay_alu s_clause s_inst_prefetch "
        "s_set_inst_prefetch_distance s_setprio s_code_end s_icache_inv "
        "s_dcache_inv s_dcache_wb s_gl1_inv s_ttracedata s_ttracedata_imm "
        "s_incperflevel s_decperflevel s_prefetch_inst "
        "s_prefetch_inst_pc_rel s_prefetch_data s_prefetch_data_pc_rel",
        {nothing, {}, ModOffset | ModCache});
  T.add("buffer_gl0_inv buffer_gl1_inv buffer_inv buffer_invl2 buffer_wbinvl1 "
        "buffer_wbinvl1_vol buffer_wbl2 global_inv global_wb global_wbinv",
        {nothing, {}, ModCache});
  T.add("s_branch", {branch<[](Wave &) { return true; }>});
  T.add("s_cbranch_scc0", {branch<[](Wave &W) { return !W.Scc; }>});
  T.add("s_cbranch_scc1", {branch<[](Wave &W) { return W.Scc; }>});
  T.add("s_cbranch_vccz", {branch<[](Wave &W) { return !W.vcc(); }>});
  T.add("s_cbranch_vccnz", {branch<[](Wave &W) { return W.vcc() != 0; }>});
  T.add("s_cbranch_execz", {branch<[](Wave &W) { return !W.exec(); }>});
  T.add("s_cbranch_execnz", {branch<[](Wave &W) { return W.exec() != 0; }>});
  // No debugger is there.
  T.add("s_cbranch_cdbgsys s_cbranch_cdbguser s_cbranch_cdbgsys_or_user "
        "s_cbranch_cdbgsys_and_user",
        {nothing});
  T.add("s_getpc_b64", {getPc, {Type::B64}});
  T.add("s_setpc_b64", {setPc, {Type::B64}});
  T.add("s_swappc_b64", {swapPc, {Type::B64, Type::B64}});
  T.add("s_call_b64", {call, {Type::B64, Type::B32}});
  T.add("s_endpgm s_endpgm_saved", {endProgram});
  T.add("s_barrier", {barrier});
  T.add("s_barrier_signal", {barrierSignal, {Type::B32}});
  T.add("s_barrier_wait", {barrierWait, {Type::B32}});
  T.add("s_barrier_leave", {nothing});
  T.add("s_trap", {trap, {Type::B32}});
  T.add("s_sethalt", {halt, {Type::B32}});
  T.add("s_sleep s_sleep_var s_monitor_sleep s_wakeup", {sleep, {Type::B32}});
  T.add("s_memtime s_memrealtime", {realTime, {Type::B64}});
  T.add("s_sendmsg s_sendmsghalt", {message});
  T.add("s_sendmsg_rtn_b32 s_sendmsg_rtn_b64", {messageAndReturn});
  T.add("s_getreg_b32", {getRegister});
  T.add("s_setreg_b32 s_setreg_imm32_b32",
        {setRegister, {Type::Any, Type::B32}});
  T.add("s_round_mode", {roundMode, {Type::B32}});
  T.add("s_denorm_mode", {denormMode, {Type::B32}});
}

} // namespace amdgcn
