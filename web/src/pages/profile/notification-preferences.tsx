import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { NotificationKind, NotificationSwitches } from '#contract/notifications.ts'
import type { Preference, Preferences } from '#contract/subscriptions.ts'
import {
  notificationSwitchesQuery,
  useSaveNotificationSwitches,
} from '#web/features/notifications/notifications.queries.ts'
import {
  PreferenceFailure,
  PreferenceSwitch,
} from '#web/features/subscriptions/preference-switch.tsx'
import {
  preferencesQuery,
  useSavePreferences,
} from '#web/features/subscriptions/subscriptions.queries.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { QueryFailure } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { SwitchControl } from '#web/ui/switch.tsx'

/** A mail has a switch, or words that say when it leaves. */
type Mail = { preference: Preference } | { words: string } | undefined

interface Subject {
  label: string
  hint: string
  /** None of what is told by mail alone. */
  kind?: NotificationKind
  mail: Mail
}

const ALWAYS: Mail = { words: 'toujours' }

const SUBJECTS: Subject[] = [
  {
    label: 'Une lettre m’attend',
    hint: 'Elle est ouverte, et c’est à vous de briser son sceau.',
    kind: 'letter_waiting',
    mail: ALWAYS,
  },
  {
    label: 'Une lettre m’est annoncée',
    hint: 'Quelqu’un en a scellé une pour vous, et vous le fait savoir.',
    kind: 'letter_announced',
    mail: ALWAYS,
  },
  {
    label: 'Réponses privées',
    hint: 'On vous répond à une lettre, ou à votre réponse.',
    kind: 'reply',
    mail: { words: 'avec les commentaires' },
  },
  {
    label: 'Nouveaux commentaires',
    hint: 'Quelqu’un commente l’une de vos révélations.',
    kind: 'comment',
    mail: { preference: 'newComments' },
  },
  {
    label: 'Nouvelles réactions',
    hint: 'Quelqu’un réagit à l’une de vos révélations.',
    kind: 'reaction',
    mail: { preference: 'newReactions' },
  },
  {
    label: 'Demandes',
    hint: 'Quelqu’un veut être de vos amis ou de votre famille.',
    kind: 'request',
    mail: undefined,
  },
  {
    label: 'Demandes acceptées',
    hint: 'On a dit oui à la vôtre.',
    kind: 'request_accepted',
    mail: undefined,
  },
  {
    label: 'Révélation dévoilée',
    hint: 'L’une des vôtres ou de vos proches vient de s’ouvrir.',
    kind: 'revealed',
    mail: { preference: 'revelationRevealed' },
  },
  {
    label: 'Nouvelles révélations',
    hint: 'Un ami ou quelqu’un de votre famille en scelle une.',
    mail: { preference: 'newRevelations' },
  },
  {
    label: 'Livraisons en échec',
    hint: 'L’une de vos lettres n’a pas pu être remise.',
    kind: 'delivery_failed',
    mail: ALWAYS,
  },
  {
    label: 'Lettres que l’on n’ouvre pas',
    hint: 'Rien ne dit, dix jours après, que l’une des vôtres a été ouverte.',
    kind: 'unopened',
    mail: { words: 'oui' },
  },
  {
    label: 'Modération',
    hint: 'L’équipe du site a masqué ou rétabli ce qui est à vous.',
    kind: 'moderation',
    mail: ALWAYS,
  },
]

const GRID = '@sm:grid-cols-[1fr_repeat(3,4.5rem)] grid gap-x-2'

/** What is told where: on the site, by mail, on the devices. */
export function NotificationPreferences() {
  const preferences = useQuery(preferencesQuery)
  const switches = useQuery(notificationSwitchesQuery)
  const failed = [preferences, switches].find(({ data, error }) => !data && error)
  return (
    <div id="notifications" className="scroll-mt-20">
      <Panel
        title="Notifications"
        intro="Chaque réglage est enregistré aussitôt. Vos appareils sont ceux où vous les avez permises, plus bas."
      >
        {failed && (
          <QueryFailure query={failed} title="Vos préférences n’ont pas pu être chargées" />
        )}
        {!failed && !(preferences.data && switches.data) && <SubjectsSkeleton />}
        {preferences.data && switches.data && (
          <>
            <PreferenceSwitch
              name="emailNotifications"
              label="Notifications par e-mail"
              hint="Coupé, seuls partent encore les e-mails marqués : toujours."
            />
            <PreferenceSwitch
              name="onThisDay"
              label="Ce jour-là"
              hint="Me rappeler ce qui s’est ouvert un an plus tôt, ou plus."
            />
            <div className="@container mt-3 border-line border-t pt-4">
              <ColumnHeads />
              {SUBJECTS.map((subject) => (
                <SubjectRow
                  key={subject.label}
                  subject={subject}
                  preferences={preferences.data}
                  switches={switches.data}
                />
              ))}
            </div>
          </>
        )}
      </Panel>
    </div>
  )
}

