import { vi } from 'vitest'
import { storeBlobsWhole } from './disk-stand-ins.ts'
import { standInForMedia } from './media-stand-ins.ts'

/** What jsdom does not have of a microphone; a test speaks through `recorder()`. */
class FakeMediaRecorder {
  static isTypeSupported = (type: string) => type.startsWith('audio/webm')
  static last: FakeMediaRecorder | undefined

  state: RecordingState = 'inactive'
  mimeType: string
  ondataavailable: ((event: { data: Blob }) => void) | undefined
  onstop: (() => void) | undefined
  onerror: (() => void) | undefined
  readonly options: MediaRecorderOptions

  constructor(_stream: unknown, options: MediaRecorderOptions = {}) {
    this.options = options
    this.mimeType = options.mimeType ?? ''
    FakeMediaRecorder.last = this
  }
  start() {
    this.state = 'recording'
  }
  pause() {
    this.state = 'paused'
  }
  resume() {
    this.state = 'recording'
  }
  stop() {
    this.state = 'inactive'
    queueMicrotask(() => this.onstop?.())
  }
  /** One more second of voice. */
  speak(words: string) {
    this.ondataavailable?.({ data: new Blob([words], { type: this.mimeType }) })
  }
}

interface FakeTrack {
  isStopped: boolean
  onended: (() => void) | undefined
}

/** A device with a microphone, a clock that tests turn, and a disk. */
export function standInForRecorder() {
  standInForMedia({ duration: 5 })
  const tracks: FakeTrack[] = []
  let refusal: Error | undefined
  const getUserMedia = async () => {
    if (refusal) throw refusal
    const track = {
      isStopped: false,
      onended: undefined,
      stop() {
        this.isStopped = true
      },
    }
    tracks.push(track)
    return { getTracks: () => [track] }
  }
  vi.stubGlobal('MediaRecorder', FakeMediaRecorder)
  vi.stubGlobal('isSecureContext', true)
  Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia }, configurable: true })
  storeBlobsWhole()
  // It stands still between two waits, however slow the machine is; whole, so that five seconds later is five seconds.
  let nowMs = Math.round(performance.now())
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  return {
    tracks,
    /** From now on the microphone is refused. */
    refuse: (error: Error) => {
      refusal = error
    },
    recorder: () => {
      if (!FakeMediaRecorder.last) throw new Error('Nothing records')
      return FakeMediaRecorder.last
    },
    /** So many seconds pass at once. */
    wait: (seconds: number) => {
      nowMs += seconds * 1000
    },
  }
}
