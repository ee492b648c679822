import { useRef, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import type { CreateRevelationInput } from '#contract/sealing.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { mayHaveCreated } from '#web/lib/call-once.ts'
import { createId } from '#web/lib/ids.ts'
import { useCreateRevelation } from './revelations.queries.ts'

/** The key of an attempt that has no answer yet, which outlives the page where the device has room. */
interface StoredKey {
  read: () => string | null
  write: (key: string | null) => void
}

interface SealingOptions {
  storedKey: StoredKey
  /** `wasLost`: an earlier attempt had sealed it, and its answer never came. */
  onSealed: (revelation: Revelation, wasLost: boolean) => void
  onRefused: (error: unknown) => void
  /** Nobody knows whether it is sealed. */
  onLost?: () => void
  /** Other words are. */
  onMismatch?: () => void
}

/** How long to wait before each further try, once at once: what is under way ends soon. */
const TRIES_AFTER_MS = [0, 1_000, 2_000]

/**
 * Seals once. A second click while it runs does nothing. Every attempt has the same key until the site has answered, also when
 * the page was closed in between: the site seals one letter for it. `alreadyId` is that of a letter which such an attempt had
 * sealed in other words.
 */
export function useSealing(options: SealingOptions) {
  const { storedKey, onSealed, onRefused } = options
  const { mutateAsync: create } = useCreateRevelation()
  const [phase, setPhase] = useState<'idle' | 'sealing' | 'retrying'>('idle')
  const [failure, setFailure] = useState<string>()
  const [alreadyId, setAlreadyId] = useState<string>()
  // Stays closed once it has been sealed: the page is about to be left, and another click may still come.
  const isClosed = useRef(false)

  const clearKey = () => storedKey.write(null)

  const attempt = async (input: CreateRevelationInput) => {
    const key = storedKey.read() ?? createId()
    // Before anything is sent, so that a page that is closed meanwhile seals nothing twice either.
    storedKey.write(key)
    for (const tryAfterMs of [...TRIES_AFTER_MS, undefined]) {
      try {
        return await create({ body: input, key })
      } catch (error) {
        // Without a connection, the next click is the next try.
        const isWorthTrying = tryAfterMs === 0 || isInProgress(error)
        if (!mayHaveCreated(error) || tryAfterMs === undefined || !isWorthTrying) throw error
        setPhase('retrying')
        await new Promise((resolve) => setTimeout(resolve, tryAfterMs))
      }
    }
    throw new Error('The last try neither succeeds nor fails')
  }

  const seal = async (input: CreateRevelationInput) => {
    if (isClosed.current) return
    isClosed.current = true
    setPhase('sealing')
    setFailure(undefined)
    setAlreadyId(undefined)
    try {
      const { revelation, isReplay } = await attempt(input)
      clearKey()
      onSealed(revelation, isReplay)
    } catch (error) {
      isClosed.current = false
      setPhase('idle')
      if (mayHaveCreated(error)) {
        setFailure(ANSWER_LOST)
        return options.onLost?.()
      }
      if (isMismatch(error)) {
        setAlreadyId(error.createdId)
        return options.onMismatch?.()
      }
      clearKey()
      setFailure(
        isCode(error, 'not_found')
          ? WAS_DELETED
          : errorSentence(error, 'La révélation n’a pas pu être scellée. Réessayez.'),
      )
      onRefused(error)
    }
  }
  return {
    seal,
    /** Seals what is written now beside what was sealed in other words. */
    sealAnother: (input: CreateRevelationInput) => {
      clearKey()
      return seal(input)
    },
    phase,
    failure,
    alreadyId,
    clearFailure: () => {
      setFailure(undefined)
      setAlreadyId(undefined)
    },
  }
}

const ANSWER_LOST =
  'La réponse du site s’est perdue. Vérifiez votre connexion, puis appuyez de nouveau sur «\u202FSceller\u202F»\u202F: si elle est déjà scellée, elle ne le sera pas deux fois.'

const WAS_DELETED =
  'Votre premier envoi avait été scellé, puis supprimé. Appuyez de nouveau sur «\u202FSceller\u202F» pour sceller cette lettre.'

function isCode(error: unknown, code: ApiError['code']): error is ApiError {
  return error instanceof ApiError && error.code === code
}

const isInProgress = (error: unknown) => isCode(error, 'in_progress')

const isMismatch = (error: unknown): error is ApiError & { createdId: string } =>
  isCode(error, 'idempotency_mismatch') && error.createdId !== undefined
