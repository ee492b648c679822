import { AudioLines, Square } from 'lucide-react'
import { useState } from 'react'
import { isOpen, type OpenRevelation, type Revelation } from '#contract/revelations.ts'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { storedSound } from './opening-sound.ts'
import type { OpeningSoundControls } from './use-opening-sound.ts'

/** Whether the seal is heard as it breaks, and the voice after it. This device remembers the choice. */
export function SoundSwitch({ revelation }: { revelation: Revelation }) {
  const [isOn, setOn] = useState(() => storedSound.read() ?? false)
  const hasVoice = isOpen(revelation) && revelation.seal_voice_url !== null
  return (
    <Switch
      label="Son"
      hint={
        hasVoice
          ? `Le sceau qui se brise, puis quelques mots de @${revelation.author_pseudo}`
          : 'Le sceau qui se brise'
      }
      className="mt-4 w-full max-w-xs text-left [overflow-wrap:anywhere]"
      checked={isOn}
      onChange={({ target }) => {
        setOn(target.checked)
        storedSound.write(target.checked)
      }}
    />
  )
}

interface SealVoiceProps {
  revelation: Revelation
  sound: OpeningSoundControls
}

/** What the voice says while it speaks over the opening, which is hidden from screen readers. */
export function SealVoiceCaption({ revelation, sound }: SealVoiceProps) {
  const words = isOpen(revelation) ? revelation.seal_voice_words : null
  if (sound.speaksIn !== 'opening' || words === null) return null
  return (
    <p className="theme-night pointer-events-none fixed inset-x-4 bottom-[calc(6rem+var(--bottom-bar))] z-40 mx-auto w-fit max-w-reading rounded-card bg-ground px-5 py-3 text-balance text-center font-serif text-ink text-xl shadow-soft [overflow-wrap:anywhere] print:hidden">
      «&#8239;{words}&#8239;»
    </p>
  )
}

interface SealVoiceLineProps {
  revelation: OpenRevelation
  sound: OpeningSoundControls
}

/** Plays the voice of the seal once more; its words are there for whoever cannot hear it. */
export function SealVoiceLine({ revelation, sound }: SealVoiceLineProps) {
  const { author_pseudo, seal_voice_url, seal_voice_words } = revelation
  if (seal_voice_url === null) return null
  const speaks = sound.speaksIn !== undefined
  const Icon = speaks ? Square : AudioLines
  return (
    <div className="spoken-line flex max-w-reading flex-col items-start gap-1">
      <Button
        variant="ghost"
        className="-mx-4 text-left [overflow-wrap:anywhere]"
        icon={<Icon aria-hidden="true" className="size-5 shrink-0" />}
        onClick={speaks ? sound.stop : sound.playVoice}
      >
        {speaks ? 'Arrêter la voix' : `Écouter les mots de @${author_pseudo}`}
      </Button>
      {seal_voice_words ? (
        <p className="text-ink-soft [overflow-wrap:anywhere]">
          <span className="keepsake">De vive voix, à l’ouverture&#8239;: </span>
          «&#8239;{seal_voice_words}&#8239;»
        </p>
      ) : (
        <p className="keepsake">Quelques mots de vive voix, à l’ouverture</p>
      )}
    </div>
  )
}
