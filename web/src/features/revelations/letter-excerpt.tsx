import type { OpenRevelation } from '#contract/revelations.ts'
import { classNames } from '#web/ui/class-names.ts'

const EXCERPT_LENGTH = 320

interface LetterExcerptProps {
  revelation: OpenRevelation
  /** Short, and read nowhere else. */
  isWhole?: boolean
}

/** The first words of a letter that is open. */
export function LetterExcerpt({ revelation, isWhole = false }: LetterExcerptProps) {
  const { content, file_type } = revelation
  const hasPicture = file_type === 'video' || file_type === 'image'
  return (
    <p
      className={classNames(
        'letter-in letter-lines whitespace-pre-line font-serif [overflow-wrap:anywhere]',
        !isWhole && (hasPicture ? 'line-clamp-2' : 'line-clamp-6'),
      )}
    >
      {content.slice(0, EXCERPT_LENGTH).replace(/\n+/g, '\n')}
    </p>
  )
}
