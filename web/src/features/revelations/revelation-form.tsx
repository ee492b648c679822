import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { AttachmentSection } from '#web/features/media/attachment-section.tsx'
import type { RefusalHelp } from '#web/features/media/upload-refusals.ts'
import { pasteFiles, useFileDrop } from '#web/features/media/use-file-drop.ts'
import { WaitingUploads } from '#web/features/media/waiting-uploads.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { FileWordsField } from './file-words-field.tsx'
import { FormSection } from './form-section.tsx'
import { KindField, KindSelect, useKindChoice } from './kind-field.tsx'
import { MomentFields, type MomentTexts } from './moment-fields.tsx'
import type { PhraseDetails } from './moment-phrase.tsx'
import { NotesSection } from './notes-section.tsx'
import { PeoplePicker } from './people-picker.tsx'
import { AudienceFields, LetterFields } from './revelation-fields.tsx'
import { SealVoiceSection } from './seal-voice-section.tsx'
import { StationerySection } from './stationery-section.tsx'
import type { RevelationFormState } from './use-revelation-form.ts'
import { isSealVoiceFile } from './use-seal-voice.ts'
import { VISIBILITY_HINTS } from './visibility-hints.ts'

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
  /** What is stored of how its moment was phrased. */
  phraseDetails?: PhraseDetails
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
  phraseDetails,
  children,
}: RevelationFormProps) {
  const { form, timeZone, firstDay, album, voice, fileRefusal, fileSection } = state
  const [kind, visibility, paper, ink] = useWatch({
    control: form.control,
    name: ['kind', 'visibility', 'paper', 'ink'],
  })
  const chooseKind = useKindChoice(form)
  const submit = form.handleSubmit(() => {
    state.clearFileRefusals()
    if (album.problem) fileSection.current?.focus()
    else if (voice.problem) state.voiceSection.current?.focus()
    else onSubmit()
  })
  const { target } = useFileDrop(album.add)
  return (
    <form
      ref={state.element}
      noValidate
      {...target}
      onPaste={pasteFiles(album.add)}
      data-autosaved={isAutosaved ? '' : undefined}
      className="flex min-w-0 flex-col gap-6"
      onSubmit={submit}
    >
      {notices}
      <WaitingUploads
        except={new Set([...(otherUploads ?? []), ...album.items.map(({ id }) => id)])}
        draftId={state.draftId}
        // What is of no letter may become the file of this one.
        isDraftOnly={album.items.some(({ upload }) => upload)}
        onResume={(file, before) => {
          const isVoice = isSealVoiceFile(before)
          const { current: section } = isVoice ? state.voiceSection : fileSection
          ;(isVoice ? voice : album).resume(file, before)
          section?.focus()
        }}
      />
      {kindAs === 'cards' && <KindField value={kind} onChange={chooseKind} />}
      <FormSection title="Les mots" stationery={{ paper, ink }}>
        <LetterFields
          form={form}
          // An answer is spoken only where it can be the first file.
          onRecorded={album.items.length > 0 ? undefined : (file) => album.add([file])}
        />
      </FormSection>
      <StationerySection form={form}>{stationery}</StationerySection>
      <FormSection title={album.isList ? 'Des fichiers' : 'Un fichier, si vous voulez'}>
        <div ref={fileSection} tabIndex={-1} data-part="inside">
          <AttachmentSection
            album={album}
            audience={VISIBILITY_HINTS[visibility].teaser}
            error={fileRefusal ?? (form.formState.isSubmitted ? album.problem : undefined)}
            room={room}
            refusalHelp={refusalHelp}
          />
        </div>
        <FileWordsField form={form} album={album} />
      </FormSection>
      <SealVoiceSection
        ref={state.voiceSection}
        form={form}
        voice={voice}
        error={state.voiceRefusal ?? (form.formState.isSubmitted ? voice.problem : undefined)}
        refusalHelp={refusalHelp}
      />
      <FormSection title="Quand">
        <MomentFields
          form={form}
          timeZone={timeZone}
          firstDay={firstDay}
          texts={MOMENT_TEXTS}
          phrase={phraseDetails}
        />
      </FormSection>
      <FormSection title="Pour qui">
        {kindAs === 'list' && <KindSelect form={form} />}
        <AudienceFields form={form} />
        <PeoplePicker form={form} legend="Qui la recevra&#8239;?">
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
