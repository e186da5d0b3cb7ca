// What xcc says of its own options
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Help.h"
#include "targets/Target.h"

using namespace llvm;

namespace xcc {
namespace {

/// A line of --help. A name that ends with '=' takes a value.
struct OptionHelp {
  StringRef name, value, text;
};

constexpr OptionHelp Compiling[] = {
    {"--offload-arch=", "LIST",
     "compile kernels for: host (default), native, sm_90, gfx1100, generic, "
     "..."},
    {"--print-offload-archs", "",
     "print every name that --offload-arch= takes"},
    {"-foffload-host-calls", "",
     "let device code call functions that only the host has"},
    {"-foffload-export", "",
     "export a file's functions to kernels of others, whatever it includes"},
    {"-fno-offload-export", "", "export nothing but what is marked XCC_EXPORT"},
    {"-foffload-jit-roots=", "WHAT",
     "what xcc::jit::kernel finds: kernels (default), or all that is marked "
     "XCC_EXPORT too"},
    {"-foffload-host-only", "", "compile for the host alone"},
    {"-foffload-device-only", "",
     "compile for the devices alone (with -S, -c, -E)"},
    {"-cuid=", "ID",
     "tell a file's own kernels from those of files with the same text"},
    {"-Wno-offload-", "WHAT",
     "no warning of host-memory, mapping, host-code, globals, lifetime or "
     "race"},
    {"-emit-kernel-info=", "FILE", "write the kernels' descriptors as JSON"},
    {"-foffload-resource-usage", "",
     "print each kernel's registers, stack, shared memory and occupancy"},
    {"-foffload-report-mapping", "",
     "say of each launch what it moves to a device"},
    {"--instead-of", " COMPILER",
     "be the compiler of a command that names another (first option)"},
    {"--report-crash", "",
     "make a folder with what a report of a crash or an error needs"},
    {"-save-temps", "",
     "keep what lies between source and program, of every pass"},
};
constexpr OptionHelp Linking[] = {
    {"-foffload-lto=", "HOW",
     "optimise device code in parts (thin, default), as a whole (full) or unit "
     "by unit (none)"},
    {"-foffload-stdpar", "",
     "run the standard's parallel algorithms on the device"},
    {"--device-link", "",
     "make the object that g++ or clang++ links with xcc's objects"},
    {"-fno-offload-cache", "", "take no device code of earlier links"},
    {"-shared-libxcc", "", "link the runtime as a shared library"},
    {"-static-libxcc", "", "link the runtime statically (default)"},
};
constexpr OptionHelp Programs[] = {
    {"-foffload-main", "", "make a program whose main runs on the device"},
    {"-foffload-image-only", "", "the same as a bare image, for xcc-run"},
    {"--precompile", " PROGRAM",
     "generate what its portable images are for on this machine"},
};

/// Where the texts begin.
constexpr unsigned Column = 33;

void printLine(raw_ostream &os, const OptionHelp &option) {
  std::string name = (option.name + option.value).str();
  os << "  " << name;
  os.indent(name.size() + 3 < Column ? Column - 2 - name.size() : 1);
  os << option.text << '\n';
}

std::vector<OptionHelp> ofTargets() {
  std::vector<OptionHelp> all;
  for (const Target *target : allTargets())
    for (const TargetOption &option : target->options())
      if (!option.help.empty())
        all.push_back({option.name, option.name.ends_with("=") ? "VALUE" : "",
                       option.help});
  return all;
}

} // namespace

void printHelp(raw_ostream &os) {
  os << "xcc: kernels in ordinary C++\n\n"
        "Usage: xcc [options] file...\n\n"
        "Options of clang++ work as ever: -O2 -g -c -o FILE -I DIR ...; "
        "--help-clang\nlists them.\n\nCompiling:\n";
  for (const OptionHelp &option : Compiling)
    printLine(os, option);
  os << "\nLinking:\n";
  for (const OptionHelp &option : Linking)
    printLine(os, option);
  os << "\nWhole programs:\n";
  for (const OptionHelp &option : Programs)
    printLine(os, option);
  os << "\nSingle devices:\n";
  for (const OptionHelp &option : ofTargets())
    printLine(os, option);
}

void printCompletions(StringRef words, raw_ostream &os) {
  // Clang's form: the words of the command line joined by commas, where a value
  // stands behind "option=,".
  StringRef last = words.rsplit(',').second;
  if (!words.contains(','))
    last = words;
  StringRef before = words.drop_back(last.size());
  if (before.ends_with("offload-arch=,") || last.contains("offload-arch=")) {
    StringRef option = before.ends_with("=,") ? "" : last;
    StringRef typed = last;
    if (!option.empty()) {
      size_t equals = option.find('=') + 1;
      typed = option.drop_front(equals);
      option = option.take_front(equals);
    }
    for (const Target *target : allTargets())
      for (const std::string &arch : target->archs())
        if (StringRef(arch).starts_with(typed))
          os << option << arch << '\n';
    return;
  }
  const std::vector<OptionHelp> target = ofTargets();
  for (ArrayRef<OptionHelp> options : {ArrayRef(Compiling), ArrayRef(Linking),
                                       ArrayRef(Programs), ArrayRef(target)})
    for (const OptionHelp &option : options)
      if (!last.empty() && option.name.starts_with(last))
        os << option.name << '\t' << option.text << '\n';
}

} // namespace xcc
