import { MessageCircle } from 'lucide-react'
import { pluralize } from '#contract/plural.ts'
import { formatCompactCount } from '#web/lib/format.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon-sheet.tsx'

interface CommentsToggleProps {
  count: number
  isOpen: boolean
  /** The id of what it opens. */
  controls: string
  onToggle: (button: HTMLElement) => void
}

/** How many comments there are; a tap opens them. */
export function CommentsToggle({ count, isOpen, controls, onToggle }: CommentsToggleProps) {
  const figure = formatCompactCount(count)
  return (
    <button
      type="button"
      aria-label={`${figure} ${pluralize(count, 'commentaire', 'commentaires')}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      title={isOpen ? 'Fermer les commentaires' : 'Ouvrir les commentaires'}
      onClick={(event) => onToggle(event.currentTarget)}
      className={classNames('count-button', isOpen && 'bg-sunken text-ink')}
    >
      <Icon icon={MessageCircle} className="size-5" />
      {figure}
    </button>
  )
}
