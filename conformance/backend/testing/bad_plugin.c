/* A plug-in that answers with its first input, or misbehaves as the name of the model's folder says. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conformance/onnx_verify_backend.h"

static char how[4096];

static onnxv_status load(const char* path, const onnxv_host* host, onnxv_answer* answer, void** model) {
  (void)host;
  (void)answer;
  snprintf(how, sizeof(how), "%s", path);
  *model = how;
  return ONNXV_OK;
}

static int told(const char* word) { return strstr(how, word) != NULL; }

static onnxv_status run(void* model, const onnxv_value* inputs, size_t input_count, const char* const* outputs,
                        size_t output_count, const onnxv_host* host, onnxv_answer* answer) {
  (void)model;
  (void)outputs;
  (void)output_count;
  const int64_t huge[] = {INT64_MAX, INT64_MAX}, negative[] = {-2};
  if (input_count < 1) return ONNXV_ERROR;
  onnxv_value given = inputs[0];
  if (told("crash")) raise(SIGSEGV);
  if (told("hang")) pause();
  if (told("exit")) _exit(7);
  if (told("floods")) {
    for (;;) puts("nobody reads this");
  }
  if (told("chats")) puts("a greeting on stdout");
  if (told("unsupported")) {
    host->say(answer, "not that operator");
    return ONNXV_UNSUPPORTED;
  }
  if (told("nothing")) return ONNXV_OK;
  if (told("second")) host->give(answer, 1, &given);
  if (told("null")) host->give(answer, 0, NULL);
  if (told("no_data")) given.data = NULL;
  if (told("short")) given.size -= 1;
  if (told("wrong_type")) given.element_type = 6;
  if (told("no_type")) given.element_type = 999;
  if (told("wrong_kind")) given.kind = 77;
  if (told("negative")) given.shape = negative;
  if (told("huge")) {
    given.rank = 2;
    given.shape = huge;
  }
  host->give(answer, 0, &given);
  return ONNXV_OK;
}

static const onnxv_backend kBackend = {
#ifdef ONNXV_TEST_NEWER
    ONNXV_BACKEND_INTERFACE + 1,
#else
    ONNXV_BACKEND_INTERFACE,
#endif
    "bad", "1", "cpu", 0, load, run, NULL,
};

const onnxv_backend* onnxv_backend_get(uint32_t host_interface) {
  (void)host_interface;
  return &kBackend;
}
