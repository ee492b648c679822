import { useQuery } from '@tanstack/react-query'
import { Stamp } from 'lucide-react'
import { Link } from 'react-router'
import type { Revelation } from '#contract/revelations.ts'
import { paths } from '#web/app/paths.ts'
import { RecordLines } from '#web/features/predictions/record-lines.tsx'
import { profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface AuthorRecordProps {
  revelation: Revelation
}

/** How far an author was right before; nothing where the author cannot be seen. */
export function AuthorRecord({ revelation: { author_id, author_pseudo } }: AuthorRecordProps) {
  const { data, isPending } = useQuery(profileQuery(author_id))
  if (isPending) return <Skeleton className="h-28 w-full rounded-card!" />
  if (!data) return null
  return (
    <section
      aria-label={`Le bilan public de @${author_pseudo}`}
      className="flex items-start gap-3 rounded-card border border-line bg-surface px-5 py-4 text-ink-soft shadow-soft"
    >
      <Stamp aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">En public, @{author_pseudo} compte&nbsp;:</p>
        <p>
          <RecordLines record={data.stats.record} />
        </p>
        <Link
          to={paths.predictionsOf(author_id)}
          className="-mb-2 inline-flex min-h-11 items-center font-semibold text-ink underline underline-offset-4"
        >
          Voir ses prédictions
        </Link>
      </div>
    </section>
  )
}
