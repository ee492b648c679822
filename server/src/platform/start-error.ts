/** The program cannot start and the operator can do something about it: the message is one sentence for them. */
export class StartError extends Error {
  override name = 'StartError'
}
