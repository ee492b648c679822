import { useQuery } from '@tanstack/react-query'
import { ALBUM_MAX_FILES } from '#contract/albums.ts'
import { ResendButton } from '#web/features/account/resend-button.tsx'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import type { Album } from '#web/features/media/use-album.ts'
import { isOnItsWay } from '#web/features/media/use-uploads.ts'
import { profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { FreePlanNotice } from '#web/features/subscriptions/plan-limits.tsx'
import { counted } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

export function OfflineNotice() {
  return (
    <Notice tone="warning" title="Vous êtes hors ligne">
      Écrivez&#8239;: tout est gardé sur cet appareil. La lettre pourra être scellée dès que le
      réseau sera revenu.
    </Notice>
  )
}

/** In the recap: the letter was changed after an attempt whose answer was lost, and which had sealed it. */
export function AlreadySealedNotice({
  id,
  onSealAnother,
}: {
  id: string
  onSealAnother: () => void
}) {
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

interface NetworkNoticeProps {
  network: { isOnline: boolean; isWaiting: boolean }
  hasPassed: boolean
}

/** In the recap: the state of the network, or that the instant passed meanwhile. */
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
        La lettre n’est pas encore scellée. Elle est gardée sur cet appareil&#8239;: rien n’est
        perdu.
      </Notice>
    )
  }
  return (
    <Notice tone="warning" title="Pas encore scellée">
      Gardez cette page ouverte&#8239;: la lettre sera scellée dès que le réseau revient. Si vous la
      fermez, elle reste sur cet appareil, et vous la scellerez en revenant.
    </Notice>
  )
}

interface BeforeSealProps extends NetworkNoticeProps {
  album: Album
}

/** What a seal waits for: the network, or files that are still on their way. */
export function BeforeSeal({ album, ...network }: BeforeSealProps) {
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

interface RestoredNoticeProps {
  /** Its author wanted it sealed when the network was back. */
  wasToBeSealed: boolean
  /** Its reveal date has passed. */
  hasPassed: boolean
  onContinue: () => void
  onStartAgain: () => void
}

/** The stored draft was restored; an unfinished upload is offered beside. */
export function RestoredNotice({
  wasToBeSealed,
  hasPassed,
  onContinue,
  onStartAgain,
}: RestoredNoticeProps) {
  return (
    <Notice
      tone={wasToBeSealed ? 'warning' : 'info'}
      title={wasToBeSealed ? 'Votre lettre n’est pas encore scellée' : 'Votre brouillon est revenu'}
      action={
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={onContinue}>
            Continuer
          </Button>
          <Button variant="ghost" onClick={onStartAgain}>
            Repartir de zéro
          </Button>
        </div>
      }
    >
      {wasToBeSealed
        ? 'La page a été fermée avant le retour du réseau. Rien n’est perdu\u202F: relisez la lettre, puis scellez-la.'
        : 'Le texte et les choix sont ceux de la dernière fois.'}
      {hasPassed && ' La date choisie est passée depuis\u202F: choisissez-en une autre.'}
    </Notice>
  )
}

export function SharedNotice({ fileCount }: { fileCount: number }) {
  return (
    <Notice tone="success" title="Ce que vous avez partagé est dans cette lettre">
      {fileCount > 1 &&
        `${counted(Math.min(fileCount, ALBUM_MAX_FILES), 'fichier', 'fichiers')}, dans l’ordre où vous les avez choisis. `}
      Ajoutez quelques mots, choisissez le jour, puis posez le sceau.
    </Notice>
  )
}

/** The limits of the plan and of an unverified address. */
export function OwnLimits() {
  const { id, email_verified } = useSignedInUser()
  const { data } = useQuery({ ...profileQuery(id), refetchOnMount: 'always' })
  return (
    <>
      {data && <FreePlanNotice sealed={data.stats.pending_revelations} />}
      {!email_verified && (
        <Notice title="Votre adresse n’est pas encore vérifiée" action={<ResendButton />}>
          D’ici là, vous écrivez à 3&nbsp;personnes par jour, et chacune reçoit de vous
          2&nbsp;e-mails par jour au plus&#8239;: les suivants partent ensemble le lendemain.
        </Notice>
      )}
    </>
  )
}
