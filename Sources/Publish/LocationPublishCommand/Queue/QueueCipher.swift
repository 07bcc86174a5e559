internal import CCrypto
internal import JSON
internal import LocationModel
internal import Publishing

/// The encryption of the queue's contents: AES-256-GCM, with a key derived from a secret of the service.
///
/// Attack: a thief gets the disk, or a copy of the queue, and reads where the machine was. The secret is not on the
/// disk in the clear if the service manager gets it from a TPM or another machine. Times, sizes and the number of
/// reports are not hidden.
struct QueueCipher: Sendable {
    /// The least length of a secret, in bytes.
    static let minimumSecretLength = 32
    /// The number of bytes that encryption adds to the content of an entry.
    static let overhead = Int(CRYPTO_NONCE_LENGTH + CRYPTO_TAG_LENGTH)

    /// The error for a failed encryption.
    struct Failure: Error, CustomStringConvertible {
        var description: String { "libcrypto cannot encrypt" }
    }

    /// The check value of a queue's key. It does not reveal the key.
    let check: [UInt8]
    private let key: [UInt8]
    private let queue: [UInt8]

    /// Derives the keys of a queue. Different queues with the same secret have different keys.
    init(secret: [UInt8], queue: String) throws(Failure) {
        self.queue = Array(queue.utf8)
        key = try Self.derive(secret, self.queue, "locationd-publish queue: contents")
        check = try Self.derive(secret, self.queue, "locationd-publish queue: recognition")
    }

    /// Returns the entry of a report: nonce, encrypted content, tag. It is valid only under this number of this queue,
    /// so an attacker who can write to the disk cannot exchange entries.
    func seal(_ content: [UInt8], number: Int64) throws(Failure) -> [UInt8] {
        // Not the number: after a failed transaction, it is used again for other content.
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<Int(CRYPTO_NONCE_LENGTH)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var sealed = [UInt8](repeating: 0, count: content.count + Int(CRYPTO_TAG_LENGTH))
        let context = context(number)
        guard crypto_seal(key, nonce, context, context.count, content, content.count, &sealed) else { throw Failure() }
        return nonce + sealed
    }

    /// Returns the content of an entry, or `nil` if it is not authentic.
    func open(_ entry: [UInt8], number: Int64) -> [UInt8]? {
        guard entry.count >= Self.overhead else { return nil }
        let nonce = Array(entry.prefix(Int(CRYPTO_NONCE_LENGTH)))
        let sealed = Array(entry.dropFirst(nonce.count))
        var content = [UInt8](repeating: 0, count: entry.count - Self.overhead)
        let context = context(number)
        guard crypto_open(key, nonce, context, context.count, sealed, sealed.count, &content) else { return nil }
        return content
    }

    private func context(_ number: Int64) -> [UInt8] {
        queue + (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func derive(_ secret: [UInt8], _ queue: [UInt8], _ purpose: String) throws(Failure) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: Int(CRYPTO_KEY_LENGTH))
        let purpose = Array(purpose.utf8)
        guard crypto_derive(secret, secret.count, queue, queue.count, purpose, purpose.count, &key) else {
            throw Failure()
        }
        return key
    }
}

/// The encoding of a report in the queue: JSON, encrypted if there is a cipher.
struct ReportCoding: Sendable {
    /// The cipher, or `nil` for contents in the clear.
    var cipher: QueueCipher?

    /// Returns the encoding of the report with this number.
    func encode(_ report: Report, number: Int64) throws -> [UInt8] {
        var json = JSONWriter()
        try json.value(encoding: report)
        return try cipher?.seal(json.bytes, number: number) ?? json.bytes
    }

    /// Returns the report with this number, or `nil` if the bytes are invalid.
    func decode(_ bytes: [UInt8], number: Int64) -> Report? {
        var content = bytes
        if let cipher {
            guard let opened = cipher.open(bytes, number: number) else { return nil }
            content = opened
        }
        guard let value = try? JSONValue(parsing: content.span), let report = try? value.decoded(as: Report.self),
            (-90...90).contains(report.location.latitude), (-180...180).contains(report.location.longitude)
        else { return nil }
        return report
    }
}
