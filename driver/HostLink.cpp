// The host link, with images and runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostLink.h"
#include "Jobs.h"
#include "LinkerArguments.h"
#include "ProgramLink.h"
#include "SharedLibraries.h"
#include "link/ImageObject.h"
#include "support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace xcc {
namespace {

/// Writes the images as a temporary object file.
Expected<std::string> imageFile(Plan &plan, const DeviceLinkResult &linked,
                                bool hasRecord) {
  auto file = TemporaryFile::create("xcc-images", "o");
  if (!file)
    return file.takeError();
  plan.temporaries.push_back(file->release());
  if (Error error =
          writeImageObject(linked, hasRecord, plan.link->triple,
                           plan.temporaries.back(), plan.link->program))
    return std::move(error);
  return plan.temporaries.back();
}

/// Wraps functions that set signal handlers, so that the runtime still handles
/// faults of kernels (host-runtime/src/interface/signal_calls.cpp).
void wrapSignals(std::vector<std::string> &args, bool hasImages) {
  if (hasImages)
    for (const char *name :
         {"sigaction", "signal", "bsd_signal", "__sysv_signal"})
      args.push_back(std::string("--wrap=") + name);
}

/// The runtime library as linker arguments.
Expected<std::vector<std::string>> runtimeArgs(const DriverEnv &env,
                                               const LinkStep &link,
                                               bool hasImages,
                                               const Options &options) {
  std::string library = env.installation.runtime(options.sharedRuntime);
  if (!env.fs->exists(library)) {
    // A program without device code does not need it.
    if (!hasImages)
      return std::vector<std::string>();
    return createStringError("cannot find the runtime library '" + library +
                             "'; is xcc installed completely?");
  }
  if (options.sharedRuntime) {
    std::vector<std::string> args = {
        "--push-state", "--as-needed", library,
        "--pop-state",  "-rpath",      env.installation.library()};
    wrapSignals(args, hasImages);
    return args;
  }
  std::vector<std::string> args = {library};
  wrapSignals(args, hasImages);
  // A library's copy of the runtime stays private; it finds the process's
  // runtime by itself (src/interface/ of host-runtime). A program exports its
  // copy for all, also for libraries that were linked without one.
  if (link.shared)
    args.push_back("--exclude-libs=" + sys::path::filename(library).str());
  else if (hasImages)
    args.push_back("--export-dynamic-symbol=xcc_*");
  return args;
}

/// Adds libstdc++, which libxcc needs, to a link with libc++. Symbols of both,
/// above all exceptions and operator new, come from libc++, which is found
/// first. The archives of both cannot be linked together.
void addOwnLibrary(std::vector<std::string> &args) {
  auto libcxx = find(args, "-lc++");
  if (libcxx == args.end())
    return;
  size_t at = libcxx - args.begin() + 1;
  std::vector<std::string> ours = {"--push-state", "-Bdynamic", "--as-needed",
                                   "-lstdc++", "--pop-state"};
  args.insert(args.begin() + at, ours.begin(), ours.end());
}

/// The arguments for a program's loader. The loader links libstdc++ statically
/// if it can. Then replacements such as of operator new affect only the
/// program's own code, and a program in C needs no libstdc++.
std::vector<std::string> loaderArgs(const DriverEnv &env, const Plan &plan) {
  std::vector<std::string> args = loaderFiles(env.installation);
  bool archive = any_of(plan.libraryPaths, [&](StringRef path) {
    return env.fs->exists(path + "/libstdc++.a");
  });
  if (archive)
    append_range(args, ArrayRef<std::string>{"-l:libstdc++.a", "-lgcc_eh"});
  else
    args.push_back("-lstdc++");
  append_range(args, ArrayRef<std::string>{"--as-needed", "-lm",
                                           "--no-as-needed", "-z", "now"});
  return args;
}

} // namespace

Error writeImageFile(const Plan &plan, ArrayRef<DeviceImage> images) {
  return writeOutput(plan.link->output, packImages(images));
}

Error writeDeviceObject(const DriverEnv &env, const Plan &plan,
                        const DeviceLinkResult &linked, bool hasKernels,
                        ArrayRef<std::string> needed, const Options &options) {
  const LinkStep &link = *plan.link;
  // Device code finds a library by its name, which is not the object's.
  if (!linked.exports.empty() && nameOfLibrary(link.command.args, "").empty())
    return createStringError(
        "--device-link -shared needs the name of the library, by which other "
        "device code finds its variables: add -Wl,-soname,libNAME.so, here and "
        "at "
        "the link");
  bool hasRecord = !linked.images.empty() || hasKernels;
  if (!options.noWarnings && !hasRecord && linked.exports.empty())
    env.err << "xcc: note: none of these files holds kernels: '" << link.output
            << "' is empty\n";
  if (!options.noWarnings && !needed.empty())
    env.err << "xcc: note: kernels use variables of " << join(needed, ", ")
            << ", which a link with --as-needed may leave out\n";
  return writeImageObject(linked, hasRecord, link.triple, link.output,
                          /*program=*/false);
}

Error linkHost(const DriverEnv &env, Plan &plan, const DeviceLinkResult &linked,
               bool hasKernels, ArrayRef<std::string> needed,
               const Options &options) {
  const LinkStep &link = *plan.link;
  bool hasRecord = !linked.images.empty() || hasKernels;
  std::vector<std::string> ours;
  if (!link.relocatable && (hasRecord || !linked.exports.empty())) {
    auto object = imageFile(plan, linked, hasRecord);
    if (!object)
      return object.takeError();
    ours.push_back(*object);
  }
  if (link.program) {
    append_range(ours, loaderArgs(env, plan));
  } else if (!link.relocatable && !link.bare) {
    auto runtime = runtimeArgs(env, link, hasRecord, options);
    if (!runtime)
      return runtime.takeError();
    append_range(ours, *runtime);
  }
  // The host's code may not use these libraries, so the linker must not drop
  // them.
  if (!needed.empty() && hasOption(readLinkerArguments(link.command.args),
                                   LinkerOption::AsNeeded)) {
    append_range(ours, ArrayRef<std::string>{"--push-state", "--no-as-needed",
                                             "-Bdynamic"});
    append_range(ours, needed);
    ours.push_back("--pop-state");
  }
  CommandStep command = link.command;
  command.args.insert(command.args.begin() + link.insertAt, ours.begin(),
                      ours.end());
  if (!link.relocatable && !link.bare && !link.program && !ours.empty()) {
    bool isStatic = is_contained(command.args, "-static") ||
                    is_contained(command.args, "-static-pie");
    if (isStatic && hasRecord && link.cxxLibrary == "-lc++")
      return createStringError(
          "-static and -stdlib=libc++ exclude each other in a program "
          "with kernels: libxcc needs libstdc++, and the archives of "
          "both libraries define the same exceptions; leave out "
          "-static (-static-libstdc++ links libc++ alone statically), "
          "or -stdlib=libc++");
    if (!isStatic)
      addOwnLibrary(command.args);
  }
  PendingOutput output(link.output);
  Error error = runProgram(env, command, options.verbose);
  if (error)
    removeOutput(link.output);
  return error;
}

} // namespace xcc
