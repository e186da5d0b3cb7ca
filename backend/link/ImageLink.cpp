// Links one linked unit for one arch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ImageLink.h"
#include "Carries.h"
#include "DeviceLibraries.h"
#include "Diagnostics.h"
#include "Generate.h"
#include "GlobalUses.h"
#include "LayoutNotes.h"
#include "LibraryImports.h"
#include "Names.h"
#include "Portable.h"
#include "Program.h"
#include "Reached.h"
#include "SignatureTypes.h"
#include "ThreadVariables.h"
#include "exceptions/Exceptions.h"
#include "exceptions/Throws.h"
#include "formats/grid_symbol.h"
#include "formats/library_row.h"
#include "support/Files.h"
#include "targets/Codegen.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace xcc {
namespace {

/// Whether the runtime looks a value up in an image by its name.
class FoundByName {
public:
  explicit FoundByName(const KernelTable &entries) {
    for (const Kernel &kernel : entries)
      kernels.insert(kernel.symbol);
  }
  bool isKernel(const GlobalValue &value) const {
    return kernels.contains(value.getName());
  }
  bool operator()(const GlobalValue &value) const {
    return isKernel(value) || isShared(value) ||
           value.getName() == XCC_SYMBOL_IMPORTS ||
           value.getName() == XCC_SYMBOL_RPC ||
           value.getName() == XCC_SYMBOL_GRID ||
           value.getName() == XCC_SYMBOL_TRAP_REPORT;
  }

private:
  StringSet<> kernels;
};

/// Redirects functions that no unit defines to their host calls, if a unit was
/// compiled with -foffload-host-calls.
void useGenerated(Module &module) {
  SmallVector<Function *> generated;
  for (Function &function : module)
    if (function.getName().starts_with(GeneratedPrefix))
      generated.push_back(&function);
  for (Function *stub : generated) {
    Function *wanted =
        module.getFunction(stub->getName().drop_front(GeneratedPrefix.size()));
    if (!wanted || !wanted->isDeclaration() ||
        wanted->getFunctionType() != stub->getFunctionType())
      continue;
    for (User *user : wanted->users())
      if (auto *call = dyn_cast<CallBase>(user))
        call->setCallingConv(stub->getCallingConv());
    wanted->replaceAllUsesWith(stub);
  }
}

/// Lowers the carries of inline PTX. All functions are in use by now.
Error useCarries(Module &module, const KernelTable &entries) {
  const FoundByName found(entries);
  std::string errors;
  StringSet<> said;
  for (const UnsetCarry &each : lowerCarries(module))
    if ((found(*each.function) || !each.function->use_empty()) &&
        said.insert(each.writtenIn).second)
      errors += "inline PTX in '" + demangle(each.writtenIn) +
                "' reads a carry that no instruction before it has set; write "
                "one such as add.cc first, in the same function or in one that "
                "calls it\n";
  if (errors.empty())
    return Error::success();
  return createStringError(errors);
}

void keepKernels(Module &module, const KernelTable &entries) {
  const FoundByName found(entries);
  nameExports(module);
  // The runtime sets these variables when it loads the image.
  internalizeModule(module, found);
  for (Function &function : module)
    if (found.isKernel(function)) {
      function.setLinkage(GlobalValue::ExternalLinkage);
      function.setComdat(nullptr);
      function.setVisibility(GlobalValue::DefaultVisibility);
    }
  // Initialisers have become kernels, and kernels reach everything else.
  for (StringRef name : {"llvm.global_ctors", "llvm.global_dtors", "llvm.used",
                         "llvm.compiler.used"})
    if (GlobalVariable *list = module.getGlobalVariable(name, true))
      list->eraseFromParent();
}

} // namespace

ImageLink::ImageLink(UnitLink &unit, StringRef arch, OffloadLTO lto,
                     std::vector<std::string> &lacking)
    : unit(unit), target(unit.target), arch(arch), lto(lto), lacking(lacking),
      how(unit.codegen), program(how.program), library(unit.isLibrary()),
      portable(isPortable(arch)), entries(unit.kernels),
      definers(unit.unitsOfKernels) {
  how.archs = unit.archs;
  how.lto = program ? OffloadLTO::Full : lto;
}

