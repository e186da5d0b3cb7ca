// A cache folder, shared by all processes of a user
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cache_folder.h"
#include "files.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace xcc::rt {

namespace {

struct Sum {
  uint64_t low, high;
};

/// The start of an entry: its writer, its key, and the size and sum of the
/// rest.
struct Header {
  char magic[8];
  char key[64];
  uint64_t size;
  Sum sum;
};
static_assert(sizeof(Header) == 96);
constexpr char Magic[] = "xccrslt3";
constexpr std::string_view Prefix = "llvmcache-";
/// The time of this file is when the folder was last trimmed.
constexpr const char *Stamp = "/llvmcache.timestamp";

/// Sums two words at a time. Each step is a bijection of the state, so a change
/// within one word is always detected. This is no protection against forgery,
/// which only the user could commit.
Sum sumOf(Bytes data, uint64_t seed) {
  constexpr uint64_t one = 0x9e3779b97f4a7c15u, two = 0xd6e8feb86659fd93u;
  uint64_t low = seed ^ data.size(), high = ~seed * two;
  auto step = [&](uint64_t first, uint64_t second) {
    low = std::rotl(low ^ first, 29) * one;
    high = std::rotl(high ^ second, 31) * two;
    low += high;
    high ^= low >> 32;
  };
  uint64_t at = 0;
  for (uint64_t words[2]; data.contains(at, sizeof(words));
       at += sizeof(words)) {
    memcpy(words, data.data() + at, sizeof(words));
    step(words[0], words[1]);
  }
  uint64_t rest[2] = {};
  if (at != data.size())
    memcpy(rest, data.data() + at, data.size() - at);
  step(rest[0], rest[1]);
  for (int round = 0; round != 4; ++round)
    step(low >> 32, high >> 32);
  return {low, high};
}

Header headerOf(std::string_view key, Bytes result) {
  Header header{};
  memcpy(header.magic, Magic, sizeof(header.magic));
  key.copy(header.key, sizeof(header.key));
  header.size = result.size();
  header.sum = sumOf(result, 1);
  return header;
}

/// Parses a size such as "500M".
bool parseSize(std::string_view text, uint64_t &out) {
  constexpr std::string_view units = "KMG";
  unsigned shift = 0;
  if (!text.empty()) {
    size_t unit = units.find(text.back() & ~0x20);
    if (unit != units.npos) {
      shift = unsigned(10 * (unit + 1));
      text.remove_suffix(1);
    }
  }
  const char *end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stop != end || out > (UINT64_MAX >> 1 >> shift))
    return false;
  out <<= shift;
  return true;
}

/// Returns why others may have access to a folder; empty if only we do.
std::string whyUnsafe(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info))
    return strerror(errno);
  if (!S_ISDIR(info.st_mode))
    return "it is no folder";
  if (info.st_uid != geteuid())
    return "it belongs to another user";
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return "others may write to it";
  return "";
}

/// Creates a folder and its parents, accessible only to the user.
bool makeFolder(const std::string &path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    std::string part = path.substr(0, slash);
    if (mkdir(part.c_str(), S_IRWXU) && errno != EEXIST && errno != EISDIR &&
        (errno != EROFS || access(part.c_str(), F_OK)))
      return false;
    if (slash == path.npos)
      return true;
  }
}

