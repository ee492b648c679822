import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { accountRemainsQuery, useDeleteAccount } from './account.queries.ts'
import { DeletionForm } from './deletion-form.tsx'

interface DeletionDialogProps {
  email: string
  onClose: () => void
}

/** The question before an account goes, with everything that goes with it. */
export function DeletionDialog({ email, onClose }: DeletionDialogProps) {
  const formId = useId()
  const { data: remains, error, isFetching, refetch } = useQuery(accountRemainsQuery)
  const deletion = useDeleteAccount()
  return (
    <Dialog
      open
      onOpenChange={() => !deletion.isPending && onClose()}
      title="Supprimer mon compte ?"
      footer={
        <>
          <Button variant="secondary" disabled={deletion.isPending} onClick={onClose}>
            Garder mon compte
          </Button>
          <Button
            variant="danger"
            type="submit"
            form={formId}
            disabled={!remains}
            busy={deletion.isPending}
            busyLabel="Suppression en cours"
          >
            Supprimer définitivement
          </Button>
        </>
      }
    >
      {remains ? (
        <DeletionForm id={formId} email={email} remains={remains} deletion={deletion} />
      ) : error ? (
        <LoadFailure className="mt-2" isRetrying={isFetching} onRetry={refetch}>
          {errorSentence(error, 'Ce qui partirait avec votre compte n’a pas pu être compté')}
        </LoadFailure>
      ) : (
        <div role="status" className="mt-2">
          <span className="sr-only">Chargement de ce qui partirait avec votre compte</span>
          <Skeleton className="h-40" />
        </div>
      )}
    </Dialog>
  )
}
