internal import ServiceSupport

/// The program `locationd-publish`.
public enum LocationPublishProgram {
    /// Runs the publisher with the process's arguments until SIGTERM, and exits with its exit status.
    public static func main() { ServiceProgram.run(LocationPublish.self) }
}
