import TestSupport
import Varlink

extension RawSocket {
    /// Returns the next frame; `nil` if the connection is closed, by whatever means.
    func receive() async throws -> JSONValue? {
        guard let frame = try await receiveFrame() else { return nil }
        return try JSONValue(parsing: frame.span)
    }

    /// Sends `text` as a frame and waits for the reply.
    func call(_ text: String) async throws -> JSONValue? {
        send(frame(text))
        return try await receive()
    }

    /// Returns whether a call is still answered.
    func isAlive() async throws -> Bool {
        let reply = try await call(#"{"method":"org.example.test.Echo","parameters":{"text":"?"}}"#)
        return reply == ["parameters": ["text": "?"]]
    }
}
