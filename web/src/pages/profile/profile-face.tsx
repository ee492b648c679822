import { useState } from 'react'
import { initialOf } from '#web/lib/initials.ts'
import { classNames } from '#web/ui/class-names.ts'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

interface ProfileFaceProps {
  name: string
  src: string | null
  className?: string
}

/** The person’s picture, large; without one, the seal they close their letters with. */
export function ProfileFace({ name, src, className }: ProfileFaceProps) {
  const [failed, setFailed] = useState<string>()
  const look = classNames('relative shrink-0 rounded-full border-4 border-ground', className)
  if (src && src !== failed) {
    return (
      <img
        src={src}
        alt={`@${name}`}
        className={classNames(look, 'bg-sunken object-cover')}
        onError={() => setFailed(src)}
      />
    )
  }
  return (
    <span className={classNames(look, 'inline-flex items-center justify-center bg-sunken')}>
      <WaxSeal initial={initialOf(name)} className="size-4/5" />
    </span>
  )
}
