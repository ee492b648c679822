import { type ComponentType, createContext, useContext } from 'react'
import type { FileType, LetterFile } from '#contract/revelations.ts'
import { counted } from '#web/lib/format.ts'
import type { DownloadButton, downloadFile } from './download-button.tsx'
import type { FILE_ICONS } from './file-icons.ts'
import type { RenewUrl } from './use-player.ts'

/** One file of an album, with what brings its addresses again. */
export interface AlbumItem extends LetterFile {
  /** What is said in it: the captions of a film, or the words of a recording. */
  words: string | null
  renew: RenewUrl
  /** Of the lighter file, or of this one. */
  renewLight: RenewUrl
  renewThumbnail: RenewUrl
}

export interface FilePlayerProps {
  title: string
  file: Pick<
    AlbumItem,
    'type' | 'mobile_url' | 'duration' | 'thumbnail' | 'words' | 'renew' | 'renewLight'
  > & { url: string; size: number | null }
}

/** What the page of a letter has anyway. */
export interface AlbumParts {
  FilePlayer: ComponentType<FilePlayerProps>
  DownloadButton: typeof DownloadButton
  downloadFile: typeof downloadFile
  icons: typeof FILE_ICONS
}

export const AlbumPartsContext = createContext<AlbumParts | undefined>(undefined)

export function useAlbumParts(): AlbumParts {
  const parts = useContext(AlbumPartsContext)
  if (!parts) throw new Error('This album has no parts')
  return parts
}

const NOUNS: Record<FileType, string> = {
  image: 'Photo',
  video: 'Film',
  audio: 'Enregistrement',
  document: 'Document',
}

/** « Photo 3 sur 12 ». */
export function placeOf({ type }: Pick<AlbumItem, 'type'>, at: number, total: number): string {
  return `${NOUNS[type]} ${at + 1} sur ${total}`
}

/** « Photo 3 sur 12 : Le quai ». */
export function nameOf(item: AlbumItem, at: number, total: number): string {
  const place = placeOf(item, at, total)
  return item.caption === null ? place : `${place}\u202F: ${item.caption}`
}

/** « 12 photos », « 12 fichiers ». */
export function albumInWords(files: readonly Pick<AlbumItem, 'type'>[]): string {
  return files.every(({ type }) => type === 'image')
    ? counted(files.length, 'photo', 'photos')
    : counted(files.length, 'fichier', 'fichiers')
}

/** What is shown: the lighter one where there is one. Null while it is prepared, or where it needs the network. */
export function lightOf({ mobile_url, url }: Pick<AlbumItem, 'url' | 'mobile_url'>): string | null {
  return mobile_url ?? url
}

/** Why there is nothing to show yet. */
export const MISSING: Record<FileType, string> = {
  image: 'La photo se prépare…',
  video: 'Le film se regarde en ligne.',
  audio: 'L’enregistrement s’écoute en ligne.',
  document: 'Le document se lit en ligne.',
}
