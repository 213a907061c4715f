/* The C interface of a plug-in for onnx-verify: `--backend=plugin:FILE.so`.
 *
 * A plug-in is a shared library that exports one function, onnxv_backend_get. It is loaded by a process of its own,
 * which runs one test at a time on one thread: whatever it breaks costs one test.
 *
 * Everything that the plug-in is given belongs to the caller and lives until the call returns. Everything that it
 * gives is copied before `give` and `say` return. A structure is only ever extended by a new interface version.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ONNXV_BACKEND_INTERFACE 1

typedef enum onnxv_status {
  ONNXV_OK = 0,
  ONNXV_UNSUPPORTED = 1, /* the plug-in does not claim to support it */
  ONNXV_ERROR = 2
} onnxv_status;

typedef enum onnxv_kind {
  ONNXV_ABSENT = 0, /* an omitted optional input */
  ONNXV_TENSOR = 1,
  ONNXV_SEQUENCE = 2,
  ONNXV_OPTIONAL = 3,
  ONNXV_MAP = 4
} onnxv_kind;

/* Not ended by a zero: a string may hold any byte. */
typedef struct onnxv_string {
  const char* text;
  size_t length;
} onnxv_string;

typedef struct onnxv_value {
  int32_t kind; /* onnxv_kind; decides which of the following count */

  /* Tensor. element_type: the number of TensorProto.DataType. data: little-endian and row-major as in raw_data, types
   * below a byte packed with the first element in the lowest bits. Strings (type 8) stand in `strings` instead, one
   * for each element. */
  int32_t element_type;
  size_t rank;
  const int64_t* shape;
  const void* data;
  size_t size; /* of data, in bytes */
  const onnxv_string* strings;

  /* Sequence: its items. Optional: one item, or none. Map: two, a rank 1 tensor of keys and a sequence of as many
   * values. */
  size_t item_count;
  const struct onnxv_value* items;
} onnxv_value;

/* Where a call's answer is put together; opaque. */
typedef struct onnxv_answer onnxv_answer;

typedef struct onnxv_host {
  /* Gives output number `output` of those that were asked for. Kind ABSENT is no output. */
  void (*give)(onnxv_answer* answer, size_t output, const onnxv_value* value);
  /* Why a status other than ONNXV_OK is returned: UTF-8, ended by a zero. */
  void (*say)(onnxv_answer* answer, const char* message);
} onnxv_host;

typedef struct onnxv_backend {
  uint32_t interface_version; /* ONNXV_BACKEND_INTERFACE of the header that it was built with */
  const char* name;
  const char* version;
  const char* device;
  int64_t max_opset; /* the newest opset of ai.onnx that it knows; 0: it does not say */

  /* Reads a model file. *model is handed to run and unload; it is not unloaded where load did not return ONNXV_OK. */
  onnxv_status (*load)(const char* model_path, const onnxv_host* host, onnxv_answer* answer, void** model);
  /* inputs: by the graph's inputs that are not initializers, in order. outputs: the names of those that are wanted. */
  onnxv_status (*run)(void* model, const onnxv_value* inputs, size_t input_count, const char* const* outputs,
                      size_t output_count, const onnxv_host* host, onnxv_answer* answer);
  void (*unload)(void* model);
} onnxv_backend;

/* The one symbol that a plug-in exports. host_interface is the version that the caller speaks; a plug-in that speaks
 * only a newer one returns NULL. What it returns lives as long as the library. */
const onnxv_backend* onnxv_backend_get(uint32_t host_interface);

#ifdef __cplusplus
}
#endif
