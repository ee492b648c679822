import { ShieldCheck } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { provedInstantInWords } from '#contract/date-in-words.ts'
import { isOwn, type Revelation } from '#contract/revelations.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { useBrowserTimeZone } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { useIsFreshlySealed } from './fresh-seal.ts'
import { useVerification } from './use-verification.ts'

const CheckedSeal = lazy(async () => ({
  default: (await import('./checked-seal.tsx')).CheckedSeal,
}))

const SealReceipt = lazy(async () => ({
  default: (await import('./seal-receipt.tsx')).SealReceipt,
}))

const SHOWN_DIGITS = 12

/** When it was sealed, and its verification in this browser. */
export function SealDetails({ revelation }: { revelation: Revelation }) {
  const verification = useVerification(revelation)
  const { checked, isWorking, progress, error } = verification
  // It stands above meanwhile.
  const isFresh = useIsFreshlySealed(revelation)
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft">
        <SealLine revelation={revelation} />
      </p>
      {isOwn(revelation) && !isFresh && (
        <Suspense>
          <SealReceipt revelation={revelation} />
        </Suspense>
      )}
      <p className="text-ink-soft">
        L’empreinte est inscrite dans un journal public. Votre navigateur peut recalculer lui-même
        que la lettre est celle de cette empreinte&#8239;; de la date, seul le site répond.
      </p>
      <div>
        <Button
          variant="secondary"
          icon={<ShieldCheck aria-hidden="true" className="size-5" />}
          busy={isWorking}
          busyLabel="Vérification…"
          onClick={verification.verify}
        >
          {checked ? 'Vérifier à nouveau' : 'Vérifier'}
        </Button>
      </div>
      {progress !== undefined && <ProgressBar label="Vérification" percent={progress * 100} />}
      {error !== undefined && (
        <Notice tone="error">
          {errorSentence(error, 'La vérification n’a pas pu être menée à son terme. Réessayez.')}
        </Notice>
      )}
      {checked && (
        <Suspense>
          <CheckedSeal revelation={revelation} verification={verification} checked={checked} />
        </Suspense>
      )}
    </div>
  )
}

function SealLine({ revelation }: { revelation: Revelation }) {
  const { version, created_at, updated_at, commitment, public_since } = revelation
  const isPublicLater = public_since && public_since !== created_at
  const ownZone = useBrowserTimeZone() ?? revelation.time_zone
  const instant = (at: string) => (
    <time dateTime={at}>{provedInstantInWords(new Date(at), ownZone)}</time>
  )
  return (
    <>
      Scellée le {instant(created_at)}
      {' · '}version&nbsp;{version}
      {version > 1 && <>, modifiée le {instant(updated_at)}</>}
      {isPublicLater && (
        <>
          {' · '}publique depuis le {instant(public_since)}
        </>
      )}
      {' · '}empreinte{' '}
      <code className="text-ink [overflow-wrap:anywhere]">
        {commitment.slice(0, SHOWN_DIGITS)}…
      </code>
    </>
  )
}
