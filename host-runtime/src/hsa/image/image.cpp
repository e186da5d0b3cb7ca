// Code objects and their kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image.h"
#include "common/kernel_checks.h"
#include "common/stacks.h"
#include "formats/grid_symbol.h"
#include "formats/kernel_row.h"
#include "hsa/device.h"
#include "hsa/queue/queue.h"
#include "services/host_services.h"

#include <algorithm>

namespace xcc::rt::hsa {

xcc_status HsaImage::load(Gpu &on, const OffloadImage &source, HsaImage **out) {
  std::unique_ptr<HsaImage> image(new HsaImage(on));
  image->arch = source.arch;
  XCC_TRY(image->readTable(source));
  XCC_TRY(image->open(source));
  *out = image.release();
  return XCC_SUCCESS;
}

xcc_status HsaImage::readTable(const OffloadImage &source) {
  std::string_view table = source.kernels;
  KernelRow row;
  while (nextKernelRow(table, row)) {
    Line fresh{row.kernargSize,          row.maxThreads,
               row.fingerprint,          row.is("calls"),
               row.is("grid"),           row.column("access"),
               row.column("overwrites"), row.column("beside"),
               row.is("heap"),           {}};
    const char *why = parseMetadata(row.columns, row.kernargSize, fresh.data);
    // Larger kernarg segments are allocated with this alignment.
    if (!why && fresh.data.kernargAlign > MaxKernargAlign)
      why = "has a kernarg alignment that no kernel has";
    if (why)
      return fail(XCC_ERROR_INVALID_IMAGE, on.site(),
                  "the %s image is damaged: its table's line for '%.*s' %s; "
                  "rebuild the program",
                  source.arch, static_cast<int>(row.name.size()),
                  row.name.data(), why);
    lines[std::string(row.symbol)] = fresh;
  }
  return XCC_SUCCESS;
}

xcc_status HsaImage::open(const OffloadImage &source) {
  auto check = [&](const char *call, Status s) {
    if (s == StatusSuccess)
      return XCC_SUCCESS;
    std::string why = std::string(call) + " failed: " + statusText(s);
    if (arch.find("-generic") != std::string::npos)
      why += "; older ROCm releases load no generic code objects: update ROCm, "
             "or rebuild with the device's own --offload-arch=";
    return rejectImage(s == StatusOutOfResources ? XCC_ERROR_OUT_OF_MEMORY
                                                 : XCC_ERROR_INVALID_IMAGE,
                       source, on.self, why.c_str());
  };
  XCC_TRY(check("hsa_code_object_reader_create_from_memory",
                hsa.code_object_reader_create_from_memory(
                    source.data.data(), source.data.size(), &code)));
  XCC_TRY(check("hsa_executable_create_alt",
                hsa.executable_create_alt(ProfileFull, RoundingDefault, nullptr,
                                          &loaded)));
  XCC_TRY(check("hsa_executable_load_agent_code_object",
                hsa.executable_load_agent_code_object(loaded, on.facts.handle,
                                                      code, nullptr, nullptr)));
  return check("hsa_executable_freeze", hsa.executable_freeze(loaded, nullptr));
}

xcc_status HsaImage::variable(const char *name, void *&out) {
  out = nullptr;
  Symbol found{};
  Status s =
      hsa.executable_get_symbol_by_name(loaded, name, &on.facts.handle, &found);
  if (s == StatusInvalidSymbolName)
    return XCC_SUCCESS;
  if (s != StatusSuccess)
    return on.failed("hsa_executable_get_symbol_by_name", s);
  uint64_t at = 0;
  s = hsa.executable_symbol_get_info(found, SymbolVariableAddress, &at);
  if (s != StatusSuccess)
    return on.failed("hsa_executable_symbol_get_info", s);
  out = reinterpret_cast<void *>(at);
  return XCC_SUCCESS;
}

HsaImage::~HsaImage() {
  if (loaded.handle)
    hsa.executable_destroy(loaded);
  if (code.handle)
    hsa.code_object_reader_destroy(code);
}

/// Reads from the library the fields of a packet, the bytes of the kernarg
/// segment, and whether the kernel's use of stack is dynamic.
xcc_status HsaImage::describe(const ErrorSite &site, HsaKernel &k,
                              uint32_t &segment, bool &dynamic) {
  Symbol descriptor{};
  std::string name = std::string(k.info->symbol) + ".kd";
  Status s = hsa.executable_get_symbol_by_name(loaded, name.c_str(),
                                               &on.facts.handle, &descriptor);
  if (s != StatusSuccess)
    return notInImage(*k.info, arch.c_str(),
                      ("symbol " + name + ": " + statusText(s)).c_str(), site);
  auto ask = [&](SymbolInfo what, void *value) {
    if (s == StatusSuccess)
      s = hsa.executable_symbol_get_info(descriptor, what, value);
  };
  ask(SymbolKernelObject, &k.object);
  ask(SymbolKernargSize, &segment);
  ask(SymbolGroupSize, &k.sharedSize);
  ask(SymbolPrivateSize, &k.privateSize);
  ask(SymbolDynamicCallstack, &dynamic);
  if (s != StatusSuccess)
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "kernel '%s': hsa_executable_symbol_get_info failed: %s",
                k.info->name, statusText(s));
  if (segment > MaxKernargSegment)
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the %s image says that kernel '%s' takes %u bytes of "
                "arguments; rebuild the program",
                arch.c_str(), k.info->name, segment);
  return XCC_SUCCESS;
}

