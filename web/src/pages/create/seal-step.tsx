import { Hourglass, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Album } from '#web/features/media/use-album.ts'
import { isOnItsWay } from '#web/features/media/use-uploads.ts'
import { PlansLink } from '#web/features/subscriptions/plans-link.tsx'
import { useOnline } from '#web/lib/online.ts'
import { paths } from '#web/lib/paths.ts'
import { isStorageTemporary } from '#web/lib/provided-storage.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
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
      {writing.isOverPlan && !isStorageTemporary() && ' Votre lettre est gardée sur cet appareil.'}
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

interface NetworkNoticeProps {
  network: { isOnline: boolean; isWaiting: boolean }
  hasPassed: boolean
}

/** The state of the network, or that the instant passed meanwhile. */
function NetworkNotice({ network: { isOnline, isWaiting }, hasPassed }: NetworkNoticeProps) {
  if (hasPassed) {
    return (
      <Notice tone="warning" title="La date choisie est passée pendant l’attente">
        Scellée maintenant, la lettre serait dévoilée immédiatement. Revenez au texte pour choisir
        une autre date. Rien n’est perdu.
      </Notice>
    )
  }
  if (isOnline) return null
  if (!isWaiting) {
    return (
      <Notice tone="warning" title="Vous êtes hors ligne">
        La lettre n’est pas encore scellée.{' '}
        {isStorageTemporary()
          ? 'Ce navigateur n’enregistre rien\u202F: ne fermez pas cette page.'
          : 'Elle est gardée sur cet appareil\u202F: rien n’est perdu.'}
      </Notice>
    )
  }
  return (
    <Notice tone="warning" title="Pas encore scellée">
      Gardez cette page ouverte&#8239;: la lettre sera scellée dès que le réseau revient.{' '}
      {isStorageTemporary()
        ? 'Ce navigateur n’enregistre rien\u202F: si vous la fermez, la lettre est perdue.'
        : 'Si vous la fermez, elle reste sur cet appareil, et vous la scellerez en revenant.'}
    </Notice>
  )
}

interface BeforeSealProps extends NetworkNoticeProps {
  album: Album
}

/** What a seal waits for: the network, or files that are still on their way. */
function BeforeSeal({ album, ...network }: BeforeSealProps) {
  const uploads = album.items.flatMap(({ upload }) => upload ?? [])
  const left = uploads.filter(isOnItsWay).length
  const sum = (bytesOf: (upload: (typeof uploads)[number]) => number) =>
    uploads.reduce((bytes, upload) => bytes + bytesOf(upload), 0)
  const loadedBytes = sum((upload) => upload.loadedBytes)
  const sizeBytes = sum((upload) => upload.file.size)
  return (
    <>
      <NetworkNotice {...network} />
      {left > 0 && (
        <ProgressBar
          label={left > 1 ? `${left} fichiers finissent d’arriver` : 'Le fichier finit d’arriver'}
          percent={(loadedBytes / Math.max(1, sizeBytes)) * 100}
        />
      )}
    </>
  )
}

/** The letter was changed after an attempt whose answer was lost, and which had sealed it. */
function AlreadySealedNotice({ id, onSealAnother }: { id: string; onSealAnother: () => void }) {
  return (
    <Notice
      tone="warning"
      title="Votre premier envoi était arrivé"
      action={
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={paths.revelation(id)} variant="secondary">
            Voir la lettre scellée
          </ButtonLink>
          <ButtonLink to={paths.edit(id)} variant="secondary">
            La modifier
          </ButtonLink>
          <Button variant="secondary" onClick={onSealAnother}>
            Sceller celle-ci aussi
          </Button>
        </div>
      }
    >
      C’est lui qui est scellé. Ce que vous avez changé depuis n’y est pas.
    </Notice>
  )
}
