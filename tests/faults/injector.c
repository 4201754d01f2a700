/* Fails or kills at a chosen call that changes the disk; preloaded (ld.so(8)) into one process and its forks.

   BELAY_FAULTS: a file of SLOTS longs that all those processes share: how often each kind of call was made, then
   whether a fault took place. BELAY_ROOTS: folders, ':' between them; only calls about paths in them count.
   Where BELAY_FAULT is set, it arms the library at once (KIND NUMBER MODE ERRNO LASTING); else `belay_arm` does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { WRITE, PWRITE, OPEN, SYNC, RENAME, LINK, MKDIR, UNLINK, TRUNCATE, KINDS };
enum mode { NONE, FAIL, SHORT, TORN, KILL, KILL_AFTER, EXIT };
enum { FIRED = 15, SLOTS = 16, ROOTS = 4 };

static volatile long *counts;
static const char *roots[ROOTS];
static int kind_at = -1, number_at, mode_at, errno_at, lasting_at, quiet;

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

void belay_arm(int kind, int number, int mode, int error, int lasting)
{
    kind_at = kind, number_at = number, mode_at = mode, errno_at = error, lasting_at = lasting;
    if (counts)
        for (int at = 0; at < SLOTS; at++)
            counts[at] = 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char *shared = getenv("BELAY_FAULTS"), *armed = getenv("BELAY_FAULT"), *named = getenv("BELAY_ROOTS");
    int kind, number, mode, error, lasting, at = 0;
    unsetenv("LD_PRELOAD"); /* what is started from here on, git say, runs as ever */
    if (!shared || !named)
        return;
    for (char *part = strtok(strdup(named), ":"); part && at < ROOTS; part = strtok(NULL, ":"))
        roots[at++] = part;
    quiet = 1;
    int handle = open(shared, O_RDWR);
    quiet = 0;
    if (handle < 0)
        return;
    counts = mmap(NULL, SLOTS * sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
    close(handle);
    if (counts == MAP_FAILED)
        counts = NULL;
    if (armed && sscanf(armed, "%d %d %d %d %d", &kind, &number, &mode, &error, &lasting) == 5)
        belay_arm(kind, number, mode, error, lasting);
}

static int below(const char *path)
{
    for (int at = 0; at < ROOTS && roots[at]; at++) {
        size_t size = strlen(roots[at]);
        if (!strncmp(path, roots[at], size) && (path[size] == '/' || !path[size]))
            return 1;
    }
    return 0;
}

static int of_handle(int handle)
{
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", handle);
    ssize_t size = readlink(name, path, sizeof path - 1);
    if (size <= 0)
        return 0;
    path[size] = 0;
    return below(path);
}

static int of_path(int folder, const char *path)
{
    char here[4096];
    if (!path)
        return 0;
    if (*path == '/')
        return below(path);
    if (folder != AT_FDCWD)
        return of_handle(folder);
    return getcwd(here, sizeof here) && below(here);
}

/* Whether the system could give the error for such a call. */
static int can_give(int kind, int flags)
{
    int writing = kind != OPEN || (flags & (O_WRONLY | O_RDWR | O_CREAT));
    switch (errno_at) {
    case EMFILE: return kind == OPEN;
    case EROFS: return writing && kind != WRITE && kind != PWRITE && kind != SYNC;
    case ENOSPC:
    case EDQUOT: return kind == OPEN ? flags & O_CREAT : kind != UNLINK;
    default: return 1;
    }
}

/* Count a call; return what is to be done about it. */
static int judge(int kind, int flags)
{
    long number = __sync_add_and_fetch(&counts[kind], 1);
    if (mode_at == NONE)
        return NONE;
    if (lasting_at ? counts[FIRED] || (kind == kind_at && number >= number_at) : kind == kind_at && number == number_at) {
        if (mode_at == FAIL && !can_give(kind, flags))
            return NONE;
        counts[FIRED]++;
        if (mode_at == KILL)
            kill(getpid(), SIGKILL);
        if (mode_at == EXIT)
            _exit(1);
        return mode_at;
    }
    return NONE;
}

static int fails(int kind, int flags, int counted, int *after)
{
    int saved = errno, mode = counts && !quiet && counted ? judge(kind, flags) : NONE;
    *after = mode;
    errno = mode == FAIL ? errno_at : saved;
    return mode == FAIL;
}

static void ended(int mode)
{
    if (mode == KILL_AFTER || mode == TORN)
        kill(getpid(), SIGKILL);
}

