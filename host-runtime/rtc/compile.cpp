// From a text to images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As the driver does it, on one thread: Clang's driver says what -cc1 is given,
// a device pass runs for each target, and the device link makes the images.

#include "compile.h"
#include "Options.h"
#include "files.h"
#include "jit/loaded.h"
#include "link/DeviceLink.h"
#include "link/Embed.h"
#include "preambles.h"
#include "unit/DevicePass.h"
#include "unit/Invocations.h"
#include "unit/RunTimeSource.h"
#include "clang/Basic/Stack.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Tool.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/TargetParser/Host.h"
#include <optional>

using namespace llvm;
namespace cd = clang::driver;

namespace xcc {
namespace {

/// The folder in which this library's xcc is installed.
const std::string &prefix() {
  static const std::string found = [] {
    static int anchor;
    SmallString<256> real;
    std::string path = libraryOf(&anchor).path;
    if (sys::fs::real_path(path, real))
      real = path;
    return sys::path::parent_path(sys::path::parent_path(real)).str();
  }();
  return found;
}

class Compiler {
public:
  Compiler(const xcc_rtc_request &request, StringRef identity, Compiled &out)
      : request(request), how(*request.options), identity(identity), out(out),
        name(how.name && *how.name ? how.name : "source") {}

  Error run() {
    if (Error error = readOptions())
      return error;
    files = makeIntrusiveRefCnt<NotedFiles>();
    source.expressions.assign(how.kernels, how.kernels + how.kernel_count);
    if (Error error = checkExpressions())
      return error;
    if (Error error = checkHeaders())
      return error;
    std::string text = wholeText(name, StringRef(request.text, request.size),
                                 source.expressions);
    source.files = withTexts(files, TextName, text, how);
    std::vector<std::string> images;
    if (buildCompilation() && compile())
      link(images);
    describe(images);
    return Error::success();
  }

private:
  const xcc_rtc_request &request;
  const xcc_source_options &how;
  StringRef identity;
  Compiled &out;
  std::string name;
  Options options;
  IntrusiveRefCntPtr<NotedFiles> files;
  RunTimeSource source;
  TranslationUnit unit;
  DiagnosticLog log;
  std::vector<DeviceModule> modules;

  static constexpr StringLiteral TextName = " the text";

  static std::string textPath() { return (TextFolder + "/" + TextName).str(); }

  /// The archs first: what the options say comes after it.
  Error readOptions() {
    std::vector<std::string> args = {"xcc"};
    args.push_back("-offload-arch=" + (how.arch ? how.arch : deviceArch()));
    args.insert(args.end(), how.arguments, how.arguments + how.argument_count);
    std::vector<const char *> raw;
    for (const std::string &arg : args)
      raw.push_back(arg.c_str());
    auto parsed = parseOptions(raw);
    if (!parsed)
      return parsed.takeError();
    options = std::move(*parsed);
    if (options.unit.program || options.hostOnly || options.saveTemps ||
        options.help || options.printArchs || options.version ||
        options.dryRun || options.complete || options.unit.hostCalls ||
        !options.kernelInfoFile.empty())
      return createStringError("an option is for files and programs, and not "
                               "for source that a program compiles");
    for (StringRef arg : drop_begin(options.clangArgs))
      if (isOfFiles(arg))
        return createStringError("the option '" + arg +
                                 "' is for files and programs, and not for "
                                 "source that a program compiles");
    if (is_contained(options.clangArgs, "-mllvm"))
      return createStringError("-mllvm is for the whole process, and cannot be "
                               "given for one source");
    return Error::success();
  }

