import type { Revelation } from '#contract/revelations.ts'
import { useCountdown } from '#web/lib/countdown.ts'
import { Hills } from '#web/ui/hills.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { LIVE_PLACE } from './demo-samples.tsx'

/** What is about to happen, and when. */
export function DemoHero({ live }: { live: Revelation }) {
  return (
    <div className="sky-night hero-sky relative overflow-hidden text-ink">
      <Hills />
      <div className="content relative pt-6 pb-20 sm:pt-10 sm:pb-28">
        <div>
          <PageHeading
            documentTitle="Démonstration"
            className="text-[1.9rem] leading-[1.1] sm:text-5xl"
          >
            Une lettre va s’ouvrir sous vos yeux.
          </PageHeading>
          <p className="mt-3 max-w-2xl text-ink-soft text-lg">
            Ici, on écrit aujourd’hui ce qui se lira le jour dit. Jusque-là, personne d’autre que
            son auteur ne l’ouvre.
          </p>
          <p className="mt-4 sm:text-lg">
            <a
              href={`#${LIVE_PLACE}`}
              className="inline-flex min-h-11 items-center gap-3 rounded-full border border-line-strong bg-surface/80 px-4 font-semibold hover:bg-surface"
            >
              <Wait live={live} />
            </a>
          </p>
        </div>
      </div>
    </div>
  )
}

function Wait({ live }: { live: Revelation }) {
  const countdown = useCountdown(live.reveal_date)
  if (live.is_revealed) return <>Elle vient de s’ouvrir</>
  return (
    <>
      La prochaine s’ouvre dans
      <span aria-hidden="true" className="digits text-[#f6c987]">
        {countdown}
      </span>
      <span className="sr-only">moins d’une minute</span>
    </>
  )
}