#define CALL(type, kind, flags, counted, expression) \
    int mode_; \
    if (fails(kind, flags, counted, &mode_)) return -1; \
    type done_ = (expression); \
    ended(mode_); \
    return done_

static size_t part(int mode, size_t size)
{
    return (mode == SHORT || mode == TORN) && size > 1 ? size / 2 : size;
}

ssize_t write(int handle, const void *data, size_t size)
{
    REAL(ssize_t, "write", int, const void *, size_t);
    CALL(ssize_t, WRITE, 0, handle > 2 && of_handle(handle), real(handle, data, part(mode_, size)));
}

ssize_t pwrite(int handle, const void *data, size_t size, off_t at)
{
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    CALL(ssize_t, PWRITE, 0, of_handle(handle), real(handle, data, part(mode_, size), at));
}

ssize_t pwrite64(int handle, const void *data, size_t size, off64_t at)
{
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    CALL(ssize_t, PWRITE, 0, of_handle(handle), real(handle, data, part(mode_, size), at));
}

#define OPENS(name) \
    int name(const char *path, int flags, ...) \
    { \
        va_list rest; \
        va_start(rest, flags); \
        int rights = va_arg(rest, int); \
        va_end(rest); \
        REAL(int, #name, const char *, int, ...); \
        CALL(int, OPEN, flags, of_path(AT_FDCWD, path), real(path, flags, rights)); \
    }
#define OPENS_AT(name) \
    int name(int folder, const char *path, int flags, ...) \
    { \
        va_list rest; \
        va_start(rest, flags); \
        int rights = va_arg(rest, int); \
        va_end(rest); \
        REAL(int, #name, int, const char *, int, ...); \
        CALL(int, OPEN, flags, of_path(folder, path), real(folder, path, flags, rights)); \
    }
OPENS(open)
OPENS(open64)
OPENS_AT(openat)
OPENS_AT(openat64)

#define ON_HANDLE(name, kind) \
    int name(int handle) \
    { \
        REAL(int, #name, int); \
        CALL(int, kind, 0, of_handle(handle), real(handle)); \
    }
ON_HANDLE(fsync, SYNC)
ON_HANDLE(fdatasync, SYNC)

int rename(const char *from, const char *to)
{
    REAL(int, "rename", const char *, const char *);
    CALL(int, RENAME, 0, of_path(AT_FDCWD, to), real(from, to));
}

int renameat(int from_at, const char *from, int to_at, const char *to)
{
    REAL(int, "renameat", int, const char *, int, const char *);
    CALL(int, RENAME, 0, of_path(to_at, to), real(from_at, from, to_at, to));
}

int link(const char *from, const char *to)
{
    REAL(int, "link", const char *, const char *);
    CALL(int, LINK, 0, of_path(AT_FDCWD, to), real(from, to));
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
    REAL(int, "linkat", int, const char *, int, const char *, int);
    CALL(int, LINK, 0, of_path(to_at, to), real(from_at, from, to_at, to, flags));
}

int mkdir(const char *path, mode_t rights)
{
    REAL(int, "mkdir", const char *, mode_t);
    CALL(int, MKDIR, 0, of_path(AT_FDCWD, path), real(path, rights));
}

int mkdirat(int folder, const char *path, mode_t rights)
{
    REAL(int, "mkdirat", int, const char *, mode_t);
    CALL(int, MKDIR, 0, of_path(folder, path), real(folder, path, rights));
}

int unlink(const char *path)
{
    REAL(int, "unlink", const char *);
    CALL(int, UNLINK, 0, of_path(AT_FDCWD, path), real(path));
}

int unlinkat(int folder, const char *path, int flags)
{
    REAL(int, "unlinkat", int, const char *, int);
    CALL(int, UNLINK, 0, of_path(folder, path), real(folder, path, flags));
}

int rmdir(const char *path)
{
    REAL(int, "rmdir", const char *);
    CALL(int, UNLINK, 0, of_path(AT_FDCWD, path), real(path));
}

int ftruncate(int handle, off_t size)
{
    REAL(int, "ftruncate", int, off_t);
    CALL(int, TRUNCATE, 0, of_handle(handle), real(handle, size));
}

int ftruncate64(int handle, off64_t size)
{
    REAL(int, "ftruncate64", int, off64_t);
    CALL(int, TRUNCATE, 0, of_handle(handle), real(handle, size));
}
