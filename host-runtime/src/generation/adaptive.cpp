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
constexpr unsigned MostGuesses = 4;

/// A number in the kernarg segment.
struct Number {
  uint32_t offset, size;
  bool captured;
  unsigned same; ///< launches in succession with the same value
};

struct Guess {
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
  std::map<std::pair<const xcc_kernel_info *, Device *>, Guess> guesses;
  std::deque<Job> jobs;
  const xcc_binary *atWork = nullptr; ///< the unit of the running job
  bool running = false, ends = false;
  bool warm = false; ///< a job has been done
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
static void watch(Guess &guess, const xcc_launch_config &config,
                  const char *kernarg, size_t size) {
  bool first = guess.last.size() != size;
  for (Number &number : guess.numbers) {
    bool same =
        !first && !memcmp(kernarg + number.offset,
                          guess.last.data() + number.offset, number.size);
    number.same = same ? number.same + 1 : 0;
  }
  bool sameBlock =
      !first && !memcmp(guess.block, config.block, sizeof(guess.block));
  bool sameGrid =
      !first && !memcmp(guess.grid, config.grid, sizeof(guess.grid));
  guess.sameBlock = sameBlock ? guess.sameBlock + 1 : 0;
  guess.sameGrid = sameGrid ? guess.sameGrid + 1 : 0;
  guess.last.assign(kernarg, kernarg + size);
  memcpy(guess.block, config.block, sizeof(guess.block));
  memcpy(guess.grid, config.grid, sizeof(guess.grid));
}

/// Makes a variant for the values that have stayed the same; null if none has.
static std::unique_ptr<Variant> guessOf(const xcc_kernel_info &info,
                                        const Guess &guess, const Device &on) {
  auto made = std::make_unique<Variant>(info);
  made->options.size = sizeof(xcc_jit_options);
  made->options.opt_level = -1;
  for (const Number &number : guess.numbers)
    if (number.same >= Enough)
      made->constants.push_back(
          {number.offset,
           std::string(guess.last.data() + number.offset, number.size),
           number.captured});
  if (made->constants.empty())
    return nullptr;
  if (guess.sameBlock >= Enough)
    memcpy(made->block, guess.block, sizeof(guess.block));
  if (guess.sameGrid >= Enough)
    memcpy(made->grid, guess.grid, sizeof(guess.grid));
  made->pointers = pointerFacts(info, guess.last.data(), on);
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
    Guess &guess = a.guesses[{job.info, job.on}];
    Variant *variant = nullptr;
    const Kernel *kernel = nullptr;
    try {
      variant = addVariant(std::move(guess.asked));
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
    guess.variant = variant;
    guess.kernel = kernel;
    guess.state = kernel ? Guess::Ready : Guess::GivenUp;
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
                const xcc_kernel_info &info, Device &on, Guess &guess,
                std::unique_ptr<Variant> made) {
  guess.state = Guess::GivenUp;
  if (a.ends || (a.warm && std::atexit(endWork) != 0) || !start(a))
    return;
  a.jobs.push_back({&info, &on});
  guess.asked = std::move(made);
  guess.state = Guess::Asked;
  ++guess.made;
  a.changed.notify_all();
  if (!a.warm)
    a.changed.wait(lock, [&] { return guess.state != Guess::Asked; });
  a.warm = true;
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
    auto [found, fresh] = a.guesses.try_emplace({&info, &on});
    Guess &guess = found->second;
    if (fresh)
      guess.numbers = numbersOf(info);
    if (fresh && (guess.numbers.empty() || !canVary(info, on)))
      guess.state = Guess::GivenUp;
    if (guess.state == Guess::GivenUp)
      return generic;
    if (guess.state == Guess::Ready) {
      if (holds(*guess.variant, config, bytes, on)) {
        guess.wrong = 0;
        return guess.kernel;
      }
      if (++guess.wrong < TooMany)
        return generic;
      guess.wrong = 0;
      guess.last.clear();
      guess.state = guess.made < MostGuesses ? Guess::Watching : Guess::GivenUp;
      XCC_LOG(Load,
              "device %d: kernel '%s' has other values now: its generic "
              "code runs",
              on.ordinal(), info.name);
      return generic;
    }
    if (guess.state == Guess::Watching) {
      watch(guess, config, bytes, info.kernarg_size);
      bool due = std::any_of(
          guess.numbers.begin(), guess.numbers.end(),
          [](const Number &number) { return number.same >= Enough; });
      if (due)
        if (auto made = guessOf(info, guess, on))
          ask(a, lock, info, on, guess, std::move(made));
    }
  } catch (const std::bad_alloc &) {
  }
  return generic;
}

void forgetGuesses(const xcc_binary &unit) {
  if (!adaptive.load(std::memory_order_relaxed))
    return;
  Adaptive &a = all();
  std::unique_lock lock(a.mutex);
  std::erase_if(a.jobs,
                [&](const Job &job) { return job.info->binary == &unit; });
  a.changed.wait(lock, [&] { return a.atWork != &unit; });
  std::erase_if(a.guesses, [&](const auto &each) {
    return each.first.first->binary == &unit;
  });
}

} // namespace xcc::rt
