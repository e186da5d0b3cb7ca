// Links a program whose main runs on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramLink.h"
#include "LinkInputs.h"
#include "LinkerArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace xcc {
namespace {

/// Whether the argument is the toolchain's own, not the user's: start-up files,
/// the kind of the output, and folders of libraries.
bool isToolchains(const LinkerArgument &arg) {
  StringRef word = arg.words.front();
  return arg.option == LinkerOption::LibraryPath ||
         arg.option == LinkerOption::Sysroot ||
         word.starts_with("--hash-style") || word.starts_with("--build-id") ||
         is_contained({"--eh-frame-hdr", "-pie", "-no-pie", "-m", "-o",
                       "-dynamic-linker", "-z"},
                      word) ||
         (arg.option == LinkerOption::Input && isStartFile(word));
}

/// The index at which the toolchain's own libraries begin, after all that the
/// user wrote. The link of a C program has them once, in GCC's order.
size_t ownLibraries(ArrayRef<std::string> args) {
  for (size_t i = args.size(); i-- > 0;)
    if (isStartFile(args[i]) &&
        sys::path::filename(args[i]).starts_with("crtbegin"))
      for (size_t j = args.size(); j-- > i;)
        if (args[j] == "-lc") {
          // The sequence is -lgcc --as-needed -lgcc_s --no-as-needed -lc,
          // twice.
          while (j > i && (is_contained({"-lc", "-lgcc", "-lgcc_s", "-lgcc_eh",
                                         "--as-needed", "--no-as-needed",
                                         "--start-group"},
                                        args[j])))
            --j;
          return j + 1;
        }
  return args.size();
}

/// Whether an option for libraries also applies to the link of the image.
bool passesOn(LinkerOption option) {
  switch (option) {
  case LinkerOption::RunPath:
  case LinkerOption::Library:
  case LinkerOption::LibraryPath:
  case LinkerOption::WholeArchive:
  case LinkerOption::NoWholeArchive:
  case LinkerOption::StartLib:
  case LinkerOption::EndLib:
  case LinkerOption::Group:
  case LinkerOption::Wrap:
  case LinkerOption::DefinesSymbol:
    return true;
  default:
    return false;
  }
}

} // namespace

std::vector<std::string> loaderFiles(const Installation &installation) {
  return {installation.library() + "/libxcc-main.a",
          installation.runtime(/*shared=*/false)};
}

Error linkAsProgram(const DriverEnv &env, Plan &plan, const Options &options) {
  LinkStep &link = *plan.link;
  if (is_contained(link.command.args, "-static") ||
      is_contained(link.command.args, "-static-pie"))
    return createStringError("-foffload-main and -static exclude each other: "
                             "the image is loaded by the dynamic linker");
  for (const std::string &file : loaderFiles(env.installation))
    if (!options.imageOnly && !env.fs->exists(file))
      return createStringError(
          "cannot find '" + file +
          "', the loader of programs; is xcc installed completely?");
  size_t own = ownLibraries(link.command.args);
  std::vector<std::string> all = std::move(link.command.args);
  std::vector<std::string> &kept = link.command.args;
  kept.clear();
  for (const LinkerArgument &arg :
       readLinkerArguments(ArrayRef(all).take_front(own)))
    if (isToolchains(arg))
      append_range(kept, arg.words);
  link.deviceArgs.assign(all.begin(), all.begin() + own);
  link.insertAt = kept.size();
  kept.insert(kept.end(), all.begin() + own, all.end());
  link.program = true;
  link.imageOnly = options.imageOnly;
  // The program has no host code.
  for (CompileStep &step : plan.compiles)
    if (step.devices)
      step.unit.hostPass = false;
  return Error::success();
}

std::vector<std::string>
hostLibraries(const LinkStep &link,
              function_ref<bool(StringRef)> holdsDeviceCode) {
  std::vector<std::string> result;
  for (const LinkerArgument &arg : readLinkerArguments(link.userArgs())) {
    if (passesOn(arg.option)) {
      append_range(result, arg.words);
    } else if (arg.option == LinkerOption::Input && !isStartFile(arg.value)) {
      file_magic magic;
      if (identify_magic(arg.value, magic))
        continue;
      if (magic == file_magic::elf_shared_object ||
          magic == file_magic::archive ||
          (magic == file_magic::elf_relocatable && !holdsDeviceCode(arg.value)))
        result.push_back(arg.value);
    }
  }
  return result;
}

} // namespace xcc
