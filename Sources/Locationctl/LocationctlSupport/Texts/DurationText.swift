/// Durations in words.
package enum DurationText {
    package static func seconds(_ count: Int) -> String {
        // Translators: A duration. The unit is the abbreviation of seconds.
        translated("{count} s", ["count": "\(count)"])
    }

    package static func minutes(_ count: Int) -> String {
        // Translators: A duration. The unit is the abbreviation of minutes.
        translated("{count} min", ["count": "\(count)"])
    }

    package static func minutes(_ count: Int, seconds: Int) -> String {
        translated("{minutes} min {seconds} s", ["minutes": "\(count)", "seconds": "\(seconds)"])
    }

    package static func hours(_ count: Int) -> String {
        // Translators: A duration. The unit is the abbreviation of hours.
        translated("{count} h", ["count": "\(count)"])
    }

    package static func days(_ count: Int) -> String {
        translated("{count} day", plural: "{count} days", count: count)
    }
}
