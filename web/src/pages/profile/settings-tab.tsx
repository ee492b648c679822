import { useQuery } from '@tanstack/react-query'
import type { User } from '#contract/profiles.ts'
import { VISIBILITIES, type Visibility } from '#contract/revelations.ts'
import { DataPanel } from '#web/features/account/data-panel.tsx'
import { DeletionPanel } from '#web/features/account/deletion-panel.tsx'
import { EmailPanel } from '#web/features/account/email-panel.tsx'
import { PasswordPanel } from '#web/features/account/password-panel.tsx'
import { SessionsPanel } from '#web/features/account/sessions-panel.tsx'
import { notificationSwitchesQuery } from '#web/features/notifications/notifications.queries.ts'
import { OnboardingPanel } from '#web/features/onboarding/onboarding.tsx'
import { PushPanel } from '#web/features/push/push-panel.tsx'
import { BlockedPeople } from '#web/features/relationships/blocked-people.tsx'
import { VISIBILITY_LABELS } from '#web/features/revelations/revelation-labels.ts'
import { PreferenceSwitch } from '#web/features/subscriptions/preference-switch.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ApiTokensPanel } from './api-tokens-panel.tsx'
import { InstallPanel } from './install-panel.tsx'
import { NotificationPreferences } from './notification-preferences.tsx'

export function SettingsTab({ user }: { user: User }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        <EmailPanel user={user} />
        <PasswordPanel email={user.email} />
        {/* What is fetched comes last: as it arrives it would move the buttons below it under a finger. */}
        <NotificationPreferences />
        <PushPanel note={<OnlyReminders />} />
        <SessionsPanel />
        <ApiTokensPanel email={user.email} />
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        <InstallPanel />
        <OnboardingPanel />
        <PrivacyPanel isVerified={user.email_verified} />
        <DataPanel />
        <DeletionPanel email={user.email} />
      </div>
    </div>
  )
}

const WHO_SEES: Record<Visibility, string> = {
  public: 'Tout le monde, avec ou sans compte.',
  friends: 'Vos amis et votre famille.',
  family: 'Votre famille seule.',
  private: 'Vous sur le site, et le destinataire le jour venu.',
}

function PrivacyPanel({ isVerified }: { isVerified: boolean }) {
  return (
    <Panel title="Confidentialité">
      <h3 className="font-sans font-semibold text-base tracking-normal">
        Qui voit vos révélations
      </h3>
      <dl className="mt-2 flex flex-col gap-2.5">
        {VISIBILITIES.map((visibility) => {
          const { label, icon: Icon } = VISIBILITY_LABELS[visibility]
          return (
            <div key={visibility} className="grid grid-cols-[1.5rem_1fr] gap-x-3">
              <Icon aria-hidden="true" className="mt-0.5 size-5 text-wax-ink" />
              <dt className="font-semibold leading-snug">{label}</dt>
              <dd className="col-start-2 text-ink-soft text-sm">{WHO_SEES[visibility]}</dd>
            </div>
          )
        })}
      </dl>
      <ul className="mt-4 flex list-disc flex-col gap-1.5 border-line border-t pt-4 pl-5 text-ink-soft text-sm">
        <li>
          Avant la date choisie, personne d’autre que vous ne peut ouvrir le contenu sur le site.
        </li>
        <li>
          Votre profil montre aux autres votre pseudo, votre photo, ce que vous y écrivez, et ce qui
          est à la fois public et dévoilé.
        </li>
        <li>
          Votre adresse e-mail n’est visible que de vos relations, des personnes à qui vous envoyez
          une demande et, si vous le choisissez ci-dessous, de vos destinataires.
        </li>
      </ul>
      <div className="mt-4 border-line border-t pt-2">
        <PreferenceSwitch
          name="showPresence"
          label="Montrer à mes proches que j’attends une révélation"
          hint="Coupé, personne ne vous voit attendre sur une page scellée, et vous ne voyez plus qui attend avec vous, seulement combien."
        />
        <PreferenceSwitch
          name="repliesByEmail"
          label="Recevoir les réponses par e-mail"
          hint="Vos destinataires peuvent répondre à vos lettres depuis leur messagerie&#8239;: votre adresse leur est alors montrée."
          refusal={isVerified ? undefined : 'Vérifiez d’abord votre adresse e-mail.'}
        />
      </div>
      <h3 className="mt-5 mb-2 font-sans font-semibold text-base tracking-normal">
        Personnes bloquées
      </h3>
      <BlockedPeople />
    </Panel>
  )
}

/** Shown beside the notifications of this device where the preferences leave nothing else to send. */
function OnlyReminders() {
  const { data: switches } = useQuery(notificationSwitchesQuery)
  if (!switches || Object.values(switches.push).some(Boolean)) return null
  return (
    <Notice className="mt-3">
      Tout ce qui va vers vos appareils est coupé ci-dessus&#8239;: seuls vos rappels arriveront
      ici.
    </Notice>
  )
}