int64_t nanoseconds(const timespec &time) {
  return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// Returns false if the file ends too early.
bool readAll(int file, void *to, size_t size) {
  for (size_t done = 0; done != size;) {
    ssize_t n = read(file, static_cast<char *>(to) + done, size - done);
    if (n == 0 || (n < 0 && errno != EINTR))
      return false;
    done += n > 0 ? size_t(n) : 0;
  }
  return true;
}

/// Reads the result from a regular file, if it belongs to the key. Never waits
/// for a special file, and rejects a file whose size differs from its header.
bool readEntry(const std::string &path, std::string_view key, bool isUse,
               std::vector<char> &result) {
  int file = aboveStandard(open(
      path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (file < 0)
    return false;
  struct stat info;
  bool good = false;
  if (fstat(file, &info) == 0 && S_ISREG(info.st_mode)) {
    // Set the access time here, because file systems treat reads differently.
    const timespec now[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
    const timespec same[2] = {info.st_atim, {0, UTIME_OMIT}};
    if (isUse)
      futimens(file, now);
    Header header;
    if (readAll(file, &header, sizeof(header)) &&
        header.size == uint64_t(info.st_size) - sizeof(header)) {
      try {
        result.resize(size_t(header.size));
      } catch (...) {
        close(file);
        throw;
      }
      if (readAll(file, result.data(), result.size())) {
        Header expected = headerOf(key, Bytes(result.data(), result.size()));
        good = memcmp(&header, &expected, sizeof(header)) == 0;
      }
    }
    if (!isUse)
      futimens(file, same);
  }
  close(file);
  return good;
}

/// Calls \p each with the cache's files in a folder.
template <class Fn> void forEntries(const std::string &directory, Fn each) {
  DIR *folder = opendir(directory.c_str());
  if (!folder)
    return;
  while (const dirent *file = readdir(folder)) {
    struct stat info;
    if (std::string_view(file->d_name).starts_with(Prefix) &&
        fstatat(dirfd(folder), file->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0)
      each(std::string_view(file->d_name), info);
  }
  closedir(folder);
}

} // namespace

CachePlace CachePlace::fromEnvironment() {
  CachePlace place;
  auto read = [](const char *name) {
    const char *text = secure_getenv(name);
    return std::string(text ? text : "");
  };
  place.directory = read("XCC_CACHE_DIR");
  // Relative paths are ignored, as the XDG specification demands.
  if (std::string base = read("XDG_CACHE_HOME");
      place.directory.empty() && base.starts_with("/"))
    place.directory = base + "/xcc";
  if (std::string home = read("HOME");
      place.directory.empty() && home.starts_with("/"))
    place.directory = home + "/.cache/xcc";
  if (read("XCC_CACHE") == "off") {
    place.limit = 0;
    return place;
  }
  std::string size = read("XCC_CACHE_SIZE");
  if (uint64_t bytes; parseSize(size, bytes))
    place.limit = bytes;
  else if (!size.empty())
    place.mistake = "XCC_CACHE_SIZE=" + size +
                    " is no size, such as 500M or 2G; it is ignored";
  return place;
}

std::string cacheKeyOf(std::string_view text) {
  std::string key;
  for (uint64_t seed : {2, 3}) {
    Sum sum = sumOf(Bytes(text.data(), text.size()), seed);
    char digits[33];
    snprintf(digits, sizeof(digits), "%016llx%016llx",
             static_cast<unsigned long long>(sum.low),
             static_cast<unsigned long long>(sum.high));
    key += digits;
  }
  return key;
}

CacheFolder::CacheFolder(const CachePlace &place) : limit(place.limit) {
  if (!limit)
    return;
  if (place.directory.empty()) {
    reason = "HOME is not an absolute path; set XCC_CACHE_DIR to a folder";
    return;
  }
  // An existing folder may be another user's symbolic link.
  if (access(place.directory.c_str(), F_OK) && !makeFolder(place.directory)) {
    reason = "'" + place.directory + "' cannot be made: " + strerror(errno);
    return;
  }
  std::string problem = whyUnsafe(place.directory);
  if (problem.empty())
    directory = place.directory;
  else
    reason = "'" + place.directory + "': " + problem;
}

std::string CacheFolder::pathOf(std::string_view key) const {
  return directory + "/" + std::string(Prefix) + std::string(key);
}

bool CacheFolder::find(std::string_view key, std::vector<char> &result) {
  return isUsed() && readEntry(pathOf(key), key, true, result);
}

bool CacheFolder::read(const Entry &entry, std::vector<char> &result) const {
  return !entry.key.empty() && readEntry(entry.path, entry.key, false, result);
}

void CacheFolder::store(std::string_view key, Bytes result) {
  // A single result that is too large would displace everything else.
  if (!isUsed() || result.size() > limit / 2)
    return;
  Header header = headerOf(key, result);
  std::string path = pathOf(key), temporary = path;
  int file = makeTemporary(temporary);
  if (file < 0) {
    failure = errno;
    return;
  }
  bool written =
      writeAll(file, Bytes(&header, sizeof(header))) && writeAll(file, result);
  // A full disk may be reported only here.
  written &= close(file) == 0;
  if (written && rename(temporary.c_str(), path.c_str()) == 0) {
    added += sizeof(header) + result.size();
  } else {
    failure = errno;
    unlink(temporary.c_str());
  }
}

std::string CacheFolder::whyNotStored() const {
  return failure ? strerror(failure) : "";
}

void CacheFolder::remove(std::string_view key) {
  if (isUsed())
    unlink(pathOf(key).c_str());
}

void CacheFolder::trim() {
  uint64_t addedBytes = added.exchange(0);
  if (!isUsed() || !addedBytes)
    return;
  std::string stamp = directory + Stamp;
  struct stat last;
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  // Listing a large folder takes time, so this is done rarely.
  if (addedBytes <= limit / 16 && stat(stamp.c_str(), &last) == 0 &&
      last.st_mtim.tv_sec <= now.tv_sec &&
      now.tv_sec - last.st_mtim.tv_sec < 60) {
    added += addedBytes;
    return;
  }
  if (int file = open(stamp.c_str(),
                      O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
      file >= 0) {
    futimens(file, nullptr);
    close(file);
  }
  std::vector<Entry> all = list();
  uint64_t sum = 0;
  for (const Entry &entry : all) {
    // The most recently used are first; remove those beyond the limit.
    sum += entry.size;
    if (sum > limit) {
      unlink(entry.path.c_str());
      sum -= entry.size;
    }
  }
}

std::vector<CacheFolder::Entry> CacheFolder::list() const {
  std::vector<Entry> all;
  if (!isUsed())
    return all;
  forEntries(directory, [&](std::string_view name, const struct stat &info) {
    std::string_view key = name.substr(Prefix.size());
    all.push_back({directory + "/" + std::string(name),
                   std::string(key.size() == 64 ? key : std::string_view()),
                   uint64_t(info.st_size), nanoseconds(info.st_atim)});
  });
  std::sort(all.begin(), all.end(),
            [](const Entry &a, const Entry &b) { return a.used > b.used; });
  return all;
}

size_t CacheFolder::clear() {
  size_t left = 0;
  for (const Entry &entry : list())
    left += unlink(entry.path.c_str()) != 0;
  return left;
}

} // namespace xcc::rt
