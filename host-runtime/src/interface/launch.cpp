// Launching kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/context.h"
#include "generation/adaptive.h"
#include "graphs/recording.h"
#include "images/registry.h"
#include "mapping/mapped_launch.h"
#include "process/log.h"
#include "process/trace.h"
#include "specialization/specialize.h"

#include <atomic>

using namespace xcc::rt;

/// Finds the kernel. From the second launch on it is in the descriptor's slot.
static inline xcc_status findKernel(const xcc_kernel_info &info, Device &on,
                                    const Kernel *&out) {
  if (info.slots && on.ordinal() < int(XCC_KERNEL_SLOTS)) [[likely]] {
    void *slot = std::atomic_ref(info.slots[on.ordinal()])
                     .load(std::memory_order_acquire);
    if (slot) [[likely]] {
      out = static_cast<const Kernel *>(slot);
      return XCC_SUCCESS;
    }
  }
  return loadKernel(info, on, &out);
}

/// Checks grid and block against the device's limits. If the check fails,
/// explain() finds out which limit it was.
static inline bool fits(const xcc_launch_config &c, const Kernel &k,
                        const Limits &l) {
  bool fits = true;
  for (int i = 0; i != 3; ++i) {
    // A product of 0 wraps around, so it is rejected.
    fits &= uint64_t(c.grid[i]) * c.block[i] - 1 < l.gridThreads;
    fits &= c.grid[i] <= l.gridBlocks[i];
    fits &= c.block[i] <= l.blockDim[i];
  }
  // No overflow: each factor is within blockDim, or fits is false.
  const uint64_t threads = uint64_t(c.block[0]) * c.block[1] * c.block[2];
  // The number of a grid's blocks must fit in 64 bits.
  uint64_t blocks;
  fits &= !__builtin_mul_overflow(uint64_t(c.grid[0]) * c.grid[1],
                                  uint64_t(c.grid[2]), &blocks);
  return fits && threads <= k.maxThreads &&
         c.shared_bytes <= l.shared - k.sharedSize;
}

[[gnu::cold]] static xcc_status explain(const xcc_launch_config &c,
                                        const Kernel &k, const Limits &p,
                                        const ErrorSite &site) {
  const char *name = site.kernel;
  static const char axis[] = "xyz";
  for (int i = 0; i != 3; ++i) {
    if (c.grid[i] == 0)
      return fail(XCC_ERROR_INVALID_LAUNCH, site,
                  "launch of '%s': grid.%c is 0; every dimension of the grid "
                  "must be at least 1",
                  name, axis[i]);
    // xcc::dim3 uses this value for an integer that does not fit.
    if (c.grid[i] == 0xffffffff || c.block[i] == 0xffffffff)
      return fail(XCC_ERROR_INVALID_LAUNCH, site,
                  "launch of '%s': %s.%c is negative or too large", name,
                  c.grid[i] == 0xffffffff ? "grid" : "block", axis[i]);
    if (c.block[i] == 0)
      return fail(XCC_ERROR_INVALID_LAUNCH, site,
                  "launch of '%s': block.%c is 0; every dimension of the block "
                  "must be at least 1",
                  name, axis[i]);
    if (c.block[i] > p.blockDim[i])
      return fail(XCC_ERROR_INVALID_LAUNCH, site,
                  "launch of '%s': block.%c is %u, the device allows %u", name,
                  axis[i], c.block[i], p.blockDim[i]);
  }
  uint64_t threads = uint64_t(c.block[0]) * c.block[1] * c.block[2];
  if (threads > p.maxBlock)
    return fail(XCC_ERROR_INVALID_LAUNCH, site,
                "launch of '%s': a block of %u x %u x %u is %llu threads, the "
                "device allows %u",
                name, c.block[0], c.block[1], c.block[2],
                static_cast<unsigned long long>(threads), p.maxBlock);
  if (threads > k.maxThreads)
    return fail(XCC_ERROR_INVALID_LAUNCH, site,
                "launch of '%s': a block of %llu threads, the kernel was "
                "compiled for at most %u",
                name, static_cast<unsigned long long>(threads), k.maxThreads);
  for (int i = 0; i != 3; ++i) {
    if (uint64_t(c.grid[i]) * c.block[i] > p.gridThreads)
      return fail(
          XCC_ERROR_INVALID_LAUNCH, site,
          "launch of '%s': grid.%c x block.%c is %llu threads, the "
          "device allows %llu in one dimension",
          name, axis[i], axis[i],
          static_cast<unsigned long long>(uint64_t(c.grid[i]) * c.block[i]),
          static_cast<unsigned long long>(p.gridThreads));
    if (c.grid[i] > p.gridBlocks[i])
      return fail(XCC_ERROR_INVALID_LAUNCH, site,
                  "launch of '%s': grid.%c is %u blocks, the device allows "
                  "%llu; use larger blocks or another dimension",
                  name, axis[i], c.grid[i],
                  static_cast<unsigned long long>(p.gridBlocks[i]));
  }
  if (c.shared_bytes > p.shared - k.sharedSize)
    return fail(XCC_ERROR_INVALID_LAUNCH, site,
                "launch of '%s': %llu bytes of dynamic shared memory and %u "
                "static exceed the device's %llu",
                name, static_cast<unsigned long long>(c.shared_bytes),
                k.sharedSize, static_cast<unsigned long long>(p.shared));
  return fail(XCC_ERROR_INVALID_LAUNCH, site,
              "launch of '%s': a grid of %u x %u x %u blocks is too large",
              name, c.grid[0], c.grid[1], c.grid[2]);
}

