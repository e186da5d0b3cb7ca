// Finds the archive members that the host link takes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostMembers.h"
#include "LinkInputs.h"
#include "LinkerArguments.h"
#include "link/Embed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/SymbolicFile.h"

using namespace llvm;
using namespace llvm::object;

namespace xcc {
namespace {

/// The symbol resolution of a link. Files that cannot be read are skipped: the
/// linker reports them.
class Resolution {
public:
  Resolution(const StringSet<> &made, StringSet<> &taken,
             StringMap<std::string> &plainUsers)
      : made(made), taken(taken), plainUsers(plainUsers) {}

  /// --wrap=SYMBOL: uses of the symbol refer to __wrap_SYMBOL, and
  /// __real_SYMBOL refers to the symbol.
  void wrap(StringRef symbol) {
    wrapped["__real_" + symbol.str()] = symbol.str();
    wrapped[symbol] = "__wrap_" + symbol.str();
  }

  void request(StringRef symbol) {
    if (auto other = wrapped.find(symbol); other != wrapped.end())
      symbol = other->second;
    if (everRequested.insert(symbol).second)
      requested.push_back(symbol.str());
  }

  void add(const std::string &file, bool whole, bool inLib) {
    auto buffer = MemoryBuffer::getFile(file, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
    if (!buffer)
      return;
    MemoryBufferRef bytes = (*buffer)->getMemBufferRef();
    buffers.push_back(std::move(*buffer));
    if (identify_magic(bytes.getBuffer()) != file_magic::archive)
      return inLib ? addMember(file, bytes) : take(bytes, file);
    auto archive = Archive::create(bytes);
    if (!archive)
      return consumeError(archive.takeError());
    forEachMember(**archive, file,
                  [&](std::string name, MemoryBufferRef member) {
                    addMember(std::move(name), member);
                    if (whole)
                      takeMember(members.size() - 1);
                  });
    archives.push_back(std::move(*archive));
  }

  void run() {
    for (size_t i = 0; i < requested.size(); ++i) {
      std::string symbol = requested[i];
      auto found = definedBy.find(symbol);
      if (found != definedBy.end() && !defined.contains(symbol))
        takeMember(found->second);
    }
  }

private:
  struct Member {
    std::string name;
    MemoryBufferRef bytes;
    bool taken;
  };
  const StringSet<> &made;
  StringSet<> &taken;
  StringMap<std::string> &plainUsers;
  LLVMContext context;
  std::vector<std::unique_ptr<MemoryBuffer>> buffers;
  std::vector<std::unique_ptr<Archive>> archives;
  std::vector<Member> members;
  StringMap<size_t> definedBy; ///< number of the first member that defines it
  StringSet<> defined;
  std::vector<std::string> requested;
  StringSet<> everRequested;
  StringMap<std::string> wrapped; ///< renamed by --wrap

  void addMember(std::string name, MemoryBufferRef bytes) {
    members.push_back({std::move(name), bytes, false});
    forEachSymbol(bytes, [&, number = members.size() - 1](StringRef symbol,
                                                          uint32_t flags) {
      if (!(flags & SymbolRef::SF_Undefined))
        definedBy.try_emplace(symbol, number);
    });
  }

  void takeMember(size_t number) {
    Member &member = members[number];
    if (std::exchange(member.taken, true))
      return;
    taken.insert(member.name);
    take(member.bytes, member.name);
  }

  void take(MemoryBufferRef bytes, StringRef name) {
    const bool plain = !made.contains(name) && isPlainObject(bytes);
    forEachSymbol(bytes, [&](StringRef symbol, uint32_t flags) {
      if (plain && (flags & (SymbolRef::SF_Undefined | SymbolRef::SF_Weak)))
        plainUsers.try_emplace(symbol, name);
      if (!(flags & SymbolRef::SF_Undefined))
        defined.insert(symbol);
      else if (!(flags & SymbolRef::SF_Weak))
        request(symbol);
    });
  }

  /// Whether the file is an object without device code.
  static bool isPlainObject(MemoryBufferRef bytes) {
    if (identify_magic(bytes.getBuffer()) != file_magic::elf_relocatable)
      return false;
    auto object = ObjectFile::createELFObjectFile(bytes);
    if (!object) {
      consumeError(object.takeError());
      return false;
    }
    return none_of((*object)->sections(), [](const SectionRef &section) {
      Expected<StringRef> name = section.getName();
      if (!name)
        consumeError(name.takeError());
      return name && *name == OffloadSection;
    });
  }

  /// Visits the global symbols of an object, shared library or bitcode file.
  void forEachSymbol(MemoryBufferRef bytes,
                     function_ref<void(StringRef, uint32_t)> visit) {
    auto file = SymbolicFile::createSymbolicFile(
        bytes, file_magic::unknown, &context, /*InitContent=*/true);
    if (!file)
      return consumeError(file.takeError());
    auto look = [&](const BasicSymbolRef &symbol) {
      Expected<uint32_t> flags = symbol.getFlags();
      if (!flags)
        return consumeError(flags.takeError());
      SmallString<64> name;
      raw_svector_ostream os(name);
      if (Error error = symbol.printName(os))
        return consumeError(std::move(error));
      if (*flags & SymbolRef::SF_Global)
        visit(name, *flags);
    };
    if (const auto *elf = dyn_cast<ELFObjectFileBase>(file->get());
        elf && elf->getEType() == ELF::ET_DYN) {
      for (const ELFSymbolRef &symbol : elf->getDynamicSymbolIterators())
        look(symbol);
      return;
    }
    for (const BasicSymbolRef &symbol : (*file)->symbols())
      look(symbol);
  }
};

} // namespace

void HostMembers::readAll() {
  if (std::exchange(read, true) || !plan.link)
    return;
  Resolution link(made, taken, plainUsers);
  if (!plan.link->shared)
    link.request("main");
  for (const LinkerArgument &arg : readLinkerArguments(plan.link->userArgs()))
    if (arg.option == LinkerOption::Undefined)
      link.request(arg.value);
    else if (arg.option == LinkerOption::Wrap)
      link.wrap(arg.value);
  for (const LinkedFile &file : findLinkedFiles(*plan.link))
    link.add(file.path, file.whole, file.inLib);
  link.run();
}

std::string HostMembers::plainUserOf(StringRef symbol) {
  std::lock_guard<std::mutex> lock(reading);
  readAll();
  return plainUsers.lookup(symbol);
}

bool HostMembers::take(StringRef member) {
  std::lock_guard<std::mutex> lock(reading);
  readAll();
  return taken.contains(member);
}

} // namespace xcc
