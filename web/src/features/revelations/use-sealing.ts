import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import type { CreateRevelationInput } from '#contract/sealing.ts'
import { errorSentence, isAnswerLost } from '#web/lib/api-client.ts'
import { useCreateRevelation } from './revelations.queries.ts'
import { type Doubt, doubtAbout, findSealed, isAbout } from './seal-once.ts'
import { storedDoubt } from './stored-doubt.ts'

interface SealingOptions {
  userId: string
  /** What is about to be sealed, as it is when the page opens. */
  first: Pick<CreateRevelationInput, 'title' | 'content'>
  /** `wasLost`: an earlier attempt had sealed it, and its answer never came. */
  onSealed: (revelation: Revelation, wasLost: boolean) => void
  onRefused: (error: unknown) => void
}

/**
 * Seals once. A second click while it runs does nothing; after an answer that was lost, what was asked is looked
 * for among the author's revelations before anything is sealed again, also when the page was closed in between.
 */
export function useSealing({ userId, first, onSealed, onRefused }: SealingOptions) {
  const { mutateAsync: create } = useCreateRevelation()
  const [isSealing, setSealing] = useState(false)
  const [failure, setFailure] = useState<string>()
  // Stays closed once it has been sealed: the page is about to be left, and another click may still come.
  const isClosed = useRef(false)
  // Kept on the device before anything leaves: a page that is closed meanwhile seals nothing twice either.
  const doubt = useRef<Doubt>(undefined)
  doubt.current ??= storedDoubt.read(userId)

  const forgetDoubt = () => {
    doubt.current = undefined
    storedDoubt.erase(userId)
  }

  const settleDoubt = async (): Promise<boolean> => {
    if (!doubt.current) return false
    const sealed = await findSealed(userId, doubt.current)
    forgetDoubt()
    if (sealed) onSealed(sealed, true)
    return sealed !== undefined
  }

  const attempt = async (input: CreateRevelationInput) => {
    if (doubt.current && !isAbout(doubt.current, input)) forgetDoubt()
    if (await settleDoubt()) return
    const asked = doubtAbout(input)
    storedDoubt.keep(userId, asked)
    try {
      const { revelation } = await create(input)
      forgetDoubt()
      onSealed(revelation, false)
    } catch (error) {
      if (!isAnswerLost(error)) {
        forgetDoubt()
        throw error
      }
      doubt.current = asked
      if (!(await settleDoubt())) throw error
    }
  }

  const settleAtOpening = useEffectEvent(() => {
    const isOfThis = doubt.current && isAbout(doubt.current, first)
    if (!isOfThis || isClosed.current) return
    isClosed.current = true
    settleDoubt()
      .catch(() => false)
      .then((wasSealed) => {
        isClosed.current = wasSealed
      })
  })
  useEffect(() => settleAtOpening(), [])

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
      if (doubt.current) return setFailure(IN_DOUBT)
      setFailure(errorSentence(error, 'La révélation n’a pas pu être scellée. Réessayez.'))
      onRefused(error)
    }
  }
  return { seal, isSealing, failure, clearFailure: () => setFailure(undefined) }
}

const IN_DOUBT =
  'La réponse du site s’est perdue. Vérifiez votre connexion, puis appuyez de nouveau sur «\u00A0Sceller\u00A0»\u00A0: nous regarderons d’abord si elle n’est pas déjà scellée.'
