// Generated code on disk
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "code_cache.h"
#include "process/log.h"

#include <cstdlib>
#include <sys/stat.h>

namespace xcc::rt {

CacheFolder &codeFolder() {
  // Never destroyed: threads may use it until the process ends.
  static CacheFolder &folder = []() -> CacheFolder & {
    CachePlace place = CachePlace::fromEnvironment();
    if (!place.mistake.empty())
      complain("%s", place.mistake.c_str());
    auto &made = *new CacheFolder(place);
    const char *asked = secure_getenv("XCC_CACHE_DIR");
    if (!made.whyNot().empty() && asked && *asked)
      complain("XCC_CACHE_DIR: generated code is not kept on disk: %s",
               made.whyNot().c_str());
    else if (!made.whyNot().empty())
      XCC_LOG(Load, "generated code is not kept on disk: %s",
              made.whyNot().c_str());
    return made;
  }();
  return folder;
}

std::string_view textOf(Bytes entry) {
  std::string_view text = entry.string(0);
  return text.starts_with("xcc ") ? text : std::string_view();
}

bool findStored(const std::string &text, std::vector<char> &out) {
  if (!codeFolder().find(cacheKeyOf(text), out) ||
      textOf(Bytes(out.data(), out.size())) != text)
    return false;
  out.erase(out.begin(), out.begin() + ptrdiff_t(text.size() + 1));
  return true;
}

void store(const std::string &text, Bytes result) {
  if (!codeFolder().isUsed())
    return;
  std::vector<char> entry(text.c_str(), text.c_str() + text.size() + 1);
  entry.insert(entry.end(), result.data(), result.data() + result.size());
  codeFolder().store(cacheKeyOf(text), Bytes(entry.data(), entry.size()));
  codeFolder().trim();
}

void forget(const std::string &text) { codeFolder().remove(cacheKeyOf(text)); }

//===----------------------------------------------------------------------===//
// The generator
//===----------------------------------------------------------------------===//

/// The text that identifies a file: "SIZE TIME PATH"; empty if it does not
/// exist.
static std::string stampOf(std::string_view path) {
  struct stat info;
  std::string name(path);
  if (stat(name.c_str(), &info) != 0)
    return "";
  return std::to_string(info.st_size) + " " +
         std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec) + " " + name;
}

static std::string textOfSearch(const std::string &search) {
  return "xcc generator 1\n" + search;
}

static std::string_view takeLine(std::string_view &text) {
  size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

std::string knownGenerator(const std::string &search) {
  std::vector<char> bytes;
  if (!findStored(textOfSearch(search), bytes))
    return "";
  std::string_view rest(bytes.data(), bytes.size());
  std::string identity(takeLine(rest));
  while (!rest.empty()) {
    std::string_view line = takeLine(rest), path = line;
    for (int i = 0; i != 2 && path.find(' ') != path.npos; ++i)
      path.remove_prefix(path.find(' ') + 1);
    if (stampOf(path) != line)
      return "";
  }
  return identity;
}

void rememberGenerator(const std::string &search, const char *identity,
                       const char *files) {
  std::string entry = std::string(identity) + "\n";
  std::string_view rest = files;
  while (!rest.empty()) {
    std::string stamp = stampOf(takeLine(rest));
    if (stamp.empty())
      return; // without a stamp the file cannot be compared later
    entry += stamp + "\n";
  }
  store(textOfSearch(search), Bytes(entry.data(), entry.size()));
}

} // namespace xcc::rt
