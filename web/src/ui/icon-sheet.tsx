import type { LucideIcon } from 'lucide-react'
import { createContext, type ReactNode, useContext } from 'react'
import { classNames } from './class-names.ts'

const SheetContext = createContext<readonly LucideIcon[]>([])

/** What `.icon` says of every icon of a sheet is not repeated in each. */
const BARE = {
  xmlns: undefined,
  fill: undefined,
  stroke: undefined,
  strokeWidth: undefined,
  strokeLinecap: undefined,
  strokeLinejoin: undefined,
  'aria-hidden': undefined,
  size: '100%',
}

interface IconSheetProps {
  icons: readonly LucideIcon[]
  children: ReactNode
}

/** Draws these icons once for all that is inside, where `Icon` refers to them. */
export function IconSheet({ icons, children }: IconSheetProps) {
  return (
    <>
      <svg aria-hidden="true" className="absolute size-0">
        <defs>
          {icons.map((Drawing) => (
            <Drawing key={idOf(Drawing)} id={idOf(Drawing)} {...BARE} />
          ))}
        </defs>
      </svg>
      <SheetContext value={icons}>{children}</SheetContext>
    </>
  )
}

interface IconProps {
  icon: LucideIcon
  className: string
}

/** An icon beside words that say the same. Outside of a sheet that has it, it is drawn where it is. */
export function Icon({ icon: Drawing, className }: IconProps) {
  if (!useContext(SheetContext).includes(Drawing)) {
    return <Drawing aria-hidden="true" className={className} />
  }
  return (
    <svg aria-hidden="true" className={classNames('icon', className)}>
      <use href={`#${idOf(Drawing)}`} />
    </svg>
  )
}

/** Of the icon's name in its library: a sheet has no other ids. */
function idOf({ displayName }: LucideIcon): string {
  return `icon-${displayName}`
}
