const MEMORY_PAGE_BYTES = 64 * 1024

interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

// Node has it; its types are with those of browsers alone.
declare const WebAssembly: { Memory: { prototype: WasmMemory } }

/** Limits the memory that WebAssembly of this thread may have: by itself it takes 2 GB or more, for some hundred bytes. */
export function limitMemory(maxBytes: number): void {
  const { grow } = WebAssembly.Memory.prototype
  WebAssembly.Memory.prototype.grow = function growWithin(pages) {
    const sizeBytes = this.buffer.byteLength + pages * MEMORY_PAGE_BYTES
    if (sizeBytes > maxBytes) throw new RangeError('The file takes too much memory')
    return grow.call(this, pages)
  }
}
