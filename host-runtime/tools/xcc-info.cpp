// What is here, and what a program contains
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc-info lists the devices of this machine; xcc-info FILE lists the images
// and kernels embedded in a program, library or object file.

#include "archive.h"
#include "bitcode.h"
#include "devices/simulator.h"
#include "environment.h"
#include "formats/elf_file.h"
#include "formats/kernel_row.h"
#include "formats/offload_binary.h"
#include "precompile.h"
#include "xcc/host.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
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
       xcc-info [--json] --devices
       xcc-info --precompile FILE
       xcc-info --cache | --cache=clear
       xcc-info --env

Without a FILE, lists the devices that programs built by xcc can use here.
With FILEs (programs, shared libraries, object files, those of -flto too,
archives, images without a loader), lists the device images embedded in each and the kernels they hold.

  --devices      list the GPUs that simulators stand in for, too
                 (XCC_DEVICE=sim:sm_90 chooses one)
  --json         print JSON
  --precompile   generate what the FILE's portable images are for on this
                 machine's devices, as its kernels' first launches would
  --cache        list what xcc and the programs built by it keep of generated
                 code (XCC_CACHE_DIR); --cache=clear removes it
  --env          list the variables that programs built by xcc read, their values
                 here, and what is wrong with these
  --help         print this
  --version      print the version
)";

//===----------------------------------------------------------------------===//
// Gathering
//===----------------------------------------------------------------------===//

static Json describeDevices() {
  Json devices = Json::array();
  for (int i = 0, n = xcc::device::count(); i != n; ++i) {
    xcc::device d = xcc::device::get(i);
    devices.push_back({{"ordinal", i},
                       {"kind", d.kind()},
                       {"name", d.name()},
                       {"arch", d.arch()},
                       {"cores", d.cores()},
                       {"memory", d.memory()},
                       {"max_block", d.max_block()},
                       {"shared_memory", d.shared_memory()},
                       {"warp_size", d.warp_size()}});
  }
  return devices;
}

/// The simulators that can be opened here: kind, archs, or why there are none.
static Json describeSimulators() {
  Json simulators = Json::array();
  for (const DeviceKind &kind : deviceKinds()) {
    if (!kind.simulator)
      continue;
    std::string why, archs = archsOfSimulator(kind, why);
    Json one = {{"kind", kind.id}};
    if (archs.empty())
      one["error"] = why;
    else
      one["archs"] = archs;
    simulators.push_back(std::move(one));
  }
  return simulators;
}

static const char *imageKindName(unsigned kind) {
  static const char *const names[] = {"none",      "object", "bitcode", "cubin",
                                      "fatbinary", "ptx",    "spirv"};
  return kind < std::size(names) ? names[kind] : "unknown";
}

