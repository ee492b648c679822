import { instantInWords } from '#contract/date-in-words.ts'
import type { Sound } from '#contract/sounds.ts'
import { useCountdown, useTicking } from '#web/lib/countdown.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { lockWords } from './lock-words.ts'

interface LockedDialogProps {
  sound: LockedSound | undefined
  onClose: () => void
}

export type LockedSound = Sound & { reveal_date: string }

/** Said to whoever would like to hear a sound before its time. */
export function LockedDialog({ sound, onClose }: LockedDialogProps) {
  return sound ? <Locked sound={sound} onClose={onClose} /> : null
}

function Locked({ sound, onClose }: { sound: LockedSound; onClose: () => void }) {
  const { reveal_date, time_zone, reveal_message, author_pseudo } = sound
  const when = useTicking(() => lockWords(reveal_date, time_zone, serverNow()))
  const countdown = useCountdown(reveal_date)
  const date = instantInWords(new Date(reveal_date), time_zone)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Ce message sera révélé ${when}`}
      footer={<Button onClick={onClose}>J’attendrai</Button>}
    >
      <div className="sky-night voice-sky mt-4 rounded-card px-5 py-7 text-center text-ink">
        <p className="break-words font-serif text-2xl leading-tight">{sound.title}</p>
        <p className="mt-1 text-ink-soft">@{author_pseudo}</p>
        <p aria-hidden="true" aria-live="off" className="digits mt-5 font-bold text-3xl">
          {countdown}
        </p>
        <p className="mt-1">
          Le <time dateTime={reveal_date}>{date}</time>
        </p>
      </div>
      {reveal_message && (
        <blockquote className="mt-4 whitespace-pre-line break-words border-wax-ink border-l-3 pl-4 text-lg">
          {reveal_message}
        </blockquote>
      )}
    </Dialog>
  )
}
