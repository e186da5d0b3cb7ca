// The cache of results on disk
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/ResultCache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace xcc {
namespace {

class Cache : public testing::Test {
protected:
  CacheSettings settings;
  SmallString<128> root;

  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("xcc-cache-test", root));
    settings.directory = (root + "/cache").str();
  }
  void TearDown() override { sys::fs::remove_directories(root); }

  static CacheKey keyOf(StringRef text) {
    CacheKey key("test");
    key.add(text);
    return key;
  }
  std::string entry(StringRef text) const {
    return settings.directory + "/llvmcache-" + keyOf(text).text();
  }
  std::string found(StringRef text) const {
    auto result = ResultCache(settings).find(keyOf(text));
    return result ? result->getBuffer().str() : "nothing";
  }
  void store(StringRef text, StringRef result) const {
    ResultCache(settings).store(keyOf(text), result);
  }
  std::string bytesOf(const std::string &path) const {
    auto buffer = MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  static void write(const std::string &path, StringRef bytes) {
    std::error_code error;
    raw_fd_ostream(path, error) << bytes;
    ASSERT_FALSE(error);
  }
  uint64_t size() const {
    uint64_t sum = 0;
    std::error_code error;
    for (sys::fs::directory_iterator at(settings.directory, error), end;
         at != end && !error; at.increment(error))
      if (auto status = at->status())
        sum += status->getSize();
    return sum;
  }
};

TEST_F(Cache, FindsWhatWasStored) {
  EXPECT_EQ(found("a"), "nothing");
  store("a", "one");
  store("b", StringRef("t\0o", 3));
  store("empty", "");
  EXPECT_EQ(found("a"), "one");
  EXPECT_EQ(found("b"), std::string("t\0o", 3));
  EXPECT_EQ(found("empty"), "");
  store("a", "two");
  EXPECT_EQ(found("a"), "two");
}

TEST_F(Cache, CountsHitsAndMisses) {
  ResultCache cache(settings);
  cache.store(keyOf("a"), "one");
  cache.find(keyOf("a"));
  cache.find(keyOf("b"));
  cache.find(keyOf("c"));
  EXPECT_EQ(cache.hits(), 1u);
  EXPECT_EQ(cache.misses(), 2u);
}

TEST_F(Cache, KeysTellPartsApart) {
  CacheKey one("k"), two("k"), other("l"), number("k");
  one.add("ab");
  one.add("c");
  two.add("a");
  two.add("bc");
  other.add("ab");
  other.add("c");
  number.add(1);
  EXPECT_NE(one.text(), two.text());
  EXPECT_NE(one.text(), other.text());
  EXPECT_NE(number.text(), CacheKey("k").text());
  EXPECT_EQ(one.text().size(), 64u);
}

TEST_F(Cache, DamagedEntriesAreNothing) {
  store("a", "a result of some length");
  std::string whole = bytesOf(entry("a"));
  for (size_t length = 0; length != whole.size(); ++length) {
    write(entry("a"), StringRef(whole).take_front(length));
    EXPECT_EQ(found("a"), "nothing") << length;
  }
  for (size_t place = 0; place != whole.size(); ++place) {
    std::string bytes = whole;
    bytes[place] ^= 1;
    write(entry("a"), bytes);
    EXPECT_EQ(found("a"), "nothing") << place;
  }
  write(entry("a"), whole + "x");
  EXPECT_EQ(found("a"), "nothing");
  store("a", "again");
  EXPECT_EQ(found("a"), "again");
}

TEST_F(Cache, ForeignEntriesAreNothing) {
  store("a", "one");
  write(entry("b"), bytesOf(entry("a")));
  EXPECT_EQ(found("b"), "nothing");
  ASSERT_FALSE(sys::fs::create_directory(entry("c")));
  EXPECT_EQ(found("c"), "nothing");
  store("c", "three"); // a folder cannot be replaced
  EXPECT_EQ(found("c"), "nothing");
}

TEST_F(Cache, KeepsToItsSize) {
  settings.limit = 100000;
  std::string kilobyte(1000, 'x');
  for (int i = 0; i != 30; ++i) {
    ResultCache cache(settings);
    for (int j = 0; j != 10; ++j)
      cache.store(keyOf(std::to_string(10 * i + j)), kilobyte);
  }
  EXPECT_LE(size(), settings.limit);
  EXPECT_GE(size(), settings.limit / 2);
  // What alone would take most of it is not kept.
  store("large", std::string(60000, 'x'));
  EXPECT_EQ(found("large"), "nothing");
}

TEST_F(Cache, KeepsWhatWasUsedLast) {
  settings.limit = 20000;
  std::string kilobyte(1000, 'x');
  store("used", kilobyte);
  for (int i = 0; i != 60; ++i) {
    store(std::to_string(i), kilobyte + kilobyte);
    // Times of files may be coarse: what is used is newer by an hour.
    int file = open(entry("used").c_str(), O_RDONLY);
    ASSERT_GE(file, 0);
    timespec times[2] = {{time(nullptr) + 3600, 0}, {0, UTIME_OMIT}};
    ASSERT_EQ(futimens(file, times), 0);
    close(file);
  }
  EXPECT_EQ(found("used"), kilobyte);
  EXPECT_EQ(found("0"), "nothing");
}

TEST_F(Cache, UsesNoFolderThatOthersWriteTo) {
  store("a", "one");
  for (unsigned mode : {0777, 0770, 0702}) {
    ASSERT_EQ(chmod(settings.directory.c_str(), mode), 0);
    ResultCache cache(settings);
    EXPECT_FALSE(cache.isUsed());
    EXPECT_NE(cache.whyNot().find("others may write to it"), std::string::npos);
    EXPECT_EQ(cache.find(keyOf("a")), nullptr);
  }
  ASSERT_EQ(chmod(settings.directory.c_str(), 0755), 0);
  EXPECT_EQ(found("a"), "one");
}

TEST_F(Cache, UsesNoFolderOfAnotherUser) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root gives folders away";
  ASSERT_FALSE(sys::fs::create_directory(settings.directory));
  ASSERT_EQ(chown(settings.directory.c_str(), 12345, -1), 0);
  ResultCache cache(settings);
  EXPECT_FALSE(cache.isUsed());
  EXPECT_NE(cache.whyNot().find("another user"), std::string::npos);
}

