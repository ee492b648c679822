import { storedValue } from '#web/lib/storage.ts'

/** Whether this device plays openings aloud; off until its reader chooses otherwise. */
export const storedSound = storedValue('opening-sound', (stored) => stored === true)

/** A held breath between the gesture and the crack, which `reveal-animation.css` shows. */
export const BREATH_MS = 750
const BREATH_SECONDS = BREATH_MS / 1000

/** Small splits of the wax, one after the other. */
const SPLITS = [
  { atSeconds: 0, strength: 1 },
  { atSeconds: 0.06, strength: 0.45 },
  { atSeconds: 0.11, strength: 0.7 },
  { atSeconds: 0.2, strength: 0.2 },
]
const CRACK_SECONDS = 0.35
const DECAY_SECONDS = 0.012
const CRACK_GAIN = 0.3
/** Above it, wax would sound like glass. */
const CRACK_TOP_HZ = 1_800

interface OpeningSound {
  hasCrack: boolean
  /** Fetches the voice that speaks after it; undefined where there is none. */
  loadVoice: (() => Promise<ArrayBuffer>) | undefined
  onSpeakingChange: (isSpeaking: boolean) => void
}

/** Plays what an opening sounds like. Called by a gesture; the function that it answers silences it. */
export function playOpeningSound({
  hasCrack,
  loadVoice,
  onSpeakingChange,
}: OpeningSound): () => void {
  if (!('AudioContext' in window)) return () => undefined
  const context = new AudioContext()
  const playing = new AbortController()
  const { signal } = playing
  const stop = () => {
    if (signal.aborted) return
    playing.abort()
    onSpeakingChange(false)
    void context.close()
  }
  const resume = () => context.resume().catch(() => undefined)
  void resume()
  // A finger that holds the seal is no gesture for a browser before it is lifted: until then all of it waits.
  addEventListener('pointerup', resume, { signal, once: true })
  const crack = hasCrack ? playCrack(context) : undefined
  if (!loadVoice) crack?.addEventListener('ended', stop)
  else {
    loadVoice()
      .then((bytes) => context.decodeAudioData(bytes))
      .then((buffer) => {
        if (signal.aborted) return
        const voice = sourceOf(context, buffer)
        voice.connect(context.destination)
        voice.addEventListener('ended', stop)
        voice.start(Math.max(context.currentTime, hasCrack ? BREATH_SECONDS + CRACK_SECONDS : 0))
        onSpeakingChange(true)
      })
      // The words are written in the letter, and can be played there once more.
      .catch(stop)
  }
  return stop
}

function playCrack(context: AudioContext): AudioBufferSourceNode {
  const samples = crackSamples(context.sampleRate)
  const buffer = context.createBuffer(1, samples.length, context.sampleRate)
  buffer.copyToChannel(samples, 0)
  const filter = context.createBiquadFilter()
  filter.frequency.value = CRACK_TOP_HZ
  const gain = context.createGain()
  gain.gain.value = CRACK_GAIN
  const crack = sourceOf(context, buffer)
  crack.connect(filter).connect(gain).connect(context.destination)
  crack.start(BREATH_SECONDS)
  return crack
}

function crackSamples(rate: number): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(Math.ceil(CRACK_SECONDS * rate))
  for (const { atSeconds, strength } of SPLITS) {
    const start = Math.round(atSeconds * rate)
    for (let index = start; index < samples.length; index++) {
      const fading = Math.exp(-(index - start) / (DECAY_SECONDS * rate))
      samples[index] = (samples[index] ?? 0) + (Math.random() * 2 - 1) * strength * fading
    }
  }
  return samples
}

function sourceOf(context: AudioContext, buffer: AudioBuffer): AudioBufferSourceNode {
  const source = context.createBufferSource()
  source.buffer = buffer
  return source
}
