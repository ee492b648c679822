interface Tile {
  level: number
  index: number
  width: number
}

/** `1/x001/x234/067.p/8`; undefined for an address that must be refused. */
export function readTilePath(path: string): Tile | undefined {
  const [, level = '', groups = '', width] =
    /^(0|[1-9]\d*)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path) ?? []
  if (level === '' || groups === '') return undefined
  const tile = {
    level: Number(level),
    index: Number(groups.replaceAll(/[x/]/g, '')),
    width: width === undefined ? 256 : Number(width),
  }
  if (tile.level > 6 || groups.startsWith('x000')) return undefined
  if (width !== undefined && tile.width > 255) return undefined
  return tile
}
