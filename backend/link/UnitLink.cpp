// The device code of one linked unit for one target
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UnitLink.h"
#include "AdoptedOptions.h"
#include "Diagnostics.h"
#include "Embed.h"
#include "GlobalUses.h"
#include "ImageLink.h"
#include "LayoutNotes.h"
#include "LibraryImports.h"
#include "ThreadVariables.h"
#include "UnpackInputs.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xcc {

static Expected<std::unique_ptr<Module>> load(MemoryBufferRef bitcode,
                                              LLVMContext &context) {
  auto module = parseBitcodeFile(bitcode, context);
  if (!module)
    return createStringError("cannot read the device code of '" +
                             bitcode.getBufferIdentifier() +
                             "': " + toString(module.takeError()) +
                             "; is the file damaged? Compile it again");
  return module;
}

Expected<bool> UnitLink::open(DuplicateKernels *duplicates) {
  if (Error error = addKernels())
    return std::move(error);
  if (options.codegen.program)
    kernels.clear(); // main runs on the device and launches no kernels
  if (isEmpty())
    return false;
  if (Error error = unpackInputs(inputs, options.codegen.cache))
    return std::move(error);
  if (duplicates && duplicates->any())
    for (DeviceModule *input : inputs)
      if (Error error = duplicates->separate(*input))
        return std::move(error);
  if (Error error = choose())
    return std::move(error);
  if (isEmpty())
    return false;
  auto adopted = adoptOptions(target, inputs, options);
  if (!adopted)
    return adopted.takeError();
  codegen = std::move(*adopted);
  for (const DeviceArch &arch : options.archs)
    if (arch.target == &target)
      archs.push_back(arch.arch);
  writeBitcode();
  return true;
}

Error UnitLink::addKernels() {
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

/// Writes each input as bitcode, so that each arch can have its own context. A
/// single module for a single arch is used unchanged.
void UnitLink::writeBitcode() {
  if (archs.size() == 1 && inputs.size() == 1 && !isLibrary())
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

/// Removes members of archives that are not needed.
Error UnitLink::choose() {
  if (inputs.size() == 1)
    return Error::success();
  Expected<bool> dropped = dropUnusedKernels(inputs, options.inHostLink);
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
  Expected<NonPrevailing> chosen = chooseMembers(inputs, options.inHostLink);
  if (!chosen)
    return chosen.takeError();
  nonPrevailing = std::move(*chosen);
  return Error::success();
}

Expected<std::vector<DeviceImage>> UnitLink::image(StringRef arch) {
  for (bool again = isLibrary();; again = false) {
    std::vector<std::string> lacking;
    auto made = imageWithout(arch, lacking);
    if (made || !isLibrary())
      return made;
    std::string why = toString(made.takeError());
    if (!(again && !lacking.empty() && shared.giveUp(lacking, why)) &&
        !shared.giveUp({}, why))
      return createStringError(why);
  }
}

/// Links in parts if the options request it. Linking the whole module gives
/// clearer errors, so a failed link in parts is repeated unpartitioned.
Expected<std::vector<DeviceImage>>
UnitLink::imageWithout(StringRef arch, std::vector<std::string> &lacking) {
  ImageLink link(*this, arch, codegen.lto, lacking);
  auto made = link.run();
  // Without bitcode, the module has been used up.
  if (link.partsError().empty() || !inputs.front()->bitcode)
    return made;
  consumeError(made.takeError());
  auto whole = ImageLink(*this, arch, OffloadLTO::Full, lacking).run();
  if (whole && !whole->empty())
    whole->front().notes.push_back("the device code for " + arch.str() +
                                   " is generated as a whole, since its parts "
                                   "could not be put together: " +
                                   link.partsError().str());
  return whole;
}

Expected<DeviceLinkResult::Export> UnitLink::exports() {
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
  result.text = makeExports(*module, options.library, kernels, shared);
  if (!result.text.empty())
    result.code = packExports(target, *module, result.text, how);
  return result;
}

bool UnitLink::severalImages() const {
  return !codegen.program &&
         (isLibrary() || any_of(inputs, [](const DeviceModule *input) {
            return !input->exports.empty();
          }));
}

Error UnitLink::add(DeviceModule &input, std::unique_ptr<Module> &module,
                    LLVMContext &context, const std::string &errors,
                    StringMap<unsigned> *definers) const {
  auto part = load(input.bitcode->getMemBufferRef(), context);
  if (!part)
    return part.takeError();
  if (auto lost = nonPrevailing.find(&input); lost != nonPrevailing.end())
    dropDefinitions(**part, lost->second);
  if (input.exports.empty() && sharesThreadVariables())
    shareThreadVariables(**part);
  if (isLibrary() && input.exports.empty())
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

} // namespace xcc
