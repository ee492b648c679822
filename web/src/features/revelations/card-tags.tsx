import type { Revelation } from '#contract/revelations.ts'
import { Badge } from '#web/ui/badge.tsx'
import { CATEGORY_WORDS, VISIBILITY_WORDS } from './revelation-words.ts'

/** Who may know of it, and what it is about. */
export function CardTags({ revelation }: { revelation: Revelation }) {
  const visibility = VISIBILITY_WORDS[revelation.visibility]
  const category = CATEGORY_WORDS[revelation.category]
  return (
    <ul aria-label="Visibilité et catégorie" className="flex flex-wrap gap-1.5">
      {[visibility, category].map(({ label, icon: Icon }) => (
        <li key={label}>
          <Badge icon={<Icon aria-hidden="true" className="size-3.5" />}>{label}</Badge>
        </li>
      ))}
    </ul>
  )
}
