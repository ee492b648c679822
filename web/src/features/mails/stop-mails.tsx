import { BellOff } from 'lucide-react'
import type { MailLink } from '#contract/mail-links.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { STOP_WORDS } from './mail-link-words.ts'
import { useTurnMails } from './mail-links.queries.ts'

interface StopMailsProps {
  link: MailLink
  token: string
  /** Something else is the first thing to do here. */
  isSecondary?: boolean
}

/** What a mail's link stops, the button that stops it, and the way back. */
export function StopMails({ link, token, isSecondary = false }: StopMailsProps) {
  const { address, stops, is_stopped } = link
  const { mutate: turn, isPending, error, isSuccess } = useTurnMails(token)
  const words = STOP_WORDS[stops]
  return (
    <div className="flex flex-col gap-4">
      {is_stopped ? (
        <Notice tone="success" title={isSuccess ? 'C’est fait' : 'C’est déjà arrêté'}>
          {words.stopped}
        </Notice>
      ) : (
        <>
          {isSuccess && (
            <Notice tone="success" title="C’est rétabli">
              Ces mails reprennent leur chemin.
            </Notice>
          )}
          <dl className="rounded-field border border-line bg-sunken px-4 py-3">
            <dt className="text-ink-soft text-sm">Adresse</dt>
            <dd className="font-semibold [overflow-wrap:anywhere]">{address}</dd>
            <dt className="mt-2 text-ink-soft text-sm">Mails concernés</dt>
            <dd>{words.mails}</dd>
          </dl>
        </>
      )}
      {error && (
        <Notice tone="error">
          {errorSentence(error, 'Votre choix n’a pas pu être enregistré. Réessayez.')}
        </Notice>
      )}
      {is_stopped ? (
        <Button variant="secondary" block busy={isPending} onClick={() => turn('resume')}>
          Recevoir à nouveau
        </Button>
      ) : (
        <Button
          variant={isSecondary ? 'secondary' : 'primary'}
          block
          busy={isPending}
          busyLabel="Un instant"
          icon={<BellOff aria-hidden="true" className="size-5" />}
          onClick={() => turn('stop')}
        >
          Ne plus recevoir ces mails
        </Button>
      )}
    </div>
  )
}
