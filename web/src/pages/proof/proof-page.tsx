import { useMutation } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { VerifierLink } from '#web/features/proofs/verifier-link.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import { counted, formatCount } from '#web/lib/counts.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { COMPARISONS } from './comparisons.ts'
import { LogPanel } from './log-panel.tsx'

/** Where somebody who kept a mail compares its checkpoint with the log of today. */
export function ProofPage() {
  const [text, setText] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (pasted: string) => (await import('./compare-with-log.ts')).compare(pasted),
  })
  const result = data && COMPARISONS[data.outcome]
  return (
    <article className="content flex max-w-3xl flex-col gap-6 pt-10 sm:pt-14">
      <header>
        <PageHeading documentTitle="La preuve">La preuve</PageHeading>
        <p className="mt-4 text-ink-soft text-lg">
          Chaque révélation scellée, puis chaque modification, laisse une empreinte dans un journal
          public qui ne peut que grandir. L’empreinte ne dit rien du contenu&nbsp;; au dévoilement,
          chacun peut recalculer que rien n’a changé.
        </p>
      </header>
      <Panel
        title="Un point de contrôle reçu par mail"
        intro="Chaque mail porte, tout en bas, l’état signé du journal à ce moment-là. Collez-le ici : votre navigateur calcule si le journal d’aujourd’hui le contient toujours, inchangé."
      >
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            mutate(text)
          }}
        >
          <TextArea
            label="Le point de contrôle, ou tout le bas du mail"
            rows={6}
            className="[&_textarea]:font-mono"
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div>
            <Button
              type="submit"
              icon={<ShieldCheck aria-hidden="true" className="size-5" />}
              busy={isPending}
              busyLabel="Vérification…"
            >
              Vérifier
            </Button>
          </div>
          {error && (
            <Notice tone="error">
              {errorSentence(error, 'Le journal n’a pas pu être lu. Réessayez.')}
            </Notice>
          )}
          {result && (
            <Notice tone={result.tone} title={result.title}>
              {result.sentence}
              {data.sizes && <Sizes {...data.sizes} />}
            </Notice>
          )}
        </form>
      </Panel>
      <Panel
        title="Le vérificateur"
        intro="Une seule page, qui s’ouvre sans connexion et n’envoie rien. Donnez-lui la preuve téléchargée sous une révélation, et son fichier s’il y en a un."
      >
        <VerifierLink />
      </Panel>
      <LogPanel />
    </article>
  )
}

function Sizes({ met, now }: { met: number; now: number }) {
  return (
    <p className="digits mt-1 whitespace-normal! text-ink-soft">
      {counted(met, 'inscription', 'inscriptions')} alors, {formatCount(now)} aujourd’hui.
    </p>
  )
}
