import { vi } from 'vitest'

interface Sound {
  name: string
  source: EventTarget
  context: FakeAudioContext
}

let started: Sound[] = []
let contexts: FakeAudioContext[] = []

class FakeSource extends EventTarget {
  buffer: { name: string } | undefined
  private readonly context: FakeAudioContext

  constructor(context: FakeAudioContext) {
    super()
    this.context = context
  }
  connect<Node>(node: Node): Node {
    return node
  }
  start() {
    started.push({ name: this.buffer?.name ?? '', source: this, context: this.context })
  }
}

/** What jsdom does not have of Web Audio: what starts plays until a test ends it, or its context is closed. */
class FakeAudioContext {
  sampleRate = 8_000
  currentTime = 0
  destination = {}
  isClosed = false

  constructor() {
    contexts.push(this)
  }
  createBufferSource() {
    return new FakeSource(this)
  }
  createBuffer() {
    return { name: 'made here', copyToChannel: () => undefined }
  }
  createGain() {
    return { gain: { value: 1 }, connect: <Node>(node: Node) => node }
  }
  createBiquadFilter() {
    return { frequency: { value: 0 }, connect: <Node>(node: Node) => node }
  }
  async decodeAudioData(bytes: ArrayBuffer) {
    return { name: new TextDecoder().decode(bytes) }
  }
  async resume() {}
  async close() {
    this.isClosed = true
  }
}

export function standInForAudio() {
  started = []
  contexts = []
  vi.stubGlobal('AudioContext', FakeAudioContext)
  const audible = () => started.filter(({ context }) => !context.isClosed)
  return {
    /** Devices are few: one that nobody listens to is given back. */
    openContexts: () => contexts.filter(({ isClosed }) => !isClosed).length,
    /** What is made here, or the text of the files that play. */
    playing: () => audible().map(({ name }) => name),
    end: (name: string) => {
      const ended = audible().find((sound) => sound.name === name)
      started = started.filter((sound) => sound !== ended)
      ended?.source.dispatchEvent(new Event('ended'))
    },
  }
}
