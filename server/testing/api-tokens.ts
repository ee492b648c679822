import type { Scope } from '#contract/endpoint.ts'
import { PASSWORD, type Person, type TestApp } from './test-server.ts'

/** The same person, whose plan has the API now, as a program that calls with a token of theirs. */
export async function aProgram(
  server: Pick<TestApp, 'call'>,
  as: Person,
  scopes: Scope[],
): Promise<Person & { tokenId: string }> {
  await server.call('POST', '/api/subscriptions/upgrade', { as, body: { plan: 'pro' } })
  const token = { name: 'Sauvegarde', scopes, password: PASSWORD }
  const { body, text } = await server.call('POST', '/api/auth/tokens', { as, body: token })
  if (!body.token) throw new Error(`No token: ${text}`)
  return { ...as, token: body.token, tokenId: body.api_token.id }
}
