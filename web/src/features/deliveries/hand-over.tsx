import { Printer } from 'lucide-react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { instantInWords } from '#contract/date-in-words.ts'
import type { Delivery } from '#contract/deliveries.ts'
import type { OwnRevelation } from '#contract/revelations.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyField } from '#web/ui/copy-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useHandDelivery } from './deliveries.queries.ts'

interface HandOverProps {
  revelation: OwnRevelation
  delivery: Delivery
  onClose: () => void
}

/** The letter given by hand: its link to copy, a code to photograph, a card to print. */
export function HandOver({ revelation, delivery, onClose }: HandOverProps) {
  const { mutate: hand, isPending, error, data } = useHandDelivery(revelation.id)
  const opensAt = instantInWords(new Date(revelation.reveal_date), revelation.time_zone)
  const wasHanded = delivery.handed_at !== null
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Remettre en mains propres"
      footer={
        !data && (
          <>
            <Button variant="secondary" onClick={onClose}>
              Annuler
            </Button>
            <Button
              busy={isPending}
              busyLabel="Préparation du lien"
              onClick={() => hand(delivery.id)}
            >
              {wasHanded ? 'Afficher le lien' : 'Préparer le lien'}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">
          Un lien personnel à donner vous-même, à copier ou sur une carte.{' '}
          {revelation.is_revealed
            ? 'Il ouvre la lettre, sans compte.'
            : `Il n’ouvre la lettre qu’à sa date, le ${opensAt}.`}{' '}
          Qui l’a peut la lire&#8239;: ne l’ouvrez pas à la place de son destinataire.
          {!(wasHanded || data) && ' Le journal notera que vous l’avez remise.'}
        </p>
        {error && (
          <Notice tone="error">
            {errorSentence(error, 'Le lien n’a pas pu être préparé. Réessayez.')}
          </Notice>
        )}
        {data && <HandedLink revelation={revelation} url={data.url} opensAt={opensAt} />}
      </div>
    </Dialog>
  )
}

interface HandedLinkProps {
  revelation: OwnRevelation
  url: string
  opensAt: string
}

function HandedLink({ revelation, url, opensAt }: HandedLinkProps) {
  const [name, setName] = useState('')
  return (
    <>
      <QrCode
        text={url}
        label="Code à photographier, qui mène à la lettre"
        className="mx-auto w-full max-w-56 rounded-field border border-line"
      />
      <CopyField
        label="Lien à remettre"
        value={url}
        copyLabel="Copier le lien"
        copiedWords="Lien copié"
        refusedWords="La copie n’est pas permise ici. Copiez vous-même le lien."
        isStacked
      />
      <TextField
        label="Nom sur la carte (facultatif)"
        value={name}
        maxLength={60}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <Button
        icon={<Printer aria-hidden="true" className="size-5" />}
        onClick={() => window.print()}
      >
        Imprimer la carte
      </Button>
      <p className="text-ink-soft text-sm">
        Sur une feuille A6, ou à découper dans une feuille A4. Rien de la lettre n’y est écrit.
      </p>
      {createPortal(
        <Card revelation={revelation} url={url} name={name.trim()} opensAt={opensAt} />,
        document.body,
      )}
    </>
  )
}

interface CardProps extends HandedLinkProps {
  /** As the author wants it on the card. */
  name: string
}

/** On paper alone. */
function Card({ revelation, url, name, opensAt }: CardProps) {
  return (
    <div className="hand-card" aria-hidden="true">
      <div>
        <h2>Une lettre {name ? `pour ${name}` : 'pour vous'}</h2>
        <p>de @{revelation.author_pseudo}</p>
      </div>
      <QrCode text={url} label="" className="hand-code" />
      <div>
        <p>
          {revelation.is_revealed
            ? 'Vous pouvez la lire dès maintenant.'
            : `Elle s’ouvrira le ${opensAt}.`}{' '}
          Avec un téléphone, photographiez ce carré&#8239;: il mène à la lettre, sans compte. Il est
          à vous seul.
        </p>
        <p className="hand-link">{url}</p>
      </div>
    </div>
  )
}
