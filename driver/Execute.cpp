// Carries a plan out
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execute.h"
#include "CompileJob.h"
#include "DeviceOutput.h"
#include "HostLink.h"
#include "HostMembers.h"
#include "HostSymbols.h"
#include "Jobs.h"
#include "LinkChoice.h"
#include "LinkInputs.h"
#include "ProgramLink.h"
#include "SharedLibraries.h"
#include "formats/library_row.h"
#include "link/IRObject.h"
#include "support/Files.h"
#include "support/ResultCache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

#include <cstdlib>

using namespace llvm;

namespace xcc {
namespace {

class Executor {
public:
  Executor(Plan &plan, const Installation &installation, const Options &options)
      : plan(plan), installation(installation), options(options) {}

  int run() {
    scope_exit cleanUp([this] {
      for (const std::string &file : plan.temporaries) {
        sys::fs::remove(file);
        sys::DontRemoveFileOnSignal(file);
      }
    });

    if (!openCache())
      return 1;
    // What cannot succeed should not take time to fail.
    if (!checkOutputs() || !readStandardInput() ||
        !readLinkInputs(/*compiled=*/false))
      return 1;
    // Every file is compiled even after an error, as Clang does.
    bool failed = false;
    for (CompileStep &step : plan.compiles)
      failed |= !compileStep(step);
    if (failed)
      return 1;
    for (const CommandStep &command : plan.commands)
      if (!runProgram(command, options.verbose))
        return 1;
    if (!plan.link)
      return writeKernelInfo(kernels, options) ? 0 : 1;
    if (!linkDeviceCode())
      return 1;
    orderImages(images, plan.archs);
    if (!reportImages(images, kernels, options))
      return 1;
    tellOfCache();
    if (!writeKernelInfo(kernels, options))
      return 1;
    if (plan.link->imageOnly)
      return writeImageFile(plan, images) ? 0 : 1;
    linked.images = std::move(images);
    if (plan.link->objectOnly)
      return writeDeviceObject(plan, linked, /*hasKernels=*/!kernels.empty(),
                               neededLibraries(), options)
                 ? 0
                 : 1;
    if (linkHost(plan, linked, /*hasKernels=*/!kernels.empty(),
                 neededLibraries(), installation, options))
      return 0;
    if (!options.kernelInfoFile.empty())
      removeOutput(options.kernelInfoFile);
    return 1;
  }

private:
  Plan &plan;
  const Installation &installation;
  const Options &options;
  std::unique_ptr<MemoryBuffer> standardInput;
  std::vector<std::string> filesRead;
  std::vector<DeviceModule> inputs;
  std::vector<std::string> deviceFiles; ///< files that hold device code
  std::vector<std::string> lacking;     ///< objects whose device code is gone
  std::vector<DeviceImage> images;
  DeviceLinkResult linked; ///< what is handed on at the end
  /// What names the shared library of this name in the link.
  StringMap<std::string> libraryArguments;
  bool linkedEarly = false;
  KernelTable kernels;
  mutable HostSymbols hostSymbols{plan};
  mutable HostMembers hostMembers{plan};
  mutable std::optional<ResultCache> cache; ///< of generated device code

  //===--------------------------------------------------------------------===//
  // Before the first compile
  //===--------------------------------------------------------------------===//

  /// LLVM's own options may have it print, or write files.
  bool hasLLVMOptions() const {
    auto asks = [](const std::vector<std::string> &args) {
      return is_contained(args, "-mllvm");
    };
    return asks(options.clangArgs) ||
           any_of(plan.compiles, [&](const CompileStep &step) {
             return asks(step.unit.cc1Args);
           });
  }

  /// The cache, if this command may generate device code that it can hold.
  bool openCache() {
    CacheSettings settings = CacheSettings::fromEnvironment();
    settings.on = options.cache && !hasLLVMOptions() && !options.hostOnly;
    if (options.codegen.lto == OffloadLTO::None && hasLLVMOptions() &&
        plan.link)
      errs()
          << "xcc: note: -foffload-lto=none: all device code is generated at "
             "once with -mllvm\n";
    if (!settings.on || !(plan.link || options.deviceOnly))
      return true;
    if (!settings.mistake.empty() && !warn(settings.mistake, options))
      return false;
    cache.emplace(settings);
    // Who named a place is told that it is none.
    const char *asked = std::getenv("XCC_CACHE_DIR");
    if ((options.verbose || (asked && *asked)) && !cache->whyNot().empty())
      errs() << "xcc: note: no cache of device code is used: "
             << cache->whyNot() << '\n';
    if (!cache->isUsed())
      cache.reset();
    return true;
  }

  /// With -v, what the cache was good for.
  void tellOfCache() {
    if (!cache || !options.verbose)
      return;
    if (cache->hits() + cache->misses())
      errs() << "xcc: note: of " << cache->hits() + cache->misses()
             << " parts of the device code " << cache->hits()
             << " were in the cache '" << cache->folder() << "'\n";
    if (std::string why = cache->whyNotStored(); !why.empty())
      errs() << "xcc: note: device code could not be left in the cache '"
             << cache->folder() << "': " << why << '\n';
  }

