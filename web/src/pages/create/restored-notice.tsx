import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

interface RestoredNoticeProps {
  /** Its author had asked for it to be sealed when the network was back. */
  wasToBeSealed: boolean
  /** The moment it was to open at has gone by. */
  hasPassed: boolean
  onStartAgain: () => void
}

/** What was being written came back; a file that was on its way is offered beside. */
export function RestoredNotice({ wasToBeSealed, hasPassed, onStartAgain }: RestoredNoticeProps) {
  const [isShown, setShown] = useState(true)
  if (!isShown) return null
  return (
    <Notice
      tone={wasToBeSealed ? 'warning' : 'info'}
      title={wasToBeSealed ? 'Votre lettre n’est pas encore scellée' : 'Votre brouillon est revenu'}
      action={
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={() => setShown(false)}>
            Continuer
          </Button>
          <Button
            variant="ghost"
            onClick={() => {
              setShown(false)
              onStartAgain()
            }}
          >
            Repartir de zéro
          </Button>
        </div>
      }
    >
      {wasToBeSealed
        ? 'La page a été fermée avant le retour du réseau. Rien n’est perdu\u00A0: relisez la lettre, puis scellez-la.'
        : 'Le texte et les choix sont ceux de la dernière fois.'}
      {hasPassed && ' La date choisie est passée depuis\u00A0: choisissez-en une autre.'}
    </Notice>
  )
}
