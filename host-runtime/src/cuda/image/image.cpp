// From image bytes to kernels of an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image.h"
#include "common/kernel_checks.h"
#include "formats/grid_symbol.h"
#include "formats/kernel_row.h"
#include "formats/ptx_name.h"
#include "process/log.h"
#include "services/host_services.h"
#include "target.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace xcc::rt::cuda {

/// Advice about an image that the driver rejects.
static std::string adviceFor(Result r, const CudaDevice &on, bool ptx) {
  std::string cubin = "--offload-arch=" + on.arch;
  int v = theDriver.version;
  switch (r) {
  case UnsupportedPtxVersion:
    return "; the driver supports CUDA " + std::to_string(v / 1000) + "." +
           std::to_string(v % 1000 / 10) +
           ": install a newer driver, or rebuild with " + cubin +
           " and a ptxas for that GPU, so that the program holds a cubin";
  case NoBinaryForGpu:
    return "; rebuild with " + cubin;
  case InvalidPtx:
    return "; the driver's compiler refuses the PTX: rebuild with " + cubin +
           " and a ptxas for that GPU, which shows the error while compiling";
  case JitCompilerNotFound:
    return "; the driver's compiler (libnvidia-ptxjitcompiler.so) is not "
           "installed: install it, or rebuild with " +
           cubin + " and a ptxas for that GPU";
  case JitCompilationDisabled:
    return "; CUDA_DISABLE_PTX_JIT or the driver forbids compiling PTX: "
           "rebuild "
           "with " +
           cubin + " and a ptxas for that GPU";
  case OutOfMemory:
    return "; free some device memory first";
  default:
    return ptx ? "; rebuild with " + cubin : "; rebuild the program";
  }
}

/// Does the name occur as a whole word? It does if PTX text or a cubin defines
/// it.
static bool names(std::string_view image, std::string_view name) {
  auto isPart = [](char c) {
    return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
  };
  while (const void *found =
             memmem(image.data(), image.size(), name.data(), name.size())) {
    const size_t at = size_t(static_cast<const char *>(found) - image.data());
    const size_t end = at + name.size();
    if ((!at || !isPart(image[at - 1])) &&
        (end == image.size() || !isPart(image[end])))
      return true;
    image.remove_prefix(at + 1);
  }
  return false;
}

CudaImage::~CudaImage() {
  if (loaded && !on.ended())
    (void)theDriver.ModuleUnload(loaded); // a failure cannot be handled
}

xcc_status CudaImage::load(const OffloadImage &source) {
  XCC_TRY(on.enter());
  bool ptx = source.imageKind == KindPtx;
  arch = source.arch;
  table = source.kernels;
  for (size_t i = 0; i != std::size(Optional); ++i)
    lacks[i] = !names({source.data.data(), source.data.size()}, Optional[i]);
  // The driver needs PTX text with a zero byte at its end.
  std::string text;
  const void *data = source.data.data();
  if (ptx) {
    text.assign(source.data.data(), source.data.size());
    data = text.c_str();
  }
  char log[4096] = "";
  JitOption options[] = {JitErrorLog, JitErrorLogSize};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  Result r = theDriver.ModuleLoadDataEx(&loaded, data, 2, options, values);
  if (r != Success) {
    loaded = nullptr;
    if (killsContext(r))
      return on.failed(r, "loading an image");
    std::string why = ResultText(r).text();
    why += adviceFor(r, on, ptx);
    if (*log)
      why = why + "; the driver says: " + log;
    return rejectImage(statusOf(r), source, on, why.c_str(),
                       ptx ? " (PTX)" : " (cubin)");
  }
  if (ptx)
    XCC_LOG(Load, "device %d: the driver compiled the PTX for %s to %s",
            on.ordinal(), source.arch, on.arch.c_str());
  return XCC_SUCCESS;
}

