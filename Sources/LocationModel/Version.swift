/// The version of this build.
package enum Version {
    /// As `--version` prints it.
    package static let text = "0.1.0"
}
