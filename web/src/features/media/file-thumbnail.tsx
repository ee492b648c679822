import { useState } from 'react'
import type { FileType } from '#contract/revelations.ts'
import { FILE_ICONS } from './file-icons.ts'

interface FileThumbnailProps {
  kind: FileType
  /** An address under which this page can read the file. */
  previewUrl: string | undefined
}

/** A picture in small, or the icon of its kind, also where the browser cannot draw it. */
export function FileThumbnail({ kind, previewUrl }: FileThumbnailProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>()
  const Icon = FILE_ICONS[kind]
  const isShown = kind === 'image' && previewUrl !== undefined && previewUrl !== brokenUrl
  return (
    <span className="flex size-14 shrink-0 items-center justify-center overflow-hidden rounded-field bg-sunken text-ink-soft">
      {isShown ? (
        <img
          src={previewUrl}
          alt=""
          decoding="async"
          className="size-full object-cover"
          onError={() => setBrokenUrl(previewUrl)}
        />
      ) : (
        <Icon aria-hidden="true" className="size-7" />
      )}
    </span>
  )
}
