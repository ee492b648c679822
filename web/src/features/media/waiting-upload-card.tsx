import { FolderOpen, RotateCw } from 'lucide-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import type { FileType } from '#contract/revelations.ts'
import { type KeptUpload, refuseOther } from '#web/features/uploads/kept-upload.ts'
import type { WaitingUpload } from '#web/features/uploads/uploads.queries.ts'
import { readKeptFile } from '#web/features/uploads/uploads-store.ts'
import { formatBytes } from '#web/lib/sizes.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/form-field.tsx'
import { kindOf } from './file-facts.ts'
import { FILE_ICONS } from './file-icons.ts'

interface WaitingUploadCardProps {
  ownerId: string
  upload: WaitingUpload
  onResume: (file: File, before: KeptUpload) => void
  onAbandon: () => void
}

/** One file that was on its way: gone on with from this device, or once its person has chosen it again. */
export function WaitingUploadCard({
  ownerId,
  upload,
  onResume,
  onAbandon,
}: WaitingUploadCardProps) {
  const { name, sizeBytes, kept } = upload
  const [isAtHand, setAtHand] = useState(kept?.hasFile ?? false)
  const [refusal, setRefusal] = useState<string>()
  const kind = kindOf({ name, type: kept?.type ?? '', size: sizeBytes })
  const Icon = FILE_ICONS[kind]
  const resume = async () => {
    const file = await readKeptFile(ownerId, upload.key).catch(() => undefined)
    if (file) onResume(file, beforeOf(upload, file))
    else setAtHand(false)
  }
  const choose = (file: File) => {
    const reason = refuseOther(
      { name, sizeBytes, ...(kept && { lastModified: kept.lastModified }) },
      file,
    )
    setRefusal(reason)
    if (!reason) onResume(file, beforeOf(upload, file))
  }
  return (
    <li className="flex flex-col gap-3 rounded-field border border-line bg-sunken p-4">
      <div className="flex items-start gap-3">
        <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-wax-ink" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold [overflow-wrap:anywhere]">{sentenceOf(upload, kind)}</p>
          {!isAtHand && (
            <p className="mt-1 text-ink-soft text-sm">
              {`Choisissez de nouveau ce fichier (${formatBytes(sizeBytes)})\u00A0: l’envoi continuera là où il en est.`}
            </p>
          )}
        </div>
      </div>
      {refusal && <FieldError id={`${upload.key}-refusal`}>{refusal}</FieldError>}
      <div className="flex flex-wrap gap-2 *:grow sm:*:grow-0">
        {isAtHand ? (
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
    // The same file may be picked again after it was refused.
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
  { name, sizeBytes, receivedBytes, kept }: WaitingUpload,
  kind: FileType,
): string {
  const whose = `${WHOSE[kind]} «\u00A0${name}\u00A0»`
  if (kept?.arrivedPath) {
    return `${whose} est ${FEMININE.includes(kind) ? 'arrivée' : 'arrivé'}, mais ne sert encore à rien.`
  }
  const percent = Math.floor((receivedBytes / Math.max(1, sizeBytes)) * 100)
  if (percent === 0) return `${whose} était en route\u00A0: rien n’est encore arrivé.`
  return `${whose} était en route\u00A0: ${percent}\u00A0% sont arrivés.`
}

/** What the device knows of it, corrected by what the server says; or all that can be known of one begun elsewhere. */
function beforeOf({ key, uploadId, receivedBytes, kept }: WaitingUpload, file: File): KeptUpload {
  if (kept) return { ...kept, receivedBytes }
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
