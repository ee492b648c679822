import type { ReactNode } from 'react'

/** The main action of a long page: always at hand at the bottom of a phone, at its place on a wide screen. */
export function ActionBar({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-(--bottom-bar) z-30 -mx-4 flex flex-wrap-reverse items-center justify-end gap-2 border-line border-t bg-ground px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom)-var(--bottom-bar))] [@media(height<30rem)]:static sm:static sm:z-auto sm:mx-0 sm:border-0 sm:bg-transparent sm:px-0 [&>*]:flex-1 sm:[&>*]:flex-none">
      {children}
    </div>
  )
}
