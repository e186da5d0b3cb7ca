// From device modules to images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceLink.h"
#include "AdoptedOptions.h"
#include "Diagnostics.h"
#include "DuplicateKernels.h"
#include "Embed.h"
#include "Generate.h"
#include "GlobalUses.h"
#include "Initialisers.h"
#include "LayoutNotes.h"
#include "LibraryExports.h"
#include "LibraryImports.h"
#include "Members.h"
#include "Names.h"
#include "Portable.h"
#include "Program.h"
#include "Reached.h"
#include "ThreadVariables.h"
#include "UnpackInputs.h"
#include "exceptions/Exceptions.h"
#include "exceptions/Throws.h"
#include "images/grid_symbol.h"
#include "images/library_row.h"
#include "support/Files.h"
#include "targets/Codegen.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace llvm;
using namespace llvm::object;

namespace xcc {
namespace {

Expected<std::unique_ptr<Module>> load(MemoryBufferRef bitcode,
                                       LLVMContext &context) {
  auto module = parseBitcodeFile(bitcode, context);
  if (!module)
    return createStringError("cannot read the device code of '" +
                             bitcode.getBufferIdentifier() +
                             "': " + toString(module.takeError()) +
                             "; is the file damaged? Compile it again");
  return module;
}

/// Everything a linked unit's device code is for one target.
class UnitLink {
public:
  explicit UnitLink(const Target &target) : target(target) {}

  const Target &target;
  std::vector<DeviceModule *> inputs;
  std::vector<std::string> archs;
  KernelTable kernels; ///< of all inputs, each symbol once
  DeviceCodegenOptions codegen;
  decltype(DeviceLinkOptions::definedElsewhere) definedElsewhere;
  std::string library; ///< as in DeviceLinkOptions
  decltype(DeviceLinkOptions::inHostLink) inHostLink;
  decltype(DeviceLinkOptions::plainUserOf) plainUserOf;

  Error addKernels() {
    StringMap<std::pair<const Kernel *, const DeviceModule *>> seen;
    for (const auto &[number, input] : enumerate(inputs))
      for (const Kernel &kernel : input->kernels) {
        auto [at, fresh] = seen.try_emplace(kernel.symbol, &kernel, input);
        if (fresh) {
          unitsOfKernels[kernel.symbol] = number;
          kernels.push_back(kernel);
          continue;
        }
        std::string difference = layoutDifference(*at->second.first, kernel);
        if (!difference.empty())
          return createStringError("kernel '" + kernel.name +
                                   "' is not the same in '" +
                                   at->second.second->origin + "' and '" +
                                   input->origin + "': " + difference);
      }
    return Error::success();
  }

  /// Bitcode of every input, so that each arch can have its own context. A
  /// lone module for a lone arch is used as it is.
  void prepare(size_t archCount) {
    if (archCount == 1 && inputs.size() == 1 && library.empty())
      return;
    for (DeviceModule *input : inputs) {
      if (!input->module)
        continue;
      SmallString<0> bytes;
      raw_svector_ostream os(bytes);
      WriteBitcodeToFile(*input->module, os);
      input->bitcode = MemoryBuffer::getMemBufferCopy(bytes, input->origin);
      input->module.reset();
    }
  }

  /// Leaves out members of archives that nothing needs.
  Error choose() {
    if (inputs.size() == 1)
      return Error::success();
    Expected<bool> dropped = dropUnusedKernels(inputs, inHostLink);
    if (!dropped)
      return dropped.takeError();
    if (*dropped && !kernels.empty()) {
      kernels.clear();
      unitsOfKernels.clear();
      if (Error error = addKernels())
        return error;
    }
    copy_if(inputs, std::back_inserter(libraries),
            [](DeviceModule *input) { return !input->exports.empty(); });
    Expected<Overruled> chosen = chooseMembers(inputs, inHostLink);
    if (!chosen)
      return chosen.takeError();
    overruled = std::move(*chosen);
    return Error::success();
  }

