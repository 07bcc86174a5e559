internal import LocationModel
internal import LocationProtocol

/// The metrics of the receivers.
///
/// They have the receivers' names, but neither their specifications, since one may be a place, nor their satellites,
/// whose positions in the sky reveal the time and the place.
struct ReceiverMetrics {
    let receivers: [ReceiverSummary]
    /// A Boolean value indicating whether there are metrics that change with the sky or with movement.
    let hasDetails: Bool

    var families: [MetricFamily] {
        [states, losses] + (hasDetails ? [inUse] + counts + lastFix + [jamming, suspect] : []) + [battery]
    }

    private var losses: MetricFamily {
        family("locationd_receiver_losses", .counter, "Times that the receiver was lost.") {
            $0.losses.map(Double.init)
        }
    }

    private var states: MetricFamily {
        var states = MetricFamily("locationd_receivers", .gauge, "Receivers by state.")
        for state in ReceiverStatus.allCases {
            states.add(receivers.count { $0.state == state }, ["state": state.rawValue])
        }
        return states
    }

    private var inUse: MetricFamily {
        family("locationd_receiver_in_use", .gauge, "Whether the receiver's fixes are the ones that are delivered.") {
            $0.inUse ? 1 : 0
        }
    }

    private var counts: [MetricFamily] {
        var dropped = MetricFamily(
            "locationd_receiver_dropped_input", .counter,
            "Input that was not used, by reason, since the port was opened.")
        for receiver in receivers {
            for input in receiver.dropped ?? [] {
                dropped.add(input.count, ["receiver": receiver.name, "reason": input.reason.rawValue])
            }
        }
        return [
            family("locationd_receiver_fixes", .counter, "Fixes of the receiver.") {
                $0.fixes.map(Double.init)
            },
            family(
                "locationd_receiver_epochs", .counter, "Epochs with or without a fix, since the port was opened."
            ) { $0.epochs.map(Double.init) },
            dropped,
        ]
    }

    private var lastFix: [MetricFamily] {
        [
            family("locationd_receiver_fix_age_seconds", .gauge, "The time since the receiver's last fix.") {
                $0.fixAge
            },
            family(
                "locationd_receiver_accuracy_meters", .gauge, "The horizontal accuracy (68 %) of the last fix."
            ) { $0.horizontalAccuracy },
            family("locationd_receiver_satellites", .gauge, "Satellites used in the last fix.") {
                $0.satellitesUsed.map(Double.init)
            },
            family(
                "locationd_receiver_clock_offset_seconds", .gauge,
                "How far this machine's clock is ahead of the last fix."
            ) { $0.clockOffset },
        ]
    }

    private var jamming: MetricFamily {
        family(
            "locationd_receiver_jamming_indicator", .gauge,
            "The interference that the receiver noticed last, 0 (none) to 255 (strong)."
        ) { $0.jamming?.indicator.map(Double.init) }
    }

    private var suspect: MetricFamily {
        var suspect = MetricFamily(
            "locationd_receiver_suspect", .gauge, "1 for each reason to doubt the receiver's location.")
        for receiver in receivers {
            for reason in receiver.doubts?.reasons ?? [] {
                suspect.add(1, ["receiver": receiver.name, "reason": reason.rawValue])
            }
        }
        return suspect
    }

    private var battery: MetricFamily {
        family("locationd_receiver_battery_percent", .gauge, "The charge of the receiver's battery.") {
            $0.battery.map(Double.init)
        }
    }

    private func family(
        _ name: String, _ kind: MetricFamily.Kind, _ help: String, value: (ReceiverSummary) -> Double?
    ) -> MetricFamily {
        var family = MetricFamily(name, kind, help)
        for receiver in receivers { family.add(value(receiver), ["receiver": receiver.name]) }
        return family
    }
}
