// The kernarg layout of one kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelLayout.h"
#include "KernelFinder.h"
#include "LaunchBounds.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace xcc {
namespace {

class Describer {
public:
  Describer(Sema &sema, FoundKernel &kernel)
      : sema(sema), context(sema.getASTContext()), kernel(kernel),
        info(kernel.info), policy(context.getPrintingPolicy()) {
    policy.SuppressTagKeyword = true;
    policy.Bool = true;
  }

  void run() {
    if (kernel.function) {
      place(kernel.function);
      readLaunchBounds(sema, kernel.function, info);
      llvm::raw_string_ostream os(info.name);
      kernel.function->getNameForDiagnostic(os, policy, /*Qualified=*/true);
      for (const ParmVarDecl *param : kernel.function->parameters())
        add(param->getName(), param->getType());
    } else {
      describeObject();
    }
    info.kernargSize = size;
    // The segment of every target is at least 16-byte aligned.
    info.kernargAlignment = std::max(alignment, 16u);
  }

private:
  Sema &sema;
  ASTContext &context;
  FoundKernel &kernel;
  Kernel &info;
  PrintingPolicy policy;
  uint32_t size = 0, alignment = 1;

  void place(const NamedDecl *decl) {
    PresumedLoc loc = context.getSourceManager().getPresumedLoc(
        context.getSourceManager().getExpansionLoc(decl->getLocation()));
    if (loc.isInvalid())
      return;
    info.file = loc.getFilename();
    info.line = loc.getLine();
    info.column = loc.getColumn();
  }

  static bool isSpan(QualType type) {
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    return record && record->getIdentifier() && record->isInStdNamespace() &&
           (record->getName() == "span" ||
            record->getName() == "basic_string_view");
  }

  xcc_param_kind kindOf(QualType type) {
    if (type->isReferenceType())
      return XCC_PARAM_REFERENCE;
    if (type->isPointerType())
      return XCC_PARAM_POINTER;
    return isSpan(type) ? XCC_PARAM_SPAN : XCC_PARAM_VALUE;
  }

  QualType stored(QualType type) {
    if (type->isReferenceType())
      return context.getPointerType(type->getPointeeType());
    return type;
  }

  void add(llvm::StringRef name, QualType type,
           std::optional<xcc_param_kind> kind = std::nullopt) {
    QualType held = stored(type);
    KernelParam param;
    param.name = name.str();
    param.type = type.getUnqualifiedType().getAsString(policy);
    param.size = context.getTypeSizeInChars(held).getQuantity();
    param.alignment = context.getTypeAlignInChars(held).getQuantity();
    param.offset = llvm::alignTo(size, param.alignment);
    param.kind = kind ? *kind : kindOf(type);
    size = param.offset + param.size;
    alignment = std::max(alignment, param.alignment);
    info.params.push_back(std::move(param));
  }

  void describeObject() {
    const TemplateArgumentList *args =
        kernel.entry->getTemplateSpecializationArgs();
    QualType object = args->get(0).getAsType();
    const CXXRecordDecl *record = object->getAsCXXRecordDecl();
    place(record);
    if (record->isLambda())
      info.name = enclosingFunction(record) + "(lambda)";
    else
      info.name = object.getAsString(policy);

    const CXXMethodDecl *call = callOperator(record);
    readLaunchBounds(sema, call, info);
    add("", object, XCC_PARAM_CLOSURE);
    info.params.back().type =
        record->isLambda() ? "(lambda)" : object.getAsString(policy);
    unsigned i = 0;
    for (const TemplateArgument &arg : args->get(1).pack_elements()) {
      llvm::StringRef name;
      if (call && i < call->getNumParams())
        name = call->getParamDecl(i)->getName();
      add(name, arg.getAsType());
      ++i;
    }
    describeCaptures(record);
  }

  std::string enclosingFunction(const CXXRecordDecl *record) {
    const auto *fn =
        dyn_cast_or_null<FunctionDecl>(record->getParentFunctionOrMethod());
    if (!fn)
      return "";
    if (const auto *method = dyn_cast<CXXMethodDecl>(fn))
      if (method->getParent()->isLambda())
        return enclosingFunction(method->getParent()) + "(lambda)::";
    std::string name;
    llvm::raw_string_ostream os(name);
    fn->getNameForDiagnostic(os, policy, /*Qualified=*/true);
    return name + "::";
  }

  /// The only call operator, or a template one's pattern for its names.
  static const CXXMethodDecl *callOperator(const CXXRecordDecl *record) {
    if (record->isLambda())
      return record->getLambdaCallOperator();
    auto &names = record->getASTContext().DeclarationNames;
    auto found = record->lookup(names.getCXXOperatorName(OO_Call));
    return found.isSingleResult() ? dyn_cast<CXXMethodDecl>(found.front())
                                  : nullptr;
  }

  void describeCaptures(const CXXRecordDecl *record) {
    const ASTRecordLayout &layout = context.getASTRecordLayout(record);
    auto capture = record->isLambda() ? record->captures_begin() : nullptr;
    for (const FieldDecl *field : record->fields()) {
      KernelCapture c;
      c.byReference = field->getType()->isReferenceType();
      QualType type = field->getType().getNonReferenceType();
      c.name = field->getName().str();
      if (record->isLambda() && capture != record->captures_end()) {
        c.name = capture->capturesThis() ? "this"
                 : capture->capturesVariable()
                     ? capture->getCapturedVar()->getName().str()
                     : "";
        ++capture;
      }
      c.type = type.getUnqualifiedType().getAsString(policy);
      c.size =
          context.getTypeSizeInChars(stored(field->getType())).getQuantity();
      c.offset = layout.getFieldOffset(field->getFieldIndex()) / 8;
      c.kind = c.byReference ? XCC_PARAM_REFERENCE : kindOf(type);
      info.captures.push_back(std::move(c));
    }
  }
};

/// Adds to every name that several kernels have what `more` says of each.
template <class More>
void lengthen(std::vector<FoundKernel> &kernels, More more) {
  llvm::StringMap<unsigned> count;
  for (const FoundKernel &kernel : kernels)
    ++count[kernel.info.name];
  for (FoundKernel &kernel : kernels)
    if (count.lookup(kernel.info.name) > 1)
      more(kernel);
}

constexpr llvm::StringLiteral Lambda = "(lambda)";

void addPlace(FoundKernel &kernel) {
  llvm::StringRef name = kernel.info.name;
  if (!kernel.function && name.consume_back(Lambda))
    kernel.info.name = (name + "(lambda at " + llvm::Twine(kernel.info.line) +
                        ":" + llvm::Twine(kernel.info.column) + ")")
                           .str();
}

void addParameters(FoundKernel &kernel) {
  std::string types;
  for (const KernelParam &param : kernel.info.params)
    if (param.kind != XCC_PARAM_CLOSURE)
      types += (types.empty() ? "" : ", ") + param.type;
  kernel.info.name += "(" + types + ")";
}

} // namespace

void describeKernel(Sema &sema, FoundKernel &kernel) {
  Describer(sema, kernel).run();
}

void makeNamesDiffer(std::vector<FoundKernel> &kernels) {
  lengthen(kernels, addPlace);
  lengthen(kernels, addParameters);
  // Lambdas of one macro's expansion: in the order of the kernels.
  llvm::StringMap<unsigned> number;
  lengthen(kernels, [&](FoundKernel &kernel) {
    unsigned n = ++number[kernel.info.name];
    kernel.info.name += " #" + llvm::utostr(n);
  });
}

} // namespace xcc
