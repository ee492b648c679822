import type { Revelation } from '#contract/revelations.ts'
import { paths } from '#web/app/paths.ts'
import { formatDay } from '#web/lib/french-dates.ts'
import { SITE_NAME } from '#web/lib/site-name.ts'

/** The address of a revelation for everybody: never the personal key of a delivery mail. */
export function shareLink(revelationId: string): string {
  return window.location.origin + paths.revelation(revelationId)
}

/**
 * What is said with the link. Nothing of the letter, ever; and of what is not public, not even the title: those who receive
 * the link may not know of it.
 */
export function shareText({
  title,
  author_pseudo,
  visibility,
  is_revealed,
  reveal_date,
  time_zone,
}: Revelation): string {
  if (visibility !== 'public') return `Une révélation à lire sur ${SITE_NAME}`
  const what = `«\u00A0${title}\u00A0», une révélation de @${author_pseudo}`
  const day = formatDay(reveal_date, time_zone)
  return is_revealed ? `${what}, dévoilée le ${day}` : `${what}. Elle s’ouvre le ${day}`
}
