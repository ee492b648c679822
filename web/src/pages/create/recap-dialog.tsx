import { Stamp, WifiOff } from 'lucide-react'
import type { Attachment } from '#web/features/media/use-attachment.ts'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { SealRecap } from '#web/features/revelations/seal-recap.tsx'
import { PlansLink } from '#web/features/subscriptions/plans-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { NetworkNotice } from './network-notices.tsx'
import type { WaitingSeal } from './use-waiting-seal.ts'

interface RecapDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  draft: RevelationDraft
  timeZone: string
  attachment: Attachment
  notifiesNow: boolean
  isSealing: boolean
  failure: string | undefined
  /** Whether a larger plan would let it through. */
  isPlanRefusal: boolean
  onSeal: () => void
  network: WaitingSeal
  /** The moment went by while the network was waited for. */
  hasPassed: boolean
  /** What was refused, for the focus to go to. */
  returnTo: () => HTMLElement | null | undefined
}

/** Read once more, then seal. */
export function RecapDialog({
  open,
  onOpenChange,
  draft,
  timeZone,
  attachment,
  notifiesNow,
  isSealing,
  failure,
  isPlanRefusal,
  onSeal,
  network,
  hasPassed,
  returnTo,
}: RecapDialogProps) {
  const { upload, isOnItsWay } = attachment
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Avant de sceller"
      isRead
      returnTo={returnTo}
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {network.isWaiting ? 'Ne plus attendre' : 'Revenir au texte'}
          </Button>
          {network.isOnline || isSealing ? (
            <Button
              large
              busy={isSealing}
              busyLabel="Le sceau se pose"
              disabled={isOnItsWay || attachment.problem !== undefined}
              icon={<Stamp aria-hidden="true" className="size-5" />}
              onClick={onSeal}
            >
              Sceller
            </Button>
          ) : (
            <Button
              large
              busy={network.isWaiting}
              busyLabel="En attente du réseau"
              disabled={attachment.problem !== undefined}
              icon={<WifiOff aria-hidden="true" className="size-5" />}
              onClick={network.wait}
            >
              Sceller au retour du réseau
            </Button>
          )}
        </>
      }
    >
      <NetworkNotice {...{ network, hasPassed }} />
      <SealRecap {...{ draft, timeZone, attachment, notifiesNow }} />
      {isOnItsWay && 'loadedBytes' in upload && (
        <ProgressBar
          label="Le fichier finit d’arriver"
          percent={(upload.loadedBytes / Math.max(1, upload.file.size)) * 100}
        />
      )}
      {attachment.problem && <Notice tone="warning">{attachment.problem}</Notice>}
      {failure && (
        <Notice tone="error" action={isPlanRefusal && <PlansLink inNewTab />}>
          {failure}
        </Notice>
      )}
    </Dialog>
  )
}