  /// What Clang's driver would leave out without a word, or Clang: what else
  /// than code to make, and where to; which language it is; code to load.
  static bool isOfFiles(StringRef arg) {
    static constexpr StringLiteral whole[] = {"-o",
                                              "-E",
                                              "-S",
                                              "-c",
                                              "-x",
                                              "-P",
                                              "-emit-llvm",
                                              "-emit-ast",
                                              "-fsyntax-only",
                                              "-save-temps",
                                              "--save-temps",
                                              "-v",
                                              "-shared",
                                              "-static",
                                              "-r",
                                              "-pipe",
                                              "-l",
                                              "-L",
                                              "-Xlinker",
                                              "--"},
                                   begin[] = {"-M",
                                              "-x",
                                              "-ftime-",
                                              "-fplugin",
                                              "-fpass-plugin",
                                              "-save-temps=",
                                              "--save-temps=",
                                              "-l",
                                              "-L",
                                              "-Wl,",
                                              "-Wa,",
                                              "-Wp,",
                                              "-print-",
                                              "--print-",
                                              "@",
                                              "--serialize-diagnostics",
                                              "-serialize-diagnostics",
                                              "-fmodule",
                                              "-fprebuilt-module",
                                              "-gsplit-dwarf",
                                              "-foptimization-record",
                                              "-fsave-optimization-record",
                                              "-fproc-stat-report",
                                              "-fcrash-diagnostics"};
    return is_contained(whole, arg) || any_of(begin, [&](StringRef prefix) {
             return arg.starts_with(prefix);
           });
  }

  /// The device's arch, or the newest that LLVM knows whose code it runs.
  std::string deviceArch() const {
    for (const Target *target : allTargets())
      if (auto arch = target->parseArch(request.arch))
        return *arch;
    for (const Target *target : allTargets())
      if (auto arch = target->nearestArch(request.arch))
        return *arch;
    return request.arch;
  }

  Error checkExpressions() const {
    for (StringRef expression : source.expressions)
      if (expression.empty() || expression.contains('\n') ||
          expression.contains('#'))
        return createStringError("'" + expression +
                                 "' is no expression that names a kernel");
    return Error::success();
  }

  Error checkHeaders() const {
    StringMap<StringRef> texts;
    for (uint64_t i = 0; i != how.header_count; ++i) {
      StringRef name = how.headers[i].name,
                text(how.headers[i].text, how.headers[i].size);
      auto [at, isNew] = texts.try_emplace(name, text);
      if (!isNew && at->second != text)
        return createStringError("the header '" + name +
                                 "' is given twice, with different texts");
    }
    return Error::success();
  }

  bool buildCompilation() {
    clang::DiagnosticOptions diagnosticOptions;
    auto consumer = makeLoggingConsumer(log, diagnosticOptions);
    clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(),
                                         diagnosticOptions, consumer.get(),
                                         /*ShouldOwnClient=*/false);
    std::string clang = XCC_LLVM_ROOT "/bin/clang++";
    cd::Driver driver(clang, sys::getDefaultTargetTriple(), diagnostics,
                      "xcc run-time compiler", source.files);
    driver.setTargetAndMode(
        cd::ToolChain::getTargetAndModeFromProgramName("clang++"));
    driver.setCheckInputsExist(false);
    std::vector<std::string> words = {clang, "-fsyntax-only"};
    append_range(words, ArrayRef(options.clangArgs).drop_front());
    append_range(
        words, std::vector<std::string>{"-isystem" + prefix() + "/include",
                                        "-I" + TextFolder.str(), "-include",
                                        "xcc/xcc.h", "-x", "c++", textPath()});
    std::vector<const char *> args;
    for (const std::string &word : words)
      args.push_back(word.c_str());
    std::unique_ptr<cd::Compilation> compilation(driver.BuildCompilation(args));
    if (!compilation || compilation->containsError() || log.hasErrors())
      return failed();
    const cd::JobList &jobs = compilation->getJobs();
    if (jobs.size() != 1 ||
        StringRef(jobs.begin()->getArguments().front()) != "-cc1") {
      log.error("the options name other files than the source, or request "
                "something other than compiling it");
      return false;
    }
    // A compiler's process ends after its file, and leaves it all as it is.
    for (StringRef arg : drop_begin(jobs.begin()->getArguments()))
      if (arg != "-disable-free")
        unit.cc1Args.push_back(arg.str());
    unit.clangPath = clang;
    return true;
  }