xcc_status HsaImage::find(const xcc_kernel_info &info, const Kernel **out) {
  ErrorSite site{info.name, nullptr, 0, on.ordinal()};
  auto found = lines.find(info.symbol);
  if (found == lines.end())
    return notInImage(info, arch.c_str(), "not in its table", site);
  const Line &l = found->second;
  XCC_TRY(checkArguments(info, l.kernarg, l.fingerprint, site));

  auto k = std::make_unique<HsaKernel>(info);
  uint32_t segment = 0;
  bool dynamic = false;
  XCC_TRY(describe(site, *k, segment, dynamic));
  XCC_TRY(checkShared(info, k->sharedSize, on.self, site));
  uint32_t lanes = on.self.callShape().lanes;
  if (l.callsHost && l.data.wave > lanes)
    return fail(XCC_ERROR_INVALID_KERNEL, site,
                "kernel '%s' calls the host in wavefronts of %u, device %d "
                "(%s) has %u; compile it for those",
                info.name, l.data.wave, on.ordinal(), on.id(), lanes);
  k->callsHost = l.callsHost;
  k->waitsForGrid = l.waitsForGrid;
  if (k->waitsForGrid)
    XCC_TRY(variable(XCC_SYMBOL_GRID, k->grid));
  k->access = KernelAccess(l.access, l.overwrites, l.beside);
  k->usesHeap = l.usesHeap;
  k->data = l.data;
  k->kernargSize = l.kernarg;
  k->segment = std::max({segment, l.data.kernargSegment, l.kernarg});
  k->maxThreads = largestBlock(l.maxThreads, on.facts.maxBlock);
  size_t stack = 0;
  if (dynamic || l.data.dynamicStack)
    XCC_TRY(requestedStack(on.self, Settings[0], stack));
  k->launchPrivate = std::max(k->privateSize, static_cast<uint32_t>(stack));
  if (stack)
    noteGuessedStack(&info, k->launchPrivate);
  if (l.data.has(HiddenKind::HeapV1))
    XCC_TRY(on.heap(k->heap));
  *out = k.get();
  kernels.push_back(std::move(k));
  return XCC_SUCCESS;
}

namespace {
/// The vector registers for each lane that the wavefronts of a SIMD share.
struct RegisterFile {
  uint32_t total, granule;
};
} // namespace

/// From the processors' ISA documents; "User Guide for AMDGPU Backend" lists
/// the granules.
static RegisterFile registerFile(std::string_view target, uint32_t wave) {
  if (target.starts_with("gfx90a") || target.starts_with("gfx94") ||
      target.starts_with("gfx95"))
    return {512, 8};
  if (target.starts_with("gfx10") || target.starts_with("gfx11") ||
      target.starts_with("gfx12"))
    return wave == 32 ? RegisterFile{1024, 8} : RegisterFile{512, 4};
  return {256, 4};
}

/// How many wavefronts fit on a compute unit.
static uint32_t residentWaves(const GpuFacts &on, const HsaKernel &k,
                              uint32_t wave) {
  uint32_t simds = on.simdsPerCu ? on.simdsPerCu : 4;
  uint32_t maxWaves = on.maxWavesPerCu ? on.maxWavesPerCu : simds * 8;
  RegisterFile file = registerFile(on.target, wave);
  uint32_t vgprs = (std::max(k.data.vgprs, 1u) + file.granule - 1) /
                   file.granule * file.granule;
  return std::min(maxWaves, simds * (file.total / vgprs));
}

uint64_t residentBlocks(const GpuFacts &on, const HsaKernel &k,
                        uint32_t threads, uint32_t dynamic) {
  const uint32_t wave = k.data.wave ? k.data.wave : on.wave;
  uint64_t blocks = residentWaves(on, k, wave) / ((threads + wave - 1) / wave);
  if (uint64_t group = uint64_t(k.sharedSize) + dynamic)
    blocks = std::min<uint64_t>(blocks, on.sharedMemory / group);
  // One block always fits if it can be launched at all.
  return std::max<uint64_t>(blocks, 1) * on.computeUnits;
}

uint32_t bestBlock(const GpuFacts &on, const HsaKernel &k, uint32_t dynamic) {
  uint32_t wave = k.data.wave ? k.data.wave : on.wave;
  uint32_t waves = residentWaves(on, k, wave);
  uint64_t group = uint64_t(k.sharedSize) + dynamic;
  return busiestBlock(wave, k.maxThreads, [&](uint32_t block) {
    uint32_t perBlock = (block + wave - 1) / wave;
    uint64_t blocks = waves / perBlock;
    if (group)
      blocks = std::min<uint64_t>(blocks, on.sharedMemory / group);
    return blocks * perBlock;
  });
}

} // namespace xcc::rt::hsa
