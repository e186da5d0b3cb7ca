// Everything that kernels reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts at kernels and exported functions and follows what their code
// evaluates: calls, constructors and destructors, virtual functions of what is
// made, addresses in initial values. It changes nothing but to instantiate what
// would be another file's ("extern template").

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

/// How code was first reached: a function, or the initialiser of a variable that
/// runs on the device, which stands for it.
struct Edge {
  const clang::NamedDecl *caller = nullptr; ///< null for an entry
  clang::SourceLocation at; ///< the call; the launch for an entry
  llvm::StringRef kernel;   ///< the entry's kernel; empty if exported
};

/// Functions that no device has, whether defined here or not.
enum class Refusal {
  None,
  Launch,       ///< launches a kernel
  HostFunction, ///< XCC_HOST, by its address
  HostEntry,    ///< stands for a number; nothing is wrong
  Jump,         ///< setjmp and its kin
  HostRuntime   ///< the runtime's functions
};

class DeviceWalk : public EvaluatedCode {
public:
  void addEntry(const clang::FunctionDecl *entry, clang::SourceLocation launch,
                llvm::StringRef kernel);
  /// A variable that is reached from elsewhere.
  void addEntry(const clang::VarDecl *entry);
  /// A class whose virtual functions are reached through objects that others
  /// make.
  void addEntry(const clang::CXXRecordDecl *entry);
  /// A variable whose initialiser runs although no device code names it, or a
  /// function that runs before main.
  void addRegistrar(const clang::NamedDecl *registrar);
  /// Whether device code names a variable.
  bool uses(const clang::VarDecl *variable) const {
    return variables.contains(variable->getCanonicalDecl());
  }
  llvm::ArrayRef<const clang::VarDecl *> usedVariables() const {
    return variables.getArrayRef();
  }
  bool usesVariables() const { return !variables.empty(); }
  /// In no order.
  std::vector<const clang::FunctionDecl *> reachedFunctions() const;
  /// May be called again after more was added. Breadth first, so that chains
  /// of calls are short and things are met in the
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
  /// The function or variable whose code is visited; null for what entries that
  /// are variables hold.
  const clang::NamedDecl *current = nullptr;
  /// The variable whose initial value is looked at, if one is.
  const clang::VarDecl *holder = nullptr;
  /// Whether each use of a variable is met, not the first alone.
  bool eachUse = false;

  DeviceWalk(clang::Sema &sema, const Target &target)
      : sema(sema), context(sema.getASTContext()), target(target) {}

  //===--------------------------------------------------------------------===//
  // What the walk finds, for derived classes
  //===--------------------------------------------------------------------===//

  virtual void call(clang::CallExpr *) {}
  /// Each function and variable that `current` names, each time.
  virtual void names(const clang::ValueDecl *, clang::SourceLocation) {}
  virtual void refused(Refusal, clang::SourceLocation) {}
  /// Each function that neither this file nor the runtime defines, once.
  virtual void undefined(const clang::FunctionDecl *, clang::SourceLocation) {}
  /// Each variable of the program once; those that blocks share apart. The first
  /// in a device pass alone.
  virtual void variable(const clang::VarDecl *, clang::SourceLocation) {}
  virtual void shared(const clang::VarDecl *) {}
  /// When all was met that a variable's constant value holds.
  virtual void held(const clang::VarDecl *) {}
  virtual void localShared(const clang::VarDecl *) {}
  virtual void partlyShared(const clang::VarDecl *) {}
  virtual void assembly(clang::GCCAsmStmt *) {}
  virtual void coroutine(clang::SourceLocation) {}
  /// Whether what `current` led to, now that all of it was met, is to be
  /// forgotten: it is not generated.
  virtual bool leavesOut() { return false; }

  Edge edgeTo(const clang::NamedDecl *code) const { return edges.lookup(code); }
  bool reaches(const clang::FunctionDecl *function) const {
    const clang::FunctionDecl *definition = function->getDefinition();
    return definition && edges.contains(definition);
  }
  bool inSystemHeader(const clang::Decl *decl) const;
  /// Functions that every program of the host has, and the CPU device's images
  /// too; other libraries' headers are system headers as well.
  bool inStandardLibrary(const clang::FunctionDecl *function) const;
  /// Why an undefined function cannot become a call of the host by itself; empty
  /// when it can, nothing when there is no need.
  std::optional<std::string>
  whyNotHostCall(const clang::FunctionDecl *function) const;

private:
  llvm::DenseMap<const clang::NamedDecl *, Edge> edges;
  std::vector<const clang::NamedDecl *> work;
  size_t next = 0; ///< of work, to walk
  llvm::SetVector<const clang::CXXRecordDecl *> vtables;
  llvm::SetVector<const clang::VarDecl *> variables;
  llvm::SetVector<const clang::VarDecl *> constants;
  llvm::SetVector<const clang::Expr *> temporaries;
  llvm::SetVector<const clang::FunctionDecl *> missing;

  void walk(const clang::FunctionDecl *function);
  void walk(const clang::VarDecl *variable);
  void walkOrForget(const clang::NamedDecl *code);
  void reach(const clang::FunctionDecl *function, clang::SourceLocation at);
  void reachDestructor(clang::QualType type, clang::SourceLocation at);
  void reachVTable(const clang::CXXRecordDecl *record,
                   clang::SourceLocation at);
  /// What a variable's constant initial value holds the addresses of. Its
  /// expression has more to it, which the compiler evaluates and no device.
  void reachValue(const clang::APValue &value, clang::QualType type,
                  clang::SourceLocation at);
  void reachVariable(const clang::VarDecl *reference, clang::SourceLocation at);
  void reachConstant(const clang::VarDecl *name, clang::SourceLocation at);
  void reachUndefined(const clang::FunctionDecl *function,
                      clang::SourceLocation at);
  /// Whether code runs to make or to destroy a variable.
  bool runsCode(const clang::VarDecl *definition) const;
  /// "extern template" says that another file has the instantiation: for a
  /// device there is none, least of all of libstdc++'s templates. What a device
  /// pass reaches of such is instantiated there.
  void ownInstantiation(const clang::FunctionDecl *function,
                        clang::SourceLocation at);
  void ownInstantiation(const clang::VarDecl *variable,
                        clang::SourceLocation at);
  bool lacksInstantiation(clang::TemplateSpecializationKind kind,
                          const clang::Decl *decl) const;
};

/// Functions and variables marked XCC_EXPORT among what the translation unit defines.
std::vector<clang::FunctionDecl *>
exportedFunctions(llvm::ArrayRef<clang::Decl *> decls);
std::vector<clang::VarDecl *>
exportedVariables(llvm::ArrayRef<clang::Decl *> decls);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_DEVICEWALK_H
