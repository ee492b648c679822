import { Pause, Play } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { formatSeconds } from '#web/lib/durations.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/form-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PlaceField } from './place-field.tsx'
import { TeaserTrack } from './teaser-track.tsx'
import { lengthOf, refuseWindow, type TeaserWindow } from './teaser-window.ts'

interface TeaserEditorProps {
  /** Where this page can read the video, if it can. */
  src: string | undefined
  duration: number
  window: TeaserWindow
  onChange: (window: TeaserWindow) => void
}

/** Chooses the part of a video to show before the instant, on the video's own frames. */
export function TeaserEditor({ src, duration, window, onChange }: TeaserEditorProps) {
  const { video, playhead, toggle, show, isUnreadable, markUnreadable } = useWindowPreview(window)
  const refusal = refuseWindow(window, duration)
  const change = (next: TeaserWindow, shown: number) => {
    onChange(next)
    show(shown)
  }
  return (
    <div className="flex flex-col gap-4">
      {isUnreadable ? (
        <Notice>
          Votre navigateur ne sait pas lire cette vidéo. Choisissez les temps&nbsp;: le site
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
        <PlaceField
          label="Début"
          value={window.start}
          onChange={(start) => change({ ...window, start }, start)}
        />
        <PlaceField
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
          <span className="digits text-ink-soft">
            {formatSeconds(Math.max(0, lengthOf(window)))}
          </span>
        </div>
      </div>
      {refusal && <FieldError id="teaser-refusal">{refusal}</FieldError>}
    </div>
  )
}

/** Plays a video between two places only, and shows single frames of it. */
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
      // Begun before the window was moved, or arrived at its end: back to the start.
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
