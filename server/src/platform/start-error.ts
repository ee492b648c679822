/** A failure that the operator can remedy: the message is one sentence for them. */
export class StartError extends Error {
  override name = 'StartError'
}
