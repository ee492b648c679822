import { useQueryClient } from '@tanstack/react-query'
import { Download, Heart, Trash2 } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { saveFrom } from '#web/lib/device.ts'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import type { VoicePlayer } from './use-voice-player.ts'
import { isPlayable, type LockedVoiceMessage, type VoiceMessage } from './voice-message.ts'
import { refetchVoiceMessage, useToggleFavorite } from './voice-messages.queries.ts'

export interface RowActions {
  toggle: (id: string) => void
  toggleFavorite: (voiceMessage: VoiceMessage) => void
  download: (voiceMessage: VoiceMessage) => void
  explainLock: (voiceMessage: LockedVoiceMessage) => void
  confirmDelete: (voiceMessage: VoiceMessage) => void
}

/** The object is the same at each render, so that a row renders only when its own voice message changes. */
export function useRowActions(
  player: VoicePlayer,
  dialogs: Pick<RowActions, 'explainLock' | 'confirmDelete'>,
): RowActions {
  const toggleFavorite = useToggleFavorite()
  const download = useDownload()
  const latest = useRef({ player, toggleFavorite, download, ...dialogs })
  useLayoutEffect(() => {
    latest.current = { player, toggleFavorite, download, ...dialogs }
  })
  const [actions] = useState<RowActions>(() => ({
    toggle: (id) => {
      const { player: now } = latest.current
      if (now.current?.id === id) now.toggle()
      else now.play(id)
    },
    toggleFavorite: (voiceMessage) => latest.current.toggleFavorite(voiceMessage),
    download: (voiceMessage) => void latest.current.download(voiceMessage),
    explainLock: (voiceMessage) => latest.current.explainLock(voiceMessage),
    confirmDelete: (voiceMessage) => latest.current.confirmDelete(voiceMessage),
  }))
  return actions
}

interface FavoriteButtonProps {
  voiceMessage: VoiceMessage
  onToggle: (voiceMessage: VoiceMessage) => void
}

export function FavoriteButton({ voiceMessage, onToggle }: FavoriteButtonProps) {
  const isMine = voiceMessage.is_favorite
  return (
    <IconButton
      label={`Favori\u202F: ${voiceMessage.title}`}
      aria-pressed={isMine}
      title={isMine ? 'Retirer des favoris' : 'Ajouter aux favoris'}
      icon={
        <Heart
          aria-hidden="true"
          className={classNames('size-5', isMine && 'reaction-pop fill-current')}
        />
      }
      onClick={() => onToggle(voiceMessage)}
      className="relative z-10 aria-pressed:text-wax-ink"
    />
  )
}

interface VoiceMessageMenuProps {
  voiceMessage: VoiceMessage
  onDownload: (voiceMessage: VoiceMessage) => void
  onDelete: (voiceMessage: VoiceMessage) => void
}

/** Renders nothing when no action is possible. */
export function VoiceMessageMenu({ voiceMessage, onDownload, onDelete }: VoiceMessageMenuProps) {
  const isOpen = isPlayable(voiceMessage)
  if (!isOpen && !voiceMessage.can_delete) return null
  return (
    <Menu
      trigger={
        <IconButton
          label={`Plus d’actions\u202F: ${voiceMessage.title}`}
          title="Plus d’actions"
          icon={<Dots />}
          className="relative z-10"
        />
      }
    >
      {isOpen && (
        <MenuItem
          icon={<Download aria-hidden="true" className="size-5" />}
          onSelect={() => onDownload(voiceMessage)}
        >
          Télécharger
        </MenuItem>
      )}
      {voiceMessage.can_delete && (
        <MenuItem
          danger
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onSelect={() => onDelete(voiceMessage)}
        >
          Supprimer
        </MenuItem>
      )}
    </Menu>
  )
}

/** Characters: each row of a long list would have to paint a drawing. */
function Dots() {
  return (
    <span aria-hidden="true" className="font-bold text-base leading-none tracking-tight">
      •••
    </span>
  )
}

/** Saves the file as it was sent, under a new ticket. */
function useDownload() {
  const client = useQueryClient()
  return async ({ id }: VoiceMessage): Promise<void> => {
    try {
      const fresh = await refetchVoiceMessage(client, id)
      if (!fresh.download_url) throw new Error('The voice message may not be played any more')
      saveFrom(downloadUrl(fresh.download_url), downloadFileName(fresh.title, fresh.file_name))
    } catch {
      showToast('error', 'Erreur lors du téléchargement')
    }
  }
}

function downloadUrl(address: string): string {
  const url = new URL(address, window.location.origin)
  url.searchParams.set('download', '1')
  return url.pathname + url.search
}

const FORBIDDEN = /[\\/:*?"<>|\p{Cc}]+/gu

/** A file name that every system accepts, with the extension of the sent file: « Bonne nuit.m4a ». */
export function downloadFileName(title: string, fileName: string | undefined): string {
  const name = title
    .replace(FORBIDDEN, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|\.+$/g, '')
  const extension = /\.[a-z0-9]{1,8}$/i.exec(fileName ?? '')?.[0].toLowerCase() ?? ''
  return `${name || 'message'}${extension}`
}
