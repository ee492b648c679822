import type { SealedVersion } from '#contract/proofs/proof.ts'
import { formatShortInstant } from '#web/lib/french-dates.ts'

interface SealedVersionsProps {
  versions: readonly SealedVersion[]
  timeZone: string
}

const count = new Intl.NumberFormat('fr')

/** What was sealed when, from the creation on. */
export function SealedVersions({ versions, timeZone }: SealedVersionsProps) {
  return (
    <ol className="flex flex-col gap-3 border-line border-l-2 pl-4">
      {versions.map(({ version, kind, sealed_at, commitment, leaf }) => (
        <li key={version} className="min-w-0 leading-snug">
          <p>
            <strong className="font-semibold">Version {version}</strong>
            {kind === 'create' ? ', scellée le ' : ', modifiée le '}
            <time dateTime={sealed_at}>{formatShortInstant(sealed_at, timeZone)}</time>
          </p>
          <p className="text-ink-soft text-sm [overflow-wrap:anywhere]">
            Empreinte <code>{commitment}</code>
          </p>
          <p className="text-ink-soft text-sm">
            {leaf === null
              ? 'Bientôt inscrite au journal'
              : `Inscription n°\u00A0${count.format(leaf + 1)} au journal`}
          </p>
        </li>
      ))}
    </ol>
  )
}
