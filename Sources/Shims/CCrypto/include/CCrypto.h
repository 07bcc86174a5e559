// The parts of OpenSSL's libcrypto that locationd-publish uses, through buffers of known length: see EVP_EncryptInit(3)
// and EVP_KDF-HKDF(7).
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns whether the library, which is loaded at the first call of any function here, is installed. All others fail
/// without it.
bool crypto_is_available(void);

enum { CRYPTO_KEY_LENGTH = 32, CRYPTO_NONCE_LENGTH = 12, CRYPTO_TAG_LENGTH = 16 };

/// Derives a key by HKDF with SHA-256 (RFC 5869). Returns whether this succeeded.
bool crypto_derive(const uint8_t *secret, size_t secret_length, const uint8_t *salt, size_t salt_length,
                   const uint8_t *info, size_t info_length, uint8_t *key);

/// Encrypts with AES-256-GCM. `sealed` has room for `length` bytes and the tag. Returns whether this succeeded.
bool crypto_seal(const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_length,
                 const uint8_t *plain, size_t length, uint8_t *sealed);

/// Decrypts the result of crypto_seal(); `length` includes the tag. `plain` has room for `length` bytes without the
/// tag. It counts only if the result is true: the bytes are authentic then.
bool crypto_open(const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_length,
                 const uint8_t *sealed, size_t length, uint8_t *plain);

/// Returns the folder of the certificate authorities that this machine trusts: X509_get_default_cert_dir(3).
const char *crypto_certificate_folder(void);
