// What launches move, for -foffload-report-mapping
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MappingReport.h"
#include "MappingCheck.h"
#include "MemberVisits.h"
#include "Report.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace xcc {
namespace {

class MappingReport {
public:
  MappingReport(Sema &sema, const FoundKernel &kernel)
      : sema(sema), context(sema.Context), check(sema, warnings),
        kernel(kernel), policy(context.getPrintingPolicy()) {
    policy.SuppressTagKeyword = true;
  }

  void run() {
    if (kernel.function) {
      for (const ParmVarDecl *param : kernel.function->parameters())
        show("parameter '" + param->getNameAsString() + "'", param->getType());
    } else {
      const TemplateArgumentList *args =
          kernel.entry->getTemplateSpecializationArgs();
      members(args->get(0).getAsType()->getAsCXXRecordDecl(), "", true);
      unsigned number = 0;
      for (const TemplateArgument &arg : args->get(1).pack_elements())
        show("argument " + std::to_string(++number), arg.getAsType());
    }
  }

private:
  Sema &sema;
  ASTContext &context;
  Warnings warnings;
  MappingCheck check;
  const FoundKernel &kernel;
  PrintingPolicy policy;
  llvm::SmallVector<const CXXRecordDecl *, 8> within;

  std::string text(QualType type) {
    return "'" + type.getUnqualifiedType().getAsString(policy) + "'";
  }

  void say(const std::string &path, const std::string &what) {
    report(sema, DiagnosticsEngine::Remark, kernel.launch, "%0: %1 (%2)")
        << kernel.info.name << path << what;
  }

  static const char *direction(QualType type) {
    return type.isConstQualified() ? ", in"
                                   : ", in and out as far as kernels write it";
  }

  /// A thing in the kernarg segment.
  void show(const std::string &path, QualType type) {
    if (type->isReferenceType() || holdsAddresses(context, type))
      part(path, type);
    else
      say(path, "bits of " + text(type));
  }

  /// What holds addresses, and where they lead.
  void part(const std::string &path, QualType type) {
    if (type->isReferenceType()) {
      QualType to = type->getPointeeType();
      say(path, "reference to " + text(to) + direction(to));
      behind(path, to);
    } else if (type->isPointerType()) {
      say(path,
          "address " + text(type) + ", of device memory or in what is mapped");
    } else {
      behind(path, type);
    }
  }

  /// The addresses in an object that is mapped.
  void behind(const std::string &path, QualType type) {
    bool isConst = type.isConstQualified();
    if (const auto *array = context.getAsArrayType(type)) {
      if (holdsAddresses(context, array->getElementType()))
        part(path + "[]", array->getElementType());
      return;
    }
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || !holdsAddresses(context, type)) {
      if (type->isPointerType())
        part(path, type);
      return;
    }
    record = record->getDefinition();
    if (llvm::is_contained(within, record))
      return;
    within.push_back(record);
    if (check.hasTransfer(type, kernel.launch)) {
      say(path, "what xcc::transfer says of " + text(type));
    } else if (record->isInStdNamespace()) {
      standard(path, type, record, isConst);
    } else {
      members(record, path, false);
    }
    within.pop_back();
  }

  void standard(const std::string &path, QualType type,
                const CXXRecordDecl *record, bool isConst) {
    llvm::StringRef name = record->getIdentifier() ? record->getName() : "";
    const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(record);
    llvm::SmallVector<QualType, 4> types;
    if (made)
      for (const TemplateArgument &arg : made->getTemplateArgs().asArray())
        for (const TemplateArgument &each :
             arg.getKind() == TemplateArgument::Pack ? arg.pack_elements()
                                                     : llvm::ArrayRef(arg))
          if (each.getKind() == TemplateArgument::Type)
            types.push_back(each.getAsType());
    if (llvm::is_contained({"tuple", "pair", "array", "optional", "variant"},
                           name)) {
      unsigned number = 0;
      for (QualType each : types) {
        if (holdsAddresses(context, each))
          part(path + " -> part " + std::to_string(number), each);
        ++number;
      }
      return;
    }
    if (types.empty()) {
      say(path, "what " + text(type) + " holds");
      return;
    }
    QualType element = types.front();
    if (const auto *array = context.getAsIncompleteArrayType(element))
      element = array->getElementType();
    // A container's elements are as const as it is; a view's, as they say.
    bool owns = llvm::is_contained({"vector", "basic_string"}, name);
    bool fixed = element.isConstQualified() || name == "basic_string_view" ||
                 (owns && isConst);
    say(path, std::string(name == "unique_ptr" ? "what " : "elements of ") +
                  text(type) + (name == "unique_ptr" ? " owns" : "") +
                  direction(fixed ? element.withConst() : element));
    if (holdsAddresses(context, element))
      part(path + "[]", fixed ? element.withConst() : element);
  }

  void members(const CXXRecordDecl *record, const std::string &path,
               bool launched) {
    // A closure of ours around the user's, as parallel_for makes it.
    bool ours =
        launched && record->isLambda() &&
        context.getSourceManager().isInSystemHeader(record->getLocation());
    std::string before = path.empty() ? "" : path + " -> ";
    for (const CXXBaseSpecifier &base : record->bases())
      if (launched || holdsAddresses(context, base.getType()))
        show(before + "base " + text(base.getType()), base.getType());
    auto capture = record->isLambda() ? record->captures_begin() : nullptr;
    for (const FieldDecl *field : record->fields()) {
      std::string name = "member '" + field->getNameAsString() + "'";
      QualType type = field->getType();
      if (record->isLambda() && capture != record->captures_end()) {
        name = capture->capturesVariable()
                   ? "capture '" +
                         capture->getCapturedVar()->getNameAsString() + "'"
                   : "capture 'this'";
        if (capture->getCaptureKind() == LCK_This)
          type = context.getLValueReferenceType(type->getPointeeType());
        ++capture;
      }
      const CXXRecordDecl *inner = type->getAsCXXRecordDecl();
      if (ours && inner && inner->isLambda())
        members(inner->getDefinition(), "", true);
      else if (launched && !ours)
        show(before + name, type);
      else if (type->isReferenceType() || holdsAddresses(context, type))
        part(before + name, type);
    }
  }
};

} // namespace

void reportMapping(Sema &sema, llvm::ArrayRef<FoundKernel> kernels) {
  for (const FoundKernel &kernel : kernels)
    MappingReport(sema, kernel).run();
}

} // namespace xcc
