import { Smartphone } from 'lucide-react'
import { formatBytes } from '#web/lib/sizes.ts'
import { Button } from '#web/ui/button.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { useTimeLeft } from './use-time-left.ts'
import { useWakeLock } from './use-wake-lock.ts'

interface TransferProgressProps {
  label: string
  loadedBytes: number
  sizeBytes: number
  /** What else to say while the screen is kept on. */
  meanwhile?: string
  onCancel: () => void
}

/** How far a file is on its way; the screen stays on meanwhile, where the browser can. */
export function TransferProgress({
  label,
  loadedBytes,
  sizeBytes,
  meanwhile = '',
  onCancel,
}: TransferProgressProps) {
  const isScreenKept = useWakeLock(true)
  const timeLeft = useTimeLeft(loadedBytes, sizeBytes)
  const detail = [`${formatBytes(loadedBytes)} sur ${formatBytes(sizeBytes)}`, timeLeft]
  return (
    <div className="flex flex-col gap-3">
      <ProgressBar
        label={label}
        percent={sizeBytes > 0 ? (loadedBytes / sizeBytes) * 100 : 100}
        detail={detail.filter(Boolean).join(' · ')}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex min-w-0 flex-1 basis-56 items-start gap-2 text-ink-soft text-sm">
          <Smartphone aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {isScreenKept
            ? `L’écran reste allumé pendant l’envoi. ${meanwhile}`.trim()
            : 'Gardez cette page ouverte et votre téléphone actif pendant l’envoi.'}
        </p>
        <Button variant="secondary" onClick={onCancel}>
          Annuler l’envoi
        </Button>
      </div>
    </div>
  )
}
