// Makes images from a linked module, using the cache
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generate.h"
#include "Diagnostics.h"
#include "Partition.h"
#include "support/ResultCache.h"
#include "targets/Codegen.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include <atomic>
#include <condition_variable>
#include <mutex>

using namespace llvm;

namespace xcc {
namespace {

/// Whether only code is requested. Other output (remarks, kept files) must come
/// from the whole module at every link.
bool isCodeOnly(const DeviceCodegenOptions &options) {
  return options.output == DeviceOutput::Image &&
         options.saveTempsPrefix.empty() && !options.resourceUsage &&
         options.remarks.empty() && options.missedRemarks.empty() &&
         options.analysisRemarks.empty();
}

SmallString<0> bitcodeOf(const Module &module) {
  SmallString<0> bytes;
  raw_svector_ostream os(bytes);
  WriteBitcodeToFile(module, os);
  return bytes;
}

//===----------------------------------------------------------------------===//
// Cached parts
//===----------------------------------------------------------------------===//

void addTo(CacheKey &key, const Kernel &kernel) {
  key.add(kernel.symbol);
  key.add(kernel.irName);
  key.add(kernel.name);
  for (uint64_t number :
       {uint64_t(kernel.kernargSize), uint64_t(kernel.kernargAlignment),
        uint64_t(kernel.maxThreads), uint64_t(kernel.minBlocks),
        kernel.fingerprint(), uint64_t(kernel.params.size())})
    key.add(number);
  for (const KernelParam &param : kernel.params)
    for (uint64_t number : {uint64_t(param.size), uint64_t(param.alignment),
                            uint64_t(param.offset), uint64_t(param.kind)})
      key.add(number);
}

/// A key that contains everything on which the code of a module depends.
CacheKey keyOf(StringRef bitcode, const CodegenInput &input,
               const Machine &machine) {
  const DeviceCodegenOptions &options = input.options;
  CacheKey key("part 1");
  key.add(identityOfThisCode());
  key.add(machine.triple);
  key.add(input.arch);
  key.add(machine.processor);
  key.add(machine.features);
  key.add(options.optLevel);
  key.add(options.debugInfo);
  key.add(options.program);
  key.add(input.isPart);
  key.add(input.parts);
  key.add(options.targetOptions.size());
  for (const std::string &option : options.targetOptions)
    key.add(option);
  key.add(input.kernels.size());
  for (const Kernel &kernel : input.kernels)
    addTo(key, kernel);
  key.add(bitcode);
  return key;
}

/// Writes numbers, and texts with their sizes.
class Writer {
public:
  SmallString<0> bytes;
  void add(uint64_t number) {
    char text[8];
    support::endian::write64le(text, number);
    bytes.append(StringRef(text, sizeof(text)));
  }
  void add(StringRef text) {
    add(text.size());
    bytes.append(text);
  }
};

class Reader {
public:
  explicit Reader(StringRef bytes) : rest(bytes) {}
  bool ok = true;

  uint64_t number() {
    if (rest.size() < 8) {
      ok = false;
      return 0;
    }
    uint64_t value = support::endian::read64le(rest.data());
    rest = rest.drop_front(8);
    return value;
  }
  StringRef text() {
    uint64_t size = number();
    ok &= size <= rest.size();
    if (!ok)
      return "";
    StringRef value = rest.take_front(size);
    rest = rest.drop_front(size);
    return value;
  }
  bool atEnd() const { return rest.empty(); }

private:
  StringRef rest;
};

SmallString<0> written(const GeneratedPart &part) {
  Writer out;
  out.add(part.code);
  out.add(part.rows);
  out.add(part.features);
  out.add(part.columns.size());
  for (const KernelColumn &column : part.columns)
    for (StringRef text : {StringRef(column.symbol), StringRef(column.key),
                           StringRef(column.value)})
      out.add(text);
  out.add(part.unknownAccess.size());
  for (const auto &why : part.unknownAccess) {
    out.add(why.getKey());
    out.add(why.getValue());
  }
  return out.bytes;
}

std::optional<GeneratedPart> readPart(StringRef bytes) {
  Reader in(bytes);
  GeneratedPart part;
  part.code = in.text();
  part.rows = in.text();
  part.features = in.text();
  for (uint64_t left = in.number(); in.ok && left; --left) {
    std::string symbol = in.text().str(), key = in.text().str();
    part.columns.push_back(
        {std::move(symbol), std::move(key), in.text().str()});
  }
  for (uint64_t left = in.number(); in.ok && left; --left) {
    StringRef symbol = in.text();
    part.unknownAccess[symbol] = in.text().str();
  }
  if (!in.ok || !in.atEnd())
    return std::nullopt;
  return part;
}

/// Generates the input's code, or takes it from the cache. `bitcode` is that of
/// the input's module. LLVM's errors are added to `errors`.
Expected<GeneratedPart> generateOnce(StringRef bitcode, Codegen &codegen,
                                     const CodegenInput &input,
                                     const std::string &errors) {
  ResultCache *cache = input.options.cache;
  // gcov's notes are files beside the code.
  if (!cache || input.module.getNamedMetadata("llvm.gcov"))
    return codegen.generate();
  Expected<Machine> machine = codegen.chooseMachine();
  if (!machine)
    return machine.takeError();
  CacheKey key = keyOf(bitcode, input, *machine);
  if (auto stored = cache->find(key))
    if (auto part = readPart(stored->getBuffer()))
      return std::move(*part);
  auto part = codegen.generate();
  if (part && errors.empty())
    cache->store(key, written(*part));
  return part;
}

//===----------------------------------------------------------------------===//
// Parallel generation of parts
//===----------------------------------------------------------------------===//

/// Limits the threads of this process that generate parts, over all archs, to
/// the number of cores.
class CoreSlot {
public:
  CoreSlot() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return running < cores(); });
    ++running;
  }
  ~CoreSlot() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      --running;
    }
    changed.notify_one();
  }
  static unsigned cores() {
    static const unsigned count =
        std::max(1u, hardware_concurrency().compute_thread_count());
    return count;
  }