  bool checkOutputs() {
    bool ok = true;
    for (const CompileStep &step : plan.compiles)
      if (!is_contained(plan.temporaries, step.output))
        ok &= checkOutput(step.output);
    if (plan.link)
      ok &= checkOutput(plan.link->output);
    return ok && checkOutput(options.kernelInfoFile);
  }

  /// Every pass reads it, and it can be read once.
  bool readStandardInput() {
    for (CompileStep &step : plan.compiles) {
      if (step.input != "-" || !step.devices)
        continue;
      if (!standardInput) {
        auto text = MemoryBuffer::getSTDIN();
        if (!text) {
          printError("cannot read standard input: " +
                     text.getError().message());
          return false;
        }
        standardInput = std::move(*text);
      }
      step.unit.standardInput = standardInput.get();
    }
    return true;
  }

  /// Whether an assembler of this command writes the file: then a source's
  /// device code is here already.
  bool isMadeHere(StringRef file) const {
    return is_contained(plan.temporaries, file) ||
           any_of(plan.commands, [&](const CommandStep &command) {
             return is_contained(command.args, file);
           });
  }

  /// Whether a front end writes the file, and the devices' passes with it.
  bool isMadeOfSource(StringRef file) const {
    return any_of(plan.compiles, [&](const CompileStep &step) {
      return step.devices && step.output == file;
    });
  }

  /// Device code of the objects and archives that the link names. Some may be
  /// outputs of this very command, and are read after it.
  bool readLinkInputs(bool compiled) {
    if (!plan.link || plan.link->relocatable)
      return true;
    if (!compiled)
      for (const std::string &text : findUnreadInputs(*plan.link))
        if (!warn(text, options))
          return false;
    for (const LinkedFile &named : findLinkedFiles(*plan.link)) {
      if (!holdsDeviceCode(named.magic))
        continue;
      const std::string &file = named.path;
      auto maker = find_if(plan.compiles, [&](const CompileStep &step) {
        return step.output == file;
      });
      // What a source holds for devices came from its passes; what an IR file
      // does is in its object.
      if (maker != plan.compiles.end() && (maker->devices || !compiled))
        continue;
      if (is_contained(filesRead, file) ||
          (!compiled && is_contained(plan.temporaries, file)))
        continue;
      auto found = readObject(file);
      if (!found) {
        printError(toString(found.takeError()));
        return false;
      }
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
        inputs.push_back(std::move(input));
      }
    }
    if (!compiled && !options.hostOnly)
      readLibraries();
    return true;
  }

  /// What shared libraries export. Where one cannot be read that is told if
  /// something of it is lacking.
  void readLibraries() {
    for (const SharedLibrary &library : findSharedLibraries(*plan.link)) {
      auto found = readObject(library.path);
      if (!found) {
        consumeError(found.takeError());
        continue;
      }
      for (DeviceModule &input : found->inputs) {
        libraryArguments[rt::LibraryExports(input.exports).library] =
            library.argument;
        inputs.push_back(std::move(input));
      }
    }
  }

