// Collects the device code of one command
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceInputs.h"
#include "Jobs.h"
#include "LinkInputs.h"
#include "SharedLibraries.h"
#include "formats/library_row.h"
#include "link/IRObject.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xcc {

/// Whether an assembler of this command writes the file. Its source's device
/// code has been collected already.
bool DeviceInputs::isMadeHere(StringRef file) const {
  return is_contained(plan.temporaries, file) ||
         any_of(plan.commands, [&](const CommandStep &command) {
           return is_contained(command.args, file);
         });
}

bool DeviceInputs::hasCode(StringRef file) const {
  return is_contained(deviceFiles, file) ||
         any_of(plan.compiles, [&](const CompileStep &step) {
           return step.devices && step.output == file;
         });
}

/// Whether the device code of the file comes from passes of this command. That
/// of an IR file is in its object.
bool DeviceInputs::comesFromPasses(StringRef file, bool compiled) const {
  auto producer = find_if(plan.compiles, [&](const CompileStep &step) {
    return step.output == file;
  });
  return producer != plan.compiles.end() && (producer->devices || !compiled);
}

Error DeviceInputs::read(bool compiled) {
  if (!plan.link || plan.link->relocatable)
    return Error::success();
  if (!compiled)
    for (const std::string &text : findUnreadInputs(*plan.link))
      if (Error error = warn(env, text, options))
        return error;
  for (const LinkedFile &named : findLinkedFiles(*plan.link)) {
    const std::string &file = named.path;
    if (!holdsDeviceCode(named.magic) || comesFromPasses(file, compiled) ||
        is_contained(filesRead, file) ||
        (!compiled && is_contained(plan.temporaries, file)))
      continue;
    auto found = readObject(file);
    if (!found)
      return found.takeError();
    filesRead.push_back(file);
    if (!found->inputs.empty())
      deviceFiles.push_back(file);
    if (!isMadeHere(file))
      append_range(lacking, found->lacking);
    for (DeviceModule &input : found->inputs) {
      append_range(kernels, input.kernels);
      if (options.hostOnly)
        continue;
      input.file = file;
      input.fromArchive |= named.inLib;
      modules.push_back(std::move(input));
    }
  }
  if (!compiled && !options.hostOnly)
    readLibraries();
  return Error::success();
}

/// Reads what shared libraries export. If one cannot be read, that is reported
/// only if device code of it is missing.
void DeviceInputs::readLibraries() {
  for (const SharedLibrary &library : findSharedLibraries(*plan.link)) {
    auto found = readObject(library.path);
    if (!found) {
      consumeError(found.takeError());
      continue;
    }
    for (DeviceModule &input : found->inputs) {
      libraryArguments[rt::LibraryExports(input.exports).library] =
          library.argument;
      modules.push_back(std::move(input));
    }
  }
}

Error DeviceInputs::checkComplete() const {
  if (lacking.empty())
    return Error::success();
  return createStringError(
      "'" + lacking.front() +
      "' has kernels but no device code: its section .llvm.offloading was "
      "removed; compile it again");
}

std::vector<std::string>
DeviceInputs::neededLibraries(ArrayRef<DeviceImage> images) const {
  std::vector<std::string> needed;
  for (const DeviceImage &image : images) {
    std::string_view text = image.imports;
    rt::LibraryRow row;
    std::string argument;
    while (rt::nextLibraryRow(text, row)) {
      if (row.kind == 'l')
        argument = libraryArguments.lookup(row.fields[0]);
      if (row.kind == 'v' && !argument.empty() &&
          !is_contained(needed, argument))
        needed.push_back(argument);
    }
  }
  return needed;
}

void DeviceInputs::order() {
  StringMap<size_t> places;
  for (const std::string &file : findLinkInputs(*plan.link))
    places.try_emplace(file, places.size());
  // Shared libraries run their own initialisers.
  std::vector<std::pair<size_t, size_t>> order; // place of the file, index of
                                                // the module
  for (const auto &[index, module] : enumerate(modules)) {
    auto found = places.find(module.file);
    order.push_back(
        {found == places.end() ? places.size() : found->second, index});
  }
  llvm::sort(order);
  std::vector<DeviceModule> ordered;
  for (const auto &[place, index] : order)
    ordered.push_back(std::move(modules[index]));
  modules = std::move(ordered);
}

} // namespace xcc
