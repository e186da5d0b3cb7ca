// The device link: makes images from device modules
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceLink.h"
#include "DuplicateKernels.h"
#include "UnitLink.h"
#include "llvm/Support/thread.h"
#include <map>

using namespace llvm;

namespace xcc {
namespace {

using Units = std::vector<std::unique_ptr<UnitLink>>;

/// An image to make.
struct Job {
  UnitLink *unit;
  std::string arch;
  std::optional<Expected<std::vector<DeviceImage>>> result;
};

/// Opens a UnitLink for each target that has inputs.
Expected<Units> openUnits(std::vector<DeviceModule> &inputs,
                          const DeviceLinkOptions &options,
                          DuplicateKernels *duplicates) {
  Units units;
  for (const Target *target : allTargets()) {
    std::vector<DeviceModule *> own;
    for (DeviceModule &input : inputs)
      if (input.target == target)
        own.push_back(&input);
    if (own.empty())
      continue;
    auto unit = std::make_unique<UnitLink>(*target, std::move(own), options);
    auto any = unit->open(duplicates);
    if (!any)
      return any.takeError();
    if (*any)
      units.push_back(std::move(unit));
  }
  return units;
}

/// Makes the images of all archs in parallel, on threads with enough stack for
/// LLVM.
std::vector<Job> makeImages(const Units &units) {
  std::vector<Job> jobs;
  for (const auto &unit : units)
    for (const std::string &arch : unit->archs)
      jobs.push_back({unit.get(), arch, std::nullopt});
  auto run = [](Job &job) { job.result.emplace(job.unit->image(job.arch)); };
  if (jobs.size() == 1) {
    run(jobs.front());
    return jobs;
  }
  std::vector<llvm::thread> threads;
  for (Job &job : jobs)
    threads.emplace_back(std::optional<unsigned>(8 << 20),
                         [&job, &run] { run(job); });
  for (llvm::thread &thread : threads)
    thread.join();
  return jobs;
}

/// The images of all jobs, or their errors.
Expected<std::vector<DeviceImage>> imagesOf(std::vector<Job> jobs) {
  std::vector<DeviceImage> images;
  std::map<std::string, std::string> failures; // message -> archs
  for (Job &job : jobs) {
    if (*job.result) {
      for (DeviceImage &image : **job.result)
        images.push_back(std::move(image));
      continue;
    }
    std::string &archs = failures[toString(job.result->takeError())];
    archs += (archs.empty() ? "" : ", ") + job.arch;
  }
  if (failures.empty())
    return images;
  // If every arch failed alike, print the message once, without an arch.
  if (failures.size() == 1 && images.empty())
    return createStringError(failures.begin()->first);
  std::string all;
  for (const auto &[message, archs] : failures)
    all += "for " + archs + ": " + StringRef(message).rtrim().str() + "\n";
  return createStringError(all);
}

/// Adds a shared library's exports, also to its images.
Error addExports(const Units &units, DeviceLinkResult &linked) {
  for (const auto &unit : units) {
    if (unit->archs.empty())
      continue;
    auto made = unit->exports();
    if (!made)
      return made.takeError();
    if (made->text.empty())
      continue;
    for (DeviceImage &image : linked.images)
      if (findTargetByTriple(image.triple) == &unit->target)
        image.exports = made->text;
    linked.exports.push_back(std::move(*made));
  }
  return Error::success();
}

} // namespace

Expected<DeviceLinkResult> linkDevice(std::vector<DeviceModule> inputs,
                                      const DeviceLinkOptions &options) {
  std::optional<DuplicateKernels> duplicates;
  if (!options.codegen.program)
    duplicates.emplace(inputs);
  auto units = openUnits(inputs, options, duplicates ? &*duplicates : nullptr);
  if (!units)
    return units.takeError();
  auto images = imagesOf(makeImages(*units));
  if (!images)
    return images.takeError();
  DeviceLinkResult linked;
  linked.renamed = duplicates && duplicates->any();
  linked.images = std::move(*images);
  if (!options.library.empty())
    if (Error error = addExports(*units, linked))
      return std::move(error);
  return linked;
}

} // namespace xcc
