// Executes a plan
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execute.h"
#include "CompileJob.h"
#include "DeviceInputs.h"
#include "DeviceOutput.h"
#include "HostLink.h"
#include "HostMembers.h"
#include "HostSymbols.h"
#include "Jobs.h"
#include "LinkChoice.h"
#include "ProgramLink.h"
#include "SharedLibraries.h"
#include "link/IRObject.h"
#include "support/Files.h"
#include "support/ResultCache.h"
#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

using namespace llvm;

namespace xcc {
namespace {

class Executor {
public:
  Executor(const DriverEnv &env, Plan &plan, const Options &options)
      : env(env), plan(plan), options(options) {}

  Error run() {
    if (Error error = openCache())
      return error;
    openHeaders();
    // Check first what would make the command fail later.
    if (Error error = checkOutputs())
      return error;
    if (Error error = readStandardInput())
      return error;
    if (Error error = inputs.read(/*compiled=*/false))
      return error;
    if (Error error = compileAll())
      return error;
    for (const CommandStep &command : plan.commands)
      if (Error error = runProgram(env, command, options.verbose))
        return error;
    if (!plan.link)
      return writeKernelInfo(inputs.kernels, options);
    if (Error error = linkDeviceCode())
      return error;
    orderImages(images, plan.archs);
    if (Error error = reportImages(env, images, inputs.kernels, options))
      return error;
    printCacheUse();
    if (Error error = writeKernelInfo(inputs.kernels, options))
      return error;
    return writeLinked();
  }

private:
  const DriverEnv &env;
  Plan &plan;
  const Options &options;
  std::unique_ptr<MemoryBuffer> standardInput;
  DeviceInputs inputs{env, plan, options};
  std::vector<DeviceImage> images;
  DeviceLinkResult linked; ///< result of the link
  bool linkedEarly = false;
  mutable HostSymbols hostSymbols{plan};
  mutable HostMembers hostMembers{plan};
  mutable std::optional<ResultCache> cache; ///< of generated device code
  std::optional<ResultCache> headers;       ///< of precompiled headers

  //===--------------------------------------------------------------------===//
  // Before the first compile
  //===--------------------------------------------------------------------===//

  /// LLVM's own options may print, or write files.
  bool hasLLVMOptions() const {
    auto asks = [](const std::vector<std::string> &args) {
      return is_contained(args, "-mllvm");
    };
    return asks(options.clangArgs) ||
           any_of(plan.compiles, [&](const CompileStep &step) {
             return asks(step.unit.cc1Args);
           });
  }

  /// Opens the cache, if this command may generate device code that can be
  /// cached.
  Error openCache() {
    CacheSettings settings = CacheSettings::fromEnvironment();
    settings.on = options.cache && !hasLLVMOptions() && !options.hostOnly;
    if (options.codegen.lto == OffloadLTO::None && hasLLVMOptions() &&
        plan.link)
      env.err
          << "xcc: note: -foffload-lto=none: all device code is generated at "
             "once with -mllvm\n";
    if (!settings.on || !(plan.link || options.deviceOnly))
      return Error::success();
    if (!settings.mistake.empty())
      if (Error error = warn(env, settings.mistake, options))
        return error;
    cache.emplace(settings);
    // Report a cache folder that the user set and that cannot be used.
    const char *asked = std::getenv("XCC_CACHE_DIR");
    if ((options.verbose || (asked && *asked)) && !cache->whyNot().empty())
      env.err << "xcc: note: no cache of device code is used: "
              << cache->whyNot() << '\n';
    if (!cache->isUsed())
      cache.reset();
    return Error::success();
  }

  /// Opens the cache of precompiled headers, and gives it to all compiles.
  void openHeaders() {
    if (!options.cache || !options.precompiles || plan.compiles.empty())
      return;
    headers.emplace(CacheSettings::fromEnvironment());
    if (headers->isUsed())
      for (CompileStep &step : plan.compiles)
        step.unit.headers = &*headers;
  }

