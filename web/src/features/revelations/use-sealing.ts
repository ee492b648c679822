import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import type { CreateRevelationInput } from '#contract/sealing.ts'
import { errorSentence, isAnswerLost } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/clock.ts'
import { createDraftStore } from './draft-storage.ts'
import { listOwnRecent, useCreateRevelation } from './revelations.queries.ts'

interface SealingOptions {
  userId: string
  /** What is about to be sealed, as it is when the page opens. */
  first: Pick<CreateRevelationInput, 'title' | 'content'>
  /** `wasLost`: an earlier attempt had sealed it, and its answer never came. */
  onSealed: (revelation: Revelation, wasLost: boolean) => void
  onRefused: (error: unknown) => void
}

/**
 * Seals once. A second click while it runs does nothing. After a lost answer, the letter is searched among the author's latest
 * revelations before anything is sealed again, also when the page was closed in between.
 */
export function useSealing({ userId, first, onSealed, onRefused }: SealingOptions) {
  const { mutateAsync: create } = useCreateRevelation()
  const [isSealing, setSealing] = useState(false)
  const [failure, setFailure] = useState<string>()
  // Stays closed once it has been sealed: the page is about to be left, and another click may still come.
  const isClosed = useRef(false)
  // Stored on the device before anything is sent, so that a page closed meanwhile seals nothing twice either.
  const pending = useRef<PendingSeal>(undefined)
  pending.current ??= storedPendingSeal.read(userId)

  const clearPending = () => {
    pending.current = undefined
    storedPendingSeal.erase(userId)
  }

  const resolvePending = async (): Promise<boolean> => {
    if (!pending.current) return false
    const sealed = await findSealed(userId, pending.current)
    clearPending()
    if (sealed) onSealed(sealed, true)
    return sealed !== undefined
  }

  const attempt = async (input: CreateRevelationInput) => {
    if (pending.current && !isSameLetter(pending.current, input)) clearPending()
    if (await resolvePending()) return
    const attempted = createPendingSeal(input)
    storedPendingSeal.write(userId, attempted)
    try {
      const { revelation } = await create(input)
      clearPending()
      onSealed(revelation, false)
    } catch (error) {
      if (!isAnswerLost(error)) {
        clearPending()
        throw error
      }
      pending.current = attempted
      if (!(await resolvePending())) throw error
    }
  }

  const resolveAtOpening = useEffectEvent(() => {
    const isOfThisLetter = pending.current && isSameLetter(pending.current, first)
    if (!isOfThisLetter || isClosed.current) return
    isClosed.current = true
    resolvePending()
      .catch(() => false)
      .then((wasSealed) => {
        isClosed.current = wasSealed
      })
  })
  useEffect(() => resolveAtOpening(), [])

  const seal = async (input: CreateRevelationInput) => {
    if (isClosed.current) return
    isClosed.current = true
    setSealing(true)
    setFailure(undefined)
    try {
      await attempt(input)
    } catch (error) {
      isClosed.current = false
      setSealing(false)
      if (pending.current) return setFailure(ANSWER_LOST)
      setFailure(errorSentence(error, 'La révélation n’a pas pu être scellée. Réessayez.'))
      onRefused(error)
    }
  }
  return { seal, isSealing, failure, clearFailure: () => setFailure(undefined) }
}

const ANSWER_LOST =
  'La réponse du site s’est perdue. Vérifiez votre connexion, puis appuyez de nouveau sur «\u202FSceller\u202F»\u202F: nous regarderons d’abord si elle n’est pas déjà scellée.'

// The clocks of both sides agree to a second at best.
const CLOCK_GRACE_MS = 5000

/** An attempt whose answer never came: it may have sealed the letter all the same. */
interface PendingSeal extends LetterText {
  sinceMs: number
}

type LetterText = Pick<CreateRevelationInput, 'title' | 'content'>

function createPendingSeal({ title, content }: LetterText): PendingSeal {
  return { title, content, sinceMs: serverNow() - CLOCK_GRACE_MS }
}

/** Whether the attempt was for this letter, maybe changed since, rather than for another one. */
function isSameLetter(pending: PendingSeal, { title, content }: LetterText): boolean {
  return isSameText(pending.title, title) || isSameText(pending.content, content)
}

/** What that attempt sealed, if it did. Throws when the server does not answer. */
async function findSealed(userId: string, pending: PendingSeal): Promise<Revelation | undefined> {
  const recent = await listOwnRecent(userId)
  return recent.find(
    ({ title, content, created_at }) =>
      Date.parse(created_at) >= pending.sinceMs &&
      isSameText(title, pending.title) &&
      isSameText(content, pending.content),
  )
}

/** Compares texts as the server stores them: trimmed, in one form of Unicode. */
function isSameText(one: string, other: string): boolean {
  return normalizeText(one) === normalizeText(other)
}

function normalizeText(text: string): string {
  return text.replaceAll('\r\n', '\n').normalize('NFC').trim()
}

export const storedPendingSeal = createDraftStore('doubt:', (stored): PendingSeal | undefined => {
  const { title, content, sinceMs } = stored as Partial<PendingSeal>
  if (title === undefined || content === undefined || sinceMs === undefined) return undefined
  return { title, content, sinceMs }
})
