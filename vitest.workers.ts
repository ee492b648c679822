/**
 * Every project asks for it: none inherits it from the root, and vitest’s own choice on two cores is one worker. One more
 * than the cores of a small machine, since many tests wait for a process.
 */
export const WORKERS = 3