  /// Prints with -v how many results came from the cache.
  void printCacheUse() {
    if (!cache || !options.verbose)
      return;
    if (cache->hits() + cache->misses())
      env.err << "xcc: note: of " << cache->hits() + cache->misses()
              << " parts of the device code " << cache->hits()
              << " were in the cache '" << cache->folder() << "'\n";
    if (std::string why = cache->whyNotStored(); !why.empty())
      env.err << "xcc: note: device code could not be left in the cache '"
              << cache->folder() << "': " << why << '\n';
  }

  Error checkOutputs() {
    Error errors = Error::success();
    for (const CompileStep &step : plan.compiles)
      if (!is_contained(plan.temporaries, step.output))
        errors = joinErrors(std::move(errors), checkOutput(step.output));
    if (plan.link)
      errors = joinErrors(std::move(errors), checkOutput(plan.link->output));
    return errors ? std::move(errors) : checkOutput(options.kernelInfoFile);
  }

  /// Reads standard input once, for all passes.
  Error readStandardInput() {
    for (CompileStep &step : plan.compiles) {
      if (step.input != "-" || !step.devices)
        continue;
      if (!standardInput) {
        auto text = MemoryBuffer::getSTDIN();
        if (!text)
          return createStringError("cannot read standard input: " +
                                   text.getError().message());
        standardInput = std::move(*text);
      }
      step.unit.standardInput = standardInput.get();
    }
    return Error::success();
  }

  //===--------------------------------------------------------------------===//
  // Compiling
  //===--------------------------------------------------------------------===//