  /// Does without variables for others, of a library, that cannot be linked.
  Expected<std::vector<DeviceImage>> image(StringRef arch) {
    for (bool again = !library.empty();; again = false) {
      std::vector<std::string> lacking;
      auto made = tryImage(arch, codegen.lto, lacking);
      if (made || library.empty())
        return made;
      std::string why = toString(made.takeError());
      if (!(again && !lacking.empty() && shared.giveUp(lacking, why)) &&
          !shared.giveUp({}, why))
        return createStringError(why);
    }
  }

  /// What the library has for others; nothing when it exports nothing.
  Expected<DeviceLinkResult::Export> exports() {
    DeviceLinkResult::Export result;
    LLVMContext context;
    std::string errors;
    std::vector<std::string> remarks;
    context.setDiagnosticHandler(collectDiagnostics(errors, remarks, codegen));
    std::unique_ptr<Module> module;
    CompiledFor how;
    for (DeviceModule *input : inputs) {
      if (!input->exports.empty())
        continue;
      if (Error error = add(*input, module, context, errors))
        return std::move(error);
      for (const DeviceArch &arch : input->archs)
        if (!is_contained(how.archs, arch.arch))
          how.archs.push_back(arch.arch);
    }
    if (!module)
      return result;
    if (sharesThreadVariables())
      useThreadVariables(*module, inputs);
    useLibraries(*module, inputs);
    dropGlobalUses(*module);
    dropLayouts(*module);
    result.triple = target.triple();
    result.text = makeExports(*module, library, kernels, shared);
    if (!result.text.empty())
      result.code = packExports(target, *module, result.text, how);
    return result;
  }

private:
  std::vector<DeviceModule *> libraries; ///< those that export something
  Overruled overruled;
  SharedVariables shared;
  StringMap<unsigned> unitsOfKernels; ///< numbers of inputs, by symbol

  /// Whether threads of a kernel may come to code of other images.
  bool severalImages() const {
    return !codegen.program &&
           (!library.empty() || any_of(inputs, [](const DeviceModule *input) {
             return !input->exports.empty();
           }));
  }
  /// With thread_local variables, of which a thread has one for all.
  bool sharesThreadVariables() const {
    return target.hasThreadLocals() && severalImages();
  }

  /// Joins an input's bitcode with what is there.
  Error add(DeviceModule &input, std::unique_ptr<Module> &module,
            LLVMContext &context, const std::string &errors,
            StringMap<unsigned> *definers = nullptr) const {
    auto part = load(input.bitcode->getMemBufferRef(), context);
    if (!part)
      return part.takeError();
    if (auto lost = overruled.find(&input); lost != overruled.end())
      dropDefinitions(**part, lost->second);
    if (input.exports.empty() && sharesThreadVariables())
      shareThreadVariables(**part);
    if (!library.empty() && input.exports.empty())
      nameShared(**part);
    if (definers)
      for (const Function &function : **part)
        if (function.hasExternalLinkage() && !function.isDeclaration())
          definers->try_emplace(function.getName(),
                                find(inputs, &input) - inputs.begin());
    if (!module)
      module = std::move(*part);
    else if (Linker::linkModules(*module, std::move(*part)))
      return createStringError(StringRef(errors).rtrim());
    return Error::success();
  }

