// The text of an asm statement
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AssemblyText.h"
#include "PtxTranslator.h"
#include "SourceTokens.h"
#include <vector>

using namespace clang;

namespace xcc {
namespace {

struct Word {
  tok::TokenKind kind;
  size_t begin, end;
};

std::vector<Word> lex(llvm::StringRef text) {
  std::vector<Word> words;
  visitTokens(text, [&](const Token &token, size_t begin) {
    words.push_back({token.getKind(), begin, begin + token.getLength()});
  });
  return words;
}

/// The characters of a literal as it is written; none of one that is not plain.
std::optional<std::string> unquoted(llvm::StringRef literal) {
  if (literal.consume_front("R\"")) {
    auto [delimiter, rest] = literal.split('(');
    if (!rest.consume_back("\"") || !rest.consume_back(delimiter) ||
        !rest.consume_back(")"))
      return std::nullopt;
    return rest.str();
  }
  if (!literal.consume_front("\"") || !literal.consume_back("\""))
    return std::nullopt;
  std::string made;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\') {
      made += literal[i];
      continue;
    }
    if (++i == literal.size())
      return std::nullopt;
    switch (literal[i]) {
    case 'n':
      made += '\n';
      break;
    case 't':
    case 'r':
      made += ' ';
      break;
    case '\\':
    case '"':
      made += literal[i];
      break;
    case '\n': // a line that goes on
      break;
    default:
      return std::nullopt;
    }
  }
  return made;
}

class Reader {
public:
  explicit Reader(llvm::StringRef parentheses)
      : text(parentheses.drop_front().drop_back().str()), words(lex(text)) {}

  std::optional<std::string> run() {
    std::string code;
    while (is(tok::string_literal) || is(tok::hash)) {
      if (is(tok::hash)) { // a macro's parameter, as text
        if (++at == words.size() || !is(tok::raw_identifier))
          return std::nullopt;
        code += "$" + spelling(at++).str();
        continue;
      }
      std::optional<std::string> part = unquoted(spelling(at++));
      if (!part)
        return std::nullopt;
      code += *part;
    }
    // One percent sign is written twice where there are operands.
    const bool plain = at == words.size();
    for (unsigned section = 0; at < words.size() && section < 2; ++section)
      if (!readOperands())
        return std::nullopt;
    if (!plain)
      for (size_t sign = 0; (sign = code.find("%%", sign)) != code.npos; ++sign)
        code.erase(sign, 1);
    std::optional<std::string> made = translatePtx(code, operands);
    if (made)
      keepLines(*made);
    return made;
  }

private:
  std::string text;
  std::vector<Word> words;
  size_t at = 0;
  bool doubled = false; ///< the second colon of `::` begins the next section
  std::vector<PtxOperand> operands;

  bool is(tok::TokenKind kind) const {
    return at < words.size() && words[at].kind == kind;
  }
  llvm::StringRef spelling(size_t i) const {
    return llvm::StringRef(text).slice(words[i].begin, words[i].end);
  }

  /// `: [name] "=r"(a), "+l"(b)`, to the next colon.
  bool readOperands() {
    if (doubled)
      doubled = false;
    else if (is(tok::coloncolon))
      return doubled = true, ++at, true;
    else if (is(tok::colon))
      ++at;
    else
      return false;
    while (at < words.size() && !is(tok::colon) && !is(tok::coloncolon)) {
      if (!readOperand())
        return false;
      at += is(tok::comma);
    }
    return true;
  }
  bool readOperand() {
    PtxOperand made;
    if (is(tok::l_square)) {
      if (at + 2 >= words.size() || words[at + 2].kind != tok::r_square)
        return false;
      made.name = spelling(at + 1).str();
      at += 3;
    }
    if (!is(tok::string_literal))
      return false;
    std::optional<std::string> constraint = unquoted(spelling(at++));
    if (!constraint || !is(tok::l_paren))
      return false;
    made.constraint = *constraint;
    const size_t open = words[at].begin;
    for (unsigned depth = 0; at < words.size(); ++at) {
      depth += is(tok::l_paren);
      if (is(tok::r_paren) && --depth == 0)
        break;
    }
    if (at == words.size())
      return false;
    made.expression = text.substr(open, words[at++].end - open);
    // A line that goes on is one line there.
    for (size_t i; (i = made.expression.find("\\\n")) != std::string::npos;)
      made.expression.replace(i, 2, " ");
    for (char &c : made.expression)
      c = c == '\n' ? ' ' : c;
    if (made.expression.find("//") != std::string::npos)
      return false;
    operands.push_back(std::move(made));
    return true;
  }

  void keepLines(std::string &made) const {
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n')
        made += i && text[i - 1] == '\\' ? "\\\n" : "\n";
  }
};

} // namespace

std::optional<std::string> translateAssembly(llvm::StringRef parentheses) {
  return Reader(parentheses).run();
}

} // namespace xcc
