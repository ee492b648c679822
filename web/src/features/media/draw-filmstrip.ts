const SEEK_LIMIT_MS = 4000

interface FilmstripOptions {
  src: string
  /** Where in the video each frame is taken, in seconds. */
  places: readonly number[]
  canvas: HTMLCanvasElement
  signal: AbortSignal
}

/** Draws frames of a video side by side, one after the other; false when this browser cannot read the video. */
export async function drawFilmstrip(options: FilmstripOptions): Promise<boolean> {
  const { src, places, canvas, signal } = options
  const context = canvas.getContext('2d')
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.preload = 'auto'
  video.src = src
  try {
    await heard(video, 'loadeddata', signal)
    if (!context || video.videoWidth === 0) return false
    const width = canvas.width / places.length
    for (const [index, place] of places.entries()) {
      video.currentTime = place
      await heard(video, 'seeked', signal)
      drawCovering(context, video, { x: index * width, width, height: canvas.height })
    }
    return true
  } catch {
    return signal.aborted
  } finally {
    // Lets go of the decoder and of the bytes it has read.
    video.removeAttribute('src')
    video.load()
  }
}

interface Place {
  x: number
  width: number
  height: number
}

/** As `object-fit: cover` would. */
function drawCovering(
  context: CanvasRenderingContext2D,
  video: HTMLVideoElement,
  { x, width, height }: Place,
): void {
  const scale = Math.max(width / video.videoWidth, height / video.videoHeight)
  const [cutWidth, cutHeight] = [width / scale, height / scale]
  const cutX = (video.videoWidth - cutWidth) / 2
  const cutY = (video.videoHeight - cutHeight) / 2
  context.drawImage(video, cutX, cutY, cutWidth, cutHeight, x, 0, width, height)
}

function heard(video: HTMLVideoElement, name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController()
    const settle = (done: () => void) => () => {
      clearTimeout(timer)
      over.abort()
      done()
    }
    const timer = setTimeout(settle(reject), SEEK_LIMIT_MS)
    const options = { signal: over.signal }
    video.addEventListener(name, settle(resolve), options)
    video.addEventListener('error', settle(reject), options)
    signal.addEventListener('abort', settle(reject), options)
    if (signal.aborted) settle(reject)()
  })
}
