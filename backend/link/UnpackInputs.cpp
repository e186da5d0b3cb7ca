// Unpacks the modules of a link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UnpackInputs.h"
#include "Embed.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/thread.h"
#include <atomic>
#include <mutex>

using namespace llvm;

namespace xcc {
namespace {

/// Unpacking fewer bytes takes no longer than a look-up in the cache.
constexpr size_t Little = 512;

Error unpack(DeviceModule &input, ResultCache *cache) {
  StringRef packed = input.packed;
  CacheKey key("unpacked 1");
  if (packed.size() < Little)
    cache = nullptr;
  if (cache) {
    key.add(identityOfThisCode());
    key.add(packed);
    if ((input.bitcode = cache->find(key, /*counted=*/false)))
      return Error::success();
  }
  auto bitcode = unpackBitcode(packed, input.origin);
  if (!bitcode)
    return createStringError("cannot read the device code in '" + input.origin +
                             "': " + toString(bitcode.takeError()) +
                             "; is the file damaged? Compile it again");
  input.bitcode = std::move(*bitcode);
  if (cache)
    cache->store(key, input.bitcode->getBuffer());
  return Error::success();
}

} // namespace

Error unpackInputs(ArrayRef<DeviceModule *> inputs, ResultCache *cache) {
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  Error errors = Error::success();
  auto work = [&] {
    for (size_t number; (number = next++) < inputs.size();) {
      DeviceModule &input = *inputs[number];
      if (input.module || input.bitcode)
        continue;
      Error error = unpack(input, cache);
      input.packed = SmallString<0>();
      std::lock_guard<std::mutex> lock(mutex);
      errors = joinErrors(std::move(errors), std::move(error));
    }
  };
  std::vector<llvm::thread> threads;
  size_t cores = hardware_concurrency().compute_thread_count();
  for (size_t i = 1; i < std::min(cores, inputs.size()); ++i)
    threads.emplace_back(work);
  work();
  for (llvm::thread &thread : threads)
    thread.join();
  return errors;
}

} // namespace xcc
