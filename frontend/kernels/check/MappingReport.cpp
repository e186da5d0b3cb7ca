// Reports what each launch maps, for -foffload-report-mapping
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MappingReport.h"
#include "Downcasts.h"
#include "MappingCheck.h"
#include "Names.h"
#include "Report.h"
#include "kernels/find/CallParameters.h"
#include "kernels/find/FunctionObjects.h"
#include "kernels/find/HeaderTemplates.h"
#include "kernels/find/LaunchArguments.h"
#include "kernels/find/MemberVisits.h"
#include "kernels/find/WrittenPlaces.h"
#include "kernels/walk/ValueParts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <utility>

using namespace clang;

namespace xcc {
namespace {

/// A place: the bytes between two offsets of the memory to which a path of
/// addresses leads, starting at the kernarg segment.
struct ByteRange {
  std::vector<KernelMapping::Range> addresses;
  int64_t first = 0, last = 0;

  /// The memory to which addresses in this place lead, at any offset.
  ByteRange behind() const {
    ByteRange there{addresses, std::numeric_limits<int64_t>::min(),
                    std::numeric_limits<int64_t>::max()};
    there.addresses.push_back({first, last});
    return there;
  }
  /// The object of `size` bytes whose address is in this place.
  ByteRange referred(int64_t size) const {
    ByteRange object = behind();
    object.first = 0;
    object.last = size;
    return object;
  }
  /// The part of an object at `offset`. If the place is not exactly the object,
  /// the whole place.
  ByteRange part(int64_t whole, int64_t offset, int64_t size) const {
    if (last - first != whole)
      return *this;
    return {addresses, first + offset, first + offset + size};
  }
};

class MappingReport {
public:
  MappingReport(Sema &sema, FoundKernel &kernel, bool now)
      : sema(sema), context(sema.Context), check(sema, warnings),
        kernel(kernel), policy(context.getPrintingPolicy()), now(now) {
    policy.SuppressTagKeyword = true;
  }

  void run() {
    if (kernel.calls.empty())
      launched(kernel.launch, nullptr);
    for (const KernelCall &found : kernel.calls)
      launched(found.call->getExprLoc(), &found);
  }

private:
  Sema &sema;
  ASTContext &context;
  Warnings warnings;
  MappingCheck check;
  FoundKernel &kernel;
  PrintingPolicy policy;
  bool now; ///< report remarks at once
  llvm::SmallVector<const CXXRecordDecl *, 8> within;
  // State of the launch that is reported:
  SourceLocation launch;
  uint32_t stated = 0; ///< directions that the program states for the argument

  void launched(SourceLocation at, const KernelCall *found) {
    launch = at;
    const auto &params = kernel.info.params;
    auto where = [&](unsigned i) {
      ByteRange range;
      if (i < params.size())
        range = {{}, params[i].offset, params[i].offset + params[i].size};
      return range;
    };
    if (kernel.function) {
      for (const ParmVarDecl *param : kernel.function->parameters()) {
        unsigned i = param->getFunctionScopeIndex();
        stated = found ? statedBy(*found, i) : 0;
        show("parameter '" + param->getNameAsString() + "'", param->getType(),
             where(i));
      }
    } else {
      stated = 0;
      members(objectOf(kernel.entry)->getAsCXXRecordDecl(), "", true, where(0));
      unsigned number = 0;
      for (const EntryParameter &param : entryParameters(kernel.entry)) {
        stated = found ? statedBy(*found, number) : 0;
        ++number;
        show("argument " + std::to_string(number), param.type, where(number));
      }
    }
  }

