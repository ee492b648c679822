/** How much of a file `isLiveRecording` looks at. */
export const CONTAINER_HEAD_BYTES = 64 * 1024

const EBML = Buffer.from('1a45dfa3', 'hex')
const CLUSTER = Buffer.from('1f43b675', 'hex')
const CUES = Buffer.from('1c53bb6b', 'hex')
// The element with its size, of four or eight bytes.
const DURATIONS = [Buffer.from('448984', 'hex'), Buffer.from('448988', 'hex')]

/**
 * Whether a file was written as it was recorded, as browsers do, by its first bytes: a webm without length or index, an
 * mp4 in fragments. An Ogg has no index by nature and says its length at its end.
 */
export function isLiveRecording(head: Buffer): boolean {
  return isLiveMatroska(head) || isFragmentedMp4(head)
}

function isLiveMatroska(head: Buffer): boolean {
  if (!head.subarray(0, 4).equals(EBML)) return false
  const firstCluster = head.indexOf(CLUSTER)
  // What stands before the first packets names the index, wherever it is.
  const front = firstCluster === -1 ? head : head.subarray(0, firstCluster)
  return !front.includes(CUES) || !DURATIONS.some((duration) => front.includes(duration))
}

/** Such a file says no length, or that of its first fragment only. */
export function isFragmentedMp4(head: Buffer): boolean {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return false
  let at = 0
  while (at + 8 <= head.length) {
    const size = head.readUInt32BE(at)
    const box = head.toString('latin1', at + 4, at + 8)
    if (box === 'moof') return true
    if (box === 'moov') return head.subarray(at, at + size).includes('mvex')
    // A size of 0 or 1 is that of a box too long to be before the index of a recording.
    if (box === 'mdat' || size < 8) return false
    at += size
  }
  return false
}
