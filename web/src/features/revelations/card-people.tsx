import type { Revelation } from '#contract/revelations.ts'
import { Avatar } from '#web/ui/avatar.tsx'

/** From whom, and for whom (masked by the server for most readers). */
export function CardPeople({ revelation }: { revelation: Revelation }) {
  const { author_pseudo, author_avatar, target_email } = revelation
  return (
    <div className="flex min-w-0 items-center gap-2.5 text-sm">
      <Avatar name={author_pseudo} src={author_avatar} />
      <p className="min-w-0 leading-snug">
        <span className="block truncate font-semibold">@{author_pseudo}</span>
        <span className="block truncate text-ink-soft">pour {target_email}</span>
      </p>
    </div>
  )
}
