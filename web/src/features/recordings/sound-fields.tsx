import { BookOpen, type LucideIcon, MessageCircle, Music, Sprout } from 'lucide-react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { SOUND_DESCRIPTION_MAX_LENGTH, type SoundCategory } from '#contract/sounds.ts'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { RecipientField } from './recipient-field.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import type { SoundDraft } from './sound-draft.ts'

const CATEGORIES: { value: SoundCategory; label: string; icon: LucideIcon }[] = [
  { value: 'message', label: 'Message', icon: MessageCircle },
  { value: 'memory', label: 'Souvenir', icon: Sprout },
  { value: 'story', label: 'Histoire', icon: BookOpen },
  { value: 'music', label: 'Musique', icon: Music },
]

const CATEGORY_CHOICES = CATEGORIES.map(({ value, label, icon: Icon }) => ({
  value,
  label,
  icon: <Icon className="size-5 text-ink-soft" />,
}))

interface SoundFieldsProps {
  form: UseFormReturn<SoundDraft>
  timeZone: string
}

/** What is said of a voice before it leaves: its name, whom it is for, and when. */
export function SoundFields({ form, timeZone }: SoundFieldsProps) {
  const { errors } = form.formState
  const description = useWatch({ control: form.control, name: 'description' })
  return (
    <div className="flex flex-col gap-5">
      <TextField
        label="Titre"
        autoComplete="off"
        error={errors.title?.message}
        {...form.register('title')}
      />
      <RecipientField form={form} />
      <ScheduleFields form={form} timeZone={timeZone} />
      <Controller
        control={form.control}
        name="category"
        render={({ field }) => (
          <ChoiceTiles
            legend="Catégorie"
            name="category"
            layout="pairs"
            choices={CATEGORY_CHOICES}
            value={field.value}
            onChange={field.onChange}
            error={errors.category?.message}
          />
        )}
      />
      <TextArea
        label="Description"
        optional
        rows={2}
        limit={SOUND_DESCRIPTION_MAX_LENGTH}
        length={description.length}
        error={errors.description?.message}
        {...form.register('description')}
      />
    </div>
  )
}
