// Parses linker arguments as GNU ld, gold, lld and mold do
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinkerArguments.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include <optional>

using namespace llvm;

namespace xcc {
namespace {

using Option = LinkerOption;

struct Spelling {
  StringLiteral name;
  Option option;
};

/// One-letter options whose value is joined or is the next argument.
constexpr Spelling letters[] = {
    {"l", Option::Library},   {"L", Option::LibraryPath}, {"T", Option::Script},
    {"b", Option::Format},    {"R", Option::JustSymbols}, {"h", Option::Soname},
    {"u", Option::Undefined}, {"e", Option::Undefined},   {"A", Option::Other},
    {"F", Option::Other},     {"I", Option::Other},       {"P", Option::Other},
    {"Y", Option::Other},     {"a", Option::Other},       {"f", Option::Other},
    {"m", Option::Other},     {"o", Option::Other},       {"y", Option::Other},
    {"z", Option::Other}};

/// Options whose value follows "=" or is the next argument. If you are not
/// sure, leave an option out: its value is then read as an input that does not
/// exist, which is harmless.
constexpr Spelling withValue[] = {{"library", Option::Library},
                                  {"library-path", Option::LibraryPath},
                                  {"script", Option::Script},
                                  {"default-script", Option::Script},
                                  {"dT", Option::Script},
                                  {"just-symbols", Option::JustSymbols},
                                  {"format", Option::Format},
                                  {"mri-script", Option::NotFollowed},
                                  {"c", Option::NotFollowed},
                                  {"C", Option::NotFollowed},
                                  {"remap-inputs", Option::NotFollowed},
                                  {"remap-inputs-file", Option::NotFollowed},
                                  {"directory", Option::NotFollowed},
                                  {"chroot", Option::NotFollowed},
                                  {"incremental-base", Option::NotFollowed},
                                  {"sysroot", Option::Sysroot},
                                  {"soname", Option::Soname},
                                  {"rpath", Option::RunPath},
                                  {"rpath-link", Option::LinkPath},
                                  {"undefined", Option::Undefined},
                                  {"require-defined", Option::Undefined},
                                  {"entry", Option::Undefined},
                                  {"init", Option::Undefined},
                                  {"fini", Option::Undefined},
                                  {"wrap", Option::Wrap},
                                  {"defsym", Option::DefinesSymbol}};

/// Other options with a value, which is not an input.
constexpr StringLiteral valueOfOthers[] = {
    "Map",
    "Tbss",
    "Tdata",
    "Tldata-segment",
    "Trodata-segment",
    "Ttext",
    "Ttext-segment",
    "android-memtag-mode",
    "architecture",
    "assert",
    "audit",
    "auxiliary",
    "build-id-chunk-size-for-treehash",
    "build-id-min-file-size-for-treehash",
    "call-graph-ordering-file",
    "compress-sections",
    "ctf-share-types",
    "debug",
    "depaudit",
    "dependency-file",
    "dynamic-linker",
    "dynamic-list",
    "error-handling-script",
    "error-limit",
    "exclude-libs",
    "export-dynamic-symbol",
    "export-dynamic-symbol-list",
    "filter",
    "gpsize",
    "hash-bucket-empty-fraction",
    "hash-size",
    "hash-style",
    "icf-iterations",
    "ignore-unresolved-symbol",
    "image-base",
    "in-implib",
    "incremental-patch",
    "irpgo-profile",
    "keep-unique",
    "load-pass-plugin",
    "lto-known-safe-vtables",
    "max-cache-size",
    "mips-got-size",
    "mllvm",
    "oformat",
    "opt-remarks-filename",
    "opt-remarks-format",
    "opt-remarks-hotness-threshold",
    "opt-remarks-passes",
    "optimize",
    "orphan-handling",
    "out-implib",
    "output",
    "pack-dyn-relocs",
    "plugin",
    "plugin-opt",
    "print-symbol-counts",
    "print-symbol-order",
    "reproduce",
    "retain-symbols-file",
    "rosegment-gap",
    "rsp-quoting",
    "section-ordering-file",
    "section-start",
    "shuffle-sections",
    "sort-section",
    "spare-dynamic-tags",
    "split-stack-adjust-size",
    "stub-group-size",
    "symbol-ordering-file",
    "target2",
    "task-link",
    "thinlto-cache-policy",
    "thread-count",
    "thread-count-final",
    "thread-count-initial",
    "thread-count-middle",
    "time-trace-granularity",
    "trace-symbol",
    "undefined-glob",
    "unresolved-symbols",
    "version-exports-section",
    "version-script",
    "warn-backrefs-exclude",
    "why-live"};

/// Options without a value.
constexpr Spelling flags[] = {{"Bstatic", Option::OnlyStatic},
                              {"static", Option::OnlyStatic},
                              {"dn", Option::OnlyStatic},
                              {"non_shared", Option::OnlyStatic},
                              {"Bdynamic", Option::AlsoShared},
                              {"dy", Option::AlsoShared},
                              {"call_shared", Option::AlsoShared},
                              {"whole-archive", Option::WholeArchive},
                              {"no-whole-archive", Option::NoWholeArchive},
                              {"start-lib", Option::StartLib},
                              {"end-lib", Option::EndLib},
                              {"as-needed", Option::AsNeeded},
                              {"no-as-needed", Option::NoAsNeeded},
                              {"push-state", Option::PushState},
                              {"pop-state", Option::PopState},
                              {"start-group", Option::Group},
                              {"end-group", Option::Group},
                              {"(", Option::Group},
                              {")", Option::Group},
                              {"shared", Option::Shared},
                              {"Bshareable", Option::Shared},
                              {"relocatable", Option::Relocatable},
                              {"r", Option::Relocatable},
                              {"i", Option::Relocatable},
                              {"Ur", Option::Relocatable},
                              {"nostdlib", Option::OnlyOwnFolders}};

std::optional<Option> optionOf(ArrayRef<Spelling> list, StringRef name) {
  for (const Spelling &spelling : list)
    if (spelling.name == name)
      return spelling.option;
  return std::nullopt;
}

/// Expands response files by the rules of GNU. Like linkers, keeps the argument
/// if the file cannot be read.
std::vector<std::string> expandFiles(ArrayRef<std::string> args) {
  std::vector<std::string> result(args);
  if (none_of(args, [](StringRef arg) { return arg.starts_with("@"); }))
    return result;
  SmallVector<const char *> words;
  for (const std::string &arg : args)
    words.push_back(arg.c_str());
  BumpPtrAllocator allocator;
  cl::ExpansionContext context(allocator, cl::TokenizeGNUCommandLine);
  // The linker reports a file that includes itself.
  if (Error error = context.expandResponseFiles(words))
    consumeError(std::move(error));
  return std::vector<std::string>(words.begin(), words.end());
}

class Reader {
public:
  explicit Reader(ArrayRef<std::string> args) : words(expandFiles(args)) {}