/** On a narrow screen each cell says where by itself. */
function ColumnHeads() {
  return (
    <div
      aria-hidden="true"
      className={`${GRID} @sm:grid hidden pb-1 text-center font-semibold text-ink-soft text-sm`}
    >
      <span />
      <span>Site</span>
      <span>E-mail</span>
      <span>Appareils</span>
    </div>
  )
}

interface SubjectRowProps {
  subject: Subject
  preferences: Preferences
  switches: NotificationSwitches
}

function SubjectRow({ subject, preferences, switches }: SubjectRowProps) {
  const { label, hint, kind, mail } = subject
  const id = useId()
  const saveMail = useSavePreferences()
  const saveSwitches = useSaveNotificationSwitches()
  const error = saveMail.error ?? saveSwitches.error
  const switchOf = (place: keyof NotificationSwitches) =>
    kind && {
      checked: switches[place][kind],
      onChange: (isOn: boolean) => saveSwitches.mutate({ [place]: { [kind]: isOn } }),
    }
  return (
    <fieldset
      aria-labelledby={id}
      className={`${GRID} @sm:items-center @max-sm:grid-cols-3 @max-sm:mt-3 @max-sm:rounded-field @max-sm:border @sm:border-t border-line @max-sm:px-3 py-2.5 min-w-0`}
    >
      <legend id={id} className="sr-only">
        {label}
      </legend>
      <div className="@max-sm:col-span-3">
        <p aria-hidden="true" className="font-semibold leading-snug">
          {label}
        </p>
        <p className="text-ink-soft text-sm leading-snug">{hint}</p>
      </div>
      <Cell column="Site">
        <SwitchOrDash name={`${label}, sur le site`} of={switchOf('page')} />
      </Cell>
      <Cell column="E-mail">
        {mail && 'words' in mail ? (
          <span className="flex min-h-11 items-center text-balance text-center text-ink-soft text-sm leading-tight">
            <span>
              <span className="sr-only">Par e-mail&#8239;: </span>
              {mail.words}
            </span>
          </span>
        ) : (
          <SwitchOrDash
            name={`${label}, par e-mail`}
            isDisabled={!preferences.emailNotifications}
            of={
              mail && {
                checked: preferences[mail.preference],
                onChange: (isOn) => saveMail.mutate({ [mail.preference]: isOn }),
              }
            }
          />
        )}
      </Cell>
      <Cell column="Appareils">
        <SwitchOrDash name={`${label}, sur mes appareils`} of={switchOf('push')} />
      </Cell>
      {error && (
        <div className="col-span-full">
          <PreferenceFailure error={error} />
        </div>
      )}
    </fieldset>
  )
}

function Cell({ column, children }: { column: string; children: ReactNode }) {
  return (
    <div className="@max-sm:mt-1.5 flex min-h-11 flex-col items-center">
      <span aria-hidden="true" className="@sm:hidden text-ink-soft text-sm">
        {column}
      </span>
      {children}
    </div>
  )
}

interface SwitchOrDashProps {
  name: string
  isDisabled?: boolean
  /** None where nothing is ever told there. */
  of: { checked: boolean; onChange: (isOn: boolean) => void } | undefined
}

function SwitchOrDash({ name, isDisabled = false, of }: SwitchOrDashProps) {
  const id = useId()
  if (!of) {
    return (
      <span className="flex min-h-11 items-center text-ink-soft">
        <span aria-hidden="true">–</span>
        <span className="sr-only">{name}&#8239;: rien</span>
      </span>
    )
  }
  return (
    <label htmlFor={id} className="flex min-h-11 min-w-14 items-center justify-center">
      <SwitchControl
        id={id}
        aria-label={name}
        checked={of.checked}
        disabled={isDisabled}
        onChange={({ target }) => of.onChange(target.checked)}
      />
    </label>
  )
}

/** As tall as what comes, so that nothing below it moves. */
function SubjectsSkeleton() {
  return (
    <div role="status" className="@container">
      <span className="sr-only">Chargement de vos préférences</span>
      <Skeleton className="h-29" />
      <Skeleton className="mt-3 @sm:h-9 h-1" />
      {SUBJECTS.map(({ label }) => (
        <Skeleton key={label} className="mt-3 @sm:h-17 h-37" />
      ))}
    </div>
  )
}
