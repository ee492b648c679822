import { Stamp, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { instantInWords } from '#contract/date-in-words.ts'
import { INKS, PAPERS } from '#contract/revelations.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { FILE_ICONS } from '#web/features/media/file-icons.ts'
import type { Attachment } from '#web/features/media/use-attachment.ts'
import { otherRecipients, writtenRows } from '#web/features/revelations/recipients.ts'
import { instantOfMoment, isPastMoment } from '#web/features/revelations/reveal-moment.ts'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { stationeryInWords, tagsOf } from '#web/features/revelations/revelation-labels.ts'
import type { SealVoiceControls } from '#web/features/revelations/use-seal-voice.ts'
import { VISIBILITY_HINTS } from '#web/features/revelations/visibility-hints.ts'
import { PlansLink } from '#web/features/subscriptions/plans-link.tsx'
import { formatBytes, formatPlace, formatSeconds } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { AlreadySealedNotice, NetworkNotice } from './create-notices.tsx'
import { RecipientsRecap } from './recipients-recap.tsx'
import type { DeferredSeal } from './use-deferred-seal.ts'

interface RecapDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  draft: RevelationDraft
  timeZone: string
  attachment: Attachment
  voice: SealVoiceControls
  notifiesNow: boolean
  isSealing: boolean
  failure: string | undefined
  /** The letter that an attempt had sealed in other words. */
  already: { id: string; onSealAnother: () => void } | undefined
  /** Whether a larger plan would let it through. */
  isPlanRefusal: boolean
  onSeal: () => void
  network: DeferredSeal
  /** The instant passed while the network was waited for. */
  hasPassed: boolean
  /** The refused field, which gets the focus. */
  returnTo: () => HTMLElement | null | undefined
}

