// Shared libraries of a host link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedLibraries.h"
#include "LinkInputs.h"
#include "LinkerArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::object;

namespace xcc {
namespace {

/// A library's needed libraries and its search paths. A damaged library is
/// skipped: the linker reports it.
struct Dynamic {
  std::vector<std::string> needed, folders;
};

Dynamic readDynamic(const std::string &path) {
  Dynamic result;
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return result;
  auto file = ELFFile<ELF64LE>::create((*buffer)->getBuffer());
  if (!file) {
    consumeError(file.takeError());
    return result;
  }
  auto entries = file->dynamicEntries();
  if (!entries) {
    consumeError(entries.takeError());
    return result;
  }
  StringRef strings;
  for (const auto &entry : *entries)
    if (entry.d_tag == ELF::DT_STRTAB) {
      auto at = file->toMappedAddr(entry.d_un.d_ptr);
      if (!at) {
        consumeError(at.takeError());
        return result;
      }
      const char *begin = reinterpret_cast<const char *>(*at);
      if (begin < (*buffer)->getBufferStart() ||
          begin >= (*buffer)->getBufferEnd())
        return result;
      strings = StringRef(begin, (*buffer)->getBufferEnd() - begin);
    }
  std::string origin = sys::path::parent_path(path).str();
  if (origin.empty())
    origin = ".";
  for (const auto &entry : *entries) {
    StringRef text = strings.substr(entry.d_un.d_val).split('\0').first;
    if (entry.d_tag == ELF::DT_NEEDED)
      result.needed.push_back(text.str());
    if (entry.d_tag != ELF::DT_RUNPATH && entry.d_tag != ELF::DT_RPATH)
      continue;
    SmallVector<StringRef> folders;
    text.split(folders, ':', -1, /*KeepEmpty=*/false);
    for (StringRef folder : folders) {
      if (!folder.consume_front("$ORIGIN") &&
          !folder.consume_front("${ORIGIN}")) {
        result.folders.push_back(folder.str());
        continue;
      }
      result.folders.push_back(origin + folder.str());
    }
  }
  result.folders.push_back(origin);
  return result;
}

/// The folders in which the linker searches for libraries that libraries need.
std::vector<std::string> foldersOf(ArrayRef<std::string> args) {
  std::vector<std::string> folders;
  for (const LinkerArgument &arg : readLinkerArguments(args)) {
    if (arg.option == LinkerOption::LibraryPath)
      folders.push_back(arg.value);
    if (arg.option != LinkerOption::RunPath &&
        arg.option != LinkerOption::LinkPath)
      continue;
    SmallVector<StringRef> list;
    StringRef(arg.value).split(list, ':', -1, /*KeepEmpty=*/false);
    for (StringRef folder : list)
      folders.push_back(folder.str());
  }
  return folders;
}

} // namespace

std::vector<SharedLibrary> findSharedLibraries(const LinkStep &link) {
  std::vector<SharedLibrary> found;
  for (const LinkedFile &library : findLinkedLibraries(link))
    found.push_back({library.path, library.argument});
  if (found.empty())
    return found;
  std::vector<std::string> folders = foldersOf(link.userArgs());
  StringSet<> seen;
  for (const SharedLibrary &library : found)
    seen.insert(sys::path::filename(library.path));
  for (size_t i = 0; i < found.size(); ++i) {
    Dynamic dynamic = readDynamic(found[i].path);
    for (const std::string &needed : dynamic.needed) {
      if (!seen.insert(sys::path::filename(needed)).second)
        continue;
      std::vector<std::string> places;
      if (StringRef(needed).contains('/'))
        places.push_back(needed);
      else
        for (const auto *list : {&folders, &dynamic.folders})
          for (const std::string &folder : *list)
            places.push_back(folder + "/" + needed);
      auto place = find_if(places, [](const std::string &path) {
        return sys::fs::exists(path);
      });
      if (place != places.end())
        found.push_back({*place, ""});
    }
  }
  return found;
}

std::string nameOfLibrary(ArrayRef<std::string> args, StringRef output) {
  std::string name = sys::path::filename(output).str();
  for (const LinkerArgument &arg : readLinkerArguments(args))
    if (arg.option == LinkerOption::Soname)
      name = arg.value;
  return name;
}

} // namespace xcc
