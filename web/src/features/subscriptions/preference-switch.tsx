import { useQuery } from '@tanstack/react-query'
import type { Preference } from '#contract/subscriptions.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { preferencesQuery, useSavePreferences } from './subscriptions.queries.ts'

interface PreferenceSwitchProps {
  name: Preference
  label: string
  hint: string
}

/** One preference, saved at once. */
export function PreferenceSwitch({ name, label, hint }: PreferenceSwitchProps) {
  const { data: preferences } = useQuery(preferencesQuery)
  const { mutate: save, error } = useSavePreferences()
  return (
    <>
      <Switch
        label={label}
        hint={hint}
        checked={preferences?.[name] ?? true}
        disabled={!preferences}
        onChange={({ target }) => save({ [name]: target.checked })}
      />
      {error && <PreferenceFailure error={error} />}
    </>
  )
}

/** Beside the switch that could not be saved, and is as it was. */
export function PreferenceFailure({ error }: { error: Error }) {
  return (
    <Notice tone="error" className="mt-2">
      {errorSentence(error, 'Erreur lors de la mise à jour des préférences')}
    </Notice>
  )
}
