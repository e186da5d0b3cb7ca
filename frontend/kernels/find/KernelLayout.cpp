// The kernarg layout of one kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelLayout.h"
#include "CallParameters.h"
#include "FunctionObjects.h"
#include "HeaderTemplates.h"
#include "KernelFinder.h"
#include "LaunchBounds.h"
#include "MemberVisits.h"
#include "Names.h"
#include "Specialize.h"
#include "WrittenPlaces.h"
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
        add(param->getName(), param->getType(), param);
    } else {
      describeObject();
    }
    // Sort captures by offset: a base may lie behind members.
    auto &captures = info.captures;
    for (auto each = captures.begin(); each != captures.end(); ++each)
      std::rotate(
          std::upper_bound(captures.begin(), each, *each,
                           [](const KernelCapture &a, const KernelCapture &b) {
                             return a.offset < b.offset;
                           }),
          each, each + 1);
    info.kernargSize = size;
    // Specialised code is chosen at the launch, where the grid is already
    // fixed.
    info.isLoop &= info.specialized.empty();
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
    WrittenPlace at = writtenPlace(context, decl->getLocation());
    info.file = std::move(at.file);
    info.line = at.line;
    info.column = at.column;
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
    // A pointer to a function is a value: it holds an address of the device's
    // own.
    if (type->isPointerType() && !type->isFunctionPointerType())
      return XCC_PARAM_POINTER;
    return isSpan(type) ? XCC_PARAM_SPAN : XCC_PARAM_VALUE;
  }

  QualType stored(QualType type) {
    if (type->isReferenceType())
      return context.getPointerType(type->getPointeeType());
    return type;
  }

  void add(llvm::StringRef name, QualType type, const ParmVarDecl *decl,
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
    addSpecialized(sema, decl, type, param.offset, info);
    // Count as the user does: a function object is no parameter.
    size_t number = info.params.size() + (kernel.function ? 1 : 0);
    if (param.kind == XCC_PARAM_VALUE && type->isRecordType() &&
        holdsAddresses(context, type))
      addParts(name.empty() ? "parameter " + llvm::utostr(number) : param.name,
               type, param.offset);
    info.params.push_back(std::move(param));
  }

  void describeObject() {
    QualType object = objectOf(kernel.entry);
    const CXXRecordDecl *record = object->getAsCXXRecordDecl();
    place(record);
    if (record->isLambda())
      info.name = enclosingFunction(record) + "(lambda)";
    else
      info.name = object.getAsString(policy);

    const CXXMethodDecl *call = onlyCallOperator(record);
    readLaunchBounds(sema, call, info);
    info.isLoop = call && isAnnotated(call, annotation::Loop);
    add("", object, nullptr, XCC_PARAM_CLOSURE);
    info.params.back().type =
        record->isLambda() ? "(lambda)" : object.getAsString(policy);
    unsigned i = 0;
    for (const EntryParameter &each : entryParameters(kernel.entry)) {
      const ParmVarDecl *param = nullptr;
      if (unsigned count = call ? call->getNumNonObjectParams() : 0)
        if (i < count ||
            call->getNonObjectParameter(count - 1)->isParameterPack())
          param = call->getNonObjectParameter(std::min(i, count - 1));
      add(param && i < call->getNumNonObjectParams() ? param->getName() : "",
          each.type, param);
      ++i;
    }
    addMembers(record->getDefinition(), "", 0);
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

  void addLeaf(const std::string &name, QualType type, uint64_t offset) {
    KernelCapture c;
    c.byReference = type->isReferenceType();
    c.name = name;
    c.type =
        type.getNonReferenceType().getUnqualifiedType().getAsString(policy);
    c.size = context.getTypeSizeInChars(stored(type)).getQuantity();
    c.offset = offset;
    c.kind = kindOf(type);
    info.captures.push_back(std::move(c));
  }

  /// Adds one line for a value without addresses or that is one; for any other,
  /// a line for each part.
  void addParts(const std::string &name, QualType type, uint64_t offset) {
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    const auto *array = context.getAsConstantArrayType(type);
    if ((!record && !array) || isSpan(type) || (record && record->isUnion()) ||
        !holdsAddresses(context, type)) {
      addLeaf(name, type, offset);
    } else if (array) {
      QualType element = array->getElementType();
      uint64_t size = context.getTypeSizeInChars(element).getQuantity();
      for (uint64_t i = 0; i < array->getZExtSize(); ++i)
        addParts(name + "[" + llvm::utostr(i) + "]", element,
                 offset + i * size);
    } else {
      addMembers(record->getDefinition(), name, offset);
    }
  }

  /// Adds the parts of an object called `name`: "name.member" and
  /// "name.Base::member". A user does not know the names of members of the
  /// standard library: only its members with addresses are added, as `name`.
  void addMembers(const CXXRecordDecl *record, const std::string &name,
                  uint64_t offset) {
    bool standard = record->isInStdNamespace();
    std::string prefix = name.empty() || llvm::StringRef(name).ends_with("::")
                             ? name
                             : name + ".";
    auto nameOf = [&](const std::string &part) {
      return standard ? name : prefix + part;
    };
    const ASTRecordLayout &layout = context.getASTRecordLayout(record);
    for (const CXXBaseSpecifier &base : record->bases()) {
      const CXXRecordDecl *of = base.getType()->getAsCXXRecordDecl();
      if (base.isVirtual() || of->isEmpty())
        continue;
      uint64_t at = offset + layout.getBaseClassOffset(of).getQuantity();
      std::string type =
          nameOf(base.getType().getUnqualifiedType().getAsString(policy));
      bool parts = holdsAddresses(context, base.getType());
      if (standard && !parts)
        continue;
      addParts(parts && !standard && !of->isInStdNamespace() ? type + "::"
                                                             : type,
               base.getType(), at);
    }
    auto capture = record->isLambda() ? record->captures_begin() : nullptr;
    for (const FieldDecl *field : record->fields()) {
      std::string own = field->getNameAsString();
      if (record->isLambda() && capture != record->captures_end()) {
        own = capture->capturesThis() ? "this"
              : capture->capturesVariable()
                  ? capture->getCapturedVar()->getNameAsString()
                  : "";
        ++capture;
      }
      uint64_t at = offset + layout.getFieldOffset(field->getFieldIndex()) / 8;
      const CXXRecordDecl *inner = field->getType()->getAsCXXRecordDecl();
      if (field->isAnonymousStructOrUnion() && !inner->isUnion())
        addMembers(inner->getDefinition(), name, at);
      else if (!field->isUnnamedBitField() &&
               (!standard || holdsAddresses(context, field->getType())))
        addParts(own.empty() ? name : nameOf(own), field->getType(), at);
    }
  }
};

/// Calls `more` for each kernel whose name another kernel has too.
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
  // Lambdas of one macro expansion share their place: number them.
  llvm::StringMap<unsigned> number;
  lengthen(kernels, [&](FoundKernel &kernel) {
    unsigned n = ++number[kernel.info.name];
    kernel.info.name += " #" + llvm::utostr(n);
  });
}

} // namespace xcc
