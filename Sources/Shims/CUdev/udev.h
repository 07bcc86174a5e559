// libudev: devices as described by the kernel and udev's rules, and their events.
#pragma once
#include <libudev.h>
