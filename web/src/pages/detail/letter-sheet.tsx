import { EyeOff, RotateCcw } from 'lucide-react'
import { instantInWords } from '#contract/date-in-words.ts'
import type { OpenRevelation, OwnRevelation } from '#contract/revelations.ts'
import { CardTags } from '#web/features/revelations/card-details.tsx'
import { LetterFile } from '#web/features/revelations/letter-file.tsx'
import { initialOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { RevelationLines } from './revelation-lines.tsx'

interface LetterSheetProps {
  revelation: OpenRevelation | OwnRevelation
  isRevealed: boolean
  /** Its opening is being played. */
  isOpening: boolean
  /** Plays the opening again. */
  onReplay: () => void
}

/** The letter with its file. Before the reveal only its author has it. */
export function LetterSheet({ revelation, isRevealed, isOpening, onReplay }: LetterSheetProps) {
  const { content, file_type } = revelation
  const hasFile = file_type !== null
  const isFileLast = file_type === 'document'
  return (
    <section
      aria-label={isRevealed ? 'La lettre' : 'Votre lettre'}
      className={classNames(
        isRevealed && 'paper-letter',
        'theme-paper flex flex-col gap-6 rounded-card border border-line bg-surface px-5 py-7 text-ink shadow-soft sm:px-12 sm:py-10',
      )}
    >
      {isRevealed ? <RevealedHead revelation={revelation} onReplay={onReplay} /> : <OwnHead />}
      {hasFile && !isFileLast && <LetterFile revelation={revelation} />}
      <div className="w-full max-w-reading whitespace-pre-wrap font-serif text-xl leading-relaxed [overflow-wrap:anywhere] sm:text-[1.3125rem] sm:leading-relaxed">
        {isOpening ? <PacedLines text={content} /> : content}
      </div>
      {hasFile && isFileLast && <LetterFile revelation={revelation} />}
    </section>
  )
}

const PACED_MAX = 7
const AFTER_SENTENCES = /(?<=\n|[.!?…]\s)(?=\S)/u

/** The words as they come while the letter opens: a few sentences one after the other, then all the rest. */
function PacedLines({ text }: { text: string }) {
  const sentences = text.split(AFTER_SENTENCES)
  const pieces = [...sentences.slice(0, PACED_MAX), sentences.slice(PACED_MAX).join('')]
  let start = 0
  return pieces.filter(Boolean).map((words, line) => {
    const key = start
    start += words.length
    return (
      <span key={key} className="paced-line" style={{ '--line': line }}>
        {words}
      </span>
    )
  })
}

function RevealedHead({ revelation, onReplay }: Pick<LetterSheetProps, 'revelation' | 'onReplay'>) {
  const { title, reveal_date, time_zone, author_pseudo } = revelation
  return (
    <header className="flex flex-col gap-5">
      <div className="flex items-center gap-4">
        <WaxSeal initial={initialOf(author_pseudo)} state="broken" className="size-16 shrink-0" />
        <div className="min-w-0 leading-snug">
          <h2 className="text-wax-ink text-xl">Révélation dévoilée</h2>
          <p className="text-balance text-ink-soft text-sm first-letter:uppercase">
            <time dateTime={reveal_date}>{instantInWords(new Date(reveal_date), time_zone)}</time>
          </p>
        </div>
      </div>
      <PageHeading
        documentTitle={title}
        className="leading-tight! [overflow-wrap:anywhere] sm:text-5xl"
      >
        {title}
      </PageHeading>
      <RevelationLines revelation={revelation} />
      <div className="print:hidden flex flex-wrap items-center justify-between gap-x-3">
        <CardTags revelation={revelation} />
        <Button
          variant="ghost"
          className="-mx-4 text-sm"
          icon={<RotateCcw aria-hidden="true" className="size-4" />}
          onClick={() => {
            scrollTo({ top: 0 })
            onReplay()
          }}
        >
          Revoir l’ouverture
        </Button>
      </div>
      <hr className="border-line" />
    </header>
  )
}

function OwnHead() {
  return (
    <header className="flex flex-col gap-1">
      <h2 className="text-2xl">Votre lettre</h2>
      <p className="flex items-start gap-2 text-ink-soft">
        <EyeOff aria-hidden="true" className="mt-1 size-4 shrink-0" />
        Personne d’autre que vous ne peut lire ceci avant la date.
      </p>
    </header>
  )
}
