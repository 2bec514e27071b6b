"""The functions of the Driver API: their types, and the C library that exports them.

A row has the name of a function and the types of its parameters: `P` a pointer, `I` int, `U`
unsigned, `Z` size_t, `Q` a device address, `B` unsigned char. In rows with fixed results `P=I:4` is a
pointer to an int that the function sets to 4.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final, Protocol

_TYPES: Final[dict[str, tuple[str, Any]]] = {
    "P": ("void *", ctypes.c_void_p),
    "I": ("int ", ctypes.c_int),
    "U": ("unsigned ", ctypes.c_uint),
    "Z": ("size_t ", ctypes.c_size_t),
    "Q": ("unsigned long long ", ctypes.c_uint64),
    "B": ("unsigned char ", ctypes.c_ubyte),
    "F": ("float ", ctypes.c_float),
}

CONTEXT: Final = 0x100
"""The handle of the only context."""

FIXED: Final = f"""
cuInit U
cuDriverGetVersion P=I:13000
cuDeviceGetCount P=I:1
cuDevicePrimaryCtxRetain P=P:{CONTEXT} I
cuDevicePrimaryCtxRelease I
cuDevicePrimaryCtxReset I
cuDevicePrimaryCtxSetFlags I U
cuDevicePrimaryCtxGetState I P=U:0 P=I:1
cuDeviceCanAccessPeer P=I:0 I I
cuCtxGetDevice P=I:0
cuCtxGetId P P=Q:1
cuCtxGetFlags P=U:0
cuCtxGetStreamPriorityRange P=I:0 P=I:-5
cuCtxSynchronize
cuCtxSetLimit I Z
cuCtxSetCacheConfig I
cuProfilerStart
cuProfilerStop
cuStreamDestroy P
cuStreamSynchronize P
cuStreamQuery P
cuStreamGetFlags P P=U:0
cuStreamGetPriority P P=I:0
cuStreamGetCtx P P=P:{CONTEXT}
cuStreamGetDevice P P=I:0
cuStreamIsCapturing P P=I:0
cuStreamWaitEvent P P U
cuEventDestroy P
cuEventRecord P P
cuEventQuery P
cuEventSynchronize P
cuEventElapsedTime P=F:1 P P
cuMemPrefetchAsync Q Z Q U P
cuMemAdvise Q Z I Q
cuLibraryUnload P
cuModuleUnload P
cuKernelSetAttribute I I P I
cuKernelSetCacheConfig P I I
cuFuncSetAttribute P I I
cuFuncSetCacheConfig P I
"""
"""Functions with the same results at every call. Streams and events have no state."""

COMPUTED: Final = """
cuGetErrorString I P
cuGetErrorName I P
cuDeviceGet P I
cuDeviceGetName P I I
cuDeviceGetUuid P I
cuDeviceTotalMem P I
cuDeviceGetAttribute P I I
cuCtxGetCurrent P
cuCtxSetCurrent P
cuCtxPushCurrent P
cuCtxPopCurrent P
cuMemAlloc P Z
cuMemAllocManaged P Z U
cuMemAllocAsync P Z P
cuMemHostAlloc P Z U
cuMemAllocHost P Z
cuMemFree Q
cuMemFreeAsync Q P
cuMemFreeHost P
cuMemHostRegister P Z U
cuMemHostUnregister P
cuMemHostGetDevicePointer P P U
cuMemGetInfo P P
cuMemGetAddressRange P P Q
cuPointerGetAttribute P I Q
cuMemcpy Q Q Z
cuMemcpyAsync Q Q Z P
cuMemcpyHtoD Q P Z
cuMemcpyHtoDAsync Q P Z P
cuMemcpyDtoH P Q Z
cuMemcpyDtoHAsync P Q Z P
cuMemcpyDtoD Q Q Z
cuMemcpyDtoDAsync Q Q Z P
cuMemsetD8 Q B Z
cuMemsetD8Async Q B Z P
cuStreamCreate P U
cuStreamCreateWithPriority P U I
cuStreamAddCallback P P P U
cuLaunchHostFunc P P P
cuEventCreate P U
cuLinkCreate U P P P
cuLinkAddData P I P Z P U P P
cuLinkComplete P P P
cuLinkDestroy P
cuLibraryLoadData P P P P U P P U
cuLibraryGetKernel P P P
cuLibraryGetModule P P
cuLibraryGetGlobal P P P P
cuModuleLoadData P P
cuModuleLoadDataEx P P U P P
cuModuleGetFunction P P P
cuModuleGetGlobal P P P P
cuKernelGetFunction P P
cuKernelGetLibrary P P
cuKernelGetAttribute P I P I
cuFuncGetAttribute P I P
cuOccupancyMaxActiveBlocksPerMultiprocessor P P I Z
cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags P P I Z U
cuOccupancyMaxPotentialBlockSize P P P P Z I
cuOccupancyMaxPotentialBlockSizeWithFlags P P P P Z I U
cuLaunchKernel P U U U U U U U P P P
cuLaunchCooperativeKernel P U U U U U U U P P
cuLaunchKernelEx P P P P
"""
"""Functions that are methods of `functions.Driver`."""

_FRAME: Final = """\
#include <stddef.h>
#include <string.h>

