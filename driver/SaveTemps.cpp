// Implements -save-temps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SaveTemps.h"
#include "Jobs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace xcc {
namespace {

/// The path prefix with `name`'s stem: in `output`'s folder for
/// -save-temps=obj, otherwise in the current one.
std::string prefixFor(StringRef name, StringRef output,
                      const Options &options) {
  SmallString<128> prefix;
  if (options.saveTempsBesideOutput)
    prefix = sys::path::parent_path(output);
  sys::path::append(prefix, name == "-" ? "-" : sys::path::stem(name));
  // Programs would read a file "-x" as an option.
  return (prefix.starts_with("-") && name != "-" ? "./" : "") +
         prefix.str().str();
}

/// The output's name in -cc1 arguments, or null.
std::string *outputOf(std::vector<std::string> &cc1) {
  auto at = find(cc1, "-o");
  return at == cc1.end() || at + 1 == cc1.end() ? nullptr : &*(at + 1);
}

void rename(Plan &plan, const std::string &from, const std::string &to) {
  auto inArgs = [&](std::vector<std::string> &args) {
    llvm::replace(args, from, to);
  };
  for (CompileStep &step : plan.compiles) {
    if (step.output == from)
      step.output = to;
    inArgs(step.unit.cc1Args);
  }
  for (CommandStep &command : plan.commands)
    inArgs(command.args);
  if (plan.link) {
    inArgs(plan.link->command.args);
    inArgs(plan.link->deviceArgs);
  }
  llvm::erase(plan.temporaries, from);
}

} // namespace

void keepTemporaries(Plan &plan, const Options &options) {
  for (CompileStep &step : plan.compiles) {
    if (!step.devices || step.preprocess)
      continue;
    std::string goal = plan.link ? plan.link->output : step.output;
    std::string prefix = prefixFor(step.input, goal, options);
    if (is_contained(plan.temporaries, step.output))
      rename(plan, std::string(step.output),
             prefix + sys::path::extension(step.output).str());
    step.unit.saveTempsPrefix = prefix;
  }
  if (plan.compiles.size() == 1)
    plan.saveTempsPrefix = plan.compiles.front().unit.saveTempsPrefix;
  else if (plan.link)
    plan.saveTempsPrefix =
        prefixFor(plan.link->output, plan.link->output, options);
}

Error saveHostStages(const CompileStep &step) {
  TranslationUnit unit = step.unit;
  unit.saveTempsPrefix.clear();

  // Clang keeps the text of the host pass only.
  unit.devicePass = false;
  std::string text;
  raw_string_ostream os(text);
  DiagnosticLog log;
  // The compile itself reports errors.
  if (!preprocessAll(unit, os, log))
    return Error::success();
  if (Error error = writeOutput(step.unit.saveTempsPrefix + ".ii", text))
    return error;

  unit.devicePass = step.unit.devicePass;
  std::string *output = outputOf(unit.cc1Args);
  auto action = find(unit.cc1Args, "-emit-obj");
  if (!output || action == unit.cc1Args.end())
    return Error::success();
  *action = "-S";
  *output = step.unit.saveTempsPrefix + ".s";
  // The real compile writes the depfile.
  erase_if(unit.cc1Args, [](StringRef arg) { return arg == "-MD"; });
  Compilation(unit).run();
  return Error::success();
}

} // namespace xcc
