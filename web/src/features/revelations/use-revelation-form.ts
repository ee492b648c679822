import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { type Path, useForm } from 'react-hook-form'
import type { OwnRevelation } from '#contract/revelations.ts'
import { createRevelationInputSchema } from '#contract/sealing.ts'
import type { StoredFile } from '#web/features/media/album-rules.ts'
import { albumInput, type DraftAlbum, useAlbum } from '#web/features/media/use-album.ts'
import { ApiError } from '#web/lib/api-client.ts'
import { checkInput, type FieldAliases, fieldIssue, showRefusal } from '#web/lib/forms.ts'
import { repeatedRows, writtenRows } from './recipients.ts'
import { checkMoment, dayFromNow, isMomentOf, type MomentRule } from './reveal-moment.ts'
import {
  fileError,
  inputOf,
  isRecipientQuotaError,
  type RevelationDraft,
  revelationDraftSchema,
  sealVoiceError,
  wordsFor,
} from './revelation-draft.ts'
import { useFileWords } from './use-file-words.ts'
import { sealVoiceInput, useSealVoice } from './use-seal-voice.ts'

interface RevelationFormOptions {
  draft: RevelationDraft
  timeZone: string
  /** The revelation that is edited; none while one is created. */
  stored?: OwnRevelation
  /** Whether the recipient is notified now, to begin with. */
  notifiesNow: boolean
  /** What this device stores it as while it is written. */
  draftId?: string
  /** What this device stores of its files. */
  draftAlbum?: DraftAlbum
}

/** What is written, the attached files, and what was refused of both. */
export function useRevelationForm({
  draft,
  timeZone,
  stored,
  draftId,
  draftAlbum,
  ...initial
}: RevelationFormOptions) {
  const rule = () => momentRule(timeZone, stored)
  const [resolver] = useState(() => zodResolver(sealableSchema(timeZone, rule)))
  const form = useForm<RevelationDraft>({ resolver, mode: 'onTouched', defaultValues: draft })
  // Their tickets are renewed while the form is open.
  const storedFiles = stored && storedFilesOf(stored)
  const album = useAlbum({ stored: storedFiles, draftAlbum, draftId })
  useFileWords(form, album)
  const voice = useSealVoice(stored, draftId)
  const [fileRefusal, setFileRefusal] = useState<string>()
  const [voiceRefusal, setVoiceRefusal] = useState<string>()
  const [notifiesNow, setNotifiesNow] = useState(initial.notifiesNow)
  const element = useRef<HTMLFormElement>(null)
  const fileSection = useRef<HTMLDivElement>(null)
  const voiceSection = useRef<HTMLElement>(null)
  return {
    form,
    timeZone,
    draftId,
    firstDay: rule().firstDay,
    album,
    voice,
    /** A file of the letter is being sent. */
    isOnItsWay: album.isOnItsWay || voice.isOnItsWay,
    fileRefusal,
    voiceRefusal,
    notifiesNow,
    setNotifiesNow,
    element,
    fileSection,
    voiceSection,
    /** What is sent. */
    getInput: () => ({
      ...inputOf(form.getValues(), timeZone),
      // Another second of the same minute would be another date.
      ...(stored && isMomentOf(form.getValues(), stored.reveal_date, timeZone)
        ? { reveal_date: stored.reveal_date }
        : {}),
      ...albumInput(album, storedFiles),
      file_words: wordsFor(album.first.kind, form.getValues('file_words')),
      ...sealVoiceInput(voice, form.getValues('seal_voice_words')),
    }),
    clearFileRefusals: () => {
      setFileRefusal(undefined)
      setVoiceRefusal(undefined)
      album.clearRefusals()
    },
    /** The letter uses its files: this device forgets them. */
    completeFiles: () => {
      album.complete()
      voice.complete()
    },
    /** Shows what the server refuses beside its fields and the file; false when it is about none of them. */
    showRefusal: (error: unknown, { shouldFocus }: { shouldFocus: boolean }) => {
      const ofFile = fileError(error)
      setFileRefusal(ofFile)
      const isOfFiles = album.showRefusals(error instanceof ApiError ? error.fields : {})
      const ofVoice = sealVoiceError(error)
      setVoiceRefusal(ofVoice)
      const places = placesOf(form.getValues())
      const isOfField = showRefusal(form, error, { ...places, shouldFocus })
      const { too_many_addressees: last } = places.codes
      if (isRecipientQuotaError(error) && last !== 'recipients.0.email') {
        form.setError(last, { type: 'server', message: `${error.message} ${EACH_COUNTS}` })
      }
      return isOfField || isOfFiles || ofFile !== undefined || ofVoice !== undefined
    },
  }
}

