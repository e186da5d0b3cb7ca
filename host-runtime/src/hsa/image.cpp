// Code objects and their kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image.h"
#include "../images/kernel_checks.h"
#include "../images/kernel_row.h"
#include "../process/trace.h"
#include "../services/host_services.h"
#include "../stacks.h"
#include "hsa_device.h"
#include "queue.h"

#include <algorithm>

namespace xcc::rt::hsa {

xcc_status HsaImage::load(Gpu &On, const OffloadImage &Source, HsaImage **Out) {
  uint64_t Begin = trace::enabled() ? trace::now() : 0;
  std::unique_ptr<HsaImage> Image(new HsaImage(On));
  Image->Arch = Source.Arch;
  XCC_TRY(Image->readTable(Source));
  XCC_TRY(Image->open(Source));
  if (Begin)
    trace::add({"load image", "load", Begin, trace::now(), 0, 0, 0, false});
  *Out = Image.release();
  return XCC_SUCCESS;
}

xcc_status HsaImage::readTable(const OffloadImage &Source) {
  std::string_view Table = Source.Kernels;
  KernelRow Row;
  while (nextKernelRow(Table, Row)) {
    Line New{
        Row.kernargSize, Row.maxThreads, Row.fingerprint, Row.is("calls"), {}};
    const char *Why = parseMetadata(Row.columns, Row.kernargSize, New.Data);
    if (!Why && New.Data.KernargAlign > HsaQueue::KernargBytes)
      Why = "has a kernarg alignment that no kernel has";
    if (Why)
      return fail(XCC_ERROR_INVALID_IMAGE, On.site(),
                  "the %s image is damaged: its table's line for '%.*s' %s; "
                  "rebuild the program",
                  Source.Arch, static_cast<int>(Row.name.size()),
                  Row.name.data(), Why);
    Lines[std::string(Row.symbol)] = New;
  }
  return XCC_SUCCESS;
}

xcc_status HsaImage::open(const OffloadImage &Source) {
  auto Check = [&](const char *Call, Status S) {
    if (S == StatusSuccess)
      return XCC_SUCCESS;
    return fail(S == StatusOutOfResources ? XCC_ERROR_OUT_OF_MEMORY
                                          : XCC_ERROR_INVALID_IMAGE,
                On.site(),
                "the %s image cannot be loaded on device %d (%s, %s): %s "
                "failed: %s%s",
                Source.Arch, On.ordinal(), On.id(), On.Facts.Target.c_str(),
                Call, statusText(S),
                Arch.find("-generic") != std::string::npos
                    ? "; older ROCm releases load no generic code objects: "
                      "update ROCm, or rebuild with the device's own "
                      "-offload-arch="
                    : "");
  };
  XCC_TRY(Check("hsa_code_object_reader_create_from_memory",
                Hsa.code_object_reader_create_from_memory(
                    Source.Data.data(), Source.Data.size(), &Code)));
  XCC_TRY(Check("hsa_executable_create_alt",
                Hsa.executable_create_alt(ProfileFull, RoundingDefault, nullptr,
                                          &Loaded)));
  XCC_TRY(Check("hsa_executable_load_agent_code_object",
                Hsa.executable_load_agent_code_object(Loaded, On.Facts.Handle,
                                                      Code, nullptr, nullptr)));
  return Check("hsa_executable_freeze", Hsa.executable_freeze(Loaded, nullptr));
}

xcc_status HsaImage::variable(const char *Name, void *&Out) {
  Out = nullptr;
  Symbol Found{};
  Status S =
      Hsa.executable_get_symbol_by_name(Loaded, Name, &On.Facts.Handle, &Found);
  if (S == StatusInvalidSymbolName)
    return XCC_SUCCESS;
  if (S != StatusSuccess)
    return On.failed("hsa_executable_get_symbol_by_name", S);
  uint64_t At = 0;
  uint32_t Size = 0;
  S = Hsa.executable_symbol_get_info(Found, SymbolVariableAddress, &At);
  if (S == StatusSuccess)
    S = Hsa.executable_symbol_get_info(Found, SymbolVariableSize, &Size);
  if (S != StatusSuccess)
    return On.failed("hsa_executable_symbol_get_info", S);
  void *Variable = reinterpret_cast<void *>(At);
  // The host may not see it, so a copy has to know where it is.
  Variables.push_back(Variable);
  if (!rememberPlace(Variable, Size, Place::Device, On))
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory");
  Out = Variable;
  return XCC_SUCCESS;
}

HsaImage::~HsaImage() {
  for (void *Variable : Variables)
    forgetPlace(Variable);
  if (Loaded.handle)
    Hsa.executable_destroy(Loaded);
  if (Code.handle)
    Hsa.code_object_reader_destroy(Code);
}

xcc_status HsaImage::find(const xcc_kernel_info &Info, const Kernel **Out) {
  ErrorSite Site{Info.name, nullptr, 0, On.ordinal()};
  auto Found = Lines.find(Info.symbol);
  if (Found == Lines.end())
    return fail(XCC_ERROR_INVALID_IMAGE, Site,
                "kernel '%s' is not in the table of the program's %s image; "
                "rebuild all of the program",
                Info.name, Arch.c_str());
  const Line &L = Found->second;
  XCC_TRY(checkArguments(Info, L.Kernarg, L.Fingerprint, Site));

  Symbol Descriptor{};
  std::string Name = std::string(Info.symbol) + ".kd";
  Status S = Hsa.executable_get_symbol_by_name(Loaded, Name.c_str(),
                                               &On.Facts.Handle, &Descriptor);
  if (S != StatusSuccess)
    return fail(XCC_ERROR_INVALID_IMAGE, Site,
                "kernel '%s' is not in the program's %s image (symbol %s: %s); "
                "rebuild all of the program",
                Info.name, Arch.c_str(), Name.c_str(), statusText(S));
  auto K = std::make_unique<HsaKernel>();
  uint32_t Segment = 0;
  bool Dynamic = false;
  auto Ask = [&](SymbolInfo What, void *Value) {
    if (S == StatusSuccess)
      S = Hsa.executable_symbol_get_info(Descriptor, What, Value);
  };
  Ask(SymbolKernelObject, &K->Object);
  Ask(SymbolKernargSize, &Segment);
  Ask(SymbolGroupSize, &K->GroupSize);
  Ask(SymbolPrivateSize, &K->PrivateSize);
  Ask(SymbolDynamicCallstack, &Dynamic);
  if (S != StatusSuccess)
    return fail(XCC_ERROR_INVALID_IMAGE, Site,
                "kernel '%s': hsa_executable_symbol_get_info failed: %s",
                Info.name, statusText(S));
  if (Segment > MaxKernargSegment)
    return fail(XCC_ERROR_INVALID_IMAGE, Site,
                "the %s image says that kernel '%s' takes %u bytes of "
                "arguments; rebuild the program",
                Arch.c_str(), Info.name, Segment);
  XCC_TRY(checkShared(Info, K->GroupSize, On.Self, Site));
  uint32_t Lanes = On.Self.callShape().Lanes;
  if (L.CallsHost && L.Data.Wave > Lanes)
    return fail(XCC_ERROR_INVALID_KERNEL, Site,
                "kernel '%s' calls the host in wavefronts of %u, device %d "
                "(%s) has %u; compile it for those",
                Info.name, L.Data.Wave, On.ordinal(), On.id(), Lanes);
  K->Info = &Info;
  K->CallsHost = L.CallsHost;
  K->Data = L.Data;
  K->KernargSize = L.Kernarg;
  K->Segment = std::max({Segment, L.Data.KernargSegment, L.Kernarg});
  K->MaxThreads = largestBlock(L.MaxThreads, On.Facts.MaxBlock);
  size_t Stack = 0;
  if (Dynamic || L.Data.DynamicStack)
    XCC_TRY(wantedStack(On.Self, Settings[0], Stack));
  K->LaunchPrivate = std::max(K->PrivateSize, static_cast<uint32_t>(Stack));
  if (Stack)
    noteGuessedStack(&Info, K->LaunchPrivate);
  if (L.Data.has(HiddenKind::HeapV1))
    XCC_TRY(On.heap(K->Heap));
  if (trace::enabled())
    K->TraceName = trace::name(Info.name);
  *Out = K.get();
  Kernels.push_back(std::move(K));
  return XCC_SUCCESS;
}

namespace {
/// Vector registers that the wavefronts of one SIMD share, for each lane.
struct RegisterFile {
  uint32_t Total, Granule;
};
} // namespace

/// From the processors' ISA documents; "User Guide for AMDGPU Backend" has the
/// granules.
static RegisterFile registerFile(std::string_view Target, uint32_t Wave) {
  if (Target.starts_with("gfx90a") || Target.starts_with("gfx94") ||
      Target.starts_with("gfx95"))
    return {512, 8};
  if (Target.starts_with("gfx10") || Target.starts_with("gfx11") ||
      Target.starts_with("gfx12"))
    return Wave == 32 ? RegisterFile{1024, 8} : RegisterFile{512, 4};
  return {256, 4};
}

uint32_t bestBlock(const GpuFacts &On, const HsaKernel &K, uint32_t Dynamic) {
  uint32_t Wave = K.Data.Wave ? K.Data.Wave : On.Wave;
  uint32_t Simds = On.SimdsPerCu ? On.SimdsPerCu : 4;
  uint32_t MaxWaves = On.MaxWavesPerCu ? On.MaxWavesPerCu : Simds * 8;
  RegisterFile File = registerFile(On.Target, Wave);
  uint32_t Vgprs = (std::max(K.Data.Vgprs, 1u) + File.Granule - 1) /
                   File.Granule * File.Granule;
  uint32_t Waves = std::min(MaxWaves, Simds * (File.Total / Vgprs));
  uint64_t Group = uint64_t(K.GroupSize) + Dynamic;
  return busiestBlock(Wave, K.MaxThreads, [&](uint32_t Block) {
    uint32_t PerBlock = (Block + Wave - 1) / Wave;
    uint64_t Blocks = Waves / PerBlock;
    if (Group)
      Blocks = std::min<uint64_t>(Blocks, On.Lds / Group);
    return Blocks * PerBlock;
  });
}

} // namespace xcc::rt::hsa
