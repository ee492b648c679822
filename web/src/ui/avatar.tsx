import { useState } from 'react'
import { initialOf } from '#web/lib/format.ts'
import { classNames } from './class-names.ts'

interface AvatarProps {
  name: string
  src: string | null
  className?: string
}

/** A face, or the first letter of the name; the name itself stands beside it. */
export function Avatar({ name, src, className }: AvatarProps) {
  const [failed, setFailed] = useState<string>()
  const shape = classNames('size-9 shrink-0 rounded-full', className)
  if (src && src !== failed) {
    return (
      <img
        src={src}
        alt=""
        loading="lazy"
        className={classNames(shape, 'object-cover')}
        onError={() => setFailed(src)}
      />
    )
  }
  return (
    <span aria-hidden="true" className={classNames(shape, 'avatar-initial')}>
      {initialOf(name)}
    </span>
  )
}
