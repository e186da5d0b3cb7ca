//===-- Execute.cpp - Carries a plan out -----------------------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Execute.h"
#include "ImageObject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

using namespace llvm;

namespace xcc {
namespace {

void complain(const Twine &text) {
  std::string all = text.str();
  StringRef rest = StringRef(all).rtrim();
  while (!rest.empty()) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    errs() << (line.starts_with(">>>") || line.starts_with(" ") ||
                       line.starts_with("note:")
                   ? ""
                   : "xcc: error: ")
           << line << '\n';
  }
}

class Executor {
public:
  Executor(Plan &plan, const Installation &installation,
           const Options &options)
      : plan(plan), installation(installation), options(options) {}

  int run() {
    for (const std::string &file : plan.temporaries)
      sys::RemoveFileOnSignal(file);
    scope_exit cleanUp([this] {
      for (const std::string &file : plan.temporaries) {
        sys::fs::remove(file);
        sys::DontRemoveFileOnSignal(file);
      }
    });

    // Every file is compiled even after an error, as Clang does.
    for (CompileStep &step : plan.compiles)
      if (!compileStep(step))
        failed = true;
    if (failed)
      return 1;
    for (const CommandStep &command : plan.commands)
      if (!runProgram(command.program, command.args))
        return 1;
    if (plan.link ? !link() : !writeKernelInfo())
      return 1;
    return 0;
  }

private:
  Plan &plan;
  const Installation &installation;
  const Options &options;
  bool failed = false;
  std::vector<DeviceInput> inputs;
  std::vector<DeviceImage> images;
  bool linkedEarly = false;
  KernelTable kernels;

  //===--------------------------------------------------------------------===//
  // Compiling
  //===--------------------------------------------------------------------===//

  DeviceLinkOptions linkOptions() const {
    DeviceLinkOptions result;
    result.archs = plan.archs;
    result.runtimeDirectory = installation.deviceRuntimes();
    if (plan.link)
      result.codegen.libraryPaths = plan.link->libraryPaths;
    result.codegen.optLevel = optLevel();
    return result;
  }

  /// Kernels are optimised unless the user said otherwise.
  unsigned optLevel() const {
    unsigned level = 3;
    for (StringRef arg : options.clangArgs) {
      if (!arg.consume_front("-O"))
        continue;
      if (arg == "0")
        level = 0;
      else if (arg == "1" || arg == "g" || arg == "")
        level = 1;
      else
        level = 3;
    }
    return level;
  }

  bool compileStep(CompileStep &step) {
    for (const DeviceArch &arch : plan.archs)
      step.unit.extraDependencies.push_back(
          (installation.deviceRuntimes() + "/" + arch.target->deviceRuntime())
              .str());
    sort(step.unit.extraDependencies);
    step.unit.extraDependencies.erase(unique(step.unit.extraDependencies),
                                      step.unit.extraDependencies.end());
    if (step.preprocess && step.cplusplus)
      return preprocessStep(step);

    // The common case, one source and nothing else with device code, is
    // linked for the device while the host's code is still being generated.
    std::string linkError;
    bool alone = plan.link && plan.compiles.size() == 1 &&
                 plan.link->objects.size() == 1;
    if (alone && !options.hostOnly)
      step.unit.whenDeviceReady = [&](DeviceModule &device) {
        std::vector<DeviceInput> one;
        one.push_back(inputOf(std::move(device), step.input));
        auto linked = linkDevice(std::move(one), linkOptions());
        if (linked)
          images = std::move(*linked);
        else
          linkError = toString(linked.takeError());
        linkedEarly = true;
      };

    TranslationUnitResult result = compile(step.unit);
    result.log.print(errs(), /*withSummary=*/true);
    if (!result.success)
      return false;
    if (!linkError.empty()) {
      complain(linkError);
      return false;
    }
    append_range(kernels, result.kernels);
    for (DeviceModule &device : result.devices)
      inputs.push_back(inputOf(std::move(device), step.input));
    if (options.deviceOnly && step.cplusplus)
      return writeDeviceOutput(step);
    return true;
  }

  DeviceInput inputOf(DeviceModule device, StringRef origin) {
    DeviceInput input;
    input.target = device.target;
    input.origin = origin.str();
    input.kernels = std::move(device.kernels);
    input.context = std::move(device.context);
    input.module = std::move(device.module);
    return input;
  }

  bool preprocessStep(CompileStep &step) {
    DiagnosticLog log;
    std::string text;
    raw_string_ostream os(text);
    bool ok = preprocessAll(step.unit, os, log);
    log.print(errs(), /*withSummary=*/true);
    return ok && writeOutput(step.output.empty() ? "-" : step.output, text);
  }

