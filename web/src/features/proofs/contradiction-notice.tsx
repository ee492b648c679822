import { Download } from 'lucide-react'
import type { Evidence } from '#contract/proofs/evidence.ts'
import { saveJson } from '#web/lib/device.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { formatProvedInstant } from './proved-instant.ts'

const TOGETHER = 'qui ne peuvent pas être vrais ensemble'

/** What of the two was seen; of a fork and of another key the log may still show that it is not so. */
const SHOWN: Readonly<Record<Evidence['kind'], string>> = {
  roots: TOGETHER,
  shrunk: TOGETHER,
  v2_from: TOGETHER,
  dates: 'qui ne peuvent pas être vrais tous deux avec la date d’une lettre',
  key: 'par deux clés, dont l’ancienne n’a pas reconnu la nouvelle',
  fork: 'dont il n’a pas su montrer que l’un prolonge l’autre',
}

/** What this browser holds against the log for good, to be shown to others. */
export function ContradictionNotice({ evidence }: { evidence: Evidence }) {
  const { origin, found_at, kind } = evidence
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
      <span className="[overflow-wrap:anywhere]">{origin}</span> deux points de contrôle signés{' '}
      {SHOWN[kind]}. Ils sont gardés ici.
    </Notice>
  )
}

function saveEvidence(evidence: Evidence): void {
  const date = evidence.found_at.slice(0, 10)
  saveJson(evidence, `contradiction-${date}.json`)
}