xcc_status xcc_check_indices(size_t count, const char *file, uint32_t line) {
  if (count <= PTRDIFF_MAX)
    return XCC_SUCCESS;
  return fail(
      XCC_ERROR_INVALID_LAUNCH, {nullptr, file, line},
      "a loop over %zd indices: the count is negative, or was before it "
      "became a size_t",
      static_cast<ptrdiff_t>(count));
}

xcc_status xcc_check_range(const char *what, size_t count, size_t room,
                           const char *file, uint32_t line) {
  if (count <= room)
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_VALUE, {nullptr, file, line},
              "%s: %zu elements are needed, and there are %zu", what, count,
              room);
}

/// Checks a cooperative launch, or one of a kernel that needs it.
[[gnu::cold]] static xcc_status checkCooperative(const xcc_launch_config &c,
                                                 const Kernel &k, Device &on,
                                                 const ErrorSite &site) {
  if (!(c.flags & XCC_LAUNCH_COOPERATIVE))
    return fail(XCC_ERROR_INVALID_LAUNCH, site,
                "launch of '%s': the kernel calls xcc::sync_grid, for which "
                "all blocks run at once; launch it with "
                "xcc::cooperative({{blocks}, {threads}})",
                site.kernel);
  uint64_t most = 0;
  XCC_TRY(on.cooperativeBlocks(k, c.block[0] * c.block[1] * c.block[2],
                               uint32_t(c.shared_bytes), most));
  const uint64_t blocks = uint64_t(c.grid[0]) * c.grid[1] * c.grid[2];
  if (blocks <= most)
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_LAUNCH, site,
              "launch of '%s': a cooperative launch of %llu blocks, of which "
              "the device runs %llu at once; launch no more than "
              "xcc::max_cooperative_blocks",
              site.kernel, static_cast<unsigned long long>(blocks),
              static_cast<unsigned long long>(most));
}

namespace {
/// The result of the checks of a launch.
struct Checked {
  Device *on;
  Queue *queue;
  const Kernel *kernel;
  Recording *recording; ///< null: enqueue it
};
} // namespace

