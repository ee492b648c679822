type Range = [first: number, last: number]

/** Each connection reads on from its own place of the file, and begins again at the end of it. */
export function sequentialRanges(
  fileBytes: number,
  connections: number,
  bytes: number,
  count: number,
) {
  const rangeBytes = Math.min(bytes, fileBytes)
  return Array.from({ length: connections }, (_, connection): Range[] =>
    Array.from({ length: count }, (_, index) => {
      const start = Math.floor((fileBytes * connection) / connections) + index * rangeBytes
      return rangeAt(start % fileBytes, rangeBytes, fileBytes)
    }),
  )
}

/** The same places at each call, so that everyone compared reads the same. */
export function randomRanges(fileBytes: number, connections: number, bytes: number, count: number) {
  const rangeBytes = Math.min(bytes, fileBytes)
  let state = 1
  function nextFraction(): number {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: connections }, (): Range[] =>
    Array.from({ length: count }, () =>
      rangeAt(Math.floor(nextFraction() * fileBytes), rangeBytes, fileBytes),
    ),
  )
}

function rangeAt(start: number, bytes: number, fileBytes: number): Range {
  const first = Math.min(start, fileBytes - bytes)
  return [first, first + bytes - 1]
}
