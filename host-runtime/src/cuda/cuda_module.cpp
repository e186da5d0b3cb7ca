// From image bytes to kernels of an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../images/kernel_checks.h"
#include "../images/kernel_row.h"
#include "../process/log.h"
#include "../process/trace.h"
#include "../services/host_services.h"
#include "../stacks.h"
#include "gpu.h"
#include "target.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace xcc::rt::cuda {

/// What to do about an image that the driver refuses.
static std::string adviceFor(Result R, const CudaDevice &On, bool Ptx) {
  std::string Cubin = "-offload-arch=" + On.Arch;
  int V = TheDriver.Version;
  switch (R) {
  case UnsupportedPtxVersion:
    return "; the driver supports CUDA " + std::to_string(V / 1000) + "." +
           std::to_string(V % 1000 / 10) +
           ": install a newer driver, or rebuild with " + Cubin +
           " and a ptxas for that GPU, so that the program holds a cubin";
  case NoBinaryForGpu:
    return "; rebuild with " + Cubin;
  case InvalidPtx:
    return "; the driver's compiler refuses the PTX: rebuild with " + Cubin +
           " and a ptxas for that GPU, which shows the error while compiling";
  case JitCompilerNotFound:
    return "; the driver's compiler (libnvidia-ptxjitcompiler.so) is not "
           "installed: install it, or rebuild with " +
           Cubin + " and a ptxas for that GPU";
  case JitCompilationDisabled:
    return "; CUDA_DISABLE_PTX_JIT or the driver forbids compiling PTX: "
           "rebuild "
           "with " +
           Cubin + " and a ptxas for that GPU";
  case OutOfMemory:
    return "; free some device memory first";
  default:
    return Ptx ? "; rebuild with " + Cubin : "; rebuild the program";
  }
}

CudaImage::~CudaImage() {
  if (Loaded && !On.ended())
    (void)TheDriver.ModuleUnload(Loaded); // nothing can be done about it
}

xcc_status CudaImage::load(const OffloadImage &Source) {
  XCC_TRY(On.enter());
  uint64_t Begin = trace::enabled() ? trace::now() : 0;
  bool Ptx = Source.ImageKind == KindPtx;
  Arch = Source.Arch;
  Table = Source.Kernels;
  // PTX is text and ends with a zero byte for the driver.
  std::string Text;
  const void *Data = Source.Data.data();
  if (Ptx) {
    Text.assign(Source.Data.data(), Source.Data.size());
    Data = Text.c_str();
  }
  char Log[4096] = "";
  JitOption Options[] = {JitErrorLog, JitErrorLogSize};
  void *Values[] = {Log, reinterpret_cast<void *>(sizeof(Log) - 1)};
  Result R = TheDriver.ModuleLoadDataEx(&Loaded, Data, 2, Options, Values);
  if (R != Success) {
    Loaded = nullptr;
    if (killsContext(R))
      return On.failed(R, "loading an image");
    std::string Why = ResultText(R).text();
    Why += adviceFor(R, On, Ptx);
    if (*Log)
      Why = Why + "; the driver says: " + Log;
    return fail(statusOf(R), On.site(),
                "the %s image (%s) cannot be loaded on device %d (%s, %s): %s",
                Source.Arch, Ptx ? "PTX" : "cubin", On.ordinal(), On.id(),
                On.Arch.c_str(), Why.c_str());
  }
  if (Ptx)
    XCC_LOG(Load, "device %d: the driver compiled the PTX for %s to %s",
            On.ordinal(), Source.Arch, On.Arch.c_str());
  if (Begin)
    trace::add({"load image", "load", Begin, trace::now(), 0, 0, 0, false});
  return XCC_SUCCESS;
}

/// What the loaded function needs: for PTX only the driver knows.
xcc_status CudaImage::describe(const xcc_kernel_info &Info,
                               const ErrorSite &Site, CudaKernel &K) {
  int Shared = 0, Local = 0, Threads = 0;
  Result R = TheDriver.FuncGetAttribute(&Shared, FunctionSharedSize, K.Code);
  if (R == Success)
    R = TheDriver.FuncGetAttribute(&Local, FunctionLocalSize, K.Code);
  if (R == Success)
    R = TheDriver.FuncGetAttribute(&Threads, FunctionMaxThreads, K.Code);
  if (R != Success)
    return fail(statusOf(R), Site,
                "kernel '%s' cannot be asked for its needs on device %d (%s): "
                "%s",
                Info.name, On.ordinal(), On.id(), ResultText(R).text());
  K.GroupSize = uint32_t(std::max(Shared, 0));
  K.PrivateSize = uint32_t(std::max(Local, 0));
  K.MaxThreads = uint32_t(std::max(Threads, 1));
  K.Dynamic = On.UsualShared - std::min(On.UsualShared, K.GroupSize);
  return checkShared(Info, K.GroupSize, On, Site);
}

