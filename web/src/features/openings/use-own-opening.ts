import { useEffect, useState } from 'react'
import { isOpen, isOwn, type Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { hasDeliveryKey } from '#web/lib/delivery-key.ts'
import { requestHeadingFocus } from '#web/lib/focus.ts'
import { useInput } from '#web/lib/hooks.ts'
import { openedHere } from '#web/lib/reader-marks.ts'
import { storedIds } from '#web/lib/storage.ts'
import { useOpenRevelation } from './openings.queries.ts'

/**
 * Public letters whose sealed page was before its reader on this device, until they open them. `inline-boot.js` reads them
 * too: the server renders a public letter open.
 */
const awaitedHere = storedIds('awaited-letters')

/** Whether the letter waits for this reader to break its seal. What a link opened elsewhere is new to this device. */
export function isToBeOpened(revelation: Revelation, hasAccount: boolean): boolean {
  const { id, opening } = revelation
  if (!revelation.is_revealed || !isOpen(revelation)) return false
  // What a link opened quietly is remembered by this device alone.
  if (opening.needed) return hasAccount || !hasDeliveryKey(id) || !openedHere.has(id)
  if (isPublicToOthers(revelation) && opening.opened_at === null && awaitedHere.has(id)) return true
  return !hasAccount && hasDeliveryKey(id) && opening.opened_at !== null && !openedHere.has(id)
}

/** On anything else the server knows who has an opening of their own. */
function isPublicToOthers(revelation: Revelation): boolean {
  return revelation.visibility === 'public' && !isOwn(revelation)
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
  const isAwaiting = !revelation.is_revealed && isPublicToOthers(revelation)

  useEffect(() => {
    if (isAwaiting) awaitedHere.add(id)
  }, [isAwaiting, id])

  function record(answer: boolean) {
    setDone(true)
    // Not within the gesture: this would make the first frame of the opening late.
    setTimeout(() => {
      awaitedHere.remove(id)
      if (hasDeliveryKey(id)) openedHere.add(id)
      // Of a visitor the server knows nothing to record.
      if (user || hasDeliveryKey(id)) mutate({ tellsAuthor: answer })
    })
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
    isChoicePending: isToOpen && isTurning && opening.tells_author,
    recordChoice: record,
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
