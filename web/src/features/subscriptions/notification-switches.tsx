import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Preference } from '#contract/subscriptions.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { preferencesQuery, useSavePreferences } from './subscriptions.queries.ts'

const MASTER = 'emailNotifications'

const KINDS: { name: Preference; label: string; hint: string }[] = [
  {
    name: 'newRevelations',
    label: 'Nouvelles révélations',
    hint: 'Un ami ou quelqu’un de votre famille scelle une révélation.',
  },
  {
    name: 'revelationRevealed',
    label: 'Révélation dévoilée',
    hint: 'L’une des vôtres ou de votre cercle vient de s’ouvrir.',
  },
  {
    name: 'newComments',
    label: 'Nouveaux commentaires',
    hint: 'Quelqu’un commente l’une des vôtres, ou vous répond en privé.',
  },
  {
    name: 'newReactions',
    label: 'Nouvelles réactions',
    hint: 'Quelqu’un réagit à l’une des vôtres.',
  },
]

/** Each switch is saved at once. */
function useSwitches() {
  const { data: preferences, error } = useQuery(preferencesQuery)
  const save = useSavePreferences()
  const switchOf = (name: Preference) => ({
    checked: preferences?.[name] ?? true,
    onChange: ({ target }: { target: { checked: boolean } }) =>
      save.mutate({ [name]: target.checked }),
  })
  return { preferences, error, switchOf, saveError: save.error }
}

/** Whether friends and family are shown that this person waits for a letter. */
export function PresenceSwitch() {
  const { preferences, switchOf, saveError } = useSwitches()
  return (
    <>
      <Switch
        label="Montrer à mes proches que j’attends une révélation"
        hint="Coupé, personne ne vous voit attendre sur une page scellée, et vous ne voyez plus qui attend avec vous, seulement combien."
        disabled={!preferences}
        {...switchOf('showPresence')}
      />
      {saveError && <SaveFailure error={saveError} />}
    </>
  )
}

export function NotificationSwitches() {
  const id = useId()
  const { preferences, error, switchOf, saveError } = useSwitches()
  return (
    <Panel title="Notifications" intro="Chaque réglage est enregistré aussitôt.">
      {!preferences && !error && <SwitchesSkeleton />}
      {!preferences && error && <Notice tone="error">{errorSentence(error, 'Erreur API')}</Notice>}
      {preferences && (
        <>
          <Switch
            label="Notifications par mail"
            hint="Coupé, aucun des mails ci-dessous ne part."
            {...switchOf(MASTER)}
          />
          <fieldset aria-labelledby={id} className="mt-2 border-line border-t pt-2">
            <legend id={id} className="sr-only">
              Me prévenir par mail
            </legend>
            {KINDS.map(({ name, label, hint }) => (
              <Switch
                key={name}
                label={label}
                hint={hint}
                disabled={!preferences[MASTER]}
                {...switchOf(name)}
              />
            ))}
          </fieldset>
        </>
      )}
      {saveError && <SaveFailure error={saveError} />}
    </Panel>
  )
}

function SaveFailure({ error }: { error: Error }) {
  return (
    <Notice tone="error" className="mt-3">
      {errorSentence(error, 'Erreur lors de la mise à jour des préférences')}
    </Notice>
  )
}

function SwitchesSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Chargement de vos préférences</span>
      {KINDS.map(({ name }) => (
        <Skeleton key={name} className="h-12" />
      ))}
    </div>
  )
}
