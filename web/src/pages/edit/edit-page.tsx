import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { isOwn } from '#contract/revelations.ts'
import { revelationQuery } from '#web/features/revelations/revelations.queries.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { EditForm } from './edit-form.tsx'

// The ticket of the video lives at least five minutes.
const TICKET_RENEWAL_MS = 240_000

export function EditPage() {
  const { id } = useParams()
  return (
    <div className="container-page max-w-3xl pt-6 sm:pt-10">
      <PageHeading>Modifier la révélation</PageHeading>
      <div className="mt-6">
        {id ? <EditOf key={id} id={id} /> : <Refusal sentence="ID de révélation manquant" />}
      </div>
    </div>
  )
}

function EditOf({ id }: { id: string }) {
  const {
    data: revelation,
    error,
    isFetching,
    isFetchedAfterMount,
    refetch,
  } = useQuery({
    ...revelationQuery(id),
    // A cached revelation may be an older version; later refetches must not change what is being edited.
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchInterval: TICKET_RENEWAL_MS,
  })
  if (revelation && isFetchedAfterMount) {
    if (!isOwn(revelation)) {
      return <Refusal sentence="Vous n'êtes pas autorisé à modifier cette révélation" />
    }
    if (!revelation.can.edit) return <AlreadyRevealed id={id} />
    return <EditForm revelation={revelation} />
  }
  if (isHidden(error)) return <Refusal sentence="Révélation non trouvée" />
  if (!error || !isFetchedAfterMount) return <EditSkeleton />
  return (
    <Refusal sentence={errorSentence(error, 'Erreur API')}>
      <Button variant="secondary" busy={isFetching} onClick={() => refetch()}>
        Réessayer
      </Button>
    </Refusal>
  )
}

function isHidden(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.code === 'invalid_input')
}

function Refusal({ sentence, children }: { sentence: string; children?: ReactNode }) {
  return (
    <Notice
      tone="error"
      title={sentence}
      action={
        <div className="flex flex-wrap gap-2">
          {children}
          <ButtonLink variant="secondary" to={paths.home}>
            Retour à l’accueil
          </ButtonLink>
        </div>
      }
    />
  )
}

function AlreadyRevealed({ id }: { id: string }) {
  return (
    <Notice
      tone="warning"
      title="Une révélation dévoilée ne peut plus être modifiée"
      action={
        <ButtonLink variant="secondary" to={paths.revelation(id)}>
          La relire
        </ButtonLink>
      }
    >
      Son jour est venu&nbsp;: le titre, le contenu, le fichier, la date et le destinataire restent
      tels qu’ils ont été scellés. C’est ce qui donne sa valeur à une prédiction.
    </Notice>
  )
}

function EditSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Chargement de la révélation</span>
      <Skeleton className="h-96 w-full" />
      <Skeleton className="h-44 w-full" />
      <Skeleton className="h-32 w-full" />
    </div>
  )
}
