import { useState } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { abandonUpload } from '#web/features/uploads/abandon-upload.ts'
import type { KeptUpload } from '#web/features/uploads/kept-upload.ts'
import { useWaitingUploads, type WaitingUpload } from '#web/features/uploads/uploads.queries.ts'
import { eraseUpload, uploadsNews } from '#web/features/uploads/uploads-store.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { deleteUploadedFile } from './media.queries.ts'
import { WaitingUploadCard } from './waiting-upload-card.tsx'

interface WaitingUploadsProps {
  /** Uploads that are offered somewhere else. */
  except?: ReadonlySet<string>
  onResume: (file: File, before: KeptUpload) => void
}

/** The files that were on their way when a page was closed, offered again; nothing when there is none. */
export function WaitingUploads({ except, onResume }: WaitingUploadsProps) {
  const { id: ownerId } = useSignedInUser()
  const waiting = useWaitingUploads(ownerId)
  const [doomed, setDoomed] = useState<WaitingUpload>()
  const offered = waiting.filter(({ uploadId }) => !uploadId || !except?.has(uploadId))
  if (offered.length === 0) return null
  return (
    <>
      <ul aria-label="Envois en attente" className="flex flex-col gap-3">
        {offered.map((upload) => (
          <WaitingUploadCard
            key={upload.key}
            ownerId={ownerId}
            upload={upload}
            onResume={onResume}
            onAbandon={() => setDoomed(upload)}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={doomed !== undefined}
        onOpenChange={() => setDoomed(undefined)}
        title="Abandonner cet envoi&nbsp;?"
        description={`Ce qui est arrivé de «\u00A0${doomed?.name ?? ''}\u00A0» sera effacé. Le fichier reste là où vous l’avez choisi.`}
        confirmLabel="Abandonner"
        onConfirm={() => {
          if (doomed) void abandon(ownerId, doomed)
          setDoomed(undefined)
        }}
      />
    </>
  )
}

async function abandon(ownerId: string, { uploadId, kept }: WaitingUpload): Promise<void> {
  if (kept) await eraseUpload(ownerId, kept.id).catch(() => undefined)
  if (kept?.arrivedPath) await deleteUploadedFile(kept.arrivedPath)
  else if (uploadId) await abandonUpload(uploadId)
  uploadsNews.announce()
}
