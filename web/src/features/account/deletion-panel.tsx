import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeletionDialog } from './deletion-dialog.tsx'

export function DeletionPanel({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title="Supprimer mon compte"
      intro="Vos lettres, vos fichiers et leurs clés disparaissent aussitôt, sans retour possible."
      className="border-wax-ink/45!"
    >
      <Button variant="danger" className="max-sm:w-full" onClick={() => setOpen(true)}>
        Supprimer mon compte
      </Button>
      {isOpen && <DeletionDialog email={email} onClose={() => setOpen(false)} />}
    </Panel>
  )
}
