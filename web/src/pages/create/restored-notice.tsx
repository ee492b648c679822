import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** What was being written came back; a file that was on its way is offered beside. */
export function RestoredNotice({ onStartAgain }: { onStartAgain: () => void }) {
  const [isShown, setShown] = useState(true)
  if (!isShown) return null
  return (
    <Notice
      title="Votre brouillon est revenu"
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
      Le texte et les choix sont ceux de la dernière fois.
    </Notice>
  )
}
