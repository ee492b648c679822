import { useQuery } from '@tanstack/react-query'
import { CalendarSync } from 'lucide-react'
import { memo, type RefObject, useRef, useState } from 'react'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyField } from '#web/ui/copy-field.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice, QueryFailure } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { feedQuery, useCreateFeed, useRevokeFeed } from './calendar.queries.ts'

/** The address to subscribe to the calendar, which can be replaced and revoked. */
export const FeedPanel = memo(function FeedPanel() {
  const query = useQuery(feedQuery)
  const { data: feed, error, isPending } = query
  const createButton = useRef<HTMLButtonElement>(null)
  return (
    <Panel
      title="S’abonner au calendrier"
      intro="Retrouvez ces dates dans l’agenda de votre téléphone, tenues à jour d’elles-mêmes."
    >
      {isPending && (
        <div role="status">
          <span className="sr-only">Chargement de l’adresse</span>
          <Skeleton className="h-12" />
        </div>
      )}
      {error && !feed && (
        <QueryFailure query={query} title="L’adresse de votre calendrier n’a pas pu être chargée" />
      )}
      {feed?.url === null && <NoAddress endedAt={feed.ended_at} createButton={createButton} />}
      {feed?.url && <Address url={feed.url} createButton={createButton} />}
    </Panel>
  )
})

const WHO_MAY_READ =
  'Toute personne qui a cette adresse peut lire les titres et les dates de votre calendrier.'

interface CreateButtonProps {
  /** The button that creates an address; it gets the focus once one is revoked. */
  createButton: RefObject<HTMLButtonElement | null>
}

function NoAddress({ endedAt, createButton }: CreateButtonProps & { endedAt: string | null }) {
  const { mutate: create, isPending, error } = useCreateFeed()
  return (
    <>
      {endedAt && (
        <Notice tone="warning" title="Votre adresse a pris fin" className="mb-4">
          Le {formatDay(endedAt, personTimeZone())}, votre mot de passe a été changé ou vos autres
          appareils ont été déconnectés. L’agenda qui la suivait n’est plus tenu à jour&#8239;:
          créez une nouvelle adresse et donnez-la-lui.
        </Notice>
      )}
      <p className="mb-4 text-ink-soft text-sm">{WHO_MAY_READ}</p>
      <Button
        ref={createButton}
        variant="secondary"
        busy={isPending}
        icon={<CalendarSync aria-hidden="true" className="size-5" />}
        onClick={() => create()}
      >
        Créer mon adresse
      </Button>
      {error && (
        <Notice tone="error" title="L’adresse n’a pas pu être créée" className="mt-3">
          {errorSentence(error, 'Réessayez.')}
        </Notice>
      )}
    </>
  )
}

function Address({ url, createButton }: CreateButtonProps & { url: string }) {
  const [dialog, setDialog] = useState<'replace' | 'revoke'>()
  return (
    <>
      <CopyField
        label="Adresse de votre calendrier"
        value={url}
        copyLabel="Copier"
        copiedWords="Adresse copiée"
        refusedWords="La copie n’est pas permise ici. Copiez vous-même l’adresse."
      />
      <a
        href={url.replace(/^https?:/, 'webcal:')}
        className="mt-2 inline-flex min-h-11 w-full items-center justify-center gap-2 rounded-field bg-wax px-4 py-2 text-center font-semibold text-on-wax leading-tight shadow-soft hover:bg-wax-hover"
      >
        <CalendarSync aria-hidden="true" className="size-5" />
        Ouvrir dans mon agenda
      </a>
      <p className="mt-3 text-ink-soft text-sm">
        {WHO_MAY_READ} Dans Google Agenda, collez-la sous «&#8239;Autres agendas, À partir de
        l’URL&#8239;».
      </p>
      <div className="mt-2 -ml-4 flex flex-wrap">
        <Button variant="ghost" onClick={() => setDialog('replace')}>
          Remplacer
        </Button>
        <Button variant="ghost" className="text-wax-ink" onClick={() => setDialog('revoke')}>
          Révoquer
        </Button>
      </div>
      {dialog === 'replace' && <ReplaceDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'revoke' && (
        <RevokeDialog createButton={createButton} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}

function ReplaceDialog({ onClose }: { onClose: () => void }) {
  const { mutate: create, isPending, error } = useCreateFeed(onClose)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Remplacer l’adresse&#8239;?"
      description="L’ancienne ne répond plus aussitôt&#8239;: les agendas qui la suivent ne seront plus tenus à jour."
      confirmLabel="Remplacer"
      busy={isPending}
      error={error ? errorSentence(error, 'L’adresse n’a pas pu être remplacée') : undefined}
      onConfirm={() => create()}
    />
  )
}

function RevokeDialog({ createButton, onClose }: CreateButtonProps & { onClose: () => void }) {
  const { mutate: revoke, isPending, error } = useRevokeFeed(onClose)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Révoquer l’adresse&#8239;?"
      description="Elle ne répond plus aussitôt, et plus aucun agenda ne suit votre calendrier."
      confirmLabel="Révoquer"
      busy={isPending}
      error={error ? errorSentence(error, 'L’adresse n’a pas pu être révoquée') : undefined}
      onConfirm={() => revoke()}
      returnTo={() => createButton.current}
    />
  )
}
