// Host code of GPU code, by LLVM
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers are local variables of the host's function, vectors of a value for
// each lane, so that LLVM keeps them where it likes. The function begins where the
// simulator says, with what the registers hold; wherever it leaves, it stores
// those that are still needed, for active lanes.

#include "access.h"
#include "lower.h"

#include <llvm/ExecutionEngine/ExecutionEngine.h>
#include <llvm/ExecutionEngine/MCJIT.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Utils.h>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>

namespace simulator {

namespace {

using llvm::BasicBlock;
using llvm::Value;

class Writer final : public Registers {
public:
  Writer(const LaneCode &code, llvm::Function &f)
      : code(code), f(f), c(f.getContext()), b(c), state(f.getArg(0)) {}
  void write();

  Value *read(uint32_t reg) override {
    return b.CreateLoad(typeOf(reg), variables[reg]);
  }
  void write(uint32_t reg, Value *v) override {
    b.CreateStore(v, variables[reg]);
  }
  bool anyNaN(uint32_t reg) const override {
    return code.registers[reg].number;
  }

private:
  llvm::Type *typeOf(uint32_t reg) {
    const unsigned bytes = code.registers[reg].bytes;
    if (!bytes)
      return b.getInt32Ty();
    return llvm::FixedVectorType::get(b.getIntNTy(8 * bytes), Lanes);
  }
  Value *field(size_t offset) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), state, offset);
  }
  Value *place(uint32_t reg) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), frame,
                                        code.registers[reg].at);
  }
  llvm::Align alignOf(uint32_t reg) {
    return llvm::Align(code.registers[reg].bytes ? 32 : 4);
  }
  Value *loaded(uint32_t reg) {
    return b.CreateAlignedLoad(typeOf(reg), place(reg), alignOf(reg));
  }
  void store(uint32_t reg);
  BasicBlock *leaveAt(uint32_t pc);
  BasicBlock *blockAt(uint32_t pc);
  void findChanged();
  void makeVariables();
  void begin();
  void begin(const LaneBlock &block);
  void end(const LaneBlock &block);
  void endUnless(Value *goesOn);
  Value *windowOf(const LaneOperation &o);
  void call(const LaneOperation &o);
  void access(const LaneOperation &o);
  void writeExits();

  const LaneCode &code;
  llvm::Function &f;
  llvm::LLVMContext &c;
  llvm::IRBuilder<> b;
  Value *state;
  Value *frame = nullptr, *lanes = nullptr, *meeting = nullptr, *most = nullptr;
  Value *left = nullptr; ///< how many instructions may still be executed
  BasicBlock *failed = nullptr;
  std::vector<Value *> variables;
  std::vector<bool> changed, used; ///< by register
  std::map<uint32_t, BasicBlock *> blocks, exits;
  std::map<uint32_t, const LaneExit *> places;
};

/// A register's value for active lanes, to the simulator's memory.
void Writer::store(uint32_t reg) {
  Value *v = read(reg), *old = loaded(reg);
  if (anyNaN(reg))
    v = withOneNaN(b, v);
  if (!code.registers[reg].bytes)
    v = b.CreateOr(b.CreateAnd(v, lanes), b.CreateAnd(old, b.CreateNot(lanes)));
  else
    v = b.CreateSelect(spread(b, lanes), v, old);
  b.CreateAlignedStore(v, place(reg), alignOf(reg));
}

BasicBlock *Writer::leaveAt(uint32_t pc) {
  BasicBlock *&at = exits[pc];
  if (!at)
    at = BasicBlock::Create(c, "leave." + llvm::Twine(pc), &f);
  return at;
}
BasicBlock *Writer::blockAt(uint32_t pc) {
  auto found = blocks.find(pc);
  return found == blocks.end() ? leaveAt(pc) : found->second;
}

