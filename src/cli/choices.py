#!/usr/bin/env python3
"""Collects the tagged decisions (`// Spec:`, `// Choice:`, `// Erratum:`) of the sources into one .cc.

usage: choices.py ROOT OUTPUT DEPFILE
"""
import pathlib
import re
import sys

TAG = re.compile(r"^\s*//\s*(Spec|Choice|Erratum): (.*)$")
COMMENT = re.compile(r"^\s*//\s?(.*)$")


def decisions(path):
    """(line, tag, text) for each tagged comment; its text runs to the end of the comment or to the next tag."""
    found = []
    running = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        tagged = TAG.match(line)
        comment = COMMENT.match(line)
        if tagged:
            found.append([number, tagged[1], tagged[2].strip()])
            running = True
        elif comment and running and comment[1].strip():
            found[-1][2] += " " + comment[1].strip()
        else:
            running = False
    return found


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main():
    root, output, depfile = (pathlib.Path(argument) for argument in sys.argv[1:4])
    sources = sorted(path for folder in ("ops", "src", "schema", "conformance") for path in (root / folder).rglob("*")
                     if path.suffix in (".cc", ".h") and not path.name.endswith("_test.cc"))
    rows = []
    for path in sources:
        for line, tag, text in decisions(path):
            rows.append(f"    {{{literal(path.relative_to(root).as_posix())}, {line}, {literal(tag)}, {literal(text)}}},\n")
    output.write_text('#include "src/cli/choices.h"\n\nnamespace onnxv::cli {\n\n'
                      "std::span<const Decision> decisions() {\n"
                      f"  static const std::array<Decision, {len(rows)}> all{{{{\n{''.join(rows)}  }}}};\n"
                      "  return all;\n}\n\n}  // namespace onnxv::cli\n", encoding="utf-8")
    folders = sorted({path.parent for path in sources})  # a new file changes its folder
    escaped = [str(path.resolve()).replace(" ", "\\ ") for path in sources + folders]
    depfile.write_text(f"{output}: {' '.join(escaped)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
