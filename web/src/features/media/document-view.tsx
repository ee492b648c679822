import { BookOpenText } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import type { RenewUrl } from './use-player.ts'

const DocumentReader = lazy(async () => ({
  default: (await import('./document-reader.tsx')).DocumentReader,
}))

interface DocumentViewProps {
  title: string
  url: string
  sizeBytes: number | null
  /** Absent for a document that nobody could draw. */
  firstPage: string | null
  renew: RenewUrl
}

/** The first page of a document, which is read on the whole screen. */
export function DocumentView({ title, url, sizeBytes, firstPage, renew }: DocumentViewProps) {
  const [isOpen, setOpen] = useState(false)
  const [hasFirstPage, setHasFirstPage] = useState(true)
  if (sizeBytes === null) return null
  const open = () => setOpen(true)
  return (
    <div className="flex flex-col items-center gap-3">
      {firstPage && hasFirstPage && (
        // The button below says it to those who do not see the page.
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          onClick={open}
          className="aspect-[1/1.414] w-full max-w-sm cursor-zoom-in rounded-field border border-line bg-sunken"
        >
          <img
            src={firstPage}
            alt=""
            className="size-full object-contain"
            onError={() => setHasFirstPage(false)}
          />
        </button>
      )}
      <Button
        variant="secondary"
        icon={<BookOpenText aria-hidden="true" className="size-5" />}
        aria-haspopup="dialog"
        className="print:hidden"
        onClick={open}
      >
        Lire le document
      </Button>
      {isOpen && (
        <Suspense>
          <DocumentReader
            title={title}
            url={url}
            sizeBytes={sizeBytes}
            renew={renew}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
