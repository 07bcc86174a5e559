import TestSupport
import Varlink

extension RawSocket {
    /// Returns the next frame, or `nil` if the connection is closed, however that happened.
    func receive() async throws -> JSONValue? {
        guard let frame = try await receiveFrame() else { return nil }
        return try JSONValue(parsing: frame.span)
    }

    /// Sends `text` as a frame and returns the reply.
    func call(_ text: String) async throws -> JSONValue? {
        send(frame(text))
        return try await receive()
    }

    /// Returns whether the service still answers calls on this connection.
    func isAlive() async throws -> Bool {
        let reply = try await call(#"{"method":"org.example.test.Echo","parameters":{"text":"?"}}"#)
        return reply == ["parameters": ["text": "?"]]
    }
}
