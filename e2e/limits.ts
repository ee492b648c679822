/** The time limit for immediate effects. It only catches hangs: a starved machine is slow and still right. */
export const LIMIT_MS = 120_000