/// Asks the driver for the needs of the loaded function: only the driver knows
/// them for PTX.
xcc_status CudaImage::describe(const xcc_kernel_info &info,
                               const ErrorSite &site, CudaKernel &k) {
  int shared = 0, local = 0, threads = 0;
  Result r = theDriver.FuncGetAttribute(&shared, FunctionSharedSize, k.code);
  if (r == Success)
    r = theDriver.FuncGetAttribute(&local, FunctionLocalSize, k.code);
  if (r == Success)
    r = theDriver.FuncGetAttribute(&threads, FunctionMaxThreads, k.code);
  if (r != Success)
    return fail(statusOf(r), site,
                "cannot query what kernel '%s' needs on device %d (%s): "
                "%s",
                info.name, on.ordinal(), on.id(), ResultText(r).text());
  k.sharedSize = uint32_t(std::max(shared, 0));
  k.privateSize = uint32_t(std::max(local, 0));
  k.maxThreads = uint32_t(std::max(threads, 1));
  k.dynamic = on.usualShared - std::min(on.usualShared, k.sharedSize);
  return checkShared(info, k.sharedSize, on, site);
}

/// Checks that the driver takes each argument from where a launch puts it. Done
/// once for a kernel; drivers before CUDA 12.4 cannot tell.
xcc_status CudaImage::checkPlaces(const xcc_kernel_info &info,
                                  const ErrorSite &site, const CudaKernel &k) {
  size_t number = 0; // an empty parameter does not count for the driver
  for (uint32_t i = 0; theDriver.FuncGetParamInfo && i != info.param_count;
       ++i) {
    if (!info.params[i].size)
      continue;
    size_t offset = 0, size = 0;
    Result r = theDriver.FuncGetParamInfo(k.code, number++, &offset, &size);
    if (killsContext(r))
      return on.failed(r, "reading the parameters of a kernel");
    if (r != Success && r != InvalidValue)
      return XCC_SUCCESS; // the driver cannot tell
    const xcc_param_info &put = info.params[i];
    // The driver counts padding before a parameter that is aligned to more than
    // 16 bytes as part of it
    // (backend/targets/nvptx/workarounds/parameters.cpp).
    if (r == Success && offset <= put.offset &&
        offset + size == size_t(put.offset) + put.size)
      continue;
    return fail(XCC_ERROR_INVALID_KERNEL, site,
                "kernel '%s' takes parameter %u from bytes %zu to %zu of its "
                "arguments on device %d (%s), and a launch puts it into bytes "
                "%u to %u; rebuild the program",
                info.name, i + 1, offset, offset + size, on.ordinal(), on.id(),
                put.offset, put.offset + put.size);
  }
  return XCC_SUCCESS;
}

/// Finds the second, coarse entry, if the kernel has one.
xcc_status CudaImage::findCoarse(const xcc_kernel_info &info,
                                 const KernelRow &row, const ErrorSite &site,
                                 CudaKernel &k) {
  auto coarse = row.column("coarse");
  if (!coarse || k.kernargSize > CudaKernel::MostCoarseArguments)
    return XCC_SUCCESS;
  std::from_chars(coarse->data(), coarse->data() + coarse->size(),
                  k.coarseBlocks);
  int threads = 0;
  Result r = theDriver.ModuleGetFunction(
      &k.coarse, loaded, ptxName(coarseName(info.symbol)).c_str());
  if (r == Success)
    r = theDriver.FuncGetAttribute(&threads, FunctionMaxThreads, k.coarse);
  if (r != Success)
    return fail(statusOf(r), site,
                "the second entry of kernel '%s' cannot be found on device %d "
                "(%s): %s",
                info.name, on.ordinal(), on.id(), ResultText(r).text());
  k.coarseThreads = uint32_t(std::max(threads, 0));
  return XCC_SUCCESS;
}

