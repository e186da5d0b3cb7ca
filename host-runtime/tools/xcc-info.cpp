// What is here, and what a program contains
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc-info lists the devices of this machine; xcc-info FILE lists the images
// and kernels embedded in a program, library or object file.

#include "../src/images/elf_file.h"
#include "../src/images/kernel_row.h"
#include "../src/images/offload_binary.h"
#include "xcc/host.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#ifndef XCC_VERSION
#define XCC_VERSION "0"
#endif

using namespace xcc::rt;
// Ordered as written here, which is the order to read in.
using Json = nlohmann::ordered_json;

static const char *const Help =
    R"(usage: xcc-info [--json] [FILE...]

Without a FILE, lists the devices that programs built by xcc can use here.
With FILEs (programs, shared libraries, object files), lists the device images
embedded in each and the kernels they hold.

  --json      print JSON
  --help      print this
  --version   print the version
)";

//===----------------------------------------------------------------------===//
// Gathering
//===----------------------------------------------------------------------===//

static Json describeDevices() {
  Json Devices = Json::array();
  for (int I = 0, N = xcc::device::count(); I != N; ++I) {
    xcc::device D = xcc::device::get(I);
    Devices.push_back({{"ordinal", I},
                       {"kind", D.kind()},
                       {"name", D.name()},
                       {"arch", D.arch()},
                       {"cores", D.cores()},
                       {"memory", D.memory()},
                       {"max_block", D.max_block()},
                       {"shared_memory", D.shared_memory()},
                       {"warp_size", D.warp_size()}});
  }
  return Devices;
}

static const char *imageKindName(unsigned Kind) {
  static const char *const Names[] = {"none",      "object", "bitcode", "cubin",
                                      "fatbinary", "ptx",    "spirv"};
  return Kind < std::size(Names) ? Names[Kind] : "unknown";
}

static Json describeKernels(std::string_view Table) {
  Json Kernels = Json::array();
  KernelRow Row;
  while (nextKernelRow(Table, Row))
    Kernels.push_back({{"name", Row.name},
                       {"symbol", Row.symbol},
                       {"kernarg_size", Row.kernargSize},
                       {"shared_size", Row.groupSize},
                       {"scratch_size", Row.privateSize},
                       {"flags", Row.flags},
                       {"max_threads", Row.maxThreads}});
  return Kernels;
}

static Json describeImage(const OffloadImage &Image) {
  return {{"kind", imageKindName(Image.ImageKind)},
          {"triple", Image.Triple},
          {"arch", Image.Arch},
          {"size", Image.Data.size()},
          {"hash", Image.Hash},
          {"intact", !*Image.Hash || Image.intact()},
          {"abi", Image.Abi},
          {"features", Image.Features},
          {"kernels", describeKernels(Image.Kernels)}};
}

/// The whole file. False, with errno set, when it cannot be read.
static bool readFile(const char *Path, std::vector<char> &Out) {
  FILE *In = fopen(Path, "rb");
  if (!In)
    return false;
  char Buffer[1 << 16];
  errno = 0;
  while (size_t N = fread(Buffer, 1, sizeof(Buffer), In))
    Out.insert(Out.end(), Buffer, Buffer + N);
  int Failed = ferror(In) ? (errno ? errno : EIO) : 0;
  fclose(In);
  errno = Failed;
  return Failed == 0;
}

