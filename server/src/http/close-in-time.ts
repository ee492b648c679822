import type { FastifyInstance } from 'fastify'

/** The rest of the time a stop may take is for jobs and PostgreSQL. */
const ANSWER_WITHIN_MS = 15_000

/**
 * Closes the server once it has answered what was asked, and cuts whoever takes too long: a slow download, a connection
 * on which nothing was asked yet.
 */
export async function closeInTime(
  app: FastifyInstance,
  answerWithinMs = ANSWER_WITHIN_MS,
): Promise<void> {
  // An answer that began before the stop keeps its connection alive, which would hold the server for more than a minute.
  app.server.keepAliveTimeout = 1
  const late = setTimeout(() => app.server.closeAllConnections(), answerWithinMs)
  try {
    await app.close()
  } finally {
    clearTimeout(late)
  }
}