  /// `lacking` is told of what nothing defined.
  Expected<std::vector<DeviceImage>>
  tryImage(StringRef arch, OffloadLTO lto, std::vector<std::string> &lacking) {
    std::unique_ptr<LLVMContext> ownContext;
    std::unique_ptr<Module> module;
    LLVMContext *context;
    if (inputs.size() == 1 && inputs.front()->module) {
      context = inputs.front()->context.get();
      module = std::move(inputs.front()->module);
    } else {
      ownContext = std::make_unique<LLVMContext>();
      context = ownContext.get();
    }
    std::string errors;
    std::vector<std::string> remarks;
    context->setDiagnosticHandler(collectDiagnostics(errors, remarks, codegen));
    auto failed = [&]() -> Error {
      return createStringError(StringRef(errors).rtrim());
    };

    StringMap<unsigned> definers = unitsOfKernels;
    if (!module)
      for (DeviceModule *input : inputs)
        if (Error error = add(*input, module, *context, errors,
                              lto == OffloadLTO::None ? &definers : nullptr))
          return std::move(error);
    DeviceCodegenOptions how = codegen;
    how.archs = archs;
    // A program is one: its kernels share all of it.
    how.lto = how.program ? OffloadLTO::Full : lto;
    KernelTable entries = kernels;
    if (!how.program) {
      if (sharesThreadVariables())
        useThreadVariables(*module, inputs);
      useLibraries(*module, inputs);
    }
    if (!library.empty()) {
      if (isPortable(arch))
        shareNothing(*module); // each of its groups has variables of its own
      else
        shared.expose(*module);
      if (entries.empty() && sharedIn(*module).empty())
        return std::vector<DeviceImage>();
    }
    std::vector<std::string> warnings, onHost, classWarnings;
    const InitialiserContext known =
        initialiserContext(*module, arch, how, warnings);
    if (!how.program)
      dropOptional(*module, entries, known.isProvided, onHost);
    if (!how.program)
      compareGlobals(*module, entries, plainUserOf, warnings);
    dropGlobalUses(*module);
    compareLayouts(*module, classWarnings);
    dropLayouts(*module);
    if (!how.program)
      makeInitialisers(*module, target, entries, known);
    else if (Error error = makeProgram(*module, target, entries))
      return std::move(error);
    std::string imports;
    // A program of the host's kind is linked as the host's are.
    if (!how.program || !target.runsHostPrograms()) {
      if (Error error = keepReached(*module, entries, arch, how, imports))
        return std::move(error);
      target.checkVariables(*module, warnings);
      if (module->getNamedGlobal(XCC_SYMBOL_IMPORTS) ||
          (!library.empty() && any_of(sharedIn(*module), [](auto *variable) {
            return !variable->isConstant();
          })))
        module->addModuleFlag(Module::Override, SharesVariablesFlag, 1);
      if (severalImages() && !isPortable(arch))
        module->addModuleFlag(Module::Override, SeveralImagesFlag, 1);
      how.notesOfLacking =
          [&lacking, notes = std::move(how.notesOfLacking)](StringRef symbol) {
            lacking.push_back(symbol.str());
            return notes(symbol);
          };
      if (Error error = addLibraries(*module, entries, arch, how))
        return std::move(error);
      useGenerated(*module);
      keepKernels(*module, entries);
    }
    if (isPortable(arch) && module->getNamedGlobal(XCC_SYMBOL_IMPORTS))
      return createStringError(
          "portable images share no variables with '" +
          rt::LibraryExports(imports).library +
          "', which kernels use here; name archs with --offload-arch=");
    std::string together; // units that were to be apart: why
    auto nameVariables = [&](std::vector<DeviceImage> &images) {
      if (lto == OffloadLTO::None && inputs.size() > 1 && !together.empty() &&
          !images.empty())
        images.front().notes.push_back("-foffload-lto=none: " + together);
      if (!images.empty()) {
        images.front().warnings = warnings;
        images.front().onHost = onHost;
        images.front().classWarnings = classWarnings;
      }
      for (DeviceImage &image : images)
        for (const Kernel &kernel : entries)
          if (!kernel.makes.empty())
            image.rows.column(kernel.symbol, "makes",
                              std::string_view(kernel.makes));
    };
    if (isPortable(arch)) {
      auto portable = makePortable(target, {*module, arch, entries, how});
      if (!errors.empty()) {
        if (!portable)
          consumeError(portable.takeError());
        return failed();
      }
      together = "portable device code is generated where the program runs, "
                 "kernels with all that they call";
      if (portable)
        nameVariables(*portable);
      return portable;
    }
    if (!how.saveTempsPrefix.empty()) {
      how.saveTempsPrefix += ("-" + arch).str();
      if (Error error = saveStages(*module, arch, entries, how))
        return std::move(error);
    }
    // What the runtime finds by name is in one part.
    if (how.program)
      together = "a program whose main runs on a device is one";
    if (!library.empty() || module->getNamedGlobal(XCC_SYMBOL_IMPORTS) ||
        module->getFunction(OwnFunctionTest)) {
      how.lto = OffloadLTO::Full;
      together = !library.empty() ? "the device code of a shared library is one"
                 : module->getNamedGlobal(XCC_SYMBOL_IMPORTS)
                     ? "kernels share variables with a shared library"
                     : "kernels that call through pointers are told from a "
                       "shared library's";
    }
    bool divided = false;
    auto result = generateImages(
        {module, target, arch, entries, how, errors, definers, together},
        divided);
    // Of all at once it is said better what is wrong.
    if (divided && (!errors.empty() || !result)) {
      std::string why = errors;
      if (!result)
        why += toString(result.takeError());
      auto whole = tryImage(arch, OffloadLTO::Full, lacking);
      if (whole && !whole->empty())
        whole->front().notes.push_back(
            "the device code for " + arch.str() +
            " is generated as a whole, since its parts could not be put "
            "together: " +
            StringRef(why).rtrim().str());
      return whole;
    }
    if (!errors.empty()) {
      if (!result)
        consumeError(result.takeError());
      return failed();
    }
    if (result && !result->empty())
      result->front().remarks = std::move(remarks);
    if (result) {
      nameVariables(*result);
      for (DeviceImage &image : *result)
        image.imports = imports;
    }
    return result;
  }

