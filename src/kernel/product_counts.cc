#include "src/kernel/product_counts.h"

#include <atomic>

namespace onnxv {
namespace {

std::atomic<uint64_t> g_elements{0}, g_compensated{0}, g_exact{0};

}  // namespace

ProductCounts product_counts() { return {g_elements, g_compensated, g_exact}; }

void reset_product_counts() { g_elements = g_compensated = g_exact = 0; }

void count_products(const ProductCounts& more) {
  g_elements += more.elements;
  g_compensated += more.compensated;
  g_exact += more.exact;
}

}  // namespace onnxv
