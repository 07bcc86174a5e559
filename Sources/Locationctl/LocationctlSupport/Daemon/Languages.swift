internal import Glibc

/// The languages that the user reads.
package enum Languages {
    /// The languages in this process's environment, the preferred one first, or `nil` if it names none. They are BCP
    /// 47 tags: `["de-AT", "de"]`.
    package static var preferred: [String]? {
        let list = preferred { name in getenv(name).map { String(cString: $0) } }
        return list.isEmpty ? nil : list
    }

    /// Returns the languages that environment variables name, as gettext reads them. The locale is the first of
    /// LC_ALL, LC_MESSAGES and LANG that is set. The list in LANGUAGE precedes it, and is ignored if the locale is C.
    static func preferred(_ variable: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
        guard let locale, let own = tag(locale) else { return [] }
        let list = (variable("LANGUAGE") ?? "").split(separator: ":").compactMap { tag(String($0)) }
        var seen: Set<String> = []
        return (list + [own]).filter { seen.insert($0).inserted }
    }

    /// Returns `de-AT` for `de_AT.UTF-8@euro`, or `nil` for C, POSIX and any text that is not a language.
    private static func tag(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
        guard name != "C", name != "POSIX", !name.isEmpty, name.utf8.count <= 35,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { return nil }
        return String(name)
    }
}
