import { VISIBILITIES, type Visibility } from '#contract/revelations.ts'
import { BlockedPeople } from '#web/features/relationships/blocked-people.tsx'
import { VISIBILITY_WORDS } from '#web/features/revelations/revelation-words.ts'
import { Panel } from '#web/ui/panel.tsx'

const WHO_SEES: Record<Visibility, string> = {
  public: 'Tout le monde, avec ou sans compte.',
  friends: 'Vos amis et votre famille.',
  family: 'Votre famille seule.',
  private: 'Vous sur le site, et le destinataire le jour venu.',
}

/** Who sees what, in plain words, and who is kept away. */
export function PrivacyPanel() {
  return (
    <Panel title="Confidentialité">
      <h3 className="font-sans font-semibold text-base tracking-normal">
        Qui voit vos révélations
      </h3>
      <dl className="mt-2 flex flex-col gap-2.5">
        {VISIBILITIES.map((visibility) => {
          const { label, icon: Icon } = VISIBILITY_WORDS[visibility]
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
          Votre adresse email n’est visible que de vos relations et des personnes à qui vous envoyez
          une demande.
        </li>
      </ul>
      <h3 className="mt-5 mb-2 font-sans font-semibold text-base tracking-normal">
        Personnes bloquées
      </h3>
      <BlockedPeople />
    </Panel>
  )
}
