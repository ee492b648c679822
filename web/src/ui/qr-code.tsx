import { useMemo } from 'react'
import { encode } from 'uqr'

interface QrCodeProps {
  text: string
  /** What it is for, for those who do not see it. */
  label: string
  className?: string
}

/** With its margin: phones read nothing else as surely. */
function modulesOf(text: string): { dark: [x: number, y: number][]; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x): [number, number][] => (isDark ? [[x, y]] : [])),
  )
  return { dark, size }
}

const PIXELS_PER_MODULE = 24

/** The code as a PNG, large enough for paper; null where the browser draws none. */
export function drawQrCode(text: string): Promise<Blob | null> {
  const { dark, size } = modulesOf(text)
  const canvas = document.createElement('canvas')
  canvas.width = size * PIXELS_PER_MODULE
  canvas.height = canvas.width
  const pen = canvas.getContext('2d')
  if (!pen) return Promise.resolve(null)
  pen.scale(PIXELS_PER_MODULE, PIXELS_PER_MODULE)
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, size, size)
  pen.fillStyle = '#000'
  for (const [x, y] of dark) pen.fillRect(x, y, 1, 1)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

/** Black on white whatever the theme. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { path, size } = useMemo(() => {
    const { dark, size } = modulesOf(text)
    return { path: dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join(''), size }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
