import { DropdownMenu } from 'radix-ui'
import {
  createContext,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useRef,
} from 'react'
import { Link, type To } from 'react-router'
import { classNames } from './class-names.ts'

type Chosen = RefObject<(() => void) | undefined>
const ChosenContext = createContext<Chosen>({ current: undefined })

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  /** For a menu that is loaded once its button was pressed. */
  defaultOpen?: boolean
  children: ReactNode
}

export function Menu({ trigger, defaultOpen = false, children }: MenuProps) {
  const chosen: Chosen = useRef(undefined)
  const runChosen = () => {
    // Once the button has the focus again: a dialog that opens now gives it back there.
    if (chosen.current) setTimeout(chosen.current)
    chosen.current = undefined
  }
  return (
    <DropdownMenu.Root defaultOpen={defaultOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          onCloseAutoFocus={runChosen}
          className="z-50 min-w-52 max-w-[calc(100vw-1.5rem)] rounded-card border border-line bg-surface p-1.5 text-ink shadow-soft"
        >
          <ChosenContext value={chosen}>{children}</ChosenContext>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface MenuItemProps {
  icon?: ReactNode
  danger?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon, danger = false, onSelect, children }: MenuItemProps) {
  const chosen = useContext(ChosenContext)
  return (
    <DropdownMenu.Item
      onSelect={() => {
        chosen.current = onSelect
      }}
      className={classNames(ITEM_CLASS, danger && 'text-wax-ink')}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  )
}

const ITEM_CLASS =
  'flex min-h-11 py-1.5 cursor-pointer select-none items-center gap-3 rounded-field px-3 outline-none data-highlighted:bg-sunken'

interface MenuLinkProps {
  icon?: ReactNode
  to: To
  children: ReactNode
}

export function MenuLink({ icon, to, children }: MenuLinkProps) {
  return (
    <DropdownMenu.Item asChild>
      <Link to={to} className={ITEM_CLASS}>
        {icon}
        {children}
      </Link>
    </DropdownMenu.Item>
  )
}
