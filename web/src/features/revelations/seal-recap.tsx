import type { ReactNode } from 'react'
import { instantInWords } from '#contract/date-in-words.ts'
import { FILE_ICONS } from '#web/features/media/file-icons.ts'
import type { Attachment } from '#web/features/media/use-attachment.ts'
import { formatPlace, formatSeconds } from '#web/lib/durations.ts'
import { formatBytes } from '#web/lib/sizes.ts'
import { instantOfMoment, isPastMoment } from './reveal-moment.ts'
import type { RevelationDraft } from './revelation-draft.ts'
import { CATEGORY_WORDS, VISIBILITY_WORDS } from './revelation-words.ts'
import { VISIBILITY_HINTS } from './visibility-words.ts'

interface SealRecapProps {
  draft: RevelationDraft
  timeZone: string
  attachment: Attachment
  notifiesNow: boolean
}

/** Everything that is about to be sealed, in words. */
export function SealRecap({ draft, timeZone, attachment, notifiesNow }: SealRecapProps) {
  const { title, target_email, visibility, category } = draft
  const secondAddress = draft.second_email.trim()
  const visibilityWords = VISIBILITY_WORDS[visibility]
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
          {visibilityWords.label} · {CATEGORY_WORDS[category].label}
        </Aside>
      </Line>
      <Line term="Livrée à">
        <span className="block [overflow-wrap:anywhere]">{target_email.trim()}</span>
        {secondAddress && (
          <span className="block [overflow-wrap:anywhere]">et {secondAddress}</span>
        )}
        <Aside>
          {notifiesNow
            ? 'Un mail part dès maintenant, qui ne dit que le titre, votre pseudo et la date.'
            : 'La surprise est gardée jusqu’à la date.'}
        </Aside>
      </Line>
      <Line term="Fichier">
        <FileInWords attachment={attachment} />
      </Line>
    </dl>
  )
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 py-3 xs:grid-cols-[7rem_1fr]">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
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
        <span className="digits shrink-0 text-ink-soft text-sm">
          {sizeBytes !== undefined && formatBytes(sizeBytes)}
        </span>
      </span>
      {kind === 'video' && (
        <Aside>
          {teaser.state === 'none'
            ? 'Sans extrait\u00A0: rien n’est montré avant la date.'
            : `Extrait visible dès maintenant\u00A0: de ${formatPlace(teaser.window.start)} à ${formatPlace(teaser.window.end)} (${formatSeconds(teaser.window.end - teaser.window.start)}).`}
        </Aside>
      )}
    </>
  )
}
