/* A wall clock that is off by WRONG_CLOCK_S seconds, for the one process that loads this first.

   Timeouts and sleeps are by the monotonic clock and stay right. What this process starts gets
   neither this library nor the offset. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long long offset_s;
static int (*real_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    const char *said = getenv("WRONG_CLOCK_S");
    offset_s = said ? atoll(said) : 0;
    unsetenv("LD_PRELOAD");
    unsetenv("WRONG_CLOCK_S");
}

int clock_gettime(clockid_t clock, struct timespec *at) {
    if (!real_clock_gettime)
        *(void **)&real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real_clock_gettime(clock, at);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        at->tv_sec += offset_s;
    return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    (void)zone;
    struct timespec now;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    if (result == 0) {
        at->tv_sec = now.tv_sec;
        at->tv_usec = now.tv_nsec / 1000;
    }
    return result;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}
