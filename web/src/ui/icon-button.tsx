import type { ComponentProps, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { classNames } from './class-names.ts'

interface IconLook {
  /** What it does, for those who do not see the icon and those who point at it. */
  label: string
  icon: ReactNode
}

const iconButtonClass = classNames(
  'inline-flex size-11 shrink-0 items-center justify-center rounded-field text-ink-soft',
  'transition-colors hover:bg-sunken hover:text-ink disabled:opacity-55',
)

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'>, IconLook {}

export function IconButton({ label, icon, type = 'button', className, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classNames(iconButtonClass, className)}
    >
      {icon}
    </button>
  )
}

interface IconLinkProps extends Omit<LinkProps, 'children'>, IconLook {}

export function IconLink({ label, icon, className, ...rest }: IconLinkProps) {
  return (
    <Link
      {...rest}
      aria-label={label}
      title={label}
      className={classNames(iconButtonClass, className)}
    >
      {icon}
    </Link>
  )
}
