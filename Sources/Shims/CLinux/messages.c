#define _GNU_SOURCE
#include "messages.h"
#include <errno.h>
#include <libintl.h>
#include <locale.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(locale_t) opened;

int messages_open(const char *domain, const char *folder) {
    if (!bindtextdomain(domain, folder) || !bind_textdomain_codeset(domain, "UTF-8")) return errno;
    locale_t locale = newlocale(LC_MESSAGES_MASK, "", (locale_t)0);
    if (!locale) return errno;
    atomic_store(&opened, locale);
    return 0;
}

const char *messages_text(const char *domain, const char *sentence, const char *plural, unsigned long count) {
    locale_t locale = atomic_load(&opened);
    if (!locale) return !plural || count == 1 ? sentence : plural;
    locale_t before = uselocale(locale);
    const char *text = plural ? dcngettext(domain, sentence, plural, count, LC_MESSAGES)
                              : dcgettext(domain, sentence, LC_MESSAGES);
    uselocale(before);
    return text;
}
