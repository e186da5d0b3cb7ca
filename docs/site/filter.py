#!/usr/bin/env python3
# Documents and headers as Doxygen wants them
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: docs/site/filter.py FILE
#
# Doxygen runs this for each file it reads (FILTER_PATTERNS). No line is added
# or taken away, so that its warnings name those of the file.
#
# * Headings get the names that GitHub gives them, with the page's before, and
#   links lead there: other.md#a-heading becomes "@ref other-a-heading".
# * A link to a file that is no page of the site becomes the file's name.
# * A comment of a header is that of all declarations up to the next empty line,
#   or one that moves: they become a group, of which each member has it.
# * Examples in comments, lines further in by four, become code; the comment that
#   a header begins with becomes the file's.

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHOWN = re.compile(r"^(docs/(internals/)?[\w-]+\.md|README\.md|(host-runtime|rpc)/include/xcc/\w+\.h)$")


LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[\[[^\]]*\]\])*)\]\(([^() \n]+)\)")


def slug(heading):
    """What GitHub calls a heading in links."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page(path):
    return "start" if path.name == "README.md" else path.stem


def link(match, here):
    """[text](place), on the site."""
    image, text, place = match.groups()
    if image or "://" in place:
        return match.group(0)
    name, _, anchor = place.partition("#")
    target = pathlib.Path(os.path.normpath(here.parent / name)) if name else here
    inside = target.relative_to(ROOT).as_posix() if target.is_relative_to(ROOT) else ""
    if not SHOWN.match(inside) and target.exists():
        return f"{text} (<tt>{inside}</tt>)" if inside not in text else text
    if target.suffix == ".md":
        plain = text.replace("`", "").replace('"', "'")
        return f'@ref {page(target)}{"-" + anchor if anchor else ""} "{plain}"'
    return f'@ref {target.name} "{inside.split("include/")[-1]}"' 


def prose(text, path):
    """Lines that are no code, with links and headings."""
    # To Doxygen, a ' ends what ` begins.
    text = re.sub(r"`[^`\n]*`",
                  lambda span: re.sub(r"%(?=\w)", "%%", f"`{span[0]}`" if "'" in span[0] else span[0]), text)

    def one(match):
        # Its text has to be on one line: that ends behind it then, and behind its comma.
        broken = match[0].count("\n")
        plain = LINK.match(re.sub(r"\n *", " ", match[0]))
        return link(plain, path) + (match[5] + "\n" * broken if broken else match[4])

    return re.sub(LINK.pattern + r"(([^\s\w`\[(]*) ?)", one, text)


def document(path):
    code, first, text = False, True, []
    for line in path.read_text().splitlines():
        fence = re.match(r"\s*```", line)
        if not fence and not code:
            heading = re.match(r"^(#+) (.*)$", line)
            if heading:
                name = page(path) if first else f"{page(path)}-{slug(heading[2])}"
                # Doxygen has no code in headings.
                line = f"{line.replace('`', '')} {{#{name}}}"
                first = False
            text.append(line)
            continue
        if fence:
            if text:
                print(prose("\n".join(text), path))
            code, text = not code, []
            # Its highlighter knows C++, and takes all it does not know for that.
            if code and not line.strip().startswith("```cpp"):
                line = line[:line.index("```")] + "```{.unparsed}"
        print(line)
    if text:
        print(prose("\n".join(text), path))


def grouped(lines):
    """Puts @{ and @} around the declarations that a comment is of."""
    plain = [re.sub(r'//.*|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'', "", line) for line in lines]
    depth, opened, out = 0, None, []
    for i, line in enumerate(lines):
        text = plain[i].strip()
        # Moving is told of by its class, and not by who stands before.
        moves = opened is not None and re.match(r"(\w+|.*\boperator=)\([\w:]+(<.*>)? &&", text)
        leaves = moves or text.startswith("}") and depth + text.count("{") - text.count("}") < (opened or 0)
        if opened is not None and depth == opened and (not line.strip() or text.endswith(":") or leaves
                                                       or re.match(r"# *(if|else|elif|endif|undef)", text)):
            line = "/** @} */ " + line if line.strip() else "/** @} */"
            opened = None
        starts = bool(re.match(r"\s*///(?!<)", line)) and not (i and re.match(r"\s*///(?!<)", lines[i - 1]))
        if starts:
            after = next(k for k in range(i, len(lines)) if not lines[k].lstrip().startswith("///"))
            text = " ".join(plain[after:after + 12])
            while re.search(r"<[^<>]*>", text):
                text = re.sub(r"<[^<>]*>", "", text)
            groups = not re.search(r"^\s*# *(if|undef)|\b(class|struct|union|enum|namespace)\b", re.split("[;{(]", text)[0])
            # A line of a comment that begins with another one is a comment by
            # itself: marks go to the end of the line before.
            marks = ("/** @} */" if opened is not None else "") + ("/** @{ */" if groups else "")
            before = out[-1] if out else "#"
            if marks and "//" not in before and before.lstrip()[:1] != "#" and not "".join(out[-2:-1]).endswith("\\"):
                out[-1] += " " + marks
            elif marks:
                line = marks + " " + line.lstrip()
            opened = depth if groups else None
        depth += plain[i].count("{") - plain[i].count("}")
        out.append(line)
    return out


def escaped(line):
    """Names in pointed brackets, which are no tags; what is quoted is taken as it is."""
    return re.sub(r'"[^"]*"|<([\w./]+)>', lambda m: m[0] if m[0][0] == '"' else rf"\<{m[1]}\>", line)


def header(path):
    lines = path.read_text().splitlines()
    is_code = [bool(re.match(r"\s*///     ", line)) for line in lines]
    for i, line in enumerate(lines):
        if is_code[i]:
            # At the end of the line before: in front of the code it would move it.
            if not i or not is_code[i - 1]:
                lines[i - 1] += " @code{.cpp}"
            if i + 1 == len(lines) or not is_code[i + 1]:
                line += " @endcode"
            lines[i] = line
        elif "///" in line:
            lines[i] = escaped(line)
    length = next((i for i, line in enumerate(lines) if not line.startswith("//")),
                  len(lines))
    top = []
    for line in lines[:length]:
        if not top:
            line = f"/// @brief {line[3:]}."
        elif line == "//" and len(top) == 1:
            line = f"/// @file {path.parent.name}/{path.name}"
        else:
            line = "/" + ("//" if line.startswith(("// Part of", "// SPDX")) else
                          line if line.startswith("//     ") else escaped(line))
        top.append(line)
    print("\n".join(top + grouped(lines[length:])))


if __name__ == "__main__":
    file = pathlib.Path(sys.argv[1]).resolve()
    (document if file.suffix == ".md" else header)(file)
