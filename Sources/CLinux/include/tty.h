// Serial ports and pseudo-terminals: termios, ioctl(2) and GNU-only calls behind plain functions.
// What returns a descriptor or a negative number returns minus the errno.
#pragma once
#include <sys/types.h>

/// The length of a process name in proc(5), with its NUL.
#define TTY_NAME_SIZE 16
/// The length of a pseudo-terminal's path, with its NUL.
#define TTY_PATH_SIZE 64

/// Opens the serial port at `path` without waiting, raw, 8N1, for this process alone (TIOCEXCL and flock(2)), for
/// reading only where writing is not permitted. Returns the descriptor; -EBUSY when another process holds the port,
/// -ENOTTY when it is no serial port, -EINVAL when `baud_rate` is none of 4800 to 921600.
int tty_open(const char *path, unsigned baud_rate);

enum tty_framing { TTY_8N1, TTY_7N2, TTY_8E1 };

/// Changes the speed and framing of a port that tty_open opened. From then on a byte whose parity or stop bit is wrong is
/// read as 0. Returns 0; -EINVAL when `baud_rate` is none of 4800 to 921600.
int tty_set_line(int descriptor, unsigned baud_rate, enum tty_framing framing);

/// Gives up the exclusive use that tty_open took. To be called before closing: a pseudo-terminal outlives that.
void tty_release(int descriptor);

/// The process other than `except` that has `path` open, as far as proc(5) shows; 0 when none is to be seen.
pid_t tty_holder(const char *path, pid_t except, char name[TTY_NAME_SIZE]);

/// Opens a new pseudo-terminal, raw and without waiting. Returns the master's descriptor and the slave's path.
int pty_open(char slave[TTY_PATH_SIZE]);