const EACH_COUNTS = 'Chaque destinataire compte\u202F: vous pouvez aussi en retirer.'

/** Where the refusals of the server stand. */
function placesOf(draft: RevelationDraft) {
  const rows = draft.recipients.map((_, row) => row)
  const last = writtenRows(draft.recipients).at(-1) ?? 0
  return {
    // In the order of the form.
    fields: [
      'title',
      'content',
      'file_words',
      'seal_voice_words',
      'day',
      'kind',
      'visibility',
      'category',
      ...rows.flatMap((row) => [`recipients.${row}.email`, `recipients.${row}.name`] as const),
      'announcement_note',
      'opening_note',
    ] as const,
    aliases: aliasesOf(draft),
    codes: { too_many_addressees: `recipients.${last}.email` as const },
  }
}

/** Rows without a word are not sent: the others have their number on the wire. */
function aliasesOf({ recipients }: RevelationDraft): FieldAliases<RevelationDraft> {
  const rows = writtenRows(recipients)
  const aliases: Record<string, Path<RevelationDraft>> = {
    reveal_date: 'day',
    time_zone: 'day',
    target_email: `recipients.${rows[0] ?? 0}.email`,
    target_name: `recipients.${rows[0] ?? 0}.name`,
    recipients: `recipients.${rows.at(-1) ?? 0}.email`,
  }
  for (const [sent, row] of rows.entries()) {
    aliases[`recipients.${sent}.email`] = `recipients.${row}.email`
    aliases[`recipients.${sent}.name`] = `recipients.${row}.name`
  }
  return aliases
}

/** What the contract accepts, with the rules of the page. */
function sealableSchema(timeZone: string, rule: () => MomentRule) {
  return revelationDraftSchema.check(
    checkInput(createRevelationInputSchema, (draft) => inputOf(draft, timeZone), aliasesOf),
    ({ value, issues }) => {
      for (const row of repeatedRows(value.recipients)) {
        issues.push(fieldIssue(`recipients.${row}.email`, REPEATED, value))
      }
    },
    checkMoment(timeZone, rule),
  )
}

const REPEATED = 'Cette adresse est déjà celle d’un autre destinataire'

function momentRule(timeZone: string, stored: OwnRevelation | undefined): MomentRule {
  return stored
    ? {
        firstDay: dayFromNow(1, timeZone),
        tooEarly: 'La date de révélation doit être au plus tôt demain',
        storedInstant: stored.reveal_date,
      }
    : {
        firstDay: dayFromNow(0, timeZone),
        tooEarly: 'La date de révélation ne peut pas être dans le passé',
      }
}

/** The files of a letter, the first with its teaser. */
function storedFilesOf(revelation: OwnRevelation): StoredFile[] {
  const { file_type, file_url, file_name, file_size, duration, video_edit_url } = revelation
  const { teaser_start, teaser_end, files } = revelation
  if (!file_type || !file_url) return []
  const hasTeaser = teaser_start !== null && teaser_end !== null
  const first: StoredFile = {
    id: idOf(file_url),
    kind: file_type,
    url: file_url,
    previewUrl: video_edit_url ?? file_url,
    name: file_name ?? 'Fichier',
    sizeBytes: file_size ?? 0,
    duration,
    teaser: hasTeaser ? { start: teaser_start, end: teaser_end } : null,
    caption: files?.[0]?.caption ?? '',
  }
  const others = files
    ?.slice(1)
    .map(({ url, mobile_url, type, name, size, duration: seconds, caption }): StoredFile => {
      // Left out, it would be taken away.
      if (url === null) throw new Error('Its author has every file of a letter')
      return {
        ...{ id: idOf(url), kind: type, url, name, sizeBytes: size, duration: seconds },
        previewUrl: type === 'image' ? (mobile_url ?? url) : url,
        teaser: null,
        caption: caption ?? '',
      }
    })
  return [first, ...(others ?? [])]
}

/** Its address without the ticket. */
function idOf(url: string): string {
  return url.split('?')[0] ?? url
}

export type RevelationFormState = ReturnType<typeof useRevelationForm>
