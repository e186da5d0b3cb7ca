// Branches, calls, ends
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.12 and 9.7.19.

#include "handlers.h"

namespace ptx {
namespace {

using namespace xcc::rt::cuda;

void branch(Warp &w, const Inst &i, uint32_t lanes) {
  w.jump(i, lanes, i.target);
}
void branchUniform(Warp &w, const Inst &i, uint32_t lanes) {
  if (lanes != w.now->lanes)
    w.fault(LaunchFailed,
            "a branch that is said to be uniform, and lanes disagree");
  w.jump(i, lanes, i.target);
}
void bra(Decoder &d) {
  bool uniform = d.has("uni");
  const Operand &o = d.operand(0);
  if (o.is != Operand::Label)
    d.refuse("the operand must be a label");
  Inst &n = d.emit(uniform ? branchUniform : branch);
  n.target = uint32_t(o.index);
  d.step().branch = true;
  d.step().to = {uint32_t(o.index)};
}

void branchIndexed(Warp &w, const Inst &i, uint32_t lanes) {
  const auto &table = w.running->tables[i.extra];
  const uint32_t *a = w.in<uint32_t>(i.a);
  uint32_t to[WarpSize];
  for (unsigned l = 0; l != WarpSize; ++l)
    to[l] = w.now->pc;
  for (uint32_t m = lanes; m; m &= m - 1) {
    unsigned l = unsigned(__builtin_ctz(m));
    if (a[l] >= table.size())
      w.fault(LaunchFailed,
              "branch target " + std::to_string(a[l]) + " of " +
                  std::to_string(table.size()),
              1u << l);
    to[l] = table[a[l]];
  }
  w.branchMany(i, w.now->lanes, to);
}
void brx(Decoder &d) {
  if (!d.has("idx"))
    d.refuse("'.idx' is missing");
  d.has("uni");
  int32_t a = d.in(0, {Type::U, 1, 32});
  const Operand &o = d.operand(1);
  if (o.is != Operand::Table)
    d.refuse("the list of targets is missing");
  const auto &targets = d.f.tables[size_t(o.index)];
  uint32_t extra = uint32_t(d.c.tables.size());
  d.c.tables.emplace_back(targets.begin(), targets.end());
  Inst &n = d.emit(branchIndexed);
  n.a = a, n.extra = extra;
  d.step().branch = true;
  d.step().to.assign(targets.begin(), targets.end());
}

void callLanes(Warp &w, const Inst &i, uint32_t lanes) { w.call(i, lanes); }

/// call (results), function, (arguments), prototype;
void call(Decoder &d) {
  d.has("uni");
  CallSite site;
  size_t at = 0;
  auto take = [&](std::vector<Passed> &into) {
    if (at >= d.operands() || d.operand(at).is != Operand::List)
      return;
    for (const Operand &o : d.operand(at).parts) {
      const Passed *p = d.passed(o);
      if (!p)
        d.refuse("what a call passes must be a variable in .param");
      into.push_back(*p);
    }
    ++at;
  };
  take(site.results);
  const Operand &to = d.operand(at++);
  take(site.arguments);
  Type address{Type::B, 1, 64};
  if (to.is == Operand::Register) {
    site.slot = d.in(to, address);
    if (at >= d.operands() || d.operand(at).is != Operand::Prototype)
      d.refuse("the prototype is missing");
    const Signature &s = d.f.prototypes[size_t(d.operand(at).index)];
    if (s.takes.size() != site.arguments.size() ||
        s.returns.size() != site.results.size())
      d.refuse("another number of parameters than in the prototype");
    ++at;
  } else {
    auto found = d.p.source->functionNames.find(to.name);
    if (to.is != Operand::Symbol || found == d.p.source->functionNames.end())
      d.refuse("no function '" + std::string(to.name) + "'");
    site.to = d.p.codes[size_t(found->second)].get();
    const Function &f = *site.to->of;
    if (!f.defined)
      d.refuse("function '" + std::string(f.name) + "' is not defined");
    if (f.of.takes.size() != site.arguments.size() ||
        f.of.returns.size() != site.results.size())
      d.refuse("another number of parameters than the function has");
  }
  uint32_t extra = uint32_t(d.c.calls.size());
  bool indirect = !site.to;
  d.c.calls.push_back(std::move(site));
  Inst &n = d.emit(callLanes);
  n.extra = extra;
  d.step().meetsBehind = indirect;
  d.step().call = int(extra);
}

void returnLanes(Warp &w, const Inst &, uint32_t lanes) { w.giveBack(lanes); }
void ret(Decoder &d) {
  d.has("uni");
  d.emit(returnLanes);
  d.step().ends = true;
}
void exitLanes(Warp &w, const Inst &, uint32_t lanes) { w.exit(lanes); }
void exit(Decoder &d) {
  // Behind a function that does not return: LLVM has nothing else to say.
  const bool afterCall = d.isBehindCall();
  d.emit(exitLanes);
  d.step().ends = true;
  d.step().traps = afterCall;
}
void trapLanes(Warp &w, const Inst &, uint32_t lanes) {
  w.fault(LaunchFailed, "trap", lanes);
}
void trap(Decoder &d) {
  d.emit(trapLanes);
  d.step().ends = d.step().traps = true;
}
void breakLanes(Warp &w, const Inst &, uint32_t lanes) {
  w.fault(LaunchFailed, "a breakpoint, and no debugger", lanes);
}
void brkpt(Decoder &d) { d.emit(breakLanes); }

void restLanes(Warp &w, const Inst &, uint32_t) { w.rest(); }
void nanosleep(Decoder &d) {
  Type t = d.type();
  d.in(0, t);
  d.emit(restLanes);
}

PTX_OPCODES({"bra", bra}, {"brx", brx}, {"call", call}, {"ret", ret},
            {"exit", exit}, {"trap", trap}, {"brkpt", brkpt},
            {"nanosleep", nanosleep})

} // namespace
} // namespace ptx
