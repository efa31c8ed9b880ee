/* Ends the process when the thread that armed it asks the system for anything. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static __thread int armed;

static void touched(const char *what) {
    if (!armed) return;
    syscall(SYS_write, 2, what, strlen(what));
    syscall(SYS_exit_group, 86);
}

#define REAL(name) \
    static __typeof__(&name) real; \
    touched(#name); \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define WRAP(ret, name, declared, given) \
    ret name declared { REAL(name); return real given; }

char *getenv(const char *name) {
    size_t length = strlen(name);
    if (!strcmp(name, "TOUCH_ARM")) { armed = 1; return NULL; }
    if (!strcmp(name, "TOUCH_DISARM")) { armed = 0; return NULL; }
    touched("getenv");
    for (char **at = environ; at && *at; at++)
        if (!strncmp(*at, name, length) && (*at)[length] == '=') return *at + length + 1;
    return NULL;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); \
        mode_t mode = va_arg(rest, mode_t); va_end(rest); \
        REAL(name); return real(path, flags, mode); }
OPEN(open)
OPEN(open64)

int openat(int at, const char *path, int flags, ...) {
    va_list rest; va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t); va_end(rest);
    REAL(openat); return real(at, path, flags, mode);
}

WRAP(int, stat, (const char *path, struct stat *out), (path, out))
WRAP(int, lstat, (const char *path, struct stat *out), (path, out))
WRAP(int, statx, (int at, const char *path, int flags, unsigned mask, struct statx *out), (at, path, flags, mask, out))
WRAP(ssize_t, readlink, (const char *path, char *out, size_t size), (path, out, size))
WRAP(char *, realpath, (const char *path, char *out), (path, out))
WRAP(int, access, (const char *path, int mode), (path, mode))
WRAP(DIR *, opendir, (const char *path), (path))
WRAP(char *, getcwd, (char *out, size_t size), (out, size))
WRAP(ssize_t, read, (int at, void *out, size_t size), (at, out, size))
WRAP(ssize_t, write, (int at, const void *from, size_t size), (at, from, size))
WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
WRAP(int, clock_gettime, (clockid_t clock, struct timespec *out), (clock, out))
WRAP(pid_t, fork, (void), ())
WRAP(int, execvp, (const char *file, char *const args[]), (file, args))
