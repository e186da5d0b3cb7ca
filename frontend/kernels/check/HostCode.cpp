// Addresses of host code among a launch's arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostCode.h"
#include "Report.h"
#include "cuda/Keywords.h"
#include "kernels/find/CallParameters.h"
#include "kernels/find/FunctionObjects.h"
#include "kernels/walk/ValueParts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace xcc {
namespace {

/// Where a type contains an address of code.
struct Finding {
  QualType type;       ///< of the pointer, or the class with virtual functions
  bool isVirtual;      ///< virtual functions of `type`, not a pointer
  bool behind = false; ///< reached through an address
};

class HostCodeCheck {
public:
  HostCodeCheck(Sema &sema, const Warnings &warnings)
      : sema(sema), context(sema.getASTContext()), warnings(warnings) {}

  void check(const FoundKernel &kernel) {
    if (kernel.function) {
      for (const ParmVarDecl *param : kernel.function->parameters())
        report(kernel, "parameter '" + param->getNameAsString() + "'",
               param->getType(), param->getLocation());
      return;
    }
    if (const CXXRecordDecl *object =
            objectOf(kernel.entry)->getAsCXXRecordDecl())
      checkObject(kernel, object);
    for (const EntryParameter &param : entryParameters(kernel.entry))
      report(kernel, "an argument", param.type, kernel.launch);
  }

  /// Whether an object of the type holds an address of the host's code, or
  /// leads to one.
  bool leadsToCode(QualType type) {
    llvm::SmallPtrSet<const CXXRecordDecl *, 8> visited;
    return find(type, /*behind=*/false, visited).has_value();
  }

private:
  Sema &sema;
  ASTContext &context;
  const Warnings &warnings;

  /// Whether the launch check has rejected the class already.
  static bool isRejected(const CXXRecordDecl *record) {
    return record->isInStdNamespace() && record->getIdentifier() &&
           record->getName() == "function";
  }

  /// Whether the object has code of its own to copy or destroy it. CopyCheck
  /// rejects such an object if it contains an address.
  bool isCopiedByCode(QualType type) const {
    const CXXRecordDecl *record =
        context.getBaseElementType(type)->getAsCXXRecordDecl();
    return record && record->hasDefinition() &&
           (record->hasNonTrivialCopyConstructor() ||
            record->hasNonTrivialMoveConstructor() ||
            record->hasNonTrivialDestructor());
  }

  void checkObject(const FoundKernel &kernel, const CXXRecordDecl *object) {
    if (isRejected(object))
      return;
    auto capture = object->isLambda() ? object->captures_begin() : nullptr;
    for (const FieldDecl *field : object->fields()) {
      std::string what = "member '" + field->getNameAsString() + "'";
      SourceLocation at = field->getLocation();
      if (object->isLambda()) {
        what = capture->capturesVariable()
                   ? "capture '" +
                         capture->getCapturedVar()->getNameAsString() + "'"
                   : "capture 'this'";
        at = capture->getLocation();
        ++capture;
      }
      // For a closure inside another, as parallel_for makes it, check its
      // captures.
      const CXXRecordDecl *inner = field->getType()->getAsCXXRecordDecl();
      if (inner && inner->isLambda() && inner->hasDefinition())
        checkObject(kernel, inner->getDefinition());
      else
        report(kernel, what, field->getType(), at);
    }
    for (const CXXBaseSpecifier &base : object->bases())
      report(kernel, "a base", base.getType(), base.getBeginLoc());
  }

  std::optional<Finding>
  find(QualType type, bool behind,
       llvm::SmallPtrSetImpl<const CXXRecordDecl *> &visited) {
    type = context.getBaseElementType(type).getCanonicalType();
    if (type->isFunctionType() && behind)
      return Finding{type, false, false};
    if (type->isMemberFunctionPointerType())
      return Finding{type, false, behind};
    if (type->isFunctionPointerType() || type->isFunctionReferenceType())
      return Finding{type, false, behind};
    if (type->isPointerType() || type->isReferenceType())
      return find(type->getPointeeType(), /*behind=*/true, visited);
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition())
      return std::nullopt;
    record = record->getDefinition();
    if (record->isDependentType() || !visited.insert(record).second)
      return std::nullopt;
    // An opaque type of the C library, such as FILE.
    if (!isa<ClassTemplateSpecializationDecl>(record) &&
        context.getSourceManager().isInSystemHeader(record->getLocation()))
      return std::nullopt;
    if (!behind && isRejected(record))
      return std::nullopt;
    // The control block of shared_ptr and weak_ptr: kernels call its functions
    // only when the last owner goes (docs/mapping.md).
    if (record->isInStdNamespace() && record->getIdentifier() &&
        record->getName() == "_Sp_counted_base")
      return std::nullopt;
    if (record->isPolymorphic())
      return behind ? std::optional(Finding{type, true, true}) : std::nullopt;
    for (QualType part : partTypes(record))
      if (auto found = find(part, behind, visited))
        return found;
    return std::nullopt;
  }

  void report(const FoundKernel &kernel, const std::string &what, QualType type,
              SourceLocation declared) {
    llvm::SmallPtrSet<const CXXRecordDecl *, 8> visited;
    auto found = find(type, /*behind=*/false, visited);
    if (!found || (found->behind && isCopiedByCode(type)))
      return;
    // Programs that use cudaMemcpyFromSymbol and its like may read such
    // pointers from the device's variables, where they are valid.
    const bool mayBeTheDevices = hasWords(sema.getPreprocessor());
    Severity severity = warnings.of(
        WarningGroup::HostCode,
        found->behind || mayBeTheDevices ? Severity::Warning : Severity::Error,
        sema.getDiagnostics());
    if (severity == Severity::Ignored)
      return;
    auto level = levelOf(severity);
    if (!found->behind) {
      xcc::report(sema, level, kernel.launch,
                  "%0 passes a pointer of type %1 to the kernel: functions "
                  "have other addresses on a device than on the host "
                  "[-Woffload-host-code]")
          << what << found->type;
      if (mayBeTheDevices)
        xcc::report(sema, DiagnosticsEngine::Note, declared,
                    "declared here; an address that cudaMemcpyFromSymbol has "
                    "read is the device's, and valid there");
      else
        xcc::report(sema, DiagnosticsEngine::Note, declared,
                    "declared here; make the function a template argument, or "
                    "call it by name in a lambda");
      return;
    }
    if (found->isVirtual)
      xcc::report(sema, level, kernel.launch,
                  "%0 leads to an object of %1, which has virtual functions: "
                  "an object that the host made calls the host's functions "
                  "[-Woffload-host-code]")
          << what << found->type;
    else
      xcc::report(sema, level, kernel.launch,
                  "%0 leads to a pointer of type %1: functions have other "
                  "addresses on a device than on the host "
                  "[-Woffload-host-code]")
          << what << found->type;
    xcc::report(sema, DiagnosticsEngine::Note, declared,
                "declared here; only addresses that a kernel stored there are "
                "valid; instead of the host's, pass a number or a "
                "std::variant, and select by it");
  }
};

} // namespace

bool leadsToHostCode(Sema &sema, QualType type) {
  const Warnings none;
  return HostCodeCheck(sema, none).leadsToCode(type);
}

void checkHostCode(Sema &sema, llvm::ArrayRef<FoundKernel> kernels,
                   const Warnings &warnings) {
  HostCodeCheck check(sema, warnings);
  for (const FoundKernel &kernel : kernels)
    check.check(kernel);
}

} // namespace xcc
