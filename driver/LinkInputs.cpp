// Files of a host link that may hold device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinkInputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <functional>
#include <optional>
#include <utility>

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

/// The words of a text that begins as a linker's script does, without comments
/// and marks; empty where the file is none.
std::vector<std::string> wordsOfScript(StringRef path) {
  constexpr uint64_t most = 1 << 20;
  uint64_t size = 0;
  if (sys::fs::file_size(path, size) || size > most)
    return {};
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer || (*buffer)->getBuffer().contains('\0'))
    return {};
  StringRef text = (*buffer)->getBuffer();
  std::vector<std::string> words;
  std::string word;
  auto end = [&] {
    if (!word.empty())
      words.push_back(std::exchange(word, ""));
  };
  while (!text.empty()) {
    if (text.starts_with("/*")) {
      end();
      size_t close = text.find("*/", 2);
      text = close == StringRef::npos ? "" : text.drop_front(close + 2);
      continue;
    }
    char c = text.front();
    text = text.drop_front();
    if (c == '(' || c == ')') {
      end();
      words.emplace_back(1, c);
    } else if (c == '"') {
      word += text.take_front(text.find('"'));
      text = text.drop_front(std::min(text.find('"'), text.size() - 1) + 1);
      end();
    } else if (isSpace(c) || c == ',' || c == ';') {
      end();
    } else {
      word += c;
    }
  }
  end();
  return words;
}

/// What a linker's script has the linker read: files, and "-lname".
std::vector<std::string> filesOfScript(StringRef path) {
  std::vector<std::string> files, words = wordsOfScript(path);
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if ((words[i] != "INPUT" && words[i] != "GROUP") || words[i + 1] != "(")
      continue;
    unsigned depth = 1;
    for (i += 2; i < words.size() && depth; ++i) {
      if (words[i] == "(")
        ++depth;
      else if (words[i] == ")")
        --depth;
      else if (words[i] != "AS_NEEDED")
        files.push_back(words[i]);
    }
    --i;
  }
  return files;
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
  bool onlyStatic = false;
  std::vector<std::string> scripts; // each is read once
  std::function<void(StringRef, StringRef)> add = [&](StringRef path,
                                                      StringRef argument) {
    file_magic magic;
    if (any_of(found,
               [&](const LinkedLibrary &file) { return file.path == path; }) ||
        identify_magic(path, magic))
      return;
    if (wanted(magic))
      found.push_back({path.str(), argument.str()});
    if (magic != file_magic::unknown || is_contained(scripts, path))
      return;
    scripts.push_back(path.str());
    for (StringRef file : filesOfScript(path)) {
      StringRef name = file;
      if (name.consume_front("-l")) {
        if (auto library = findLibrary(name, onlyStatic, folders))
          add(*library, argument);
      } else if (sys::path::is_absolute(file) || sys::fs::exists(file)) {
        add(file, argument);
      } else if (auto there =
                     findLibrary((":" + file).str(), onlyStatic, folders)) {
        add(*there, argument);
      }
    }
  };
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

std::string findWrongInput(ArrayRef<std::string> args) {
  std::vector<std::string> context; // -L and -static hold from anywhere here
  for (StringRef arg : args)
    if (arg.starts_with("-L") || arg == "-static")
      context.push_back(arg.str());
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef arg = args[i];
    if (arg.starts_with("-l")) {
      std::vector<std::string> alone = context;
      alone.push_back(args[i]);
      if (arg == "-l" && i + 1 < args.size())
        alone.push_back(args[++i]);
      if (findLinkedFiles(alone).empty())
        return ("finds no library '" +
                (arg == "-l" ? StringRef(args[i]) : arg.drop_front(2)) +
                "' in the folders of -L")
            .str();
    } else if (arg == "-L" || takesValue(arg)) {
      ++i;
    } else if (!arg.starts_with("-") && !isStartFile(arg)) {
      file_magic magic;
      if (std::error_code error = identify_magic(arg, magic))
        return ("cannot use '" + arg + "': " + error.message()).str();
      if (!holdsDeviceCode(magic) && magic != file_magic::elf_shared_object &&
          filesOfScript(arg).empty())
        return ("cannot use '" + arg +
                "': it is no object, archive, library or linker script")
            .str();
    }
  }
  return "";
}

void forEachMember(
    const object::Archive &archive, StringRef file,
    function_ref<void(std::string name, MemoryBufferRef bytes)> found) {
  Error error = Error::success();
  for (const object::Archive::Child &child : archive.children(error)) {
    auto member = child.getMemoryBufferRef();
    if (member)
      found((file + "(" + sys::path::filename(member->getBufferIdentifier()) +
             ")")
                .str(),
            *member);
    else
      consumeError(member.takeError());
  }
  consumeError(std::move(error));
}

} // namespace xcc
