// <xcc/xcc.h>, precompiled by earlier compiles
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AutomaticPCH.h"
#include "Hints.h"
#include "HostRejections.h"
#include "Invocations.h"
#include "LeadingIncludes.h"
#include "NotedFiles.h"
#include "Preamble.h"
#include "support/ResultCache.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <sys/stat.h>
#include <time.h>

using namespace clang;
using llvm::StringRef;

namespace xcc {
namespace {

constexpr llvm::StringLiteral MainFile = "/xcc precompiles/header.h",
                              ParsedFile = "/xcc precompiles/header.h.pch",
                              MainText = "#include <xcc/xcc.h>\n";

/// An entry. The parsed header comes first, because Clang reads aligned words
/// of it.
struct EntryStart {
  char magic[8];
  /// Sizes. A zero byte follows the first.
  uint64_t parsed, faulty, depends, table;
  uint64_t texts;
};
constexpr char Magic[8] = {'x', 'c', 'c', 'h', 'e', 'a', 'd', '1'};
/// An entry that holds no header yet: this, and how often one was tried.
constexpr llvm::StringLiteral Mark = "tried ";
constexpr unsigned MostTries = 3;

llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> mainFileSystem() {
  auto ours = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  ours->addFile(MainFile, 0, llvm::MemoryBuffer::getMemBuffer(MainText));
  return ours;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
over(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
     llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> ours) {
  auto all =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(files));
  all->pushOverlay(std::move(ours));
  return all;
}

//===----------------------------------------------------------------------===//
// Which units
//===----------------------------------------------------------------------===//

// clang-format off
/// Options of -cc1 with a value behind them that a precompiled header
/// understands.
constexpr StringRef WithValue[] = {
    "-D", "-I", "-MT", "-U", "-dependency-file", "-dumpdir",
    "-ferror-limit", "-fvisibility", "-internal-externc-isystem",
    "-internal-isystem", "-isystem", "-main-file-name",
    "-mrelocation-model", "-o", "-pic-level", "-resource-dir",
    "-stack-protector", "-stack-protector-buffer-size", "-target-cpu",
    "-target-feature", "-triple", "-tune-cpu"};

constexpr StringRef Alone[] = {
    "-MP", "-S", "-clear-ast-before-backend", "-disable-free",
    "-disable-llvm-verifier", "-discard-value-names", "-emit-llvm",
    "-emit-llvm-bc", "-emit-obj", "-faddrsig", "-fapprox-func", "-fchar8_t",
    "-fcolor-diagnostics", "-fcxx-exceptions", "-fdata-sections",
    "-fdeclspec", "-fdeprecated-macro", "-fdwarf2-cfi-asm", "-fexceptions",
    "-ffast-math", "-ffinite-math-only", "-ffunction-sections",
    "-fhalf-no-semantic-interposition", "-fmath-errno", "-fno-finite-loops",
    "-fno-implicit-modules", "-fno-math-errno", "-fno-plt",
    "-fno-rounding-math", "-fno-rtti", "-fno-signed-zeros",
    "-fno-threadsafe-statics", "-freciprocal-math",
    "-fskip-odr-check-in-gmf", "-fstack-clash-protection", "-fsyntax-only",
    "-funsafe-math-optimizations", "-fvisibility-inlines-hidden", "-fwrapv",
    "-gkey-instructions", "-mconstructor-aliases", "-menable-no-infs",
    "-menable-no-nans", "-mreassociate", "-mrecip", "-munwind-tables",
    "-pedantic", "-pedantic-errors", "-pic-is-pie", "-pthread",
    "-relaxed-aliasing", "-sys-header-deps", "-v", "-vectorize-loops",
    "-vectorize-slp", "-w"};

/// More debug information than lines has names of types that are not used.
constexpr StringRef Joined[] = {
    "--compress-debug-sections", "-O", "-W", "-complex-range=",
    "-debug-info-kind=line-", "-debugger-tuning=", "-dwarf-version=",
    "-fcf-protection=", "-fcoverage-compilation-dir=",
    "-fdebug-compilation-dir=", "-fdiagnostics-", "-ffp-contract=",
    "-fgnuc-version=", "-fmessage-length=", "-ftemplate-depth=",
    "-funwind-tables=", "-fvisibility=", "-mframe-pointer=",
    "-mprefer-vector-width=", "-std="};
// clang-format on

/// Whether all arguments are among those with which a precompiled header gives
/// what its text gives. Adds the folders that the user names to `folders`.
bool knowsAll(llvm::ArrayRef<std::string> args,
              std::vector<std::string> &folders) {
  for (size_t i = 0; i != args.size(); ++i) {
    StringRef arg = args[i];
    if (arg == "-x") {
      if (++i == args.size() || args[i] != "c++")
        return false;
    } else if (llvm::is_contained(WithValue, arg)) {
      if (++i == args.size())
        return false;
      if (arg == "-I" || arg == "-isystem")
        folders.push_back(args[i]);
      if (StringRef(args[i]).ends_with("/stdpar/overlay"))
        return false; // -foffload-stdpar: standard headers of our own
    } else if (!llvm::is_contained(Alone, arg) &&
               llvm::none_of(
                   Joined,
                   [&](StringRef start) { return arg.starts_with(start); }) &&
               (arg.starts_with("-") || i + 1 != args.size())) {
      return false;
    }
  }
  return true;
}

/// Whether one of the user's folders has a file of this name, which may not be
/// the standard library's.
bool isIn(llvm::ArrayRef<std::string> folders, StringRef name) {
  return llvm::any_of(folders, [&](StringRef folder) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, name);
    return llvm::sys::fs::exists(path);
  });
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// All that a pass's parse of the header depends on, but the files.
CacheKey keyOf(const TranslationUnit &unit, const CompilerInvocation &pass,
               const Target *target) {
  CacheKey key("precompiled <xcc/xcc.h> 1");
  key.add(identityOfThisCode());
  CompilerInvocation plain(pass);
  plain.getFrontendOpts().Inputs.clear();
  plain.getFrontendOpts().OutputFile.clear();
  plain.getFrontendOpts().ProgramAction = frontend::GeneratePCH;
  plain.getDependencyOutputOpts() = DependencyOutputOptions();
  plain.getHeaderSearchOpts().Verbose = false;
  plain.getCodeGenOpts().MainFileName.clear();
  plain.getCodeGenOpts().DebugCompilationDir.clear();
  plain.getCodeGenOpts().CoverageCompilationDir.clear();
  for (const std::string &arg : plain.getCC1CommandLine())
    key.add(arg);
  // What the arguments do not say of a device pass.
  key.add(target ? StringRef(target->triple().str()) : StringRef("host"));
  const GivenOptions &given = unit.given;
  for (bool flag : {unit.program, unit.exports, unit.exportsAll, unit.hostCalls,
                    unit.jitRoots, given.optLevel, given.fpContract,
                    given.mathErrno, given.fastMath})
    key.add(uint64_t(flag));
  key.add(given.vectorLibrary);
  for (const std::string &arg : unit.xarchHost)
    key.add(arg);
  if (llvm::any_of(pass.getHeaderSearchOpts().UserEntries,
                   [](const HeaderSearchOptions::Entry &entry) {
                     return !llvm::sys::path::is_absolute(entry.Path);
                   })) {
    llvm::SmallString<256> here;
    (void)llvm::sys::fs::current_path(here);
    key.add(here);
  }
  return key;
}

} // namespace

