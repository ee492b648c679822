import type { ComponentProps } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { CATEGORIES, VISIBILITIES, type Visibility } from '#contract/revelations.ts'
import { CONTENT_MAX_LENGTH } from '#contract/sealing.ts'
import { fieldProps } from '#web/lib/forms.ts'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { FormChoiceTiles, FormTextArea } from '#web/ui/form-controls.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { RevelationDraft } from './revelation-draft.ts'
import { CATEGORY_LABELS, VISIBILITY_LABELS } from './revelation-labels.ts'
import { useOwnRecipient } from './use-own-recipient.ts'
import { VISIBILITY_HINTS } from './visibility-hints.ts'
import { WritingHelp } from './writing-help.tsx'

interface FieldsProps {
  form: UseFormReturn<RevelationDraft>
}

interface LetterFieldsProps extends FieldsProps {
  onRecorded: ComponentProps<typeof WritingHelp>['onRecorded']
}

export function LetterFields({ form, onRecorded }: LetterFieldsProps) {
  return (
    <>
      <TextField
        label="Titre"
        hint="Visible sur l’enveloppe, avant la date."
        autoComplete="off"
        {...fieldProps(form, 'title')}
      />
      <FormTextArea
        form={form}
        name="content"
        label="Contenu"
        hint="Scellé jusqu’à la date."
        serif
        style={{ minHeight: 'min(20rem, 40dvh)' }}
        limit={CONTENT_MAX_LENGTH}
      />
      <WritingHelp form={form} onRecorded={onRecorded} />
    </>
  )
}

export function AudienceFields({ form }: FieldsProps) {
  return (
    <>
      <VisibilityField form={form} />
      <CategoryField form={form} />
    </>
  )
}

export function VisibilityField({ form }: FieldsProps) {
  const visibility = useWatch({ control: form.control, name: 'visibility' })
  const setVisibility = useOwnAddress(form)
  return (
    <div>
      <ChoiceTiles
        legend="Visibilité"
        name="visibility"
        choices={VISIBILITIES.map((value) => choice(value, VISIBILITY_LABELS[value]))}
        value={visibility}
        onChange={setVisibility}
        error={form.formState.errors.visibility?.message}
      />
      <p role="status" className="mt-2 text-ink-soft text-sm">
        {VISIBILITY_HINTS[visibility].hint}
      </p>
    </div>
  )
}

export function CategoryField({ form }: FieldsProps) {
  return (
    <FormChoiceTiles
      form={form}
      name="category"
      legend="Catégorie"
      choices={CATEGORIES.map((value) => choice(value, CATEGORY_LABELS[value]))}
    />
  )
}

/** Without a kind, « Personnel » fills in the author’s own address; another choice removes it unless it was changed. */
function useOwnAddress(form: UseFormReturn<RevelationDraft>) {
  const ownRecipient = useOwnRecipient(form)
  return (visibility: Visibility) => {
    const { visibility: before, kind } = form.getValues()
    form.setValue('visibility', visibility, { shouldDirty: true })
    // Whom a kind is for does not depend on who else sees it.
    if (kind !== null) return
    if (visibility === 'private') ownRecipient.fillIn()
    else if (before === 'private') ownRecipient.withdraw()
  }
}

type Words = (typeof CATEGORY_LABELS)[keyof typeof CATEGORY_LABELS]

function choice<Value extends string>(value: Value, { label, icon: Icon }: Words) {
  return { value, label, icon: <Icon className="size-5" /> }
}
