import { type ReactNode, useEffect, useRef } from 'react'
import { focusRequestedHeading } from '#web/lib/focus.ts'
import { classNames } from './class-names.ts'
import { PageTitle } from './page-head.tsx'

interface PageHeadingProps {
  children: ReactNode
  /** The name of the page in the browser's tab; the heading's own words when it is a text. */
  documentTitle?: string
  className?: string
}

/** The page's h1. It names the tab, and receives the focus when one arrives from another page. */
export function PageHeading({ children, documentTitle, className }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (heading.current) focusRequestedHeading(heading.current)
  }, [])
  return (
    <>
      <PageTitle>
        {documentTitle ?? (typeof children === 'string' ? children : undefined)}
      </PageTitle>
      <h1 ref={heading} tabIndex={-1} className={classNames('text-3xl sm:text-4xl', className)}>
        {children}
      </h1>
    </>
  )
}
