import { Check, Clock } from 'lucide-react'
import { classNames } from '#web/ui/class-names.ts'

interface FeatureListProps {
  features: readonly string[]
  /** How many of the first stand out. */
  leading?: number
  className?: string
}

/** What a plan gives; what is promised for later is told apart by its mark and its word. */
export function FeatureList({ features, leading = 0, className }: FeatureListProps) {
  return (
    <ul className={className ?? 'flex flex-col gap-2'}>
      {features.map((feature, at) => {
        const isLater = feature.endsWith('(bientôt)')
        const Icon = isLater ? Clock : Check
        return (
          <li
            key={feature}
            className={classNames(
              'flex items-start gap-2.5 leading-snug',
              isLater && 'text-ink-soft',
              at < leading && 'font-semibold',
            )}
          >
            <Icon
              aria-hidden="true"
              className={classNames('mt-0.5 size-4.5 shrink-0', !isLater && 'text-leaf-ink')}
            />
            {feature}
          </li>
        )
      })}
    </ul>
  )
}