private:
  static inline std::mutex mutex;
  static inline std::condition_variable changed;
  static inline unsigned running = 0;
};

/// A part to be generated.
struct Job {
  SmallString<0> bitcode;
  KernelTable kernels;
  unsigned parts = 1;
  std::optional<Expected<GeneratedPart>> result;
  std::string errors;
};

/// Why units' code is optimised together although it should be separate; empty
/// if it is separate.
std::string whyTogether(const Partition &partition, bool quiet,
                        const Codegen &codegen) {
  if (!quiet)
    return "all device code is generated at once, because an option prints or "
           "keeps its stages";
  if (!codegen.linksParts())
    return "an image for this device is generated as a whole";
  if (!codegen.callsOtherParts())
    return "a kernel for this device is generated with all that it calls, as "
           "with -foffload-lto=thin";
  if (partition.parts.size() < 2)
    return "the device code of all units is optimised together, because "
           "kernels share variables or functions that exist only once";
  if (partition.copied.empty())
    return "";
  size_t more = partition.copied.size() - 1;
  return "'" + demangle(partition.copied.front()->getName()) + "'" +
         (more ? " and " + utostr(more) + " more functions are" : " is") +
         " optimised with the kernels of other units that call " +
         (more ? "them" : "it") +
         ": functions that use the index of their thread, or wait for others, "
         "become part of a kernel";
}

void generate(Job &job, const Target &target, StringRef arch,
              const DeviceCodegenOptions &options) {
  LLVMContext context;
  std::vector<std::string> remarks;
  context.setDiagnosticHandler(
      collectDiagnostics(job.errors, remarks, options));
  auto module = parseBitcodeFile(MemoryBufferRef(job.bitcode, "part"), context);
  if (!module) {
    job.result.emplace(module.takeError());
    return;
  }
  CodegenInput input = {**module,        arch,     job.kernels, options,
                        /*isPart=*/true, job.parts};
  std::unique_ptr<Codegen> codegen = target.codegen(input);
  job.result.emplace(generateOnce(job.bitcode, *codegen, input, job.errors));
  job.bitcode = SmallString<0>();
}

} // namespace

Expected<std::vector<DeviceImage>> generateImages(LinkedModule linked,
                                                  bool &divided) {
  DeviceCodegenOptions options = linked.options;
  bool quiet = isCodeOnly(options);
  if (!quiet)
    options.cache = nullptr;
  auto makeCodegen = [&](Module &module, const KernelTable &kernels) {
    return linked.target.codegen({module, linked.arch, kernels, options});
  };
  std::unique_ptr<Codegen> whole = makeCodegen(*linked.module, linked.kernels);
  if (options.output != DeviceOutput::Image)
    return whole->run();

  Partition partition;
  bool apart = options.lto == OffloadLTO::None && whole->callsOtherParts();
  if (quiet && options.lto != OffloadLTO::Full && whole->linksParts())
    partition = divide(*linked.module, linked.kernels,
                       {[&](StringRef symbol) {
                          auto unit = linked.units.find(symbol);
                          return unit == linked.units.end()
                                     ? -1
                                     : int(unit->getValue());
                        },
                        apart});
  if (options.lto == OffloadLTO::None)
    linked.together = whyTogether(partition, quiet, *whole);
  divided = partition.parts.size() > 1;
  if (!divided) {
    SmallString<0> bitcode;
    if (options.cache)
      bitcode = bitcodeOf(*linked.module);
    auto part = generateOnce(
        bitcode, *whole, {*linked.module, linked.arch, linked.kernels, options},
        linked.errors);
    if (!part)
      return part.takeError();
    if (!linked.errors.empty())
      return createStringError(linked.errors);
    return whole->link(*part);
  }

  std::vector<Job> jobs(partition.parts.size());
  for (StructType *type : linked.module->getIdentifiedStructTypes())
    if (!type->isLiteral())
      type->setName("");
  for (const auto &[number, job] : enumerate(jobs)) {
    job.parts = bit_ceil(jobs.size());
    job.bitcode = bitcodeOf(*extract(*linked.module, partition, number));
    for (unsigned kernel : partition.parts[number].kernels)
      job.kernels.push_back(linked.kernels[kernel]);
  }
  linked.module.reset(); // frees memory for the parts

  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t number; (number = next++) < jobs.size();) {
      CoreSlot turn;
      generate(jobs[number], linked.target, linked.arch, options);
    }
  };
  std::vector<llvm::thread> threads;
  for (size_t i = 0; i != std::min<size_t>(jobs.size(), CoreSlot::cores()); ++i)
    threads.emplace_back(std::optional<unsigned>(8 << 20), work);
  for (llvm::thread &thread : threads)
    thread.join();

  std::vector<GeneratedPart> parts;
  Error failed = Error::success();
  for (Job &job : jobs) {
    linked.errors += job.errors;
    if (*job.result)
      parts.push_back(std::move(**job.result));
    else
      failed = joinErrors(std::move(failed), job.result->takeError());
  }
  if (failed)
    return std::move(failed);
  if (!linked.errors.empty())
    return createStringError(linked.errors);
  return whole->link(parts);
}

} // namespace xcc
