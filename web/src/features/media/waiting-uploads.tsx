import { FolderOpen, RotateCw } from 'lucide-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import type { FileType } from '#contract/revelations.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { abandonUpload, deleteUploadedFile } from '#web/features/uploads/discard-upload.ts'
import { useWaitingUploads, type WaitingUpload } from '#web/features/uploads/uploads.queries.ts'
import {
  deleteStoredUpload,
  readStoredFile,
  type StoredUpload,
  uploadsBroadcast,
} from '#web/features/uploads/uploads-store.ts'
import { formatBytes } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FieldError } from '#web/ui/form-field.tsx'
import { kindOf } from './file-facts.ts'
import { FILE_ICONS } from './file-icons.ts'

interface WaitingUploadsProps {
  /** Ids of uploads that are offered elsewhere. */
  except?: ReadonlySet<string> | undefined
  /** The letter that is written: what is of another waits with it. */
  draftId?: string | undefined
  /** Nothing but what is of that letter. */
  isDraftOnly?: boolean
  onResume: (file: File, before: StoredUpload) => void
}

/** Offers to resume unfinished uploads; renders nothing when there are none. */
export function WaitingUploads({
  except,
  draftId,
  isDraftOnly = false,
  onResume,
}: WaitingUploadsProps) {
  const { id: ownerId } = useSignedInUser()
  const waiting = useWaitingUploads(ownerId)
  const [toAbandon, setToAbandon] = useState<WaitingUpload>()
  const isOffered = ({ key, uploadId, stored }: WaitingUpload) => {
    if (except?.has(key) || (uploadId && except?.has(uploadId))) return false
    const isOfNone = !stored?.draftId
    return isOfNone ? !isDraftOnly : stored.draftId === draftId
  }
  const offered = waiting.filter(isOffered)
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
            onAbandon={() => setToAbandon(upload)}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={toAbandon !== undefined}
        onOpenChange={() => setToAbandon(undefined)}
        title="Abandonner cet envoi&#8239;?"
        description={`Ce qui est arrivé de «\u202F${toAbandon?.name ?? ''}\u202F» sera effacé. Le fichier reste là où vous l’avez choisi.`}
        confirmLabel="Abandonner"
        onConfirm={() => {
          if (toAbandon) void abandon(ownerId, toAbandon)
          setToAbandon(undefined)
        }}
      />
    </>
  )
}

async function abandon(ownerId: string, { uploadId, stored }: WaitingUpload): Promise<void> {
  if (stored) await deleteStoredUpload(ownerId, stored.id).catch(() => undefined)
  if (stored?.arrivedPath) await deleteUploadedFile(stored.arrivedPath)
  else if (uploadId) await abandonUpload(uploadId)
  uploadsBroadcast.announce()
}

interface WaitingUploadCardProps {
  ownerId: string
  upload: WaitingUpload
  onResume: (file: File, before: StoredUpload) => void
  onAbandon: () => void
}

/** Resumes from the copy on this device, or from the file that the person chooses again. */
function WaitingUploadCard({ ownerId, upload, onResume, onAbandon }: WaitingUploadCardProps) {
  const { name, sizeBytes, stored } = upload
  const [hasCopy, setHasCopy] = useState(stored?.hasFile ?? false)
  const [refusal, setRefusal] = useState<string>()
  const kind = kindOf({ name, type: stored?.type ?? '', size: sizeBytes })
  const Icon = FILE_ICONS[kind]
  const resume = async () => {
    const file = await readStoredFile(ownerId, upload.key).catch(() => undefined)
    if (file) onResume(file, storedUploadOf(upload, file))
    else setHasCopy(false)
  }
  const choose = (file: File) => {
    const reason = validateSameFile(
      { name, sizeBytes, ...(stored && { lastModified: stored.lastModified }) },
      file,
    )
    setRefusal(reason)
    if (!reason) onResume(file, storedUploadOf(upload, file))
  }
  return (
    <li className="flex flex-col gap-3 rounded-field border border-line bg-sunken p-4">
      <div className="flex items-start gap-3">
        <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-wax-ink" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold [overflow-wrap:anywhere]">{sentenceOf(upload, kind)}</p>
          {!hasCopy && (
            <p className="mt-1 text-ink-soft text-sm">
              {`Choisissez de nouveau ce fichier (${formatBytes(sizeBytes)})\u202F: l’envoi continuera là où il en est.`}
            </p>
          )}
        </div>
      </div>
      {refusal && <FieldError id={`${upload.key}-refusal`}>{refusal}</FieldError>}
      <div className="flex flex-wrap gap-2 *:grow sm:*:grow-0">
        {hasCopy ? (
          <Button onClick={resume} icon={<RotateCw aria-hidden="true" className="size-4.5" />}>
            Reprendre l’envoi
          </Button>
        ) : (
          <ChooseAgain onChoose={choose} describedBy={refusal && `${upload.key}-refusal`} />
        )}
        <Button variant="secondary" onClick={onAbandon}>
          Abandonner
        </Button>
      </div>
    </li>
  )
}

