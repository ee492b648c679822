import { Smartphone } from 'lucide-react'
import { useMemo } from 'react'
import { lengthInWords } from '#contract/date-in-words.ts'
import { formatBytes } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { useWakeLock } from './use-wake-lock.ts'

interface TransferProgressProps {
  label: string
  loadedBytes: number
  sizeBytes: number
  /** A hint beside « L’écran reste allumé ». */
  meanwhile?: string
  onCancel: () => void
}

/** The progress of a file; the screen stays on meanwhile, where the browser can. */
export function TransferProgress({
  label,
  loadedBytes,
  sizeBytes,
  meanwhile = '',
  onCancel,
}: TransferProgressProps) {
  const isScreenOn = useWakeLock(true)
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
          {isScreenOn
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

function useTimeLeft(loadedBytes: number, totalBytes: number): string | undefined {
  const measure = useMemo(() => measureTimeLeft(totalBytes), [totalBytes])
  return useMemo(
    () => formatTimeLeft(measure(loadedBytes, performance.now())),
    [measure, loadedBytes],
  )
}

// Long enough to smooth the ups and downs of a phone.
const WINDOW_MS = 15_000
const ESTIMATE_AFTER_MS = 4_000
const SHOWN_FROM_SECONDS = 8

interface Sample {
  atMs: number
  bytes: number
}

/** Seconds for the rest at the speed of the last seconds; undefined while it would be a guess. */
function measureTimeLeft(totalBytes: number) {
  let samples: Sample[] = []
  return (bytes: number, atMs: number): number | undefined => {
    const last = samples.at(-1)
    // After a restart, the speed is measured anew.
    if (last && bytes < last.bytes) samples = []
    samples.push({ atMs, bytes })
    samples = samples.filter((sample) => atMs - sample.atMs <= WINDOW_MS)
    const [first] = samples
    if (!first || atMs - first.atMs < ESTIMATE_AFTER_MS || bytes <= first.bytes) return undefined
    const bytesPerMs = (bytes - first.bytes) / (atMs - first.atMs)
    return (totalBytes - bytes) / bytesPerMs / 1000
  }
}

/** « encore 40 s », « encore 3 min »; undefined near the end. */
function formatTimeLeft(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds < SHOWN_FROM_SECONDS) return undefined
  const rounded = seconds < 60 ? Math.ceil(seconds / 10) * 10 : Math.ceil(seconds / 60) * 60
  return `encore ${lengthInWords(rounded)}`
}
