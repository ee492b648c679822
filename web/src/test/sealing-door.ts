import type { RequestHandler } from 'msw'
import { getRevelation, type OwnRevelation, recordView } from '#contract/revelations.ts'
import { type CreateRevelationInput, createRevelation } from '#contract/sealing.ts'
import { answer, type Refusal } from './fake-api.ts'
import { anOwnRevelation } from './samples.ts'

interface SealingOptions {
  refused?: Refusal | undefined
  revelation?: OwnRevelation
}

/**
 * The server's part of sealing: it remembers what it is to seal, and seals or refuses it. Await `viewed` where the page of what
 * is sealed comes up: its view is counted, or a later test would have to answer for it.
 */
export function sealingDoor({
  refused,
  revelation = anOwnRevelation({ id: 'la-nouvelle' }),
}: SealingOptions = {}) {
  const sealed: CreateRevelationInput[] = []
  const viewed = Promise.withResolvers<void>()
  const handlers: RequestHandler[] = [
    answer(createRevelation, ({ body }) => {
      sealed.push(body as CreateRevelationInput)
      return refused ?? { revelation }
    }),
    answer(getRevelation, { revelation }),
    answer(recordView, () => {
      viewed.resolve()
      return { views_count: 0 }
    }),
  ]
  return { handlers, sealed, viewed: viewed.promise }
}
