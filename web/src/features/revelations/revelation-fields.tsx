import { Plus, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { CATEGORIES, VISIBILITIES, type Visibility } from '#contract/revelations.ts'
import { CONTENT_MAX_LENGTH } from '#contract/sealing.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { fieldProps } from '#web/lib/forms.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { FormChoiceTiles, FormTextArea } from '#web/ui/form-controls.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { RevelationDraft } from './revelation-draft.ts'
import { CATEGORY_LABELS, VISIBILITY_LABELS } from './revelation-labels.ts'
import { VISIBILITY_HINTS } from './visibility-hints.ts'

interface FieldsProps {
  form: UseFormReturn<RevelationDraft>
}

export function LetterFields({ form }: FieldsProps) {
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
    </>
  )
}

export function AudienceFields({ form }: FieldsProps) {
  const visibility = useWatch({ control: form.control, name: 'visibility' })
  const setVisibility = useOwnAddress(form)
  return (
    <>
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
      <FormChoiceTiles
        form={form}
        name="category"
        legend="Catégorie"
        choices={CATEGORIES.map((value) => choice(value, CATEGORY_LABELS[value]))}
      />
    </>
  )
}

/** « Personnel » fills in the author's own address; another choice removes it unless it was changed. */
function useOwnAddress(form: UseFormReturn<RevelationDraft>) {
  const { email } = useSignedInUser()
  return (visibility: Visibility) => {
    const { visibility: before, target_email } = form.getValues()
    form.setValue('visibility', visibility, { shouldDirty: true })
    const write = (address: string) =>
      form.setValue('target_email', address, {
        shouldDirty: true,
        shouldValidate: form.formState.isSubmitted,
      })
    if (visibility === 'private' && target_email.trim() === '') write(email)
    else if (before === 'private' && target_email === email) write('')
  }
}

type Words = (typeof CATEGORY_LABELS)[keyof typeof CATEGORY_LABELS]

function choice<Value extends string>(value: Value, { label, icon: Icon }: Words) {
  return { value, label, icon: <Icon className="size-5" /> }
}

interface AddresseeFieldsProps extends FieldsProps {
  /** Below the addresses. */
  children?: ReactNode
}

/** The address of the recipient, and a second one if wanted. */
export function AddresseeFields({ form, children }: AddresseeFieldsProps) {
  return (
    <div className="flex flex-col gap-2">
      <TextField
        {...ADDRESS}
        label="Email du destinataire"
        hint="La lettre lui est livrée à la date, par un lien personnel."
        {...fieldProps(form, 'target_email')}
      />
      <SecondAddress form={form} />
      {children}
    </div>
  )
}

function SecondAddress({ form }: FieldsProps) {
  const address = useWatch({ control: form.control, name: 'second_email' })
  const [isWanted, setWanted] = useState(false)
  const error = form.formState.errors.second_email?.message
  const { setFocus } = form
  useEffect(() => {
    if (isWanted) setFocus('second_email')
  }, [isWanted, setFocus])
  if (!isWanted && !address && !error) {
    return (
      <Button
        variant="ghost"
        className="-ml-4 self-start"
        icon={<Plus aria-hidden="true" className="size-5" />}
        onClick={() => setWanted(true)}
      >
        Ajouter une seconde adresse
      </Button>
    )
  }
  const remove = () => {
    form.setValue('second_email', '', { shouldDirty: true })
    form.clearErrors('second_email')
    setWanted(false)
    form.setFocus('target_email')
  }
  return (
    <TextField
      {...ADDRESS}
      label="Seconde adresse"
      optional
      hint="Une autre boîte mail où la lettre part au même instant, par un lien à elle."
      error={error}
      trailing={
        <IconButton
          label="Retirer la seconde adresse"
          icon={<X aria-hidden="true" className="size-5" />}
          onClick={remove}
        />
      }
      className="mt-3"
      {...form.register('second_email')}
    />
  )
}

const ADDRESS = {
  type: 'email',
  inputMode: 'email',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
} as const
