internal import CCurl
internal import Publishing

/// A libcurl handle for one request after another, and the answer to the current one. Confined to the event loop.
final class CurlRequest {
    /// The maximum size of an answer's headers, including those of interim answers, in bytes.
    static let maximumHeader = 65_536
    /// The maximum size of the body of an answer, in bytes.
    static let maximumBody = 1_000_000
    /// The part of the body to keep, in bytes: the rest is skipped.
    static let readBody = 65_536

    /// The reason why a handle cannot be created.
    struct Failure: Error {
        let reason: String
    }

    let handle: UnsafeMutableRawPointer
    private let rule: AnswerRule
    private let fields: UnsafeMutablePointer<curl_slist>?
    private let errors: UnsafeMutablePointer<CChar>
    private var header = 0
    private var bodyLength = 0
    private var body: [UInt8] = []
    /// The reason why this program has aborted the request.
    private var limit: String?

    init(_ settings: HTTPSettings) throws(Failure) {
        guard let handle = curl_easy_init() else { throw Failure(reason: "libcurl has no memory") }
        self.handle = handle
        rule = settings.form.answer
        // "Expect" without a value: the body is sent without asking the server first.
        var fields = curl_slist_append(nil, "Expect:")
        for field in settings.form.fields { fields = curl_slist_append(fields, "\(field.name): \(field.value)") }
        self.fields = fields
        errors = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errors.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        curl_set_error_buffer(handle, errors)
        if let failure = CurlSetup.apply(settings, fields: fields, to: self.handle) {
            throw Failure(
                reason: "libcurl does not accept the settings: \(String(cString: curl_easy_strerror(failure)))")
        }
        curl_set_receivers(
            handle,
            { _, size, count, object in CurlRequest.of(object).receivedHeader(size * count) ? size * count : 0 },
            { bytes, size, count, object in
                CurlRequest.of(object).received(UnsafeRawBufferPointer(start: bytes, count: size * count))
                    ? size * count : 0
            },
            Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
        errors.deallocate()
    }

    /// Prepares the next request. Returns whether libcurl has enough memory.
    func prepare(_ body: [UInt8]) -> Bool {
        (header, bodyLength, self.body, limit) = (0, 0, [], nil)
        errors[0] = 0
        return body.withUnsafeBytes { curl_set_body(handle, $0.baseAddress, $0.count) } == CURLE_OK
    }

    /// Returns the verdict on the server's answer, or the reason why there is none.
    func verdict(_ result: CURLcode) -> HTTPVerdict {
        let proxyStatus = curl_number(handle, CURLINFO_HTTP_CONNECTCODE)
        guard result == CURLE_OK || proxyStatus < 300 else {
            return rule.verdict(ofProxy: proxyStatus)
        }
        guard result == CURLE_OK else {
            let reason =
                limit
                ?? HTTPReason.failure(
                    result, errno: CInt(curl_number(handle, CURLINFO_OS_ERRNO)), details: String(cString: errors))
            return .unavailable(reason, pauseSeconds: nil)
        }
        let pause = curl_long_number(handle, CURLINFO_RETRY_AFTER)
        return rule.verdict(
            on: HTTPAnswer(
                status: curl_number(handle, CURLINFO_RESPONSE_CODE), body: body,
                retryAfter: pause == 0 ? nil : Int(pause),
                location: curl_text(handle, CURLINFO_REDIRECT_URL).map { String(cString: $0) }))
    }

    private static func of(_ object: UnsafeMutableRawPointer?) -> CurlRequest {
        Unmanaged<CurlRequest>.fromOpaque(object!).takeUnretainedValue()
    }

    /// Attack: a server sends endless headers or interim answers: libcurl 7.88 would keep them all.
    private func receivedHeader(_ count: Int) -> Bool {
        header += count
        if header > Self.maximumHeader { limit = "the header of the server's answer is too long" }
        return limit == nil
    }

    private func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bodyLength += bytes.count
        body += bytes.prefix(Self.readBody - body.count)
        if bodyLength > Self.maximumBody { limit = "the server's answer is too long" }
        return limit == nil
    }
}
