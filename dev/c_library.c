// The part of the C library that programs of compiler test suites use, for one thread of a GPU.
// Accesses are volatile, so that clang does not replace a loop by a call of the function itself.

typedef __SIZE_TYPE__ size_t;
typedef volatile unsigned char byte;

int *c_status;
extern void *malloc(size_t);
extern int vprintf(const char *, __builtin_va_list);

void exit(int status) {
  *c_status = status + 1;
  asm volatile("exit;");
  __builtin_unreachable();
}
void abort(void) { exit(134); }

void *memset(void *to, int value, size_t n) {
  for (byte *p = to; n--; ) *p++ = value;
  return to;
}
void *memcpy(void *to, const void *from, size_t n) {
  byte *p = to;
  for (const byte *q = from; n--; ) *p++ = *q++;
  return to;
}
void *memmove(void *to, const void *from, size_t n) {
  byte *p = to;
  const byte *q = from;
  if (p < q) return memcpy(to, from, n);
  while (n--) p[n] = q[n];
  return to;
}
int memcmp(const void *a, const void *b, size_t n) {
  const byte *p = a, *q = b;
  for (; n--; p++, q++)
    if (*p != *q) return *p < *q ? -1 : 1;
  return 0;
}
void *calloc(size_t count, size_t size) {
  void *made = malloc(count * size);
  return made ? memset(made, 0, count * size) : made;
}
size_t strlen(const char *text) {
  size_t n = 0;
  while (((const byte *)text)[n]) n++;
  return n;
}
int strncmp(const char *a, const char *b, size_t n) {
  const byte *p = (const byte *)a, *q = (const byte *)b;
  for (; n && *p && *p == *q; n--) p++, q++;
  return n ? *p - *q : 0;
}
int strcmp(const char *a, const char *b) { return strncmp(a, b, -1); }
char *strcpy(char *to, const char *from) { return memcpy(to, from, strlen(from) + 1); }
char *strncpy(char *to, const char *from, size_t n) {
  size_t length = strlen(from);
  memcpy(to, from, length < n ? length : n);
  if (length < n) memset(to + length, 0, n - length);
  return to;
}
char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}
char *strchr(const char *text, int c) {
  for (;; text++) {
    if (*text == (char)c) return (char *)text;
    if (!*text) return 0;
  }
}
char *strrchr(const char *text, int c) {
  const char *found = 0;
  for (;; text++) {
    if (*text == (char)c) found = text;
    if (!*text) return (char *)found;
  }
}
int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }

int printf(const char *format, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int n = vprintf(format, list);
  __builtin_va_end(list);
  return n;
}
int puts(const char *text) { return printf("%s\n", text); }
int putchar(int c) { return printf("%c", c); }
