// Walks all code that kernels reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts at kernels and exported functions. Follows what their code evaluates:
// calls, constructors and destructors, virtual functions of objects that it
// makes, addresses in initial values. The walk changes nothing, except that it
// instantiates templates that another file would ("extern template").

#ifndef XCC_FRONTEND_KERNELS_WALK_DEVICEWALK_H
#define XCC_FRONTEND_KERNELS_WALK_DEVICEWALK_H

#include "EvaluatedCode.h"
#include "kernels/find/KernelFinder.h"
#include "targets/Target.h"
#include "clang/AST/ASTContext.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace xcc {

/// How the walk first reached some code: a function, or the initialiser of a
/// variable that runs on the device. The initialiser is represented by its
/// variable.
struct Edge {
  const clang::NamedDecl *caller = nullptr; ///< null for an entry
  clang::SourceLocation at; ///< the call; the launch for an entry
  llvm::StringRef kernel;   ///< the entry's kernel; empty if exported
};

/// Functions that no device can run, whether they are defined here or not.
enum class Rejection {
  None,
  Launch,       ///< launches a kernel
  HostFunction, ///< the address of an XCC_HOST function
  HostEntry,    ///< stands for its number; no error
  Jump,         ///< setjmp and similar functions
  HostRuntime   ///< a function of the runtime
};

class DeviceWalk : public EvaluatedCode {
public:
  void addEntry(const clang::FunctionDecl *entry, clang::SourceLocation launch,
                llvm::StringRef kernel);
  /// Adds a variable that other code uses.
  void addEntry(const clang::VarDecl *entry);
  /// Adds a class whose virtual functions are called on objects that other code
  /// makes.
  void addEntry(const clang::CXXRecordDecl *entry);
  /// Adds a variable whose initialiser runs although no device code names the
  /// variable, or a function that runs before main.
  void addStartupInitialiser(const clang::NamedDecl *initialiser);
  /// Whether device code names a variable.
  bool uses(const clang::VarDecl *variable) const {
    return variables.contains(variable->getCanonicalDecl());
  }
  llvm::ArrayRef<const clang::VarDecl *> usedVariables() const {
    return variables.getArrayRef();
  }
  bool usesVariables() const { return !variables.empty(); }
  /// The functions that were reached, in no particular order.
  std::vector<const clang::FunctionDecl *> reachedFunctions() const;
  /// Walks all entries. May be called again after entries were added. The walk
  /// is breadth first: chains of calls are short, and functions are met in the
  /// order of the launches.
  void run();

  //===--------------------------------------------------------------------===//
  // What the visitor follows
  //===--------------------------------------------------------------------===//

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) override;
  bool TraverseIfStmt(clang::IfStmt *stmt) override;
  bool VisitCallExpr(clang::CallExpr *call) override;
  bool VisitDeclRefExpr(clang::DeclRefExpr *ref) override;
  bool VisitMemberExpr(clang::MemberExpr *member) override;
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *expr) override;
  bool VisitCXXNewExpr(clang::CXXNewExpr *expr) override;
  bool VisitAbstractConditionalOperator(
      clang::AbstractConditionalOperator *expr) override;
  bool VisitBinaryOperator(clang::BinaryOperator *expr) override;
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr *expr) override;
  bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr *expr) override;
  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr *expr) override;
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr *expr) override;
  bool VisitVarDecl(clang::VarDecl *variable) override;
  bool VisitGCCAsmStmt(clang::GCCAsmStmt *stmt) override;
  bool VisitCoroutineBodyStmt(clang::CoroutineBodyStmt *stmt) override;

