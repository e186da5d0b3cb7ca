// Specialised code for values that stay the same over many launches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adaptive.h"
#include "devices/context.h"
#include "images/registry.h"
#include "images/units.h"
#include "process/log.h"
#include "specialization/variants.h"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

namespace xcc::rt {

namespace {

/// After Enough equal launches in succession a guess is made, and after TooMany
/// different ones it is dropped.
constexpr unsigned Enough = 32, TooMany = 8;
/// The most guesses for one kernel on one device.
constexpr unsigned MostProfiles = 4;

/// A number in the kernarg segment.
struct Number {
  uint32_t offset, size;
  bool captured;
  unsigned same; ///< launches in succession with the same value
};

struct ValueProfile {
  enum { Watching, Asked, Ready, GivenUp } state = Watching;
  std::vector<Number> numbers;
  std::vector<char> last; ///< the kernarg segment of the last launch
  uint32_t block[3] = {}, grid[3] = {};
  unsigned sameBlock = 0, sameGrid = 0, wrong = 0, made = 0;
  // Set in state Asked and later.
  std::unique_ptr<Variant> asked; ///< the variant to generate
  Variant *variant = nullptr;
  const Kernel *kernel = nullptr;
};

struct Job {
  const xcc_kernel_info *info;
  Device *on;
};

struct Adaptive {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<const xcc_kernel_info *, Device *>, ValueProfile> profiles;
  std::deque<Job> jobs;
  const xcc_binary *atWork = nullptr; ///< the unit of the running job
  bool running = false, ends = false;
  bool compiledOnce = false; ///< a job has been done
};

} // namespace

/// Never destroyed: kernels may be launched until the process ends.
static Adaptive &all() {
  static Adaptive &state = *new Adaptive;
  return state;
}

/// Is the type a number, with the same bytes on every device?
static bool isNumber(const char *type) {
  static constexpr const char *const names[] = {
      "bool",         "char",           "signed char",  "unsigned char",
      "short",        "unsigned short", "int",          "unsigned int",
      "long",         "unsigned long",  "long long",    "unsigned long long",
      "float",        "double",         "size_t",       "std::size_t",
      "int8_t",       "uint8_t",        "int16_t",      "uint16_t",
      "int32_t",      "uint32_t",       "int64_t",      "uint64_t",
      "std::int32_t", "std::uint32_t",  "std::int64_t", "std::uint64_t",
      "ptrdiff_t",    "std::ptrdiff_t"};
  std::string_view name = type;
  if (name.starts_with("const "))
    name.remove_prefix(6);
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

static std::vector<Number> numbersOf(const xcc_kernel_info &info) {
  std::vector<Number> list;
  for (uint32_t i = 0; i != info.param_count; ++i) {
    const xcc_param_info &p = info.params[i];
    if (p.kind == XCC_PARAM_VALUE && p.size <= 8 && isNumber(p.type))
      list.push_back({p.offset, p.size, false, 0});
  }
  for (uint32_t i = 0; i != info.capture_count; ++i) {
    const xcc_capture_info &c = info.captures[i];
    if (c.kind == XCC_PARAM_VALUE && !c.by_reference && c.size <= 8 &&
        isNumber(c.type))
      list.push_back({c.offset, c.size, true, 0});
  }
  return list;
}

/// Does a launch have the values for which the code was generated?
static bool holds(const Variant &variant, const xcc_launch_config &config,
                  const char *kernarg, const Device &on) {
  for (const Variant::Constant &constant : variant.constants)
    if (memcmp(kernarg + constant.offset, constant.bytes.data(),
               constant.bytes.size()) != 0)
      return false;
  for (int i = 0; i != 3; ++i)
    if ((variant.block[i] && variant.block[i] != config.block[i]) ||
        (variant.grid[i] && variant.grid[i] != config.grid[i]))
      return false;
  return variant.pointers.empty() ||
         pointerFacts(variant.info, kernarg, on) == variant.pointers;
}

/// Compares a launch with the one before, and counts what is the same.
static void watch(ValueProfile &profile, const xcc_launch_config &config,
                  const char *kernarg, size_t size) {
  bool first = profile.last.size() != size;
  for (Number &number : profile.numbers) {
    bool same =
        !first && !memcmp(kernarg + number.offset,
                          profile.last.data() + number.offset, number.size);
    number.same = same ? number.same + 1 : 0;
  }
  bool sameBlock =
      !first && !memcmp(profile.block, config.block, sizeof(profile.block));
  bool sameGrid =
      !first && !memcmp(profile.grid, config.grid, sizeof(profile.grid));
  profile.sameBlock = sameBlock ? profile.sameBlock + 1 : 0;
  profile.sameGrid = sameGrid ? profile.sameGrid + 1 : 0;
  profile.last.assign(kernarg, kernarg + size);
  memcpy(profile.block, config.block, sizeof(profile.block));
  memcpy(profile.grid, config.grid, sizeof(profile.grid));
}

/// Makes a variant for the values that have stayed the same; null if none has.
static std::unique_ptr<Variant> profileOf(const xcc_kernel_info &info,
                                          const ValueProfile &profile,
                                          const Device &on) {
  auto made = std::make_unique<Variant>(info);
  made->options.size = sizeof(xcc_jit_options);
  made->options.opt_level = -1;
  for (const Number &number : profile.numbers)
    if (number.same >= Enough)
      made->constants.push_back(
          {number.offset,
           std::string(profile.last.data() + number.offset, number.size),
           number.captured});
  if (made->constants.empty())
    return nullptr;
  if (profile.sameBlock >= Enough)
    memcpy(made->block, profile.block, sizeof(profile.block));
  if (profile.sameGrid >= Enough)
    memcpy(made->grid, profile.grid, sizeof(profile.grid));
  made->pointers = pointerFacts(info, profile.last.data(), on);
  return made;
}

//===----------------------------------------------------------------------===//
// The thread
//===----------------------------------------------------------------------===//

static void work() {
  Adaptive &a = all();
  std::unique_lock lock(a.mutex);
  while (true) {
    a.changed.wait(lock, [&] { return a.ends || !a.jobs.empty(); });
    if (a.ends)
      break;
    Job job = a.jobs.front();
    a.jobs.pop_front();
    ValueProfile &profile = a.profiles[{job.info, job.on}];
    Variant *variant = nullptr;
    const Kernel *kernel = nullptr;
    try {
      variant = addVariant(std::move(profile.asked));
      a.atWork = job.info->binary;
      lock.unlock();
      if (loadKernel(variant->info, *job.on, &kernel) != XCC_SUCCESS) {
        kernel = nullptr;
        XCC_LOG(Load, "device %d: kernel '%s' is not specialised: %s",
                job.on->ordinal(), job.info->name, xcc_error_last());
      }
      lock.lock();
    } catch (const std::bad_alloc &) {
      if (!lock)
        lock.lock();
    }
    a.atWork = nullptr;
    profile.variant = variant;
    profile.kernel = kernel;
    profile.state = kernel ? ValueProfile::Ready : ValueProfile::GivenUp;
    a.changed.notify_all();
  }
  a.running = false;
  a.changed.notify_all();
}

/// Ends the thread when the process exits, before the generator's objects are
/// destroyed.
static void endWork() {
  Adaptive &a = all();
  std::unique_lock lock(a.mutex, std::defer_lock);
  // A forked child does not have the thread, and the lock may be held forever.
  if (forked())
    return;
  lock.lock();
  a.ends = true;
  a.jobs.clear();
  a.changed.notify_all();
  a.changed.wait(lock, [&] { return !a.running; });
}

/// Starts the thread if it does not run. Call it under the lock.
static bool start(Adaptive &a) {
  if (a.running)
    return true;
  sigset_t every, old;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &old);
  try {
    std::thread(work).detach();
    a.running = true;
  } catch (const std::system_error &) {
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  return a.running;
}

/// Asks the thread to generate the variant. LLVM makes objects with static
/// lifetime on the way, which must be destroyed after the thread ends. So the
/// process's first job is waited for, and later jobs register endWork() after
/// the objects of that job.
static void ask(Adaptive &a, std::unique_lock<std::mutex> &lock,
                const xcc_kernel_info &info, Device &on, ValueProfile &profile,
                std::unique_ptr<Variant> made) {
  profile.state = ValueProfile::GivenUp;
  if (a.ends || (a.compiledOnce && std::atexit(endWork) != 0) || !start(a))
    return;
  a.jobs.push_back({&info, &on});
  profile.asked = std::move(made);
  profile.state = ValueProfile::Asked;
  ++profile.made;
  a.changed.notify_all();
  if (!a.compiledOnce)
    a.changed.wait(lock, [&] { return profile.state != ValueProfile::Asked; });
  a.compiledOnce = true;
}

const Kernel *adapt(const xcc_kernel_info &info,
                    const xcc_launch_config &config, const void *kernarg,
                    Device &on, const Kernel *generic) {
  // A variant already has its values.
  if (!kernarg || variantOf(info))
    return generic;
  auto *bytes = static_cast<const char *>(kernarg);
  Adaptive &a = all();
  try {
    std::unique_lock lock(a.mutex);
    auto [found, fresh] = a.profiles.try_emplace({&info, &on});
    ValueProfile &profile = found->second;
    if (fresh)
      profile.numbers = numbersOf(info);
    if (fresh && (profile.numbers.empty() || !canVary(info, on)))
      profile.state = ValueProfile::GivenUp;
    if (profile.state == ValueProfile::GivenUp)
      return generic;
    if (profile.state == ValueProfile::Ready) {
      if (holds(*profile.variant, config, bytes, on)) {
        profile.wrong = 0;
        return profile.kernel;
      }
      if (++profile.wrong < TooMany)
        return generic;
      profile.wrong = 0;
      profile.last.clear();
      profile.state = profile.made < MostProfiles ? ValueProfile::Watching
                                                  : ValueProfile::GivenUp;
      XCC_LOG(Load,
              "device %d: kernel '%s' has other values now: its generic "
              "code runs",
              on.ordinal(), info.name);
      return generic;
    }
    if (profile.state == ValueProfile::Watching) {
      watch(profile, config, bytes, info.kernarg_size);
      bool due = std::any_of(
          profile.numbers.begin(), profile.numbers.end(),
          [](const Number &number) { return number.same >= Enough; });
      if (due)
        if (auto made = profileOf(info, profile, on))
          ask(a, lock, info, on, profile, std::move(made));
    }
  } catch (const std::bad_alloc &) {
  }
  return generic;
}

void forgetProfiles(const xcc_binary &unit) {
  if (!adaptive.load(std::memory_order_relaxed))
    return;
  Adaptive &a = all();
  std::unique_lock lock(a.mutex);
  std::erase_if(a.jobs,
                [&](const Job &job) { return job.info->binary == &unit; });
  a.changed.wait(lock, [&] { return a.atWork != &unit; });
  std::erase_if(a.profiles, [&](const auto &each) {
    return each.first.first->binary == &unit;
  });
}

} // namespace xcc::rt
