// Warnings for global variables that differ between units on host and device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GlobalUses.h"
#include "Names.h"
#include "NeededInitialisers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc {
namespace {

/// How a function uses a variable.
struct NotedUse {
  StringRef unit, file, read, write;
  const Function *function; ///< null if no device can run it
  std::string at(StringRef place) const {
    return (file + ":" + place + ": ").str();
  }
};

/// Check the kind: bitcode may contain any metadata.
StringRef textOf(const MDNode &node, unsigned number) {
  const auto *text = dyn_cast_or_null<MDString>(node.getOperand(number).get());
  return text ? text->getString() : "";
}
const Function *functionOf(const MDNode &node, unsigned number) {
  const auto *value =
      dyn_cast_or_null<ConstantAsMetadata>(node.getOperand(number).get());
  return value ? dyn_cast<Function>(value->getValue()) : nullptr;
}

class Comparison {
public:
  Comparison(Module &module, const KernelTable &kernels,
             const NamedMDNode &notes) {
    for (const MDNode *node : notes.operands())
      if (node->getNumOperands() == 6)
        uses[textOf(*node, 2)].push_back({textOf(*node, 0), textOf(*node, 3),
                                          textOf(*node, 4), textOf(*node, 5),
                                          functionOf(*node, 1)});
      else if (node->getNumOperands() == 2)
        unitsOfEntries[functionOf(*node, 1)] = textOf(*node, 0);
      else if (node->getNumOperands() == 1)
        known.insert(textOf(*node, 0));
    for (const Kernel &kernel : kernels)
      if (const Function *entry = module.getFunction(kernel.symbol)) {
        GlobalObjects reached;
        addUsed(*entry, reached);
        StringRef unit = unitsOfEntries.lookup(entry);
        for (const GlobalObject *object : reached)
          onDevice[object].insert(unit);
      }
    for (StringRef name : {"llvm.global_ctors", "llvm.global_dtors"})
      if (const GlobalVariable *list = module.getGlobalVariable(name, true))
        addUsed(*list, aroundMain);
  }

  void run(const std::function<std::string(StringRef)> &plainUserOf,
           std::vector<std::string> &warnings) {
    for (const auto &[name, all] : uses)
      if (!known.contains(name) && !compare(name, all, warnings) && plainUserOf)
        compareWithPlain(name, all, plainUserOf(name), warnings);
  }

private:
  MapVector<StringRef, std::vector<NotedUse>> uses;
  DenseMap<const Function *, StringRef> unitsOfEntries;
  StringSet<> known;
  /// The functions and variables that kernels reach, with the kernels' units.
  DenseMap<const GlobalObject *, StringSet<>> onDevice;
  GlobalObjects aroundMain;

  bool isDevices(const NotedUse &use) const {
    return use.function && onDevice.contains(use.function);
  }
  bool isHosts(const NotedUse &use) const {
    return !use.function ||
           (!isDevices(use) && !aroundMain.contains(use.function));
  }
  /// Whether the unit got this warning when it was compiled.
  bool wasReported(const NotedUse &device, const NotedUse &host) const {
    return device.unit == host.unit &&
           onDevice.lookup(device.function).contains(host.unit);
  }

  /// Warns of an object without device code that uses the variable: its uses
  /// are unknown.
  void compareWithPlain(StringRef name, ArrayRef<NotedUse> all,
                        const std::string &user,
                        std::vector<std::string> &warnings) const {
    const auto *device =
        find_if(all, [&](const NotedUse &use) { return isDevices(use); });
    if (user.empty() || device == all.end())
      return;
    std::string shown = demangle(name);
    warnings.push_back(
        device->at(device->write.empty() ? device->read : device->write) +
        "warning: a kernel uses the device's copy of '" + shown + "': '" +
        user +
        "', which holds no device code, uses the host's [-Woffload-globals]\n"
        "note: compile '" +
        user +
        "' with -foffload-export for the device to have what it does before "
        "main; else copy with xcc::symbol(" +
        shown + "), or pass the value to the kernel\n");
  }

  /// Warns if the units' uses differ. Returns true if there is a warning.
  bool compare(StringRef name, ArrayRef<NotedUse> all,
               std::vector<std::string> &warnings) const {
    const NotedUse *device = nullptr, *host = nullptr;
    bool written = false;
    for (const NotedUse &mine : all)
      for (const NotedUse &other : all) {
        if (!isDevices(mine) || !isHosts(other))
          continue;
        bool writes = !mine.write.empty();
        if (!writes && (mine.read.empty() || other.write.empty()))
          continue;
        if (wasReported(mine, other))
          return true;
        if (!device || (writes && !written)) {
          device = &mine;
          host = &other;
          written = writes;
        }
      }
    if (!device)
      return false;
    std::string shown = demangle(name);
    StringRef hosts = !written || host->read.empty() ? host->write : host->read;
    warnings.push_back(
        written
            ? device->at(device->write) +
                  "warning: a kernel writes the device's copy of '" + shown +
                  "': the host's variable does not change "
                  "[-Woffload-globals]\n" +
                  host->at(hosts) +
                  "note: the host uses its own here; copy the device's with "
                  "xcc::symbol(" +
                  shown +
                  "), declare an xcc::shared_global for both, or pass the "
                  "address of memory that both can access, such as an "
                  "xcc::buffer's\n"
            : device->at(device->read) +
                  "warning: a kernel reads the device's copy of '" + shown +
                  "': it does not get what the host writes to its variable "
                  "[-Woffload-globals]\n" +
                  host->at(hosts) +
                  "note: the host writes here; copy it with xcc::symbol(" +
                  shown + "), or pass the value to the kernel\n");
    return true;
  }
};

} // namespace

void compareGlobals(Module &module, const KernelTable &kernels,
                    const std::function<std::string(StringRef)> &plainUserOf,
                    std::vector<std::string> &warnings) {
  if (const NamedMDNode *notes = module.getNamedMetadata(metadata::Globals))
    Comparison(module, kernels, *notes).run(plainUserOf, warnings);
}

void dropGlobalUses(Module &module) {
  if (NamedMDNode *notes = module.getNamedMetadata(metadata::Globals))
    notes->eraseFromParent();
}

} // namespace xcc
