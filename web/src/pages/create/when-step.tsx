import { useWatch } from 'react-hook-form'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { FoldedSection, SECTION_CLASS } from '#web/features/revelations/form-section.tsx'
import { MomentFields } from '#web/features/revelations/moment-fields.tsx'
import { NotesSection } from '#web/features/revelations/notes-section.tsx'
import { otherRecipients } from '#web/features/revelations/recipients.ts'
import { CategoryField } from '#web/features/revelations/revelation-fields.tsx'
import { MOMENT_TEXTS } from '#web/features/revelations/revelation-form.tsx'
import { CATEGORY_LABELS } from '#web/features/revelations/revelation-labels.ts'
import { SealVoiceSection } from '#web/features/revelations/seal-voice-section.tsx'
import { limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { newsInWords } from './recipients-recap.tsx'
import type { Writing } from './use-writing.ts'
import { WhoSees } from './who-sees.tsx'

interface WhenStepProps {
  writing: Writing
  /** One wanted to go on, and could not. */
  isTried: boolean
}

const PANEL_CLASS = classNames(SECTION_CLASS, 'flex flex-col gap-5')

/** Its day, who sees it, and what is said of it before. */
export function WhenStep({ writing, isTried }: WhenStepProps) {
  const { form, state, timeZone } = writing
  const category = useWatch({ control: form.control, name: 'category' })
  return (
    <>
      <PageHeading documentTitle="Quand · Écrire">Quand, et qui la verra&#8239;?</PageHeading>
      <div className={PANEL_CLASS}>
        <MomentFields
          form={form}
          timeZone={timeZone}
          firstDay={state.firstDay}
          texts={MOMENT_TEXTS}
          phrase={writing.phraseDetails}
        />
      </div>
      <div className={PANEL_CLASS}>
        <WhoSees form={form} />
        <Notify writing={writing} />
      </div>
      <div className="flex flex-col gap-3">
        <h2 className="text-xl">Plus de choix</h2>
        <NotesSection form={form} />
        <FoldedSection
          title="Catégorie"
          hint={CATEGORY_LABELS[category].label}
          isUsed={form.formState.errors.category !== undefined}
        >
          <CategoryField form={form} />
        </FoldedSection>
        <SealVoiceSection
          ref={state.voiceSection}
          form={form}
          voice={state.voice}
          error={state.voiceRefusal ?? (isTried ? state.voice.problem : undefined)}
          refusalHelp={limitHelp}
        />
      </div>
    </>
  )
}

/** Whether whom it is for knows of it before its day. */
function Notify({ writing: { form, state, notifyLabel } }: { writing: Writing }) {
  const { email } = useSignedInUser()
  const [recipients, visibility] = useWatch({
    control: form.control,
    name: ['recipients', 'visibility'],
  })
  if (!notifyLabel) {
    return (
      <p className="text-ink-soft">
        {newsInWords({ visibility }) || 'Rien ne part avant son jour\u202F: elle est pour vous.'}
      </p>
    )
  }
  const [first, ...others] = otherRecipients(recipients, email)
  const name = first?.name.trim()
  const isNotified = state.notifiesNow
  return (
    <Switch
      label={name && others.length === 0 ? `Prévenir ${name} dès maintenant` : notifyLabel}
      hint={
        isNotified
          ? 'Un e-mail annonce qu’une lettre attend et quand elle s’ouvrira, sans rien en dire.'
          : 'La surprise est gardée jusqu’au jour venu.'
      }
      checked={isNotified}
      onChange={({ target }) => state.setNotifiesNow(target.checked)}
    />
  )
}
