// libcurl: a client of HTTP. Swift does not import functions with a variable number of arguments, so each use of them
// has its own function with known types here: see curl_easy_setopt(3), curl_easy_getinfo(3), curl_multi_setopt(3).
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Values of options, whose types differ between versions of libcurl.
static const long curl_http_1_1 = CURL_HTTP_VERSION_1_1;
static const long curl_tls_1_2 = CURL_SSLVERSION_TLSv1_2;
static const long curl_auth_basic = (long)CURLAUTH_BASIC;
static const long curl_auth_bearer = (long)CURLAUTH_BEARER;

static inline CURLcode curl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl copies the text. NULL stands for the option's default, or for no value: see its manual page.
static inline CURLcode curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// The list must live as long as the handle uses it.
static inline CURLcode curl_set_headers(CURL *easy, struct curl_slist *list) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}

// A buffer of CURL_ERROR_SIZE bytes, which must live as long as the handle.
static inline CURLcode curl_set_error_buffer(CURL *easy, char *buffer) {
    return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

// The body of a POST request, which libcurl copies.
static inline CURLcode curl_set_body(CURL *easy, const void *body, long length) {
    CURLcode status = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, length);
    return status == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, body) : status;
}

static inline CURLcode curl_set_receivers(CURL *easy, curl_write_callback header, curl_write_callback body, void *object) {
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, object);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    return curl_easy_setopt(easy, CURLOPT_WRITEDATA, object);
}

static inline CURLcode curl_set_socket_options(CURL *easy, curl_sockopt_callback function) {
    return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, function);
}

static inline long curl_number(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline curl_off_t curl_long_number(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

// -1 if there is no connection.
static inline curl_socket_t curl_active_socket(CURL *easy) {
    curl_socket_t value = CURL_SOCKET_BAD;
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : CURL_SOCKET_BAD;
}

// NULL if there is no text. The text lives until the next request.
static inline const char *curl_text(CURL *easy, CURLINFO info) {
    char *value = NULL;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode curl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback sockets, curl_multi_timer_callback timer, void *object) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, sockets);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, object);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    return curl_multi_setopt(multi, CURLMOPT_TIMERDATA, object);
}

// The result of the next request that has ended, or -1 if no request has ended.
static inline int curl_multi_next_result(CURLM *multi) {
    int rest = 0;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &rest)) != NULL;)
        if (message->msg == CURLMSG_DONE) return (int)message->data.result;
    return -1;
}

// libcurl's name for its TLS library, or NULL without TLS.
static inline const char *curl_tls_library(void) { return curl_version_info(CURLVERSION_NOW)->ssl_version; }
