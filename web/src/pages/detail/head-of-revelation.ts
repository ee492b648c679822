import { instantInWords } from '#contract/date-in-words.ts'
import type { Revelation } from '#contract/revelations.ts'
import { paths } from '#web/app/paths.ts'
import type { PageHead } from '#web/lib/first-screen.ts'

/** What search engines and previews may know: never a word of the letter, be it open. */
export function headOfRevelation(revelation: Revelation): PageHead {
  const { id, author_pseudo, is_revealed, reveal_date, time_zone } = revelation
  const instant = instantInWords(new Date(reveal_date), time_zone)
  return {
    description: is_revealed
      ? `Une révélation de @${author_pseudo}, dévoilée le ${instant}.`
      : `Une révélation de @${author_pseudo}, scellée jusqu’au ${instant}.`,
    canonical: paths.revelation(id),
  }
}
