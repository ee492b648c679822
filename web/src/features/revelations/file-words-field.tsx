import { Captions, X } from 'lucide-react'
import { type ChangeEvent, useId, useRef } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { FILE_WORDS_MAX_LENGTH } from '#contract/sealing.ts'
import type { Album } from '#web/features/media/use-album.ts'
import { counted } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { FormTextArea } from '#web/ui/form-controls.tsx'
import { FieldError } from '#web/ui/form-field.tsx'
import { CAPTIONS_SIGNATURE, type RevelationDraft, wordsFor } from './revelation-draft.ts'

interface FileWordsFieldProps {
  form: UseFormReturn<RevelationDraft>
  album: Pick<Album, 'first' | 'isList'>
}

/** What is said in the first file, for those who cannot hear it; nothing for a picture or a document. */
export function FileWordsField({ form, album: { first, isList } }: FileWordsFieldProps) {
  const { kind, name } = first
  const words = useWatch({ control: form.control, name: 'file_words' })
  const about = isList ? `Pour «\u202F${name}\u202F», le premier fichier. ` : ''
  if (kind === 'video') {
    return <SubtitlesField form={form} captions={wordsFor(kind, words)} about={about} />
  }
  // Captions of a film that was here before are none of a recording’s words.
  if (kind !== 'audio' || words.startsWith(CAPTIONS_SIGNATURE)) return null
  return (
    <FormTextArea
      form={form}
      name="file_words"
      label="Ce que dit l’enregistrement"
      optional
      hint={`${about}Pour qui ne peut pas l’entendre. Ces mots sont scellés avec lui.`}
      limit={FILE_WORDS_MAX_LENGTH}
    />
  )
}

interface SubtitlesFieldProps {
  form: UseFormReturn<RevelationDraft>
  captions: string
  /** Which of several files it is about. */
  about: string
}

/** The captions of a film, from a file of the author’s device. */
function SubtitlesField({ form, captions, about }: SubtitlesFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const error = form.formState.errors.file_words?.message
  const set = (text: string) => form.setValue('file_words', text, { shouldDirty: true })
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    form.clearErrors('file_words')
    const read = file.size > FILE_MAX_BYTES ? undefined : toWebVtt(await file.arrayBuffer())
    if (read) set(read)
    else form.setError('file_words', { message: NOT_CAPTIONS })
  }
  return (
    <div className="flex flex-col gap-1.5">
      <input
        ref={input}
        type="file"
        accept=".vtt,.srt,text/vtt"
        aria-label="Fichier de sous-titres"
        tabIndex={-1}
        className="sr-only"
        onChange={choose}
      />
      {captions ? (
        <p className="flex min-h-11 items-center gap-3">
          <Captions aria-hidden="true" className="size-5 shrink-0 text-leaf-ink" />
          <span className="min-w-0 flex-1">
            Sous-titres scellés avec la vidéo&#8239;:{' '}
            {counted(countCues(captions), 'passage', 'passages')}
          </span>
          <IconButton
            label="Retirer les sous-titres"
            icon={<X aria-hidden="true" className="size-5" />}
            onClick={() => set('')}
          />
        </p>
      ) : (
        <>
          <Button
            variant="secondary"
            className="self-start"
            icon={<Captions aria-hidden="true" className="size-5" />}
            aria-describedby={error ? errorId : undefined}
            onClick={() => input.current?.click()}
          >
            Ajouter des sous-titres
          </Button>
          <p className="text-ink-soft text-sm">
            {about}
            Si vous voulez, pour qui ne peut pas l’entendre&#8239;: un fichier .vtt ou .srt.
          </p>
        </>
      )}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}

const NOT_CAPTIONS = 'Ce fichier n’est pas un fichier de sous-titres (.vtt ou .srt)'
/** In any encoding, what the longest accepted text may take. */
const FILE_MAX_BYTES = 4 * FILE_WORDS_MAX_LENGTH

const SRT_TIMES = /(\d{1,2}:\d{2}:\d{2}),(\d{3})/g
const CUE = /\d{2}[.,]\d{3}[ \t]*-->/g

/** Captions as WebVTT; undefined for what is neither that nor SRT. */
function toWebVtt(bytes: ArrayBuffer): string | undefined {
  const text = decode(bytes).replace(/\r\n?/g, '\n').trim()
  if (countCues(text) === 0) return undefined
  return text.startsWith(CAPTIONS_SIGNATURE)
    ? text
    : `${CAPTIONS_SIGNATURE}\n\n${text.replace(SRT_TIMES, '$1.$2')}`
}

/** UTF-8, or what many programs still write SRT in. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function countCues(text: string): number {
  return text.match(CUE)?.length ?? 0
}
