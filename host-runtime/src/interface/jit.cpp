// Kernels generated for options and values that are known at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/context.h"
#include "formats/offload_entry.h"
#include "generation/generator.h"
#include "images/registry.h"
#include "images/units.h"
#include "services/host_services.h"
#include "specialization/specialize.h"
#include "specialization/variants.h"

#include <algorithm>
#include <cstring>

using namespace xcc::rt;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static xcc_status checkOptions(const xcc_jit_options *options) {
  if (!options)
    return failNull("xcc_kernel_generate", "options");
  if (options->size != sizeof(xcc_jit_options))
    return fail(
        XCC_ERROR_INVALID_VALUE,
        "xcc_kernel_generate: the options are of %u bytes, this runtime's "
        "of %zu; rebuild with one xcc",
        options->size, sizeof(xcc_jit_options));
  if (options->opt_level < -1 || options->opt_level > 3)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_kernel_generate: opt_level is %d, it may be 0 to 3 or -1",
                options->opt_level);
  if (options->max_threads > 1024 || options->min_blocks > 64)
    return fail(
        XCC_ERROR_INVALID_VALUE,
        "xcc_kernel_generate: launch bounds of %u threads and %u blocks are "
        "out of range: 1024 and 64 are the most",
        options->max_threads, options->min_blocks);
  return XCC_SUCCESS;
}

static std::unique_ptr<Variant> makeOptional(const xcc_kernel_info &kernel,
                                             const void *from) {
  auto &options = *static_cast<const xcc_jit_options *>(from);
  auto made = std::make_unique<Variant>(kernel);
  made->options = options;
  made->arch = options.arch ? options.arch : "";
  return made;
}

xcc_status xcc_kernel_generate(const xcc_kernel_info *kernel,
                               const xcc_jit_options *options,
                               const xcc_kernel_info **out) {
  if (!out)
    return failNull("xcc_kernel_generate", "made");
  *out = nullptr;
  XCC_TRY(checkDescriptor(kernel));
  XCC_TRY(checkOptions(options));
  XCC_TRY(mayWait("xcc::jit::kernel"));
  Device *on;
  XCC_TRY(currentDevice(on));
  try {
    auto made = makeOptional(*kernel, options);
    Variant *variant;
    if (options->transform) {
      variant = addVariant(std::move(made));
    } else {
      // Code for one device does not run on another.
      std::string key = kernel->symbol +
                        (" on " + std::to_string(on->ordinal())) + " " +
                        made->text();
      variant = findOrMakeVariant(*kernel, key, ~0u, makeOptional, options);
    }
    const Kernel *loaded;
    XCC_TRY(loadKernel(variant->info, *on, &loaded));
    *out = &variant->info;
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY,
                "out of memory while kernel '%s' was generated", kernel->name);
  }
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The parameters of a kernel as text: "4 bytes at 0, 8 bytes at 8".
static std::string listPlaces(const xcc_argument_place *places,
                              uint32_t count) {
  std::string text;
  for (uint32_t i = 0; i != count; ++i)
    text += (i ? ", " : "") + std::to_string(places[i].size) + " bytes at " +
            std::to_string(places[i].offset);
  return count ? text : "none";
}

static xcc_status checkPlaces(const xcc_kernel_info &kernel,
                              const xcc_argument_place *params,
                              uint32_t count) {
  std::vector<xcc_argument_place> own;
  for (uint32_t i = 0; i != kernel.param_count; ++i)
    own.push_back({kernel.params[i].offset, kernel.params[i].size});
  std::string has = listPlaces(own.data(), uint32_t(own.size()));
  std::string given = listPlaces(params, count);
  if (has == given)
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_KERNEL,
              "kernel '%s' has the parameters %s; given are %s", kernel.name,
              has.c_str(), given.c_str());
}

xcc_status xcc_kernel_find(const char *name, const xcc_argument_place *params,
                           uint32_t count, const xcc_kernel_info **out) {
  if (!name || !out)
    return failNull("xcc_kernel_find", name ? "kernel" : "name");
  *out = nullptr;
  bool several = false;
  visitUnits([&](xcc_binary &unit) {
    visitEntries(unit, [&](const xcc_kernel_info &info) {
      if (strcmp(info.name, name) != 0 && strcmp(info.symbol, name) != 0)
        return;
      several |= *out && strcmp((*out)->symbol, info.symbol) != 0;
      *out = &info;
    });
  });
  if (several)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "several kernels are called '%s'; name the symbol of one, as "
                "xcc-info prints it",
                name);
  if (!*out)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "no kernel '%s' is in the program or its libraries; functions "
                "that are launched, or given to kernel_info_for, are kernels, "
                "and with -foffload-jit-roots=all those marked XCC_EXPORT that "
                "return void",
                name);
  try {
    return params ? checkPlaces(**out, params, count) : XCC_SUCCESS;
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for kernel '%s'", name);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The given places and the marked ones, sorted by offset.
static std::vector<xcc_argument_place>
allPlaces(const xcc_kernel_info &kernel, const xcc_argument_place *given,
          uint32_t count) {
  std::vector<xcc_argument_place> all(given, given + count);
  for (uint32_t i = 0; i != kernel.specialized_count; ++i)
    if (std::none_of(given, given + count, [&](const auto &other) {
          return other.offset == kernel.specialized[i].offset;
        }))
      all.push_back(kernel.specialized[i]);
  std::sort(all.begin(), all.end(), [](const auto &one, const auto &other) {
    return one.offset < other.offset;
  });
  return all;
}

xcc_status xcc_kernel_specialize(const xcc_kernel_info *kernel,
                                 const xcc_launch_config *config,
                                 const void *kernarg,
                                 const xcc_argument_place *ranges,
                                 uint32_t count, uint32_t shape,
                                 const xcc_kernel_info **out) {
  if (!out)
    return failNull("xcc_kernel_specialize", "made");
  *out = kernel;
  XCC_TRY(checkDescriptor(kernel));
  if (!config || (count && (!kernarg || !ranges)))
    return failNull("xcc_kernel_specialize", "an argument");
  for (uint32_t i = 0; i != count; ++i)
    if (ranges[i].size > 8 || ranges[i].offset > kernel->kernarg_size ||
        ranges[i].size > kernel->kernarg_size - ranges[i].offset)
      return fail(XCC_ERROR_INVALID_VALUE,
                  "xcc_kernel_specialize: range %u is no number in the "
                  "arguments of '%s'",
                  i, kernel->name);
  if (jitMode() == JitMode::Never ||
      (!count && !(shape & ~uint32_t(XCC_CONSTANT_POINTERS))))
    return XCC_SUCCESS;
  Device *on;
  Queue *queue;
  XCC_TRY(queueOf(config->stream, on, queue));
  try {
    auto places = allPlaces(*kernel, ranges, count);
    LaunchValues values{config, static_cast<const char *>(kernarg),
                        places.data(), uint32_t(places.size()), shape};
    if (const Kernel *code =
            specialize(*kernel, values, factsFor(*kernel, values, *on), *on))
      *out = code->info;
  } catch (const std::bad_alloc &) {
    *out = kernel;
  }
  return XCC_SUCCESS;
}
