import { useQuery } from '@tanstack/react-query'
import { BookOpen, type LucideIcon, MessageCircle, Music, Sprout } from 'lucide-react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { instantInWords, zoneInWords } from '#contract/date-in-words.ts'
import {
  REVEAL_MESSAGE_MAX_LENGTH,
  SOUND_DESCRIPTION_MAX_LENGTH,
  type SoundCategory,
} from '#contract/sounds.ts'
import { relationshipsQuery } from '#web/features/relationships/relationships.queries.ts'
import { MomentFields } from '#web/features/revelations/moment-fields.tsx'
import { dayFromNow } from '#web/features/revelations/reveal-moment.ts'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Select } from '#web/ui/select.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
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
      error={form.formState.errors.recipient_id?.message}
      options={[WHOLE_CIRCLE, ...options, ...(isListed ? [] : [unlisted])]}
      value={chosen}
      {...form.register('recipient_id')}
    />
  )
}

function hintOf(chosen: string, familyCount: number | undefined): string {
  if (chosen !== '') return 'Cette personne seule pourra l’écouter.'
  if (familyCount === 0) {
    return 'Votre famille n’est pas encore dans votre cercle\u00A0: personne d’autre ne l’entendra pour l’instant.'
  }
  return 'Toute votre famille pourra l’écouter.'
}

const WHEN = [
  { value: 'now', label: 'Maintenant' },
  { value: 'later', label: 'Plus tard' },
] as const

interface ScheduleFieldsProps {
  form: UseFormReturn<VoiceMessageDraft>
  timeZone: string
}

/** Revealed at once, or at an instant with a message for those who wait. */
function ScheduleFields({ form, timeZone }: ScheduleFieldsProps) {
  const isScheduled = useWatch({ control: form.control, name: 'is_scheduled' })
  return (
    <div className="flex flex-col gap-5">
      <ChoiceTiles
        legend="Quand pourra-t-on l’écouter&nbsp;?"
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
      {isScheduled && <LaterFields form={form} timeZone={timeZone} />}
    </div>
  )
}

function LaterFields({ form, timeZone }: ScheduleFieldsProps) {
  const { errors } = form.formState
  const message = useWatch({ control: form.control, name: 'reveal_message' })
  return (
    <>
      <MomentFields
        form={form}
        timeZone={timeZone}
        firstDay={dayFromNow(0, timeZone)}
        inWords={(instant, isPast) => <OpensIn {...{ instant, isPast, timeZone }} />}
      />
      <TextArea
        label="Mot d’attente"
        hint="Ceux qui attendent le lisent à la place de votre message."
        optional
        rows={2}
        limit={REVEAL_MESSAGE_MAX_LENGTH}
        length={message.length}
        error={errors.reveal_message?.message}
        {...form.register('reveal_message')}
      />
    </>
  )
}

interface OpensInProps {
  instant: Date
  isPast: boolean
  timeZone: string
}

function OpensIn({ instant, isPast, timeZone }: OpensInProps) {
  if (isPast) {
    return (
      <Notice tone="warning" title="Il sera dévoilé immédiatement">
        Cet instant est déjà passé ({zoneInWords(instant, timeZone)}). Choisissez une heure à venir
        pour qu’il reste scellé.
      </Notice>
    )
  }
  return (
    <p className="text-ink-soft">
      Il s’ouvrira <strong className="text-ink">{instantInWords(instant, timeZone)}</strong>. D’ici
      là, personne ne peut l’écouter, pas même vous.
    </p>
  )
}
