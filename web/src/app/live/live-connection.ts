import type { QueryClient } from '@tanstack/react-query'
import { askAgainWhatIsShown } from './ask-again.ts'
import { followEvents } from './follow-events.ts'
import { createLiveChanges } from './live-changes.ts'

/** Cards come by the page while one scrolls: the server is told once they have settled. */
const SETTLED_MS = 1000

export interface LiveConnection {
  /** Follows the revelations of this list of ids between commas besides one’s own. */
  watch(shown: string): void
  close(): void
}

/** One stream of events, and another in its place whenever the page shows something else. */
export function openLiveConnection(client: QueryClient): LiveConnection {
  const changes = createLiveChanges(client)
  let leave: (() => void) | undefined
  let watched: string | undefined
  /** What a stream that stands tells of. */
  let heard: string[] | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function follow(shown: string): void {
    const ids = shown ? shown.split(',') : []
    watched = shown
    let leaveFormer = leave
    const stop = followEvents(ids, {
      onReady: (isAgain) => {
        // The former stream is left only now, so that nothing happens between the two.
        leaveFormer?.()
        leaveFormer = undefined
        const former = heard
        heard = ids
        if (!former || isAgain) askAgainWhatIsShown(client)
        else changes.onWatched(ids.filter((id) => !former.includes(id)))
      },
      onEvent: (name, data) => {
        if (name === 'revelation') void changes.onRevelation(data)
        if (name === 'relationships') askAgainWhatIsShown(client)
        if (name === 'sounds') changes.onSounds()
      },
    })
    leave = () => {
      leaveFormer?.()
      stop()
    }
  }

  return {
    watch(shown) {
      clearTimeout(timer)
      if (shown === watched) return
      timer = setTimeout(() => follow(shown), watched ? SETTLED_MS : 0)
    },
    close() {
      clearTimeout(timer)
      leave?.()
      changes.stop()
    },
  }
}
