import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** A sheet laid on the page. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      {...rest}
      className={classNames(
        'rounded-card border border-line bg-surface p-5 text-ink shadow-soft sm:p-6',
        className,
      )}
    />
  )
}