xcc_status CudaImage::find(const xcc_kernel_info &info, const Kernel **out) {
  XCC_TRY(on.enter());
  ErrorSite site{info.name, nullptr, 0, on.ordinal()};
  KernelRow row;
  bool listed = findKernelRow(table, info.symbol, row);
  auto k = std::make_unique<CudaKernel>(info);
  Result r = NotFound;
  if (listed)
    r = theDriver.ModuleGetFunction(&k->code, loaded,
                                    ptxName(info.symbol).c_str());
  if (r == NotFound)
    return notInImage(info, arch.c_str(),
                      (std::string("no symbol ") + info.symbol).c_str(), site);
  if (r != Success)
    return on.failed(r, "looking up a kernel");
  XCC_TRY(checkArguments(info, row.kernargSize, row.fingerprint, site));
  XCC_TRY(checkPlaces(info, site, *k));
  k->kernargSize = row.kernargSize;
  k->callsHost = row.is("calls");
  if (auto elements = row.column("elements"))
    std::from_chars(elements->data(), elements->data() + elements->size(),
                    k->elements);
  XCC_TRY(findCoarse(info, row, site, *k));
  k->access = KernelAccess(row.column("access"), row.column("overwrites"),
                           row.column("beside"));
  k->usesHeap = row.is("heap");
  if (k->callsHost && !theDriver.ModuleGetGlobal)
    return fail(XCC_ERROR_INVALID_DEVICE, site,
                "kernel '%s' calls the host, for which the NVIDIA driver lacks "
                "cuModuleGetGlobal_v2; install one for CUDA 11 or later",
                info.name);
  k->waitsForGrid = row.is("grid");
  if (k->waitsForGrid)
    XCC_TRY(variable(XCC_SYMBOL_GRID, k->grid));
  XCC_TRY(describe(info, site, *k));
  if (row.is("dynamic_stack"))
    XCC_TRY(on.enlargeStack(info, site));
  k->maxThreads = largestBlock(row.maxThreads, k->maxThreads);
  *out = k.get();
  kernels.push_back(std::move(k));
  return XCC_SUCCESS;
}

xcc_status CudaImage::variable(const char *name, void *&out) {
  out = nullptr;
  // Do not look up names that are missing: tools that watch the driver's calls
  // would report them.
  for (size_t i = 0; i != std::size(Optional); ++i)
    if (lacks[i] && !strcmp(name, Optional[i]))
      return XCC_SUCCESS;
  if (!theDriver.ModuleGetGlobal)
    return XCC_SUCCESS; // find() rejects the kernels that need it
  XCC_TRY(on.enter());
  Address a = 0;
  size_t size = 0;
  Result r =
      theDriver.ModuleGetGlobal(&a, &size, loaded, ptxName(name).c_str());
  if (r == NotFound)
    return XCC_SUCCESS;
  if (r != Success)
    return on.failed(r, "looking up a variable of an image");
  out = reinterpret_cast<void *>(a);
  return XCC_SUCCESS;
}

Result CudaKernel::allowShared(CudaDevice &on) const {
  // Allow all that the static part leaves: the limit takes no memory.
  uint32_t most = uint32_t(on.limits().shared) - sharedSize;
  Result r =
      theDriver.FuncSetAttribute(code, FunctionMaxDynamicShared, int(most));
  if (r == Success)
    dynamic.store(most, std::memory_order_relaxed);
  return r;
}

xcc_status CudaDevice::cooperativeBlocks(const Kernel &k, uint32_t threads,
                                         uint32_t dynamic, uint64_t &blocks) {
  if (!theDriver.LaunchKernelEx)
    return fail(XCC_ERROR_INVALID_DEVICE, {k.info->name, nullptr, 0, ordinal()},
                "cooperative launches need cuLaunchKernelEx, which the NVIDIA "
                "driver lacks; install one for CUDA 12 or later");
  XCC_TRY(enter());
  auto &code = static_cast<const CudaKernel &>(k);
  Result r = Success;
  if (dynamic > code.dynamic.load(std::memory_order_relaxed))
    r = code.allowShared(*this);
  int each = 0;
  if (r == Success)
    r = theDriver.OccupancyMaxActiveBlocks(&each, code.code, int(threads),
                                           dynamic);
  if (r != Success)
    return failed(r, "querying how many blocks run at once");
  blocks = uint64_t(std::max(each, 0)) * multiprocessors;
  return XCC_SUCCESS;
}

xcc_status CudaDevice::suggestBlock(const Kernel &k, uint32_t dynamic,
                                    uint32_t &block) {
  XCC_TRY(enter());
  auto &code = static_cast<const CudaKernel &>(k);
  // Beyond the usual limit the driver says that no block fits.
  Result r = Success;
  if (dynamic > code.dynamic.load(std::memory_order_relaxed))
    r = code.allowShared(*this);
  block = busiestBlock(1, k.maxThreads, [&](uint32_t size) {
    int blocks = 0;
    if (r == Success)
      r = theDriver.OccupancyMaxActiveBlocks(&blocks, code.code, int(size),
                                             dynamic);
    return uint64_t(std::max(blocks, 0)) * size;
  });
  if (r != Success)
    return failed(r, "asking for a block size");
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cuda
