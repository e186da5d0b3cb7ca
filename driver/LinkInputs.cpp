// Files of a host link that may hold device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinkInputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace llvm;

namespace xcc {

bool takesValue(StringRef arg) {
  static constexpr StringRef list[] = {"-o",
                                       "-z",
                                       "-m",
                                       "-T",
                                       "-h",
                                       "-e",
                                       "-u",
                                       "-y",
                                       "-dynamic-linker",
                                       "-soname",
                                       "-I",
                                       "-rpath",
                                       "-plugin",
                                       "--version-script",
                                       "-L",
                                       "-l",
                                       "-f",
                                       "-F",
                                       "-Map",
                                       "-rpath-link",
                                       "--dynamic-linker",
                                       "-b",
                                       "-A",
                                       "--sysroot"};
  return is_contained(list, arg);
}

bool isStartFile(StringRef path) {
  StringRef name = sys::path::filename(path);
  return name.ends_with(".o") &&
         (name.starts_with("crt") || name.ends_with("crt1.o"));
}

namespace {

bool holdsDeviceCode(file_magic magic) {
  return magic == file_magic::elf_relocatable || magic == file_magic::bitcode ||
         magic == file_magic::archive;
}

/// What -l finds, by the linker's rule: in each folder in turn, a shared
/// library before an archive.
std::optional<std::string> findLibrary(StringRef name, bool onlyStatic,
                                       ArrayRef<StringRef> folders) {
  std::vector<std::string> names;
  if (name.consume_front(":"))
    names = {name.str()};
  else if (onlyStatic)
    names = {("lib" + name + ".a").str()};
  else
    names = {("lib" + name + ".so").str(), ("lib" + name + ".a").str()};
  for (StringRef folder : folders)
    for (const std::string &file : names) {
      SmallString<128> path(folder);
      sys::path::append(path, file);
      if (sys::fs::exists(path))
        return path.str().str();
    }
  return std::nullopt;
}

/// The files of a kind that a linker would read, each once and in order.
std::vector<LinkedLibrary> findNamed(ArrayRef<std::string> args,
                                     function_ref<bool(file_magic)> wanted) {
  std::vector<StringRef> folders;
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef arg = args[i];
    if (arg.consume_front("-L"))
      folders.push_back(arg.empty() && i + 1 < args.size() ? args[++i] : arg);
  }

  std::vector<LinkedLibrary> found;
  auto add = [&](StringRef path, StringRef argument) {
    file_magic magic;
    if (none_of(found,
                [&](const LinkedLibrary &file) { return file.path == path; }) &&
        !identify_magic(path, magic) && wanted(magic))
      found.push_back({path.str(), argument.str()});
  };
  bool onlyStatic = false;
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef arg = args[i];
    if (arg == "-Bstatic" || arg == "-static" || arg == "-dn")
      onlyStatic = true;
    else if (arg == "-Bdynamic" || arg == "-dy")
      onlyStatic = false;
    if (arg.starts_with("-l")) {
      StringRef name = arg.drop_front(2);
      if (name.empty() && i + 1 < args.size())
        name = args[++i];
      if (auto library = findLibrary(name, onlyStatic, folders))
        add(*library, ("-l" + name).str());
    } else if (takesValue(arg)) {
      ++i;
    } else if (!arg.starts_with("-") && !isStartFile(arg)) {
      add(arg, arg);
    }
  }
  return found;
}

std::vector<std::string> findFiles(ArrayRef<std::string> args,
                                   function_ref<bool(file_magic)> wanted) {
  std::vector<std::string> paths;
  for (LinkedLibrary &file : findNamed(args, wanted))
    paths.push_back(std::move(file.path));
  return paths;
}

} // namespace

std::vector<LinkedLibrary> findLinkedLibraries(ArrayRef<std::string> args) {
  return findNamed(args, [](file_magic magic) {
    return magic == file_magic::elf_shared_object;
  });
}

std::vector<std::string> findLinkInputs(ArrayRef<std::string> args) {
  return findFiles(args, holdsDeviceCode);
}

std::vector<std::string> findLinkedFiles(ArrayRef<std::string> args) {
  return findFiles(args, [](file_magic magic) {
    return holdsDeviceCode(magic) || magic == file_magic::elf_shared_object;
  });
}

} // namespace xcc
