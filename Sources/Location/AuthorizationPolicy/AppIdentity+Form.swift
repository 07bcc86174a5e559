public import LocationModel

extension AppIdentity {
    /// The reason why no process ever has the identity, worded as the end of a sentence about it, or `nil` if a process
    /// may have it.
    ///
    /// The kernel writes the path of an executable: proc(5). The other names are parts of a unit's name, written
    /// without its suffix: systemd.unit(5).
    public var reasonForNeverMatching: String? {
        switch kind {
        case .exe:
            let parts = name.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            if parts.contains(where: { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
                return "the path of a running program has no \"//\", \".\" or \"..\" in it, and no / at its end"
            }
            return name.hasSuffix(" (deleted)")
                ? "the kernel adds \"(deleted)\" to the path of a program that was replaced, which is refused" : nil
        case .service where name.hasSuffix(".service"): return "the name of a service is written without .service"
        case .app where name.hasSuffix(".desktop"): return "the ID of an app is written without .desktop"
        case .flatpak, .snap, .service, .app:
            return name.contains(where: { "*?[]".contains($0) || $0.isWhitespace })
                ? "it names one app: patterns and blanks have no meaning" : nil
        }
    }
}
