import { useQuery } from '@tanstack/react-query'
import { BookOpen, type LucideIcon, MessageCircle, Music, Sprout } from 'lucide-react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import {
  REVEAL_MESSAGE_MAX_LENGTH,
  SOUND_DESCRIPTION_MAX_LENGTH,
  type SoundCategory,
} from '#contract/sounds.ts'
import { relationshipsQuery } from '#web/features/relationships/relationships.queries.ts'
import { MomentFields, type MomentTexts } from '#web/features/revelations/moment-fields.tsx'
import { dayFromNow } from '#web/features/revelations/reveal-moment.ts'
import { fieldProps } from '#web/lib/forms.ts'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { FormChoiceTiles, FormTextArea } from '#web/ui/form-controls.tsx'
import { Select } from '#web/ui/select.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { VoiceMessageDraft } from './voice-message-draft.ts'

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

interface VoiceMessageFieldsProps {
  form: UseFormReturn<VoiceMessageDraft>
  timeZone: string
}

export function VoiceMessageFields({ form, timeZone }: VoiceMessageFieldsProps) {
  return (
    <div className="flex flex-col gap-5">
      <TextField label="Titre" autoComplete="off" {...fieldProps(form, 'title')} />
      <RecipientField form={form} />
      <ScheduleFields form={form} timeZone={timeZone} />
      <FormChoiceTiles
        form={form}
        name="category"
        legend="Catégorie"
        layout="pairs"
        choices={CATEGORY_CHOICES}
      />
      <FormTextArea
        form={form}
        name="description"
        label="Description"
        optional
        rows={2}
        limit={SOUND_DESCRIPTION_MAX_LENGTH}
      />
    </div>
  )
}

const UNKNOWN = 'Membre inconnu'
const WHOLE_CIRCLE = { value: '', label: 'Tout le cercle' }

function RecipientField({ form }: { form: UseFormReturn<VoiceMessageDraft> }) {
  const { data: people, isPending } = useQuery(relationshipsQuery)
  const chosen = useWatch({ control: form.control, name: 'recipient_id' })
  const family = people?.filter(({ relationship_type }) => relationship_type === 'family')
  const options = (people ?? []).map(({ related_user_id, related_user, related_pseudo }) => ({
    value: related_user_id,
    label: related_user.pseudo || related_pseudo || UNKNOWN,
  }))
  const isListed = chosen === '' || options.some(({ value }) => value === chosen)
  // A recipient who left the circle, or is not loaded yet, stays chosen.
  const unlisted = { value: chosen, label: isPending ? 'Chargement…' : UNKNOWN }
  return (
    <Select
      label="Destinataire"
      hint={hintOf(chosen, family?.length)}
      options={[WHOLE_CIRCLE, ...options, ...(isListed ? [] : [unlisted])]}
      value={chosen}
      {...fieldProps(form, 'recipient_id')}
    />
  )
}

function hintOf(chosen: string, familyCount: number | undefined): string {
  if (chosen !== '') return 'Cette personne seule pourra l’écouter.'
  if (familyCount === 0) {
    return 'Votre famille n’est pas encore dans votre cercle\u202F: personne d’autre ne l’entendra pour l’instant.'
  }
  return 'Toute votre famille pourra l’écouter.'
}

const WHEN = [
  { value: 'now', label: 'Maintenant' },
  { value: 'later', label: 'Plus tard' },
] as const

const MOMENT_TEXTS: MomentTexts = {
  isPast: 'Il sera dévoilé immédiatement',
  toStaySealed: 'pour qu’il reste scellé',
  opens: 'Il s’ouvrira',
  untilThen: 'D’ici là, personne ne peut l’écouter, pas même vous.',
}

/** Revealed at once, or at an instant with a message for those who wait. */
function ScheduleFields({ form, timeZone }: VoiceMessageFieldsProps) {
  const isScheduled = useWatch({ control: form.control, name: 'is_scheduled' })
  return (
    <div className="flex flex-col gap-5">
      <ChoiceTiles
        legend="Quand pourra-t-on l’écouter&#8239;?"
        name="when"
        layout="row"
        choices={WHEN}
        value={isScheduled ? 'later' : 'now'}
        onChange={(when) =>
          form.setValue('is_scheduled', when === 'later', {
            shouldDirty: true,
            shouldValidate: true,
          })
        }
      />
      {isScheduled && (
        <>
          <MomentFields
            form={form}
            timeZone={timeZone}
            firstDay={dayFromNow(0, timeZone)}
            texts={MOMENT_TEXTS}
          />
          <FormTextArea
            form={form}
            name="reveal_message"
            label="Mot d’attente"
            hint="Ceux qui attendent le lisent à la place de votre message."
            optional
            rows={2}
            limit={REVEAL_MESSAGE_MAX_LENGTH}
          />
        </>
      )}
    </div>
  )
}
