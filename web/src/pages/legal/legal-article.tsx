import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'

const PAGES = [
  { to: paths.legal, label: 'Mentions légales' },
  { to: paths.privacy, label: 'Confidentialité' },
  { to: paths.terms, label: 'Conditions' },
  { to: paths.accessibility, label: 'Accessibilité' },
]

interface LegalArticleProps {
  title: string
  documentTitle: string
  /** What the page says, in one sentence. */
  summary: ReactNode
  /** The day of its last change, as one reads it. */
  updated: { iso: string; day: string }
  children: ReactNode
}

/** A page one reads from top to bottom, on screen or on paper. */
export function LegalArticle({
  title,
  documentTitle,
  summary,
  updated,
  children,
}: LegalArticleProps) {
  return (
    <article className="container-page max-w-reading pt-8 sm:pt-12 print:max-w-none print:pt-0">
      <nav aria-label="Pages légales" className="-mx-2.5 mb-6 print:hidden">
        <ul className="flex flex-wrap">
          {PAGES.map(({ to, label }) => (
            <li key={to}>
              <NavLink
                to={to}
                className="inline-flex min-h-11 items-center px-2.5 text-ink-soft underline-offset-8 hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-2 aria-[current=page]:decoration-wax-ink"
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <PageHeading documentTitle={documentTitle} className="sm:text-5xl!">
        {title}
      </PageHeading>
      <p className="mt-4 text-ink-soft text-lg">{summary}</p>
      <p className="mt-2 text-ink-soft text-sm">
        Dernière mise à jour&#8239;: <time dateTime={updated.iso}>{updated.day}</time>
      </p>
      {children}
    </article>
  )
}

/** A titled part; what it holds is paragraphs and lists. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-9 break-inside-avoid-page">
      <h2 className="text-2xl">{title}</h2>
      <div className="mt-2.5 flex flex-col gap-3 leading-relaxed">{children}</div>
    </section>
  )
}

export function Points({ children }: { children: ReactNode }) {
  return <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-wax-ink">{children}</ul>
}
