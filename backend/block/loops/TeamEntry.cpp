// Block functions that share their outer loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TeamEntry.h"
#include "Teams.h"
#include "ThreadLoops.h"
#include "block/abi/Abi.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::block {

SmallVector<Type *, 5> teamParameters(LLVMContext &c) {
  Type *i32 = Type::getInt32Ty(c);
  return {PointerType::getUnqual(c), i32, i32, i32, i32};
}

void setTeamAttributes(Function &team) {
  static const char *const names[] = {"block.x", "block.y", "block.z",
                                      "team.width"};
  for (unsigned n = 0; n != 4; ++n) {
    Argument *a = team.getArg(n + 1);
    a->setName(names[n]);
    // The grid has fewer than 2^31 threads along x.
    ConstantRange range =
        n == 3 ? ConstantRange(APInt(32, 1), APInt(32, MostTeamThreads + 1))
               : ConstantRange(APInt(32, 0), APInt::getSignedMinValue(32));
    if (n == 0 || n == 3)
      a->addAttr(Attribute::get(team.getContext(), Attribute::Range, range));
  }
}

/// Gives \p f, which calls \p team, the attributes of \p team that it needs.
static void copyAttributes(Function &f, const Function &team) {
  f.setDoesNotThrow();
  if (team.hasFnAttribute(Attribute::UWTable))
    f.setUWTableKind(team.getUWTableKind());
  if (team.hasFnAttribute("frame-pointer"))
    f.addFnAttr(team.getFnAttribute("frame-pointer"));
}

static Function *createBlockFunction(Module &m, const Twine &name,
                                     bool takesTeam) {
  LLVMContext &c = m.getContext();
  Type *ptr = PointerType::getUnqual(c), *i64 = Type::getInt64Ty(c);
  SmallVector<Type *, 4> params = {ptr, i64, i64};
  if (takesTeam)
    params.push_back(ptr);
  Function *f =
      Function::Create(FunctionType::get(Type::getVoidTy(c), params, false),
                       GlobalValue::InternalLinkage, name, m);
  static const char *const names[] = {"group", "first", "last", "code"};
  for (Argument &a : f->args())
    a.setName(names[a.getArgNo()]);
  BasicBlock::Create(c, "launch", f);
  return f;
}

/// Calls \p code once for each row of threads along x, from \p header to \p latch.
static void callForRows(BasicBlock *header, BasicBlock *latch, Value *rows,
                        function_ref<void(IRBuilderBase &)> code) {
  BasicBlock *row = BasicBlock::Create(header->getContext(), "row",
                                       header->getParent(), latch);
  IRBuilder<> b(header);
  b.CreateBr(row);
  b.SetInsertPoint(row);
  PHINode *number = b.CreatePHI(b.getInt32Ty(), 2, "row.number");
  number->addIncoming(b.getInt32(0), header);
  code(b);
  Value *next = b.CreateNUWAdd(number, b.getInt32(1));
  number->addIncoming(next, row);
  b.CreateCondBr(b.CreateICmpULT(next, rows), row, latch);
}

/// The loop over teams, which the kernels of the module share.
static Function *teamsFunction(Module &m, const Function &like, bool eachRow,
                               const TeamForm &form) {
  std::string name = eachRow ? "xcc.team.rows" : "xcc.teams";
  if (form.blockSize)
    name += "." + std::to_string(form.blockSize);
  if (form.isNarrow)
    name += ".narrow";
  if (Function *f = m.getFunction(name))
    return f;
  Function *f = createBlockFunction(m, name, /*takesTeam=*/true);
  copyAttributes(*f, like);
  f->addFnAttr(Attribute::NoInline);
  Value *group = f->getArg(0), *team = f->getArg(3);
  BasicBlock *entry = &f->getEntryBlock();
  IRBuilder<> b(entry);
  LaunchShape shape = LaunchShape::load(b, group);
  Value *most = shape.blocksOf(b, MostTeamThreads, form);
  Value *rows =
      eachRow ? b.CreateNUWMul(shape.blockDim[1], shape.blockDim[2], "rows")
              : nullptr;
  b.CreateUnreachable();
  BlockLoop teams = BlockLoop::create(*f, entry, shape, most);
  auto call = [&](IRBuilderBase &b) {
    b.CreateCall(FunctionType::get(b.getVoidTy(),
                                   teamParameters(m.getContext()), false),
                 team,
                 {group, teams.blockIdx[0], teams.blockIdx[1],
                  teams.blockIdx[2], teams.width})
        ->setDoesNotThrow();
  };
  if (eachRow) {
    callForRows(teams.header, teams.latch, rows, call);
    return f;
  }
  b.SetInsertPoint(teams.header);
  call(b);
  b.CreateBr(teams.latch);
  return f;
}

Function *createTeamEntry(Function &team, const Twine &name, bool eachRow,
                          const TeamForm &form) {
  Module &m = *team.getParent();
  Function *loop = teamsFunction(m, team, eachRow, form);
  Function *f = createBlockFunction(m, name, /*takesTeam=*/false);
  copyAttributes(*f, team);
  IRBuilder<> b(&f->getEntryBlock());
  CallInst *call =
      b.CreateCall(loop, {f->getArg(0), f->getArg(1), f->getArg(2), &team});
  call->setDoesNotThrow();
  call->setTailCall();
  b.CreateRetVoid();
  return f;
}

} // namespace xcc::block
