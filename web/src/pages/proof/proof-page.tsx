import { useMutation, useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { fetchLogEnd, fetchVerifierHashes } from '#web/features/proofs/proofs.queries.ts'
import { FORMAT_FILE, VerifierLink } from '#web/features/proofs/verifier-link.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import { useHydrated } from '#web/lib/hooks.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

const Comparisons = lazy(async () => ({
  default: (await import('./comparisons.tsx')).Comparisons,
}))

// What this browser remembers is read with the code that checks it, and only in a browser.
const RememberedCheckpoints = lazy(async () => ({
  default: (await import('./remembered-checkpoints.tsx')).RememberedCheckpoints,
}))

/** The page that compares the checkpoint of a mail with the log of today. */
export function ProofPage() {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (pasted: string) => (await import('./compare-with-log.ts')).compare(pasted),
  })
  const isHydrated = useHydrated()
  return (
    <article className="container-page flex max-w-3xl flex-col gap-6 pt-10 sm:pt-14">
      <header>
        <PageHeading documentTitle="La preuve">La preuve</PageHeading>
        <p className="mt-4 text-ink-soft text-lg">
          Chaque révélation scellée, puis chaque modification, laisse une empreinte dans un journal
          public. L’empreinte ne dit rien de la lettre&#8239;; au dévoilement, chacun peut
          recalculer que ce qui se lit est ce qui a été scellé. La date, elle, est celle que ce site
          a écrite&#8239;: qui garde un état signé du journal peut voir s’il a été réécrit depuis.
        </p>
      </header>
      <Panel
        title="Un point de contrôle reçu par e-mail"
        intro="Les e-mails d’une lettre ont, en pièce jointe, l’état signé du journal à ce moment-là (preuve.txt). Collez-le ici, ou plusieurs à la fois&#8239;: votre navigateur les garde, et calcule si le journal d’aujourd’hui les contient toujours, inchangés."
      >
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            // From the field itself: a state would lack what was pasted before React took the page over.
            mutate(String(new FormData(event.currentTarget).get('checkpoints')))
          }}
        >
          <TextArea
            label="Le point de contrôle, ou tout le bas de l’e-mail"
            name="checkpoints"
            rows={6}
            className="[&_textarea]:font-mono"
            spellCheck={false}
            autoComplete="off"
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
          {data && (
            <Suspense>
              <Comparisons comparisons={data} />
            </Suspense>
          )}
        </form>
      </Panel>
      {isHydrated && (
        <Suspense>
          <RememberedCheckpoints />
        </Suspense>
      )}
      <Panel
        title="Le vérificateur"
        intro="Une seule page, qui s’ouvre sans connexion et n’envoie rien. Elle porte la clé de ce journal et ne croit qu’elle. Donnez-lui la preuve téléchargée sous une révélation, et son fichier s’il y en a un."
      >
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <VerifierLink />
          <a href={FORMAT_FILE} className="font-semibold underline underline-offset-4">
            Le format des preuves (en anglais)
          </a>
        </div>
        <VerifierHashes />
      </Panel>
      <LogPanel />
    </article>
  )
}

/** The key that every proof of this site names, and the last checkpoint of its log. */
function LogPanel() {
  const { data, error } = useQuery({
    queryKey: ['log end'],
    // An empty log is an answer.
    queryFn: async () => (await fetchLogEnd()) ?? null,
  })
  return (
    <Panel
      title="La clé du journal"
      intro="Celle que nomme toute preuve de ce site, suivie de son dernier point de contrôle. Gardez-les ailleurs&#8239;: si ce qu’ils couvrent était réécrit, vous pourriez le montrer."
    >
      {data ? (
        <div className="flex flex-col gap-3">
          <Text label="Clé" text={data.key} />
          <Text label="Dernier point de contrôle" text={data.note.trimEnd()} />
        </div>
      ) : error ? (
        <Notice tone="error">
          {errorSentence(error, 'Le journal n’a pas pu être lu. Rechargez la page.')}
        </Notice>
      ) : data === null ? (
        <p className="text-ink-soft">
          Le journal est encore vide&#8239;: la première révélation scellée l’ouvrira, dans la
          minute.
        </p>
      ) : (
        <Skeleton className="h-52 w-full rounded-field!" />
      )}
    </Panel>
  )
}

const TO_CHECK = `sed 's#\\(id="known-log">\\)[^<]*#\\1null#' verificateur-revelations.html | sha256sum`

/** By what anybody tells that a verifier is the published one. A site without it has no verifier to download either. */
function VerifierHashes() {
  const { data } = useQuery({
    queryKey: ['verifier hashes'],
    queryFn: async () => (await fetchVerifierHashes()) ?? null,
  })
  if (!data) return null
  return (
    <div className="mt-5 flex flex-col gap-3">
      {data.map(({ file, sha256 }) => (
        <Text key={file} label={`Empreinte (SHA-256) de ${file}`} text={sha256} />
      ))}
      <p className="text-ink-soft text-sm leading-relaxed">
        Pour savoir si un vérificateur est bien celui-ci, remettez le mot «&#8239;null&#8239;» à la
        place de ce qui suit id="known-log"&gt; jusqu’au prochain &lt;, puis calculez le SHA-256 du
        fichier&#8239;: ce doit être la première de ces empreintes, qui est aussi dans le code
        source publié (docs/verifier.sha256). En une commande&#8239;:
      </p>
      <Text label="Commande" text={TO_CHECK} />
    </div>
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
