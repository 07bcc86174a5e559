internal import Receivers

/// The receivers that corrections are for.
enum CorrectionReceivers: Equatable {
    /// Every receiver that takes them.
    case any
    /// The receiver with a name.
    case named(String)

    /// Returns the writers of the ones that are open and take corrections.
    func writers(among receivers: [Receiver]) -> [CorrectionWriter] {
        receivers.compactMap { includes($0) ? $0.corrections : nil }
    }

    private func includes(_ receiver: Receiver) -> Bool {
        switch self {
        case .any: true
        case .named(let name): receiver.name == name
        }
    }

    /// Returns the reason why no corrections will be needed until the receivers change, or `nil`. A receiver that has
    /// not been asked yet may take them.
    func refusal(among receivers: [Receiver]) -> String? {
        guard case .named(let name) = self else { return nil }
        let named = receivers.filter(includes)
        guard named.allSatisfy({ $0.takesCorrections == false }) else { return nil }
        let taking = receivers.filter { $0.takesCorrections == true }.map(\.name).joined(separator: ", ")
        let fault = named.isEmpty ? "there is no receiver \(name)" : "the receiver \(name) takes no corrections"
        return "\(fault); \(taking.isEmpty ? "no other one is known to take them" : "these take them: \(taking)")"
    }
}
