/**
 * What vitest may use and wait for. Every project asks for it: none inherits it from the root, and vitest’s own choice on
 * two cores is one worker. One more than the cores of a small machine, since many tests wait for a process.
 */
export const WORKERS = 3

/** After this a test hangs. It is never a measure: a starved machine does slowly, and still rightly, what it is asked. */
export const HANGS_AFTER_MS = 600_000