void Writer::findChanged() {
  changed.resize(code.registers.size());
  used.resize(code.registers.size());
  auto uses = [&](const LaneOperand &o) {
    if (o.is == LaneOperand::Register)
      used[o.reg] = true;
  };
  for (const LaneBlock &block : code.blocks) {
    uses(block.condition);
    for (const LaneOperation &o : block.operations) {
      for (const LaneOperand *each :
           {&o.guard, &o.to, &o.a, &o.b, &o.c, &o.second})
        uses(*each);
      for (const LaneOperand *each : {&o.to, &o.second})
        if (each->is == LaneOperand::Register)
          changed[each->reg] = true;
    }
  }
}

void Writer::makeVariables() {
  for (uint32_t reg = 0; reg != code.registers.size(); ++reg)
    variables.push_back(used[reg] ? b.CreateAlloca(typeOf(reg)) : nullptr);
}

/// Where control comes in.
void Writer::begin() {
  b.SetInsertPoint(BasicBlock::Create(c, "begin", &f));
  makeVariables();
  left = b.CreateAlloca(b.getInt64Ty());
  frame = b.CreateLoad(b.getPtrTy(), field(offsetof(LaneState, registers)));
  lanes = b.CreateLoad(b.getInt32Ty(), field(offsetof(LaneState, lanes)));
  meeting = b.CreateLoad(b.getInt32Ty(), field(offsetof(LaneState, meeting)));
  most = b.CreateLoad(b.getInt64Ty(), field(offsetof(LaneState, most)));
  b.CreateStore(most, left);
  Value *pc = b.CreateLoad(b.getInt32Ty(), field(offsetof(LaneState, pc)));
  BasicBlock *nowhere = BasicBlock::Create(c, "nowhere", &f);
  llvm::SwitchInst *to = b.CreateSwitch(pc, nowhere);
  b.SetInsertPoint(nowhere);
  b.CreateUnreachable();
  for (const LaneBlock &block : code.blocks) {
    if (!block.entry)
      continue;
    BasicBlock *enter = BasicBlock::Create(c, "enter", &f);
    to->addCase(b.getInt32(block.pc), enter);
    b.SetInsertPoint(enter);
    for (uint32_t reg : places.at(block.pc)->live)
      if (used[reg])
        write(reg, loaded(reg));
    b.CreateBr(blocks.at(block.pc));
  }
}

/// Whether the block may be executed as a whole.
void Writer::begin(const LaneBlock &block) {
  b.SetInsertPoint(blocks.at(block.pc));
  Value *may = b.CreateLoad(b.getInt64Ty(), left);
  Value *stops = b.CreateICmpULT(may, b.getInt64(block.count));
  if (block.meets)
    stops = b.CreateOr(stops, b.CreateICmpEQ(meeting, b.getInt32(block.pc)));
  BasicBlock *go = BasicBlock::Create(c, "go", &f);
  b.CreateCondBr(stops, leaveAt(block.pc), go);
  b.SetInsertPoint(go);
  // Others may have changed memory since another block was executed.
  b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent,
                llvm::SyncScope::SingleThread);
  b.CreateStore(b.CreateSub(may, b.getInt64(block.count)), left);
}

void Writer::end(const LaneBlock &block) {
  if (block.end == LaneBlock::Falls) {
    b.CreateBr(blockAt(block.next));
    return;
  }
  if (block.end == LaneBlock::Goes) {
    b.CreateBr(blockAt(block.target));
    return;
  }
  Value *go = b.CreateAnd(readMask(b, *this, block.condition), lanes);
  BasicBlock *some = BasicBlock::Create(c, "some", &f),
             *part = BasicBlock::Create(c, "part", &f);
  b.CreateCondBr(b.CreateICmpEQ(go, lanes), blockAt(block.target), some);
  b.SetInsertPoint(some);
  b.CreateCondBr(b.CreateICmpEQ(go, b.getInt32(0)), blockAt(block.next), part);
  // The branch is the simulator's.
  b.SetInsertPoint(part);
  b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt64Ty(), left), b.getInt64(1)),
                left);
  b.CreateBr(leaveAt(block.pc + block.count - 1));
}

