/* An example of a plug-in: a backend that knows models of one node, Identity of anything and Add of float32.
 *
 *   cc -shared -fPIC -I. -o example.so conformance/backend/example_plugin.c
 *   onnx-verify suite tests/ --backend=plugin:./example.so
 *
 * A real one hands the model's path to its runtime in `load`, and the values to it in `run`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/onnx_verify_backend.h"

/* ---- as much protobuf as it takes to find the operators' names ---- */

typedef struct bytes {
  const unsigned char *at, *end;
} bytes;

static int read_varint(bytes* from, uint64_t* value) {
  *value = 0;
  for (int shift = 0; shift < 64 && from->at < from->end; shift += 7) {
    const unsigned char byte = *from->at++;
    *value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return 1;
  }
  return 0;
}

/* The next field of `from`: its number, and its content where it has a length. 0 at the end. */
static int next_field(bytes* from, uint64_t* number, bytes* content) {
  uint64_t tag, length;
  if (!read_varint(from, &tag)) return 0;
  *number = tag >> 3;
  content->at = content->end = NULL;
  switch (tag & 7) {
    case 0: return read_varint(from, &length);
    case 1: length = 8; break;
    case 5: length = 4; break;
    case 2:
      if (!read_varint(from, &length)) return 0;
      break;
    default: return 0;
  }
  if (length > (uint64_t)(from->end - from->at)) return 0;
  content->at = from->at;
  content->end = from->at + length;
  from->at += length;
  return 1;
}

/* ModelProto.graph is field 7, GraphProto.node 1, NodeProto.op_type 4. Returns the number of nodes. */
static int find_operator(bytes file, char* name, size_t capacity) {
  uint64_t number;
  bytes graph, node, text;
  int nodes = 0;
  while (next_field(&file, &number, &graph)) {
    if (number != 7) continue;
    while (next_field(&graph, &number, &node)) {
      if (number != 1) continue;
      ++nodes;
      while (next_field(&node, &number, &text)) {
        const size_t length = (size_t)(text.end - text.at);
        if (number != 4 || length >= capacity) continue;
        memcpy(name, text.at, length);
        name[length] = 0;
      }
    }
  }
  return nodes;
}

/* ---- the backend ---- */

typedef struct model {
  char operator_name[64];
} model;

static onnxv_status load(const char* path, const onnxv_host* host, onnxv_answer* answer, void** result) {
  enum { kLargest = 1 << 20 };
  FILE* file = fopen(path, "rb");
  unsigned char* content = malloc(kLargest);
  const size_t size = file != NULL && content != NULL ? fread(content, 1, kLargest, file) : 0;
  if (file != NULL) fclose(file);
  model loaded = {""};
  const int nodes = find_operator((bytes){content, content + size}, loaded.operator_name, sizeof(loaded.operator_name));
  free(content);
  if (nodes != 1) {
    host->say(answer, "only models of one node");
    return ONNXV_UNSUPPORTED;
  }
  model* kept = malloc(sizeof(model));
  if (kept == NULL) return ONNXV_ERROR;
  *kept = loaded;
  *result = kept;
  return ONNXV_OK;
}

static int same_float_tensors(const onnxv_value* a, const onnxv_value* b) {
  return a->kind == ONNXV_TENSOR && b->kind == ONNXV_TENSOR && a->element_type == 1 && b->element_type == 1 &&
         a->rank == b->rank && a->size == b->size &&
         (a->rank == 0 || memcmp(a->shape, b->shape, a->rank * sizeof(int64_t)) == 0);
}

static onnxv_status add(const onnxv_value* inputs, size_t count, const onnxv_host* host, onnxv_answer* answer) {
  if (count != 2 || !same_float_tensors(&inputs[0], &inputs[1])) {
    host->say(answer, "Add takes two float32 tensors of one shape");
    return ONNXV_UNSUPPORTED;
  }
  const float *a = inputs[0].data, *b = inputs[1].data;
  float* sum = malloc(inputs[0].size + 1);
  if (sum == NULL) return ONNXV_ERROR;
  for (size_t i = 0; i < inputs[0].size / sizeof(float); ++i) sum[i] = a[i] + b[i];
  onnxv_value output = inputs[0];
  output.data = sum;
  host->give(answer, 0, &output);
  free(sum);
  return ONNXV_OK;
}

static onnxv_status run(void* handle, const onnxv_value* inputs, size_t input_count, const char* const* outputs,
                        size_t output_count, const onnxv_host* host, onnxv_answer* answer) {
  const model* loaded = handle;
  (void)outputs;
  if (output_count == 1 && strcmp(loaded->operator_name, "Add") == 0) return add(inputs, input_count, host, answer);
  if (output_count == 1 && input_count == 1 && strcmp(loaded->operator_name, "Identity") == 0) {
    host->give(answer, 0, &inputs[0]);
    return ONNXV_OK;
  }
  host->say(answer, loaded->operator_name);
  return ONNXV_UNSUPPORTED;
}

static const onnxv_backend kBackend = {
    ONNXV_BACKEND_INTERFACE, "example", "1.0", "cpu", 0, load, run, free,
};

const onnxv_backend* onnxv_backend_get(uint32_t host_interface) {
  return host_interface >= ONNXV_BACKEND_INTERFACE ? &kBackend : NULL;
}
