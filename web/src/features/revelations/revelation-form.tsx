import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useRef, useState } from 'react'
import { type Path, useForm, useWatch } from 'react-hook-form'
import type { OwnRevelation } from '#contract/revelations.ts'
import { createRevelationInputSchema } from '#contract/sealing.ts'
import { AttachmentSection, type RefusalHelp } from '#web/features/media/attachment-section.tsx'
import {
  attachmentInput,
  type StoredFile,
  useAttachment,
} from '#web/features/media/use-attachment.ts'
import { WaitingUploads } from '#web/features/media/waiting-uploads.tsx'
import { checkInput, type FieldAliases, fieldIssue, showRefusal } from '#web/lib/forms.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FileWordsField, wordsFor } from './file-words-field.tsx'
import { FormSection } from './form-section.tsx'
import { KindField, KindSelect, useKindChoice } from './kind-field.tsx'
import { checkMoment, MomentFields, type MomentTexts } from './moment-fields.tsx'
import { NotesSection } from './notes-section.tsx'
import { PeoplePicker } from './people-picker.tsx'
import { repeatedRows, writtenRows } from './recipients.ts'
import { dayFromNow, isMomentOf, type MomentRule } from './reveal-moment.ts'
import {
  fileError,
  inputOf,
  isRecipientQuotaError,
  type RevelationDraft,
  revelationDraftSchema,
  sealVoiceError,
} from './revelation-draft.ts'
import { AudienceFields, LetterFields } from './revelation-fields.tsx'
import { SealVoiceSection } from './seal-voice-section.tsx'
import { StationerySection } from './stationery-section.tsx'
import { isSealVoiceFile, sealVoiceInput, useSealVoice } from './use-seal-voice.ts'
import { VISIBILITY_HINTS } from './visibility-hints.ts'

interface RevelationFormOptions {
  draft: RevelationDraft
  timeZone: string
  /** The revelation that is edited; none while one is created. */
  stored?: OwnRevelation
  /** Whether the recipient is notified now, to begin with. */
  notifiesNow: boolean
  /** What this device keeps it as while it is written. */
  draftId?: string
}

