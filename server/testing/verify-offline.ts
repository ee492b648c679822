import { expect } from 'vitest'
import { findCheckpoints } from '#contract/proofs/checkpoint.ts'
import type { Answer } from '#contract/test/answers.ts'
import type { Email } from '#server/platform/mail/mail.ts'
import type { TestApp } from './test-server.ts'
import { answerOfPage, answerOfProduct } from './two-verifiers.ts'

/** The checkpoints of the file that travelled with a mail. */
export function mailedCheckpoints(mail: Email | undefined): string[] {
  const proof = mail?.attachments?.find(({ filename }) => filename === 'preuve.txt')
  return findCheckpoints(String(proof?.content ?? ''))
}

/** What both verifiers answer of a proof and these mailed checkpoints, without asking anybody. */
export async function verifyOffline(
  server: TestApp,
  proof: unknown,
  mailed: readonly string[],
): Promise<Answer> {
  const { body } = await server.call('GET', '/api/proofs/keys')
  const { origin, key, statement } = body
  const now = server.clock.now.toISOString()
  const context = {
    known: { origin, key, keys_note: statement, checkpoint: null },
    now,
    held: mailed.map((note) => ({ key, note, source: 'mailed' as const, since: now })),
  }
  const product = answerOfProduct({ proof, given: context })
  expect(answerOfPage({ proof, given: context })).toEqual(product)
  return product
}
