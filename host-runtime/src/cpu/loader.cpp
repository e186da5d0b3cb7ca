// From image bytes to callable kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loader.h"
#include "../images/elf_file.h"
#include "../images/kernel_checks.h"
#include "../process/files.h"
#include "../process/log.h"
#include "../process/trace.h"
#include "cpu_device.h"
#include "services.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace xcc::rt::cpu {

/// The dynamic linker takes a path it has seen for the library it then loaded.
/// Only a handle whose library is the file we wrote will do.
static void *openExactly(const char *Path) {
  if (void *Seen = dlopen(Path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD)) {
    dlclose(Seen);
    return nullptr;
  }
  return dlopen(Path, RTLD_NOW | RTLD_LOCAL);
}

/// A file in memory that may be executed and sealed. Kernels before 6.3 do not
/// know the flag that says the former, and do not need it.
static int anonymousFile() {
#ifndef MFD_EXEC
  constexpr unsigned MFD_EXEC = 0x0010u;
#endif
  constexpr unsigned Flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int File = memfd_create("xcc-image", Flags | MFD_EXEC);
  if (File < 0 && errno == EINVAL)
    File = memfd_create("xcc-image", Flags);
  return aboveStandard(File);
}

/// Loads from a file in a temporary directory, for systems without /proc or
/// with anonymous files that may not be executed.
static void *openTemporary(Bytes Data, std::string &Why) {
  const char *Directory = secure_getenv("TMPDIR");
  std::string Path = Directory && *Directory ? Directory : "/tmp";
  Path += "/xcc-image";
  int File = makeTemporary(Path);
  if (File < 0) {
    Why = "cannot create " + Path + ": " + strerror(errno);
    return nullptr;
  }
  void *Handle = nullptr;
  if (!writeAll(File, Data))
    Why = "cannot write " + Path + ": " + strerror(errno);
  else if (!(Handle = openExactly(Path.c_str())))
    if (const char *Text = dlerror())
      Why = Text;
  close(File);
  unlink(Path.c_str());
  return Handle;
}

xcc_status CpuImage::open(const OffloadImage &Source) {
  std::string Why;
  File = anonymousFile();
  if (File >= 0 && writeAll(File, Source.Data)) {
    // What was checked is what runs: nobody can write to it any more.
    fcntl(File, F_ADD_SEALS,
          F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
    char Path[64];
    snprintf(Path, sizeof(Path), "/proc/self/fd/%d", File);
    Handle = openExactly(Path);
    if (!Handle)
      if (const char *Text = dlerror())
        Why = Text;
  }
  struct stat Status;
  if (File >= 0 && fstat(File, &Status) == 0)
    Identity = {Status.st_dev, Status.st_ino};
  if (!Handle)
    Handle = openTemporary(Source.Data, Why);
  if (!Handle)
    return fail(XCC_ERROR_INVALID_IMAGE, "the %s image cannot be loaded: %s",
                Source.Arch, Why.empty() ? "unknown reason" : Why.c_str());
  return XCC_SUCCESS;
}

xcc_status CpuImage::load(const OffloadImage &Source, CpuImage **Out) {
  if (const char *Why = checkSharedObject(Source.Data))
    return fail(XCC_ERROR_INVALID_IMAGE, "the %s image %s; rebuild the program",
                Source.Arch, Why);
  uint64_t Begin = trace::enabled() ? trace::now() : 0;
  std::unique_ptr<CpuImage> Loaded(new CpuImage);
  XCC_TRY(Loaded->open(Source));
  auto *Header =
      static_cast<xcc_cpu_image *>(dlsym(Loaded->Handle, XCC_SYMBOL_IMAGE));
  if (!Header)
    return fail(XCC_ERROR_INVALID_IMAGE,
                "the %s image has no __xcc_image; rebuild the program",
                Source.Arch);
  if (Header->abi_version != XCC_ABI_VERSION)
    return fail(XCC_ERROR_INVALID_IMAGE,
                "the %s image is for version %u of xcc's ABI, this runtime has "
                "version %u; rebuild with one xcc",
                Source.Arch, Header->abi_version, XCC_ABI_VERSION);
  Header->services = &Services;
  if (Begin)
    trace::add({"load image", "load", Begin, trace::now(), 0, 0, 0, false});
  *Out = Loaded.release();
  return XCC_SUCCESS;
}

CpuImage::~CpuImage() {
  if (Handle)
    dlclose(Handle);
  // The program may have closed all files that it does not know, and the number
  // may be another file's by now.
  struct stat Status;
  if (File >= 0 && fstat(File, &Status) == 0 &&
      Identity == std::pair(Status.st_dev, Status.st_ino))
    close(File);
}

void *CpuImage::variable(const char *Name) const {
  void *Found = dlsym(Handle, Name);
  // Not one of a library that the image uses.
  Dl_info Whose, Ours;
  void *Header = dlsym(Handle, XCC_SYMBOL_IMAGE);
  return Found && dladdr(Found, &Whose) && dladdr(Header, &Ours) &&
                 Whose.dli_fbase == Ours.dli_fbase
             ? Found
             : nullptr;
}

static xcc_status checkKernel(const xcc_kernel_info &Info,
                              const xcc_cpu_kernel &Object,
                              const ErrorSite &Site) {
  if (Object.abi_version != XCC_ABI_VERSION || !Object.entry)
    return fail(XCC_ERROR_INVALID_IMAGE, Site,
                "the image's kernel '%s' is for version %u of xcc's ABI, this "
                "runtime has version %u; rebuild with one xcc",
                Info.name, Object.abi_version, XCC_ABI_VERSION);
  XCC_TRY(checkArguments(Info, Object.kernarg_size, Object.fingerprint, Site));
  return checkShared(Info, Object.group_segment_size, device(), Site);
}

xcc_status CpuImage::find(const xcc_kernel_info &Info, const Kernel **Out) {
  ErrorSite Site{Info.name, nullptr, 0, ordinal()};
  auto *Object =
      static_cast<const xcc_cpu_kernel *>(dlsym(Handle, Info.symbol));
  if (!Object)
    return fail(XCC_ERROR_INVALID_IMAGE, Site,
                "kernel '%s' is not in the program's image (no symbol %s); "
                "rebuild all of the program",
                Info.name, Info.symbol);
  XCC_TRY(checkKernel(Info, *Object, Site));
  auto K = std::make_unique<CpuKernel>();
  K->Info = &Info;
  K->Object = Object;
  K->GroupSize = (Object->group_segment_size + 63) / 64 * 64;
  K->PrivateSize = Object->private_segment_size;
  K->KernargSize = Object->kernarg_size;
  K->MaxThreads = largestBlock(Object->max_threads, XCC_CPU_MAX_BLOCK);
  if (trace::enabled())
    K->TraceName = trace::name(Info.name);
  *Out = K.get();
  Kernels.push_back(std::move(K));
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cpu
