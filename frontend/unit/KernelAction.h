// Clang's frontend actions with an EndConsumer
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_KERNELACTION_H
#define XCC_FRONTEND_UNIT_KERNELACTION_H

#include "kernels/check/HostInstructions.h"
#include "support/Processes.h"
#include "unit/DeviceModes.h"
#include "unit/EndConsumer.h"
#include "unit/HostFormats.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include <functional>
#include <memory>
#include <vector>

namespace xcc {

/// A frontend action of Clang with an EndConsumer before its own consumer.
template <class Base> class WithKernels : public Base {
public:
  template <class... A>
  explicit WithKernels(EndConsumer::Callback atEnd,
                       std::function<bool()> enabled, A &&...args)
      : Base(std::forward<A>(args)...), atEnd(std::move(atEnd)),
        enabled(std::move(enabled)) {}

  /// If set, the output goes through the stream that this makes of Clang's.
  using Output = std::unique_ptr<llvm::raw_pwrite_stream>;
  std::function<Output(Output)> wrap;

protected:
  bool BeginInvocation(clang::CompilerInstance &ci) override {
    if (ci.getLangOpts().SYCLIsDevice && ci.getTarget().getTriple().isGPU())
      keepHostFormats(ci);
    return Base::BeginInvocation(ci);
  }
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &ci,
                    llvm::StringRef file) override {
    std::unique_ptr<clang::ASTConsumer> own;
    {
      // A signal between the creation of Clang's output and its registration
      // for removal would leave the file.
      UnknownFiles output;
      if (wrap) {
        Output real = ci.createDefaultOutputFile(/*Binary=*/true, file, "o");
        if (!real)
          return nullptr;
        ci.setOutputStream(wrap(std::move(real)));
      }
      own = Base::CreateASTConsumer(ci, file);
    }
    if (!own)
      return nullptr;
    if (ci.getLangOpts().SYCLIsDevice) {
      if (ci.getTarget().getTriple().isGPU())
        permitHostInstructions(ci.getTarget());
      own = std::make_unique<PlainCodegen>(ci.getLangOpts(), std::move(own));
    }
    std::vector<std::unique_ptr<clang::ASTConsumer>> list;
    list.push_back(std::make_unique<EndConsumer>(atEnd, enabled));
    list.push_back(std::move(own));
    if (ci.getLangOpts().SYCLIsDevice && !ci.getTarget().getTriple().isGPU())
      return std::make_unique<ModeForConsumers>(ci.getLangOpts(),
                                                std::move(list));
    return std::make_unique<clang::MultiplexConsumer>(std::move(list));
  }

private:
  EndConsumer::Callback atEnd;
  std::function<bool()> enabled;
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_KERNELACTION_H
