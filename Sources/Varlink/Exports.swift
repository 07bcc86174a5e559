/// Parameters are JSON: who uses this module needs that one too.
@_exported public import JSON
