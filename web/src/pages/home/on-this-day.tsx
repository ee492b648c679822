import { X } from 'lucide-react'
import { Link } from 'react-router'
import type { Anniversary } from '#contract/received.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { counted, initialOf } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { usePutAwayToday } from '#web/lib/put-away.ts'
import { IconButton } from '#web/ui/button.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

/** What opened on this day of earlier years, in one quiet card, until it is put away for the day. */
export function OnThisDay({ anniversaries }: { anniversaries: Anniversary[] }) {
  const { id } = useSignedInUser()
  const [isHidden, hide] = usePutAwayToday('on-this-day-put-away', id)
  const [first, ...others] = anniversaries
  if (!first || isHidden) return null
  return (
    <aside
      aria-labelledby="ce-jour-la"
      className="theme-paper relative mb-5 flex items-center gap-3 rounded-card border border-line bg-surface py-3 pr-13 pl-4 text-ink shadow-soft"
    >
      <WaxSeal
        initial={initialOf(first.revelation.author_pseudo)}
        state="broken"
        className="size-10 shrink-0"
      />
      <div className="min-w-0 leading-snug">
        <h3 id="ce-jour-la" className="font-sans font-semibold text-sm tracking-normal">
          Ce jour-là, il y a {counted(first.years, 'an', 'ans')}
        </h3>
        <p className="line-clamp-2 text-ink-soft [overflow-wrap:anywhere]">
          <Link
            to={paths.revelation(first.revelation.id)}
            className="font-serif text-ink underline underline-offset-4"
          >
            {first.revelation.title}
          </Link>{' '}
          {wordsOf(first)}
          {others.length > 0 && `, et ${counted(others.length, 'autre', 'autres')} ce jour-là`}
        </p>
      </div>
      <IconButton
        label="Ranger jusqu’à demain"
        icon={<X aria-hidden="true" className="size-5" />}
        className="absolute top-1 right-1"
        onClick={hide}
      />
    </aside>
  )
}

function wordsOf({ side, revelation }: Anniversary): string {
  return side === 'sent' ? 's’ouvrait, de votre main' : `s’ouvrait, de @${revelation.author_pseudo}`
}
