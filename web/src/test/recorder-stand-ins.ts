import 'fake-indexeddb/auto'
import { vi } from 'vitest'
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
  says(words: string) {
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
  keepBlobsWhole()
  // It stands still between two waits, however slow the machine is.
  let nowMs = performance.now()
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

/** Node copies what goes to the disk, and knows nothing of the Blobs of jsdom: they never change, so they are shared. */
function keepBlobsWhole(): void {
  const copy = globalThis.structuredClone
  const copyDeep = (value: unknown): unknown => {
    if (value instanceof Blob) return value
    if (Array.isArray(value)) return value.map(copyDeep)
    if (value !== null && typeof value === 'object' && value.constructor === Object) {
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyDeep(part)]))
    }
    return copy(value)
  }
  vi.stubGlobal('structuredClone', copyDeep)
}
