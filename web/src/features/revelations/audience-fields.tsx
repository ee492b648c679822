import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { CATEGORIES, VISIBILITIES, type Visibility } from '#contract/revelations.ts'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import type { RevelationDraft } from './revelation-draft.ts'
import { CATEGORY_WORDS, VISIBILITY_WORDS } from './revelation-words.ts'
import { VISIBILITY_HINTS } from './visibility-words.ts'

interface AudienceFieldsProps {
  form: UseFormReturn<RevelationDraft>
  onVisibility: (visibility: Visibility) => void
}

/** Who may know of it, with what that means, and what it is about. */
export function AudienceFields({ form, onVisibility }: AudienceFieldsProps) {
  const { errors } = form.formState
  const visibility = useWatch({ control: form.control, name: 'visibility' })
  return (
    <>
      <div>
        <ChoiceTiles
          legend="Visibilité"
          name="visibility"
          choices={VISIBILITIES.map((value) => choice(value, VISIBILITY_WORDS[value]))}
          value={visibility}
          onChange={onVisibility}
          error={errors.visibility?.message}
        />
        <p role="status" className="mt-2 text-ink-soft text-sm">
          {VISIBILITY_HINTS[visibility].hint}
        </p>
      </div>
      <Controller
        control={form.control}
        name="category"
        render={({ field }) => (
          <ChoiceTiles
            legend="Catégorie"
            name="category"
            choices={CATEGORIES.map((value) => choice(value, CATEGORY_WORDS[value]))}
            value={field.value}
            onChange={field.onChange}
            error={errors.category?.message}
          />
        )}
      />
    </>
  )
}

type Words = (typeof CATEGORY_WORDS)[keyof typeof CATEGORY_WORDS]

function choice<Value extends string>(value: Value, { label, icon: Icon }: Words) {
  return { value, label, icon: <Icon className="size-5" /> }
}
