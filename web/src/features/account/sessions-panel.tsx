import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import type { listSessions } from '#contract/auth.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatRelative } from '#web/lib/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { OTHERS, sessionsQuery, useEndSession } from './account.queries.ts'

type Session = EndpointOutput<typeof listSessions>['sessions'][number]

export function SessionsPanel() {
  const { data: sessions, error } = useQuery(sessionsQuery)
  const end = useEndSession()
  const hasOthers = sessions?.some(({ current }) => !current)
  const isEndingAll = end.isPending && end.variables === OTHERS
  return (
    <Panel title="Appareils connectés">
      {!sessions && !error && (
        <div role="status">
          <span className="sr-only">Chargement des appareils</span>
          <Skeleton className="h-14" />
        </div>
      )}
      {!sessions && error && <Notice tone="error">{errorSentence(error, 'Erreur API')}</Notice>}
      {sessions && (
        <ul className="-mt-2 divide-y divide-line">
          {sessions.map((session) => (
            <SessionLine
              key={session.id}
              session={session}
              isEnding={end.isPending && end.variables === session.id}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </ul>
      )}
      {end.error && (
        <Notice tone="error" className="mt-3">
          {errorSentence(end.error, 'Erreur lors de la suppression')}
        </Notice>
      )}
      {hasOthers && (
        <>
          <Button
            variant="danger"
            className="mt-4"
            busy={isEndingAll}
            onClick={() => end.mutate(OTHERS)}
          >
            Déconnecter toutes les autres
          </Button>
          <p className="mt-2 text-ink-soft text-sm">
            Cela révoque aussi vos jetons d’accès et met fin à l’adresse à laquelle un agenda suit
            votre calendrier. Si vous en avez, il faudra en créer d’autres.
          </p>
        </>
      )}
    </Panel>
  )
}

interface SessionLineProps {
  session: Session
  isEnding: boolean
  onEnd: () => void
}

function SessionLine({ session, isEnding, onEnd }: SessionLineProps) {
  const { device, last_seen_at, current } = session
  const Icon = /Android|iPhone|iPad|iOS/.test(device) ? Smartphone : Monitor
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1 basis-28 leading-snug">
        <p className="font-semibold [overflow-wrap:anywhere]">{device}</p>
        <p className="text-ink-soft text-sm">
          {current ? (
            'En ce moment'
          ) : (
            <>
              Vu <time dateTime={last_seen_at}>{formatRelative(last_seen_at, serverNow())}</time>
            </>
          )}
        </p>
      </div>
      {current ? (
        <Badge tone="leaf">Cet appareil</Badge>
      ) : (
        <Button
          variant="secondary"
          busy={isEnding}
          aria-label={`Déconnecter ${device}`}
          onClick={onEnd}
        >
          Déconnecter
        </Button>
      )}
    </li>
  )
}