std::unique_ptr<ReadyHeader>
ReadyHeader::read(std::unique_ptr<llvm::MemoryBuffer> entry) {
  EntryStart start;
  StringRef all = entry->getBuffer();
  if (all.size() < sizeof(start))
    return nullptr;
  memcpy(&start, all.data(), sizeof(start));
  if (memcmp(start.magic, Magic, sizeof(Magic)) != 0)
    return nullptr;
  all = all.drop_front(sizeof(start));
  auto made = std::make_unique<ReadyHeader>();
  made->parsed = all.take_front(start.parsed);
  all = all.drop_front(std::min<uint64_t>(start.parsed + 1, all.size()));
  made->faulty = all.take_front(start.faulty);
  all = all.drop_front(std::min<uint64_t>(start.faulty, all.size()));
  made->depends = all.take_front(start.depends);
  all = all.drop_front(std::min<uint64_t>(start.depends, all.size()));
  rt::Bytes rest;
  if (all.size() != start.table ||
      !rt::readSource(rt::Bytes(all.data(), all.size()), made->files, rest))
    return nullptr;
  made->sum = start.texts;
  for (const rt::SourceFile &file : made->files.files)
    made->paths.insert(file.path);
  made->entry = std::move(entry);
  return made;
}

bool ReadyHeader::isFresh() const {
  const time_t now = time(nullptr);
  return files.files.empty() ||
         llvm::any_of(files.files, [&](const rt::SourceFile &file) {
           struct stat info;
           return stat(file.path.c_str(), &info) != 0 ||
                  std::max(info.st_mtime, info.st_ctime) + 2 >= now;
         });
}

