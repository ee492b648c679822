import { Scale } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { OUTCOMES, type Prediction } from '#contract/predictions.ts'
import type { Revelation } from '#contract/revelations.ts'
import { SignInLink } from '#web/features/auth/auth-links.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeclaredOutcome } from './declared-outcome.tsx'
import { VoteRow } from './vote-row.tsx'

const DeclareDialog = lazy(async () => ({
  default: (await import('./declare-dialog.tsx')).DeclareDialog,
}))

interface PredictionPanelProps {
  revelation: Revelation
  prediction: Prediction
  /** The record of the author has changed. */
  onDeclared: () => void
}

/** The outcome of a prediction on its page: by its author, and by its readers. */
export function PredictionPanel({ revelation, prediction, onDeclared }: PredictionPanelProps) {
  const { declared, votes } = prediction
  const [isDeclaring, setDeclaring] = useState(false)
  const total = OUTCOMES.reduce((sum, outcome) => sum + votes[outcome], 0)
  return (
    <Panel title="Qu’en est-il advenu&#8239;?">
      <div className="grid gap-6 md:grid-cols-2">
        <section aria-label="L’issue selon l’auteur" className="flex flex-col items-start gap-3">
          <h3 className="font-sans! font-semibold text-base">Selon l’auteur</h3>
          {declared ? (
            <DeclaredOutcome declared={declared} revelation={revelation} />
          ) : (
            <p className="text-ink-soft">
              {revelation.can.declare
                ? 'Vos lecteurs attendent de savoir si elle s’est réalisée.'
                : 'L’auteur n’a pas encore déclaré d’issue.'}
            </p>
          )}
          {revelation.can.declare && (
            <Button
              variant={declared ? 'secondary' : 'primary'}
              icon={<Scale aria-hidden="true" className="size-4.5" />}
              onClick={() => setDeclaring(true)}
            >
              {declared ? 'Modifier l’issue' : 'Déclarer l’issue'}
            </Button>
          )}
        </section>
        <section aria-label="L’issue selon les lecteurs" className="flex flex-col gap-3">
          <h3 className="font-sans! font-semibold text-base">
            Selon les lecteurs{' '}
            <span className="tabular-digits font-normal text-ink-soft">
              · {counted(total, 'vote', 'votes')}
            </span>
          </h3>
          <VoteRow revelation={revelation} prediction={prediction} />
          <WhoVotes revelation={revelation} hasVoted={prediction.my_vote !== null} />
        </section>
      </div>
      {prediction.counts === false && (
        <p className="mt-5 text-ink-soft text-sm">
          Hors bilan&#8239;: elle n’était pas une prédiction publique dès son scellement, ou s’est
          ouverte aussitôt.
        </p>
      )}
      {isDeclaring && (
        <Suspense>
          <DeclareDialog
            revelation={revelation}
            declared={declared}
            onDeclared={onDeclared}
            onClose={() => setDeclaring(false)}
          />
        </Suspense>
      )}
    </Panel>
  )
}

function WhoVotes({ revelation, hasVoted }: { revelation: Revelation; hasVoted: boolean }) {
  const { user } = useSession()
  if (!user) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-ink-soft text-sm">Connectez-vous pour voter</p>
        <SignInLink />
      </div>
    )
  }
  return (
    <p className="text-ink-soft text-sm">
      {revelation.can.declare
        ? 'Les lecteurs votent\u202F; vous, vous déclarez l’issue.'
        : hasVoted
          ? 'Votre vote compte. Touchez-le de nouveau pour le retirer.'
          : 'Un vote par personne, que vous pouvez changer. Personne ne voit le vôtre.'}
    </p>
  )
}
