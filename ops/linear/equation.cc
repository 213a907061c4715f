#include "ops/linear/equation.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "src/base/error.h"

namespace onnxv {
namespace {

// An index's name: a letter, or, for dimension d of the ellipsis, -1 - d.
using Name = int;

struct Term {
  std::string before, behind;  // letters around the ellipsis
  bool has_ellipsis = false;
};

[[noreturn]] void fail_equation(std::string_view what, std::string_view wanted) { fail_schema("equation", what, wanted); }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

Term parse_term(std::string_view text) {
  Term term;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_letter(text[i])) {
      (term.has_ellipsis ? term.behind : term.before) += text[i];
    } else if (text.substr(i, 3) == "..." && !term.has_ellipsis) {
      term.has_ellipsis = true;
      i += 2;
    } else {
      fail_equation("a term is \"" + std::string(text) + "\"", "must be letters and at most one ellipsis");
    }
  }
  return term;
}

struct Equation {
  std::vector<Term> terms;
  bool is_explicit = false;
  Term output;
};

Equation parse(std::string_view given) {
  std::string text;
  std::copy_if(given.begin(), given.end(), std::back_inserter(text), [](char c) { return c != ' '; });
  Equation equation;
  const size_t arrow = text.find("->");
  equation.is_explicit = arrow != std::string::npos;
  if (equation.is_explicit) equation.output = parse_term(std::string_view(text).substr(arrow + 2));
  std::string_view left = std::string_view(text).substr(0, arrow);
  for (size_t comma = left.find(','); comma != std::string_view::npos; comma = left.find(',')) {
    equation.terms.push_back(parse_term(left.substr(0, comma)));
    left.remove_prefix(comma + 1);
  }
  equation.terms.push_back(parse_term(left));
  return equation;
}

// The rank of the ellipsis, -1 where no term has one. Spec: every ellipsis stands for the same number of dimensions.
int64_t ellipsis_rank(const Equation& equation, const std::vector<Shape>& operands) {
  int64_t rank = -1;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Term& term = equation.terms[i];
    const int64_t rest = operands[i].rank() - static_cast<int64_t>(term.before.size() + term.behind.size());
    if (rest < 0 || (rest > 0 && !term.has_ellipsis)) {
      fail_equation("term " + std::to_string(i) + " has " + std::to_string(term.before.size() + term.behind.size()) +
                        " letters for an operand of rank " + std::to_string(operands[i].rank()),
                    "must name every dimension once");
    }
    if (!term.has_ellipsis) continue;
    if (rank >= 0 && rank != rest) fail_equation("the ellipses stand for different numbers of dimensions", "must be the same");
    rank = rest;
  }
  return rank;
}

std::vector<Name> names_of(const Term& term, int64_t ellipsis) {
  std::vector<Name> names(term.before.begin(), term.before.end());
  for (int64_t d = 0; term.has_ellipsis && d < ellipsis; ++d) names.push_back(static_cast<Name>(-1 - d));
  names.insert(names.end(), term.behind.begin(), term.behind.end());
  return names;
}

// Choice: one letter may have the lengths 1 and n in different terms: it broadcasts, as the ellipsis does.
void join_length(EinsumIndex& index, int64_t length, std::string_view what) {
  if (index.length == length || length == 1) return;
  if (index.length != 1) {
    fail_schema("shape-mismatch", std::string(what) + " has the lengths " + std::to_string(index.length) + " and " + std::to_string(length),
                "must be one length, or 1");
  }
  index.length = length;
}

std::string spelled(Name name) { return name < 0 ? "the ellipsis" : std::string("index ") + static_cast<char>(name); }

// Adds one operand's dimensions to the indices; a repeated letter is the diagonal.
void add_operand(std::map<Name, EinsumIndex>& indices, const std::vector<Name>& names, const Shape& shape, size_t operand, size_t count) {
  const std::vector<int64_t> strides = strides_of(shape);
  std::map<Name, int64_t> own;
  for (size_t d = 0; d < names.size(); ++d) {
    const int64_t length = shape[static_cast<int64_t>(d)];
    const auto [at, first] = own.try_emplace(names[d], length);
    if (!first && at->second != length) {
      fail_schema("shape-mismatch", spelled(names[d]) + " is repeated with the lengths " + std::to_string(at->second) + " and " +
                                        std::to_string(length), "a diagonal needs equal lengths");
    }
    EinsumIndex& index = indices[names[d]];
    index.strides.resize(count);
    join_length(index, length, spelled(names[d]));
    if (length != 1) index.strides[operand] += strides[d];
  }
}

std::vector<Name> output_names(const Equation& equation, const std::map<Name, EinsumIndex>& indices, int64_t ellipsis) {
  if (equation.is_explicit) {
    std::vector<Name> names = names_of(equation.output, ellipsis);
    if (ellipsis > 0 && !equation.output.has_ellipsis) {
      fail_equation("the output has no ellipsis", "must have one: the dimensions of the ellipsis are not summed");
    }
    return names;
  }
  std::map<Name, int> occurrences;
  for (const Term& term : equation.terms) {
    for (const char letter : term.before + term.behind) ++occurrences[letter];
  }
  std::vector<Name> names = names_of({.before = {}, .behind = {}, .has_ellipsis = true}, ellipsis);
  for (const auto& [name, index] : indices) {
    if (name >= 0 && occurrences[name] == 1) names.push_back(name);
  }
  return names;
}

}  // namespace

Einsum einsum_of(std::string_view text, const std::vector<Shape>& operands) {
  const Equation equation = parse(text);
  if (equation.terms.size() != operands.size()) {
    fail_equation("the equation has " + std::to_string(equation.terms.size()) + " terms for " + std::to_string(operands.size()) + " inputs",
                  "must have one for each");
  }
  const int64_t ellipsis = ellipsis_rank(equation, operands);
  std::map<Name, EinsumIndex> indices;
  for (size_t i = 0; i < operands.size(); ++i) {
    add_operand(indices, names_of(equation.terms[i], ellipsis), operands[i], i, operands.size());
  }
  Einsum einsum;
  std::set<Name> kept;
  for (const Name name : output_names(equation, indices, ellipsis)) {
    const auto found = indices.find(name);
    if (found == indices.end() || !kept.insert(name).second) {
      fail_equation("the output names " + spelled(name), "must name indices of the terms, each once");
    }
    einsum.kept.push_back(found->second);
    einsum.out.push_back(found->second.length);
  }
  for (const auto& [name, index] : indices) {
    if (!kept.contains(name)) einsum.summed.push_back(index);
  }
  return einsum;
}

}  // namespace onnxv
