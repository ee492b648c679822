import { isOwn, type Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { isSameAddress } from '#web/lib/addresses.ts'
import { hasDeliveryKey } from '#web/lib/delivery-key.ts'
import { counted, formatList } from '#web/lib/format.ts'
import { useHydrated } from '#web/lib/hooks.ts'

const MOST = 3

/** « Léa et Papa », « Léa, Papa et 3 autres ». `unnamedCount` more people have no name that may be said. */
export function peopleInWords(names: readonly string[], unnamedCount = 0): string {
  const total = names.length + unnamedCount
  const shown = names.slice(0, total > MOST ? MOST - 1 : MOST)
  const rest = total - shown.length
  if (rest === 0) return formatList(shown)
  if (shown.length === 0) {
    return rest === 1 ? 'quelqu’un d’autre' : counted(rest, 'autre personne', 'autres personnes')
  }
  return formatList([
    ...shown,
    rest === 1 ? 'une autre personne' : counted(rest, 'autre', 'autres'),
  ])
}

/** Whom the revelation is for, as this reader may know it: « Léa et Papa », « vous, avec Tom », « quelqu’un ». */
export function useForWhom(revelation: Revelation): string {
  const { user } = useSession()
  const isHydrated = useHydrated()
  const { id, opening, recipients } = revelation
  if (isOwn(revelation)) {
    return peopleInWords(
      revelation.deliveries.map(({ address, name }) =>
        isSameAddress(address, user?.email ?? '') ? 'vous' : name || address,
      ),
    )
  }
  // The server says so to an account; a personal link is known by its key alone.
  const isForMe = recipients || opening.tells_author || (isHydrated && hasDeliveryKey(id))
  if (!isForMe) return 'quelqu’un'
  const others = othersOf(revelation)
  const names = others.flatMap(({ name }) => name || [])
  return others.length === 0
    ? 'vous'
    : `vous, avec ${peopleInWords(names, others.length - names.length)}`
}

/** The other recipients, of whom one is told where the author chose so. Of the addresses one's own alone is whole. */
function othersOf({ recipients = [], target_email }: Revelation) {
  return recipients.filter(({ email }) => !isSameAddress(email, target_email))
}
