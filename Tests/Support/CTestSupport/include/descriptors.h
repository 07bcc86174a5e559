// GNU calls about descriptors, which the Glibc module does not import.
#pragma once

/// Adds to `actions`, a posix_spawn_file_actions_t, that all descriptors from `first` on are closed. Returns 0 or an errno.
int spawn_close_from(void *actions, int first);

/// Opens a pipe(7), close-on-exec. Returns 0, or -1 and sets errno.
int pipe_close_on_exec(int ends[2]);

/// Sends a byte with a descriptor over a Unix socket, without blocking. Returns 0 or an errno.
int descriptor_send(int socket, int descriptor, int flags);