interface ChooseAgainProps {
  onChoose: (file: File) => void
  describedBy: string | undefined
}

function ChooseAgain({ onChoose, describedBy }: ChooseAgainProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    // The same file may be chosen again after a refusal.
    target.value = ''
    if (file) onChoose(file)
  }
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        hidden
        aria-label="Le même fichier"
        onChange={onChange}
      />
      <Button
        aria-describedby={describedBy}
        onClick={() => input.current?.click()}
        icon={<FolderOpen aria-hidden="true" className="size-4.5" />}
      >
        Choisir le fichier
      </Button>
    </>
  )
}

const WHOSE: Record<FileType, string> = {
  video: 'Votre vidéo',
  image: 'Votre image',
  audio: 'Votre fichier audio',
  document: 'Votre document',
}
const FEMININE: readonly FileType[] = ['video', 'image']

function sentenceOf(
  { name, sizeBytes, receivedBytes, stored }: WaitingUpload,
  kind: FileType,
): string {
  const whose = `${WHOSE[kind]} «\u202F${name}\u202F»`
  if (stored?.arrivedPath) {
    return `${whose} est ${FEMININE.includes(kind) ? 'arrivée' : 'arrivé'}, mais ne sert encore à rien.`
  }
  const percent = Math.floor((receivedBytes / Math.max(1, sizeBytes)) * 100)
  if (percent === 0) return `${whose} était en route\u202F: rien n’est encore arrivé.`
  return `${whose} était en route\u202F: ${percent}\u00A0% sont arrivés.`
}

function storedUploadOf(
  { key, uploadId, receivedBytes, stored }: WaitingUpload,
  file: File,
): StoredUpload {
  if (stored) return { ...stored, receivedBytes }
  return {
    id: key,
    uploadId,
    name: file.name,
    type: file.type,
    sizeBytes: file.size,
    lastModified: file.lastModified,
    receivedBytes,
    arrivedPath: undefined,
    hasFile: false,
    touchedAtMs: Date.now(),
  }
}

type ExpectedFile = Pick<StoredUpload, 'name' | 'sizeBytes'> & { lastModified?: number }

/** Why this is not the file of the upload; undefined when it is. */
function validateSameFile(expected: ExpectedFile, file: File): string | undefined {
  const { name, sizeBytes, lastModified } = expected
  if (file.name !== name) {
    return `Ce n’est pas le même fichier\u202F: l’envoi attend «\u202F${name}\u202F». Rien n’est perdu.`
  }
  if (file.size !== sizeBytes) {
    return `Ce fichier porte le même nom, mais pas la même taille. Choisissez celui que vous aviez commencé à envoyer\u202F: rien n’est perdu.`
  }
  if (lastModified !== undefined && file.lastModified !== lastModified) {
    return `Ce fichier porte le même nom, mais il a été modifié depuis. Choisissez celui que vous aviez commencé à envoyer\u202F: rien n’est perdu.`
  }
  return undefined
}
