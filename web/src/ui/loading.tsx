import { classNames } from './class-names.ts'

/** Turns while something of unknown shape is under way; the words are beside it. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-5 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  )
}

/** The place of something that is on its way. Its parent says in words that it loads. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-pulse rounded-md bg-line', className)}
    />
  )
}
