import { Tabs as RadixTabs } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'

interface Tab<Value extends string> {
  value: Value
  label: ReactNode
  content: ReactNode
}

interface TabsProps<Value extends string> {
  label: string
  tabs: readonly Tab<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** `manual`: the arrows only walk along the tabs, where opening one may lead elsewhere. */
  activation?: 'automatic' | 'manual'
}

/** Panels one at a time; on a narrow screen the row of tabs slides under the finger. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  activation = 'automatic',
}: TabsProps<Value>) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const list = row.current
    const tab = list?.querySelector<HTMLElement>(`[data-value="${value}"]`)
    if (!list || !tab) return
    const slide = () => slideTo(list, tab)
    slide()
    // A count that arrives later makes its tab wider.
    const changes = new MutationObserver(slide)
    changes.observe(list, { childList: true, subtree: true })
    return () => changes.disconnect()
  }, [value])
  return (
    <RadixTabs.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      activationMode={activation}
    >
      <RadixTabs.List
        ref={row}
        aria-label={label}
        className="-mx-4 relative flex overflow-x-auto overscroll-x-contain [scrollbar-width:none] border-line border-b px-4 sm:mx-0 sm:px-0"
      >
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.value}
            value={tab.value}
            data-value={tab.value}
            className="flex min-h-12 shrink-0 items-center gap-2 border-transparent border-b-3 px-3 font-semibold text-ink-soft hover:text-ink focus-visible:-outline-offset-3 data-[state=active]:border-wax-ink data-[state=active]:text-ink sm:px-4"
          >
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value} className="pt-6">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  )
}

/** Slides the row, never the page. */
function slideTo(row: HTMLElement, tab: HTMLElement): void {
  row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
}
