import { useQuery } from '@tanstack/react-query'
import { siteQuery } from '#web/lib/site.queries.ts'
import { licenceEmail } from '#web/lib/site.ts'
import { Skeleton } from '#web/ui/loading.tsx'

/** Who runs this site and how to reach them, as they wrote it down. */
export function OperatorLines() {
  const { data: operator, isPending } = useQuery(siteQuery)
  if (isPending) return <Skeleton className="h-28 w-full" />
  const { name, address, company_number, hosting } = operator ?? {}
  return (
    <dl className="grid gap-x-6 gap-y-2 rounded-card border border-line bg-surface px-5 py-4 sm:grid-cols-[auto_1fr]">
      <Line term="Exploitant">{name ?? UNSAID}</Line>
      <Line term="Adresse">{address ?? UNSAID}</Line>
      {company_number && <Line term="N° d’entreprise">{company_number}</Line>}
      <Line term="Contact">
        <ContactLink />
      </Line>
      <Line term="Hébergement">{hosting ?? UNSAID}</Line>
    </dl>
  )
}

const UNSAID = 'Non renseigné par l’exploitant de ce site'

function Line({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div className="contents">
      <dt className="font-semibold max-sm:mt-1">{term}</dt>
      <dd className="min-w-0 text-ink-soft [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

/** Where to write about anything these pages say. */
export function ContactLink() {
  const { data: operator } = useQuery(siteQuery)
  const address = operator?.email ?? licenceEmail()
  return (
    <a
      href={`mailto:${address}`}
      className="font-semibold text-wax-ink underline underline-offset-4 [overflow-wrap:anywhere]"
    >
      {address}
    </a>
  )
}