/// The file's images; empty and false, with a message printed, on failure.
static bool describeFile(const char *Path, Json &Out) {
  std::vector<char> Data;
  if (!readFile(Path, Data)) {
    fprintf(stderr, "xcc-info: %s: %s\n", Path, strerror(errno));
    return false;
  }
  Bytes Section;
  const char *Why = nullptr;
  if (!findSection(Bytes(Data.data(), Data.size()), ".llvm.offloading", Section,
                   Why)) {
    fprintf(stderr, "xcc-info: %s: the file %s\n", Path, Why);
    return false;
  }
  Json Images = Json::array();
  OffloadReader Reader(Section);
  OffloadImage Image;
  while (Reader.next(Image))
    Images.push_back(describeImage(Image));
  if (Reader.error()) {
    fprintf(stderr, "xcc-info: %s: the section .llvm.offloading %s\n", Path,
            Reader.error());
    return false;
  }
  Out = {{"file", Path}, {"images", Images}};
  return true;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static std::string text(const Json &Value) {
  return Value.is_string() ? Value.get<std::string>() : Value.dump();
}

static void printDevices(const Json &Devices) {
  for (const Json &D : Devices) {
    printf("device %s: %s, %s\n", text(D["ordinal"]).c_str(),
           text(D["kind"]).c_str(), text(D["name"]).c_str());
    printf("  arch           %s\n", text(D["arch"]).c_str());
    printf("  cores          %s\n", text(D["cores"]).c_str());
    printf("  memory         %.1f GiB\n",
           D["memory"].get<double>() / (1024.0 * 1024 * 1024));
    printf("  largest block  %s threads\n", text(D["max_block"]).c_str());
    printf("  shared memory  %s bytes a block\n",
           text(D["shared_memory"]).c_str());
    printf("  warp           %s threads\n", text(D["warp_size"]).c_str());
  }
}

static void printFile(const Json &File) {
  const Json &Images = File["images"];
  printf("%s: %zu image%s\n", text(File["file"]).c_str(), Images.size(),
         Images.size() == 1 ? "" : "s");
  for (const Json &I : Images) {
    const Json &Kernels = I["kernels"];
    printf("  %s %s, %s, %s bytes, hash %s%s, %zu kernel%s\n",
           text(I["triple"]).c_str(), text(I["arch"]).c_str(),
           text(I["kind"]).c_str(), text(I["size"]).c_str(),
           text(I["hash"]).c_str(), I["intact"].get<bool>() ? "" : " (DAMAGED)",
           Kernels.size(), Kernels.size() == 1 ? "" : "s");
    for (const Json &K : Kernels)
      printf("    %s  [%s]  arguments %s, shared %s, scratch %s bytes\n",
             text(K["name"]).c_str(), text(K["symbol"]).c_str(),
             text(K["kernarg_size"]).c_str(), text(K["shared_size"]).c_str(),
             text(K["scratch_size"]).c_str());
  }
}

/// Embedded strings need not be UTF-8; bytes that are not are replaced.
static void printJson(const Json &Value) {
  puts(Value.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

static int listDevices(bool AsJson) {
  Json Devices = describeDevices();
  if (AsJson)
    printJson({{"devices", Devices}});
  else
    printDevices(Devices);
  return 0;
}

static int listFiles(const std::vector<const char *> &Paths, bool AsJson) {
  Json Files = Json::array();
  for (const char *Path : Paths) {
    Json File;
    if (!describeFile(Path, File))
      return 1;
    Files.push_back(File);
  }
  if (AsJson)
    printJson({{"files", Files}});
  else
    for (const Json &File : Files)
      printFile(File);
  return 0;
}

int main(int Count, char **Arguments) {
  bool AsJson = false;
  std::vector<const char *> Paths;
  for (int I = 1; I != Count; ++I) {
    std::string_view Argument = Arguments[I];
    if (Argument == "--help" || Argument == "-h") {
      fputs(Help, stdout);
      return 0;
    }
    if (Argument == "--version") {
      puts("xcc-info " XCC_VERSION);
      return 0;
    }
    if (Argument == "--json") {
      AsJson = true;
    } else if (Argument.starts_with("-")) {
      fprintf(stderr, "xcc-info: unknown option '%s'; see xcc-info --help\n",
              Arguments[I]);
      return 1;
    } else {
      Paths.push_back(Arguments[I]);
    }
  }
  try {
    int Result = Paths.empty() ? listDevices(AsJson) : listFiles(Paths, AsJson);
    if (fflush(stdout) != 0) {
      fprintf(stderr, "xcc-info: cannot write: %s\n", strerror(errno));
      return 1;
    }
    return Result;
  } catch (const std::exception &E) {
    fprintf(stderr, "xcc-info: %s\n", E.what());
    return 1;
  }
}
