#!/usr/bin/env python3
"""Compiles the schemas into one C++ source: schema/DOMAIN/Op.json and unimplemented.txt become string literals.

usage: embed.py SCHEMA_DIR OUTPUT.cc DEPFILE      (run by meson)
"""
import json
import pathlib
import sys

CHUNK = 60000  # compilers limit one literal; neighbours are joined


def literal(text):
    chunks = [text[i:i + CHUNK] for i in range(0, len(text), CHUNK)] or [""]
    return "\n    ".join(f'R"~({chunk})~"' for chunk in chunks)


def rows(root):
    for file in sorted(root.glob("*/*.json")):
        data = json.loads(file.read_text())
        newest = max(version["since"] for version in data["versions"])
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        # A real schema stands before the experimental one of the same name.
        yield data["domain"], data["name"], data.get("experimental", False), newest, text


def main():
    root, output, depfile = (pathlib.Path(argument) for argument in sys.argv[1:])
    operators = sorted(rows(root))
    lines = ['// Made by schema/embed.py.', '#include "schema/texts.h"', "", "namespace onnxv {", "namespace {",
             "const OperatorText kOperators[] = {"]
    for domain, name, experimental, newest, text in operators:
        lines.append(f'  {{"{domain}", "{name}", {str(experimental).lower()}, {newest},\n    {literal(text)}}},')
    unimplemented = (root / "unimplemented.txt").read_text()
    lines += ["};", "}  // namespace", "",
              "std::span<const OperatorText> operator_texts() { return kOperators; }",
              f"std::string_view unimplemented_text() {{\n  return {literal(unimplemented)};\n}}", "",
              "}  // namespace onnxv", ""]
    output.write_text("\n".join(lines))
    # The folders too: a new file in one of them changes its time.
    needed = [root, *(d for d in root.iterdir() if d.is_dir()), *root.glob("*/*.json"), root / "unimplemented.txt"]
    depfile.write_text(f"{output}: " + " ".join(str(path) for path in sorted(needed)) + "\n")


if __name__ == "__main__":
    main()