static inline xcc_status check(const xcc_kernel_info *info,
                               const xcc_launch_config *config,
                               const void *kernarg, size_t size, Checked &out) {
  if (!info || info->magic != XCC_KERNEL_MAGIC ||
      info->abi_version != XCC_ABI_VERSION) [[unlikely]]
    return checkDescriptor(info);
  if (!config) [[unlikely]]
    return fail(XCC_ERROR_INVALID_VALUE, "launch of '%s': config is null",
                info->name);
  XCC_TRY(queueOf(config->stream, out.on, out.queue, out.recording));
  Device *on = out.on;
  if (xcc_status s = findKernel(*info, *on, out.kernel); s != XCC_SUCCESS)
      [[unlikely]]
    return failAt({info->name, config->file, config->line, on->ordinal()});
  const Kernel *k = out.kernel;
  if (size != k->kernargSize || (!kernarg && size)) [[unlikely]] {
    ErrorSite site{info->name, config->file, config->line, on->ordinal()};
    if (!kernarg && size == k->kernargSize)
      return fail(XCC_ERROR_INVALID_VALUE, site,
                  "launch of '%s': kernarg is null, the kernel takes %u bytes",
                  info->name, k->kernargSize);
    return fail(XCC_ERROR_INVALID_VALUE, site,
                "launch of '%s': %zu bytes of arguments, the kernel takes %u",
                info->name, size, k->kernargSize);
  }
  if (!fits(*config, *k, on->limits())) [[unlikely]]
    return explain(*config, *k, on->limits(),
                   {info->name, config->file, config->line, on->ordinal()});
  if (config->flags & XCC_LAUNCH_COOPERATIVE || k->waitsForGrid) [[unlikely]]
    XCC_TRY(checkCooperative(
        *config, *k, *on,
        {info->name, config->file, config->line, on->ordinal()}));
  if (info->specialized_count) [[unlikely]]
    out.kernel = codeForMarked(*info, *config, kernarg, *on, k);
  else if (adaptive.load(std::memory_order_relaxed)) [[unlikely]]
    out.kernel = adapt(*info, *config, kernarg, *on, k);
  XCC_LOG(Launch, "%s<<<(%u, %u, %u), (%u, %u, %u), %llu>>> %s:%u", info->name,
          config->grid[0], config->grid[1], config->grid[2], config->block[0],
          config->block[1], config->block[2],
          static_cast<unsigned long long>(config->shared_bytes),
          config->file ? config->file : "", config->line);
  return XCC_SUCCESS;
}

static inline xcc_status
start(const Checked &c, const xcc_launch_config &config, const void *kernarg) {
  return c.on->launch(*c.queue, LaunchRequest::of(*c.kernel, config, kernarg));
}

xcc_status xcc_kernel_launch(const xcc_kernel_info *info,
                             const xcc_launch_config *config,
                             const void *kernarg, size_t size) {
  Checked c;
  XCC_TRY(check(info, config, kernarg, size, c));
  if (c.recording) [[unlikely]] {
    if (c.on->sharesHostMemory())
      return c.recording->add(*c.kernel, *config, kernarg);
    return recordDescribed(*c.recording, *c.kernel, *config, kernarg, size);
  }
  if (!c.on->sharesHostMemory())
    return launchDescribed(*c.on, *c.queue, *c.kernel, *config, kernarg, size);
  return start(c, *config, kernarg);
}

/// Begins a launch. \p repeats: the memory that will be mapped depends only on
/// the arguments, so an earlier launch's result may be used.
static inline xcc_status begin(const xcc_kernel_info *info,
                               const xcc_launch_config *config,
                               const void *kernarg, size_t size,
                               xcc_mapping **mapping, bool repeats) {
  if (!mapping) [[unlikely]]
    return fail(XCC_ERROR_INVALID_VALUE, "xcc_launch_begin: mapping is null");
  *mapping = nullptr;
  Checked c;
  XCC_TRY(check(info, config, kernarg, size, c));
  if (c.on->sharesHostMemory()) [[likely]]
    return c.recording ? c.recording->add(*c.kernel, *config, kernarg)
                       : start(c, *config, kernarg);
  xcc_status status;
  if (repeats && !c.recording &&
      launchKnown(*c.on, *c.queue, *c.kernel, *config, kernarg, size, false,
                  status))
    return status;
  *mapping =
      newLaunchMapping(*c.on, *c.queue, *c.kernel, *config, kernarg, size);
  if (!*mapping)
    return XCC_ERROR_OUT_OF_MEMORY;
  (*mapping)->repeats = repeats;
  (*mapping)->recording = c.recording;
  return XCC_SUCCESS;
}