typedef int (*any)();
enum { NOT_INITIALIZED = 3, DEINITIALIZED = 4, NOT_FOUND = 500 };
static void *computed[%d];
static int closed;

void simulated_driver_set(int number, void *function) { computed[number] = function; }
void simulated_driver_close(void) { closed = 1; }

%s
static const struct { const char *name; any function; } table[] = {
%s
};

int cuGetProcAddress_v2(const char *name, void **found, int version, unsigned long long flags, int *status) {
  *found = NULL;
  for (size_t i = 0; i < sizeof table / sizeof *table && !*found; i++)
    if (!strcmp(table[i].name, name))
      *found = (void *)table[i].function;
  if (status)
    *status = *found ? 0 : 1;
  return *found ? 0 : NOT_FOUND;
}

/* Private tables of NVIDIA's libraries, which call this function unchecked. */
int cuGetExportTable(const void **table, const void *id) { return NOT_FOUND; }

int cuGetProcAddress(const char *name, void **found, int version, unsigned long long flags) {
  return cuGetProcAddress_v2(name, found, version, flags, NULL);
}
"""


class Functions(Protocol):
    """The methods behind the functions of the library."""

    def call(self, name: str, args: tuple[Any, ...]) -> int:
        """Calls a method; returns the CUresult."""
        ...


def _rows(text: str) -> list[tuple[str, list[str]]]:
    return [(line.split()[0], line.split()[1:]) for line in text.strip().splitlines()]


def functions_of(driver: Functions) -> list[Any]:
    """The C functions that call the driver's methods, in the order of `COMPUTED`."""

    def made(name: str, types: list[str]) -> Any:
        prototype = ctypes.CFUNCTYPE(ctypes.c_int, *(_TYPES[t][1] for t in types))
        return prototype(lambda *args: driver.call(name, args))

    return [made(name, types) for name, types in _rows(COMPUTED)]


def c_source() -> str:
    """The source of the library.

    Functions with a suffix, such as `cuMemAlloc_v2`, are the same as those without it, because only the
    newest variant of each function exists. After `simulated_driver_close`, which the end of the
    interpreter calls, functions fail instead of calling Python.
    """
    bodies: list[str] = []
    for name, types in _rows(FIXED):
        stores = [
            f"if (a{i}) *({_TYPES[kind][0]}*)a{i} = ({_TYPES[kind][0].strip()}){value}; "
            for i, text in enumerate(types)
            if "=" in text
            for kind, value in [text[2:].split(":")]
        ]
        bodies.append(f"int {name}({_parameters(types)}) {{ {''.join(stores)}return 0; }}")
    computed = _rows(COMPUTED)
    for number, (name, types) in enumerate(computed):
        arguments = ", ".join(f"a{i}" for i in range(len(types)))
        cast = f"(int (*)({', '.join(_TYPES[t][0] for t in types)}))computed[{number}]"
        bodies.append(
            f"int {name}({_parameters(types)}) {{ return closed ? DEINITIALIZED : ({cast})({arguments}); }}"
        )
    names = [name for name, _ in (*_rows(FIXED), *computed)]
    bodies += [f'int {name}_v2() __attribute__((alias("{name}")));' for name in names]
    table = "\n".join(f'  {{"{name}", (any){name}}},' for name in names)
    return _FRAME % (len(computed), "\n".join(bodies), table)


def _parameters(types: list[str]) -> str:
    return ", ".join(f"{_TYPES[text[0]][0]}a{i}" for i, text in enumerate(types)) or "void"