/** What is written, the attached file, and what was refused of both. */
export function useRevelationForm({
  draft,
  timeZone,
  stored,
  draftId,
  ...initial
}: RevelationFormOptions) {
  const rule = () => momentRule(timeZone, stored)
  const [resolver] = useState(() => zodResolver(sealableSchema(timeZone, rule)))
  const form = useForm<RevelationDraft>({ resolver, mode: 'onTouched', defaultValues: draft })
  const attachment = useAttachment(stored && storedFileOf(stored), draftId)
  const voice = useSealVoice(stored, draftId)
  const [fileRefusal, setFileRefusal] = useState<string>()
  const [voiceRefusal, setVoiceRefusal] = useState<string>()
  const [notifiesNow, setNotifiesNow] = useState(initial.notifiesNow)
  const element = useRef<HTMLFormElement>(null)
  const fileSection = useRef<HTMLDivElement>(null)
  const voiceSection = useRef<HTMLDetailsElement>(null)
  return {
    form,
    timeZone,
    draftId,
    firstDay: rule().firstDay,
    attachment,
    voice,
    /** A file of the letter is being sent. */
    isOnItsWay: attachment.isOnItsWay || voice.isOnItsWay,
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
      ...attachmentInput(attachment),
      file_words: wordsFor(attachment.kind, form.getValues('file_words')),
      ...sealVoiceInput(voice, form.getValues('seal_voice_words')),
    }),
    clearFileRefusals: () => {
      setFileRefusal(undefined)
      setVoiceRefusal(undefined)
    },
    /** The letter uses its files: this device forgets them. */
    completeFiles: () => {
      attachment.complete()
      voice.complete()
    },
    /** Shows what the server refuses beside its fields and the file; false when it is about none of them. */
    showRefusal: (error: unknown, { shouldFocus }: { shouldFocus: boolean }) => {
      const ofFile = fileError(error)
      setFileRefusal(ofFile)
      const ofVoice = sealVoiceError(error)
      setVoiceRefusal(ofVoice)
      const places = placesOf(form.getValues())
      const isOfField = showRefusal(form, error, { ...places, shouldFocus })
      const { too_many_addressees: last } = places.codes
      if (isRecipientQuotaError(error) && last !== 'recipients.0.email') {
        form.setError(last, { type: 'server', message: `${error.message} ${EACH_COUNTS}` })
      }
      return isOfField || ofFile !== undefined || ofVoice !== undefined
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

function storedFileOf(revelation: OwnRevelation): StoredFile | undefined {
  const { file_type, file_url, file_name, file_size, duration, video_edit_url } = revelation
  const { teaser_start, teaser_end } = revelation
  if (!file_type || !file_url) return undefined
  const hasTeaser = teaser_start !== null && teaser_end !== null
  return {
    kind: file_type,
    url: file_url,
    previewUrl: video_edit_url ?? file_url,
    name: file_name ?? 'Fichier',
    sizeBytes: file_size ?? 0,
    duration,
    teaser: hasTeaser ? { start: teaser_start, end: teaser_end } : null,
  }
}

export type RevelationFormState = ReturnType<typeof useRevelationForm>

interface RevelationFormProps {
  state: RevelationFormState
  /** The draft is stored on this device as it is written. */
  isAutosaved?: boolean
  /** With valid fields and a file that may be sealed. */
  onSubmit: () => void
  /** Above the fields. */
  notices?: ReactNode
  /** Cards before all else, or a list among who sees it. */
  kindAs: 'cards' | 'list'
  /** Uploads that are not of a letter. */
  otherUploads?: ReadonlySet<string>
  /** Which papers and inks there are to choose. */
  stationery: ReactNode
  /** A hint about the storage that is left. */
  room: string | undefined
  refusalHelp: RefusalHelp
  /** The label of the choice to notify the recipient now, where there is one. */
  notifyLabel: string | false
  /** Below the fields. */
  children: ReactNode
}

/** A letter as its author writes it, for the first time or again: text, file, date, audience and recipients. */
export function RevelationForm({
  state,
  isAutosaved = false,
  onSubmit,
  notices,
  kindAs,
  otherUploads,
  stationery,
  room,
  refusalHelp,
  notifyLabel,
  children,
}: RevelationFormProps) {
  const { form, timeZone, firstDay, attachment, voice, fileRefusal, fileSection } = state
  const [kind, visibility, paper, ink] = useWatch({
    control: form.control,
    name: ['kind', 'visibility', 'paper', 'ink'],
  })
  const chooseKind = useKindChoice(form)
  const submit = form.handleSubmit(() => {
    state.clearFileRefusals()
    if (attachment.problem) fileSection.current?.focus()
    else if (voice.problem) state.voiceSection.current?.focus()
    else onSubmit()
  })
  return (
    <form
      ref={state.element}
      noValidate
      data-autosaved={isAutosaved ? '' : undefined}
      className="flex min-w-0 flex-col gap-6"
      onSubmit={submit}
    >
      {notices}
      {!('file' in attachment.upload) && (
        <WaitingUploads
          except={otherUploads}
          draftId={state.draftId}
          onResume={(file, before) => {
            const isVoice = isSealVoiceFile(before)
            const { current: section } = isVoice ? state.voiceSection : fileSection
            ;(isVoice ? voice : attachment).resume(file, before)
            section?.focus()
          }}
        />
      )}
      {kindAs === 'cards' && <KindField value={kind} onChange={chooseKind} />}
      <FormSection title="La lettre" stationery={{ paper, ink }}>
        <LetterFields
          form={form}
          // A letter has one file: an answer is spoken only where it can be that one.
          onRecorded={attachment.kind ? undefined : attachment.choose}
        />
      </FormSection>
      <StationerySection form={form}>{stationery}</StationerySection>
      <FormSection title="Un fichier, si vous voulez">
        <div ref={fileSection} tabIndex={-1} data-part="inside">
          <AttachmentSection
            attachment={attachment}
            audience={VISIBILITY_HINTS[visibility].teaser}
            error={fileRefusal ?? (form.formState.isSubmitted ? attachment.problem : undefined)}
            room={room}
            refusalHelp={refusalHelp}
          />
        </div>
        <FileWordsField form={form} kind={attachment.kind} />
      </FormSection>
      <SealVoiceSection
        ref={state.voiceSection}
        form={form}
        voice={voice}
        error={state.voiceRefusal ?? (form.formState.isSubmitted ? voice.problem : undefined)}
        refusalHelp={refusalHelp}
      />
      <FormSection title="Quand">
        <MomentFields form={form} timeZone={timeZone} firstDay={firstDay} texts={MOMENT_TEXTS} />
      </FormSection>
      <FormSection title="Pour qui">
        {kindAs === 'list' && <KindSelect form={form} />}
        <AudienceFields form={form} />
        <PeoplePicker form={form}>
          {notifyLabel && (
            <div data-part="notice">
              <Checkbox
                label={notifyLabel}
                hint="Un e-mail dit qu’une lettre attend et quand elle s’ouvrira, sans rien en dire d’autre. Décochez pour garder la surprise."
                checked={state.notifiesNow}
                onChange={(event) => state.setNotifiesNow(event.target.checked)}
              />
            </div>
          )}
        </PeoplePicker>
      </FormSection>
      <NotesSection form={form} />
      {children}
    </form>
  )
}

export const MOMENT_TEXTS: MomentTexts = {
  isPast: 'Elle sera dévoilée immédiatement',
  toStaySealed: 'pour qu’elle reste scellée',
  opens: 'Elle s’ouvrira',
}
