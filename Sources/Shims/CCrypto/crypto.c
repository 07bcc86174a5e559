#include "CCrypto.h"

#include <dlfcn.h>
#include <limits.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/x509.h>
#include <pthread.h>

#define FUNCTIONS(USE)                                                                                                 \
    USE(EVP_KDF_fetch) USE(EVP_KDF_CTX_new) USE(EVP_KDF_derive) USE(EVP_KDF_CTX_free) USE(EVP_KDF_free)                \
    USE(EVP_CIPHER_CTX_new) USE(EVP_CIPHER_CTX_ctrl) USE(EVP_CIPHER_CTX_free) USE(EVP_aes_256_gcm)                     \
    USE(EVP_EncryptInit_ex) USE(EVP_EncryptUpdate) USE(EVP_EncryptFinal_ex)                                            \
    USE(EVP_DecryptInit_ex) USE(EVP_DecryptUpdate) USE(EVP_DecryptFinal_ex) USE(X509_get_default_cert_dir)

#define DECLARE(name) __typeof__(&name) name;
#define FIND(name) is_complete &= (crypto.name = (__typeof__(&name))dlsym(library, #name)) != NULL;

static struct {
    FUNCTIONS(DECLARE)
} crypto;
static bool is_complete;

static void load(void) {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    is_complete = true;
    FUNCTIONS(FIND)
}

bool crypto_is_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_complete;
}

bool crypto_derive(const uint8_t *secret, size_t secret_length, const uint8_t *salt, size_t salt_length,
                   const uint8_t *info, size_t info_length, uint8_t *key) {
    if (!crypto_is_available()) return false;
    EVP_KDF *method = crypto.EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = method ? crypto.EVP_KDF_CTX_new(method) : NULL;
    // The library does not write to the memory that parameters of a derivation point to.
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", sizeof "SHA256" - 1),
        OSSL_PARAM_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_length),
        OSSL_PARAM_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_length),
        OSSL_PARAM_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_length),
        OSSL_PARAM_END,
    };
    bool is_done = context && crypto.EVP_KDF_derive(context, key, CRYPTO_KEY_LENGTH, parameters) == 1;
    crypto.EVP_KDF_CTX_free(context);
    crypto.EVP_KDF_free(method);
    return is_done;
}

bool crypto_seal(const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_length,
                 const uint8_t *plain, size_t length, uint8_t *sealed) {
    if (length > INT_MAX - CRYPTO_TAG_LENGTH || context_length > INT_MAX || !crypto_is_available()) return false;
    EVP_CIPHER_CTX *cipher = crypto.EVP_CIPHER_CTX_new();
    int written = 0, rest = 0;
    bool is_done =
        cipher && crypto.EVP_EncryptInit_ex(cipher, crypto.EVP_aes_256_gcm(), NULL, key, nonce) == 1 &&
        crypto.EVP_EncryptUpdate(cipher, NULL, &written, context, (int)context_length) == 1 &&
        crypto.EVP_EncryptUpdate(cipher, sealed, &written, plain, (int)length) == 1 &&
        crypto.EVP_EncryptFinal_ex(cipher, sealed + written, &rest) == 1 && (size_t)(written + rest) == length &&
        crypto.EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, CRYPTO_TAG_LENGTH, sealed + length) == 1;
    crypto.EVP_CIPHER_CTX_free(cipher);
    return is_done;
}

bool crypto_open(const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_length,
                 const uint8_t *sealed, size_t length, uint8_t *plain) {
    if (length < CRYPTO_TAG_LENGTH || length > INT_MAX || context_length > INT_MAX || !crypto_is_available())
        return false;
    size_t plain_length = length - CRYPTO_TAG_LENGTH;
    EVP_CIPHER_CTX *cipher = crypto.EVP_CIPHER_CTX_new();
    int written = 0, rest = 0;
    // EVP_DecryptFinal_ex() compares the tag. The library does not write to it when it is set.
    bool is_done = cipher && crypto.EVP_DecryptInit_ex(cipher, crypto.EVP_aes_256_gcm(), NULL, key, nonce) == 1 &&
                   crypto.EVP_DecryptUpdate(cipher, NULL, &written, context, (int)context_length) == 1 &&
                   crypto.EVP_DecryptUpdate(cipher, plain, &written, sealed, (int)plain_length) == 1 &&
                   crypto.EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, CRYPTO_TAG_LENGTH,
                                              (void *)(sealed + plain_length)) == 1 &&
                   crypto.EVP_DecryptFinal_ex(cipher, plain + written, &rest) == 1;
    crypto.EVP_CIPHER_CTX_free(cipher);
    return is_done;
}

const char *crypto_certificate_folder(void) {
    return crypto_is_available() ? crypto.X509_get_default_cert_dir() : NULL;
}
