// Chooses the archs for which a link makes images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinkChoice.h"
#include "LinkInputs.h"
#include "link/IRObject.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace llvm;

namespace xcc {
namespace {

std::string listed(ArrayRef<DeviceArch> archs) {
  std::string text;
  for (const DeviceArch &arch : archs)
    text += (text.empty() ? "" : ",") + arch.arch;
  return text;
}

class Chooser {
public:
  Chooser(ArrayRef<DeviceModule> inputs, ArrayRef<DeviceArch> given,
          LinkKind kind)
      : inputs(inputs), given(!given.empty()), kind(kind) {
    choice.archs.assign(given.begin(), given.end());
  }

  Expected<LinkChoice> run() {
    if (!given)
      collect();
    for (const DeviceModule &input : inputs)
      for (const Kernel &kernel : input.kernels)
        if (input.target)
          held[input.target].insert(kernel.symbol);
    if (Error error = findMissing())
      return std::move(error);
    if (given)
      noteLeftOut();
    return std::move(choice);
  }

  std::vector<DeviceArch> collected() {
    collect();
    return std::move(choice.archs);
  }

private:
  ArrayRef<DeviceModule> inputs;
  bool given;
  LinkKind kind;
  LinkChoice choice;
  std::map<const Target *, StringSet<>> held; ///< symbols with device code

  static bool contains(ArrayRef<DeviceArch> list, const DeviceArch &arch) {
    return any_of(list, [&](const DeviceArch &have) {
      return have.target == arch.target && have.arch == arch.arch;
    });
  }

  /// Collects archs from objects and sources. A library follows the program
  /// that links it: it decides only if the program has no kernels of its own.
  void collect() {
    bool own = any_of(inputs, [](const DeviceModule &input) {
      return !input.fromArchive && input.target && !input.kernels.empty();
    });
    auto add = [&](const DeviceModule &input) {
      for (const DeviceArch &arch : input.archs)
        if (!contains(choice.archs, arch))
          choice.archs.push_back(arch);
    };
    for (const DeviceModule &input : inputs)
      if (input.target && !input.kernels.empty() && input.fromArchive != own)
        add(input);
    if (kind != LinkKind::SharedLibrary || !choice.archs.empty())
      return;
    for (const DeviceModule &input : inputs)
      if (input.target && input.exports.empty())
        add(input);
  }

  /// Kernels of one file for which an image would lack code.
  struct Missing {
    const DeviceModule *input; ///< first file with the kernels, for messages
    std::string kernel;
    std::vector<DeviceArch> archs;
  };

  /// The archs for which a file was compiled, as its user wrote them.
  static std::string compiledFor(const DeviceModule &input) {
    if (!input.target)
      return "the host alone (-foffload-host-only)";
    return listed(input.archs) + " alone";
  }

  Error findMissing() {
    MapVector<StringRef, Missing> missing;
    for (const DeviceModule &input : inputs)
      for (const Kernel &kernel : input.kernels)
        for (const DeviceArch &arch : choice.archs) {
          if (held[arch.target].contains(kernel.symbol))
            continue;
          Missing &entry = missing[input.origin];
          if (entry.archs.empty()) {
            entry.input = &input;
            entry.kernel = kernel.name;
          }
          if (!contains(entry.archs, arch))
            entry.archs.push_back(arch);
        }
    std::string errors;
    for (const auto &[origin, entry] : missing) {
      std::string text =
          ("'" + origin + "' was compiled for " + compiledFor(*entry.input) +
           (kind == LinkKind::DeviceProgram
                ? ", so its code is"
                : ", so its kernels, '" + entry.kernel + "' among them, are") +
           " missing for " + listed(entry.archs))
              .str();
      // For these inputs, only warn. The linker may take no member of an
      // archive. And the user chose "host only": a launch of such a kernel
      // reports it.
      if (entry.input->fromArchive || !entry.input->target) {
        choice.warnings.push_back(text + "; launching them there is an error");
        continue;
      }
      errors += text +
                "; compile it with --offload-arch=" + listed(choice.archs) +
                "\n";
    }
    if (errors.empty())
      return Error::success();
    std::vector<DeviceArch> common;
    for (const DeviceArch &arch : choice.archs)
      if (none_of(missing, [&](const auto &each) {
            return contains(each.second.archs, arch);
          }))
        common.push_back(arch);
    if (!common.empty())
      errors += "note: --offload-arch=" + listed(common) +
                " at the link leaves the others out\n";
    return createStringError(errors);
  }

  /// Notes archs of the objects that --offload-arch= at the link leaves out:
  /// the user may not know that the objects hold them.
  void noteLeftOut() {
    for (const DeviceModule &input : inputs) {
      if (input.fromArchive || !input.target || input.kernels.empty())
        continue;
      std::vector<DeviceArch> out;
      for (const DeviceArch &arch : input.archs)
        if (none_of(choice.archs, [&](const DeviceArch &have) {
              return have.target == arch.target;
            }))
          out.push_back(arch);
      if (out.empty())
        continue;
      std::string text = "--offload-arch=" + listed(choice.archs) +
                         " at the link leaves out the device code of '" +
                         input.origin + "' for " + listed(out);
      if (!is_contained(choice.notes, text))
        choice.notes.push_back(text);
    }
  }
};

} // namespace

LinkKind kindOf(const LinkStep &link) {
  return link.program  ? LinkKind::DeviceProgram
         : link.shared ? LinkKind::SharedLibrary
                       : LinkKind::Ordinary;
}

Expected<LinkChoice> chooseArchs(ArrayRef<DeviceModule> inputs,
                                 ArrayRef<DeviceArch> given, LinkKind kind) {
  if (kind != LinkKind::DeviceProgram)
    return Chooser(inputs, given, kind).run();
  // Leave out members of archives, which are linked only if needed.
  std::vector<DeviceModule> parts;
  for (const DeviceModule &input : inputs) {
    if (input.fromArchive)
      continue;
    DeviceModule &part = parts.emplace_back();
    part.target = input.target;
    part.origin = input.origin;
    part.archs = input.archs;
    part.kernels.emplace_back().symbol = input.origin;
  }
  return Chooser(parts, given, kind).run();
}

std::vector<DeviceArch> archsOf(ArrayRef<DeviceModule> inputs, LinkKind kind) {
  return Chooser(inputs, {}, kind).collected();
}

void previewArchs(Plan &plan, const Options &options) {
  if (!plan.link || plan.link->relocatable || options.archsGiven)
    return;
  std::vector<DeviceModule> inputs;
  for (const std::string &file : findLinkInputs(*plan.link)) {
    if (is_contained(plan.temporaries, file))
      continue;
    if (auto found = readObject(file))
      llvm::move(found->inputs, std::back_inserter(inputs));
    else
      consumeError(found.takeError());
  }
  for (const CompileStep &step : plan.compiles) {
    if (!step.devices || plan.archs.empty())
      continue;
    DeviceModule source;
    source.target = plan.archs.front().target;
    source.archs = plan.archs;
    source.kernels.emplace_back();
    inputs.push_back(std::move(source));
  }
  plan.archs = archsOf(inputs, kindOf(*plan.link));
}

} // namespace xcc