  bool failed() {
    if (!log.hasErrors())
      log.error("Clang's driver cannot tell how to compile the source");
    return false;
  }

  bool compile() {
    unit.given = options.unit.given;
    unit.warnings = options.unit.warnings;
    unit.hostPass = false;
    unit.exports = false;
    unit.source = &source;
    for (const DeviceArch &arch : options.archs)
      unit.archs.push_back(arch.arch);
    std::vector<const Target *> targets;
    for (const DeviceArch &arch : options.archs)
      if (!is_contained(targets, arch.target))
        targets.push_back(arch.target);
    clang::noteBottomOfStack();
    auto host = hostInvocation(unit, log);
    if (!host)
      return failed();
    const StringRef text(request.text, request.size);
    const LeadingHeaders leading(text);
    const std::string unique = uniqueSuffix(unit, *host);
    auto texts = source.files;
    for (const Target *target : targets) {
      auto preamble =
          preambleFor(unit, *target, *host, request, leading.lines, identity);
      std::unique_ptr<DevicePass> pass;
      std::optional<DeviceModule> module;
      auto run = [&] {
        source.kernels.clear();
        source.variables.clear();
        std::promise<DeviceModule> unused;
        pass =
            std::make_unique<DevicePass>(unit, *target, *host, unique, unused);
        module.reset();
        module.emplace(pass->compileHere());
        source.files = texts;
        source.preamble.clear();
      };
      if (preamble) {
        StringRef rest = preamble->headers.empty() ? text : leading.remainder;
        source.files = withPreamble(texts, *preamble, source.preamble, TextName,
                                    wholeText(name, rest, source.expressions));
        files->take(preamble->files);
        run();
      }
      // Errors are said as they are without.
      if (!preamble || !pass->success ||
          (module->module && !preamble->suits(*module->module)))
        run();
      log.merge(pass->log);
      log.said.insert(log.said.end(), pass->log.said.begin(),
                      pass->log.said.end());
      if (!pass->success)
        return failed();
      if (pass->layouts.empty()) {
        log.error("the source has no kernels: functions that it defines, that "
                  "return void and have external linkage, and what the options "
                  "name");
        return false;
      }
      module->origin = name;
      module->archs = options.archs;
      modules.push_back(std::move(*module));
    }
    return true;
  }

  bool link(std::vector<std::string> &images) {
    describeKernels(modules.front().kernels);
    for (const Target *target : allTargets())
      for (StringRef file : target->runtimeFiles())
        files->note(prefix() + "/lib/xcc/" + file.str());
    DeviceLinkOptions wanted;
    wanted.archs = options.archs;
    wanted.optLevelGiven = options.unit.given.optLevel;
    wanted.codegen = options.codegen;
    DeviceCodegenOptions &codegen = wanted.codegen;
    codegen.runtimeDirectory = prefix() + "/lib/xcc";
    codegen.inProgram = true;
    codegen.sharedLibraries = processLibraries();
    codegen.lto = OffloadLTO::Full;
    auto made = linkDevice(std::move(modules), wanted);
    if (!made) {
      sayLinkErrors(toString(made.takeError()));
      return false;
    }
    for (const DeviceImage &image : made->images)
      images.push_back(packImage(image).str().str());
    if (images.empty())
      return failed();
    return true;
  }

