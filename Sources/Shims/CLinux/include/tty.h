// Serial ports and pseudo-terminals: termios, ioctl(2) and GNU-only calls behind plain functions. A function that
// returns a descriptor or a negative number returns the negated errno on failure.
#pragma once
#include <sys/types.h>

/// The size of a process name in proc(5), with its NUL.
#define TTY_NAME_SIZE 16
/// The size of a pseudo-terminal's path, with its NUL.
#define TTY_PATH_SIZE 64

/// Opens the serial port or GNSS node at `path` without blocking, raw, 8N1, for exclusive use (TIOCEXCL and flock(2)),
/// and read-only if writing is not permitted. Returns the descriptor, or -EBUSY if another process holds the port,
/// -ENOTTY if it is not a serial port, -EINVAL if `baud_rate` is not one of the rates from 4800 to 921600.
int tty_open(const char *path, unsigned baud_rate);

enum tty_framing { TTY_8N1, TTY_7N2, TTY_8E1 };

/// Changes the baud rate and framing of a port opened by tty_open. From then on, a byte with a wrong parity or stop bit
/// is read as 0. Returns 0, or -EINVAL if `baud_rate` is not one of the rates from 4800 to 921600.
int tty_set_line(int descriptor, unsigned baud_rate, enum tty_framing framing);

/// Ends the exclusive use that tty_open acquired. To be called before closing, because a pseudo-terminal would keep it.
void tty_release(int descriptor);

/// Returns a process other than `except` that has `path` open, as far as proc(5) shows, or 0 if no such process is
/// visible.
pid_t tty_holder(const char *path, pid_t except, char name[TTY_NAME_SIZE]);

/// Opens a new, raw, non-blocking pseudo-terminal. Returns the master's descriptor and stores the slave's path.
int pty_open(char slave[TTY_PATH_SIZE]);

/// Drops data that was written on either side of a pseudo-terminal and has not been read. Returns 0 or -errno: -EBUSY
/// if a process has the slave in exclusive use.
int pty_discard(int master);

/// Returns whether the next process that opens the slave of a master finds it like a new one: not in exclusive use, and
/// with its line discipline. To be called while no process has the slave open.
int pty_is_pristine(int master);
