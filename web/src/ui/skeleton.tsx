import { classNames } from './class-names.ts'

/** The place of something that is on its way. Its parent says in words that it loads. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-pulse rounded-md bg-line', className)}
    />
  )
}
