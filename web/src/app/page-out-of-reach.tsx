import { onlineManager } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { probeServer, useOnline } from '#web/lib/online.ts'
import { paths } from '#web/lib/paths.ts'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

/** In the place of a page whose code is not on this device, while no network can bring it. */
export function PageOutOfReach({ children }: { children: ReactNode }) {
  useEffect(() => void probeServer(), [])
  return useOnline() ? children : <WaitingPage />
}

function WaitingPage() {
  useEffect(
    () =>
      onlineManager.subscribe((isOnline) => {
        if (isOnline) window.location.reload()
      }),
    [],
  )
  return (
    <main className="container-page flex min-h-[70dvh] flex-col items-center justify-center gap-5 py-16 text-center">
      <WaxSeal initial="R" className="size-24" />
      <h1 className="text-3xl">Cette page attend le réseau</h1>
      <p className="max-w-md text-ink-soft">
        Vous êtes hors ligne. Elle s’ouvrira d’elle-même dès que le réseau sera revenu. En
        attendant, vous pouvez écrire&#8239;: la lettre sera gardée sur cet appareil.
      </p>
      <a
        href={paths.create}
        className="inline-flex min-h-11 items-center px-3 font-semibold underline underline-offset-4"
      >
        Écrire une lettre
      </a>
    </main>
  )
}
