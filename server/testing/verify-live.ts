import { type KnownLog, knownLogOf } from '#contract/proofs/known-log.ts'
import type { Context, Verdict } from '#contract/proofs/verdict.ts'
import { verify } from '#contract/proofs/verify.ts'
import type { TestApp } from './test-server.ts'

/** The log of this server, as a verifier that was downloaded from it knows it. */
export async function knownLogOfServer(server: TestApp): Promise<KnownLog | undefined> {
  const { status, body } = await server.call('GET', '/api/proofs/keys')
  return status === 200 ? knownLogOf(body.key, body.statement) : undefined
}

/** What such a verifier answers now. */
export async function verifyLive(
  server: TestApp,
  proof: unknown,
  context: Partial<Context> = {},
): Promise<Verdict> {
  const known = await knownLogOfServer(server)
  return verify(proof, { known, now: server.clock.now, ...context })
}

/** Each step of a verdict by its name. */
export function statesOf({ steps }: Verdict): Record<string, string> {
  return Object.fromEntries(steps.map(({ name, state }) => [name, state]))
}