void Writer::call(const LaneOperation &o) {
  for (uint32_t reg : o.reads)
    if (used[reg] && changed[reg])
      store(reg);
  Value *of = lanes, *guard = nullptr;
  BasicBlock *behind = BasicBlock::Create(c, "behind", &f);
  if (o.guard.is != LaneOperand::None) {
    guard = readMask(b, *this, o.guard);
    of = b.CreateAnd(lanes, guard);
    BasicBlock *any = BasicBlock::Create(c, "any", &f);
    b.CreateCondBr(b.CreateICmpEQ(of, b.getInt32(0)), behind, any);
    b.SetInsertPoint(any);
  }
  Value *done = callInstruction(
      b, state, b.getInt64(uint64_t(uintptr_t(o.instruction))), of);
  endUnless(done);
  for (uint32_t reg : o.writes) {
    if (!used[reg])
      continue;
    Value *v = loaded(reg);
    if (guard && code.registers[reg].bytes)
      v = b.CreateSelect(spread(b, of), v, read(reg));
    else if (guard)
      v = b.CreateOr(b.CreateAnd(v, of),
                     b.CreateAnd(read(reg), b.CreateNot(of)));
    write(reg, v);
  }
  b.CreateBr(behind);
  b.SetInsertPoint(behind);
}

void Writer::endUnless(Value *goesOn) {
  if (!failed) {
    failed = BasicBlock::Create(c, "failed", &f);
    llvm::ReturnInst::Create(c, failed);
  }
  BasicBlock *next = BasicBlock::Create(c, "next", &f);
  b.CreateCondBr(goesOn, next, failed);
  b.SetInsertPoint(next);
}

Value *Writer::windowOf(const LaneOperation &o) {
  if (o.space == LaneOperation::Shared)
    return field(offsetof(LaneState, shared));
  Value *table =
      b.CreateLoad(b.getPtrTy(), field(offsetof(LaneState, windows)));
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), table,
                                      o.window * sizeof(LaneWindow));
}

void Writer::access(const LaneOperation &o) {
  const bool loads = o.is == LaneOperation::Load;
  const LaneOperand &value = loads ? o.to : o.b;
  const bool inRegister = value.is == LaneOperand::Register;
  llvm::Function *to = accessFunction(
      *f.getParent(), o, inRegister ? code.registers[value.reg].bytes : 8);
  auto placeOf = [&](const LaneOperand &v) {
    return b.getInt64(v.is == LaneOperand::Register ? code.registers[v.reg].at
                                                    : NoRegister);
  };
  auto valueOf = [&](const LaneOperand &v, llvm::Type *type) -> Value * {
    if (v.is == LaneOperand::Constant)
      return llvm::ConstantInt::get(type, v.bits);
    Value *is = read(v.reg);
    return anyNaN(v.reg) ? withOneNaN(b, is) : is;
  };
  auto typeAt = [&](AccessArgument a) {
    return to->getArg(unsigned(a))->getType();
  };
  llvm::SmallVector<Value *, 10> arguments = {
      state,
      lanes,
      windowOf(o),
      b.getInt64(uint64_t(uintptr_t(o.instruction))),
      frame,
      placeOf(o.a),
      placeOf(value),
      b.getInt64(o.offset),
      valueOf(o.a, typeAt(AccessArgument::Addresses))};
  if (!loads)
    arguments.push_back(valueOf(o.b, typeAt(AccessArgument::Value)));
  Value *out = b.CreateCall(to, arguments);
  endUnless(loads ? b.CreateExtractValue(out, 1) : out);
  if (loads)
    write(o.to.reg, b.CreateExtractValue(out, 0));
}

void Writer::writeExits() {
  for (auto &[pc, at] : exits) {
    b.SetInsertPoint(at);
    for (uint32_t reg : places.at(pc)->live)
      if (used[reg] && changed[reg])
        store(reg);
    b.CreateStore(b.getInt32(pc), field(offsetof(LaneState, pc)));
    b.CreateStore(b.CreateSub(most, b.CreateLoad(b.getInt64Ty(), left)),
                  field(offsetof(LaneState, ran)));
    b.CreateRetVoid();
  }
}

