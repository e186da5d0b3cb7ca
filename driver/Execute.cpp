// Carries a plan out
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execute.h"
#include "HostLink.h"
#include "Jobs.h"
#include "LinkChoice.h"
#include "LinkInputs.h"
#include "Resources.h"
#include "SaveTemps.h"
#include "link/IRObject.h"
#include "support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <future>

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
      return writeKernelInfo() ? 0 : 1;
    if (!linkDeviceCode())
      return 1;
    orderImages();
    reportImages();
    if (!writeKernelInfo())
      return 1;
    if (linkHost(plan, images, /*hasKernels=*/!kernels.empty(), installation,
                 options))
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
  std::vector<std::string> lacking; ///< objects whose device code is gone
  std::vector<DeviceImage> images;
  bool linkedEarly = false;
  KernelTable kernels;

  //===--------------------------------------------------------------------===//
  // Before the first compile
  //===--------------------------------------------------------------------===//

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
      if (step.input != "-" || !step.cplusplus)
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

  /// Device code of the objects and archives that the link names. Some may be
  /// outputs of this very command, and are read after it.
  bool readLinkInputs(bool compiled) {
    if (!plan.link || plan.link->relocatable)
      return true;
    for (const std::string &file : findLinkInputs(plan.link->userArgs())) {
      auto maker = find_if(plan.compiles, [&](const CompileStep &step) {
        return step.output == file;
      });
      // What a source holds for devices came from its passes; what an IR file
      // does is in its object.
      if (maker != plan.compiles.end() && (maker->cplusplus || !compiled))
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
      if (!isMadeHere(file))
        append_range(lacking, found->lacking);
      for (DeviceModule &input : found->inputs) {
        append_range(kernels, input.kernels);
        if (options.hostOnly)
          continue;
        inputs.push_back(std::move(input));
      }
    }
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Compiling
  //===--------------------------------------------------------------------===//

  DeviceLinkOptions linkOptions() const {
    DeviceLinkOptions result;
    result.archs = plan.archs;
    result.codegen.runtimeDirectory = installation.deviceRuntimes();
    result.codegen.libraryPaths = plan.libraryPaths;
    result.codegen.optLevel = options.optLevel;
    result.optLevelGiven = options.given.optLevel;
    result.codegen.targetOptions = options.targetOptions;
    result.codegen.debugInfo = options.debugInfo;
    result.codegen.resourceUsage = options.resourceUsage;
    result.codegen.remarks = options.remarks;
    result.codegen.missedRemarks = options.missedRemarks;
    result.codegen.analysisRemarks = options.analysisRemarks;
    result.codegen.saveTempsPrefix = plan.saveTempsPrefix;
    return result;
  }

  /// Clang trusts the bitcode that it is given.
  bool checkIRInput(const CompileStep &step) {
    file_magic magic;
    if (step.cplusplus || identify_magic(step.input, magic) ||
        magic != file_magic::bitcode)
      return true;
    auto buffer = MemoryBuffer::getFile(step.input);
    if (!buffer)
      return true; // Clang says so.
    if (Error error = checkBitcode((*buffer)->getMemBufferRef())) {
      printError("'" + step.input + "': " + toString(std::move(error)));
      return false;
    }
    return true;
  }

  bool compileStep(CompileStep &step) {
    if (!checkIRInput(step))
      return false;
    if (step.preprocess && step.cplusplus)
      return preprocessStep(step);
    if (!step.unit.saveTempsPrefix.empty() && !saveHostStages(step))
      return false;

    // The common case, one source and nothing else with device code, is
    // linked for the device while the host's code is still being generated.
    bool alone = plan.link && !plan.link->relocatable &&
                 plan.compiles.size() == 1 && plan.commands.empty() &&
                 inputs.empty() && lacking.empty();
    alone &= !options.hostOnly;
    Compilation unit(step.unit);
    std::vector<std::future<DeviceModule>> devices = unit.devices();
    std::vector<std::future<EarlyLink>> links;
    if (alone)
      for (std::future<DeviceModule> &device : devices)
        links.push_back(
            std::async(std::launch::async,
                       [this, &step, device = std::move(device)]() mutable {
                         return linkEarly(from(device.get(), step.input));
                       }));

    TranslationUnitResult result = unit.run();
    result.log.print(errs(), /*withSummary=*/true);
    std::string linkError;
    for (std::future<EarlyLink> &link : links) {
      EarlyLink made = link.get();
      llvm::move(made.images, std::back_inserter(images));
      linkError += (linkError.empty() || made.error.empty() ? "" : "\n");
      linkError += made.error;
      linkedEarly |= made.hadCode;
    }
    if (!result.success)
      return false;
    if (!linkError.empty()) {
      printError(linkError);
      return false;
    }
    append_range(kernels, result.kernels);
    if (!alone)
      for (std::future<DeviceModule> &device : devices)
        if (DeviceModule module = device.get(); module.module)
          inputs.push_back(from(std::move(module), step.input));
    if (options.deviceOnly && step.cplusplus)
      return writeDeviceOutput(step);
    return true;
  }

  DeviceModule from(DeviceModule module, StringRef origin) const {
    module.origin = origin.str();
    module.archs = options.archs;
    return module;
  }

  /// What a device link made before the host's code was ready.
  struct EarlyLink {
    std::vector<DeviceImage> images;
    std::string error;
    bool hadCode = false;
  };

  EarlyLink linkEarly(DeviceModule module) const {
    EarlyLink result;
    if (!module.module)
      return result;
    result.hadCode = true;
    std::vector<DeviceModule> one;
    one.push_back(std::move(module));
    auto linked = linkDevice(std::move(one), linkOptions());
    if (linked)
      result.images = std::move(*linked);
    else
      result.error = toString(linked.takeError());
    return result;
  }

  bool preprocessStep(CompileStep &step) {
    DiagnosticLog log;
    std::string text;
    raw_string_ostream os(text);
    bool ok = preprocessAll(step.unit, os, log);
    log.print(errs(), /*withSummary=*/true);
    if (!ok || is_contained(step.unit.cc1Args, "-Eonly"))
      return ok;
    return writeOutput(step.output.empty() ? "-" : step.output, text);
  }

  bool writeDeviceOutput(CompileStep &step) {
    DeviceLinkOptions how = linkOptions();
    auto has = [&](StringRef arg) {
      return is_contained(step.unit.cc1Args, arg);
    };
    if (has("-emit-llvm"))
      how.codegen.output = DeviceOutput::LLVMAssembly;
    else if (has("-emit-llvm-bc"))
      how.codegen.output = DeviceOutput::Bitcode;
    else if (has("-S"))
      how.codegen.output = DeviceOutput::Assembly;
    else if (has("-fsyntax-only"))
      return true;
    auto made = linkDevice(std::move(inputs), how);
    inputs.clear();
    if (!made) {
      printError(toString(made.takeError()));
      return false;
    }
    if (made->empty()) {
      printError("'" + step.input + "' holds no kernels");
      return false;
    }
    images = std::move(*made);
    orderImages();
    reportImages();
    // Of an arch's images the first; the others are what -S writes.
    images.erase(llvm::unique(images,
                              [](const DeviceImage &a, const DeviceImage &b) {
                                return a.arch == b.arch;
                              }),
                 images.end());
    std::vector<std::string> written;
    for (const DeviceImage &image : images) {
      SmallString<128> path(step.output);
      if (images.size() > 1 && path != "-") {
        std::string extension = image.extension.empty()
                                    ? sys::path::extension(path).str()
                                    : image.extension;
        sys::path::replace_extension(path, "");
        path += "-" + image.arch + extension;
      }
      if (!writeOutput(path, image.data->getBuffer())) {
        for (const std::string &file : written)
          removeOutput(file);
        return false;
      }
      if (path != "-")
        written.push_back(path.str().str());
    }
    return true;
  }

  bool writeKernelInfo() {
    if (options.kernelInfoFile.empty())
      return true;
    // An inline kernel is in every file that uses it.
    KernelTable once;
    StringSet<> symbols;
    for (const Kernel &kernel : kernels)
      if (symbols.insert(kernel.symbol).second)
        once.push_back(kernel);
    return writeOutput(options.kernelInfoFile, toJSON(once));
  }

  //===--------------------------------------------------------------------===//
  // Linking for the device
  //===--------------------------------------------------------------------===//

  /// As the archs were given, whoever was ready first.
  void orderImages() {
    auto place = [&](const DeviceImage &image) {
      return find_if(plan.archs, [&](const DeviceArch &arch) {
        return arch.arch == image.arch;
      });
    };
    llvm::stable_sort(images, [&](const DeviceImage &a, const DeviceImage &b) {
      return place(a) < place(b);
    });
  }

  /// Notes, each once, and the tables that -foffload-resource-usage asks for.
  void reportImages() {
    StringSet<> said;
    for (const DeviceImage &image : images)
      if (!image.note.empty() && said.insert(image.note).second)
        errs() << "xcc: note: " << image.note << '\n';
    for (const DeviceImage &image : images)
      for (const std::string &remark : image.remarks)
        errs() << remark << " (" << image.arch << ")\n";
    if (options.resourceUsage)
      printResources(images, errs());
  }

  /// Sets the plan's archs from what the inputs hold. False after an error.
  bool chooseArchsOfLink() {
    for (const std::string &file : lacking) {
      printError(
          "'" + file +
          "' has kernels but no device code: its section .llvm.offloading "
          "was removed; compile it again");
      return false;
    }
    auto choice =
        chooseArchs(inputs, options.archsGiven ? ArrayRef(options.archs)
                                               : ArrayRef<DeviceArch>());
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
    auto linked = linkDevice(std::move(inputs), linkOptions());
    if (!linked) {
      printError(toString(linked.takeError()));
      return false;
    }
    images = std::move(*linked);
    return true;
  }
};

} // namespace

int execute(Plan &plan, const Installation &installation,
            const Options &options) {
  return Executor(plan, installation, options).run();
}

void previewArchs(Plan &plan, const Options &options) {
  if (!plan.link || plan.link->relocatable || options.archsGiven)
    return;
  std::vector<DeviceModule> inputs;
  for (const std::string &file : findLinkInputs(plan.link->userArgs())) {
    if (is_contained(plan.temporaries, file))
      continue;
    if (auto found = readObject(file))
      llvm::move(found->inputs, std::back_inserter(inputs));
    else
      consumeError(found.takeError());
  }
  for (const CompileStep &step : plan.compiles) {
    if (!step.cplusplus || plan.archs.empty())
      continue;
    DeviceModule source;
    source.target = plan.archs.front().target;
    source.archs = plan.archs;
    source.kernels.emplace_back();
    inputs.push_back(std::move(source));
  }
  plan.archs = archsOf(inputs);
}

} // namespace xcc
