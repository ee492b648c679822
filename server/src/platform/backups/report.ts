/** How a backup or a restore says how far it is, and hears that it is to stop. */
export interface Report {
  /** A sentence for whoever waits. */
  say(sentence: string): void
  /** How far the files are. */
  count(done: number, total: number, bytes: number): void
  signal: AbortSignal
}
