// From image bytes to callable kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image.h"
#include "common/kernel_checks.h"
#include "cpu/device.h"
#include "formats/elf_file.h"
#include "formats/files.h"
#include "formats/grid_symbol.h"
#include "formats/kernel_row.h"
#include "process/log.h"
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

/// Loads the file at \p path. The dynamic linker may already know another
/// library by this path; then returns null, because only the file that we wrote
/// will do.
static void *openExactly(const char *path, int how) {
  if (void *seen = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD)) {
    dlclose(seen);
    return nullptr;
  }
  return dlopen(path, RTLD_NOW | how);
}

/// How to open an image. A whole program's libraries must see what the program
/// defines, and its exit handlers and buffers are in use until the process
/// ends.
static int howToOpen(bool program) {
  return program ? RTLD_GLOBAL | RTLD_NODELETE : RTLD_LOCAL;
}

/// A file in memory that may be executed and sealed. Linux before 6.3 does not
/// know MFD_EXEC, and does not need it.
static int anonymousFile() {
#ifndef MFD_EXEC
  constexpr unsigned MFD_EXEC = 0x0010u;
#endif
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int file = memfd_create("xcc-image", flags | MFD_EXEC);
  if (file < 0 && errno == EINVAL)
    file = memfd_create("xcc-image", flags);
  return aboveStandard(file);
}

/// Loads from a file in a temporary directory, for systems without /proc or
/// where anonymous files may not be executed.
static void *openTemporary(Bytes data, int how, std::string &why) {
  const char *directory = secure_getenv("TMPDIR");
  std::string path = directory && *directory ? directory : "/tmp";
  path += "/xcc-image";
  int file = makeTemporary(path);
  if (file < 0) {
    why = "cannot create " + path + ": " + strerror(errno);
    return nullptr;
  }
  void *handle = nullptr;
  if (!writeAll(file, data))
    why = "cannot write " + path + ": " + strerror(errno);
  else if (!(handle = openExactly(path.c_str(), how)))
    if (const char *text = dlerror())
      why = text;
  close(file);
  unlink(path.c_str());
  return handle;
}

/// Loads from a file that stays, in the directory that XCC_IMAGE_DIR names.
/// Tools that look up addresses later (perf, valgrind, core dumps) need a file
/// name that still means the image. Returns null without the variable, or after
/// a message if the file could not be written.
static void *openKept(const OffloadImage &source, int how) {
  const char *directory = secure_getenv("XCC_IMAGE_DIR");
  if (!directory || !*directory)
    return nullptr;
  mkdir(directory, 0777); // any failure shows when the file is made
  char name[300];
  snprintf(name, sizeof(name), "/%s-%016llx.so", program_invocation_short_name,
           static_cast<unsigned long long>(hashOf(source.data)));
  const std::string path = std::string(directory) + name;
  std::string written = path;
  NoSizeSignal guard;
  int file = makeTemporary(written);
  const bool complete = file >= 0 && writeAll(file, source.data) &&
                        rename(written.c_str(), path.c_str()) == 0;
  const int error = errno;
  if (file >= 0)
    close(file);
  if (complete)
    return openExactly(path.c_str(), how);
  if (file >= 0)
    unlink(written.c_str());
  complain("XCC_IMAGE_DIR: cannot write %s: %s; this image has no file",
           path.c_str(), strerror(error));
  return nullptr;
}

/// The message of dlopen, with advice where a sanitizer's library is missing.
static std::string explained(const std::string &why) {
  constexpr std::string_view lacks = "undefined symbol: __";
  const size_t at = why.find(lacks);
  if (at == std::string::npos)
    return why;
  const std::string_view name =
      std::string_view(why).substr(at + lacks.size() - 2);
  for (std::string_view library : {"__ubsan_", "__asan_", "__tsan_"})
    if (name.starts_with(library))
      return "kernels call '" + std::string(name) +
             "', which the program does not have: link it with the "
             "-fsanitize= option that they were compiled with, or compile "
             "them with '-Xarch_host -fsanitize=...'";
  return why;
}

xcc_status CpuImage::open(const OffloadImage &source) {
  std::string why;
  KernelRow row;
  const bool program = findKernelRow(source.kernels, XCC_SYMBOL_START, row);
  const int how = howToOpen(program);
  if ((handle = openKept(source, how)))
    return XCC_SUCCESS;
  file = anonymousFile();
  if (file >= 0 && writeAll(file, source.data)) {
    // Seal the file, so that the bytes that run are those that were checked.
    fcntl(file, F_ADD_SEALS,
          F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
    // Debuggers open libraries by the path that the dynamic linker was given,
    // so the path must mean the same file in their process.
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(), file);
    handle = openExactly(path, how);
    if (!handle)
      if (const char *text = dlerror())
        why = text;
  }
  struct stat status;
  if (file >= 0 && fstat(file, &status) == 0)
    identity = {status.st_dev, status.st_ino};
  if (!handle)
    handle = openTemporary(source.data, how, why);
  if (!handle)
    return rejectImage(XCC_ERROR_INVALID_IMAGE, source, device(),
                       why.empty() ? "unknown reason" : explained(why).c_str());
  // The number must be free: a program's first file has the same number as on
  // the host. A process has one program, so no other image gets this path.
  if (program && file >= 0)
    close(std::exchange(file, -1));
  return XCC_SUCCESS;
}

