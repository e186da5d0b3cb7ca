// Precompiled headers of what stands before the texts
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preambles.h"
#include "formats/cache_folder.h"
#include "unit/Preamble.h"
#include "unit/RunTimeSource.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace llvm;

namespace xcc {
namespace {

/// No name that a program would give a header.
constexpr StringLiteral MainName = " before the text",
                        ParsedName = " before the text.pch";

std::string pathOf(StringRef name) { return (TextFolder + "/" + name).str(); }

bool hasLine(StringRef lines, StringRef line) {
  return lines.contains(("\n" + line + "\n").str());
}

/// The file that is parsed.
IntrusiveRefCntPtr<vfs::InMemoryFileSystem> mainFile(StringRef headers) {
  auto ours = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  ours->addFile(pathOf(MainName), 0,
                MemoryBuffer::getMemBufferCopy(
                    ("#line 1 \"headers before the text\"\n" + headers).str()));
  return ours;
}

IntrusiveRefCntPtr<vfs::FileSystem>
over(IntrusiveRefCntPtr<vfs::FileSystem> files,
     IntrusiveRefCntPtr<vfs::InMemoryFileSystem> ours) {
  auto all = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(files));
  all->pushOverlay(std::move(ours));
  return all;
}

//===----------------------------------------------------------------------===//
// As bytes
//===----------------------------------------------------------------------===//

std::string write(const KnownPreamble &preamble) {
  std::string all, table = rt::writeSource(preamble.files, "");
  for (StringRef part :
       {StringRef(table), StringRef(preamble.headers),
        StringRef(preamble.names), StringRef(preamble.faulty),
        StringRef(preamble.asked), preamble.parsed->getBuffer()}) {
    uint64_t size = part.size();
    all.append(reinterpret_cast<const char *>(&size), sizeof(size));
    all += part;
  }
  return all;
}

std::shared_ptr<KnownPreamble> read(rt::Bytes bytes) {
  auto made = std::make_shared<KnownPreamble>();
  StringRef parts[6];
  uint64_t at = 0;
  for (StringRef &part : parts) {
    uint64_t size = 0;
    if (!bytes.read(at, size) || !bytes.contains(at + sizeof(size), size))
      return nullptr;
    part = StringRef(bytes.data() + at + sizeof(size), size);
    at += sizeof(size) + size;
  }
  rt::Bytes images;
  if (!rt::readSource(rt::Bytes(parts[0].data(), parts[0].size()), made->files,
                      images))
    return nullptr;
  made->headers = parts[1];
  made->names = parts[2];
  made->faulty = parts[3];
  made->asked = parts[4];
  // The text that Clang has to begin with.
  made->parsed = MemoryBuffer::getMemBufferCopy(parts[5], ParsedName);
  return made;
}

//===----------------------------------------------------------------------===//
// In memory
//===----------------------------------------------------------------------===//

/// What this process has: each some 10 MB.
class Store {
public:
  using Entry = std::shared_ptr<const KnownPreamble>;

  Entry find(const std::string &key) {
    std::lock_guard lock(mutex);
    auto at = find_if(entries, [&](const auto &e) { return e.first == key; });
    if (at == entries.end())
      return nullptr;
    entries.splice(entries.begin(), entries, at);
    return at->second;
  }
  void add(const std::string &key, Entry entry) {
    std::lock_guard lock(mutex);
    entries.remove_if([&](const auto &e) { return e.first == key; });
    entries.emplace_front(key, std::move(entry));
    if (entries.size() > Most)
      entries.pop_back();
  }
  /// Whether it was asked for before.
  bool again(const std::string &key) {
    std::lock_guard lock(mutex);
    return !asked.insert(key).second;
  }
  /// Whether it is this thread that makes one. Nobody waits for who makes it,
  /// who may never come back: Clang can crash.
  bool begin(const std::string &key) {
    std::lock_guard lock(mutex);
    return making.insert({key, std::this_thread::get_id()}).second;
  }
  /// One that cannot be made is not tried again.
  void end(const std::string &key, bool good) {
    std::lock_guard lock(mutex);
    if (good)
      making.erase(key);
  }

  void abandon() {
    std::lock_guard lock(mutex);
    std::erase_if(making, [](const auto &each) {
      return each.second == std::this_thread::get_id();
    });
  }

