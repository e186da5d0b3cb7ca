// Sanitizers and coverage in code of the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end has marked which functions to instrument. The passes are those
// that Clang uses for the host, at the same place: the end of the pipeline,
// after block functions are made. They call functions of the program, which is
// linked with the sanitizer's library.

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

/// Whether a function is instrumented with a sanitizer whose reports walk
/// stacks.
bool isInstrumented(const llvm::Function &function);

/// Whether the code counts for -fprofile-instr-generate.
bool hasCounters(const llvm::Module &module);
/// Creates the variables for the counters of -fprofile-instr-generate, and
/// records in the image where they are.
void addCounters(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

/// The same for gcov (--coverage).
bool hasArcs(const llvm::Module &module);
void addArcs(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
/// Records in the image which function writes the counts. Call it after all
/// passes.
void provideArcs(llvm::Module &module);

/// Registers the passes that the module's functions ask for.
void addInstrumentation(llvm::PassBuilder &builder, llvm::Module &module);

/// Makes it possible to link an image without the libraries of sanitizers.
void makeWeak(llvm::Module &module);
/// Reverts makeWeak in a linked image: if the program does not define one
/// of the symbols, the dynamic linker rejects the image and names the symbol.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
makeStrong(std::unique_ptr<llvm::MemoryBuffer> image);

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_INSTRUMENT_H
