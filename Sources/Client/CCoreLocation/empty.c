// The package manager requires a source file per target. The module map is all that this target contains.
