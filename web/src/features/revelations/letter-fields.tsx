import { type UseFormReturn, useWatch } from 'react-hook-form'
import { CONTENT_MAX_LENGTH } from '#contract/sealing.ts'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { RevelationDraft } from './revelation-draft.ts'

interface LetterFieldsProps {
  form: UseFormReturn<RevelationDraft>
}

/** Title and content. */
export function LetterFields({ form }: LetterFieldsProps) {
  const { errors } = form.formState
  const content = useWatch({ control: form.control, name: 'content' })
  return (
    <>
      <TextField
        label="Titre"
        hint="Visible sur l’enveloppe, avant la date."
        autoComplete="off"
        error={errors.title?.message}
        {...form.register('title')}
      />
      <TextArea
        label="Contenu"
        hint="Scellé jusqu’à la date."
        serif
        style={{ minHeight: 'min(20rem, 40dvh)' }}
        limit={CONTENT_MAX_LENGTH}
        length={content.length}
        error={errors.content?.message}
        {...form.register('content')}
      />
    </>
  )
}
