import { MonitorSmartphone, Share } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { isIosBrowser, isStandalone } from '#web/lib/device.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'

/** Offers to install the site as an app; renders nothing where it is installed, or cannot be. */
export function InstallPanel() {
  const install = useInstall()
  if (isStandalone()) return null
  if (install) {
    return (
      <Panel title="L’application" intro={INTRO}>
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
    <Panel title="L’application" intro={INTRO}>
      <p className="flex items-start gap-3">
        <Share aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-wax-ink" />
        <span>
          Touchez «&#8239;Partager&#8239;» dans la barre du navigateur, puis «&#8239;Sur l’écran
          d’accueil&#8239;».
        </span>
      </p>
    </Panel>
  )
}

const INTRO = 'Sur votre écran d’accueil, et prête à écrire même sans réseau.'

/** An event that TypeScript has no type for. */
interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

// The first script of the page stores the event, which may come before this code.
const installable = window as Window & { installOffer?: InstallPrompt | undefined }

function subscribe(listener: () => void): () => void {
  const onInstalled = () => {
    installable.installOffer = undefined
    listener()
  }
  window.addEventListener('beforeinstallprompt', listener)
  window.addEventListener('appinstalled', onInstalled)
  return () => {
    window.removeEventListener('beforeinstallprompt', listener)
    window.removeEventListener('appinstalled', onInstalled)
  }
}

/** Installs the site as an app; undefined where the browser does not offer it. */
function useInstall(): (() => void) | undefined {
  const offer = useSyncExternalStore(subscribe, () => installable.installOffer)
  return offer && (() => void offer.prompt())
}