/// Threads have 1 KiB of stack by default, beside what the driver knows that
/// they need: about twenty levels of a recursive function. The limit is the
/// context's; it only grows.
xcc_status CudaDevice::enlargeStack(const xcc_kernel_info &Kernel,
                                    const ErrorSite &Site) {
  size_t Wanted, Now = 0;
  XCC_TRY(wantedStack(*this, Settings[0], Wanted));
  std::lock_guard Lock(Mutex);
  noteGuessedStack(&Kernel, 1024);
  if (!TheDriver.CtxGetLimit || !TheDriver.CtxSetLimit ||
      TheDriver.CtxGetLimit(&Now, LimitStackSize) != Success)
    return XCC_SUCCESS;
  noteGuessedStack(&Kernel, std::max(Now, Wanted));
  if (Now >= Wanted)
    return XCC_SUCCESS;
  if (Result R = TheDriver.CtxSetLimit(LimitStackSize, Wanted))
    return fail(statusOf(R), Site,
                "device %d (%s) cannot give each thread of kernel '%s' %zu "
                "bytes of stack: %s; XCC_CUDA_STACK=<bytes> asks for less",
                ordinal(), id(), Site.Kernel, Wanted, ResultText(R).text());
  XCC_LOG(Device, "device %d: %zu bytes of stack for each thread", ordinal(),
          Wanted);
  return XCC_SUCCESS;
}

xcc_status CudaImage::find(const xcc_kernel_info &Info, const Kernel **Out) {
  XCC_TRY(On.enter());
  ErrorSite Site{Info.name, nullptr, 0, On.ordinal()};
  KernelRow Row;
  bool Listed = findKernelRow(Table, Info.symbol, Row);
  auto K = std::make_unique<CudaKernel>();
  Result R = Listed ? TheDriver.ModuleGetFunction(&K->Code, Loaded, Info.symbol)
                    : NotFound;
  if (R == NotFound)
    return fail(XCC_ERROR_INVALID_IMAGE, Site,
                "kernel '%s' is not in the program's %s image (no symbol %s); "
                "rebuild all of the program",
                Info.name, Arch.c_str(), Info.symbol);
  if (R != Success)
    return On.failed(R, "looking up a kernel");
  XCC_TRY(checkArguments(Info, Row.kernargSize, Row.fingerprint, Site));
  K->Info = &Info;
  K->KernargSize = Row.kernargSize;
  K->CallsHost = Row.is("calls");
  if (K->CallsHost && !TheDriver.ModuleGetGlobal)
    return fail(XCC_ERROR_INVALID_DEVICE, Site,
                "kernel '%s' calls the host, for which the NVIDIA driver lacks "
                "cuModuleGetGlobal_v2; install one for CUDA 11 or later",
                Info.name);
  XCC_TRY(describe(Info, Site, *K));
  if (Row.is("dynamic_stack"))
    XCC_TRY(On.enlargeStack(Info, Site));
  K->MaxThreads = largestBlock(Row.maxThreads, K->MaxThreads);
  if (trace::enabled())
    K->TraceName = trace::name(Info.name);
  *Out = K.get();
  Kernels.push_back(std::move(K));
  return XCC_SUCCESS;
}

xcc_status CudaImage::variable(const char *Name, void *&Out) {
  Out = nullptr;
  if (!TheDriver.ModuleGetGlobal)
    return XCC_SUCCESS; // find() refuses the kernels that would need it
  XCC_TRY(On.enter());
  Address A = 0;
  size_t Size = 0;
  Result R = TheDriver.ModuleGetGlobal(&A, &Size, Loaded, Name);
  if (R == NotFound)
    return XCC_SUCCESS;
  if (R != Success)
    return On.failed(R, "looking up a variable of an image");
  Out = reinterpret_cast<void *>(A);
  return XCC_SUCCESS;
}

xcc_status CudaDevice::loadImage(const OffloadImage &Source,
                                 xcc::rt::Image **Out) {
  auto New = std::make_unique<CudaImage>(*this);
  XCC_TRY(New->load(Source));
  *Out = New.release();
  return XCC_SUCCESS;
}

void CudaDevice::unloadImage(xcc::rt::Image *Loaded) {
  auto *Old = static_cast<CudaImage *>(Loaded);
  if (!ended() && enter() != XCC_SUCCESS)
    return; // the module stays with the context that cannot be entered
  delete Old;
}

xcc_status CudaDevice::findKernel(xcc::rt::Image &In,
                                  const xcc_kernel_info &Info,
                                  const Kernel **Out) {
  return static_cast<CudaImage &>(In).find(Info, Out);
}

xcc_status CudaDevice::suggestBlock(const Kernel &K, uint32_t Dynamic,
                                    uint32_t &Block) {
  XCC_TRY(enter());
  auto &Code = static_cast<const CudaKernel &>(K);
  // Beyond the usual limit the driver counts no block as possible.
  Result R = Success;
  if (Dynamic > Code.Dynamic.load(std::memory_order_relaxed))
    R = Code.allowShared(*this);
  Block = busiestBlock(1, K.MaxThreads, [&](uint32_t Size) {
    int Blocks = 0;
    if (R == Success)
      R = TheDriver.OccupancyMaxActiveBlocks(&Blocks, Code.Code, int(Size),
                                             Dynamic);
    return uint64_t(std::max(Blocks, 0)) * Size;
  });
  if (R != Success)
    return failed(R, "asking for a block size");
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cuda
