// Remarks on what launches copy (-foffload-report-mapping)
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MappingRemarks.h"
#include "formats/kernel_access.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <set>

using namespace llvm;

namespace xcc::access {
namespace {

/// What one image knows about a kernel.
struct Known {
  StringRef arch;
  rt::KernelAccess access;
  std::string unknown; ///< why nothing is known
};

/// How a kernel uses the memory at a path.
struct Use {
  bool read = false, write = false;
  bool overwrites = false; ///< elements, perhaps all
};

Use useOf(const rt::KernelAccess &access, ArrayRef<KernelMapping::Range> path) {
  std::set<rt::KernelAccess::State> at{rt::KernelAccess::Block};
  for (const KernelMapping::Range &range : path) {
    std::set<rt::KernelAccess::State> next;
    for (rt::KernelAccess::State state : at)
      if (range.last - range.first == 8)
        next.insert(access.step(state, range.first));
      else
        for (auto one : access.steps(state, range.first, range.last))
          next.insert(one);
    at = std::move(next);
  }
  Use use;
  for (rt::KernelAccess::State state : at) {
    use.read |= access.reads(state);
    use.write |= access.writes(state);
    use.overwrites |= access.overwrites(state);
  }
  return use;
}

/// "the kernel reads and writes it".
std::string doing(const Known &known, Use use) {
  if (!known.access.known())
    return "what the kernel does with it is not known" +
           (known.unknown.empty() ? "" : ": " + known.unknown);
  if (!use.write)
    return use.read ? "the kernel does not write it"
                    : "the kernel does not use it";
  if (use.read)
    return "the kernel reads and writes it";
  return use.overwrites ? "the kernel overwrites an element in each thread"
                        : "the kernel writes it, perhaps not all of it";
}

std::string sentence(const KernelMapping &m, const Known &known) {
  const Use use = useOf(known.access, m.path);
  std::string does = doing(known, use);
  switch (m.kind) {
  case KernelMapping::Bits:
    return "among the arguments";
  case KernelMapping::Address:
    return "of device memory, or of what is mapped anyway; " +
           (known.access.known() && use.read && !use.write
                ? "the kernel only reads it"
                : does);
  case KernelMapping::Trait:
  case KernelMapping::Memory:
    break;
  }
  if (m.stated & KernelMapping::Keep)
    return m.stated & KernelMapping::In
               ? "copied in, as it holds addresses; not back: xcc::keep"
               : "not copied: stated by xcc::keep";
  if (m.stated && !(m.stated & KernelMapping::In))
    return use.write ? "not copied in, as xcc::out states; copied back: " + does
                     : "not copied: xcc::out, and " + does;
  // An object that holds addresses is always sent.
  if (known.access.known() && !use.read && !use.write)
    return "copied in only where it holds addresses; not back: " + does;
  std::string in = "copied in; not back: ";
  if (m.isConst)
    return in + "const";
  if (m.stated && !(m.stated & KernelMapping::Out))
    return in + "stated by xcc::in";
  if (known.access.known() && !use.read && use.overwrites)
    return "copied in, unless there is a thread for each, and back: " + does;
  return (use.write ? "copied in and back: " : in) + does;
}

/// Whether the kernel takes anything that a remark could describe.
bool takesAny(const Kernel &kernel) {
  return !kernel.captures.empty() ||
         any_of(kernel.params, [](const KernelParam &param) {
           return param.kind != XCC_PARAM_CLOSURE;
         });
}

} // namespace

std::vector<std::string> mappingRemarks(const KernelTable &kernels,
                                        ArrayRef<DeviceImage> images) {
  // Group the units by symbol, so that each kernel is handled once for an arch.
  MapVector<StringRef, std::vector<const Kernel *>> bySymbol;
  for (const Kernel &kernel : kernels)
    bySymbol[kernel.symbol].push_back(&kernel);
  // In the order of the source.
  std::multimap<std::tuple<std::string, unsigned, unsigned>, std::string>
      remarks;
  StringSet<> said;
  for (const auto &[symbol, units] : bySymbol) {
    std::vector<Known> known;
    for (const DeviceImage &image : images) {
      // Images for one arch know more about the kernel.
      if (isPortable(image.arch) && any_of(images, [&](const DeviceImage &i) {
            return !isPortable(i.arch) && i.triple == image.triple;
          }))
        continue;
      std::string table = image.rows.text();
      rt::KernelRow row;
      if (is_contained(map_range(known, [](const Known &k) { return k.arch; }),
                       image.arch) ||
          !rt::findKernelRow(table, std::string_view(symbol), row))
        continue;
      known.push_back(
          {image.arch,
           rt::KernelAccess(row.column("access"), row.column("overwrites")),
           image.unknownAccess.lookup(symbol)});
    }
    bool reported = false;
    for (const Kernel *kernel : units)
      for (const KernelMapping &m : kernel->mapping) {
        reported = true;
        std::map<std::string, std::vector<StringRef>> variants;
        for (const Known &one : known)
          variants[sentence(m, one)].push_back(one.arch);
        for (const auto &[what, archs] : variants) {
          std::string line = m.file + ":" + utostr(m.line) + ":" +
                             utostr(m.column) + ": remark: " + kernel->name +
                             ": " + m.what + ": " + what +
                             " [-foffload-report-mapping]";
          if (archs.size() != known.size())
            line += " (" + join(archs, ", ") + ")";
          if (said.insert(line).second)
            remarks.insert({{m.file, m.line, m.column}, std::move(line)});
        }
      }
    const Kernel &first = *units.front();
    if (!reported && !known.empty() && takesAny(first))
      remarks.insert(
          {{first.file, first.line, first.column},
           first.file + ":" + utostr(first.line) + ":" + utostr(first.column) +
               ": remark: " + first.name +
               ": compiled without -foffload-report-mapping: nothing is "
               "known of its launches [-foffload-report-mapping]"});
  }
  std::vector<std::string> lines;
  for (auto &[place, line] : remarks)
    lines.push_back(std::move(line));
  return lines;
}

} // namespace xcc::access
