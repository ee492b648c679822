import { FileCode } from 'lucide-react'

const VERIFIER_FILE = '/verificateur.html'
/** What a verifier of one’s own is written from. */
export const FORMAT_FILE = '/format-de-preuve.md'
/** The SHA-256 of both, as `sha256sum` writes them. */
export const HASHES_FILE = '/verificateur.sha256'

/** Downloads the page that verifies proofs without this site. */
export function VerifierLink() {
  return (
    <a
      href={VERIFIER_FILE}
      download="verificateur-revelations.html"
      className="inline-flex min-h-11 items-center justify-center gap-2 rounded-field border border-line-strong bg-surface px-4 py-2 text-center font-semibold text-ink leading-tight hover:bg-sunken"
    >
      <FileCode aria-hidden="true" className="size-5" />
      Télécharger le vérificateur
    </a>
  )
}
