// The C library's translations: gettext(3). The Glibc module lacks libintl.h.
#pragma once

/// Makes the catalogues `domain` below `folder` the source of messages_text, in the locale of the environment
/// (LC_ALL, LC_MESSAGES, LANG and LANGUAGE: locale(7)). Only messages_text uses this locale: strerror(3) and everything
/// else stays in English. To be called once. Returns 0, or the errno if the C library does not have the locale.
int messages_open(const char *domain, const char *folder);

/// Returns the translation of `sentence` in UTF-8, or `sentence` itself if there is none. With a `plural` it is the form
/// for `count`, and without a translation `sentence` for 1 and `plural` otherwise.
const char *messages_text(const char *domain, const char *sentence, const char *plural, unsigned long count);