  static Store &ours() {
    static Store &store = *new Store; // never destroyed
    return store;
  }

private:
  static constexpr size_t Most = 6;
  std::mutex mutex;
  std::list<std::pair<std::string, Entry>> entries;
  std::set<std::string> asked;
  std::map<std::string, std::thread::id> making;
};

//===----------------------------------------------------------------------===//
// Which one
//===----------------------------------------------------------------------===//

StringRef nameOf(StringRef macro) {
  return macro.take_until([](char c) { return c == '=' || c == '('; });
}

/// Does the text alone decide what stands before it?
bool isPlain(const clang::CompilerInvocation &host) {
  const clang::PreprocessorOptions &pp = host.getPreprocessorOpts();
  return pp.Includes.size() == 1 && pp.MacroIncludes.empty() &&
         pp.ImplicitPCHInclude.empty() && pp.ChainedIncludes.empty() &&
         host.getFrontendOpts().ModuleFiles.empty() &&
         host.getHeaderSearchOpts().PrebuiltModuleFiles.empty() &&
         host.getHeaderSearchOpts().PrebuiltModulePaths.empty() &&
         host.getHeaderSearchOpts().VFSOverlayFiles.empty();
}

/// All that the headers depend on except macros.
std::string keyOf(const TranslationUnit &unit, const Target &target,
                  const clang::CompilerInvocation &host, StringRef identity) {
  std::string key = "identity " + identity.str() + "\ntarget " +
                    target.triple().str() +
                    (unit.given.fpContract ? "\ncontract" : "") + "\n";
  auto add = [&](StringRef word) {
    key += std::to_string(word.size()) + " " + word.str() + "\n";
  };
  for (size_t i = 0; i != unit.cc1Args.size(); ++i) {
    StringRef arg = unit.cc1Args[i];
    if (arg == "-D" || arg == "-U" || arg == "-main-file-name") {
      ++i;
      continue;
    }
    if (!arg.starts_with("-fdebug-compilation-dir=") &&
        !arg.starts_with("-fcoverage-compilation-dir="))
      add(arg);
  }
  for (const auto &entry : host.getHeaderSearchOpts().UserEntries)
    if (!sys::path::is_absolute(entry.Path)) {
      SmallString<256> here;
      (void)sys::fs::current_path(here);
      add(here);
      break;
    }
  return key;
}

using Macros = std::vector<std::pair<std::string, bool>>;

/// Would a header given as text be found where the headers' own were?
bool hides(const xcc_source_options &how, StringRef asked) {
  for (uint64_t i = 0; i != how.header_count; ++i) {
    StringRef name = how.headers[i].name;
    // It is looked for folder by folder.
    for (auto part = sys::path::begin(name), end = sys::path::end(name);
         part != end; ++part)
      if (*part == ".." || *part == "." || *part == MainName ||
          *part == ParsedName ||
          hasLine(asked, StringRef(name.data(), part->end() - name.data())))
        return true;
  }
  return false;
}

std::shared_ptr<const KnownPreamble>
findOrMake(const std::string &key, const TranslationUnit &unit,
           const Target &target, const clang::CompilerInvocation &host,
           const xcc_rtc_request &request, StringRef headers) {
  Store &store = Store::ours();
  auto found = store.find(key);
  if (found && rt::isUpToDate(found->files))
    return found;
  std::string text = "xcc headers 1\ntarget " + target.triple().str() +
                     "\nkey " + rt::cacheKeyOf(key) + " " +
                     std::to_string(key.size());
  struct Take {
    std::shared_ptr<KnownPreamble> taken;
    static void call(void *self, const void *data, uint64_t size) {
      static_cast<Take *>(self)->taken =
          read(rt::Bytes(static_cast<const char *>(data), size));
    }
  } take;
  // A process that keeps nothing may compile no second text.
  if ((!request.store && !store.again(key)) || !store.begin(key))
    return nullptr;
  std::shared_ptr<KnownPreamble> made;
  if (request.find && request.find(text.c_str(), Take::call, &take) &&
      take.taken && rt::isUpToDate(take.taken->files)) {
    made = take.taken;
  } else {
    auto files = makeIntrusiveRefCnt<NotedFiles>();
    RunTimeSource source;
    source.files = over(files, mainFile(headers));
    TranslationUnit own = unit;
    own.source = &source;
    Preamble preamble;
    if (makePreamble(own, target, host, pathOf(MainName), preamble)) {
      made = std::make_shared<KnownPreamble>();
      files->describe(made->files);
      made->headers = headers;
      made->names = std::move(preamble.names);
      made->faulty = std::move(preamble.faulty);
      made->asked = files->lookupsInTexts();
      made->parsed =
          MemoryBuffer::getMemBufferCopy(preamble.parsed, ParsedName);
      if (made->files.files.empty()) // one of them is being written
        made = nullptr;
      else if (request.store) {
        std::string bytes = write(*made);
        request.store(text.c_str(), bytes.data(), bytes.size());
      }
    }
  }
  if (made)
    store.add(key, made);
  store.end(key, made != nullptr);
  return made;
}

std::shared_ptr<const KnownPreamble>
withHeaders(const TranslationUnit &unit, const Target &target,
            const clang::CompilerInvocation &host,
            const xcc_rtc_request &request, std::string key,
            StringRef headers) {
  key += "headers\n" + headers.str();
  clang::CompilerInvocation plain(host);
  const Macros all = host.getPreprocessorOpts().Macros;
  plain.getPreprocessorOpts().Macros.clear();
  auto found = findOrMake(key, unit, target, plain, request, headers);
  if (!found)
    return nullptr;
  // With the macros that the headers ask for.
  Macros named, others;
  for (const auto &macro : all)
    (hasLine(found->names, nameOf(macro.first)) ? named : others)
        .push_back(macro);
  if (!named.empty()) {
    for (const auto &[macro, undefined] : named)
      key += (undefined ? "-U" : "-D") + std::to_string(macro.size()) + " " +
             macro + "\n";
    plain.getPreprocessorOpts().Macros = named;
    found = findOrMake(key, unit, target, plain, request, headers);
    if (!found || any_of(others, [&](const auto &macro) {
          return hasLine(found->names, nameOf(macro.first));
        }))
      return nullptr;
  }
  return hides(*request.options, found->asked) ? nullptr : found;
}

} // namespace

