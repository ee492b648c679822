import { useMutation, useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { fetchLogEnd } from '#web/features/proofs/proofs.queries.ts'
import { VerifierLink } from '#web/features/proofs/verifier-link.tsx'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { counted, formatCount } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import type { Outcome } from './compare-with-log.ts'

/** The page that compares the checkpoint of a mail with the log of today. */
export function ProofPage() {
  const [text, setText] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (pasted: string) => (await import('./compare-with-log.ts')).compare(pasted),
  })
  const result = data && COMPARISONS[data.outcome]
  return (
    <article className="container-page flex max-w-3xl flex-col gap-6 pt-10 sm:pt-14">
      <header>
        <PageHeading documentTitle="La preuve">La preuve</PageHeading>
        <p className="mt-4 text-ink-soft text-lg">
          Chaque révélation scellée, puis chaque modification, laisse une empreinte dans un journal
          public qui ne peut que grandir. L’empreinte ne dit rien de la lettre&#8239;; au
          dévoilement, chacun peut recalculer que rien n’a changé.
        </p>
      </header>
      <Panel
        title="Un point de contrôle reçu par e-mail"
        intro="Les e-mails d’une lettre ont, en pièce jointe, l’état signé du journal à ce moment-là (preuve.txt). Collez-le ici : votre navigateur calcule si le journal d’aujourd’hui le contient toujours, inchangé."
      >
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            mutate(text)
          }}
        >
          <TextArea
            label="Le point de contrôle, ou tout le bas de l’e-mail"
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

function Sizes({ pasted, now }: { pasted: number; now: number }) {
  return (
    <p className="tabular-digits mt-1 whitespace-normal! text-ink-soft">
      {counted(pasted, 'inscription', 'inscriptions')} alors, {formatCount(now)} aujourd’hui.
    </p>
  )
}

/** The key that every proof of this site names, and the last checkpoint of its log. */
function LogPanel() {
  const { data, error } = useQuery({
    queryKey: ['log end'],
    queryFn: fetchLogEnd,
  })
  return (
    <Panel
      title="La clé du journal"
      intro="Celle que nomme toute preuve de ce site, suivie de son dernier point de contrôle. Gardez-les ailleurs&#8239;: personne ne pourra plus réécrire ce qu’ils couvrent sans que cela se voie."
    >
      {data ? (
        <div className="flex flex-col gap-3">
          <Text label="Clé" text={data.key} />
          <Text label="Dernier point de contrôle" text={data.note.trimEnd()} />
        </div>
      ) : error ? (
        <Failure error={error} />
      ) : (
        <Skeleton className="h-52 w-full rounded-field!" />
      )}
    </Panel>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <figure>
      <figcaption className="text-ink-soft text-sm">{label}</figcaption>
      <pre className="mt-1 whitespace-pre-wrap rounded-field border border-line bg-sunken p-3 text-sm [overflow-wrap:anywhere]">
        {text}
      </pre>
    </figure>
  )
}

function Failure({ error }: { error: unknown }) {
  if (error instanceof ApiError && error.code === 'not_found') {
    return (
      <p className="text-ink-soft">
        Le journal est encore vide&#8239;: la première révélation scellée l’ouvrira, dans la minute.
      </p>
    )
  }
  return (
    <Notice tone="error">
      {errorSentence(error, 'Le journal n’a pas pu être lu. Rechargez la page.')}
    </Notice>
  )
}

interface ComparisonText {
  tone: 'success' | 'error' | 'warning'
  title: string
  sentence: string
}

const COMPARISONS: Readonly<Record<Outcome, ComparisonText>> = {
  contained: {
    tone: 'success',
    title: 'Le journal n’a pas été réécrit.',
    sentence: 'Celui d’aujourd’hui contient, inchangé, tout ce que ce point de contrôle couvrait.',
  },
  forked: {
    tone: 'error',
    title: 'Ces deux points de contrôle ne peuvent pas appartenir au même journal.',
    sentence:
      'Tous deux sont signés, mais l’un ne prolonge pas l’autre\u202F: le passé du journal a été réécrit. Gardez cet e-mail.',
  },
  not_signed: {
    tone: 'error',
    title: 'Ce point de contrôle ne porte pas la signature du journal.',
    sentence: 'Il a été modifié, copié en partie, ou vient d’un autre journal.',
  },
  unreadable: {
    tone: 'warning',
    title: 'Aucun point de contrôle dans ce texte.',
    sentence: 'Copiez les quatre lignes du bas de l’e-mail, de la première à la signature.',
  },
  unanswered: {
    tone: 'warning',
    title: 'Le journal n’a pas répondu.',
    sentence:
      'Ce point de contrôle est bien signé\u202F; ce qui le relie à aujourd’hui n’a pas pu être demandé.',
  },
}
