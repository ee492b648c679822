import { useQuery } from '@tanstack/react-query'
import { fetchLogEnd } from '#web/features/proofs/proofs.queries.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The key that every proof of this site names, and where its log stands: to be kept, and compared with. */
export function LogPanel() {
  const { data, error } = useQuery({
    queryKey: ['log end'],
    queryFn: fetchLogEnd,
  })
  return (
    <Panel
      title="La clé du journal"
      intro="Celle que nomme toute preuve de ce site, suivie de son dernier point de contrôle. Gardez-les ailleurs&nbsp;: personne ne pourra plus réécrire ce qu’ils couvrent sans que cela se voie."
    >
      {data ? (
        <div className="flex flex-col gap-3">
          <Text label="Clé" text={data.key} />
          <Text label="Dernier point de contrôle" text={data.note.trimEnd()} />
        </div>
      ) : error ? (
        <Failure error={error} />
      ) : (
        <Skeleton className="h-52 w-full rounded-field!" />
      )}
    </Panel>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <figure>
      <figcaption className="text-ink-soft text-sm">{label}</figcaption>
      <pre className="mt-1 whitespace-pre-wrap rounded-field border border-line bg-sunken p-3 text-sm [overflow-wrap:anywhere]">
        {text}
      </pre>
    </figure>
  )
}

function Failure({ error }: { error: unknown }) {
  if (error instanceof ApiError && error.code === 'not_found') {
    return (
      <p className="text-ink-soft">
        Le journal est encore vide&nbsp;: la première révélation scellée l’ouvrira, dans la minute.
      </p>
    )
  }
  return (
    <Notice tone="error">
      {errorSentence(error, 'Le journal n’a pas pu être lu. Rechargez la page.')}
    </Notice>
  )
}
