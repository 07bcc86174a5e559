internal import CCrypto
internal import CMosquitto
internal import Publishing

/// The settings of a libmosquitto client before it connects.
enum MQTTSetup {
    /// Applies the settings. Returns libmosquitto's error, or `nil` if there is none.
    static func apply(_ settings: MQTTSettings, to handle: OpaquePointer) -> CInt? {
        let version = settings.version == .mqtt5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        var statuses = [mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version)]
        // Fixes are small and urgent.
        statuses.append(mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1))
        // The minimum, as there are no subscriptions. MQTT 3.1.1 has no such limit.
        statuses.append(mosquitto_int_option(handle, MOSQ_OPT_RECEIVE_MAXIMUM, 1))
        if let user = settings.credentials.user {
            statuses.append(mosquitto_username_pw_set(handle, user, settings.credentials.password))
        }
        if let will = settings.availability?.offline {
            let status = will.payload.withUnsafeBytes {
                mosquitto_will_set(handle, will.topic, CInt($0.count), $0.baseAddress, 1, will.isRetained)
            }
            statuses.append(status)
        }
        if settings.usesTLS { statuses += tls(settings.tls, handle) }
        return statuses.first { $0 != MOSQ_ERR_SUCCESS.code }
    }

    private static func tls(_ files: PublisherSettings.TLSFiles, _ handle: OpaquePointer) -> [CInt] {
        var statuses: [CInt] = []
        if files.authorities == nil {
            statuses.append(mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
        }
        if files.authorities != nil || files.certificate != nil {
            // mosquitto_tls_set(3) requires authorities along with the certificate, even the machine's own.
            let folder = files.authorities == nil ? crypto_certificate_folder() : nil
            statuses.append(
                mosquitto_tls_set(handle, files.authorities, folder, files.certificate, files.key) { _, _, _, _ in 0 })
        }
        // The broker's certificate and the name in it are verified. That is the default; no option here disables it.
        let verifiesPeer: CInt = 1
        statuses.append(mosquitto_tls_opts_set(handle, verifiesPeer, nil, nil))
        return statuses
    }
}

extension mosq_err_t {
    /// The error as functions return it.
    var code: CInt { CInt(rawValue) }
}

extension mqtt5_property {
    /// The property as functions expect it.
    var code: CInt { CInt(rawValue) }
}
