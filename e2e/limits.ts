/** How long to wait for what should come at once: only for what hangs, as a starved machine does rightly what it does slowly. */
export const LIMIT_MS = 120_000
