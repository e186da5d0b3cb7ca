// Compiles one file with all its passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileJob.h"
#include "Jobs.h"
#include "SaveTemps.h"
#include "link/IRObject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Magic.h"
#include <future>

using namespace llvm;

namespace xcc {
namespace {

/// Clang does not verify the bitcode that it reads.
Error checkIRInput(const CompileStep &step) {
  file_magic magic;
  if (step.devices || identify_magic(step.input, magic) ||
      magic != file_magic::bitcode)
    return Error::success();
  auto buffer = MemoryBuffer::getFile(step.input);
  if (!buffer)
    return Error::success(); // Clang reports it.
  if (Error error = checkBitcode((*buffer)->getMemBufferRef()))
    return createStringError("'" + step.input +
                             "': " + toString(std::move(error)));
  return Error::success();
}

Error preprocess(const DriverEnv &env, CompileStep &step) {
  DiagnosticLog log;
  std::string text;
  raw_string_ostream os(text);
  bool ok = preprocessAll(step.unit, os, log);
  log.print(env.err, /*withSummary=*/true);
  if (!ok)
    return reported();
  if (is_contained(step.unit.cc1Args, "-Eonly"))
    return Error::success();
  return writeOutput(step.output.empty() ? "-" : step.output, text);
}

DeviceModule from(DeviceModule module, StringRef origin,
                  const Options &options) {
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

EarlyLink linkEarly(DeviceModule module, const DeviceLinkOptions &how) {
  EarlyLink result;
  if (!module.module)
    return result;
  result.hadCode = true;
  std::vector<DeviceModule> one;
  one.push_back(std::move(module));
  auto linked = linkDevice(std::move(one), how);
  if (linked)
    result.images = std::move(linked->images);
  else
    result.error = toString(linked.takeError());
  return result;
}

/// Waits for early links.
Error collect(std::vector<std::future<EarlyLink>> &links,
              CompiledUnit &result) {
  std::string errors;
  for (std::future<EarlyLink> &link : links) {
    EarlyLink made = link.get();
    llvm::move(made.images, std::back_inserter(result.images));
    errors += (errors.empty() || made.error.empty() ? "" : "\n");
    errors += made.error;
    result.linked |= made.hadCode;
  }
  return errors.empty() ? Error::success() : createStringError(errors);
}

} // namespace

Expected<CompiledUnit> compileFile(const DriverEnv &env, CompileStep &step,
                                   const Options &options,
                                   const DeviceLinkOptions *early) {
  CompiledUnit result;
  if (Error error = checkIRInput(step))
    return std::move(error);
  if (step.preprocess && step.devices) {
    if (Error error = preprocess(env, step))
      return std::move(error);
    return result;
  }
  if (!step.unit.saveTempsPrefix.empty())
    if (Error error = saveHostStages(step))
      return std::move(error);

  Compilation unit(step.unit);
  std::vector<std::future<DeviceModule>> devices = unit.devices();
  std::vector<std::future<EarlyLink>> links;
  if (early)
    for (std::future<DeviceModule> &device : devices)
      links.push_back(std::async(
          std::launch::async, [&, device = std::move(device)]() mutable {
            return linkEarly(from(device.get(), step.input, options), *early);
          }));
  TranslationUnitResult compiled = unit.run();
  if (options.verbose && !compiled.header.empty())
    env.err << "xcc: note: precompiled <xcc/xcc.h>: " << compiled.header
            << '\n';
  compiled.log.print(env.err, /*withSummary=*/true);
  Error linking = collect(links, result);
  if (!compiled.success) {
    consumeError(std::move(linking));
    return reported();
  }
  if (linking)
    return std::move(linking);
  StringMap<uint64_t> texts;
  for (const Kernel &kernel : compiled.kernels)
    texts[kernel.symbol] = kernel.text;
  result.kernels = std::move(compiled.kernels);
  if (!early)
    for (std::future<DeviceModule> &device : devices)
      if (DeviceModule module = device.get(); module.module) {
        for (Kernel &kernel : module.kernels)
          kernel.text = texts.lookup(kernel.symbol);
        result.modules.push_back(from(std::move(module), step.input, options));
      }
  return result;
}

} // namespace xcc