  DeviceLinkOptions linkOptions() const {
    DeviceLinkOptions result;
    result.archs = plan.archs;
    result.codegen = options.codegen;
    result.codegen.runtimeDirectory = env.installation.deviceRuntimes();
    result.codegen.libraryPaths = plan.libraryPaths;
    if (plan.link)
      result.codegen.cxxLibrary = plan.link->cxxLibrary;
    result.codegen.program = plan.link && plan.link->program;
    if (result.codegen.program)
      result.codegen.hostLibraries = hostLibraries(
          *plan.link, [this](StringRef file) { return inputs.hasCode(file); });
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

  /// Compiles every file, even after an error, as Clang does.
  Error compileAll() {
    bool failed = false;
    for (CompileStep &step : plan.compiles)
      if (Error error = compile(step)) {
        report(env, std::move(error));
        failed = true;
      }
    return failed ? reported() : Error::success();
  }

  /// Whether the device link can start while the host's code is being
  /// generated: if one source is the only file with device code. A program
  /// waits, because its libraries are known only after all files have been
  /// read. So does a library, because other libraries may use what it exports.
  bool linksAlone() const {
    return plan.link && !plan.link->relocatable && !plan.link->program &&
           !plan.link->shared && plan.compiles.size() == 1 &&
           plan.commands.empty() && inputs.empty() && !options.hostOnly;
  }

  Error compile(CompileStep &step) {
    const bool alone = linksAlone();
    if (alone && !options.unit.exportsAll)
      step.unit.exports = false;
    DeviceLinkOptions how = linkOptions();
    Expected<CompiledUnit> unit =
        compileFile(env, step, options, alone ? &how : nullptr);
    if (!unit)
      return unit.takeError();
    linkedEarly |= unit->linked;
    append_range(inputs.kernels, unit->kernels);
    if (!unit->modules.empty())
      hostMembers.addMade(step.output);
    for (DeviceModule &module : unit->modules) {
      module.file = step.output;
      inputs.modules.push_back(std::move(module));
    }
    llvm::move(unit->images, std::back_inserter(images));
    if (options.deviceOnly && step.devices && !step.preprocess)
      return writeDeviceOutput(step);
    if (options.codegen.resourceUsage && step.unit.embedDeviceModules &&
        step.devices && !step.preprocess &&
        deviceOutput(step) == DeviceOutput::Image)
      reportUsage(step);
    return Error::success();
  }

  /// Reports the resources of an object's kernels as if it were linked alone.
  /// If the kernels need code of other files, the link reports them.
  void reportUsage(const CompileStep &step) {
    auto made = [&]() -> Expected<DeviceLinkResult> {
      auto object = readObject(step.output);
      if (!object)
        return object.takeError();
      return linkDevice(std::move(object->inputs), linkOptions());
    }();
    if (!made) {
      env.err << "xcc: note: what the kernels of '" << step.input
              << "' use is printed where they are linked: "
              << StringRef(toString(made.takeError())).split('\n').first
              << '\n';
      return;
    }
    if (made->images.empty()) {
      env.err << "xcc: note: '" << step.input << "' holds no kernels\n";
      return;
    }
    orderImages(made->images, plan.archs);
    // An error of the link is reported at the link.
    consumeError(reportImages(env, made->images, inputs.kernels, options));
  }

  Error writeDeviceOutput(CompileStep &step) {
    DeviceLinkOptions how = linkOptions();
    std::optional<DeviceOutput> output = deviceOutput(step);
    if (!output)
      return Error::success();
    how.codegen.output = *output;
    auto made = linkDevice(std::move(inputs.modules), how);
    inputs.modules.clear();
    if (!made)
      return made.takeError();
    if (made->images.empty())
      return createStringError("'" + step.input + "' holds no kernels");
    images = std::move(made->images);
    orderImages(images, plan.archs);
    if (Error error = reportImages(env, images, inputs.kernels, options))
      return error;
    return writeImages(std::move(images), step);
  }

  //===--------------------------------------------------------------------===//
  // Linking
  //===--------------------------------------------------------------------===//

  /// Sets the plan's archs according to the inputs.
  Error chooseArchsOfLink() {
    if (Error error = inputs.checkComplete())
      return error;
    auto choice = chooseArchs(inputs.modules,
                              options.archsGiven ? ArrayRef(options.archs)
                                                 : ArrayRef<DeviceArch>(),
                              kindOf(*plan.link));
    if (!choice)
      return choice.takeError();
    for (const std::string &text : choice->warnings)
      if (Error error = warn(env, text, options))
        return error;
    if (!options.noWarnings)
      for (const std::string &text : choice->notes)
        env.err << "xcc: note: " << text << '\n';
    plan.archs = std::move(choice->archs);
    return Error::success();
  }

  Error linkDeviceCode() {
    if (linkedEarly || plan.link->relocatable)
      return Error::success();
    // Read the outputs of this command's assemblers.
    if (Error error = inputs.read(/*compiled=*/true))
      return error;
    if (options.hostOnly)
      return Error::success();
    if (Error error = chooseArchsOfLink())
      return error;
    inputs.order();
    auto result = linkDevice(std::move(inputs.modules), linkOptions());
    if (!result)
      return result.takeError();
    linked = std::move(*result);
    images = std::move(linked.images);
    if (plan.link->program && images.empty())
      return createStringError("nothing in this link has code for a device: "
                               "compile with -foffload-main");
    return Error::success();
  }

  /// Writes the images alone, an object for another driver's link, or a
  /// program.
  Error writeLinked() {
    if (plan.link->imageOnly)
      return writeImageFile(plan, images);
    linked.images = std::move(images);
    const bool hasKernels = !inputs.kernels.empty();
    const std::vector<std::string> needed =
        inputs.neededLibraries(linked.images);
    if (plan.link->objectOnly)
      return writeDeviceObject(env, plan, linked, hasKernels, needed, options);
    Error error = linkHost(env, plan, linked, hasKernels, needed, options);
    if (error && !options.kernelInfoFile.empty())
      removeOutput(options.kernelInfoFile);
    return error;
  }
};

} // namespace

Error execute(const DriverEnv &env, Plan &plan, const Options &options) {
  return Executor(env, plan, options).run();
}

} // namespace xcc
