import { type FormEvent, useId, useState } from 'react'
import {
  declarationSchema,
  OUTCOMES,
  type Outcome,
  type Prediction,
  SOURCE_MAX_LENGTH,
} from '#contract/predictions.ts'
import type { Revelation } from '#contract/revelations.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { OUTCOME_LABELS } from './outcome-labels.ts'
import { useDeclareOutcome } from './predictions.queries.ts'

const CHOICES = OUTCOMES.map((value) => {
  const { label, hint, icon: Icon, ink } = OUTCOME_LABELS[value]
  return { value, label, hint, icon: <Icon className={`size-5 ${ink}`} /> }
})

interface DeclareDialogProps {
  revelation: Revelation
  declared: Prediction['declared']
  onDeclared: () => void
  onClose: () => void
}

/** The author declares the outcome of their prediction, with a source. */
export function DeclareDialog({ revelation, declared, onDeclared, onClose }: DeclareDialogProps) {
  const formId = useId()
  const [outcome, setOutcome] = useState<Outcome | undefined>(declared?.outcome)
  const [source, setSource] = useState(declared?.source_url ?? '')
  const [refused, setRefused] = useState<Record<string, string>>({})
  const {
    mutate: declare,
    isPending,
    error,
  } = useDeclareOutcome(revelation.id, () => {
    onDeclared()
    onClose()
  })
  const errors = { ...(error instanceof ApiError && error.fields), ...refused }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const checked = declarationSchema.safeParse({ outcome, source_url: source })
    setRefused(checked.success ? {} : sentencesOf(checked.error.issues))
    if (!checked.success) return
    declare(checked.data)
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={declared ? 'Modifier l’issue' : 'Déclarer l’issue'}
      description="Une issue se change, jamais en silence&#8239;: la date du changement et l’issue précédente restent affichées."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Annuler
          </Button>
          <Button type="submit" form={formId} busy={isPending} busyLabel="Enregistrement">
            {declared ? 'Modifier' : 'Déclarer'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className="mt-4 flex flex-col gap-5" onSubmit={submit}>
        <ChoiceTiles
          legend="Votre prédiction s’est-elle réalisée&#8239;?"
          name="outcome"
          choices={CHOICES}
          value={outcome}
          onChange={setOutcome}
          layout="pairs"
          error={errors.outcome}
        />
        <TextField
          label="Source"
          optional
          hint="Une adresse https:// où chacun peut vérifier. Tout le monde la verra."
          type="url"
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={SOURCE_MAX_LENGTH}
          placeholder="https://"
          value={source}
          error={errors.source_url}
          onChange={(event) => setSource(event.target.value)}
        />
        {error && !errors.outcome && !errors.source_url && (
          <Notice tone="error">
            {errorSentence(error, 'L’issue n’a pas pu être enregistrée. Réessayez.')}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}

function sentencesOf(issues: readonly { path: PropertyKey[]; message: string }[]) {
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]))
}
