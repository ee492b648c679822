import { readCheckpoint } from '#contract/proofs/checkpoint.ts'
import { entriesInWords } from '#contract/proofs/facts-in-words.ts'
import type { Held } from '#contract/proofs/held-checkpoints.ts'
import { rememberedOf } from '#contract/proofs/log-memory.ts'
import { ContradictionNotice } from '#web/features/proofs/contradiction-notice.tsx'
import { loadMemory } from '#web/features/proofs/log-memory-store.ts'
import { formatProvedInstant } from '#web/features/proofs/proved-instant.ts'
import { Panel } from '#web/ui/panel.tsx'

/** What this browser holds against the log, and what it saw of it that cannot be true. */
export function RememberedCheckpoints() {
  const memory = loadMemory(new Date())
  const logs = Object.keys(memory.logs).map((origin) => ({
    origin,
    ...rememberedOf(memory, origin),
  }))
  if (logs.length === 0) return null
  return (
    <Panel
      title="Ce que ce navigateur garde"
      intro="Chaque nouveau point de contrôle doit prolonger ceux-ci. Rien n’est remplacé avant que ce soit calculé."
    >
      <div className="flex flex-col gap-5">
        {logs.map(({ origin, held, unproven, contradictions }) => (
          <section key={origin} className="flex flex-col gap-3">
            <h3 className="font-sans! font-semibold text-base [overflow-wrap:anywhere]">
              {origin}
            </h3>
            {contradictions.map((evidence) => (
              <ContradictionNotice key={JSON.stringify(evidence.notes)} evidence={evidence} />
            ))}
            <ul className="flex flex-col gap-3 border-line border-l-2 pl-4">
              {held.map((one) => (
                <RememberedCheckpoint key={one.note} remembered={one} isLinked />
              ))}
              {unproven.map((one) => (
                <RememberedCheckpoint key={one.note} remembered={one} isLinked={false} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Panel>
  )
}

const SOURCES = { met: 'rencontré sur une page', mailed: 'collé ici' } as const

interface RememberedCheckpointProps {
  remembered: Held
  isLinked: boolean
}

function RememberedCheckpoint({ remembered, isLinked }: RememberedCheckpointProps) {
  const { note, source, since } = remembered
  const checkpoint = readCheckpoint(note)
  if (!checkpoint) return null
  const { size, dated } = checkpoint
  return (
    <li className="min-w-0 leading-snug">
      <p>
        <strong className="font-semibold">{entriesInWords(size)}</strong>
        {dated ? `, signé le ${formatProvedInstant(dated.signedAt)}` : ', sans date signée'}
      </p>
      <p className="text-ink-soft text-sm">
        {isLinked ? 'Relié' : 'Pas encore relié'} · {SOURCES[source]} le{' '}
        {formatProvedInstant(since)}
      </p>
    </li>
  )
}