xcc_status CpuImage::load(const OffloadImage &source, CpuImage **out) {
  if (const char *why = checkSharedObject(source.data))
    return fail(XCC_ERROR_INVALID_IMAGE, "the %s image %s; rebuild the program",
                source.arch, why);
  std::unique_ptr<CpuImage> loaded(new CpuImage);
  loaded->arch = source.arch;
  loaded->table = source.kernels;
  XCC_TRY(loaded->open(source));
  auto *header =
      static_cast<xcc_cpu_image *>(dlsym(loaded->handle, XCC_SYMBOL_IMAGE));
  if (!header)
    return fail(XCC_ERROR_INVALID_IMAGE,
                "the %s image has no __xcc_image; rebuild the program",
                source.arch);
  if (header->abi_version != XCC_ABI_VERSION)
    return fail(XCC_ERROR_INVALID_IMAGE,
                "the %s image is for version %u of xcc's ABI, this runtime has "
                "version %u; rebuild with one xcc",
                source.arch, header->abi_version, XCC_ABI_VERSION);
  header->services = &Services;
  loaded->counters = std::make_unique<Counters>();
  loaded->counters->found(loaded->variable(XCC_SYMBOL_COUNTERS));
  loaded->counters->foundArcs(loaded->variable(XCC_SYMBOL_ARCS));
  *out = loaded.release();
  return XCC_SUCCESS;
}

CpuImage::~CpuImage() {
  counters.reset();
  if (handle)
    dlclose(handle);
  // The program may have closed all files that it does not know, and the number
  // may belong to another file by now.
  struct stat status;
  if (file >= 0 && fstat(file, &status) == 0 &&
      identity == std::pair(status.st_dev, status.st_ino))
    close(file);
}

void *CpuImage::variable(const char *name) const {
  void *found = dlsym(handle, name);
  // Ignore a variable of a library that the image uses.
  Dl_info whose, ours;
  void *header = dlsym(handle, XCC_SYMBOL_IMAGE);
  return found && dladdr(found, &whose) && dladdr(header, &ours) &&
                 whose.dli_fbase == ours.dli_fbase
             ? found
             : nullptr;
}

static xcc_status checkKernel(const xcc_kernel_info &info,
                              const xcc_cpu_kernel &object,
                              const ErrorSite &site) {
  if (object.abi_version != XCC_ABI_VERSION || !object.entry)
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the image's kernel '%s' is for version %u of xcc's ABI, this "
                "runtime has version %u; rebuild with one xcc",
                info.name, object.abi_version, XCC_ABI_VERSION);
  XCC_TRY(checkArguments(info, object.kernarg_size, object.fingerprint, site));
  return checkShared(info, object.group_segment_size, device(), site);
}

xcc_status CpuImage::find(const xcc_kernel_info &info, const Kernel **out) {
  ErrorSite site{info.name, nullptr, 0, ordinal()};
  auto *object =
      static_cast<const xcc_cpu_kernel *>(dlsym(handle, info.symbol));
  if (!object)
    return notInImage(info, arch.c_str(),
                      (std::string("no symbol ") + info.symbol).c_str(), site);
  XCC_TRY(checkKernel(info, *object, site));
  auto k = std::make_unique<CpuKernel>(info);
  k->object = object;
  k->image =
      static_cast<const xcc_cpu_image *>(dlsym(handle, XCC_SYMBOL_IMAGE));
  k->sharedSize = (object->group_segment_size + 63) / 64 * 64;
  k->privateSize = object->private_segment_size;
  if (object->flags & (XCC_CPU_KERNEL_WARPS | XCC_CPU_KERNEL_TESTED_WARPS))
    k->privateSize = std::max(k->privateSize, object[1].private_segment_size);
  k->kernargSize = object->kernarg_size;
  k->maxThreads = largestBlock(object->max_threads, XCC_CPU_MAX_BLOCK);
  if (KernelRow row; findKernelRow(table, info.symbol, row)) {
    k->access = KernelAccess(row.column("access"), row.column("overwrites"),
                             row.column("beside"));
    k->usesHeap = row.is("heap");
  }
  k->grid = variable(XCC_SYMBOL_GRID);
  *out = k.get();
  kernels.push_back(std::move(k));
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cpu