  /// What the device link says is lines, of errors and of the notes to each:
  /// the first that is of a place says where the error is.
  void sayLinkErrors(StringRef text) {
    using Level = clang::DiagnosticsEngine::Level;
    std::vector<DiagnosticLog::Reported> list;
    static const Regex note("^((.*):([0-9]+):([0-9]+): )?note: (.*)$");
    for (StringRef line : split(text.rtrim(), '\n')) {
      SmallVector<StringRef, 6> parts;
      if (!note.match(line, &parts)) {
        line.consume_front("error: ");
        list.push_back({Level::Error, {}, 0, 0, line.str()});
        continue;
      }
      DiagnosticLog::Reported said{Level::Note, parts[2].str(), 0, 0,
                                   parts[5].str()};
      parts[3].getAsInteger(10, said.line);
      parts[4].getAsInteger(10, said.column);
      if (parts[5].starts_with("link the object that defines it"))
        said.message = "define it in the source, or in a header that it "
                       "includes, or call the program's with xcc::host_call";
      if (DiagnosticLog::Reported *last = list.empty() ? nullptr : &list.back();
          last && last->level == Level::Error && said.line) {
        last->file = said.file;
        last->line = said.line;
        last->column = said.column;
      }
      list.push_back(std::move(said));
    }
    for (const DiagnosticLog::Reported &said : list) {
      std::string shown = said.line ? said.file + ":" + utostr(said.line) +
                                          ":" + utostr(said.column) + ": "
                                    : "";
      shown += (said.level == Level::Error ? "error: " : "note: ") +
               said.message + "\n";
      if (said.level == Level::Error || log.entries.empty())
        log.entries.push_back({Level::Error, shown});
      else
        log.entries.back().text += shown;
    }
    append_range(log.said, list);
  }

  void describeKernels(const KernelTable &kernels) {
    for (const Kernel &kernel : kernels) {
      rt::SourceKernel &row = out.table.kernels.emplace_back();
      row.symbol = kernel.symbol;
      row.name = kernel.name;
      row.file = kernel.file;
      row.line = kernel.line;
      row.column = kernel.column;
      row.kernargSize = kernel.kernargSize;
      row.kernargAlignment = kernel.kernargAlignment;
      row.fingerprint = kernel.fingerprint();
      auto named = find_if(source.kernels, [&](const NamedKernel &each) {
        return each.symbol == kernel.symbol;
      });
      if (named != source.kernels.end())
        row.expressions = named->expressions;
      for (const auto &[number, param] : enumerate(kernel.params)) {
        rt::SourceParam &p = row.params.emplace_back();
        p.name = param.name;
        p.type = param.type;
        p.size = param.size;
        p.alignment = param.alignment;
        p.offset = param.offset;
        p.kind = param.kind;
        if (named != source.kernels.end() && number < named->types.size()) {
          p.how = named->types[number].kind;
          p.mangled = named->types[number].mangled;
        }
      }
      for (const KernelCapture &capture : kernel.captures)
        row.captures.push_back({capture.name, capture.type, capture.size,
                                capture.offset, capture.byReference,
                                uint32_t(capture.kind)});
      for (const KernelPlace &place : kernel.specialized)
        row.specialized.push_back({place.offset, place.size});
    }
    for (const NamedVariable &variable : source.variables)
      out.table.variables.push_back({variable.name, variable.type,
                                     variable.size, variable.symbol,
                                     variable.mangled.mangled});
  }

  static uint32_t levelOf(clang::DiagnosticsEngine::Level level) {
    switch (level) {
    case clang::DiagnosticsEngine::Ignored:
    case clang::DiagnosticsEngine::Note:
      return XCC_SOURCE_NOTE;
    case clang::DiagnosticsEngine::Remark:
      return XCC_SOURCE_REMARK;
    case clang::DiagnosticsEngine::Warning:
      return XCC_SOURCE_WARNING;
    case clang::DiagnosticsEngine::Error:
    case clang::DiagnosticsEngine::Fatal:
      return XCC_SOURCE_ERROR;
    }
    return XCC_SOURCE_ERROR;
  }

  void describe(const std::vector<std::string> &images) {
    raw_string_ostream os(out.table.log);
    log.print(os, /*withSummary=*/true);
    for (const DiagnosticLog::Reported &said : log.said)
      out.table.diagnostics.push_back({levelOf(said.level), said.line,
                                       said.column, said.file, said.message});
    if (log.hasErrors())
      return;
    for (const std::string &image : images)
      out.images += image;
    files->describe(out.table);
  }
};

} // namespace

Error compileText(const xcc_rtc_request &request, StringRef identity,
                  Compiled &out) {
  return Compiler(request, identity, out).run();
}

} // namespace xcc
