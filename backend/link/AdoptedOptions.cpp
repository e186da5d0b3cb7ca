// Options that a link takes from its objects
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AdoptedOptions.h"

using namespace llvm;

namespace xcc {

static std::string disagree(const TargetOption &option, const DeviceModule &a,
                            StringRef valueA, const DeviceModule &b,
                            StringRef valueB) {
  auto how = [](StringRef said) {
    return said.empty() ? "without it" : "with " + said.str();
  };
  std::string advice = option.name.str();
  if (option.name.ends_with("="))
    advice = (valueA.empty() ? valueB : valueA).str();
  else
    advice += " or " + option.opposite();
  return ("'" + a.origin + "' and '" + b.origin + "' differ in " + option.name +
          ": one was compiled " + how(valueA) + ", the other " + how(valueB) +
          "; compile them alike, or name the value at the link: " + advice)
      .str();
}

/// The highest level of an input with kernels; in a program, of any input.
static std::optional<unsigned> highestLevel(ArrayRef<DeviceModule *> inputs,
                                            bool program, unsigned fallback) {
  std::optional<unsigned> highest;
  for (const DeviceModule *input : inputs) {
    if (input->kernels.empty() && !program)
      continue;
    unsigned level = fallback;
    for (StringRef option : input->options)
      if (option.consume_front("-O"))
        option.getAsInteger(10, level);
    highest = std::max(highest.value_or(0), level);
  }
  return highest;
}

Expected<DeviceCodegenOptions> adoptOptions(const Target &target,
                                            ArrayRef<DeviceModule *> inputs,
                                            const DeviceLinkOptions &link) {
  DeviceCodegenOptions codegen = link.codegen;
  std::vector<std::string> given = codegen.targetOptions;
  for (const TargetOption &option : target.options()) {
    if (!option.kept ||
        any_of(given, [&](StringRef arg) { return option.matches(arg); }))
      continue;
    const DeviceModule *first = nullptr;
    StringRef agreed;
    for (const DeviceModule *input : inputs) {
      if (input->kernels.empty() && !codegen.program)
        continue;
      auto found = find_if(input->options,
                           [&](StringRef arg) { return option.matches(arg); });
      // No option means the same as its negative form.
      StringRef said =
          found == input->options.end() || *found == option.opposite()
              ? ""
              : StringRef(*found);
      if (first && said != agreed)
        return createStringError(
            disagree(option, *first, agreed, *input, said));
      first = input;
      agreed = said;
    }
    if (!agreed.empty())
      codegen.targetOptions.push_back(agreed.str());
  }
  if (!link.optLevelGiven)
    codegen.optLevel =
        highestLevel(inputs, codegen.program,
                     codegen.program && target.runsHostPrograms() ? 0 : 3)
            .value_or(codegen.optLevel);
  for (const DeviceModule *input : inputs)
    codegen.debugInfo |= is_contained(input->options, "-g");
  return codegen;
}

} // namespace xcc
