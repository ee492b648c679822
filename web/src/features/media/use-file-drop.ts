import { type ClipboardEvent, type DragEvent, useState } from 'react'

/** Takes the files that are dropped on an element; a part of it that took them already is not asked twice. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    target: {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        setOver(false)
        const files = [...event.dataTransfer.files]
        if (event.isDefaultPrevented() || files.length === 0) return
        event.preventDefault()
        onFiles(files)
      },
    },
  }
}

/** Takes pasted pictures and files; what has words, too, is pasted as words. */
export function pasteFiles(onFiles: (files: File[]) => void) {
  return (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData
    if (event.isDefaultPrevented() || files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    onFiles([...files])
  }
}
