import { FileText, Film, Image, type LucideIcon, Mic } from 'lucide-react'
import type { FileType } from '#contract/revelations.ts'

export const FILE_ICONS: Record<FileType, LucideIcon> = {
  video: Film,
  image: Image,
  audio: Mic,
  document: FileText,
}
