import { Pause, Play } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { formatPlace, formatSeconds, parsePlace } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/form-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { TeaserTrack } from './teaser-track.tsx'
import { lengthOf, type TeaserWindow, validateTeaser } from './teaser-window.ts'

interface TeaserEditorProps {
  /** An address under which this page can read the video. */
  src: string | undefined
  duration: number
  window: TeaserWindow
  onChange: (window: TeaserWindow) => void
}

/** Chooses the part of a video to show before the reveal, on its frames. */
export function TeaserEditor({ src, duration, window, onChange }: TeaserEditorProps) {
  const { video, playhead, toggle, show, isUnreadable, markUnreadable } = useWindowPreview(window)
  const refusal = validateTeaser(window, duration)
  const change = (next: TeaserWindow, shown: number) => {
    onChange(next)
    show(shown)
  }
  return (
    <div className="flex flex-col gap-4">
      {isUnreadable ? (
        <Notice>
          Votre navigateur ne sait pas lire cette vidéo. Choisissez les temps&#8239;: le site
          préparera l’extrait.
        </Notice>
      ) : (
        <video
          ref={video}
          src={src}
          muted={false}
          playsInline
          preload="auto"
          onLoadedMetadata={() => show(window.start)}
          onError={markUnreadable}
          aria-label="Image de l’extrait choisi"
          className="max-h-[45dvh] w-full rounded-field bg-black object-contain"
        />
      )}
      <TeaserTrack
        src={isUnreadable ? undefined : src}
        duration={duration}
        window={window}
        onChange={change}
        playhead={playhead}
      />
      <div className="flex flex-wrap items-start gap-3">
        <TimeField
          label="Début"
          value={window.start}
          onChange={(start) => change({ ...window, start }, start)}
        />
        <TimeField
          label="Fin"
          value={window.end}
          onChange={(end) => change({ ...window, end }, end)}
        />
        <div className="flex min-w-full flex-1 items-center gap-3 xs:min-w-44 xs:self-end">
          <Button
            variant="secondary"
            disabled={isUnreadable || refusal !== undefined}
            onClick={toggle}
            icon={
              playhead === undefined ? (
                <Play aria-hidden="true" className="size-5" />
              ) : (
                <Pause aria-hidden="true" className="size-5" />
              )
            }
          >
            {playhead === undefined ? 'Lire l’extrait' : 'Pause'}
          </Button>
          <span className="tabular-digits text-ink-soft">
            {formatSeconds(Math.max(0, lengthOf(window)))}
          </span>
        </div>
      </div>
      {refusal && <FieldError id="teaser-refusal">{refusal}</FieldError>}
    </div>
  )
}

/** Plays a video between two positions only, and shows single frames of it. */
function useWindowPreview({ start, end }: TeaserWindow) {
  const video = useRef<HTMLVideoElement>(null)
  const [playhead, setPlayhead] = useState<number>()
  const [isUnreadable, setUnreadable] = useState(false)
  const isPlaying = playhead !== undefined

  const stop = useCallback((at: number) => {
    video.current?.pause()
    if (video.current) video.current.currentTime = at
    setPlayhead(undefined)
  }, [])

  useEffect(() => {
    if (!isPlaying) return
    let frame = 0
    const follow = () => {
      const now = video.current?.currentTime ?? end
      // Outside of a moved window, or at its end.
      if (now >= end || now < start - 0.5 || video.current?.ended) return stop(start)
      setPlayhead(now)
      frame = requestAnimationFrame(follow)
    }
    frame = requestAnimationFrame(follow)
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, start, end, stop])

  const toggle = () => {
    const player = video.current
    if (!player) return
    if (isPlaying) return stop(start)
    player.currentTime = start
    setPlayhead(start)
    player.play().catch(() => setPlayhead(undefined))
  }
  const show = (place: number) => {
    if (isPlaying) stop(place)
    else if (video.current) video.current.currentTime = place
  }
  return {
    video,
    playhead,
    toggle,
    show,
    isUnreadable,
    markUnreadable: () => setUnreadable(true),
  }
}

interface TimeFieldProps {
  label: string
  value: number
  error?: string | undefined
  onChange: (seconds: number) => void
}

/** A position in a video: « 1:05,3 ». Parsed when the person leaves the field or presses Enter. */
function TimeField({ label, value, error, onChange }: TimeFieldProps) {
  const [typed, setTyped] = useState<string>()
  const isUnreadable = typed !== undefined && parsePlace(typed) === undefined
  const apply = () => {
    const seconds = typed === undefined ? undefined : parsePlace(typed)
    if (seconds === undefined) return
    onChange(Math.round(seconds * 10) / 10)
    setTyped(undefined)
  }
  return (
    <TextField
      label={label}
      value={typed ?? formatPlace(value)}
      error={isUnreadable ? 'Écrivez par exemple 1:05,3' : error}
      autoComplete="off"
      onChange={(event) => setTyped(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        apply()
      }}
      className="tabular-digits min-w-0 flex-1"
    />
  )
}
