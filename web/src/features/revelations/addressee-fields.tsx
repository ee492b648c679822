import { Plus, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { RevelationDraft } from './revelation-draft.ts'

interface AddresseeFieldsProps {
  form: UseFormReturn<RevelationDraft>
  /** Below the addresses. */
  children?: ReactNode
}

/** Where the letter goes, and where it goes besides for whoever wants to be sure. */
export function AddresseeFields({ form, children }: AddresseeFieldsProps) {
  const { errors } = form.formState
  return (
    <div className="flex flex-col gap-2">
      <TextField
        {...ADDRESS}
        label="Email du destinataire"
        hint="La lettre lui est livrée à la date, par un lien personnel."
        error={errors.target_email?.message}
        {...form.register('target_email')}
      />
      <SecondAddress form={form} />
      {children}
    </div>
  )
}

function SecondAddress({ form }: AddresseeFieldsProps) {
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
