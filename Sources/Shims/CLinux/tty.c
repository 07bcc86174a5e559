#define _GNU_SOURCE
#include "tty.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

static speed_t speed(unsigned baud_rate) {
    switch (baud_rate) {
    case 4800: return B4800;
    case 9600: return B9600;
    case 19200: return B19200;
    case 38400: return B38400;
    case 57600: return B57600;
    case 115200: return B115200;
    case 230400: return B230400;
    case 460800: return B460800;
    case 921600: return B921600;
    default: return B0;
    }
}

static int open_retrying(const char *path, int flags) {
    int descriptor;
    do {
        descriptor = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

static int make_raw(int descriptor, speed_t rate) {
    struct termios settings;
    if (tcgetattr(descriptor, &settings) < 0) return -1;
    cfmakeraw(&settings);
    settings.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    settings.c_cflag |= CLOCAL | CREAD;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    if (rate != B0 && cfsetspeed(&settings, rate) < 0) return -1;
    return tcsetattr(descriptor, TCSANOW, &settings);
}

/// Returns whether another process has exclusive use. Only a process with CAP_SYS_ADMIN gets this far; for others,
/// open(2) fails. A pseudo-terminal remains exclusive after its process was killed, hence the search for a living
/// process.
static int is_taken(int descriptor, const char *path) {
    int exclusive = 0;
    char name[TTY_NAME_SIZE];
    return ioctl(descriptor, TIOCGEXCL, &exclusive) == 0 && exclusive && tty_holder(path, getpid(), name) != 0;
}

/// Returns whether the descriptor is a node of the kernel's gnss subsystem (Linux drivers/gnss). Such a node delivers a
/// receiver's bytes, but has no baud rate.
static int is_gnss(int descriptor) {
    struct stat status;
    char path[64], subsystem[PATH_MAX];
    if (fstat(descriptor, &status) < 0 || !S_ISCHR(status.st_mode)) return 0;
    snprintf(path, sizeof path, "/sys/dev/char/%u:%u/subsystem", major(status.st_rdev), minor(status.st_rdev));
    ssize_t length = readlink(path, subsystem, sizeof subsystem - 1);
    if (length < 0) return 0;
    subsystem[length] = '\0';
    const char *name = strrchr(subsystem, '/');
    return name != NULL && strcmp(name, "/gnss") == 0;
}

int tty_open(const char *path, unsigned baud_rate) {
    speed_t rate = speed(baud_rate);
    if (rate == B0) return -EINVAL;
    int descriptor = open_retrying(path, O_RDWR);
    if (descriptor < 0 && (errno == EACCES || errno == EROFS)) descriptor = open_retrying(path, O_RDONLY);
    if (descriptor < 0) return -errno;

    int error = 0;
    if (is_gnss(descriptor)) {
        if (flock(descriptor, LOCK_EX | LOCK_NB) < 0) error = errno == EWOULDBLOCK ? EBUSY : errno;
    } else if (!isatty(descriptor)) {
        error = ENOTTY;
    } else if (is_taken(descriptor, path)) {
        error = EBUSY;
    } else if (flock(descriptor, LOCK_EX | LOCK_NB) < 0) {
        error = errno == EWOULDBLOCK ? EBUSY : errno;
    } else if (ioctl(descriptor, TIOCEXCL) < 0) {
        error = errno;
    } else if (make_raw(descriptor, rate) < 0) {
        error = errno;
        tty_release(descriptor);
    }
    if (error == 0) return descriptor;
    close(descriptor);
    return -error;
}

int tty_set_line(int descriptor, unsigned baud_rate, enum tty_framing framing) {
    struct termios settings;
    speed_t rate = speed(baud_rate);
    if (rate == B0) return -EINVAL;
    if (tcgetattr(descriptor, &settings) < 0) return -errno;
    settings.c_cflag &= ~(tcflag_t)(CSIZE | CSTOPB | PARENB | PARODD | CMSPAR);
    switch (framing) {
    case TTY_8N1: settings.c_cflag |= CS8; break;
    case TTY_7N2: settings.c_cflag |= CS7 | CSTOPB; break;
    case TTY_8E1: settings.c_cflag |= CS8 | PARENB; break;
    }
    // Without IGNPAR and PARMRK, INPCK makes a byte with a wrong parity or stop bit read as 0.
    settings.c_iflag &= ~(tcflag_t)(IGNPAR | PARMRK);
    settings.c_iflag |= INPCK;
    if (cfsetspeed(&settings, rate) < 0 || tcsetattr(descriptor, TCSANOW, &settings) < 0) return -errno;
    return 0;
}

void tty_release(int descriptor) {
    ioctl(descriptor, TIOCNXCL);
    // A child that has not called execve(2) yet holds a copy of the descriptor, and with it the lock.
    flock(descriptor, LOCK_UN);
}

/// Returns whether one of the process's descriptors is the device. Links are read rather than followed, so nothing is
/// opened and nothing blocks.
static int has_open(const char *process, const char *device) {
    char path[PATH_MAX], target[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%s/fd", process);
    DIR *directory = opendir(path);
    if (directory == NULL) return 0;
    int found = 0;
    for (struct dirent *entry; !found && (entry = readdir(directory)) != NULL;) {
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1);
        if (length <= 0) continue;
        target[length] = '\0';
        found = strcmp(target, device) == 0;
    }
    closedir(directory);
    return found;
}

static void read_name(const char *process, char name[TTY_NAME_SIZE]) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%s/comm", process);
    name[0] = '\0';
    FILE *file = fopen(path, "re");
    if (file == NULL) return;
    if (fgets(name, TTY_NAME_SIZE, file) != NULL) name[strcspn(name, "\n")] = '\0';
    fclose(file);
}

pid_t tty_holder(const char *path, pid_t except, char name[TTY_NAME_SIZE]) {
    char device[PATH_MAX];
    if (realpath(path, device) == NULL) return 0;
    DIR *processes = opendir("/proc");
    if (processes == NULL) return 0;
    pid_t holder = 0;
    for (struct dirent *entry; holder == 0 && (entry = readdir(processes)) != NULL;) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid <= 0 || pid == except || !has_open(entry->d_name, device)) continue;
        holder = pid;
        read_name(entry->d_name, name);
    }
    closedir(processes);
    return holder;
}

int pty_open(char slave[TTY_PATH_SIZE]) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (master < 0) return -errno;
    int error = 0;
    if (grantpt(master) < 0 || unlockpt(master) < 0 || make_raw(master, B0) < 0) {
        error = errno;
    } else {
        error = ptsname_r(master, slave, TTY_PATH_SIZE);
    }
    if (error == 0) return master;
    close(master);
    return -error;
}

/// Opens the slave of a master, but not by its path, which only its owner may open. Fails under exclusive use, except
/// for root.
static int open_slave(int master) {
    return ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

int pty_discard(int master) {
    // The master's flush leaves 4 kB in the slave's line discipline: drivers/tty/pty.c, pty_flush_buffer.
    int slave = open_slave(master);
    if (slave < 0) return -errno;
    int error = tcflush(slave, TCIFLUSH) < 0 || tcflush(master, TCIOFLUSH) < 0 ? -errno : 0;
    close(slave);
    return error;
}

int pty_is_pristine(int master) {
    int slave = open_slave(master);
    if (slave < 0) return 0;
    int exclusive = 1, discipline = -1;
    int is_pristine = ioctl(slave, TIOCGEXCL, &exclusive) == 0 && !exclusive
        && ioctl(slave, TIOCGETD, &discipline) == 0 && discipline == N_TTY;
    close(slave);
    return is_pristine;
}
