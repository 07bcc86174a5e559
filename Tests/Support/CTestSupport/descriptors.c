#define _GNU_SOURCE
#include "descriptors.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

int spawn_close_from(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int pipe_close_on_exec(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
