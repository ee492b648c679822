import { DropdownMenu } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  children: ReactNode
}

export function Menu({ trigger, children }: MenuProps) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-50 min-w-52 rounded-card border border-line bg-surface p-1.5 text-ink shadow-soft"
        >
          {children}
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
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className={classNames(
        'flex min-h-11 cursor-pointer select-none items-center gap-3 rounded-field px-3 outline-none data-highlighted:bg-sunken',
        danger && 'text-wax-ink',
      )}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  )
}