/** The last look before sealing. */
export function RecapDialog({
  open,
  onOpenChange,
  draft,
  timeZone,
  attachment,
  voice,
  notifiesNow,
  isSealing,
  failure,
  already,
  isPlanRefusal,
  onSeal,
  network,
  hasPassed,
  returnTo,
}: RecapDialogProps) {
  const { upload } = attachment
  const isOnItsWay = attachment.isOnItsWay || voice.isOnItsWay
  const problem = attachment.problem ?? voice.problem
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
          {already ? null : network.isOnline || isSealing ? (
            <Button
              large
              busy={isSealing}
              busyLabel="Le sceau se pose"
              disabled={isOnItsWay || problem !== undefined}
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
              disabled={problem !== undefined}
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
      <SealRecap {...{ draft, timeZone, attachment, voice, notifiesNow }} />
      {attachment.isOnItsWay && 'loadedBytes' in upload && (
        <ProgressBar
          label="Le fichier finit d’arriver"
          percent={(upload.loadedBytes / Math.max(1, upload.file.size)) * 100}
        />
      )}
      {problem && <Notice tone="warning">{problem}</Notice>}
      {(already || failure) && (
        <div ref={showAll} className="flex flex-col gap-3">
          {already && <AlreadySealedNotice {...already} />}
          {failure && (
            <Notice tone="error" action={isPlanRefusal && <PlansLink inNewTab />}>
              {failure}
            </Notice>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** Of a long recap the end is below the screen of a phone. */
function showAll(notices: HTMLElement | null): void {
  notices?.scrollIntoView({ block: 'nearest' })
}

interface SealRecapProps {
  draft: RevelationDraft
  timeZone: string
  attachment: Attachment
  voice: SealVoiceControls
  notifiesNow: boolean
}

function SealRecap({ draft, timeZone, attachment, voice, notifiesNow }: SealRecapProps) {
  const { title, kind, visibility, category } = draft
  const announcement = draft.announcement_note.trim()
  const opening = draft.opening_note.trim()
  const { email } = useSignedInUser()
  const othersCount = otherRecipients(draft.recipients, email).length
  const isPast = isPastMoment(draft, timeZone)
  return (
    <dl className="divide-y divide-line">
      <Line term="Titre">
        <span className="font-serif text-lg [overflow-wrap:anywhere]">{title.trim()}</span>
      </Line>
      <Line term="S’ouvre">
        <When draft={draft} timeZone={timeZone} />
      </Line>
      <Line term="Visible par">
        {VISIBILITY_HINTS[visibility].audience}
        <Aside>
          {tagsOf({ kind, visibility, category })
            .map(({ label }) => label)
            .join(' · ')}
        </Aside>
      </Line>
      <Line term="Pour">
        <RecipientsRecap {...{ draft, othersCount, isPast, notifiesNow }} />
      </Line>
      {announcement && (
        <Line term="Mot d’annonce">
          <Words>{announcement}</Words>
          <Aside>{whyUnannounced(draft, { othersCount, isPast, notifiesNow })}</Aside>
        </Line>
      )}
      {opening && (
        <Line term="Mot d’ouverture">
          <Words>{opening}</Words>
          <Aside>
            {`Il part ${isPast ? 'dès qu’elle est scellée' : 'à la date'}, avec le lien qui ouvre la lettre.`}
          </Aside>
        </Line>
      )}
      <Line term="Fichier">
        <FileInWords attachment={attachment} />
      </Line>
      {(draft.paper !== PAPERS[0] || draft.ink !== INKS[0]) && (
        <Line term="Aspect">{stationeryInWords(draft)}</Line>
      )}
      {voice.hasVoice && <Line term="Voix">Elle se fait entendre quand le sceau se brise.</Line>}
    </dl>
  )
}

interface AnnouncementFacts {
  othersCount: number
  isPast: boolean
  notifiesNow: boolean
}

/** Why the word for the notice does not leave with the seal; nothing when it does. */
function whyUnannounced(
  { recipients }: RevelationDraft,
  { othersCount, isPast, notifiesNow }: AnnouncementFacts,
): string | false {
  if (othersCount === 0) return 'Il ne part pas\u202F: la lettre est pour vous.'
  if (isPast) return 'Il ne part pas\u202F: la lettre s’ouvre sans annonce.'
  const whom = writtenRows(recipients).length > 1 ? 'les destinataires' : 'le destinataire'
  return !notifiesNow && `Il ne part que si vous prévenez ${whom} avant la date.`
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 py-3 xs:grid-cols-[7rem_1fr]">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

function Words({ children }: { children: string }) {
  return (
    <span className="block whitespace-pre-line font-serif [overflow-wrap:anywhere]">
      {children}
    </span>
  )
}

function Aside({ children }: { children: ReactNode }) {
  return <span className="block text-ink-soft text-sm">{children}</span>
}

function When({ draft, timeZone }: Pick<SealRecapProps, 'draft' | 'timeZone'>) {
  if (isPastMoment(draft, timeZone)) {
    return <strong className="text-ember-ink">dévoilée immédiatement</strong>
  }
  return <strong>{instantInWords(instantOfMoment(draft, timeZone), timeZone)}</strong>
}

function FileInWords({ attachment }: { attachment: Attachment }) {
  const { kind, name, sizeBytes, teaser } = attachment
  if (!kind) return 'Aucun'
  const Icon = FILE_ICONS[kind]
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
        <span className="truncate">{name}</span>
        <span className="tabular-digits shrink-0 text-ink-soft text-sm">
          {sizeBytes !== undefined && formatBytes(sizeBytes)}
        </span>
      </span>
      {kind === 'video' && (
        <Aside>
          {teaser.state === 'none'
            ? 'Sans extrait\u202F: rien n’est montré avant la date.'
            : `Extrait visible dès maintenant\u202F: de ${formatPlace(teaser.window.start)} à ${formatPlace(teaser.window.end)} (${formatSeconds(teaser.window.end - teaser.window.start)}).`}
        </Aside>
      )}
    </>
  )
}
