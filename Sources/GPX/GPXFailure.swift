/// A problem in a GPX file.
package struct GPXFailure: Error, Equatable {
    /// The line number, counted from 1.
    package var line: Int
    package var message: String
}