  /// The directions that xcc::in and the like state for a launch's argument.
  static uint32_t statedBy(const KernelCall &found, unsigned index) {
    unsigned at = found.param + 1 + index;
    if (!isLaunch(found.call) || at >= found.call->getNumArgs())
      return 0;
    return statedBy(found.call->getArg(at)->getType()->getAsCXXRecordDecl());
  }
  static uint32_t statedBy(const CXXRecordDecl *record) {
    const auto *made =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
    if (!made || !made->getIdentifier() || made->getName() != "directed" ||
        !isAnnotated(made->getSpecializedTemplate()->getTemplatedDecl(),
                     annotation::StatesDirections))
      return 0;
    return uint32_t(made->getTemplateArgs()[1].getAsIntegral().getZExtValue());
  }

  std::string text(QualType type) {
    return "'" + type.getUnqualifiedType().getAsString(policy) + "'";
  }

  int64_t sizeOf(QualType type) {
    type = type.getNonReferenceType();
    return type->isIncompleteType() || type->isFunctionType()
               ? 0
               : context.getTypeSizeInChars(type).getQuantity();
  }

  /// Records one part of the mapping, and reports it if `now`. \p directions is
  /// what the types alone tell of its directions.
  void say(KernelMapping::Kind kind, const std::string &path,
           const std::string &what, const ByteRange &range,
           bool isConst = false, const char *directions = "",
           bool leads = false) {
    if (now)
      report(sema, DiagnosticsEngine::Remark, launch, "%0: %1 (%2%3)")
          << kernel.info.name << path << what << directions;
    KernelMapping m;
    WrittenPlace at = writtenPlace(context, launch);
    m.file = std::move(at.file);
    m.line = at.line;
    m.column = at.column;
    m.what = path + " (" + what + ")";
    m.kind = kind;
    m.isConst = isConst;
    m.stated = stated;
    // Kernels find what the memory leads to by the addresses in it.
    if (stated && leads)
      m.stated |= KernelMapping::In;
    m.path = range.addresses;
    kernel.info.mapping.push_back(std::move(m));
  }

  void sayMemory(const std::string &path, const std::string &what,
                 const ByteRange &range, QualType type) {
    bool isConst = type.isConstQualified();
    say(KernelMapping::Memory, path, what, range, isConst,
        isConst ? ", in" : ", in and out as far as kernels write it",
        holdsAddresses(context, type));
  }

  /// Reports a value in the kernarg segment.
  void show(const std::string &path, QualType type, const ByteRange &range) {
    if (type->isReferenceType() || holdsAddresses(context, type))
      part(path, type, range);
    else
      say(KernelMapping::Bits, path, "bits of " + text(type), range);
  }

  /// Reports where the addresses in a value lead.
  void part(const std::string &path, QualType type, const ByteRange &range) {
    if (type->isReferenceType()) {
      QualType to = type->getPointeeType();
      ByteRange object = range.referred(sizeOf(to));
      // A kernel that casts down uses the whole object around the base.
      const CXXRecordDecl *base = to->getAsCXXRecordDecl();
      for (base = base ? base->getDefinition() : nullptr;
           kernel.info.castsDown && base &&
           (base = completeObject(context, base));) {
        to = context.getQualifiedType(context.getCanonicalTagType(base),
                                      to.getQualifiers());
        object = range.behind();
      }
      sayMemory(path, "reference to " + text(to), object, to);
      behind(path, to, object);
    } else if (type->isPointerType()) {
      say(KernelMapping::Address, path, "address " + text(type), range.behind(),
          false, ", of device memory or in what is mapped");
    } else {
      behind(path, type, range);
    }
  }