void Writer::write() {
  for (const LaneExit &e : code.places)
    places[e.pc] = &e;
  findChanged();
  for (const LaneBlock &block : code.blocks)
    blocks[block.pc] = BasicBlock::Create(c, "at." + llvm::Twine(block.pc));
  begin();
  for (const LaneBlock &block : code.blocks) {
    blocks.at(block.pc)->insertInto(&f);
    begin(block);
    for (const LaneOperation &o : block.operations)
      if (o.is == LaneOperation::Call)
        call(o);
      else if (o.is == LaneOperation::Load || o.is == LaneOperation::Store)
        access(o);
      else
        lower(b, *this, o);
    end(block);
  }
  writeExits();
}

/// What a piece of host code needs as long as it exists.
struct Kept {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::ExecutionEngine> engine;
};

std::vector<std::string> hostFeatures() {
  std::vector<std::string> all;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    all.push_back((feature.second ? "+" : "-") + feature.first().str());
  // Also where the host is not quick at these: a branch for each lane is worse.
  all.push_back("-prefer-no-gather");
  all.push_back("-prefer-no-scatter");
  return all;
}

std::unique_ptr<llvm::Module> describe(const LaneCode &code, Kept &kept) {
  auto m = std::make_unique<llvm::Module>("lanes", kept.context);
  auto *type = llvm::FunctionType::get(
      llvm::Type::getVoidTy(kept.context),
      {llvm::PointerType::getUnqual(kept.context)}, false);
  auto *f = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "run",
                                   m.get());
  useWideVectors(*f);
  Writer(code, *f).write();
  return m;
}

void optimize(llvm::Module &m) {
  llvm::legacy::FunctionPassManager passes(&m);
  passes.add(llvm::createPromoteMemoryToRegisterPass());
  passes.add(llvm::createEarlyCSEPass());
  passes.add(llvm::createInstructionCombiningPass());
  passes.add(llvm::createCFGSimplificationPass());
  passes.add(llvm::createDeadCodeEliminationPass());
  passes.doInitialization();
  for (llvm::Function &f : m)
    passes.run(f);
  passes.doFinalization();
}

HostCode compile(const LaneCode &code, void **out, std::string &error) {
  static const bool begun = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)begun;
  auto kept = std::make_unique<Kept>();
  std::unique_ptr<llvm::Module> m = describe(code, *kept);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  llvm::EngineBuilder builder;
  std::unique_ptr<llvm::TargetMachine> machine(
      builder.setEngineKind(llvm::EngineKind::JIT)
          .setErrorStr(&error)
          .setTargetOptions(options)
          .setOptLevel(llvm::CodeGenOptLevel::Default)
          .setMCPU(llvm::sys::getHostCPUName())
          .setMAttrs(hostFeatures())
          .selectTarget());
  if (!machine)
    return nullptr;
  m->setDataLayout(machine->createDataLayout());
  m->setTargetTriple(machine->getTargetTriple());
  optimize(*m);
  if (getenv("XCC_SIM_PRINT_CODE"))
    m->print(llvm::errs(), nullptr);
  kept->engine.reset(llvm::EngineBuilder(std::move(m))
                         .setEngineKind(llvm::EngineKind::JIT)
                         .setErrorStr(&error)
                         .create(machine.release()));
  if (!kept->engine)
    return nullptr;
  const uint64_t at = kept->engine->getFunctionAddress("run");
  if (!at) {
    error = "no code was generated";
    return nullptr;
  }
  *out = kept.release();
  return reinterpret_cast<HostCode>(at);
}

void release(void *kept) { delete static_cast<Kept *>(kept); }

} // namespace
} // namespace simulator

extern "C" __attribute__((visibility("default")))
const simulator::LaneCompiler *
xcc_lane_compiler(const char *build) {
  static constexpr simulator::LaneCompiler all = {simulator::compile,
                                                  simulator::release};
  return std::string_view(build) == XCC_VERSION ? &all : nullptr;
}
