// Which image of a unit suits a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image_choice.h"
#include "common/kernel_checks.h"
#include "formats/kernel_row.h"
#include "generation/generator.h"
#include "registry.h"
#include "units.h"

#include <string>
#include <string_view>

namespace xcc::rt {

/// Chooses the image that suits the device best.
static xcc_status chooseImage(const xcc_binary &unit, Device &on,
                              const ErrorSite &site, OffloadImage &best) {
  OffloadReader reader(sectionOf(unit));
  OffloadImage candidate, portable;
  int bestRank = 0;
  std::string have;
  while (reader.next(candidate)) {
    const char *missing = nullptr;
    int rank = on.suits(candidate, missing);
    if (rank > bestRank) {
      bestRank = rank;
      best = candidate;
    }
    if (isPortableFor(candidate, on))
      portable = candidate;
    if (!have.empty())
      have += ", ";
    have += *candidate.arch ? candidate.arch : "(no arch)";
    if (missing && rank == 0)
      have = have + " (needs " + missing + ")";
  }
  if (reader.error())
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the embedded device code of kernel '%s' is damaged: the "
                ".llvm.offloading section %s; rebuild the program",
                site.kernel, reader.error());
  if (portable.portable() && (!bestRank || jitMode() == JitMode::Always)) {
    best = portable;
    return XCC_SUCCESS;
  }
  if (bestRank)
    return XCC_SUCCESS;
  xcc_device_properties p{};
  on.properties(p);
  if (unit.kind == XCC_BINARY_SOURCE)
    return fail(XCC_ERROR_NO_IMAGE, site,
                "kernel '%s' has no image that device %d (%s, %s) can run: its "
                "source was compiled for %s; compile it while that device is "
                "current, or with %s in source_options::arch",
                site.kernel, on.ordinal(), on.id(), p.arch,
                have.empty() ? "none" : have.c_str(), p.arch);
  return fail(XCC_ERROR_NO_IMAGE, site,
              "kernel '%s' has no image that device %d (%s, %s) can run; the "
              "program holds %s; rebuild with --offload-arch=%s",
              site.kernel, on.ordinal(), on.id(), p.arch,
              have.empty() ? "no images" : have.c_str(), p.arch);
}

static xcc_status checkImage(const OffloadImage &image, const ErrorSite &site) {
  if (std::string_view(image.abi) != std::to_string(XCC_ABI_VERSION))
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the %s image of kernel '%s' is for version '%s' of xcc's ABI, "
                "this runtime has version %u; rebuild with one xcc",
                image.arch, site.kernel, image.abi, XCC_ABI_VERSION);
  if (!image.intact())
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the %s image of kernel '%s' is damaged: its bytes hash to "
                "%016llx, not to '%s'; rebuild the program",
                image.arch, site.kernel,
                static_cast<unsigned long long>(hashOf(image.data)),
                image.hash);
  return XCC_SUCCESS;
}

xcc_status choiceOf(const xcc_binary &unit, UnitState &state, Device &on,
                    const ErrorSite &site, OffloadImage &out) {
  for (const UnitState::Choice &c : state.choices)
    if (c.on == &on) {
      out = c.image;
      return XCC_SUCCESS;
    }
  XCC_TRY(chooseImage(unit, on, site, out));
  XCC_TRY(checkImage(out, site));
  state.choices.push_back({&on, out});
  return XCC_SUCCESS;
}

xcc_status portableFor(const xcc_binary &unit, const xcc_kernel_info &info,
                       Device &on, const ErrorSite &site, OffloadImage &out) {
  OffloadReader reader(sectionOf(unit));
  for (OffloadImage candidate; reader.next(candidate);)
    if (isPortableFor(candidate, on))
      out = candidate;
  if (!out.portable())
    return fail(XCC_ERROR_NO_IMAGE, site,
                "kernel '%s' cannot be generated again: the program has no "
                "portable image for device %d (%s); rebuild with generic in "
                "--offload-arch=",
                site.kernel, on.ordinal(), on.id());
  XCC_TRY(checkImage(out, site));
  KernelRow row;
  if (findKernelRow(out.kernels, info.symbol, row) && row.column("tied"))
    return fail(XCC_ERROR_NO_IMAGE, site,
                "kernel '%s' cannot be generated again: it uses variables, "
                "addresses of constants or calls through pointers, of which a "
                "second copy of its code would have its own",
                site.kernel);
  return XCC_SUCCESS;
}

xcc_status checkVaries(const xcc_kernel_info &info, Device &on) {
  OffloadImage portable;
  ErrorSite site{info.name, nullptr, 0, on.ordinal()};
  return portableFor(*info.binary, info, on, site, portable);
}

bool canVary(const xcc_kernel_info &info, Device &on) {
  OffloadImage portable;
  ErrorSite site{info.name, nullptr, 0, on.ordinal()};
  return portableFor(*info.binary, info, on, site, portable) == XCC_SUCCESS &&
         !openGenerator(portable);
}

} // namespace xcc::rt