protected:
  clang::Sema &sema;
  clang::ASTContext &context;
  const Target &target;
  /// The function or variable whose code is visited; null for the values of
  /// variables that are entries.
  const clang::NamedDecl *current = nullptr;
  /// The variable whose initial value is visited, or null.
  const clang::VarDecl *holder = nullptr;
  /// Whether each use of a variable is reported, or only the first.
  bool eachUse = false;

  DeviceWalk(clang::Sema &sema, const Target &target)
      : sema(sema), context(sema.getASTContext()), target(target) {}

  //===--------------------------------------------------------------------===//
  // What the walk finds, for derived classes
  //===--------------------------------------------------------------------===//

  virtual void call(clang::CallExpr *) {}
  /// Each function and variable that `current` names, on every use.
  virtual void names(const clang::ValueDecl *, clang::SourceLocation) {}
  virtual void rejected(Rejection, clang::SourceLocation) {}
  /// Each function that neither this file nor the runtime defines, once.
  virtual void undefined(const clang::FunctionDecl *, clang::SourceLocation) {}
  /// variable() reports each variable of the program once, in device passes
  /// only; shared() reports variables in shared memory.
  virtual void variable(const clang::VarDecl *, clang::SourceLocation) {}
  virtual void shared(const clang::VarDecl *) {}
  /// Called when the addresses in a variable's constant value have been
  /// reached.
  virtual void held(const clang::VarDecl *) {}
  virtual void localShared(const clang::VarDecl *) {}
  virtual void partlyShared(const clang::VarDecl *) {}
  virtual void assembly(clang::GCCAsmStmt *) {}
  virtual void coroutine(clang::SourceLocation) {}
  /// Called after the code of `current` was walked. True if it is not
  /// generated, and what it reached is to be forgotten.
  virtual bool isOmitted() { return false; }

  Edge edgeTo(const clang::NamedDecl *code) const { return edges.lookup(code); }
  bool reaches(const clang::FunctionDecl *function) const {
    const clang::FunctionDecl *definition = function->getDefinition();
    return definition && edges.contains(definition);
  }
  bool inSystemHeader(const clang::Decl *decl) const;
  /// Whether the function belongs to the standard library, which every host
  /// program and the CPU device's images have. Headers of other libraries may
  /// be system headers too.
  bool inStandardLibrary(const clang::FunctionDecl *function) const;
  /// Why an undefined function cannot become a call of the host automatically.
  /// Empty if it can; no value if the function needs none.
  std::optional<std::string>
  whyNotHostCall(const clang::FunctionDecl *function) const;

private:
  llvm::DenseMap<const clang::NamedDecl *, Edge> edges;
  std::vector<const clang::NamedDecl *> work;
  size_t next = 0; ///< index of the next element of `work`
  llvm::SetVector<const clang::CXXRecordDecl *> vtables;
  llvm::SetVector<const clang::VarDecl *> variables;
  llvm::SetVector<const clang::VarDecl *> constants;
  llvm::SetVector<const clang::Expr *> temporaries;
  llvm::SetVector<const clang::FunctionDecl *> missing;

  void walk(const clang::FunctionDecl *function);
  void walk(const clang::VarDecl *variable);
  void walkOrDiscard(const clang::NamedDecl *code);
  void reach(const clang::FunctionDecl *function, clang::SourceLocation at);
  void reachDestructor(clang::QualType type, clang::SourceLocation at);
  void reachVTable(const clang::CXXRecordDecl *record,
                   clang::SourceLocation at);
  /// Reaches the addresses in a variable's constant initial value. Its
  /// initialiser expression may contain more, which only the compiler
  /// evaluates.
  void reachValue(const clang::APValue &value, clang::QualType type,
                  clang::SourceLocation at);
  void reachVariable(const clang::VarDecl *reference, clang::SourceLocation at);
  void reachConstant(const clang::VarDecl *name, clang::SourceLocation at);
  void reachUndefined(const clang::FunctionDecl *function,
                      clang::SourceLocation at);
  /// Whether code runs to construct or to destroy a variable.
  bool runsCode(const clang::VarDecl *definition) const;
  /// Instantiates an "extern template", which promises that another file has
  /// the instantiation: no file has one for a device. Applies to those that a
  /// device pass reaches.
  void ownInstantiation(const clang::FunctionDecl *function,
                        clang::SourceLocation at);
  void ownInstantiation(const clang::VarDecl *variable,
                        clang::SourceLocation at);
  bool lacksInstantiation(clang::TemplateSpecializationKind kind,
                          const clang::Decl *decl) const;
};

/// The functions and variables marked XCC_EXPORT that the translation unit
/// defines.
std::vector<clang::FunctionDecl *>
exportedFunctions(llvm::ArrayRef<clang::Decl *> decls);
std::vector<clang::VarDecl *>
exportedVariables(llvm::ArrayRef<clang::Decl *> decls);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_DEVICEWALK_H
