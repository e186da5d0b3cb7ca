// -foffload-host-calls: calls of functions without device code go to the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GeneratedCalls.h"
#include "GeneratedEntries.h"
#include "Names.h"
#include "kernels/find/FunctionObjects.h"
#include "kernels/walk/DeviceWalk.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace xcc {
namespace {

/// Collects calls that may become calls of the host, in the order of the walk.
class Collector : public DeviceWalk {
public:
  Collector(Sema &sema, const Target &target) : DeviceWalk(sema, target) {}

  struct Met {
    FunctionDecl *function;
    SourceLocation at;
    CallExpr *call; ///< of a variadic function; else null
  };
  std::vector<Met> met;

private:
  llvm::SmallPtrSet<const CallExpr *, 8> calls;

  void call(CallExpr *call) override {
    FunctionDecl *callee = call->getDirectCallee();
    if (callee && callee->isVariadic() && !callee->getDefinition() &&
        !callee->getBuiltinID() && !inStandardLibrary(callee) &&
        !isAnnotated(callee, annotation::Export) &&
        !isAnnotated(callee, annotation::Host) && calls.insert(call).second)
      met.push_back({callee, call->getExprLoc(), call});
  }
  void undefined(const FunctionDecl *function, SourceLocation at) override {
    if (auto why = whyNotHostCall(function); why && why->empty())
      met.push_back({const_cast<FunctionDecl *>(function), at, nullptr});
  }
};

} // namespace

void redirectVariadicCalls(Sema &sema, llvm::ArrayRef<FoundKernel> kernels,
                           llvm::ArrayRef<FunctionDecl *> exported,
                           const Target &target) {
  Collector walk(sema, target);
  for (const FoundKernel &kernel : kernels)
    walk.addEntry(kernel.body, kernel.launch, kernel.info.name);
  for (FunctionDecl *function : exported)
    walk.addEntry(function, function->getLocation(), {});
  walk.run();
  for (const Collector::Met &each : walk.met)
    if (each.call)
      generateVariadicCall(sema, each.call, target.sharesHostMemory());
}

/// Adds all that device code of a unit can reach on the host.
static void addEntries(Collector &walk, llvm::ArrayRef<Decl *> decls,
                       llvm::ArrayRef<FoundKernel> kernels) {
  for (const FoundKernel &kernel : kernels) {
    if (kernel.function) {
      walk.addEntry(kernel.function, kernel.launch, kernel.info.name);
      continue;
    }
    for (FunctionDecl *call :
         callOperators(objectOf(kernel.entry)->getAsCXXRecordDecl()))
      walk.addEntry(call, kernel.launch, kernel.info.name);
  }
  for (FunctionDecl *function : exportedFunctions(decls))
    walk.addEntry(function, function->getLocation(), {});
}

void generateHostEntries(Sema &sema, llvm::ArrayRef<Decl *> decls,
                         llvm::ArrayRef<FoundKernel> kernels,
                         llvm::ArrayRef<const Target *> targets) {
  struct Generated {
    SourceLocation at;
    bool shared;
  };
  llvm::MapVector<FunctionDecl *, Generated> generated;
  llvm::SmallPtrSet<const FunctionDecl *, 8> variadic;
  for (const Target *target : targets) {
    Collector walk(sema, *target);
    addEntries(walk, decls, kernels);
    walk.run();
    const bool shared = target->sharesHostMemory();
    for (const Collector::Met &each : walk.met)
      if (!each.call ||
          (generateVariadicCall(sema, each.call, shared) &&
           variadic.insert(each.function->getCanonicalDecl()).second))
        generated.insert({each.function, {each.at, shared}});
  }
  for (auto [function, how] : generated)
    generateHostCall(sema, function, how.at, how.shared);
}

} // namespace xcc
