import { Download, FileCheck } from 'lucide-react'
import { assertedVersions, factsInWords, versionInWords } from '#contract/proofs/facts-in-words.ts'
import type { Facts, SealedVersion, Verdict } from '#contract/proofs/verdict.ts'
import type { Revelation } from '#contract/revelations.ts'
import { saveJson } from '#web/lib/device.ts'
import { formatBytes } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { ContradictionNotice } from './contradiction-notice.tsx'
import { formatProvedInstant } from './proved-instant.ts'
import { filesOf, sealedFilesOf, sizeOfFiles } from './sealed-files.ts'
import type { useVerification } from './use-verification.ts'
import { VerdictLines, VerdictSteps } from './verdict-lines.tsx'
import { VerifierLink } from './verifier-link.tsx'

type Verification = ReturnType<typeof useVerification>

interface CheckedSealProps {
  revelation: Revelation
  verification: Verification
  checked: NonNullable<Verification['checked']>
}

/** The result of a verification, step by step, and the proof to download. */
export function CheckedSeal({ revelation, verification, checked }: CheckedSealProps) {
  const { verdict, contradictions, isStored } = checked
  const [contradiction] = contradictions
  const hasCopies = filesOf(revelation)?.some(({ is_sealed }) => !is_sealed)
  return (
    <>
      <VerdictLines verdict={verdict} />
      {contradiction && <ContradictionNotice evidence={contradiction} />}
      <VerdictSteps verdict={verdict} />
      <FilesStep revelation={revelation} verification={verification} checked={checked} />
      <VerdictFacts verdict={verdict} />
      {!isStored && (
        <Notice tone="warning">
          Ce navigateur ne peut rien garder&#8239;: la prochaine visite ne pourra pas comparer.
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          icon={<Download aria-hidden="true" className="size-5" />}
          onClick={() => saveJson(checked.proof, `preuve-${revelation.id}.json`)}
        >
          Télécharger la preuve
        </Button>
        <VerifierLink />
      </div>
      <p className="text-ink-soft text-sm">
        Le vérificateur est une page qui s’ouvre sans connexion et ne croit que la clé de ce
        site&#8239;: donnez-lui la preuve, et les fichiers s’il y en a
        {hasCopies && ', hors les images, qui sont ici des copies'}.
      </p>
    </>
  )
}

/** Large files are read only on demand. */
function FilesStep({ revelation, verification, checked }: CheckedSealProps) {
  const { readBytes, isWorking, verifyFiles } = verification
  const size = sizeOfFiles(revelation)
  if (size === null) return null
  const count = sealedFilesOf(revelation).length
  if (readBytes !== undefined) {
    const detail = `${formatBytes(readBytes)} sur ${formatBytes(size)}`
    return (
      <ProgressBar
        label={count === 1 ? 'Lecture du fichier' : 'Lecture des fichiers'}
        percent={(readBytes / size) * 100}
        detail={detail}
      />
    )
  }
  const isUnread = checked.verdict.steps.some(
    ({ name, because }) =>
      name === 'file' && (because === 'file not given' || because === 'files not given'),
  )
  if (!isUnread || isWorking) return null
  return (
    <div>
      <Button
        variant="secondary"
        icon={<FileCheck aria-hidden="true" className="size-5" />}
        onClick={verifyFiles}
      >
        {count === 1 ? 'Vérifier le fichier' : `Vérifier les ${count} fichiers`} (
        {formatBytes(size)})
      </Button>
    </div>
  )
}

/** What is verified and what is only claimed never stand under one heading. */
function VerdictFacts({ verdict }: { verdict: Verdict }) {
  const { facts, claims } = verdict
  const asserted = assertedVersions(verdict)
  return (
    <>
      {facts && <FactList title="Ce que dit la preuve" facts={facts} />}
      {!facts && claims && <FactList title="Ce que cette preuve affirme" facts={claims} />}
      {asserted.length > 0 && (
        <div className="flex flex-col gap-3">
          <h3 className="text-lg">Ce que cette preuve affirme</h3>
          <SealedVersions versions={asserted} />
        </div>
      )}
    </>
  )
}

function FactList({ title, facts }: { title: string; facts: Facts }) {
  // The letter itself stands above the panel.
  const rows = factsInWords(facts, formatProvedInstant).filter(([name]) => name !== 'Texte')
  return (
    <div className="flex flex-col gap-3">
      <h3 className="text-lg">{title}</h3>
      <SealedVersions versions={facts.versions} />
      <dl className="flex flex-col gap-2.5">
        {rows.map(([name, value]) => (
          <div key={name} className="min-w-0 leading-snug">
            <dt className="text-ink-soft text-sm">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function SealedVersions({ versions }: { versions: readonly SealedVersion[] }) {
  return (
    <ol className="flex flex-col gap-3 border-line border-l-2 pl-4">
      {versions.map((version) => {
        const { done, place } = versionInWords(version, formatProvedInstant)
        return (
          <li key={`${version.version} ${version.sealedAt}`} className="min-w-0 leading-snug">
            <p>{done}</p>
            <p className="text-ink-soft text-sm">{place}</p>
          </li>
        )
      })}
    </ol>
  )
}
