import type { ComponentProps, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { classNames } from './class-names.ts'
import { Spinner } from './loading.tsx'

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'

interface ButtonStyle {
  variant?: ButtonVariant
  large?: boolean
  /** As wide as its place. */
  block?: boolean
}

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-wax text-on-wax shadow-soft hover:bg-wax-hover',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  ghost: 'text-ink hover:bg-sunken',
  danger: 'border border-wax-ink text-wax-ink hover:bg-wax hover:border-wax hover:text-on-wax',
}

function buttonClass({ variant = 'primary', large = false, block = false }: ButtonStyle): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 rounded-field text-center font-semibold leading-tight',
    'transition-colors duration-150 active:translate-y-px',
    'disabled:cursor-not-allowed disabled:opacity-55 disabled:active:translate-y-0',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-55 aria-disabled:active:translate-y-0',
    large ? 'min-h-13 px-6 py-3 text-lg' : 'min-h-11 px-4 py-2',
    block && 'w-full',
    VARIANTS[variant],
  )
}

interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  /** Work under way: the button waits and says so with `busyLabel`. */
  busy?: boolean
  busyLabel?: string
  icon?: ReactNode
}

export function Button({
  variant,
  large,
  block,
  busy = false,
  busyLabel,
  icon,
  type = 'button',
  disabled,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      // Not `disabled`: a browser takes the focus from what is, and nobody gives it back.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      className={classNames(buttonClass({ variant, large, block }), className)}
    >
      {busy ? <Spinner /> : icon}
      {busy && busyLabel ? busyLabel : children}
    </button>
  )
}

interface ButtonLinkProps extends LinkProps, ButtonStyle {
  icon?: ReactNode
}

/** A link that looks like a button, for going somewhere. */
export function ButtonLink({
  variant,
  large,
  block,
  icon,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link {...rest} className={classNames(buttonClass({ variant, large, block }), className)}>
      {icon}
      {children}
    </Link>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** What it does, for those who do not see the icon and those who point at it. */
  label: string
  icon: ReactNode
}

export function IconButton({ label, icon, type = 'button', className, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classNames('icon-button', className)}
    >
      {icon}
    </button>
  )
}
