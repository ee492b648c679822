import { ShieldCheck } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { formatShortInstant, useBrowserTimeZone } from '#web/lib/dates.ts'
import { useHydrated } from '#web/lib/hooks.ts'
import { paths } from '#web/lib/paths.ts'
import { siteOrigin } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useVerification } from './use-verification.ts'

const CheckedSeal = lazy(async () => ({
  default: (await import('./checked-seal.tsx')).CheckedSeal,
}))

const SHOWN_DIGITS = 12

/** The seal in one line, and its verification in this browser. */
export function SealPanel({ revelation }: { revelation: Revelation }) {
  const verification = useVerification(revelation)
  const { checked, isWorking, error } = verification
  const isHydrated = useHydrated()
  return (
    <Panel title="Le sceau" intro={<SealLine revelation={revelation} />} className="paper-note">
      <p className="hidden print:block">
        À vérifier sur {siteOrigin()}
        {paths.revelation(revelation.id)}
      </p>
      <div className="flex print:hidden flex-col gap-5">
        <p className="text-ink-soft">
          L’empreinte est inscrite dans un journal public. Votre navigateur peut tout recalculer
          lui-même, sans nous croire sur parole.
        </p>
        <div>
          <Button
            variant="secondary"
            icon={<ShieldCheck aria-hidden="true" className="size-5" />}
            busy={isWorking}
            busyLabel="Vérification…"
            // A tap before hydration would have no effect.
            disabled={!isHydrated}
            onClick={verification.verify}
          >
            {checked ? 'Vérifier à nouveau' : 'Vérifier'}
          </Button>
        </div>
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
    </Panel>
  )
}

function SealLine({ revelation }: { revelation: Revelation }) {
  const { version, created_at, updated_at, time_zone, commitment } = revelation
  const ownZone = useBrowserTimeZone() ?? time_zone
  return (
    <>
      Scellée le{' '}
      <time dateTime={created_at}>{formatShortInstant(created_at, time_zone, ownZone)}</time>
      {' · '}version&nbsp;{version}
      {version > 1 && (
        <>
          , modifiée le{' '}
          <time dateTime={updated_at}>{formatShortInstant(updated_at, time_zone, ownZone)}</time>
        </>
      )}
      {' · '}empreinte{' '}
      <code className="text-ink [overflow-wrap:anywhere]">
        {commitment.slice(0, SHOWN_DIGITS)}
        <span className="print:hidden">…</span>
        <span className="hidden print:inline">{commitment.slice(SHOWN_DIGITS)}</span>
      </code>
    </>
  )
}
