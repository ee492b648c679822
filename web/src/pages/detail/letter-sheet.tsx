import { EyeOff, RotateCcw } from 'lucide-react'
import { instantInWords } from '#contract/date-in-words.ts'
import type { OpenRevelation, OwnRevelation, Revelation } from '#contract/revelations.ts'
import { SealVoiceLine } from '#web/features/openings/seal-voice.tsx'
import type { OpeningSoundControls } from '#web/features/openings/use-opening-sound.ts'
import { CardTags } from '#web/features/revelations/card-details.tsx'
import { LetterFile } from '#web/features/revelations/letter-file.tsx'
import { formatDay } from '#web/lib/dates.ts'
import { initialOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { KeepsakeDay, KeepsakeFiles, KeepsakeNames, KeepsakeSeal } from './keepsake.tsx'
import { RevelationLines } from './revelation-lines.tsx'

interface LetterSheetProps {
  revelation: OpenRevelation | OwnRevelation
  isRevealed: boolean
  /** Its opening is being played. */
  isOpening: boolean
  /** Which opening its reader sees or has seen: another one for each, none where it was open already. */
  opening: number | undefined
  /** Plays the opening again. */
  onReplay: () => void
  sound: OpeningSoundControls
}

/** The letter with its file. Before the reveal only its author has it. */
export function LetterSheet(props: LetterSheetProps) {
  const { revelation, isRevealed, isOpening, opening, onReplay, sound } = props
  const { content, file_type, paper, ink } = revelation
  return (
    <section
      aria-label={isRevealed ? 'La lettre' : 'Votre lettre'}
      data-paper={paper}
      data-ink={ink}
      className={classNames(
        isRevealed && 'paper-letter',
        'theme-paper flex flex-col gap-6 rounded-card border border-line bg-surface px-5 py-7 text-ink shadow-soft sm:px-12 sm:py-10',
      )}
    >
      {isRevealed ? <RevealedHead revelation={revelation} /> : <OwnHead />}
      <div className="letter-words w-full max-w-reading whitespace-pre-wrap font-serif text-letter-ink text-xl leading-relaxed [overflow-wrap:anywhere] sm:text-[1.3125rem] sm:leading-relaxed">
        {isOpening ? <PacedLines text={content} /> : <Paragraphs text={content} />}
      </div>
      <SealVoiceLine revelation={revelation} sound={sound} />
      {file_type !== null && <LetterFile revelation={revelation} opening={opening} />}
      {isRevealed && (
        <>
          <SheetFoot revelation={revelation} onReplay={onReplay} />
          <KeepsakeFiles revelation={revelation} />
          <KeepsakeSeal revelation={revelation} />
        </>
      )}
    </section>
  )
}

const GAPS = /(\n\s*\n\s*)/

/** On paper, paragraphs are set apart and never leave a lone line on a page; on a screen nothing of it is seen. */
function Paragraphs({ text }: { text: string }) {
  let start = 0
  return text.split(GAPS).map((part, index) => {
    const key = start
    start += part.length
    return (
      <span key={key} className={index % 2 === 1 ? 'print:hidden' : 'letter-paragraph'}>
        {part}
      </span>
    )
  })
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

interface RevealedHeadProps {
  revelation: Revelation
}

/** Few lines, so that the first words of the letter are seen at once: what else there is to know stands below them. */
function RevealedHead({ revelation }: RevealedHeadProps) {
  const { title, reveal_date, time_zone, author_pseudo } = revelation
  return (
    <header className="flex flex-col gap-3">
      <KeepsakeDay revelation={revelation} />
      <div className="flex items-center gap-3 print:hidden">
        <WaxSeal initial={initialOf(author_pseudo)} state="broken" className="size-10 shrink-0" />
        <div className="min-w-0 text-sm leading-snug">
          <h2 className="font-sans font-semibold text-sm text-wax-ink tracking-normal">
            Révélation dévoilée
          </h2>
          <p className="text-ink-soft">
            <time dateTime={reveal_date}>{formatDay(reveal_date, time_zone)}</time>
          </p>
        </div>
      </div>
      <PageHeading
        documentTitle={title}
        className="text-letter-ink leading-tight! [overflow-wrap:anywhere] sm:text-5xl"
      >
        {title}
      </PageHeading>
      <RevelationLines revelation={revelation} className="print:hidden" />
      <KeepsakeNames revelation={revelation} />
    </header>
  )
}

interface SheetFootProps extends RevealedHeadProps {
  onReplay: () => void
}

function SheetFoot({ revelation, onReplay }: SheetFootProps) {
  const { reveal_date, time_zone } = revelation
  return (
    <footer className="flex flex-col gap-3 border-line border-t pt-4 print:hidden">
      <p className="text-balance text-ink-soft text-sm">
        Révélée le{' '}
        <time dateTime={reveal_date}>{instantInWords(new Date(reveal_date), time_zone)}</time>
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
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
    </footer>
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
