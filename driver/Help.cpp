// Help for xcc's own options
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

enum class Group { Compiling, Linking, Programs, Hidden };

struct OwnHelp {
  Group group;
  OptionHelp help;
};

constexpr OwnHelp OwnOptions[] = {
#define XCC_OPTION(group, name, value, text, details, take)                    \
  {Group::group, {name, value, text}},
#define XCC_OPTION_ELSEWHERE(group, name, value, text, details)                \
  {Group::group, {name, value, text}},
#include "Options.def"
};

/// The column in which descriptions begin.
constexpr unsigned Column = 33;

void printLine(raw_ostream &os, const OptionHelp &option) {
  std::string name = (option.name + option.value).str();
  os << "  " << name;
  os.indent(name.size() + 3 < Column ? Column - 2 - name.size() : 1);
  os << option.text << '\n';
}

void printGroup(raw_ostream &os, StringRef heading, Group group) {
  os << heading << ":\n";
  for (const OwnHelp &option : OwnOptions)
    if (option.group == group)
      printLine(os, option.help);
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
        "--help-clang\nlists them.\n\n";
  printGroup(os, "Compiling", Group::Compiling);
  printGroup(os, "\nLinking", Group::Linking);
  printGroup(os, "\nWhole programs", Group::Programs);
  os << "\nSingle devices:\n";
  for (const OptionHelp &option : ofTargets())
    printLine(os, option);
}

void printArchs(raw_ostream &os) {
  for (const Target *target : allTargets())
    for (const std::string &arch : target->archs())
      os << arch << '\n';
  os << EveryPortable << '\n';
  for (const Target *target : allTargets())
    os << portableArch(*target) << '\n';
}

void printCompletions(StringRef words, raw_ostream &os) {
  // Clang joins the words of the command line by commas. A value stands after
  // "option=,".
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
  auto complete = [&](const OptionHelp &option) {
    if (!last.empty() && option.name.starts_with(last))
      os << option.name << '\t' << option.text << '\n';
  };
  for (const OwnHelp &option : OwnOptions)
    if (option.group != Group::Hidden)
      complete(option.help);
  for (const OptionHelp &option : ofTargets())
    complete(option);
}

} // namespace xcc