bool KnownPreamble::suits(const Module &module) const {
  return hasNoneOf(faulty, module);
}

LeadingHeaders::LeadingHeaders(StringRef text) : remainder(text) {
  for (size_t at = 0; at < text.size();) {
    StringRef rest = text.substr(at);
    if (StringRef blank = rest.take_while(isSpace); !blank.empty()) {
      at += blank.size();
      continue;
    }
    if (rest.starts_with("/*")) {
      size_t end = rest.find("*/", 2);
      if (end == rest.npos)
        return;
      at += end + 2;
      continue;
    }
    StringRef line = rest.take_until([](char c) { return c == '\n'; });
    // The next line belongs to one that ends so.
    if (line.rtrim().ends_with("\\"))
      return;
    if (!line.starts_with("//")) {
      static const Regex include(
          "^#[ \t]*include[ \t]*(<[^<>\"]+>)[ \t\r]*(//.*)?$");
      SmallVector<StringRef, 3> parts;
      // In a line of its own.
      StringRef before = text.take_front(at);
      before = before.drop_front(before.rfind('\n') + 1);
      if (!before.trim().empty() || !include.match(line, &parts))
        return;
      lines += ("#include " + parts[1] + "\n").str();
      remainder.replace(at, line.size(), line.size(), ' ');
    }
    at += line.size();
  }
}

std::shared_ptr<const KnownPreamble>
preambleFor(const TranslationUnit &unit, const Target &target,
            const clang::CompilerInvocation &host,
            const xcc_rtc_request &request, StringRef headers,
            StringRef identity) {
  if (!isPlain(host))
    return nullptr;
  std::string key = keyOf(unit, target, host, identity);
  auto found = withHeaders(unit, target, host, request, key, headers);
  if (!found && !headers.empty())
    found = withHeaders(unit, target, host, request, key, "");
  return found;
}

void abandonPreamble() { Store::ours().abandon(); }

IntrusiveRefCntPtr<vfs::FileSystem>
withPreamble(IntrusiveRefCntPtr<vfs::FileSystem> files,
             const KnownPreamble &preamble, std::string &path, StringRef name,
             StringRef text) {
  path = pathOf(ParsedName);
  auto ours = mainFile(preamble.headers);
  ours->addFileNoOwn(path, 0, preamble.parsed->getMemBufferRef());
  ours->addFile(pathOf(name), 0, MemoryBuffer::getMemBufferCopy(text));
  return over(std::move(files), std::move(ours));
}

} // namespace xcc
