import { screen, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { getReceipt } from '#contract/receipts.ts'
import type { OwnRevelation } from '#contract/revelations.ts'
import { type CreateRevelationInput, createRevelation } from '#contract/sealing.ts'
import { answer, type Refusal, refusal } from './fake-api.ts'
import { anOwnRevelation } from './samples.ts'

interface SealingOptions {
  refused?: Refusal | undefined
  revelation?: OwnRevelation
}

/** The server's part of sealing: it remembers what it is to seal, and seals or refuses it. */
export function sealingDoor({
  refused,
  revelation = anOwnRevelation({ id: 'la-nouvelle' }),
}: SealingOptions = {}) {
  const sealed: CreateRevelationInput[] = []
  const handlers: RequestHandler[] = [
    answer(createRevelation, ({ body }) => {
      sealed.push(body as CreateRevelationInput)
      return refused ?? { revelation }
    }),
    answer(getReceipt, refusal('receipt_pending')),
  ]
  return { handlers, sealed }
}

/** The last look at a letter, which the last step or « Relire avant de sceller » leads to. */
export async function findRecap() {
  await screen.findByRole('heading', { level: 1, name: 'Avant de sceller' })
  return within(screen.getByRole('main'))
}

/** It is sealed, and said to be. */
export function findSealed(): Promise<HTMLElement> {
  return screen.findByRole('heading', { level: 1, name: 'C’est scellé.' })
}
