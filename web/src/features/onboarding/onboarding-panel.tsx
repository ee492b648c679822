import { Compass } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { OnboardingDialog } from './parts.ts'

/** The way to be shown around again. */
export function OnboardingPanel() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Panel title="Découvrir" intro="Ce que l’on peut faire ici, en sept images.">
      <Button
        ref={button}
        variant="secondary"
        icon={<Compass aria-hidden="true" className="size-5" />}
        className="max-sm:w-full"
        onClick={() => setOpen(true)}
      >
        Revoir la présentation
      </Button>
      {isOpen && (
        <Suspense>
          <OnboardingDialog onClose={() => setOpen(false)} returnTo={() => button.current} />
        </Suspense>
      )}
    </Panel>
  )
}
