/// The version of this build.
package enum Version {
    /// The text that `--version` prints, and that `debian/changelog` and `NEWS.md` begin with.
    package static let text = "0.9.0"
}
