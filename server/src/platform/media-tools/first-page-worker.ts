import { parentPort, workerData } from 'node:worker_threads'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { limitMemory } from './limit-memory.ts'

/** A thread of its own: a document that keeps PDFium busy is ended with it (docs/decisions/0056-documents.md). */
const { bytes, maxSide } = workerData as { bytes: Uint8Array; maxSide: number }

/** A page of a few points is not blown up to a blur. */
const LARGEST_SCALE = 4

/** A form that draws itself, in some hundred bytes, takes all that PDFium may have: 2 GB by itself. */
const MEMORY_MAX_BYTES = 512 * 1024 * 1024
limitMemory(MEMORY_MAX_BYTES)

const library = await PDFiumLibrary.init()
const document = await library.loadDocument(bytes)
const page = document.getPage(0)
const { originalWidth, originalHeight } = page.getOriginalSize()
if (originalWidth === 0 || originalHeight === 0) throw new Error('The first page has no size')
const scale = Math.min(LARGEST_SCALE, maxSide / Math.max(originalWidth, originalHeight))
const { data, width, height } = await page.render({
  scale,
  renderFormFields: true,
  render: async (bitmap) => bitmap.data,
})
if (width === 0 || height === 0) throw new Error('The first page is too thin')
parentPort?.postMessage({ data, width, height })
