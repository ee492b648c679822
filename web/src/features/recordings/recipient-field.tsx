import { useQuery } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import { relationshipsQuery } from '#web/features/relationships/relationships.queries.ts'
import { Select } from '#web/ui/select.tsx'
import type { SoundDraft } from './sound-draft.ts'

const UNKNOWN = 'Membre inconnu'
const WHOLE_CIRCLE = { value: '', label: 'Tout le cercle' }

/** The whole circle, or one person of it. */
export function RecipientField({ form }: { form: UseFormReturn<SoundDraft> }) {
  const { data: people, isPending } = useQuery(relationshipsQuery)
  const chosen = useWatch({ control: form.control, name: 'recipient_id' })
  const family = people?.filter(({ relationship_type }) => relationship_type === 'family')
  const options = (people ?? []).map(({ related_user_id, related_user, related_pseudo }) => ({
    value: related_user_id,
    label: related_user.pseudo || related_pseudo || UNKNOWN,
  }))
  const isListed = chosen === '' || options.some(({ value }) => value === chosen)
  // Somebody who is no longer there, or not known yet, stays chosen until the person decides otherwise.
  const stranger = { value: chosen, label: isPending ? 'Chargement…' : UNKNOWN }
  return (
    <Select
      label="Destinataire"
      hint={hintOf(chosen, family?.length)}
      error={form.formState.errors.recipient_id?.message}
      options={[WHOLE_CIRCLE, ...options, ...(isListed ? [] : [stranger])]}
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