  /// What can be told of initialisers that nobody asked for by name.
  InitialiserContext initialiserContext(const Module &module, StringRef arch,
                                        const DeviceCodegenOptions &how,
                                        std::vector<std::string> &warnings) {
    InitialiserContext result;
    result.warnings = &warnings;
    result.notesOfLacking = [this, arch = DeviceArch{&target, arch.str()}](
                                StringRef symbol) -> std::string {
      return definedElsewhere ? definedElsewhere(symbol, arch) : "";
    };
    auto paths = target.libraries(arch, how);
    if (!paths) { // told of when they are linked
      consumeError(paths.takeError());
      return result;
    }
    auto context = std::make_shared<LLVMContext>();
    auto opened = std::make_shared<std::vector<std::unique_ptr<Module>>>();
    result.isProvided = [this, context, opened, &module, &how,
                         paths = std::move(*paths),
                         read = false](StringRef symbol) mutable {
      // What exceptions take goes before libraries are linked.
      if (module.getFunction((GeneratedPrefix + symbol).str()) ||
          symbol.starts_with("__xcc_") || symbol.starts_with("__cxa_") ||
          symbol.starts_with("_Unwind_") || symbol == "__gxx_personality_v0" ||
          target.hostProvides(symbol, how))
        return true;
      if (!std::exchange(read, true))
        for (const std::string &path : paths) {
          auto library = openLibrary(path, *context);
          if (library)
            opened->push_back(std::move(*library));
          else
            consumeError(library.takeError());
        }
      return any_of(*opened, [&](const auto &library) {
        const GlobalValue *own = library->getNamedValue(symbol);
        return own && !own->isDeclarationForLinker();
      });
    };
    return result;
  }

  /// Drops what other units export and no kernel reaches, before anything is
  /// done with it.
  Error keepReached(Module &module, KernelTable &entries, StringRef arch,
                    DeviceCodegenOptions &how, std::string &imports) const {
    StringSet<> symbols;
    for (const Kernel &kernel : entries)
      symbols.insert(kernel.symbol);
    auto isKept = [&](const GlobalValue &value) {
      return symbols.contains(value.getName()) || isShared(value) ||
             value.getName().starts_with(GeneratedPrefix) ||
             value.getName() == XCC_SYMBOL_RPC ||
             value.getName() == XCC_SYMBOL_GRID ||
             value.getName() == XCC_SYMBOL_TRAP_REPORT;
    };
    dropUnreached(module, isKept);
    exceptions::markThrows(module);
    if (!catches(module, how)) {
      exceptions::dropUnwinding(module);
      dropUnreached(module, isKept);
    }
    if (Error error = checkFaults(module, entries))
      return error;
    auto taken = lowerImports(module, target, libraries, entries);
    if (!taken)
      return taken.takeError();
    imports = std::move(*taken);
    auto ways = std::make_shared<StringMap<std::string>>(
        waysToLacking(module, entries));
    how.notesOfLacking = [ways, this, arch = DeviceArch{&target, arch.str()}](
                             StringRef symbol) -> std::string {
      auto known = ways->find(symbol);
      return (known == ways->end() ? "" : known->second) +
             (definedElsewhere ? definedElsewhere(symbol, arch) : "");
    };
    dropLinkNotes(module);
    return Error::success();
  }

