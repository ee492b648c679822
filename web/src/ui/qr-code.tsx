import { useMemo } from 'react'
import { encode } from 'uqr'

interface QrCodeProps {
  text: string
  /** What it is for, for those who do not see it. */
  label: string
  className?: string
}

/** Black on white whatever the theme, with its margin: phones read nothing else as surely. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { path, size } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: 4 })
    const modules = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
    )
    return { path: modules.join(''), size }
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