static Json describeKernels(std::string_view table) {
  Json kernels = Json::array();
  KernelRow row;
  while (nextKernelRow(table, row)) {
    Json kernel = {{"name", row.name},
                   {"symbol", row.symbol},
                   {"kernarg_size", row.kernargSize},
                   {"shared_size", row.sharedSize},
                   {"scratch_size", row.privateSize},
                   {"flags", row.flags},
                   {"max_threads", row.maxThreads}};
    if (row.is("root"))
      kernel["root"] = true;
    if (auto access = row.column("access"))
      kernel["access"] = *access;
    if (auto overwrites = row.column("overwrites"))
      kernel["overwrites"] = *overwrites;
    if (auto beside = row.column("beside"))
      kernel["beside"] = *beside;
    if (row.is("heap"))
      kernel["heap"] = true;
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

static Json describeImage(const OffloadImage &image) {
  return {{"kind", imageKindName(image.imageKind)},
          {"triple", image.triple},
          {"arch", image.arch},
          {"size", image.data.size()},
          {"hash", image.hash},
          {"intact", !*image.hash || image.intact()},
          {"abi", image.abi},
          {"features", image.features},
          {"kernels", describeKernels(image.kernels)}};
}

/// The whole file. False, with errno set, when it cannot be read.
static bool readFile(const char *path, std::vector<char> &out) {
  FILE *in = fopen(path, "rb");
  if (!in)
    return false;
  char buffer[1 << 16];
  errno = 0;
  while (size_t n = fread(buffer, 1, sizeof(buffer), in))
    out.insert(out.end(), buffer, buffer + n);
  int failed = ferror(in) ? (errno ? errno : EIO) : 0;
  fclose(in);
  errno = failed;
  return failed == 0;
}

static bool complain(const std::string &path, const char *why) {
  fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, path.c_str(),
          why);
  return false;
}

/// The section with images of what is no archive; false, with a message
/// printed, on failure. \p storage holds it where the file does not.
static bool findImages(const std::string &path, Bytes file, Bytes &section,
                       std::vector<char> &storage) {
  if (isBitcode(file)) {
    std::string reason;
    if (!readBitcode(file, storage, reason))
      return complain(
          path, ("is LLVM bitcode, compiled with -flto: " + reason).c_str());
    section = Bytes(storage.data(), storage.size());
    return true;
  }
  // What -foffload-image-only wrote has no more than they.
  if (isOffloadBinary(file)) {
    section = file;
    return true;
  }
  const char *why = nullptr;
  if (!findSection(file, ".llvm.offloading", section, why))
    return complain(path, (std::string("the file ") + why).c_str());
  return true;
}

/// The file's images; empty and false, with a message printed, on failure.
static bool describeImages(const std::string &path, Bytes file, Json &out) {
  Bytes section;
  std::vector<char> storage;
  if (!findImages(path, file, section, storage))
    return false;
  Json images = Json::array();
  OffloadReader reader(section);
  OffloadImage image;
  while (reader.next(image))
    images.push_back(describeImage(image));
  if (reader.error())
    return complain(
        path, (std::string("the section .llvm.offloading ") + reader.error())
                  .c_str());
  out = {{"file", path}, {"images", images}};
  return true;
}

/// The members of an archive that have images; those that are no objects are
/// not ours.
static bool describeArchive(const std::string &path, Bytes file, Json &files) {
  ArchiveReader reader(file);
  ArchiveReader::Member member;
  bool any = false;
  while (reader.next(member)) {
    std::vector<char> data;
    if (member.outside) {
      std::string place = member.name;
      if (size_t slash = path.rfind('/');
          slash != path.npos && !place.starts_with('/'))
        place = path.substr(0, slash + 1) + place;
      if (!readFile(place.c_str(), data))
        return complain(path + "(" + member.name + ")", strerror(errno));
      member.data = Bytes(data.data(), data.size());
    }
    if (!isBitcode(member.data) &&
        (member.data.size() < 4 || memcmp(member.data.data(), "\177ELF", 4)))
      continue;
    Json described;
    if (!describeImages(path + "(" + member.name + ")", member.data, described))
      return false;
    if (!described["images"].empty()) {
      files.push_back(described);
      any = true;
    }
  }
  if (reader.error())
    return complain(path,
                    (std::string("the archive ") + reader.error()).c_str());
  if (!any)
    files.push_back({{"file", path}, {"images", Json::array()}});
  return true;
}

/// Adds what \p path holds: an archive's members apart.
static bool describeFile(const char *path, Json &files) {
  std::vector<char> data;
  if (!readFile(path, data))
    return complain(path, strerror(errno));
  Bytes file(data.data(), data.size());
  if (ArchiveReader::is(file))
    return describeArchive(path, file, files);
  Json described;
  if (!describeImages(path, file, described))
    return false;
  files.push_back(described);
  return true;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static std::string text(const Json &value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

static void printDevices(const Json &devices) {
  for (const Json &d : devices) {
    printf("device %s: %s, %s\n", text(d["ordinal"]).c_str(),
           text(d["kind"]).c_str(), text(d["name"]).c_str());
    printf("  arch           %s\n", text(d["arch"]).c_str());
    printf("  cores          %s\n", text(d["cores"]).c_str());
    printf("  memory         %.1f GiB\n",
           d["memory"].get<double>() / (1024.0 * 1024 * 1024));
    printf("  largest block  %s threads\n", text(d["max_block"]).c_str());
    printf("  shared memory  %s bytes a block\n",
           text(d["shared_memory"]).c_str());
    printf("  warp           %s threads\n", text(d["warp_size"]).c_str());
  }
}

static void printSimulators(const Json &simulators) {
  for (const Json &s : simulators)
    if (s.contains("archs"))
      printf("simulated %s: XCC_DEVICE=sim:ARCH, ARCH one of\n  %s\n",
             text(s["kind"]).c_str(), text(s["archs"]).c_str());
    else
      printf("simulated %s: not installed (%s)\n", text(s["kind"]).c_str(),
             text(s["error"]).c_str());
}

static void printFile(const Json &file) {
  const Json &images = file["images"];
  printf("%s: %zu image%s\n", text(file["file"]).c_str(), images.size(),
         images.size() == 1 ? "" : "s");
  for (const Json &i : images) {
    const Json &kernels = i["kernels"];
    printf("  %s %s, %s, %s bytes, hash %s%s", text(i["triple"]).c_str(),
           text(i["arch"]).c_str(), text(i["kind"]).c_str(),
           text(i["size"]).c_str(), text(i["hash"]).c_str(),
           i["intact"].get<bool>() ? "" : " (DAMAGED)");
    // An object's kernels are listed where its code is linked.
    if (i["kind"] != "bitcode" || !kernels.empty())
      printf(", %zu kernel%s", kernels.size(), kernels.size() == 1 ? "" : "s");
    puts("");
    for (const Json &k : kernels) {
      printf("    %s  [%s]  arguments %s, shared %s, scratch %s bytes\n",
             text(k["name"]).c_str(), text(k["symbol"]).c_str(),
             text(k["kernarg_size"]).c_str(), text(k["shared_size"]).c_str(),
             text(k["scratch_size"]).c_str());
      if (k.contains("root"))
        puts("      a kernel only if the program asks for it by name");
      if (k.contains("access"))
        printf("      memory %s\n", text(k["access"]).c_str());
      if (k.contains("overwrites"))
        printf("      overwrites %s\n", text(k["overwrites"]).c_str());
    }
  }
}

/// Embedded strings need not be UTF-8; bytes that are not are replaced.
static void printJson(const Json &value) {
  puts(value.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

/// Simulators are beside xcc-info's own libraries, unless a variable says more.
static void findSimulators() {
  std::error_code failed;
  auto self = std::filesystem::read_symlink("/proc/self/exe", failed);
  auto folder = self.parent_path().parent_path() / "lib";
  if (!failed && std::filesystem::exists(folder / "libxcc-sim-cuda.so.0"))
    setenv("XCC_SIMULATORS", folder.c_str(), 0);
}

static int listDevices(bool asJson, bool withSimulators) {
  // The profile of a program whose kernels run, which this is not.
  unsetenv("XCC_PROFILE");
  unsetenv("XCC_TRACE");
  findSimulators();
  Json all = {{"devices", describeDevices()}};
  if (withSimulators)
    all["simulators"] = describeSimulators();
  if (asJson) {
    printJson(all);
    return 0;
  }
  printDevices(all["devices"]);
  if (withSimulators)
    printSimulators(all["simulators"]);
  return 0;
}

static int listFiles(const std::vector<const char *> &paths, bool asJson) {
  Json files = Json::array();
  bool read = true;
  for (const char *path : paths)
    read = describeFile(path, files) && read;
  if (asJson)
    printJson({{"files", files}});
  else
    for (const Json &file : files)
      printFile(file);
  return !read;
}

static bool precompileFile(const char *path) {
  static std::vector<char> data, storage; // the runtime keeps views of them
  Bytes section;
  if (!readFile(path, data))
    return complain(path, strerror(errno));
  return findImages(path, Bytes(data.data(), data.size()), section, storage) &&
         precompile(path, section);
}

int main(int count, char **arguments) {
  bool asJson = false, generates = false, listsCache = false, clears = false;
  bool environment = false, withSimulators = false;
  std::vector<const char *> paths;
  for (int i = 1; i != count; ++i) {
    std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      fputs(Help, stdout);
      return 0;
    }
    if (argument == "--version") {
      puts("xcc-info " XCC_VERSION);
      return 0;
    }
    if (argument == "--json") {
      asJson = true;
    } else if (argument == "--devices") {
      withSimulators = true;
    } else if (argument == "--precompile") {
      generates = true;
    } else if (argument == "--env") {
      environment = true;
    } else if (argument == "--cache") {
      listsCache = true;
    } else if (argument == "--cache=clear") {
      clears = true;
    } else if (argument.starts_with("-")) {
      fprintf(stderr, "%s: unknown option '%s'; see xcc-info --help\n",
              program_invocation_short_name, arguments[i]);
      return 1;
    } else {
      paths.push_back(arguments[i]);
    }
  }
  if (generates && paths.size() != 1) {
    fprintf(stderr, "%s: --precompile takes one FILE\n",
            program_invocation_short_name);
    return 1;
  }
  try {
    int result = generates       ? !precompileFile(paths[0])
                 : clears        ? !clearCache()
                 : listsCache    ? !listCache()
                 : environment   ? !listEnvironment()
                 : paths.empty() ? listDevices(asJson, withSimulators)
                                 : listFiles(paths, asJson);
    if (fflush(stdout) != 0) {
      fprintf(stderr, "%s: cannot write: %s\n", program_invocation_short_name,
              strerror(errno));
      return 1;
    }
    return result;
  } catch (const std::exception &e) {
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, e.what());
    return 1;
  }
}
