import { useEffect, useState } from 'react'

/** How long a video lasts, as this browser reads it; undefined while it reads, or when it cannot. */
export function useLocalDuration(url: string | undefined): number | undefined {
  const [known, setKnown] = useState<{ url: string; duration: number }>()
  useEffect(() => {
    if (!url) return
    const video = document.createElement('video')
    video.preload = 'metadata'
    const read = () => {
      // A recording made by a browser says « infinite » until its end was seen: the server will tell.
      if (Number.isFinite(video.duration)) setKnown({ url, duration: video.duration })
    }
    video.addEventListener('durationchange', read)
    video.src = url
    return () => {
      video.removeEventListener('durationchange', read)
      video.removeAttribute('src')
      video.load()
    }
  }, [url])
  return known?.url === url ? known?.duration : undefined
}
