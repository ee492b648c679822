import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Save } from 'lucide-react'
import type { ReactNode } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useNavigate, useParams } from 'react-router'
import { isOwn, type OwnRevelation } from '#contract/revelations.ts'
import { LeaveGuard } from '#web/features/media/leave-guard.tsx'
import { writtenRecipients } from '#web/features/revelations/recipients.ts'
import { draftOf, type RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { RevelationForm } from '#web/features/revelations/revelation-form.tsx'
import {
  notifyAddressee,
  revelationQuery,
  useEditRevelation,
} from '#web/features/revelations/revelations.queries.ts'
import { useRevelationForm } from '#web/features/revelations/use-revelation-form.ts'
import { useStorageHint } from '#web/features/subscriptions/plan-limits.tsx'
import { PlanStationery } from '#web/features/subscriptions/plan-stationery.tsx'
import { limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { isSameAddress } from '#web/lib/addresses.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { paths } from '#web/lib/paths.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { showToast } from '#web/ui/toasts.tsx'

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

function EditForm({ revelation }: { revelation: OwnRevelation }) {
  const client = useQueryClient()
  const { id, time_zone: timeZone, deliveries } = revelation
  const navigate = useNavigate()
  const state = useRevelationForm({
    draft: draftOf(revelation),
    timeZone,
    stored: revelation,
    // A surprise stays one, unless its author says otherwise.
    notifiesNow: deliveries.some(({ notified_at }) => notified_at !== null),
  })
  const { form, album, voice, notifiesNow } = state
  const room = useStorageHint()
  const { mutate: save, isPending, error } = useEditRevelation(id)
  const newCount = useNewRecipientCount(form)
  const submit = () => {
    if (album.isOnItsWay) return state.fileSection.current?.focus()
    if (voice.isOnItsWay) return state.voiceSection.current?.focus()
    save(state.getInput(), {
      onSuccess: () => {
        state.completeFiles()
        if (newCount > 0 && notifiesNow) void notifyAddressee(client, id)
        showToast('success', 'Modifications enregistrées')
        navigate(paths.home)
      },
      onError: async (failure) => {
        state.showRefusal(failure, { shouldFocus: true })
        // Nothing refers to the new files, which must not stay on the server.
        await Promise.all([album, voice].map((sent) => sent.reject('Failed to update revelation')))
      },
    })
  }
  return (
    <RevelationForm
      state={state}
      kindAs="list"
      onSubmit={submit}
      stationery={<PlanStationery form={form} />}
      room={room}
      refusalHelp={limitHelp}
      notifyLabel={notifyLabelOf(newCount)}
    >
      <LeaveGuard
        when={(form.formState.isDirty || album.isChanged) && !state.isOnItsWay}
        title="Quitter sans enregistrer&#8239;?"
        description="Vos modifications ne sont nulle part ailleurs que sur cette page."
      />
      {error && (
        <Notice tone="error">
          {errorSentence(error, 'Une erreur est survenue lors de la mise à jour de la révélation')}
        </Notice>
      )}
      <ActionBar>
        <Button
          variant="secondary"
          large
          onClick={() => {
            album.clear()
            voice.remove()
            navigate(paths.home)
          }}
          className="max-sm:flex-none! max-sm:text-base!"
        >
          Annuler
        </Button>
        <Button
          type="submit"
          large
          className="max-sm:text-base!"
          busy={isPending}
          busyLabel="Enregistrement"
          disabled={state.isOnItsWay}
          icon={<Save aria-hidden="true" className="hidden size-5 shrink-0 sm:block" />}
        >
          Enregistrer les modifications
        </Button>
      </ActionBar>
    </RevelationForm>
  )
}

function notifyLabelOf(newCount: number): string | false {
  if (newCount > 1) return 'Prévenir les nouveaux destinataires dès maintenant'
  return newCount === 1 && 'Prévenir le nouveau destinataire dès maintenant'
}

/** To how many addresses the letter did not go before. */
function useNewRecipientCount({ control, formState }: UseFormReturn<RevelationDraft>): number {
  const recipients = useWatch({ control, name: 'recipients' })
  const former = formState.defaultValues?.recipients ?? []
  return writtenRecipients(recipients).filter(
    ({ email }) =>
      email.trim() !== '' && !former.some((known) => isSameAddress(known?.email ?? '', email)),
  ).length
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
      Son jour est venu&#8239;: le titre, la lettre, le fichier, la date et le destinataire restent
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