void ReadyHeader::use(CompilerInvocation &pass) {
  pass.getPreprocessorOpts().ImplicitPCHInclude = ParsedFile.str();
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
ReadyHeader::fileSystem() const {
  auto ours = mainFileSystem();
  ours->addFileNoOwn(ParsedFile, 0, llvm::MemoryBufferRef(parsed, ParsedFile));
  return over(llvm::vfs::getRealFileSystem(), std::move(ours));
}

bool ReadyHeader::suits(const llvm::Module &module) const {
  return hasNoneOf(faulty, module);
}

std::vector<std::string> ReadyHeader::dependencies(bool system) const {
  std::vector<std::string> list;
  llvm::SmallVector<StringRef, 0> lines;
  depends.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (StringRef file = line.drop_front();
        (system || line.front() == 'U') && !AutomaticPCH::isOurs(file))
      list.push_back(file.str());
  return list;
}

bool AutomaticPCH::isOurs(StringRef file) {
  return file == MainFile || file == ParsedFile;
}

std::unique_ptr<AutomaticPCH>
AutomaticPCH::forUnit(const TranslationUnit &unit,
                      const CompilerInvocation &host) {
  const FrontendOptions &frontend = host.getFrontendOpts();
  std::vector<std::string> folders, before;
  DiagnosticLog unused;
  if (!unit.headers || unit.source || unit.standardInput || unit.cuda ||
      unit.exportsAll || unit.reportMapping || unit.program ||
      !unit.saveTempsPrefix.empty() || frontend.Inputs.size() != 1 ||
      !frontend.Inputs.front().isFile() || !knowsAll(unit.cc1Args, folders) ||
      !host.getLangOpts().CPlusPlus17 ||
      !foreignLanguage(host.getLangOpts()).empty() ||
      !hostIsKnown(llvm::Triple(host.getTargetOpts().Triple), "", unused))
    return nullptr;
  auto text = llvm::MemoryBuffer::getFile(frontend.Inputs.front().getFile());
  if (!text ||
      !beginsWithHeader((*text)->getBuffer(), host.getLangOpts(), before) ||
      llvm::any_of(before, [&](StringRef name) { return isIn(folders, name); }))
    return nullptr;
  return std::unique_ptr<AutomaticPCH>(new AutomaticPCH(unit));
}

std::unique_ptr<ReadyHeader> AutomaticPCH::find(const CompilerInvocation &pass,
                                                const Target *target,
                                                std::string &what) const {
  const CacheKey key = keyOf(unit, pass, target);
  std::unique_ptr<llvm::MemoryBuffer> entry =
      unit.headers->find(key, /*counted=*/false);
  unsigned tries = 0;
  if (!entry) {
    unit.headers->store(key, (Mark + "0").str());
    what = "noted";
    return nullptr;
  }
  StringRef mark = entry->getBuffer();
  if (!mark.consume_front(Mark)) {
    auto found = ReadyHeader::read(std::move(entry));
    if (found && found->isUpToDate()) {
      what = "used";
      return found;
    }
  } else if (mark.getAsInteger(10, tries) || tries >= MostTries) {
    what = "not possible";
    return nullptr;
  }
  // Clang might crash, or the result might not be stored.
  unit.headers->store(key, (Mark + llvm::Twine(tries + 1)).str());
  std::string made = make(pass, target);
  if (made.empty()) {
    what = "not possible";
    return nullptr;
  }
  auto result = ReadyHeader::read(llvm::MemoryBuffer::getMemBufferCopy(made));
  if (!result || result->isFresh()) {
    unit.headers->store(key, (Mark + llvm::Twine(tries)).str());
    what = "too new";
    return nullptr;
  }
  unit.headers->store(key, made);
  what = "made";
  return result;
}

std::string AutomaticPCH::make(const CompilerInvocation &pass,
                               const Target *target) const {
  auto noted = llvm::makeIntrusiveRefCnt<NotedFiles>();
  Preamble preamble;
  auto invocation = std::make_shared<CompilerInvocation>(pass);
  invocation->getFrontendOpts().OutputFile.clear();
  invocation->getDependencyOutputOpts() = DependencyOutputOptions();
  invocation->getHeaderSearchOpts().Verbose = false;
  if (!makePreamble(unit, target, std::move(invocation), MainFile,
                    over(noted, mainFileSystem()), preamble))
    return "";
  rt::SourceTable table;
  noted->describe(table);
  std::string written = rt::writeSource(table, "");
  EntryStart start = {{},
                      preamble.parsed.size(),
                      preamble.faulty.size(),
                      preamble.dependencies.size(),
                      written.size(),
                      preamble.texts};
  memcpy(start.magic, Magic, sizeof(Magic));
  std::string all(reinterpret_cast<const char *>(&start), sizeof(start));
  all += preamble.parsed;
  all += '\0';
  all += preamble.faulty;
  all += preamble.dependencies;
  all += written;
  return all;
}

} // namespace xcc
