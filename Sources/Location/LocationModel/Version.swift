/// The version of this build.
package enum Version {
    /// As `--version` prints it, and as `debian/changelog` and `NEWS.md` begin.
    package static let text = "0.9.0"
}