TEST_F(Cache, MakesItsFolderForItsUserAlone) {
  settings.directory = (root + "/some/where/deep").str();
  store("a", "one");
  EXPECT_EQ(found("a"), "one");
  struct stat info;
  ASSERT_EQ(stat(settings.directory.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(Cache, DoesWithoutAFolder) {
  write((root + "/file").str(), "");
  for (std::string place :
       {(root + "/file").str(), (root + "/file/below").str(), std::string()}) {
    settings.directory = place;
    ResultCache cache(settings);
    EXPECT_FALSE(cache.isUsed());
    EXPECT_FALSE(cache.whyNot().empty());
    cache.store(keyOf("a"), "one");
    EXPECT_EQ(cache.find(keyOf("a")), nullptr);
  }
  settings.on = false;
  EXPECT_TRUE(ResultCache(settings).whyNot().empty());
}

TEST_F(Cache, ReadsWhatItCannotWrite) {
  store("a", "one");
  ASSERT_EQ(chmod(settings.directory.c_str(), 0500), 0);
  EXPECT_EQ(found("a"), "one");
  store("b", "two"); // root may; whoever may not, does without
  ASSERT_EQ(chmod(settings.directory.c_str(), 0700), 0);
}

TEST_F(Cache, AFullDiskIsNoError) {
  ResultCache cache(settings);
  pid_t child = fork();
  if (child == 0) {
    rlimit small = {100, 100};
    setrlimit(RLIMIT_FSIZE, &small);
    signal(SIGXFSZ, SIG_IGN);
    cache.store(keyOf("a"), std::string(10000, 'x'));
    _exit(cache.find(keyOf("a")) ? 1 : 0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(size(), 0u);
}

TEST_F(Cache, ManyWriteAndReadAtOnce) {
  ResultCache cache(settings);
  std::atomic<unsigned> wrong = 0;
  auto work = [&](int seed) {
    for (int i = 0; i != 200; ++i) {
      std::string name = std::to_string((seed + i) % 7);
      std::string result(5000, name[0]);
      if (i % 2)
        cache.store(keyOf(name), result);
      else if (auto got = cache.find(keyOf(name)))
        wrong += got->getBuffer() != result;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i != 8; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0u);
}

TEST_F(Cache, SurvivesBeingKilled) {
  for (int i = 0; i != 20; ++i) {
    auto name = [&](int j) { return std::to_string(10 * i + j % 5); };
    pid_t child = fork();
    if (child == 0) {
      ResultCache cache(settings);
      for (int j = 0;; ++j)
        cache.store(keyOf(name(j)), std::string(100000, 'a' + j % 5));
    }
    // Whenever it happens to be, with something written.
    while (found(name(0)) == "nothing")
      std::this_thread::yield();
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    for (int j = 0; j != 5; ++j) {
      std::string result = found(name(j));
      EXPECT_TRUE(result == "nothing" ||
                  result == std::string(100000, 'a' + j));
    }
  }
  // What was left behind counts, and goes first or last.
  settings.limit = 50000;
  store("small", std::string(10000, 'x'));
  EXPECT_LE(size(), settings.limit);
}

TEST(CacheSettings, FollowTheEnvironment) {
  setenv("XCC_CACHE_DIR", "/some/where", 1);
  setenv("XCC_CACHE_SIZE", "3M", 1);
  CacheSettings settings = CacheSettings::fromEnvironment();
  EXPECT_EQ(settings.directory, "/some/where");
  EXPECT_EQ(settings.limit, 3u << 20);
  EXPECT_EQ(settings.mistake, "");
  for (const char *wrong : {"many", "-1", "1T", "5 M", "99999999999999G"}) {
    setenv("XCC_CACHE_SIZE", wrong, 1);
    settings = CacheSettings::fromEnvironment();
    EXPECT_NE(settings.mistake, "") << wrong;
    EXPECT_EQ(settings.limit, uint64_t(1) << 30);
  }
  setenv("XCC_CACHE_SIZE", "0", 1);
  EXPECT_FALSE(ResultCache(CacheSettings::fromEnvironment()).isUsed());
  unsetenv("XCC_CACHE_SIZE");
  unsetenv("XCC_CACHE_DIR");
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(CacheSettings::fromEnvironment().directory, "/cache/xcc");
}

TEST(CodeIdentity, IsThereAndStays) {
  EXPECT_GT(identityOfThisCode().size(), 40u);
  EXPECT_EQ(identityOfThisCode(), identityOfThisCode());
}

} // namespace
} // namespace xcc
