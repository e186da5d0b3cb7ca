// Finds the files of a host link that may hold device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinkInputs.h"
#include "LinkerArguments.h"
#include "link/DeviceInputs.h"
#include "support/Files.h"
#include "support/Processes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <optional>
#include <utility>

using namespace llvm;

namespace xcc {

bool isStartFile(StringRef path) {
  StringRef name = sys::path::filename(path);
  return name.ends_with(".o") &&
         (name.starts_with("crt") || name.ends_with("crt1.o"));
}

bool holdsDeviceCode(file_magic magic) {
  return magic == file_magic::elf_relocatable || magic == file_magic::bitcode ||
         magic == file_magic::archive;
}

namespace {

bool definesForHost(file_magic magic) {
  return holdsDeviceCode(magic) || magic == file_magic::elf_shared_object;
}

/// The words of a linker script, without comments and punctuation; empty if the
/// file is none.
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

bool mayBeScript(StringRef path) {
  file_magic magic;
  return !identify_magic(path, magic) && magic == file_magic::unknown;
}

/// The files and folders that a linker script names.
struct Script {
  std::vector<std::string> files; ///< paths or "-lname"
  std::vector<std::string> folders, scripts;
};

Script readScript(StringRef path) {
  Script script;
  std::vector<std::string> words = wordsOfScript(path);
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "INCLUDE")
      script.scripts.push_back(words[i + 1]);
    const bool folder = words[i] == "SEARCH_DIR";
    if (words[i + 1] != "(" ||
        !(folder || is_contained({"INPUT", "GROUP", "STARTUP"}, words[i])))
      continue;
    unsigned depth = 1;
    for (i += 2; i < words.size() && depth; ++i) {
      if (words[i] == "(")
        ++depth;
      else if (words[i] == ")")
        --depth;
      else if (words[i] != "AS_NEEDED")
        (folder ? script.folders : script.files).push_back(words[i]);
    }
    --i;
  }
  return script;
}

/// Finds the files that a link's arguments name, as a linker does.
class FileFinder {
public:
  explicit FileFinder(const LinkStep &link)
      : args(readLinkerArguments(link.userArgs())) {
    for (const LinkerArgument &arg : args)
      if (arg.option == LinkerOption::Sysroot)
        sysroot = arg.value;
    // -L applies to all arguments, before and after it.
    for (const LinkerArgument &arg : args)
      if (arg.option == LinkerOption::LibraryPath)
        folders.push_back(inSysroot(arg.value));
    for (const LinkerArgument &arg : args)
      if (arg.option == LinkerOption::Script ||
          (arg.option == LinkerOption::Input && mayBeScript(arg.value)))
        addFoldersOf(arg.value);
    for (const std::string &folder : link.linkerFolders)
      folders.push_back(inSysroot(folder));
  }

  std::vector<LinkedFile> run() {
    for (const LinkerArgument &arg : args)
      add(arg);
    return std::move(found);
  }

  ArrayRef<LinkerArgument> arguments() const { return args; }

  /// Finds a library by the linker's rule: in each folder in turn, a shared
  /// library before an archive.
  std::optional<std::string> findLibrary(StringRef name,
                                         bool onlyStatic) const {
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

private:
  std::vector<LinkerArgument> args;
  std::string sysroot;
  std::vector<std::string> folders;
  std::vector<LinkedFile> found;
  std::vector<std::string> scripts; // read once each

  std::string inSysroot(StringRef path) const {
    if (path.consume_front("=") || path.consume_front("$SYSROOT"))
      return sysroot + path.str();
    return path.str();
  }

  void addFoldersOf(StringRef script) {
    for (StringRef folder : readScript(placeOf(script, "")).folders)
      folders.push_back(inSysroot(folder));
  }

  /// The path of a file that a script names, or of a script that is an
  /// argument.
  std::string placeOf(StringRef name, StringRef script) const {
    if (name.starts_with("=") || name.starts_with("$SYSROOT"))
      return inSysroot(name);
    if (sys::path::is_absolute(name)) {
      const bool inside = !sysroot.empty() && script.starts_with(sysroot);
      return (inside ? sysroot : "") + name.str();
    }
    SmallString<128> beside(sys::path::parent_path(script));
    sys::path::append(beside, name);
    sys::path::remove_dots(beside);
    if (sys::fs::exists(beside))
      return beside.str().str();
    if (sys::fs::exists(name))
      return name.str();
    return findLibrary((":" + name).str(), false).value_or(name.str());
  }

  void add(const LinkerArgument &arg) {
    if (arg.option == LinkerOption::Library) {
      if (auto path = findLibrary(arg.value, arg.state.onlyStatic))
        addFile(*path, "-l" + arg.value, arg.state);
    } else if (arg.option == LinkerOption::Input) {
      if (!arg.isData && !isStartFile(arg.value))
        addFile(arg.value, arg.value, arg.state);
    } else if (arg.option == LinkerOption::Script) {
      addScript(placeOf(arg.value, ""), arg.value, arg.state);
    }
  }

  void addFile(StringRef path, StringRef argument, const LinkerState &state) {
    file_magic magic;
    auto known = find_if(
        found, [&](const LinkedFile &file) { return file.path == path; });
    if (known != found.end()) {
      known->whole |= state.whole;
      known->inLib &= state.inLib;
      return;
    }
    if (identify_magic(path, magic))
      return;
    if (definesForHost(magic))
      found.push_back({path.str(), argument.str(), magic, state.whole,
                       state.inLib && holdsDeviceCode(magic) &&
                           magic != file_magic::archive});
    else if (magic == file_magic::unknown)
      addScript(path, argument, state);
  }

  void addScript(StringRef path, StringRef argument, const LinkerState &state) {
    if (is_contained(scripts, path))
      return;
    scripts.push_back(path.str());
    Script script = readScript(path);
    for (StringRef name : script.files) {
      if (!name.consume_front("-l"))
        addFile(placeOf(name, path), argument, state);
      else if (auto library = findLibrary(name, state.onlyStatic))
        addFile(*library, argument, state);
    }
    for (StringRef name : script.scripts)
      addScript(placeOf(name, path), argument, state);
  }
};

} // namespace

