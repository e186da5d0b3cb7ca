// Collects LLVM's diagnostics of linking and code generation
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Diagnostics.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xcc {
namespace {

class CollectDiagnostics : public DiagnosticHandler {
public:
  CollectDiagnostics(std::string &errors, std::vector<std::string> &remarks,
                     const DeviceCodegenOptions &options)
      : errors(errors), remarks(remarks), passed(options.remarks),
        missed(options.missedRemarks), analysis(options.analysisRemarks) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (const auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info)) {
      addRemark(*remark);
      return true;
    }
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream os(errors);
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    os << '\n';
    return true;
  }
  bool isPassedOptRemarkEnabled(StringRef pass) const override {
    return passed.matches(pass);
  }
  bool isMissedOptRemarkEnabled(StringRef pass) const override {
    return missed.matches(pass);
  }
  bool isAnalysisRemarkEnabled(StringRef pass) const override {
    return analysis.matches(pass);
  }
  bool isAnyRemarkEnabled() const override {
    return passed.on || missed.on || analysis.on;
  }

private:
  struct Pattern {
    explicit Pattern(StringRef text) : on(!text.empty()), regex(text) {}
    bool on;
    Regex regex;
    bool matches(StringRef pass) const { return on && regex.match(pass); }
  };
  std::string &errors;
  std::vector<std::string> &remarks;
  Pattern passed, missed, analysis;

  void addRemark(const DiagnosticInfoOptimizationBase &remark) {
    StringRef pass = remark.getPassName(), option = "-Rpass-analysis=";
    if (remark.isPassed())
      option = "-Rpass=";
    else if (remark.isMissed())
      option = "-Rpass-missed=";
    bool wanted = remark.isPassed()   ? passed.matches(pass)
                  : remark.isMissed() ? missed.matches(pass)
                                      : analysis.matches(pass);
    // The loop that all kernels share has no source location.
    if (!wanted || remark.getFunction().getName().starts_with("xcc."))
      return;
    std::string line;
    raw_string_ostream os(line);
    if (remark.isLocationAvailable()) {
      DiagnosticLocation at = remark.getLocation();
      os << at.getRelativePath() << ':' << at.getLine() << ':' << at.getColumn()
         << ": ";
    }
    os << "remark: " << remark.getMsg() << " [" << option << pass << ']';
    if (!is_contained(remarks, line))
      remarks.push_back(std::move(line));
  }
};

} // namespace

std::unique_ptr<DiagnosticHandler>
collectDiagnostics(std::string &errors, std::vector<std::string> &remarks,
                   const DeviceCodegenOptions &options) {
  return std::make_unique<CollectDiagnostics>(errors, remarks, options);
}

} // namespace xcc
