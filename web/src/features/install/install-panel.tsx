import { MonitorSmartphone, Share } from 'lucide-react'
import { isIosBrowser, isStandalone } from '#web/lib/installed-state.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useInstall } from './install-offer.ts'

/** How the site becomes an app on this device; nothing where it is one, or cannot. */
export function InstallPanel() {
  const install = useInstall()
  if (isStandalone()) return null
  if (install) {
    return (
      <Panel title="L’application" intro={WHY}>
        <Button
          variant="secondary"
          className="max-sm:w-full"
          icon={<MonitorSmartphone aria-hidden="true" className="size-5" />}
          onClick={install}
        >
          Installer l’application
        </Button>
      </Panel>
    )
  }
  if (!isIosBrowser()) return null
  return (
    <Panel title="L’application" intro={WHY}>
      <p className="flex items-start gap-3">
        <Share aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-wax-ink" />
        <span>
          Touchez «&nbsp;Partager&nbsp;» dans la barre du navigateur, puis «&nbsp;Sur l’écran
          d’accueil&nbsp;».
        </span>
      </p>
    </Panel>
  )
}

const WHY = 'Sur votre écran d’accueil, et prête à écrire même sans réseau.'
