import { WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Album } from '#web/features/media/use-album.ts'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import type { SealVoiceControls } from '#web/features/revelations/use-seal-voice.ts'
import { PlansLink } from '#web/features/subscriptions/plans-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AlreadySealedNotice, BeforeSeal } from './create-notices.tsx'
import type { LetterPart } from './folded-letter.tsx'
import { InsideInWords, sealWaitsFor } from './inside-in-words.tsx'
import { type SealPhase, SealRitual } from './seal-ritual.tsx'
import type { DeferredSeal } from './use-deferred-seal.ts'

interface SealDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  draft: RevelationDraft
  timeZone: string
  album: Album
  voice: SealVoiceControls
  notifiesNow: boolean
  phase: SealPhase
  failure: string | undefined
  /** The letter that an attempt had sealed in other words. */
  already: { id: string; onSealAnother: () => void } | undefined
  /** Whether a larger plan would let it through. */
  isPlanRefusal: boolean
  onSeal: () => void
  onEdit: (part: LetterPart) => void
  onSettled: () => void
  network: DeferredSeal
  /** The instant passed while the network was waited for. */
  hasPassed: boolean
  /** The refused field, or the part to be changed, which gets the focus. */
  returnTo: () => HTMLElement | null | undefined
}

/** The last look at the letter, and its sealing. */
export function SealDialog({
  open,
  onOpenChange,
  draft,
  timeZone,
  album,
  voice,
  notifiesNow,
  phase,
  failure,
  already,
  isPlanRefusal,
  onSeal,
  onEdit,
  onSettled,
  network,
  hasPassed,
  returnTo,
}: SealDialogProps) {
  const problem = album.problem ?? voice.problem
  const isOnItsWay = album.isOnItsWay || voice.isOnItsWay
  return (
    <Dialog
      open={open}
      // What is pressed already is not left.
      onOpenChange={(isOpen) => phase !== 'sealed' && onOpenChange(isOpen)}
      title="Avant de sceller"
      returnTo={returnTo}
    >
      <div className="mb-4 flex flex-col gap-3 empty:hidden">
        <BeforeSeal {...{ album, network, hasPassed }} />
      </div>
      <div className="[--seal-edge:1.25rem]">
        <SealRitual
          letter={{
            ...{ draft, timeZone, notifiesNow, hasVoice: voice.hasVoice },
            inside: <InsideInWords album={album} />,
          }}
          phase={phase}
          failure={failureOf({ already, failure, isPlanRefusal })}
          blockedBy={problem ?? (isOnItsWay ? sealWaitsFor(album) : null)}
          instead={insteadOf({ already, network, problem, phase })}
          onSeal={onSeal}
          onEdit={onEdit}
          onSettled={onSettled}
          back={
            <Button variant="ghost" className="-ml-4" onClick={() => onOpenChange(false)}>
              {network.isWaiting ? 'Ne plus attendre' : 'Revenir au texte'}
            </Button>
          }
        />
      </div>
    </Dialog>
  )
}

function failureOf({
  already,
  failure,
  isPlanRefusal,
}: Pick<SealDialogProps, 'already' | 'failure' | 'isPlanRefusal'>): ReactNode {
  if (already) return <AlreadySealedNotice {...already} />
  return (
    failure && (
      <Notice tone="error" action={isPlanRefusal && <PlansLink inNewTab />}>
        {failure}
      </Notice>
    )
  )
}

interface InsteadFacts extends Pick<SealDialogProps, 'already' | 'network' | 'phase'> {
  problem: string | undefined
}

/** What stands where the seal would: nothing where it would seal a second letter, the wait for the network without one. */
function insteadOf({ already, network, phase, problem }: InsteadFacts): ReactNode {
  if (already) return null
  if (network.isOnline || phase !== 'idle') return undefined
  return (
    <Button
      large
      busy={network.isWaiting}
      busyLabel="En attente du réseau"
      disabled={problem !== undefined}
      icon={<WifiOff aria-hidden="true" className="size-5" />}
      onClick={network.wait}
    >
      Sceller au retour du réseau
    </Button>
  )
}
