// Sanitizers and coverage in code of the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end has marked what is to be checked. The passes are Clang's for
// the host, and come where its come: last, when block functions are made. What
// they call is in the program, which is linked with the sanitizer's library.

#ifndef XCC_BACKEND_TARGETS_CPU_INSTRUMENT_H
#define XCC_BACKEND_TARGETS_CPU_INSTRUMENT_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace llvm {
class PassBuilder;
}

namespace xcc::cpu {

/// Whether a function is instrumented: then reports walk stacks.
bool isInstrumented(const llvm::Function &function);

/// Does the code count for -fprofile-instr-generate?
bool hasCounters(const llvm::Module &module);
/// Makes variables of the counters that -fprofile-instr-generate asked for, and
/// says in the image where they are.
void addCounters(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

/// The same for gcov (--coverage).
bool hasArcs(const llvm::Module &module);
void addArcs(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
/// When all passes have run: where libxcc finds what writes the counts.
void provideArcs(llvm::Module &module);

/// Registers the passes that the module's functions ask for.
void addInstrumentation(llvm::PassBuilder &builder, llvm::Module &module);

/// Lets an image be linked without the libraries of sanitizers.
void leaveToProgram(llvm::Module &module);
/// Has the dynamic linker refuse a linked image, naming the symbol, where the
/// program does not define what leaveToProgram left to it.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
demandOfProgram(std::unique_ptr<llvm::MemoryBuffer> image);

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_INSTRUMENT_H
