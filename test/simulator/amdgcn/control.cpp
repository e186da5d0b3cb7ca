// Branches, barriers, messages, state
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dispatch.h"
#include "formats/race_marks.h"
#include "lanes.h"
#include "semantics.h"

#include <chrono>

namespace amdgcn {

using u32 = uint32_t;
using u64 = uint64_t;

static void nothing(Wave &, const Instruction &) {}

template <auto Taken> static void branch(Wave &w, const Instruction &i) {
  if (Taken(w))
    w.jumpDirect(i);
}

static u64 afterThis(const Instruction &i) { return i.pc + i.bytes; }

static void getPc(Wave &w, const Instruction &i) {
  setScalar(w, i.op[0], afterThis(i), true);
}
static void setPc(Wave &w, const Instruction &i) {
  w.jump(scalarValue(w, i, 0));
}
static void swapPc(Wave &w, const Instruction &i) {
  u64 to = scalarValue(w, i, 1);
  setScalar(w, i.op[0], afterThis(i), true);
  w.jump(to);
}
static void call(Wave &w, const Instruction &i) {
  setScalar(w, i.op[0], afterThis(i), true);
  w.jumpDirect(i);
}

static void endProgram(Wave &w, const Instruction &) {
  w.is = Wave::Ended;
  w.group.ended(w);
}

static void barrier(Wave &w, const Instruction &) {
  w.is = Wave::AtBarrier;
  w.group.arrive(w);
}

/// gfx12 tells that a wave is there and waits for the others in two steps. Only
/// the workgroup's own barrier, -1, is known.
static void barrierSignal(Wave &w, const Instruction &i) {
  if (i.op[0].text != "-1")
    w.stop(Stop::Illegal, "only the workgroup's barrier, -1, is known");
  if (w.signaled)
    w.stop(Stop::Illegal, "a barrier is signaled twice");
  w.signaled = true;
}
static void barrierWait(Wave &w, const Instruction &i) {
  if (i.simm16 != -1)
    w.stop(Stop::Illegal, "only the workgroup's barrier, -1, is known");
  if (!w.signaled)
    w.stop(Stop::Illegal, "a barrier is waited for that was not signaled");
  w.signaled = false;
  barrier(w, i);
}

static void invalidate(Wave &w, const Instruction &) {
  w.group.d.invalidate(w);
}

/// A priority, of which a mark is no other (formats/race_marks.h).
static void priority(Wave &w, const Instruction &i) {
  namespace marks = xcc::rt::marks;
  const auto mark = uint16_t(i.simm16);
  w.atomic = mark == marks::Atomic;
  if (mark == marks::Warp || mark == marks::Atomic)
    ++w.ordered;
  // Without a load it acquires nothing: it belongs to a barrier.
  if (mark == marks::Fence && w.group.d.marked && w.loaded) {
    w.loaded = false;
    w.group.d.barrier(w.group);
  }
}

static void trap(Wave &w, const Instruction &i) {
  unsigned number = unsigned(i.simm16) & 0xff;
  if (number == 3) // a breakpoint, and no debugger
    return;
  w.stop(Stop::Trap, "trap " + std::to_string(number));
}

static void halt(Wave &w, const Instruction &i) {
  if (i.simm16 & 1)
    w.is = Wave::Halted;
}

static void sleep(Wave &w, const Instruction &) { w.slept = true; }

//===----------------------------------------------------------------------===//
// Clocks, messages and hardware registers
//===----------------------------------------------------------------------===//

static u64 clockNow() {
  return u64(std::chrono::steady_clock::now().time_since_epoch() /
             std::chrono::nanoseconds(1));
}

/// 100 MHz, as the system's timestamp counts on these GPUs.
static void realTime(Wave &w, const Instruction &i) {
  setScalar(w, i.op[0], clockNow() / 10, true);
  w.slept = true; // who asks for the time is likely to wait
}

static void message(Wave &w, const Instruction &i) {
  // An interrupt for the host's attention: nobody listens to it here. Vector
  // registers may be given back before a program's end.
  std::string_view text = i.op[0].text;
  if (text == "sendmsg(MSG_INTERRUPT)" || text == "sendmsg(MSG_DEALLOC_VGPRS)")
    return;
  w.stop(Stop::Illegal, "the message is not known");
}

static void messageAndReturn(Wave &w, const Instruction &i) {
  std::string_view text = i.op[1].text;
  bool wide = i.mnemonic.ends_with("b64");
  if (text == "sendmsg(MSG_RTN_GET_DOORBELL)")
    setScalar(w, i.op[0], 0, wide);
  else if (text == "sendmsg(MSG_RTN_GET_REALTIME)")
    setScalar(w, i.op[0], clockNow() / 10, wide);
  else
    w.stop(Stop::Illegal, "the message is not known");
}

namespace {
/// "hwreg(NAME, offset, width)".
struct Field {
  std::string_view name;
  unsigned offset = 0, width = 32;
};
} // namespace

static Field fieldOf(std::string_view text) {
  Field f;
  text.remove_prefix(std::min<size_t>(text.size(), 6));
  if (!text.empty())
    text.remove_suffix(1);
  size_t comma = text.find(',');
  f.name = text.substr(0, comma);
  if (comma != text.npos) {
    f.offset = unsigned(atoi(text.data() + comma + 1));
    size_t second = text.find(',', comma + 1);
    if (second != text.npos)
      f.width = unsigned(atoi(text.data() + second + 1));
  }
  return f;
}

static u32 cut(const Field &f, u32 value) {
  return f.width >= 32 ? value >> f.offset
                       : value >> f.offset & ((1u << f.width) - 1);
}

static void getRegister(Wave &w, const Instruction &i) {
  Field f = fieldOf(i.op[1].text);
  u32 value;
  if (f.name == "HW_REG_MODE")
    value = w.mode;
  else if (f.name == "HW_REG_SH_MEM_BASES")
    value = u32(SharedBase >> 48) << 16 | u32(PrivateBase >> 48);
  else if (f.name == "HW_REG_SHADER_CYCLES" ||
           f.name == "HW_REG_SHADER_CYCLES_LO")
    value = u32(w.retired);
  else if (f.name == "HW_REG_SHADER_CYCLES_HI")
    value = u32(w.retired >> 32);
  else if (f.name == "HW_REG_HW_ID" || f.name == "HW_REG_HW_ID1" ||
           f.name == "HW_REG_HW_ID2" || f.name == "HW_REG_XCC_ID")
    value = 0;
  else if (f.name == "HW_REG_FLAT_SCR_LO")
    value = u32(w.flatScratch);
  else if (f.name == "HW_REG_FLAT_SCR_HI")
    value = u32(w.flatScratch >> 32);
  else if (f.name == "HW_REG_TRAPSTS" || f.name == "HW_REG_STATUS")
    value = 0;
  else
    w.stop(Stop::Illegal, "the hardware register is not known");
  setScalar(w, i.op[0], cut(f, value), false);
}

static void setRegister(Wave &w, const Instruction &i) {
  Field f = fieldOf(i.op[0].text);
  u32 mask = f.width >= 32 ? ~0u : ((1u << f.width) - 1) << f.offset;
  u32 value = u32(scalarValue(w, i, 1)) << f.offset & mask;
  if (f.name == "HW_REG_MODE")
    w.mode = (w.mode & ~mask) | value;
  else if (f.name == "HW_REG_FLAT_SCR_LO")
    w.flatScratch = (w.flatScratch & ~u64(0xffffffff)) | value;
  else if (f.name == "HW_REG_FLAT_SCR_HI")
    w.flatScratch = (w.flatScratch & 0xffffffff) | u64(value) << 32;
  else
    w.stop(Stop::Illegal, "the hardware register is not known");
}

static void roundMode(Wave &w, const Instruction &i) {
  w.mode = (w.mode & ~0xfu) | (u32(i.simm16) & 0xf);
}
static void denormMode(Wave &w, const Instruction &i) {
  w.mode = (w.mode & ~0xf0u) | (u32(i.simm16) & 0xf) << 4;
}

void addControl(Table &t) {
  t.add("s_nop s_waitcnt s_waitcnt_vscnt s_waitcnt_vmcnt s_waitcnt_expcnt "
        "s_waitcnt_lgkmcnt s_waitcnt_depctr s_wait_alu s_wait_loadcnt "
        "s_wait_storecnt s_wait_samplecnt s_wait_bvhcnt s_wait_expcnt "
        "s_wait_dscnt s_wait_kmcnt s_wait_loadcnt_dscnt s_wait_storecnt_dscnt "
        "s_wait_idle s_wait_event s_delay_alu s_clause s_inst_prefetch "
        "s_set_inst_prefetch_distance s_code_end s_icache_inv "
        "s_dcache_inv s_dcache_wb s_gl1_inv s_ttracedata s_ttracedata_imm "
        "s_incperflevel s_decperflevel s_prefetch_inst "
        "s_prefetch_inst_pc_rel s_prefetch_data s_prefetch_data_pc_rel",
        {nothing, {}, ModOffset | ModCache});
  t.add("buffer_wbl2 global_wb", {nothing, {}, ModCache});
  t.add("buffer_gl0_inv buffer_gl1_inv buffer_inv buffer_invl2 buffer_wbinvl1 "
        "buffer_wbinvl1_vol global_inv global_wbinv",
        {invalidate, {}, ModCache});
  t.add("s_setprio", {priority});
  t.add("s_branch", {branch<[](Wave &) { return true; }>});
  t.add("s_cbranch_scc0", {branch<[](Wave &w) { return !w.scc; }>});
  t.add("s_cbranch_scc1", {branch<[](Wave &w) { return w.scc; }>});
  t.add("s_cbranch_vccz", {branch<[](Wave &w) { return !w.vcc(); }>});
  t.add("s_cbranch_vccnz", {branch<[](Wave &w) { return w.vcc() != 0; }>});
  t.add("s_cbranch_execz", {branch<[](Wave &w) { return !w.exec(); }>});
  t.add("s_cbranch_execnz", {branch<[](Wave &w) { return w.exec() != 0; }>});
  // No debugger is there.
  t.add("s_cbranch_cdbgsys s_cbranch_cdbguser s_cbranch_cdbgsys_or_user "
        "s_cbranch_cdbgsys_and_user",
        {nothing});
  t.add("s_getpc_b64", {getPc, {Type::B64}});
  t.add("s_setpc_b64", {setPc, {Type::B64}});
  t.add("s_swappc_b64", {swapPc, {Type::B64, Type::B64}});
  t.add("s_call_b64", {call, {Type::B64, Type::B32}});
  t.add("s_endpgm s_endpgm_saved", {endProgram});
  t.add("s_barrier", {barrier});
  t.add("s_barrier_signal", {barrierSignal, {Type::B32}});
  t.add("s_barrier_wait", {barrierWait, {Type::B32}});
  t.add("s_barrier_leave", {nothing});
  t.add("s_trap", {trap, {Type::B32}});
  t.add("s_sethalt", {halt, {Type::B32}});
  t.add("s_sleep s_sleep_var s_monitor_sleep s_wakeup", {sleep, {Type::B32}});
  t.add("s_memtime s_memrealtime", {realTime, {Type::B64}});
  t.add("s_sendmsg s_sendmsghalt", {message});
  t.add("s_sendmsg_rtn_b32 s_sendmsg_rtn_b64", {messageAndReturn});
  t.add("s_getreg_b32", {getRegister});
  t.add("s_setreg_b32 s_setreg_imm32_b32",
        {setRegister, {Type::Any, Type::B32}});
  t.add("s_round_mode", {roundMode, {Type::B32}});
  t.add("s_denorm_mode", {denormMode, {Type::B32}});
}

} // namespace amdgcn
