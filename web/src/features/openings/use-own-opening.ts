import { useState } from 'react'
import * as z from 'zod/mini'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { hasDeliveryKey } from '#web/lib/delivery-key.ts'
import { requestHeadingFocus } from '#web/lib/focus.ts'
import { useInput } from '#web/lib/hooks.ts'
import { storedValue } from '#web/lib/storage.ts'
import { useOpenRevelation } from './openings.queries.ts'

const MAX_OPENED = 500
const idsSchema = z.array(z.string())

/** What was opened on this device with a personal link: its bearer has no account that remembers. */
const openedHere = storedValue('opened-letters', (stored) => idsSchema.parse(stored ?? []))

function rememberOpened(id: string): void {
  const others = (openedHere.read() ?? []).filter((known) => known !== id)
  openedHere.write([id, ...others].slice(0, MAX_OPENED))
}

/** Whether the letter waits for this reader to break its seal. What a link opened elsewhere is new to this device. */
function isToBeOpened(revelation: Revelation, hasAccount: boolean): boolean {
  const { id, opening } = revelation
  if (!revelation.is_revealed || !isOpen(revelation)) return false
  if (hasAccount || opening.needed) return opening.needed
  return hasDeliveryKey(id) && opening.opened_at !== null && !openedHere.read()?.includes(id)
}

/**
 * `isTurning`: it reached its instant while it was shown, and opens by itself. Its addressee is then asked whether to tell the
 * author; for anybody else the first gesture is the act.
 */
export function useOwnOpening(revelation: Revelation, isTurning: boolean) {
  const { id, opening } = revelation
  const { user } = useSession()
  const { mutate } = useOpenRevelation(revelation)
  const [tellsAuthor, setTellsAuthor] = useState(true)
  const [plays, setPlays] = useState(0)
  const [isDone, setDone] = useState(false)
  const isToOpen = !isDone && isToBeOpened(revelation, user !== null)

  function record(answer: boolean) {
    setDone(true)
    if (!user || hasDeliveryKey(id)) rememberOpened(id)
    mutate({ tellsAuthor: answer })
  }

  useInput(isToOpen && isTurning && !opening.tells_author, (event) => {
    // Only what a person does: a program that reads pages sends no trusted event.
    if (event.isTrusted) record(false)
  })

  function play() {
    requestHeadingFocus()
    setPlays((count) => count + 1)
  }

  return {
    isWaiting: isToOpen && !isTurning,
    /** The addressee saw it open by itself, and was not asked yet. */
    asksToTell: isToOpen && isTurning && opening.tells_author,
    answerToTell: record,
    /** How often the opening was played by hand: by breaking the seal, and to see it again. */
    plays,
    breakSeal: () => {
      record(tellsAuthor)
      play()
    },
    replay: play,
    tellsAuthor,
    setTellsAuthor,
  }
}