  bool writeOutput(StringRef path, StringRef bytes) {
    if (path == "-") {
      outs() << bytes;
      return true;
    }
    // Complete or not at all.
    Error error = writeToOutput(path, [&](raw_ostream &os) -> Error {
      os << bytes;
      return Error::success();
    });
    if (!error)
      return true;
    complain("cannot write '" + path + "': " + toString(std::move(error)));
    return false;
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
    if (plan.link) {
      complain("-foffload-device-only needs -c, -S or -E");
      return false;
    }
    auto made = linkDevice(std::move(inputs), how);
    inputs.clear();
    if (!made) {
      complain(toString(made.takeError()));
      return false;
    }
    if (made->empty()) {
      complain("'" + step.input + "' holds no kernels");
      return false;
    }
    for (const DeviceImage &image : *made) {
      SmallString<128> path(step.output);
      if (made->size() > 1 && path != "-") {
        std::string extension = sys::path::extension(path).str();
        sys::path::replace_extension(path, "");
        path += "-" + image.arch + extension;
      }
      if (!writeOutput(path, image.data->getBuffer()))
        return false;
    }
    return true;
  }

  bool writeKernelInfo() {
    if (options.kernelInfoFile.empty())
      return true;
    return writeOutput(options.kernelInfoFile, toJSON(kernels));
  }

  //===--------------------------------------------------------------------===//
  // Linking
  //===--------------------------------------------------------------------===//

  bool link() {
    LinkStep &step = *plan.link;
    bool relocatable = is_contained(step.command.args, "-r");
    if (!options.hostOnly && !relocatable && !linkDeviceCode())
      return false;
    if (!writeKernelInfo())
      return false;

    std::vector<std::string> ours;
    if (!images.empty()) {
      SmallString<128> object;
      if (auto error =
              sys::fs::createTemporaryFile("xcc-images", "o", object)) {
        complain("cannot create a temporary file: " + error.message());
        return false;
      }
      plan.temporaries.push_back(object.str().str());
      sys::RemoveFileOnSignal(object);
      if (Error error = writeImageObject(images, step.triple, object)) {
        complain(toString(std::move(error)));
        return false;
      }
      ours.push_back(object.str().str());
    }
    if (!relocatable)
      addRuntime(ours);
    std::vector<std::string> args = step.command.args;
    args.insert(args.begin() + step.insertAt, ours.begin(), ours.end());
    if (runProgram(step.command.program, args))
      return true;
    if (!step.output.empty())
      sys::fs::remove(step.output);
    return false;
  }

  void addRuntime(std::vector<std::string> &args) {
    if (options.sharedRuntime) {
      args.push_back("-L" + installation.library());
      args.push_back("-rpath");
      args.push_back(installation.library());
      args.push_back("-l:libxcc.so");
    } else {
      args.push_back(installation.library() + "/libxcc.a");
      // Libraries loaded later share the program's runtime.
      if (!plan.link->shared && !images.empty())
        args.push_back("--export-dynamic-symbol=xcc_*");
    }
  }

  bool linkDeviceCode() {
    if (linkedEarly)
      return true;
    for (const std::string &object : plan.link->objects) {
      if (is_contained(plan.temporaries, object))
        continue;
      auto found = readDeviceInputs(object);
      if (!found) {
        complain(toString(found.takeError()));
        return false;
      }
      for (DeviceInput &input : *found) {
        append_range(kernels, input.kernels);
        inputs.push_back(std::move(input));
      }
    }
    auto linked = linkDevice(std::move(inputs), linkOptions());
    if (!linked) {
      complain(toString(linked.takeError()));
      return false;
    }
    images = std::move(*linked);
    return true;
  }

  bool runProgram(StringRef program, ArrayRef<std::string> args) {
    if (options.verbose) {
      errs() << " \"" << program << '"';
      for (const std::string &arg : args)
        errs() << " \"" << arg << '"';
      errs() << '\n';
    }
    std::vector<StringRef> argv = {program};
    append_range(argv, args);
    std::string message;
    int status =
        sys::ExecuteAndWait(program, argv, std::nullopt, {}, 0, 0, &message);
    if (status == 0)
      return true;
    if (status < 0 || !message.empty())
      complain("cannot run '" + program + "': " + message);
    else
      complain("'" + sys::path::filename(program) +
               "' failed with exit code " + Twine(status) +
               " (use -v to see invocation)");
    return false;
  }
};

} // namespace

int execute(Plan &plan, const Installation &installation,
            const Options &options) {
  return Executor(plan, installation, options).run();
}

} // namespace xcc
