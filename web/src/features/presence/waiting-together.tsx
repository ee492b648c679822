import type { Presence } from '#contract/presence.ts'
import type { Revelation } from '#contract/revelations.ts'
import { counted } from '#web/lib/format.ts'
import { usePresence } from './use-presence.ts'

/**
 * « 4 personnes attendent avec vous ». It has its place while nobody waits, and no longer text than fits there, so that
 * nothing moves; it is read when one comes to it, and not aloud at each change.
 */
export function WaitingTogether({ revelation }: { revelation: Revelation }) {
  const presence = usePresence(revelation)
  return (
    <p className="mt-3 line-clamp-2 h-[2lh] text-balance text-ink-soft sm:line-clamp-1 sm:h-[1lh] print:hidden">
      {presence && inWords(presence)}
    </p>
  )
}

const NAMES = 2
const list = new Intl.ListFormat('fr', { type: 'conjunction' })

function inWords({ waiting, people }: Presence): string {
  if (waiting === 0) return ''
  const names = people.slice(0, NAMES).map(({ pseudo }) => `@${pseudo}`)
  const others = waiting - names.length
  const rest =
    others === 1 ? 'une autre personne' : counted(others, 'autre personne', 'autres personnes')
  const verb = waiting === 1 ? 'attend' : 'attendent'
  if (names.length > 0) {
    return `${list.format(others > 0 ? [...names, rest] : names)} ${verb} avec vous`
  }
  const all = waiting === 1 ? 'Une personne' : counted(waiting, 'personne', 'personnes')
  return `${all} ${verb} avec vous`
}