std::vector<LinkedFile> findLinkedFiles(const LinkStep &link) {
  return FileFinder(link).run();
}

std::vector<LinkedFile> findLinkedLibraries(const LinkStep &link) {
  std::vector<LinkedFile> files = findLinkedFiles(link);
  erase_if(files, [](const LinkedFile &file) {
    return file.magic != file_magic::elf_shared_object;
  });
  return files;
}

std::vector<std::string> findLinkInputs(const LinkStep &link) {
  std::vector<std::string> paths;
  for (LinkedFile &file : findLinkedFiles(link))
    if (holdsDeviceCode(file.magic))
      paths.push_back(std::move(file.path));
  return paths;
}

/// GNU ld also searches folders of its own, which its default script names.
void findLinkerFolders(LinkStep &link) {
  FileFinder finder(link);
  auto isMissing = [&](const LinkerArgument &arg) {
    return arg.option == LinkerOption::Library &&
           !finder.findLibrary(arg.value, arg.state.onlyStatic);
  };
  if (hasOption(finder.arguments(), LinkerOption::OnlyOwnFolders) ||
      none_of(finder.arguments(), isMissing))
    return;
  auto output = TemporaryFile::create("xcc-linker", "txt");
  if (!output)
    return consumeError(output.takeError());
  std::optional<StringRef> redirects[] = {"", output->path(), ""};
  std::string message;
  if (executeAndWait(link.command.program, {link.command.program, "--verbose"},
                     redirects, &message) == 0)
    link.linkerFolders = readScript(output->path()).folders;
}

std::string findInvalidInput(const LinkStep &link) {
  FileFinder finder(link);
  for (const LinkerArgument &arg : finder.arguments()) {
    if (arg.option == LinkerOption::Library &&
        !finder.findLibrary(arg.value, arg.state.onlyStatic))
      return "finds no library '" + arg.value + "' in the folders of -L";
    if (arg.option != LinkerOption::Input || arg.isData ||
        isStartFile(arg.value))
      continue;
    file_magic magic;
    if (std::error_code error = identify_magic(arg.value, magic))
      return "cannot use '" + arg.value + "': " + error.message();
    if (!definesForHost(magic) && readScript(arg.value).files.empty())
      return "cannot use '" + arg.value +
             "': it is no object, archive, library or linker script";
  }
  return "";
}

std::vector<std::string> findUnreadInputs(const LinkStep &link) {
  std::vector<std::string> warnings;
  for (const LinkerArgument &arg : readLinkerArguments(link.userArgs())) {
    std::string written = join(arg.words, " ");
    if (arg.option == LinkerOption::NotFollowed) {
      warnings.push_back("xcc does not follow the linker's option '" + written +
                         "': device code of files that it names is not "
                         "linked; name them on the command line");
      continue;
    }
    if (arg.option != LinkerOption::JustSymbols)
      continue;
    auto object = readObject(arg.value);
    if (!object)
      consumeError(object.takeError());
    else if (!object->inputs.empty())
      warnings.push_back("device code of '" + arg.value + "' is not linked: '" +
                         written + "' takes symbols of the host's code alone");
  }
  return warnings;
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
