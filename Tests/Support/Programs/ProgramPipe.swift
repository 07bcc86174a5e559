import CTestSupport
package import Foundation

/// A pipe(7) with ends that are close-on-exec, so that a program has only the ends that are passed to it.
package final class ProgramPipe: Sendable {
    package let readEnd: FileHandle
    package let writeEnd: FileHandle

    package init() throws {
        var ends: [CInt] = [-1, -1]
        guard pipe_close_on_exec(&ends) == 0 else { throw POSIXError.last }
        readEnd = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        writeEnd = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }

    package func write(_ text: String) throws { try writeEnd.write(contentsOf: Data(text.utf8)) }
}
