// Links device libraries into a module
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceLibraries.h"
#include "Names.h"
#include "SignatureTypes.h"
#include "exceptions/Exceptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace xcc {
namespace {

/// Opens a device library. LLVM reads only the functions that are needed.
Expected<std::unique_ptr<Module>> openLibrary(StringRef path,
                                              LLVMContext &context) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "cannot read the device library '" + path +
                                 "': " + buffer.getError().message() +
                                 "; is xcc installed completely?");
  auto library = getOwningLazyBitcodeModule(std::move(*buffer), context);
  if (!library)
    return createStringError("cannot read the device library '" + path +
                             "': " + toString(library.takeError()));
  return library;
}

/// Whether a header of the C library defines the function for inlining.
bool hasHostsBody(const Function &function) {
  return function.hasAvailableExternallyLinkage() &&
         !function.getName().starts_with("_Z");
}

/// Whether the value is an instantiation of a template of the C++ library's
/// headers. A variable whose initialiser was computed has become internal.
bool hasHeadersBody(const GlobalObject &value) {
  return (value.isWeakForLinker() || isa<GlobalVariable>(value)) &&
         !value.isDeclaration() &&
         (value.getName().starts_with("_ZNSt") ||
          value.getName().starts_with("_ZNKSt") ||
          value.getName().starts_with("_ZSt"));
}

void makeDeclaration(GlobalObject &value) {
  if (auto *function = dyn_cast<Function>(&value))
    function->deleteBody();
  else
    cast<GlobalVariable>(value).setInitializer(nullptr);
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setComdat(nullptr);
}

/// Removes bodies that come from the host's headers if the device's libraries
/// have the function. Such a body in the C library may depend on the host's
/// objects (getc_unlocked reads a FILE). In the C++ library, it may be an
/// instantiation of a template that "extern template" declares.
Error dropHostsBodies(Module &module, ArrayRef<std::string> paths) {
  for (const std::string &path : paths) {
    auto library = openLibrary(path, module.getContext());
    if (!library)
      return library.takeError();
    for (GlobalObject &value : module.global_objects()) {
      auto *function = dyn_cast<Function>(&value);
      const bool hosts = function && hasHostsBody(*function);
      if (!hosts && !hasHeadersBody(value))
        continue;
      // Keep functions of headers that throw: their exceptions can be caught.
      if (exceptions::keepsUnwinding(module) &&
          value.getName().contains("__throw_"))
        continue;
      const GlobalValue *own = (*library)->getNamedValue(value.getName());
      if (own && !own->isDeclaration() && (hosts || !own->hasLinkOnceLinkage()))
        makeDeclaration(value);
    }
  }
  return Error::success();
}

bool lacksSomething(const Module &module) {
  return any_of(module.global_objects(), isUndefined);
}

/// Names of the program's functions that OpenCL C may have too: C++ and libclc
/// both mangle rsqrt(double) as _Z5rsqrtd. Members and namespaces are mangled
/// differently.
StringSet<> namesLikeOpenCL(const Module &module) {
  StringSet<> names;
  for (const Function &function : module)
    if (StringRef name = function.getName();
        name.consume_front("_Z") && !name.empty() && isDigit(name.front()))
      names.insert(function.getName());
  return names;
}

/// Whether the file is libclc, or xcc's library that calls it. xcc's own path
/// does not count.
bool isOpenCL(StringRef path) {
  return sys::path::filename(path).contains("libclc") ||
         sys::path::filename(sys::path::parent_path(path)) == "clc";
}

/// Renames such functions in the libraries that define and use them.
void renameOpenCL(Module &library, StringRef path,
                  const StringSet<> &programs) {
  if (!isOpenCL(path))
    return;
  for (const auto &name : programs)
    if (Function *function = library.getFunction(name.getKey()))
      function->setName("__xcc_clc" + name.getKey());
}

/// Links the functions that a module needs from a device library.
Error addLibrary(Module &module, StringRef path,
                 const StringSet<> &programs = {}) {
  auto library = openLibrary(path, module.getContext());
  if (!library)
    return library.takeError();
  renameOpenCL(**library, path, programs);
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  // The program may still have a comdat of a function that was removed.
  for (GlobalObject &value : (*library)->global_objects())
    value.setComdat(nullptr);
  // Drop version flags of the tools that made the library.
  if (NamedMDNode *flags = (*library)->getModuleFlagsMetadata())
    flags->eraseFromParent();
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded))
    return createStringError("cannot link the device library '" + path + "'");
  return Error::success();
}

