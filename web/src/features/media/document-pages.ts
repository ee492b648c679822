import {
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  PDFWorker,
  TextLayer,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import { trustedScript } from '#web/lib/trusted-script.ts'
import type { RenewUrl } from './use-player.ts'

const FILES = `/assets/pdfjs-${version}`
const script = trustedScript('document-reader', workerUrl)

/** More is refused by phones. */
const CANVAS_MAX_PIXELS = 16_000_000

interface DocumentSource {
  url: string
  sizeBytes: number
  renew: RenewUrl
}

/** A PDF that is fetched in ranges as its pages are drawn, and what ends it. `onFailed` once no address answers any more. */
export function openDocument(source: DocumentSource, onFailed: () => void) {
  const thread = new Worker(script, { type: 'module' })
  const task = getDocument({
    range: new FileRanges(source, onFailed),
    worker: PDFWorker.create({ port: thread }),
    cMapUrl: `${FILES}/cmaps/`,
    standardFontDataUrl: `${FILES}/standard_fonts/`,
    wasmUrl: `${FILES}/wasm/`,
    // Our pages compile nothing at run time (`security-headers.ts`): pictures are decoded by its scripts.
    useWasm: false,
    rangeChunkSize: 256 * 1024,
    disableAutoFetch: true,
    disableStream: true,
  })
  const close = () => {
    void task.destroy().finally(() => thread.terminate())
  }
  return { document: task.promise, close }
}

/** The ranges of a file, through addresses that are renewed when their ticket has run out. */
class FileRanges extends PDFDataRangeTransport {
  private readonly renew: RenewUrl
  private readonly onFailed: () => void
  private readonly aborted = new AbortController()
  private address: Promise<string | null>

  constructor({ url, sizeBytes, renew }: DocumentSource, onFailed: () => void) {
    super(sizeBytes, null)
    this.renew = renew
    this.onFailed = onFailed
    this.address = Promise.resolve(url)
  }

  override async requestDataRange(begin: number, end: number) {
    const used = this.address
    let answer = await this.fetchFrom(used, begin, end)
    if (!answer?.ok) {
      // Ranges that are asked for at once share one new address.
      if (this.address === used) this.address = this.renew().catch(() => null)
      answer = await this.fetchFrom(this.address, begin, end)
    }
    const bytes = answer?.ok ? await answer.arrayBuffer().catch(() => undefined) : undefined
    if (this.aborted.signal.aborted) return
    if (bytes) this.onDataRange(begin, new Uint8Array(bytes))
    else this.onFailed()
  }

  private async fetchFrom(address: Promise<string | null>, begin: number, end: number) {
    const url = await address
    if (url === null) return undefined
    const range = `bytes=${begin}-${end - 1}`
    return fetch(url, { headers: { range }, signal: this.aborted.signal }).catch(() => undefined)
  }

  override abort() {
    this.aborted.abort()
  }
}

/** Height by width of a page. */
export async function ratioOf(document: PDFDocumentProxy, pageNumber: number): Promise<number> {
  const { width, height } = (await document.getPage(pageNumber)).getViewport({ scale: 1 })
  return height / width
}

/** Draws a page of `widthPx` and its words into an element, until `signal`. */
export async function drawPage(
  document: PDFDocumentProxy,
  pageNumber: number,
  { into, widthPx, signal }: { into: HTMLElement; widthPx: number; signal: AbortSignal },
): Promise<void> {
  const page = await document.getPage(pageNumber)
  if (signal.aborted) return
  const viewport = page.getViewport({ scale: widthPx / page.getViewport({ scale: 1 }).width })
  const canvas = into.ownerDocument.createElement('canvas')
  const sharpness = Math.min(
    devicePixelRatio,
    Math.sqrt(CANVAS_MAX_PIXELS / (viewport.width * viewport.height)),
  )
  canvas.width = Math.floor(viewport.width * sharpness)
  canvas.height = Math.floor(viewport.height * sharpness)
  canvas.className = 'size-full'
  // The words are there for those who do not see them.
  canvas.ariaHidden = 'true'
  const words = into.ownerDocument.createElement('div')
  words.className = 'document-words'
  words.style.setProperty('--total-scale-factor', String(viewport.scale))
  const drawing = page.render({ canvas, viewport, transform: [sharpness, 0, 0, sharpness, 0, 0] })
  const layer = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: words,
    viewport,
  })
  signal.addEventListener('abort', () => {
    drawing.cancel()
    layer.cancel()
    page.cleanup()
  })
  await Promise.all([drawing.promise, layer.render()])
  if (!signal.aborted) into.replaceChildren(canvas, words)
}