  /// A device library, of which only what is asked for is read.
  static Expected<std::unique_ptr<Module>> openLibrary(StringRef path,
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

  /// A function of C for which a header has a body to be inlined.
  static bool hasHostsBody(const Function &function) {
    return function.hasAvailableExternallyLinkage() &&
           !function.getName().starts_with("_Z");
  }

  /// An instantiation of what the C++ library's headers have as templates. A
  /// variable whose initialiser was computed has become the module's own.
  static bool hasHeadersBody(const GlobalObject &value) {
    return (value.isWeakForLinker() || isa<GlobalVariable>(value)) &&
           !value.isDeclaration() &&
           (value.getName().starts_with("_ZNSt") ||
            value.getName().starts_with("_ZNKSt") ||
            value.getName().starts_with("_ZSt"));
  }

  static void makeDeclaration(GlobalObject &value) {
    if (auto *function = dyn_cast<Function>(&value))
      function->deleteBody();
    else
      cast<GlobalVariable>(value).setInitializer(nullptr);
    value.setLinkage(GlobalValue::ExternalLinkage);
    value.setComdat(nullptr);
  }

  /// Bodies in headers of the C library know what its objects are on the host
  /// (getc_unlocked: what is in a FILE). Where a device has a library function
  /// of that name, that is it. So is what a device's C++ library has where the
  /// program has an instantiation: of what "extern template" declares.
  static Error dropHostsBodies(Module &module, ArrayRef<std::string> paths) {
    for (const std::string &path : paths) {
      auto library = openLibrary(path, module.getContext());
      if (!library)
        return library.takeError();
      for (GlobalObject &value : module.global_objects()) {
        auto *function = dyn_cast<Function>(&value);
        const bool hosts = function && hasHostsBody(*function);
        if (!hosts && !hasHeadersBody(value))
          continue;
        // What a header throws itself can be caught.
        if (exceptions::keepsUnwinding(module) &&
            value.getName().contains("__throw_"))
          continue;
        const GlobalValue *own = (*library)->getNamedValue(value.getName());
        if (own && !own->isDeclaration() &&
            (hosts || !own->hasLinkOnceLinkage()))
          makeDeclaration(value);
      }
    }
    return Error::success();
  }

  static bool lacksSomething(const Module &module) {
    return any_of(module.global_objects(), isLacking);
  }

  /// Names of the program's that functions of OpenCL C have too: C++ and libclc
  /// both call rsqrt(double) _Z5rsqrtd. Members and namespaces have other names.
  static StringSet<> namesLikeOpenCL(const Module &module) {
    StringSet<> names;
    for (const Function &function : module)
      if (StringRef name = function.getName();
          name.consume_front("_Z") && !name.empty() && isDigit(name.front()))
        names.insert(function.getName());
    return names;
  }

  /// Is it libclc, or ours that calls that? Where xcc is installed does not count.
  static bool isOpenCL(StringRef path) {
    return sys::path::filename(path).contains("libclc") ||
           sys::path::filename(sys::path::parent_path(path)) == "clc";
  }

  /// Gives those functions other names in the files that define and use them.
  static void renameOpenCL(Module &library, StringRef path,
                           const StringSet<> &programs) {
    if (!isOpenCL(path))
      return;
    for (const auto &name : programs)
      if (Function *function = library.getFunction(name.getKey()))
        function->setName("__xcc_clc" + name.getKey());
  }

  /// Links what a module lacks and a device library has.
  static Error addLibrary(Module &module, StringRef path,
                          const StringSet<> &programs = {}) {
    auto library = openLibrary(path, module.getContext());
    if (!library)
      return library.takeError();
    renameOpenCL(**library, path, programs);
    (*library)->setDataLayout(module.getDataLayout());
    (*library)->setTargetTriple(module.getTargetTriple());
    // A group of the program's may be left of what gave way to this.
    for (GlobalObject &value : (*library)->global_objects())
      value.setComdat(nullptr);
    // Version stamps of the tools that made it.
    if (NamedMDNode *flags = (*library)->getModuleFlagsMetadata())
      flags->eraseFromParent();
    if (Linker::linkModules(module, std::move(*library),
                            Linker::LinkOnlyNeeded))
      return createStringError("cannot link the device library '" + path + "'");
    return Error::success();
  }

  /// Whether exceptions are caught by tests and branches: a whole program on the
  /// CPU device unwinds as on the host.
  bool catches(const Module &module, const DeviceCodegenOptions &how) const {
    return !(how.program && target.runsHostPrograms()) &&
           exceptions::hasHandlers(module);
  }

  /// What throws has to be caught where a handler may do so.
  Error addExceptions(Module &module, const DeviceCodegenOptions &how) {
    if (!catches(module, how))
      return Error::success();
    const auto *file = find_if(target.runtimeFiles(), [](StringRef name) {
      return name.starts_with("exceptions-");
    });
    exceptions::keepUnwinding(module, target.sharesHostMemory());
    return addLibrary(module, how.runtimeDirectory + "/" + file->str());
  }

  /// Where no device code calls std::set_terminate there is no handler to call.
  static void leaveTerminateHandler(Module &module) {
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

  Error addLibraries(Module &module, const KernelTable &entries, StringRef arch,
                     const DeviceCodegenOptions &how) {
    Expected<std::vector<std::string>> paths = target.libraries(arch, how);
    if (!paths)
      return paths.takeError();
    leaveTerminateHandler(module);
    if (Error error = addExceptions(module, how))
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
    if (exceptions::keepsUnwinding(module))
      exceptions::lower(module, entries, target.sharesHostMemory());
    return Error::success();
  }

  /// What -save-temps keeps of an arch before its image: the linked bitcode and
  /// the assembly.
  Error saveStages(const Module &module, StringRef arch,
                   const KernelTable &entries, DeviceCodegenOptions how) {
    auto write = [](const Twine &path,
                    function_ref<void(raw_ostream &)> fill) -> Error {
      std::string name = path.str();
      if (Error error = writeFile(name, fill))
        return createStringError("cannot write '" + name +
                                 "': " + toString(std::move(error)));
      return Error::success();
    };
    if (Error error = write(how.saveTempsPrefix + ".bc", [&](raw_ostream &os) {
          WriteBitcodeToFile(module, os);
        }))
      return error;
    how.output = DeviceOutput::Assembly;
    std::unique_ptr<Module> copy = CloneModule(module);
    auto assembly = target.codegen({*copy, arch, entries, how})->run();
    if (!assembly)
      return assembly.takeError();
    return write(how.saveTempsPrefix + ".s", [&](raw_ostream &os) {
      os << assembly->front().data->getBuffer();
    });
  }

  /// What nothing defines, the host does, if a translation unit was told so.
  static void useGenerated(Module &module) {
    SmallVector<Function *> generated;
    for (Function &function : module)
      if (function.getName().starts_with(GeneratedPrefix))
        generated.push_back(&function);
    for (Function *stub : generated) {
      Function *wanted = module.getFunction(
          stub->getName().drop_front(GeneratedPrefix.size()));
      if (!wanted || !wanted->isDeclaration() ||
          wanted->getFunctionType() != stub->getFunctionType())
        continue;
      for (User *user : wanted->users())
        if (auto *call = dyn_cast<CallBase>(user))
          call->setCallingConv(stub->getCallingConv());
      wanted->replaceAllUsesWith(stub);
    }
  }

  static void keepKernels(Module &module, const KernelTable &entries) {
    StringSet<> symbols;
    for (const Kernel &kernel : entries)
      symbols.insert(kernel.symbol);
    nameExports(module);
    // The runtime fills these in when it loads the image.
    internalizeModule(module, [&](const GlobalValue &value) {
      return symbols.contains(value.getName()) || isShared(value) ||
             value.getName() == XCC_SYMBOL_IMPORTS ||
             value.getName() == XCC_SYMBOL_RPC ||
             value.getName() == XCC_SYMBOL_GRID ||
             value.getName() == XCC_SYMBOL_TRAP_REPORT;
    });
    for (Function &function : module)
      if (symbols.contains(function.getName())) {
        function.setLinkage(GlobalValue::ExternalLinkage);
        function.setComdat(nullptr);
        function.setVisibility(GlobalValue::DefaultVisibility);
      }
    // A library has no initialisers, and what else is wanted kernels reach.
    for (StringRef name : {"llvm.global_ctors", "llvm.global_dtors",
                           "llvm.used", "llvm.compiler.used"})
      if (GlobalVariable *list = module.getGlobalVariable(name, true))
        list->eraseFromParent();
  }
};

} // namespace

Expected<DeviceLinkResult> linkDevice(std::vector<DeviceModule> inputs,
                                      const DeviceLinkOptions &options) {
  struct Job {
    UnitLink *unit;
    std::string arch;
    std::optional<Expected<std::vector<DeviceImage>>> result;
  };
  std::vector<std::unique_ptr<UnitLink>> units;
  std::vector<Job> jobs;
  std::optional<DuplicateKernels> duplicates;
  if (!options.codegen.program)
    duplicates.emplace(inputs);
  for (const Target *target : allTargets()) {
    auto unit = std::make_unique<UnitLink>(*target);
    for (DeviceModule &input : inputs)
      if (input.target == target)
        unit->inputs.push_back(&input);
    if (unit->inputs.empty())
      continue;
    if (Error error = unit->addKernels())
      return std::move(error);
    unit->library = options.library;
    unit->inHostLink = options.inHostLink;
    if (options.codegen.program)
      unit->kernels.clear(); // main launches none
    else if (unit->kernels.empty() && unit->library.empty())
      continue;
    if (Error error = unpackInputs(unit->inputs, options.codegen.cache))
      return std::move(error);
    if (duplicates && duplicates->any())
      for (DeviceModule *input : unit->inputs)
        if (Error error = duplicates->separate(*input))
          return std::move(error);
    if (Error error = unit->choose())
      return std::move(error);
    if (unit->kernels.empty() && unit->library.empty() &&
        !options.codegen.program)
      continue;
    auto adopted = adoptOptions(*target, unit->inputs, options);
    if (!adopted)
      return adopted.takeError();
    unit->codegen = std::move(*adopted);
    unit->definedElsewhere = options.definedElsewhere;
    unit->plainUserOf = options.plainUserOf;
    for (const DeviceArch &arch : options.archs)
      if (arch.target == target) {
        jobs.push_back({unit.get(), arch.arch, std::nullopt});
        unit->archs.push_back(arch.arch);
      }
    unit->prepare(unit->archs.size());
    units.push_back(std::move(unit));
  }

  auto run = [](Job &job) { job.result.emplace(job.unit->image(job.arch)); };
  if (jobs.size() == 1) {
    run(jobs.front());
  } else {
    std::vector<llvm::thread> threads;
    for (Job &job : jobs)
      threads.emplace_back(std::optional<unsigned>(8 << 20),
                           [&job, &run] { run(job); });
    for (llvm::thread &thread : threads)
      thread.join();
  }

  DeviceLinkResult linked;
  linked.renamed = duplicates && duplicates->any();
  std::vector<DeviceImage> &images = linked.images;
  std::map<std::string, std::string> failures; // message -> archs
  for (Job &job : jobs) {
    if (*job.result) {
      for (DeviceImage &image : **job.result)
        images.push_back(std::move(image));
      continue;
    }
    std::string &archs = failures[toString(job.result->takeError())];
    archs += (archs.empty() ? "" : ", ") + job.arch;
  }
  if (failures.empty()) {
    if (!options.library.empty())
      for (const auto &unit : units) {
        if (unit->archs.empty())
          continue;
        auto made = unit->exports();
        if (!made)
          return made.takeError();
        if (made->text.empty())
          continue;
        for (DeviceImage &image : images)
          if (findTargetByTriple(image.triple) == &unit->target)
            image.exports = made->text;
        linked.exports.push_back(std::move(*made));
      }
    return linked;
  }
  // What is wrong with every arch is said once, of none.
  if (failures.size() == 1 && images.empty())
    return createStringError(failures.begin()->first);
  std::string all;
  for (const auto &[message, archs] : failures)
    all += "for " + archs + ": " + StringRef(message).rtrim().str() + "\n";
  return createStringError(all);
}

} // namespace xcc
