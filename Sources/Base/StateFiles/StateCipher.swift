internal import CCrypto

/// The encryption of state on the disk: AES-256-GCM, with a key derived from a secret.
package struct StateCipher: Sendable {
    /// The number of bytes that encryption adds to a content.
    package static let overhead = Int(CRYPTO_NONCE_LENGTH + CRYPTO_TAG_LENGTH)

    /// The error for a failed encryption.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String {
            crypto_is_available() ? "libcrypto cannot encrypt" : "OpenSSL's libcrypto.so.3 is not installed"
        }
    }

    /// The check value of the key. It does not reveal the key.
    package let check: [UInt8]
    private let key: [UInt8]
    private let owner: [UInt8]

    /// Derives the keys of an owner. Different owners and purposes with the same secret have different keys.
    package init(secret: [UInt8], of owner: String, purpose: String) throws(Failure) {
        self.owner = Array(owner.utf8)
        key = try Self.derive(secret, self.owner, purpose + ": contents")
        check = try Self.derive(secret, self.owner, purpose + ": recognition")
    }

    /// Returns the encryption of a content: nonce, encrypted content, tag. It is valid only under this number of this
    /// owner, so an attacker who can write to the disk cannot exchange contents.
    package func seal(_ content: [UInt8], number: Int64) throws(Failure) -> [UInt8] {
        // Not the number: after a failed transaction, it is used again for other content.
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<Int(CRYPTO_NONCE_LENGTH)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var sealed = [UInt8](repeating: 0, count: content.count + Int(CRYPTO_TAG_LENGTH))
        let context = context(number)
        guard crypto_seal(key, nonce, context, context.count, content, content.count, &sealed) else { throw Failure() }
        return nonce + sealed
    }

    /// Returns the content of an encryption, or `nil` if it is not authentic.
    package func open(_ entry: [UInt8], number: Int64) -> [UInt8]? {
        guard entry.count >= Self.overhead else { return nil }
        let nonce = Array(entry.prefix(Int(CRYPTO_NONCE_LENGTH)))
        let sealed = Array(entry.dropFirst(nonce.count))
        var content = [UInt8](repeating: 0, count: entry.count - Self.overhead)
        let context = context(number)
        guard crypto_open(key, nonce, context, context.count, sealed, sealed.count, &content) else { return nil }
        return content
    }

    private func context(_ number: Int64) -> [UInt8] {
        owner + (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func derive(_ secret: [UInt8], _ owner: [UInt8], _ purpose: String) throws(Failure) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: Int(CRYPTO_KEY_LENGTH))
        let purpose = Array(purpose.utf8)
        guard crypto_derive(secret, secret.count, owner, owner.count, purpose, purpose.count, &key) else {
            throw Failure()
        }
        return key
    }
}
