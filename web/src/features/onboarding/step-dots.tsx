import { classNames } from '#web/ui/class-names.ts'

interface StepDotsProps {
  step: number
  count: number
  title: string
}

/** How far one is: dots for the eyes, words for screen readers. */
export function StepDots({ step, count, title }: StepDotsProps) {
  return (
    <div className="flex justify-center gap-2">
      <p role="status" className="sr-only">
        Étape {step + 1} sur {count}&nbsp;: {title}
      </p>
      {Array.from({ length: count }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: dots never change places
          key={index}
          aria-hidden="true"
          className={classNames(
            'h-2 rounded-full transition-[width,background-color] duration-200',
            index === step ? 'w-6 bg-[#f6c987]' : 'w-2 bg-line-strong',
          )}
        />
      ))}
    </div>
  )
}
