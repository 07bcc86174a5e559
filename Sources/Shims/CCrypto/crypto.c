#include "CCrypto.h"

#include <limits.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/x509.h>

bool crypto_derive(const uint8_t *secret, size_t secret_length, const uint8_t *salt, size_t salt_length,
                   const uint8_t *info, size_t info_length, uint8_t *key) {
    EVP_KDF *method = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = method ? EVP_KDF_CTX_new(method) : NULL;
    // The library does not write to the memory that parameters of a derivation point to.
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_length),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_length),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_length),
        OSSL_PARAM_construct_end(),
    };
    bool is_done = context && EVP_KDF_derive(context, key, CRYPTO_KEY_LENGTH, parameters) == 1;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(method);
    return is_done;
}

bool crypto_seal(const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_length,
                 const uint8_t *plain, size_t length, uint8_t *sealed) {
    if (length > INT_MAX - CRYPTO_TAG_LENGTH || context_length > INT_MAX) return false;
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    int written = 0, rest = 0;
    bool is_done = cipher && EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key, nonce) == 1 &&
                   EVP_EncryptUpdate(cipher, NULL, &written, context, (int)context_length) == 1 &&
                   EVP_EncryptUpdate(cipher, sealed, &written, plain, (int)length) == 1 &&
                   EVP_EncryptFinal_ex(cipher, sealed + written, &rest) == 1 && (size_t)(written + rest) == length &&
                   EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, CRYPTO_TAG_LENGTH, sealed + length) == 1;
    EVP_CIPHER_CTX_free(cipher);
    return is_done;
}

bool crypto_open(const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_length,
                 const uint8_t *sealed, size_t length, uint8_t *plain) {
    if (length < CRYPTO_TAG_LENGTH || length > INT_MAX || context_length > INT_MAX) return false;
    size_t plain_length = length - CRYPTO_TAG_LENGTH;
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    int written = 0, rest = 0;
    // EVP_DecryptFinal_ex() compares the tag. The library does not write to it when it is set.
    bool is_done =
        cipher && EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key, nonce) == 1 &&
        EVP_DecryptUpdate(cipher, NULL, &written, context, (int)context_length) == 1 &&
        EVP_DecryptUpdate(cipher, plain, &written, sealed, (int)plain_length) == 1 &&
        EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, CRYPTO_TAG_LENGTH, (void *)(sealed + plain_length)) == 1 &&
        EVP_DecryptFinal_ex(cipher, plain + written, &rest) == 1;
    EVP_CIPHER_CTX_free(cipher);
    return is_done;
}

const char *crypto_certificate_folder(void) {
    return X509_get_default_cert_dir();
}