  /// Reports the addresses in an object that is mapped.
  void behind(const std::string &path, QualType type, const ByteRange &range) {
    bool isConst = type.isConstQualified();
    if (const auto *array = context.getAsArrayType(type)) {
      if (holdsAddresses(context, array->getElementType()))
        part(path + "[]", array->getElementType(), range);
      return;
    }
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || !holdsAddresses(context, type)) {
      if (type->isPointerType())
        part(path, type, range);
      return;
    }
    record = record->getDefinition();
    if (llvm::is_contained(within, record))
      return;
    within.push_back(record);
    if (uint32_t directions = statedBy(record)) {
      const uint32_t before = std::exchange(stated, directions);
      for (const FieldDecl *field : record->fields())
        part(path, field->getType(), range);
      stated = before;
    } else if (check.hasTransfer(type, kernel.launch)) {
      say(KernelMapping::Trait, path,
          "what xcc::transfer says of " + text(type), range.behind());
    } else if (record->isInStdNamespace()) {
      standard(path, type, record, isConst, range);
    } else {
      members(record, path, false, range);
    }
    within.pop_back();
  }

  void standard(const std::string &path, QualType type,
                const CXXRecordDecl *record, bool isConst,
                const ByteRange &range) {
    llvm::StringRef name = record->getIdentifier() ? record->getName() : "";
    const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(record);
    llvm::SmallVector<QualType, 4> types;
    if (made)
      types = typeArguments(made);
    if (llvm::is_contained({"tuple", "pair", "array", "optional", "variant"},
                           name)) {
      unsigned number = 0;
      for (QualType each : types) {
        if (holdsAddresses(context, each))
          part(path + " -> part " + std::to_string(number), each, range);
        ++number;
      }
      return;
    }
    if (types.empty()) {
      say(KernelMapping::Trait, path, "what " + text(type) + " holds",
          range.behind());
      return;
    }
    QualType element = types.front();
    if (const auto *array = context.getAsIncompleteArrayType(element))
      element = array->getElementType();
    // Elements of an owning container are const if the container is. A view's
    // element type says whether its elements are.
    bool owns = llvm::is_contained({"vector", "basic_string"}, name);
    bool fixed = element.isConstQualified() || name == "basic_string_view" ||
                 (owns && isConst);
    if (fixed)
      element = element.withConst();
    ByteRange elements = range.behind();
    sayMemory(path,
              std::string(name == "unique_ptr" ? "what " : "elements of ") +
                  text(type) + (name == "unique_ptr" ? " owns" : ""),
              elements, element);
    if (holdsAddresses(context, element))
      part(path + "[]", element, elements);
  }

  void members(const CXXRecordDecl *record, const std::string &path,
               bool launched, const ByteRange &range) {
    const ASTRecordLayout &layout = context.getASTRecordLayout(record);
    int64_t whole = layout.getSize().getQuantity();
    // An object of the header around the user's, as parallel_for makes one.
    bool ours = launched && context.getSourceManager().isInSystemHeader(
                                record->getLocation());
    std::string before = path.empty() ? "" : path + " -> ";
    for (const CXXBaseSpecifier &base : record->bases()) {
      QualType type = base.getType();
      if (!launched && !holdsAddresses(context, type))
        continue;
      ByteRange at = range;
      if (!base.isVirtual())
        at = range.part(
            whole,
            layout.getBaseClassOffset(type->getAsCXXRecordDecl()).getQuantity(),
            sizeOf(type));
      show(before + "base " + text(type), type, at);
    }
    auto capture = record->isLambda() ? record->captures_begin() : nullptr;
    for (const FieldDecl *field : record->fields()) {
      std::string name = "member '" + field->getNameAsString() + "'";
      QualType type = field->getType();
      ByteRange at = range.part(
          whole, int64_t(layout.getFieldOffset(field->getFieldIndex()) / 8),
          type->isReferenceType() ? 8 : sizeOf(type));
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
        members(inner->getDefinition(), "", true, at);
      else if (launched && !ours)
        show(before + name, type, at);
      else if (type->isReferenceType() || holdsAddresses(context, type))
        part(before + name, type, at);
    }
  }
};

} // namespace

void reportMapping(Sema &sema, llvm::MutableArrayRef<FoundKernel> kernels,
                   bool now) {
  for (FoundKernel &kernel : kernels)
    MappingReport(sema, kernel, now).run();
}

} // namespace xcc
