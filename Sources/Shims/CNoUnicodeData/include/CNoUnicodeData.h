/// Leaves ICU's data out of a program that links Foundation statically: see icu.c. There are no functions to call.