  /// The arguments of libraries that images use the variables of.
  std::vector<std::string> neededLibraries() const {
    std::vector<std::string> needed;
    for (const DeviceImage &image : linked.images) {
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

  //===--------------------------------------------------------------------===//
  // Compiling
  //===--------------------------------------------------------------------===//

  DeviceLinkOptions linkOptions() const {
    DeviceLinkOptions result;
    result.archs = plan.archs;
    result.codegen = options.codegen;
    result.codegen.runtimeDirectory = installation.deviceRuntimes();
    result.codegen.libraryPaths = plan.libraryPaths;
    if (plan.link)
      result.codegen.cxxLibrary = plan.link->cxxLibrary;
    result.codegen.program = plan.link && plan.link->program;
    if (result.codegen.program)
      result.codegen.hostLibraries =
          hostLibraries(*plan.link, [this](StringRef file) {
            return is_contained(deviceFiles, file) || isMadeOfSource(file);
          });
    result.optLevelGiven = options.unit.given.optLevel;
    result.codegen.saveTempsPrefix = plan.saveTempsPrefix;
    if (hasLLVMOptions())
      result.codegen.lto = OffloadLTO::Full;
    if (cache)
      result.codegen.cache = &*cache;
    if (plan.link && plan.link->shared)
      result.library =
          nameOfLibrary(plan.link->command.args, plan.link->output);
    result.inHostLink = [this](StringRef member) {
      return hostMembers.take(member);
    };
    result.plainUserOf = [this](StringRef symbol) {
      return hostMembers.plainUserOf(symbol);
    };
    result.definedElsewhere = [this](StringRef symbol, const DeviceArch &arch) {
      return hostSymbols.noteOf(symbol, arch);
    };
    return result;
  }

  bool compileStep(CompileStep &step) {
    // The common case, one source and nothing else with device code, is
    // linked for the device while the host's code is still being generated.
    // A program's libraries are known when all has been read.
    bool alone = plan.link && !plan.link->relocatable && !plan.link->program &&
                 plan.compiles.size() == 1 && plan.commands.empty() &&
                 inputs.empty() && lacking.empty();
    alone &= !options.hostOnly;
    // A library's others may use what it exports.
    alone &= !plan.link || !plan.link->shared;
    if (alone && !options.unit.exportsAll)
      step.unit.exports = false;
    DeviceLinkOptions how = linkOptions();
    CompiledUnit unit;
    if (!compileFile(step, options, alone ? &how : nullptr, unit))
      return false;
    linkedEarly |= unit.linked;
    append_range(kernels, unit.kernels);
    if (!unit.modules.empty())
      hostMembers.addMade(step.output);
    for (DeviceModule &module : unit.modules) {
      module.file = step.output;
      inputs.push_back(std::move(module));
    }
    llvm::move(unit.images, std::back_inserter(images));
    if (options.deviceOnly && step.devices && !step.preprocess)
      return writeDeviceOutput(step);
    if (options.codegen.resourceUsage && step.unit.embedDeviceModules &&
        step.devices && !step.preprocess &&
        deviceOutput(step) == DeviceOutput::Image)
      reportUsage(step);
    return true;
  }

  /// Of the kernels of an object that was made, as if it were linked alone.
  /// Those that need other files' code are told at the link.
  void reportUsage(const CompileStep &step) {
    auto made = [&]() -> Expected<DeviceLinkResult> {
      auto object = readObject(step.output);
      if (!object)
        return object.takeError();
      return linkDevice(std::move(object->inputs), linkOptions());
    }();
    if (made && made->images.empty()) {
      errs() << "xcc: note: '" << step.input << "' holds no kernels\n";
      return;
    }
    if (made) {
      orderImages(made->images, plan.archs);
      reportImages(made->images, kernels, options);
      return;
    }
    errs() << "xcc: note: what the kernels of '" << step.input
           << "' use is told where they are linked: "
           << StringRef(toString(made.takeError())).split('\n').first << '\n';
  }

  bool writeDeviceOutput(CompileStep &step) {
    DeviceLinkOptions how = linkOptions();
    std::optional<DeviceOutput> output = deviceOutput(step);
    if (!output)
      return true;
    how.codegen.output = *output;
    auto made = linkDevice(std::move(inputs), how);
    inputs.clear();
    if (!made) {
      printError(toString(made.takeError()));
      return false;
    }
    if (made->images.empty()) {
      printError("'" + step.input + "' holds no kernels");
      return false;
    }
    images = std::move(made->images);
    orderImages(images, plan.archs);
    return reportImages(images, kernels, options) &&
           writeImages(std::move(images), step);
  }

  //===--------------------------------------------------------------------===//
  // Linking for the device
  //===--------------------------------------------------------------------===//

  /// Sets the plan's archs from what the inputs hold. False after an error.
  bool chooseArchsOfLink() {
    for (const std::string &file : lacking) {
      printError(
          "'" + file +
          "' has kernels but no device code: its section .llvm.offloading "
          "was removed; compile it again");
      return false;
    }
    auto choice = chooseArchs(inputs,
                              options.archsGiven ? ArrayRef(options.archs)
                                                 : ArrayRef<DeviceArch>(),
                              kindOf(*plan.link));
    if (!choice) {
      printError(toString(choice.takeError()));
      return false;
    }
    for (const std::string &text : choice->warnings)
      if (!warn(text, options))
        return false;
    if (!options.noWarnings)
      for (const std::string &text : choice->notes)
        errs() << "xcc: note: " << text << '\n';
    plan.archs = std::move(choice->archs);
    return true;
  }

  /// Initialisers run in the order in which the host's link has their files.
  void orderInputs() {
    StringMap<size_t> places;
    for (const std::string &file : findLinkInputs(*plan.link))
      places.try_emplace(file, places.size());
    // Shared libraries are initialised by themselves.
    std::vector<std::pair<size_t, size_t>> order; // place, of inputs
    for (const auto &[index, input] : enumerate(inputs)) {
      auto found = places.find(input.file);
      order.push_back(
          {found == places.end() ? places.size() : found->second, index});
    }
    llvm::sort(order);
    std::vector<DeviceModule> ordered;
    for (const auto &[place, index] : order)
      ordered.push_back(std::move(inputs[index]));
    inputs = std::move(ordered);
  }

  bool linkDeviceCode() {
    if (linkedEarly || plan.link->relocatable)
      return true;
    // What this command's assemblers made.
    if (!readLinkInputs(/*compiled=*/true))
      return false;
    if (options.hostOnly)
      return true;
    if (!chooseArchsOfLink())
      return false;
    orderInputs();
    auto result = linkDevice(std::move(inputs), linkOptions());
    if (!result) {
      printError(toString(result.takeError()));
      return false;
    }
    linked = std::move(*result);
    images = std::move(linked.images);
    if (!plan.link->program || !images.empty())
      return true;
    printError("nothing in this link has code for a device: compile with "
               "-foffload-main");
    return false;
  }
};

} // namespace

int execute(Plan &plan, const Installation &installation,
            const Options &options) {
  return Executor(plan, installation, options).run();
}

} // namespace xcc
