#include "ops/vision/nearest_choices.h"

#include <algorithm>
#include <limits>

#include "src/kernel/remaining_bounds.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// What a backend that computes positions by the text's formula may pick on one axis for one output position.
struct AxisChoices {
  int64_t low = 0, high = 0;
  bool inside = true, outside = false;
  double to_step = std::numeric_limits<double>::infinity();
  bool likely = false;
  bool single() const { return low == high && inside != outside; }
};

ModelReal stepped(const ModelReal& x, const std::string& mode) {
  const ModelReal half(0.5);
  if (mode == "floor") return floor(x);
  if (mode == "ceil") return ceil(x);
  return mode == "round_prefer_floor" ? ceil(x - half) : floor(x + half);
}

AxisChoices choices_at(const Axis& axis, const Modes& modes, int64_t index) {
  AxisChoices choices;
  const bool crops = modes.coordinates == "tf_crop_and_resize";
  const ModelReal x = coordinate<ModelReal>(axis, modes, index);
  const Steps steps = steps_of(stepped(x, modes.nearest), 0, axis.in - 1);
  choices.low = steps.low;
  choices.high = steps.high;
  choices.to_step = steps.to_step;
  choices.likely = steps.likely && steps.low != steps.high;
  const auto last = static_cast<double>(axis.in - 1);
  choices.outside = crops && !(x.low >= 0 && x.high <= last);
  choices.inside = !crops || !(x.high < 0 || x.low > last);
  return choices;
}

std::vector<AxisChoices> choices_of(const Axis& axis, const Modes& modes) {
  std::vector<AxisChoices> all;
  for (int64_t i = 0; i < axis.out; ++i) {
    AxisChoices itself;
    itself.low = itself.high = i;
    all.push_back(is_identity(axis, modes) ? itself : choices_at(axis, modes, i));
  }
  return all;
}

// A hull that wide says nothing more.
constexpr size_t kMostChoices = 4096;

// Every combination of what the axes may pick; `at` are their positions for the element.
void combine(const std::vector<const AxisChoices*>& at, const std::vector<int64_t>& strides, Choices* choices) {
  if (std::all_of(at.begin(), at.end(), [](const AxisChoices* one) { return one->single(); })) return;
  choices->positions = {0};
  bool outside = false, inside = true;
  for (size_t axis = 0; axis < at.size(); ++axis) {
    const AxisChoices& one = *at[axis];
    outside = outside || one.outside;
    inside = inside && one.inside;
    if (!one.single()) choices->to_step = std::min(choices->to_step, one.to_step);
    choices->likely = choices->likely || one.likely;
    std::vector<int64_t> next;
    for (int64_t index = one.low; index <= one.high && next.size() <= kMostChoices; ++index) {
      for (const int64_t position : choices->positions) next.push_back(position + index * strides[axis]);
    }
    choices->positions = std::move(next);
  }
  if (!inside) choices->positions.clear();
  if (outside) choices->positions.push_back(-1);
}

}  // namespace

void bound_nearest(Tensor* y, const Tensor& x, const std::vector<Axis>& axes, const std::vector<Modes>& modes, double fill) {
  const ToleranceModel* tolerance = ToleranceScope::current();
  if (tolerance == nullptr || y->size() == 0) return;
  // Scales and regions are float32 mostly, whatever X is.
  const ArithmeticScope arithmetic(*tolerance, tolerance->compute.value_or(compute_type(kFloat32)));
  std::vector<std::vector<AxisChoices>> all;
  for (size_t k = 0; k < axes.size(); ++k) all.push_back(choices_of(axes[k], modes[k]));
  const std::vector<int64_t> strides = strides_of(x.shape());
  std::vector<const AxisChoices*> at(axes.size());
  bound_choices(y, x, fill, [&](size_t element, Choices* choices) {
    for (size_t k = axes.size(); k-- > 0; element /= all[k].size()) at[k] = &all[k][element % all[k].size()];
    combine(at, strides, choices);
  });
}

}  // namespace onnxv