Expected<std::vector<DeviceImage>> ImageLink::run() {
  if (Error error = join())
    return std::move(error);
  if (!shareVariables())
    return std::vector<DeviceImage>();
  if (Error error = makeEntries())
    return std::move(error);
  // A program on the CPU device is linked like a host program.
  if (program && target.runsHostPrograms())
    lowerCarries(*module);
  else if (Error error = needOnly())
    return std::move(error);
  decide();
  auto images = generate();
  if (!errors.empty()) {
    if (!images)
      consumeError(images.takeError());
    return createStringError(StringRef(errors).rtrim());
  }
  if (images && !images->empty())
    addNotes(*images);
  return images;
}

/// Joins all inputs in one module. Uses a single one in memory unchanged.
Error ImageLink::join() {
  DeviceModule &first = *unit.inputs.front();
  LLVMContext *context = first.context.get();
  const bool single = unit.inputs.size() == 1 && first.module;
  if (single) {
    module = std::move(first.module);
  } else {
    ownContext = std::make_unique<LLVMContext>();
    context = ownContext.get();
  }
  context->setDiagnosticHandler(collectDiagnostics(errors, remarks, how));
  if (!single)
    for (DeviceModule *input : unit.inputs)
      if (Error error = unit.add(*input, module, *context, errors,
                                 lto == OffloadLTO::None ? &definers : nullptr))
        return error;
  passStructuresUnnamed(*module);
  return Error::success();
}

/// Shares variables with other images. Returns false if this image would be
/// empty.
bool ImageLink::shareVariables() {
  if (!program) {
    if (unit.sharesThreadVariables())
      useThreadVariables(*module, unit.inputs);
    useLibraries(*module, unit.inputs);
  }
  if (!library)
    return true;
  if (portable)
    shareNothing(*module); // each of its groups has its own variables
  else
    unit.shared.expose(*module);
  return !entries.empty() || !sharedIn(*module).empty();
}

/// Compares the units' notes, and makes kernels of initialisers or of main.
Error ImageLink::makeEntries() {
  const InitialiserContext known = initialiserContext();
  if (!program) {
    dropOptional(*module, entries, known.isProvided, onHost);
    compareGlobals(*module, entries, unit.options.plainUserOf, warnings);
  }
  dropGlobalUses(*module);
  compareLayouts(*module, classWarnings);
  dropLayouts(*module);
  if (!program) {
    makeInitialisers(*module, target, entries, known);
    return Error::success();
  }
  return makeProgram(*module, target, entries);
}

/// Keeps only what the entries need, and links libraries.
Error ImageLink::needOnly() {
  if (Error error = keepReached(*module))
    return error;
  if (Error error = useCarries(*module, entries))
    return error;
  target.checkVariables(*module, warnings);
  if (module->getNamedGlobal(XCC_SYMBOL_IMPORTS) ||
      (library && any_of(sharedIn(*module), [](auto *variable) {
         return !variable->isConstant();
       })))
    module->addModuleFlag(Module::Override, SharesVariablesFlag, 1);
  if (unit.severalImages() && !portable)
    module->addModuleFlag(Module::Override, SeveralImagesFlag, 1);
  if (Error error = addLibraries(*module, entries, target, arch, how))
    return error;
  useGenerated(*module);
  keepKernels(*module, entries);
  if (portable && module->getNamedGlobal(XCC_SYMBOL_IMPORTS))
    return createStringError(
        "portable images share no variables with '" +
        rt::LibraryExports(imports).library +
        "', which kernels use here; name archs with --offload-arch=");
  return Error::success();
}

/// Decides whether units may be generated in parts, and if not, why. What the
/// runtime finds by name must be in one part.
void ImageLink::decide() {
  if (portable)
    together = "portable device code is generated where the program runs, "
               "kernels with all that they call";
  else if (library)
    together = "the device code of a shared library is one module";
  else if (module->getNamedGlobal(XCC_SYMBOL_IMPORTS))
    together = "kernels share variables with a shared library";
  else if (module->getFunction(OwnFunctionTest))
    together = "kernels that call through pointers must differ from a shared "
               "library's";
  else if (program)
    together = "a program whose main runs on a device is one module";
  if (!together.empty() && !portable)
    how.lto = OffloadLTO::Full;
}

