"""Writes a C++ file that holds the given text files: embed.py OUT FILE..."""

import pathlib
import sys


def literal(data):
    # Short pieces: a compiler may refuse a string literal beyond 64 KiB.
    pieces = []
    for start in range(0, len(data), 100):
        escaped = "".join(
            chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}"
            for byte in data[start : start + 100]
        )
        pieces.append(f'    "{escaped}"')
    return "\n".join(pieces) or '    ""'


def main():
    out, *names = sys.argv[1:]
    paths = [pathlib.Path(name) for name in names]
    lines = ["// Written by conformance/embed.py.", '#include "conformance/embedded.h"', "",
             '#include "src/base/error.h"', "", "namespace onnxv {", "namespace {", ""]
    for number, path in enumerate(paths):
        data = path.read_bytes()
        lines += [f"constexpr std::string_view kFile{number}(", literal(data) + f", {len(data)});", ""]
    lines += ["struct File {", "  std::string_view name, text;", "};", "constexpr File kFiles[] = {"]
    lines += [f'    {{"{path.name}", kFile{number}}},' for number, path in enumerate(paths)]
    lines += ["};", "", "}  // namespace", "",
              "bool has_embedded_text(std::string_view name) {",
              "  for (const File& file : kFiles) {", "    if (file.name == name) return true;", "  }",
              "  return false;", "}", "",
              "std::string_view embedded_text(std::string_view name) {",
              "  for (const File& file : kFiles) {", "    if (file.name == name) return file.text;", "  }",
              '  fail_internal("embedded-file", name);', "}", "", "}  // namespace onnxv", ""]
    pathlib.Path(out).write_text("\n".join(lines))


main()
