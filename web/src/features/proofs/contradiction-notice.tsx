import { Download } from 'lucide-react'
import type { Evidence } from '#contract/proofs/evidence.ts'
import { saveFile } from '#web/lib/device.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { formatProvedInstant } from './proved-instant.ts'

/** What this browser holds against the log for good, to be shown to others. */
export function ContradictionNotice({ evidence }: { evidence: Evidence }) {
  const { origin, found_at } = evidence
  return (
    <Notice
      tone="error"
      title="Le journal s’est contredit"
      action={
        <Button
          variant="secondary"
          icon={<Download aria-hidden="true" className="size-5" />}
          onClick={() => saveEvidence(evidence)}
        >
          Télécharger les deux points de contrôle
        </Button>
      }
    >
      Le {formatProvedInstant(found_at)}, ce navigateur a reçu du journal{' '}
      <span className="[overflow-wrap:anywhere]">{origin}</span> deux points de contrôle signés qui
      ne peuvent pas être vrais ensemble. Ils sont gardés ici.
    </Notice>
  )
}

function saveEvidence(evidence: Evidence): void {
  const json = `${JSON.stringify(evidence, null, 2)}\n`
  const date = evidence.found_at.slice(0, 10)
  saveFile(new Blob([json], { type: 'application/json' }), `contradiction-${date}.json`)
}
