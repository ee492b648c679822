import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { type MailLink, readMailLink, resubscribe, unsubscribe } from '#contract/mail-links.ts'
import { callApi, errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

interface StopMailsProps {
  link: MailLink
  token: string
  /** The page has another primary action. */
  isSecondary?: boolean
}

/** Stops the mails that the link is about, or resumes them. */
export function StopMails({ link, token, isSecondary = false }: StopMailsProps) {
  const { address, stops, is_stopped } = link
  const { mutate: toggle, isPending, error, isSuccess } = useToggleMails(token)
  const labels = STOP_LABELS[stops]
  return (
    <div className="flex flex-col gap-4">
      {is_stopped ? (
        <Notice tone="success" title={isSuccess ? 'C’est fait' : 'C’est déjà arrêté'}>
          {labels.stopped}
        </Notice>
      ) : (
        <>
          {isSuccess && (
            <Notice tone="success" title="C’est rétabli">
              Ces e-mails reprennent leur chemin.
            </Notice>
          )}
          <dl className="rounded-field border border-line bg-sunken px-4 py-3">
            <dt className="text-ink-soft text-sm">Adresse</dt>
            <dd className="font-semibold [overflow-wrap:anywhere]">{address}</dd>
            <dt className="mt-2 text-ink-soft text-sm">E-mails concernés</dt>
            <dd>{labels.mails}</dd>
          </dl>
        </>
      )}
      {error && (
        <Notice tone="error">
          {errorSentence(error, 'Votre choix n’a pas pu être enregistré. Réessayez.')}
        </Notice>
      )}
      {is_stopped ? (
        <Button variant="secondary" block busy={isPending} onClick={() => toggle('resume')}>
          Recevoir à nouveau
        </Button>
      ) : (
        <Button
          variant={isSecondary ? 'secondary' : 'primary'}
          block
          busy={isPending}
          busyLabel="Un instant"
          icon={<BellOff aria-hidden="true" className="size-5" />}
          onClick={() => toggle('stop')}
        >
          Ne plus recevoir ces e-mails
        </Button>
      )}
    </div>
  )
}

interface StopLabels {
  mails: string
  /** The message once they are stopped. */
  stopped: string
}

export const STOP_LABELS: Record<MailLink['stops'], StopLabels> = {
  everything: {
    mails: 'Tout ce que d’autres scellent pour cette adresse\u202F: annonces et lettres.',
    stopped: 'Plus aucune annonce ni aucune lettre ne part vers cette adresse.',
  },
  emailNotifications: {
    mails: 'Toutes les notifications de votre compte.',
    stopped: 'Plus aucune notification ne part vers cette adresse.',
  },
  newRevelations: {
    mails: 'Les nouvelles révélations de vos amis et de votre famille.',
    stopped: 'Les nouvelles révélations ne vous sont plus annoncées par e-mail.',
  },
  revelationRevealed: {
    mails: 'Les révélations qui viennent de s’ouvrir.',
    stopped: 'Les révélations qui s’ouvrent ne vous sont plus annoncées par e-mail.',
  },
  activity: {
    mails: 'Les nouveaux commentaires et les nouvelles réactions, sous vos révélations.',
    stopped: 'Commentaires et réactions ne vous sont plus annoncés par e-mail.',
  },
  newComments: {
    mails: 'Les nouveaux commentaires sous vos révélations, et les réponses à vos lettres.',
    stopped: 'Commentaires et réponses ne vous sont plus annoncés par e-mail.',
  },
  newReactions: {
    mails: 'Les nouvelles réactions à vos révélations.',
    stopped: 'Les nouvelles réactions ne vous sont plus annoncées par e-mail.',
  },
}

/** What a link is about; the request changes nothing. */
export function mailLinkQuery(token: string) {
  return queryOptions({
    queryKey: ['mail-link', token],
    queryFn: ({ signal }) => callApi(readMailLink, { body: { token } }, { signal }),
  })
}

function useToggleMails(token: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: 'stop' | 'resume') =>
      action === 'stop'
        ? callApi(unsubscribe, { querystring: { token } })
        : callApi(resubscribe, { body: { token } }),
    onSuccess: (_, action) =>
      client.setQueryData(
        mailLinkQuery(token).queryKey,
        (known) => known && { ...known, is_stopped: action === 'stop' },
      ),
  })
}
