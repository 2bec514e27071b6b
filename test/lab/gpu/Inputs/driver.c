/* The functions of the CUDA driver API that Device calls, over the memory of this process.
 *
 * A module is the text it is loaded from; its kernels are the functions at the end of this file. PTX that
 * contains "nonsense" is refused. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned id; char pad[4]; union { char pad[64]; struct { unsigned x, y, z; } cluster; } value; } Attribute;
typedef struct { unsigned grid[3], block[3], shared; void *stream; Attribute *attributes; unsigned count; } Config;

static int failure; /* of the next synchronization */
static int counter = 7;
static char *log_buffer, linked[4096];

int cuInit(unsigned flags) { return 0; }
int cuDriverGetVersion(int *version) { *version = 13000; return 0; }
int cuGetErrorString(int error, const char **text) { *text = error == 700 ? "an illegal memory access was encountered" : "invalid"; return 0; }
int cuDeviceGetCount(int *count) { *count = 1; return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuDeviceGetName(char *name, int size, int device) { snprintf(name, size, "a GPU"); return 0; }
int cuDeviceTotalMem(size_t *bytes, int device) { *bytes = 1 << 30; return 0; }
int cuDeviceGetAttribute(int *value, int name, int device) { *value = name == 75 ? 9 : name == 76 ? 0 : 132; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = &failure; return 0; }
int cuCtxSetCurrent(void *context) { return context == &failure ? 0 : 1; }
int cuCtxSetLimit(int limit, size_t value) { return limit == 0 && value > 1024 ? 0 : 1; }
int cuCtxSynchronize(void) { return failure; }
int cuMemAlloc(uint64_t *address, size_t size) { *address = (uint64_t)malloc(size); return 0; }
int cuMemFree(uint64_t address) { free((void *)address); return 0; }
int cuMemcpyHtoD(uint64_t to, const void *from, size_t size) { memcpy((void *)to, from, size); return 0; }
int cuMemcpyDtoH(void *to, uint64_t from, size_t size) { memcpy(to, (void *)from, size); return failure; }
int cuMemcpyDtoD(uint64_t to, uint64_t from, size_t size) { memcpy((void *)to, (void *)from, size); return 0; }
int cuMemsetD8(uint64_t at, unsigned char value, size_t size) { return 0; }
int cuEventCreate(void **event, unsigned flags) { *event = calloc(1, 1); return 0; }
int cuEventRecord(void *event, void *stream) { return 0; }
int cuEventSynchronize(void *event) { return failure; }
int cuEventElapsedTime(float *time, void *start, void *end) { *time = 1.5f; return 0; }
int cuEventDestroy(void *event) { free(event); return 0; }
int cuLinkCreate(unsigned count, int *keys, void **values, void **state) {
  for (unsigned i = 0; i < count; i++) {
    if (keys[i] == 5) log_buffer = values[i];                                  /* CU_JIT_ERROR_LOG_BUFFER */
    if (keys[i] == 7) snprintf(linked, sizeof linked, "level %d ", (int)(intptr_t)values[i]); /* OPTIMIZATION_LEVEL */
  }
  *state = linked;
  return 0;
}
int cuLinkAddData(void *state, int kind, void *data, size_t size, const char *name, unsigned count, int *keys, void **values) {
  if (kind != 1 || state != linked) return 1;
  if (strstr(data, "nonsense")) { strcpy(log_buffer, "kernel.ptx, line 1; error: nonsense\nmore"); return 218; }
  strncat(linked, data, 2000);
  return 0;
}
int cuLinkComplete(void *state, void **cubin, size_t *size) { *cubin = linked; *size = strlen(linked) + 1; return 0; }
int cuLinkDestroy(void *state) { return 0; }
int cuModuleLoadData(void **module, const void *image) { *module = strdup(image); counter = 7; return 0; }
int cuModuleUnload(void *module) { free(module); return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) { *function = strdup(name); return 0; }
int cuModuleGetGlobal(uint64_t *address, size_t *size, void *module, const char *name) {
  *address = (uint64_t)&counter, *size = 4;
  return strcmp(name, "counter") ? 500 : 0;
}
static unsigned allowed;
int cuFuncSetAttribute(void *function, int name, int value) { if (name == 8) allowed = value; return 0; }

static void scale(const Config *config, void **parameters) {
  float *x = *(float **)parameters[0], by = *(float *)parameters[2];
  for (int i = 0; i < *(int *)parameters[1]; i++) x[i] *= by;
  counter++;
  printf("scaled by %g\n", by);
}
static void sizes(const Config *c, void **parameters) {
  unsigned *out = *(unsigned **)parameters[0];
  memcpy(out, c->grid, 12), memcpy(out + 3, c->block, 12);
  out[6] = c->shared, out[7] = allowed, out[8] = c->count;
  if (c->count) out[9] = c->attributes->id, memcpy(out + 10, &c->attributes->value.cluster, 12);
}
int cuLaunchKernelEx(const Config *config, void *function, void **parameters, void **extra) {
  if (!strcmp(function, "scale")) scale(config, parameters);
  if (!strcmp(function, "sizes")) sizes(config, parameters);
  if (!strcmp(function, "crash")) failure = 700;
  fflush(stdout);
  return 0;
}

#define ENTRY(name) { #name, (void *)name },
static const struct { const char *name; void *function; } table[] = {
  ENTRY(cuInit) ENTRY(cuDriverGetVersion) ENTRY(cuGetErrorString) ENTRY(cuDeviceGetCount) ENTRY(cuDeviceGet)
  ENTRY(cuDeviceGetName) ENTRY(cuDeviceTotalMem) ENTRY(cuDeviceGetAttribute) ENTRY(cuDevicePrimaryCtxRetain)
  ENTRY(cuCtxSetCurrent) ENTRY(cuCtxSetLimit) ENTRY(cuCtxSynchronize) ENTRY(cuMemAlloc) ENTRY(cuMemFree)
  ENTRY(cuMemcpyHtoD) ENTRY(cuMemcpyDtoH) ENTRY(cuMemcpyDtoD) ENTRY(cuMemsetD8) ENTRY(cuEventCreate)
  ENTRY(cuEventRecord) ENTRY(cuEventSynchronize) ENTRY(cuEventElapsedTime) ENTRY(cuEventDestroy)
  ENTRY(cuLinkCreate) ENTRY(cuLinkAddData) ENTRY(cuLinkComplete) ENTRY(cuLinkDestroy) ENTRY(cuModuleLoadData)
  ENTRY(cuModuleUnload) ENTRY(cuModuleGetFunction) ENTRY(cuModuleGetGlobal) ENTRY(cuFuncSetAttribute)
  ENTRY(cuLaunchKernelEx)
};
int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status) {
  *function = NULL;
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, symbol)) *function = table[i].function;
  if (status) *status = *function == NULL;
  return *function ? 0 : 500;
}