Expected<std::vector<DeviceImage>> ImageLink::generate() {
  if (portable)
    return makePortable(target, {*module, arch, entries, how});
  if (!how.saveTempsPrefix.empty()) {
    how.saveTempsPrefix += ("-" + arch).str();
    if (Error error = saveStages())
      return std::move(error);
  }
  bool divided = false;
  auto images = generateImages(
      {module, target, arch, entries, how, errors, definers, together},
      divided);
  if (divided && (!errors.empty() || !images)) {
    std::string why = toString(images.takeError());
    whyNoParts = errors + why;
    return createStringError(why);
  }
  return images;
}

/// Provides what initialisers need to know, and a place for their warnings.
InitialiserContext ImageLink::initialiserContext() {
  InitialiserContext result;
  result.warnings = &warnings;
  result.isProvided = definedByLibraries(*module, target, arch, how);
  result.notesOfUndefined = [this](StringRef symbol) {
    return definedElsewhere(symbol);
  };
  return result;
}

std::string ImageLink::definedElsewhere(StringRef symbol) const {
  const auto &note = unit.options.definedElsewhere;
  return note ? note(symbol, {&target, arch.str()}) : "";
}

/// Removes exported code that no kernel reaches, before other passes see it.
Error ImageLink::keepReached(Module &module) {
  auto isKept = [found = FoundByName(entries)](const GlobalValue &value) {
    return found(value) || value.getName().starts_with(GeneratedPrefix);
  };
  dropUnreached(module, isKept);
  exceptions::markThrows(module);
  if (!catches(module, target, how)) {
    exceptions::dropUnwinding(module);
    dropUnreached(module, isKept);
  }
  if (Error error = checkFaults(module, entries))
    return error;
  auto taken = lowerImports(module, target, unit.libraries, entries);
  if (!taken)
    return taken.takeError();
  imports = std::move(*taken);
  how.notesOfUndefined =
      [this, paths = pathsToUndefined(module, entries)](StringRef symbol) {
        lacking.push_back(symbol.str());
        return paths.lookup(symbol) + definedElsewhere(symbol);
      };
  dropLinkNotes(module);
  return Error::success();
}

/// Writes the files of -save-temps before the image: linked bitcode and
/// assembly.
Error ImageLink::saveStages() {
  auto write = [](const Twine &path,
                  function_ref<void(raw_ostream &)> fill) -> Error {
    std::string name = path.str();
    if (Error error = writeFile(name, fill))
      return createStringError("cannot write '" + name +
                               "': " + toString(std::move(error)));
    return Error::success();
  };
  if (Error error = write(how.saveTempsPrefix + ".bc", [&](raw_ostream &os) {
        WriteBitcodeToFile(*module, os);
      }))
    return error;
  DeviceCodegenOptions assembling = how;
  assembling.output = DeviceOutput::Assembly;
  std::unique_ptr<Module> copy = CloneModule(*module);
  auto assembly = target.codegen({*copy, arch, entries, assembling})->run();
  if (!assembly)
    return assembly.takeError();
  return write(how.saveTempsPrefix + ".s", [&](raw_ostream &os) {
    os << assembly->front().data->getBuffer();
  });
}

void ImageLink::addNotes(std::vector<DeviceImage> &images) const {
  DeviceImage &first = images.front();
  if (lto == OffloadLTO::None && unit.inputs.size() > 1 && !together.empty())
    first.notes.push_back("-foffload-lto=none: " + together);
  first.warnings = warnings;
  first.onHost = onHost;
  first.classWarnings = classWarnings;
  if (!portable)
    first.remarks = remarks;
  for (DeviceImage &image : images) {
    if (!portable)
      image.imports = imports;
    for (const Kernel &kernel : entries)
      if (!kernel.makes.empty())
        image.rows.column(kernel.symbol, "makes",
                          std::string_view(kernel.makes));
  }
}

} // namespace xcc
