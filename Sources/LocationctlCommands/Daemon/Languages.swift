internal import Glibc

/// The languages that the user reads.
enum Languages {
    /// Those of this process's environment, as BCP 47 has them, the preferred first: `["de-AT", "de"]`. `nil` where the
    /// environment names none.
    static var preferred: [String]? {
        let list = preferred { name in getenv(name).map { String(cString: $0) } }
        return list.isEmpty ? nil : list
    }

    /// Those that variables name, as gettext reads them: LANGUAGE is a list that counts unless the locale, of the first
    /// of LC_ALL, LC_MESSAGES and LANG that is set, is C.
    static func preferred(_ variable: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
        guard let locale, let own = tag(locale) else { return [] }
        let list = (variable("LANGUAGE") ?? "").split(separator: ":").compactMap { tag(String($0)) }
        var seen: Set<String> = []
        return (list + [own]).filter { seen.insert($0).inserted }
    }

    /// `de_AT.UTF-8@euro` as `de-AT`; `nil` for C and POSIX, and for what is no language.
    private static func tag(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
        guard name != "C", name != "POSIX", !name.isEmpty, name.utf8.count <= 35,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { return nil }
        return String(name)
    }
}