xcc_status xcc_launch_begin(const xcc_kernel_info *info,
                            const xcc_launch_config *config,
                            const void *kernarg, size_t size,
                            xcc_mapping **mapping) {
  return begin(info, config, kernarg, size, mapping, false);
}

xcc_status xcc_launch_repeat(const xcc_kernel_info *info,
                             const xcc_launch_config *config,
                             const void *kernarg, size_t size,
                             xcc_mapping **mapping) {
  return begin(info, config, kernarg, size, mapping, true);
}

xcc_status xcc_kernel_prepare(const xcc_kernel_info *info,
                              xcc_kernel_properties *properties) {
  XCC_TRY(checkDescriptor(info));
  Device *on;
  XCC_TRY(currentDevice(on));
  const Kernel *k;
  XCC_TRY(findKernel(*info, *on, k));
  if (properties)
    *properties = {k->sharedSize, k->privateSize, k->maxThreads, 0};
  return XCC_SUCCESS;
}

xcc_status xcc_kernel_suggest_block(const xcc_kernel_info *info,
                                    uint64_t sharedBytes, uint32_t *block) {
  XCC_TRY(checkDescriptor(info));
  if (!block)
    return failNull("xcc_kernel_suggest_block", "block");
  Device *on;
  XCC_TRY(currentDevice(on));
  const Kernel *k;
  XCC_TRY(findKernel(*info, *on, k));
  if (sharedBytes > on->limits().shared - k->sharedSize)
    return fail(
        XCC_ERROR_INVALID_LAUNCH, {info->name, nullptr, 0, on->ordinal()},
        "kernel '%s': %llu bytes of dynamic shared memory and %u "
        "static exceed the device's %llu",
        info->name, static_cast<unsigned long long>(sharedBytes), k->sharedSize,
        static_cast<unsigned long long>(on->limits().shared));
  // parallel_for calls this before every launch, so keep the result.
  if (sharedBytes == 0) [[likely]] {
    *block = k->suggested.load(std::memory_order_relaxed);
    if (*block) [[likely]]
      return XCC_SUCCESS;
  }
  XCC_TRY(on->suggestBlock(*k, uint32_t(sharedBytes), *block));
  if (sharedBytes == 0)
    k->suggested.store(*block, std::memory_order_relaxed);
  return XCC_SUCCESS;
}

xcc_status xcc_kernel_cooperative_blocks(const xcc_kernel_info *info,
                                         const uint32_t *block,
                                         uint64_t sharedBytes,
                                         uint32_t *blocks) {
  XCC_TRY(checkDescriptor(info));
  if (!block || !blocks)
    return failNull("xcc_kernel_cooperative_blocks",
                    block ? "blocks" : "block");
  Device *on;
  XCC_TRY(currentDevice(on));
  const Kernel *k;
  XCC_TRY(findKernel(*info, *on, k));
  const uint32_t one[3] = {1, 1, 1};
  xcc_launch_config config{};
  for (int i = 0; i != 3; ++i) {
    config.grid[i] = one[i];
    config.block[i] = block[i];
  }
  config.shared_bytes = sharedBytes;
  if (!fits(config, *k, on->limits()))
    return explain(config, *k, on->limits(),
                   {info->name, nullptr, 0, on->ordinal()});
  uint64_t most = 0;
  XCC_TRY(on->cooperativeBlocks(*k, block[0] * block[1] * block[2],
                                uint32_t(sharedBytes), most));
  *blocks = uint32_t(most < ~uint32_t(0) ? most : ~uint32_t(0));
  return XCC_SUCCESS;
}
