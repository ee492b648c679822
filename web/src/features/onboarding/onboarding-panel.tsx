import { Compass } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { OnboardingDialog } from './onboarding-dialog.tsx'

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
        <OnboardingDialog onClose={() => setOpen(false)} returnTo={() => button.current} />
      )}
    </Panel>
  )
}