/// If device code never calls std::set_terminate, no handler can be called:
/// defines an empty function.
void leaveTerminateHandler(Module &module) {
  if (module.getFunction("_ZSt13set_terminatePFvvE"))
    return;
  LLVMContext &context = module.getContext();
  auto *none = FunctionType::get(Type::getVoidTy(context), false);
  Function *call = Function::Create(none, GlobalValue::LinkOnceODRLinkage,
                                    "__xcc_call_terminate_handler", module);
  call->setVisibility(GlobalValue::HiddenVisibility);
  call->setDoesNotThrow();
  ReturnInst::Create(context, BasicBlock::Create(context, "", call));
}

/// If a handler may catch exceptions, links the functions that throw.
Error addExceptions(Module &module, const Target &target,
                    const DeviceCodegenOptions &how) {
  if (!catches(module, target, how))
    return Error::success();
  const auto *file = find_if(target.runtimeFiles(), [](StringRef name) {
    return name.starts_with("exceptions-");
  });
  exceptions::keepUnwinding(module, target.sharesHostMemory());
  return addLibrary(module, how.runtimeDirectory + "/" + file->str());
}

/// Libraries that are opened when first needed.
class LazyLibraries {
public:
  explicit LazyLibraries(std::vector<std::string> paths)
      : paths(std::move(paths)) {}

  bool define(StringRef symbol) {
    for (const std::string &path : std::exchange(paths, {})) {
      auto library = openLibrary(path, context);
      if (library)
        opened.push_back(std::move(*library));
      else
        consumeError(library.takeError());
    }
    return any_of(opened, [&](const auto &library) {
      const GlobalValue *own = library->getNamedValue(symbol);
      return own && !own->isDeclarationForLinker();
    });
  }

private:
  std::vector<std::string> paths;
  LLVMContext context;
  std::vector<std::unique_ptr<Module>> opened;
};

} // namespace

bool catches(const Module &module, const Target &target,
             const DeviceCodegenOptions &how) {
  return !(how.program && target.runsHostPrograms()) &&
         exceptions::hasHandlers(module);
}

std::function<bool(StringRef symbol)>
definedByLibraries(const Module &module, const Target &target, StringRef arch,
                   const DeviceCodegenOptions &how) {
  auto paths = target.libraries(arch, how);
  if (!paths) {
    consumeError(paths.takeError());
    return nullptr;
  }
  auto libraries = std::make_shared<LazyLibraries>(std::move(*paths));
  return [&module, &target, &how, libraries](StringRef symbol) {
    // Functions that exceptions need disappear before libraries are linked.
    return module.getFunction((GeneratedPrefix + symbol).str()) ||
           symbol.starts_with("__xcc_") || symbol.starts_with("__cxa_") ||
           symbol.starts_with("_Unwind_") || symbol == "__gxx_personality_v0" ||
           target.hostProvides(symbol, how) || libraries->define(symbol);
  };
}

Error addLibraries(Module &module, const KernelTable &entries,
                   const Target &target, StringRef arch,
                   const DeviceCodegenOptions &how) {
  Expected<std::vector<std::string>> paths = target.libraries(arch, how);
  if (!paths)
    return paths.takeError();
  leaveTerminateHandler(module);
  if (Error error = addExceptions(module, target, how))
    return error;
  if (any_of(module, hasHostsBody) ||
      any_of(module.global_objects(), hasHeadersBody))
    if (Error error = dropHostsBodies(module, *paths))
      return error;
  const StringSet<> programs = namesLikeOpenCL(module);
  target.prepareForLibraries(module);
  for (const std::string &path : *paths) {
    if (!lacksSomething(module))
      break;
    if (Error error = addLibrary(module, path, programs))
      return error;
  }
  passStructuresUnnamed(module);
  target.joinLibraries(module);
  if (exceptions::keepsUnwinding(module))
    exceptions::lower(module, entries, target.sharesHostMemory());
  return Error::success();
}

} // namespace xcc
