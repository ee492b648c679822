import { Download } from 'lucide-react'
import { useState } from 'react'
import { formatBytes } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import type { RenewUrl } from './use-player.ts'

interface DownloadButtonProps {
  label: string
  /** Which file it is, unseen, where several buttons say the same. */
  about?: string | undefined
  url: string
  fileName: string
  sizeBytes: number | null
  renew: RenewUrl
}

/** Saves a file under its name, with a new ticket; if that fails, opens it in a new tab. */
export function DownloadButton(props: DownloadButtonProps) {
  const { label, about, url, fileName, sizeBytes, renew } = props
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    await downloadFile({ url, fileName, renew })
    setBusy(false)
  }
  return (
    <Button
      variant="secondary"
      busy={isBusy}
      icon={<Download aria-hidden="true" className="size-5" />}
      onClick={download}
    >
      {label}
      {about && <span className="sr-only"> {about}</span>}
      {sizeBytes !== null && (
        <span className="tabular-digits font-normal text-ink-soft">{formatBytes(sizeBytes)}</span>
      )}
    </Button>
  )
}

/** With a new ticket; where there is none, its former address is opened in a new tab. */
export async function downloadFile({
  url,
  fileName,
  renew,
}: Pick<DownloadButtonProps, 'url' | 'fileName' | 'renew'>): Promise<void> {
  try {
    const fresh = await renew()
    if (!fresh) throw new Error('The file is gone')
    saveAs(fresh, fileName)
  } catch {
    window.open(url, '_blank', 'noopener')
  }
}

function saveAs(url: string, fileName: string): void {
  const link = document.createElement('a')
  const mark = url.includes('?') ? '&' : '?'
  link.href = `${url}${mark}download=1`
  link.download = fileName
  link.click()
}
