// libudev: devices as the kernel and udev's rules describe them, and what happens to them.
#pragma once
#include <libudev.h>
