import { useQuery } from '@tanstack/react-query'
import { OFF_AT_FIRST, type Preference } from '#contract/subscriptions.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { preferencesQuery, useSavePreferences } from './subscriptions.queries.ts'

interface PreferenceSwitchProps {
  name: Preference
  label: string
  hint: string
  /** Why it cannot be turned on. */
  refusal?: string | undefined
}

/** One preference, saved at once. */
export function PreferenceSwitch({ name, label, hint, refusal }: PreferenceSwitchProps) {
  const { data: preferences } = useQuery(preferencesQuery)
  const { mutate: save, error } = useSavePreferences()
  const isOn = preferences?.[name] ?? !OFF_AT_FIRST.includes(name)
  return (
    <>
      <Switch
        label={label}
        hint={refusal ?? hint}
        checked={isOn}
        disabled={!preferences || (refusal !== undefined && !isOn)}
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
