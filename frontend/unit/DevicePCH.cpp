// The devices' parts of a precompiled header
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DevicePCH.h"
#include "Invocations.h"
#include "support/Files.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace clang;

namespace xcc {
namespace {

std::string folderOf(llvm::StringRef host) { return (host + ".devices").str(); }

std::string fileIn(llvm::StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

/// A hash of the file; empty if it cannot be read.
std::string hashOf(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? llvm::utohexstr(llvm::xxh3_64bits((*file)->getBuffer()),
                                /*LowerCase=*/true, 16)
              : "";
}

bool put(const std::string &path, llvm::StringRef content) {
  llvm::Error error =
      writeFile(path, [&](llvm::raw_ostream &os) { os << content; });
  bool good = !error;
  llvm::consumeError(std::move(error));
  return good;
}

} // namespace

DevicePCHs::DevicePCHs(const TranslationUnit &unit,
                       const CompilerInvocation &invocation)
    : host(invocation.getFrontendOpts().OutputFile) {
  const FrontendOptions &frontend = invocation.getFrontendOpts();
  if (!unit.devicePass || host.empty() || host == "-" ||
      frontend.Inputs.size() != 1 || !frontend.Inputs.front().isFile() ||
      unit.standardInput ||
      !invocation.getPreprocessorOpts().ImplicitPCHInclude.empty())
    return;
  for (const Target *target : unit.targets) {
    Part &part = parts.emplace_back();
    part.target = target;
    part.thread = std::make_unique<llvm::thread>(
        std::optional<unsigned>(StackBytes), [&unit, &part, invocation] {
          part.good = makePreamble(
              unit, *part.target, invocation,
              invocation.getFrontendOpts().Inputs.front().getFile(), part.made);
        });
  }
}

DevicePCHs::~DevicePCHs() { join(); }

void DevicePCHs::join() {
  for (Part &part : parts)
    if (auto thread = std::exchange(part.thread, nullptr))
      thread->join();
}

void DevicePCHs::write() {
  join();
  const std::string folder = folderOf(host);
  // Remove files of an earlier compile. If nothing can be written, users of the
  // header parse it.
  if (llvm::sys::fs::is_directory(folder))
    llvm::sys::fs::remove_directories(folder);
  std::string hash = hashOf(host);
  if (hash.empty() ||
      llvm::none_of(parts, [](const Part &part) { return part.good; }) ||
      llvm::sys::fs::create_directory(folder, /*IgnoreExisting=*/false,
                                      llvm::sys::fs::all_all))
    return;
  for (const Part &part : parts) {
    std::string triple = part.target->triple().str();
    if (part.good &&
        (!put(fileIn(folder, triple + ".faulty"), part.made.faulty) ||
         !put(fileIn(folder, triple + ".pch"), part.made.parsed)))
      return;
  }
  put(fileIn(folder, "of"), hash);
}

std::unique_ptr<DevicePCH> DevicePCH::find(const CompilerInvocation &invocation,
                                           const Target &target) {
  const std::string &host = invocation.getPreprocessorOpts().ImplicitPCHInclude;
  if (host.empty())
    return nullptr;
  std::string folder = folderOf(host), triple = target.triple().str();
  auto of = llvm::MemoryBuffer::getFile(fileIn(folder, "of"));
  auto faulty = llvm::MemoryBuffer::getFile(fileIn(folder, triple + ".faulty"));
  if (!of || !faulty || (*of)->getBuffer() != hashOf(host))
    return nullptr;
  auto found = std::make_unique<DevicePCH>();
  found->file = fileIn(folder, triple + ".pch");
  found->faulty = (*faulty)->getBuffer();
  return found;
}

bool DevicePCH::suits(const llvm::Module &module) const {
  return hasNoneOf(faulty, module);
}

} // namespace xcc
