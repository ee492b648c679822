import { parentPort, workerData } from 'node:worker_threads'
import libheif from 'libheif-js/wasm-bundle.js'
import { limitMemory } from './limit-memory.ts'

/** A thread of its own: libheif reads what strangers sent (docs/decisions/0076-copies-without-traces.md). */
const { bytes, maxPixels } = workerData as { bytes: Uint8Array; maxPixels: number }

/** The picture as it was compressed, as it is decoded and as it is shown: of 48 million pixels, 600 MB. */
const MEMORY_MAX_BYTES = 768 * 1024 * 1024
limitMemory(MEMORY_MAX_BYTES)

const images = new libheif.HeifDecoder().decode(bytes)
const image = images.find((one) => one.is_primary()) ?? images[0]
if (!image) throw new Error('There is no picture in the file')
const [width, height] = [image.get_width(), image.get_height()]
if (width * height === 0 || width * height > maxPixels)
  throw new Error('The picture has no usable size')
const data = new Uint8ClampedArray(width * height * 4)
// Turned and cropped as the file says: the orientation in its EXIF is for nobody.
const shown = await new Promise((resolve) => image.display({ data, width, height }, resolve))
if (!shown) throw new Error('The picture cannot be decoded')
parentPort?.postMessage({ data, width, height }, [data.buffer])
