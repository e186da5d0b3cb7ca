// Code for this machine's devices, before a program is run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "precompile.h"
#include "devices/context.h"
#include "formats/kernel_row.h"
#include "generation/code_cache.h"
#include "generation/generator.h"
#include "images/units.h"
#include "xcc/abi.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <set>
#include <thread>

namespace xcc::rt {

namespace {
struct Job {
  OffloadImage image;
  int group;
  Device *on;
};
} // namespace

static std::vector<Job> jobsFor(Device &on, Bytes section) {
  OffloadReader reader(section);
  OffloadImage candidate, portable;
  bool own = false;
  while (reader.next(candidate)) {
    const char *missing = nullptr;
    own |= on.suits(candidate, missing) > 0;
    if (isPortableFor(candidate, on))
      portable = candidate;
  }
  std::vector<Job> jobs;
  if (!portable.portable() || (own && jitMode() != JitMode::Always))
    return jobs;
  std::set<int> groups;
  std::string_view table = portable.kernels;
  for (KernelRow row; nextKernelRow(table, row);)
    groups.insert(groupOf(portable, std::string(row.symbol).c_str()));
  for (int group : groups)
    jobs.push_back({portable, group, &on});
  return jobs;
}

/// Does all jobs; how many found their code there.
static size_t work(const std::vector<Job> &jobs,
                   std::set<std::string> &errors) {
  std::atomic<size_t> next = 0, found = 0;
  std::mutex mutex;
  auto each = [&] {
    for (size_t i; (i = next++) < jobs.size();) {
      GeneratedImage made;
      const Job &job = jobs[i];
      if (generateImage(job.image, job.group, nullptr, *job.on, false, made) ==
          XCC_SUCCESS) {
        found += made.found;
      } else {
        std::lock_guard lock(mutex);
        errors.insert(xcc_error_last());
      }
    }
  };
  std::vector<std::thread> threads;
  size_t cores = std::max(1u, std::thread::hardware_concurrency());
  for (size_t i = 1; i < std::min(cores, jobs.size()); ++i)
    threads.emplace_back(each);
  each();
  for (std::thread &thread : threads)
    thread.join();
  return found;
}

bool precompile(const std::string &path, Bytes section) {
  if (!codeFolder().isUsed()) {
    fprintf(stderr, "%s: generated code is not kept on disk: %s\n",
            program_invocation_short_name,
            codeFolder().whyNot().empty() ? "XCC_CACHE_SIZE=0"
                                          : codeFolder().whyNot().c_str());
    return false;
  }
  // Only programs that exist make the drivers list their devices.
  static xcc_binary unit{};
  unit.abi_version = XCC_ABI_VERSION;
  unit.images_begin = section.data();
  unit.images_end = section.data() + section.size();
  xcc_binary_register(&unit);
  std::span<Device *const> devices;
  if (listDevices(devices) != XCC_SUCCESS) {
    fprintf(stderr, "%s: %s\n", program_invocation_short_name,
            xcc_error_last());
    return false;
  }
  bool good = true;
  for (Device *on : devices) {
    std::vector<Job> jobs = jobsFor(*on, section);
    if (jobs.empty()) {
      printf("%s: device %d (%s) has nothing generated\n", path.c_str(),
             on->ordinal(), on->id());
      continue;
    }
    std::set<std::string> errors;
    size_t found = work(jobs, errors);
    for (const std::string &error : errors)
      fprintf(stderr, "%s: %s: device %d (%s): %s\n",
              program_invocation_short_name, path.c_str(), on->ordinal(),
              on->id(), error.c_str());
    good &= errors.empty();
    if (errors.empty())
      printf("%s: device %d (%s): %zu generated, %zu found\n", path.c_str(),
             on->ordinal(), on->id(), jobs.size() - found, found);
  }
  return good;
}

//===----------------------------------------------------------------------===//
// What is kept
//===----------------------------------------------------------------------===//

/// The rest of the line that begins so.
static std::string lineOf(std::string_view text, std::string_view begin) {
  size_t at = text.find("\n" + std::string(begin) + " ");
  if (at == text.npos)
    return "";
  text.remove_prefix(at + begin.size() + 2);
  return std::string(text.substr(0, text.find('\n')));
}

static std::string describe(const std::vector<char> &entry) {
  // Of the compiler (frontend/unit/AutomaticPCH.cpp).
  std::string_view start(entry.data(), entry.size());
  if (start.starts_with("xcchead1"))
    return "<xcc/xcc.h>, precompiled";
  if (start.starts_with("tried "))
    return "a mark that <xcc/xcc.h> was parsed";
  std::string_view text = textOf(Bytes(entry.data(), entry.size()));
  if (text.starts_with("xcc generator"))
    return lineOf(text, "for").empty() ? "which compiler there is"
                                       : "which code generator there is";
  if (text.starts_with("xcc source"))
    return "source for " + lineOf(text, "arch") + ": " + lineOf(text, "name");
  if (text.starts_with("xcc headers"))
    return "parsed headers of source for " + lineOf(text, "target");
  if (text.starts_with("xcc image"))
    return "image for " + lineOf(text, "arch") + " (" + lineOf(text, "triple") +
           "): " + lineOf(text, "kernels");
  return "code of the compiler's";
}

bool listCache() {
  CacheFolder &folder = codeFolder();
  if (!folder.isUsed()) {
    printf("nothing is kept%s%s\n", folder.whyNot().empty() ? "" : ": ",
           folder.whyNot().c_str());
    return true;
  }
  uint64_t sum = 0;
  auto all = folder.list();
  for (const CacheFolder::Entry &entry : all)
    sum += entry.size;
  printf("%s: %zu entries, %llu of %llu bytes\n", folder.folder().c_str(),
         all.size(), static_cast<unsigned long long>(sum),
         static_cast<unsigned long long>(folder.size()));
  for (const CacheFolder::Entry &entry : all) {
    time_t used = time_t(entry.used / 1'000'000'000);
    tm local;
    char when[32] = "";
    if (localtime_r(&used, &local))
      strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &local);
    std::vector<char> bytes;
    bool good = folder.read(entry, bytes);
    printf("  %s %10llu  %s\n", when,
           static_cast<unsigned long long>(entry.size),
           good ? describe(bytes).c_str() : "damaged, or not finished");
  }
  return true;
}

bool clearCache() {
  CacheFolder &folder = codeFolder();
  size_t before = folder.list().size(), left = folder.clear();
  printf("%zu entries removed\n", before - left);
  if (left)
    fprintf(stderr, "xcc-info: %zu entries of '%s' cannot be removed\n", left,
            folder.folder().c_str());
  return !left;
}

} // namespace xcc::rt
