/* A disk that says it has written what it has not, for the one process that loads this first. */
#include <stdlib.h>

__attribute__((constructor)) static void begin(void) { unsetenv("LD_PRELOAD"); }

int fsync(int descriptor) { return descriptor < 0 ? -1 : 0; }

int fdatasync(int descriptor) { return descriptor < 0 ? -1 : 0; }