  std::vector<LinkerArgument> run() {
    while (next < words.size()) {
      LinkerArgument arg = readOne();
      apply(arg);
      arg.state = state;
      arg.isData = data && arg.option == Option::Input;
      result.push_back(std::move(arg));
    }
    return std::move(result);
  }

private:
  std::vector<std::string> words;
  size_t next = 0;
  LinkerState state;
  std::vector<LinkerState> saved;
  bool data = false; ///< -b binary
  std::vector<LinkerArgument> result;

  LinkerArgument readOne() {
    LinkerArgument arg;
    const std::string &word = words[next++];
    arg.words.push_back(word);
    if (word.size() < 2 || word.front() != '-') {
      arg.option = Option::Input;
      arg.value = word;
      return arg;
    }
    StringRef name = StringRef(word).drop_front(word[1] == '-' ? 2 : 1);
    const bool twoDashes = word[1] == '-';
    auto [before, after] = name.split('=');
    const bool joined = before.size() != name.size();
    std::optional<Option> long_ = optionOf(withValue, before);
    if (!long_ && is_contained(valueOfOthers, before))
      long_ = Option::Other;
    // After one dash, "o..." is always -o.
    if (long_ && (twoDashes || !name.starts_with("o"))) {
      arg.option = *long_;
      takeValue(arg, joined ? std::optional(after) : std::nullopt);
      return arg;
    }
    if (std::optional<Option> flag = optionOf(flags, name)) {
      arg.option = *flag;
      return arg;
    }
    if (std::optional<Option> letter = optionOf(letters, name.take_front());
        letter && !twoDashes) {
      arg.option = *letter;
      takeValue(arg, name.size() > 1 ? std::optional(name.drop_front())
                                     : std::nullopt);
      // GNU ld also takes -R as -rpath if the value is no file.
      if (name.front() == 'R' && !sys::fs::is_regular_file(arg.value))
        arg.option = Option::RunPath;
    }
    return arg;
  }

  void takeValue(LinkerArgument &arg, std::optional<StringRef> joined) {
    if (joined) {
      arg.value = joined->str();
    } else if (next < words.size()) {
      arg.value = words[next];
      arg.words.push_back(words[next++]);
    }
  }

  void apply(const LinkerArgument &arg) {
    switch (arg.option) {
    case Option::OnlyStatic:
    case Option::Relocatable:
      state.onlyStatic = true;
      break;
    case Option::AlsoShared:
      state.onlyStatic = false;
      break;
    case Option::WholeArchive:
    case Option::NoWholeArchive:
      state.whole = arg.option == Option::WholeArchive;
      break;
    case Option::StartLib:
    case Option::EndLib:
      state.inLib = arg.option == Option::StartLib;
      break;
    case Option::AsNeeded:
    case Option::NoAsNeeded:
      state.asNeeded = arg.option == Option::AsNeeded;
      break;
    case Option::PushState:
      saved.push_back(state);
      break;
    case Option::PopState:
      if (!saved.empty())
        state = saved.back(), saved.pop_back();
      break;
    case Option::Format:
      data = arg.value == "binary";
      break;
    default:
      break;
    }
  }
};

} // namespace

std::vector<LinkerArgument> readLinkerArguments(ArrayRef<std::string> args) {
  return Reader(args).run();
}

} // namespace xcc
