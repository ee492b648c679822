import { Hourglass, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { PlansLink } from '#web/features/subscriptions/plans-link.tsx'
import { useOnline } from '#web/lib/online.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { AlreadySealedNotice, BeforeSeal } from './create-notices.tsx'
import type { LetterPart } from './folded-letter.tsx'
import { InsideInWords, sealWaitsFor } from './inside-in-words.tsx'
import { SealRitual } from './seal-ritual.tsx'
import type { Writing } from './use-writing.ts'
import type { WritingState } from './writing-steps.ts'

interface SealStepProps {
  writing: Writing
  state: WritingState
  /** Its page was closed before it could be sealed. */
  wasToBeSealed: boolean
  onSeal: () => void
  onWait: () => void
  onStopWaiting: () => void
  onEdit: (part: LetterPart) => void
  onSettled: () => void
}

/** The last look, and the seal. */
export function SealStep(props: SealStepProps) {
  const { writing, state, wasToBeSealed, onSeal, onEdit, onSettled, onStopWaiting } = props
  const { form, sealing, sealed, problem, timeZone } = writing
  const { album, voice, notifiesNow } = writing.state
  const isOnline = useOnline()
  const isWaiting = state.sealing === 'waiting'
  return (
    <>
      <PageHeading documentTitle="Avant de sceller · Écrire">Avant de sceller</PageHeading>
      <div className="flex flex-col gap-3 empty:hidden">
        {wasToBeSealed && !isWaiting && (
          <Notice tone="warning" title="Votre lettre n’est pas encore scellée">
            La page a été fermée avant le sceau. Rien n’est perdu&#8239;: relisez la lettre, puis
            scellez-la.
          </Notice>
        )}
        <BeforeSeal album={album} network={{ isOnline, isWaiting }} hasPassed={state.hasPassed} />
      </div>
      <SealRitual
        letter={{
          draft: form.getValues(),
          timeZone,
          notifiesNow,
          hasVoice: voice.hasVoice,
          inside: <InsideInWords album={album} />,
        }}
        phase={sealed ? 'sealed' : sealing.phase}
        failure={failureOf(props)}
        blockedBy={problem ?? null}
        instead={insteadOf(props, isOnline)}
        back={
          isWaiting && (
            <Button variant="ghost" onClick={onStopWaiting}>
              Ne plus attendre
            </Button>
          )
        }
        onSeal={onSeal}
        onEdit={onEdit}
        onSettled={onSettled}
      />
    </>
  )
}

function failureOf({ writing, onSeal }: SealStepProps): ReactNode {
  const { alreadyId, failure } = writing.sealing
  if (alreadyId) return <AlreadySealedNotice id={alreadyId} onSealAnother={onSeal} />
  if (!failure) return null
  return (
    <Notice tone="error" action={writing.isOverPlan && <PlansLink inNewTab />}>
      {failure}
      {writing.isOverPlan && ' Votre lettre est gardée sur cet appareil.'}
    </Notice>
  )
}

/** What stands where the seal would: nothing where it would seal a second letter, the wait for what is not there yet. */
function insteadOf({ writing, state, onWait }: SealStepProps, isOnline: boolean): ReactNode {
  const { sealing, sealed, isReady, problem } = writing
  if (sealing.alreadyId) return false
  if (sealed || sealing.phase !== 'idle' || problem !== undefined) return undefined
  if (isOnline && isReady && state.sealing !== 'waiting') return undefined
  const isWaiting = state.sealing === 'waiting'
  return (
    <>
      {isOnline && <p className="text-center font-semibold">{sealWaitsFor(writing.state.album)}</p>}
      <Button
        large
        busy={isWaiting}
        busyLabel={isOnline ? 'En attente du fichier' : 'En attente du réseau'}
        icon={
          isOnline ? (
            <Hourglass aria-hidden="true" className="size-5" />
          ) : (
            <WifiOff aria-hidden="true" className="size-5" />
          )
        }
        onClick={onWait}
      >
        {isOnline ? 'Sceller dès que possible' : 'Sceller au retour du réseau'}
      </Button>
    </>
  )
}
