import { instantInWords } from '#contract/date-in-words.ts'
import { previewPath } from '#contract/previews.ts'
import type { Revelation } from '#contract/revelations.ts'
import { paths } from '#web/lib/paths.ts'
import type { PageHead } from '#web/ui/page-heading.tsx'

/** The metadata of the page: never a word of the letter, even once it is open. */
export function headOfRevelation(revelation: Revelation): PageHead {
  const { id, title, author_pseudo, is_revealed, reveal_date, time_zone } = revelation
  const instant = instantInWords(new Date(reveal_date), time_zone)
  const state = is_revealed ? `dévoilée le ${instant}` : `scellée jusqu’au ${instant}`
  const drawing = is_revealed
    ? 'Une enveloppe ouverte au grand jour, son sceau brisé'
    : 'Une enveloppe fermée d’un sceau de cire, la nuit'
  return {
    title,
    description: `Une révélation de @${author_pseudo}, ${state}.`,
    canonical: paths.revelation(id),
    isArticle: true,
    preview: {
      path: previewPath(revelation),
      alt: `${drawing}\u202F: «\u202F${title}\u202F», de @${author_pseudo}, ${state}.`,
    },
  }
}
