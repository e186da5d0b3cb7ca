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

void branch(Warp &W, const Inst &I, uint32_t Lanes) {
  W.jump(I, Lanes, I.Target);
}
void branchUniform(Warp &W, const Inst &I, uint32_t Lanes) {
  if (Lanes != W.Now->Lanes)
    W.fault(LaunchFailed,
            "a branch that is said to be uniform, and lanes disagree");
  W.jump(I, Lanes, I.Target);
}
void bra(Decoder &D) {
  bool Uniform = D.has("uni");
  const Operand &O = D.operand(0);
  if (O.Is != Operand::Label)
    D.refuse("the operand must be a label");
  Inst &N = D.emit(Uniform ? branchUniform : branch);
  N.Target = uint32_t(O.Index);
  D.step().Branch = true;
  D.step().To = {uint32_t(O.Index)};
}

void branchIndexed(Warp &W, const Inst &I, uint32_t Lanes) {
  const auto &Table = W.Running->Tables[I.Extra];
  const uint32_t *A = W.in<uint32_t>(I.A);
  uint32_t To[WarpSize];
  for (unsigned L = 0; L != WarpSize; ++L)
    To[L] = W.Now->Pc;
  for (uint32_t M = Lanes; M; M &= M - 1) {
    unsigned L = unsigned(__builtin_ctz(M));
    if (A[L] >= Table.size())
      W.fault(LaunchFailed,
              "branch target " + std::to_string(A[L]) + " of " +
                  std::to_string(Table.size()),
              1u << L);
    To[L] = Table[A[L]];
  }
  W.branchMany(I, W.Now->Lanes, To);
}
void brx(Decoder &D) {
  if (!D.has("idx"))
    D.refuse("'.idx' is missing");
  D.has("uni");
  int32_t A = D.in(0, {Type::U, 1, 32});
  const Operand &O = D.operand(1);
  if (O.Is != Operand::Table)
    D.refuse("the list of targets is missing");
  const auto &Targets = D.F.Tables[size_t(O.Index)];
  uint32_t Extra = uint32_t(D.C.Tables.size());
  D.C.Tables.emplace_back(Targets.begin(), Targets.end());
  Inst &N = D.emit(branchIndexed);
  N.A = A, N.Extra = Extra;
  D.step().Branch = true;
  D.step().To.assign(Targets.begin(), Targets.end());
}

void callLanes(Warp &W, const Inst &I, uint32_t Lanes) { W.call(I, Lanes); }

/// call (results), function, (arguments), prototype;
void call(Decoder &D) {
  D.has("uni");
  CallSite Site;
  size_t At = 0;
  auto Take = [&](std::vector<Passed> &Into) {
    if (At >= D.operands() || D.operand(At).Is != Operand::List)
      return;
    for (const Operand &O : D.operand(At).Parts) {
      const Passed *P = D.passed(O);
      if (!P)
        D.refuse("what a call passes must be a variable in .param");
      Into.push_back(*P);
    }
    ++At;
  };
  Take(Site.Results);
  const Operand &To = D.operand(At++);
  Take(Site.Arguments);
  Type Address{Type::B, 1, 64};
  if (To.Is == Operand::Register) {
    Site.Register = D.in(To, Address);
    if (At >= D.operands() || D.operand(At).Is != Operand::Prototype)
      D.refuse("the prototype is missing");
    const Signature &S = D.F.Prototypes[size_t(D.operand(At).Index)];
    if (S.Takes.size() != Site.Arguments.size() ||
        S.Returns.size() != Site.Results.size())
      D.refuse("another number of parameters than in the prototype");
    ++At;
  } else {
    auto Found = D.P.Source->FunctionNames.find(To.Name);
    if (To.Is != Operand::Symbol || Found == D.P.Source->FunctionNames.end())
      D.refuse("no function '" + std::string(To.Name) + "'");
    Site.To = D.P.Codes[size_t(Found->second)].get();
    const Function &F = *Site.To->Of;
    if (!F.Defined)
      D.refuse("function '" + std::string(F.Name) + "' is not defined");
    if (F.Of.Takes.size() != Site.Arguments.size() ||
        F.Of.Returns.size() != Site.Results.size())
      D.refuse("another number of parameters than the function has");
  }
  uint32_t Extra = uint32_t(D.C.Calls.size());
  bool Indirect = !Site.To;
  D.C.Calls.push_back(std::move(Site));
  Inst &N = D.emit(callLanes);
  N.Extra = Extra;
  D.step().MeetsBehind = Indirect;
}

void returnLanes(Warp &W, const Inst &, uint32_t Lanes) { W.giveBack(Lanes); }
void ret(Decoder &D) {
  D.has("uni");
  D.emit(returnLanes);
  D.step().Ends = true;
}
void exitLanes(Warp &W, const Inst &, uint32_t Lanes) { W.exit(Lanes); }
void exit(Decoder &D) {
  D.emit(exitLanes);
  D.step().Ends = true;
}
void trapLanes(Warp &W, const Inst &, uint32_t Lanes) {
  W.fault(LaunchFailed, "trap", Lanes);
}
void trap(Decoder &D) {
  D.emit(trapLanes);
  D.step().Ends = true;
}
void breakLanes(Warp &W, const Inst &, uint32_t Lanes) {
  W.fault(LaunchFailed, "a breakpoint, and no debugger", Lanes);
}
void brkpt(Decoder &D) { D.emit(breakLanes); }

void restLanes(Warp &W, const Inst &, uint32_t) { W.rest(); }
void nanosleep(Decoder &D) {
  Type T = D.type();
  D.in(0, T);
  D.emit(restLanes);
}

PTX_OPCODES({"bra", bra}, {"brx", brx}, {"call", call}, {"ret", ret},
            {"exit", exit}, {"trap", trap}, {"brkpt", brkpt},
            {"nanosleep", nanosleep})

} // namespace
} // namespace ptx
