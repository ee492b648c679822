import { lazy, Suspense, useState } from 'react'
import type { Envelope } from '#contract/revelations.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { useLeaveLetter } from './received.queries.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('#web/ui/confirm-dialog.tsx')).ConfirmDialog,
}))

/** For a letter that the account joined by its link: to have it there no more. */
export function LeaveButton({ revelation: { id, title } }: { revelation: Envelope }) {
  const [isConfirming, setConfirming] = useState(false)
  const {
    mutate: leave,
    isPending,
    error,
  } = useLeaveLetter(id, () => {
    setConfirming(false)
    showToast('success', 'La lettre n’est plus dans vos lettres.')
  })
  return (
    <>
      <Button variant="ghost" className="-mx-4" onClick={() => setConfirming(true)}>
        <span>
          Retirer<span className="sr-only"> «&#8239;{title}&#8239;»</span> de mes lettres
        </span>
      </Button>
      {isConfirming && (
        <Suspense>
          <ConfirmDialog
            open
            onOpenChange={setConfirming}
            title={`Retirer «\u202F${title}\u202F» de vos lettres\u202F?`}
            description="Votre compte ne l’ouvrira plus. Son lien, lui, l’ouvre toujours, et permet de l’ajouter à nouveau."
            confirmLabel="Retirer"
            busy={isPending}
            error={
              error ? errorSentence(error, 'Elle n’a pas pu être retirée. Réessayez.') : undefined
            }
            onConfirm={() => leave()}
            returnTo={() => document.querySelector('main')}
          />
        </Suspense>
      )}
    </>
  )
}
