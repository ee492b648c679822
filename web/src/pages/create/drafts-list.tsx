import { PenLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { FILE_ICONS } from '#web/features/media/file-icons.ts'
import { type StoredDraft, wordsOf } from '#web/features/revelations/drafts/draft-schema.ts'
import { DRAFTS_MAX } from '#web/features/revelations/drafts/draft-store.ts'
import { useOtherDrafts } from '#web/features/revelations/drafts/use-draft.ts'
import { peopleInWords } from '#web/features/revelations/for-whom.ts'
import { otherRecipients } from '#web/features/revelations/recipients.ts'
import { formatElapsed } from '#web/lib/dates.ts'
import { counted } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Notice } from '#web/ui/notice.tsx'

interface DraftsListProps {
  /** The one that is open. */
  openId: string
  onResume: (draft: StoredDraft) => void
}

/** What was begun on this device: the last one at a touch, the others folded. */
export function DraftsList({ openId, onResume }: DraftsListProps) {
  const { drafts, erase } = useOtherDrafts(openId)
  const [toErase, setToErase] = useState<StoredDraft>()
  const [last, ...others] = drafts
  if (!last) return null
  const shared = { onResume, onErase: setToErase }
  return (
    <div className="flex flex-col gap-3">
      <ul aria-label="Votre dernier brouillon">
        <DraftLine draft={last} isLast {...shared} />
      </ul>
      {others.length > 0 && (
        <Disclosure title={`Vos autres brouillons (${others.length})`}>
          <ul className="-my-3 divide-y divide-line">
            {others.map((draft) => (
              <DraftLine key={draft.id} draft={draft} {...shared} />
            ))}
          </ul>
        </Disclosure>
      )}
      {drafts.length >= DRAFTS_MAX && (
        <Notice tone="warning">Vous avez déjà {DRAFTS_MAX} brouillons. Effacez-en un.</Notice>
      )}
      <ConfirmDialog
        open={toErase !== undefined}
        onOpenChange={() => setToErase(undefined)}
        title={
          toErase && toErase.fileCount > 0
            ? 'Effacer ce brouillon et ses fichiers\u202F?'
            : 'Effacer ce brouillon\u202F?'
        }
        description={toErase && `«\u202F${nameOf(toErase)}\u202F»`}
        confirmLabel="Effacer"
        onConfirm={() => {
          if (toErase) erase(toErase.id)
          setToErase(undefined)
        }}
      />
    </div>
  )
}

interface DraftLineProps {
  draft: StoredDraft
  isLast?: boolean
  onResume: (draft: StoredDraft) => void
  onErase: (draft: StoredDraft) => void
}

function DraftLine({ draft, isLast = false, onResume, onErase }: DraftLineProps) {
  const name = nameOf(draft)
  const { document: FileIcon } = FILE_ICONS
  const changed = formatElapsed(new Date(draft.touchedAtMs), Date.now())
  return (
    <li
      className={
        isLast
          ? 'flex flex-wrap items-center justify-end gap-x-1 rounded-card border border-line bg-surface py-2 pr-1 pl-4 shadow-soft'
          : 'flex flex-wrap items-center justify-end gap-x-1 py-2'
      }
    >
      <div className="min-w-0 grow basis-60">
        <p className="line-clamp-2 pr-3 font-serif text-lg leading-snug [overflow-wrap:anywhere]">
          {name}
        </p>
        <p className="flex flex-wrap gap-x-3 text-ink-soft text-sm">
          <ForWhom draft={draft} />
          <span>{changed ? `modifié ${changed}` : 'modifié à l’instant'}</span>
          {draft.fileCount > 0 && (
            <span className="inline-flex items-center gap-1">
              <FileIcon aria-hidden="true" className="size-4" />
              {counted(draft.fileCount, 'fichier', 'fichiers')}
            </span>
          )}
          {draft.wantsSealing && <span className="text-ember-ink">pas encore scellée</span>}
        </p>
      </div>
      <Button
        variant="ghost"
        aria-label={`Reprendre «\u202F${name}\u202F»`}
        icon={<PenLine aria-hidden="true" className="size-4.5" />}
        onClick={() => onResume(draft)}
      >
        Reprendre
      </Button>
      <IconButton
        label={`Effacer «\u202F${name}\u202F»`}
        icon={<Trash2 aria-hidden="true" className="size-5" />}
        onClick={() => onErase(draft)}
      />
    </li>
  )
}

/** Oneself goes without saying. */
function ForWhom({ draft: { values } }: { draft: StoredDraft }) {
  const { email: ownAddress } = useSignedInUser()
  const people = otherRecipients(values.recipients, ownAddress)
  if (people.length === 0) return null
  const names = people.map(({ name, email }) => name.trim() || email.trim())
  return <span className="min-w-0 [overflow-wrap:anywhere]">pour {peopleInWords(names)}</span>
}

function nameOf(draft: StoredDraft): string {
  return wordsOf(draft) ?? (draft.values.title.trim() || 'Un brouillon')
}
