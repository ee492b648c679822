import { MessageCircle } from 'lucide-react'
import { classNames } from '#web/ui/class-names.ts'

interface CommentsToggleProps {
  count: number
  isOpen: boolean
  /** The id of what it opens. */
  controls: string
  onToggle: () => void
}

/** How many comments there are; a tap opens them. */
export function CommentsToggle({ count, isOpen, controls, onToggle }: CommentsToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      title={isOpen ? 'Fermer les commentaires' : 'Ouvrir les commentaires'}
      onClick={onToggle}
      className={classNames(
        'digits inline-flex min-h-11 min-w-11 items-center gap-1.5 rounded-full px-2.5 hover:bg-sunken hover:text-ink',
        isOpen && 'bg-sunken text-ink',
      )}
    >
      <MessageCircle aria-hidden="true" className="size-5" />
      {compact.format(count)}
      <span className="sr-only"> {count > 1 ? 'commentaires' : 'commentaire'}</span>
    </button>
  )
}

const compact = new Intl.NumberFormat('fr', { notation: 'compact' })
