import { AudioLines, FileText, Film } from 'lucide-react'
import type { ReactNode } from 'react'
import { dayInWords, instantInWords, lengthInWords } from '#contract/date-in-words.ts'
import {
  isOwn,
  type LetterFile,
  type OpenRevelation,
  type Revelation,
} from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { peopleInWords } from '#web/features/revelations/for-whom.ts'
import { isSameAddress } from '#web/lib/addresses.ts'
import { initialOf } from '#web/lib/format.ts'
import { SealImpression } from '#web/ui/wax-seal.tsx'

// What a printed letter has instead of what a page has: `styles/print.css` lays it out.

interface KeepsakeProps {
  revelation: OpenRevelation
}

/** The day it was sealed, over its title. */
export function KeepsakeDay({ revelation: { created_at, time_zone } }: { revelation: Revelation }) {
  return (
    <p className="keepsake keepsake-day">
      Le <time dateTime={created_at}>{dayInWords(new Date(created_at), time_zone)}</time>
    </p>
  )
}

/** Whom it is for, and from. */
export function KeepsakeNames({ revelation }: { revelation: Revelation }) {
  return <p className="keepsake keepsake-names">{useNames(revelation)}</p>
}

/** A name before an address; of somebody this reader is not told of, neither is printed. */
function useNames(revelation: Revelation): string {
  const { user } = useSession()
  const { author_pseudo, target_email, target_name, opening, recipients } = revelation
  const from = `@${author_pseudo}`
  if (isOwn(revelation)) {
    const { deliveries, delivery } = revelation
    const isForMe = deliveries.length === 1 && isSameAddress(delivery.address, user?.email ?? '')
    if (isForMe) return `Pour ${from}, de sa propre main`
    return `Pour ${peopleInWords(deliveries.map(({ name, address }) => name || address))}, de ${from}`
  }
  if (target_name) return `Pour ${target_name}, de ${from}`
  if (user && opening.tells_author) return `Pour @${user.pseudo}, de ${from}`
  return recipients ? `Pour ${target_email}, de ${from}` : `De ${from}`
}

/** What paper can show of the files, in their order. */
export function KeepsakeFiles({ revelation }: KeepsakeProps) {
  const { files, file_words = null } = revelation
  const all: PaperFile[] = files ?? singleOf(revelation)
  return all.map((file, at) => (
    <KeepsakeFile
      // biome-ignore lint/suspicious/noArrayIndexKey: its place in the letter, which no longer changes
      key={at}
      file={file}
      words={at === 0 ? file_words : null}
      isOneOfMany={all.length > 1}
    />
  ))
}

type PaperFile = Pick<LetterFile, 'type' | 'url' | 'mobile_url' | 'thumbnail' | 'duration'> & {
  name: string | null
  caption: string | null
}

function singleOf(revelation: OpenRevelation): PaperFile[] {
  const {
    file_type: type,
    file_url: url,
    file_mobile_url: mobile_url,
    file_name: name,
  } = revelation
  const { thumbnail_complete: thumbnail, duration } = revelation
  return type ? [{ type, url, mobile_url, thumbnail, duration, name, caption: null }] : []
}

interface KeepsakeFileProps {
  file: PaperFile
  words: string | null
  /** Its picture is fetched when it is printed. */
  isOneOfMany: boolean
}

function KeepsakeFile({ file, words, isOneOfMany }: KeepsakeFileProps) {
  const { type, name, caption } = file
  const length = file.duration === null ? '' : `, ${lengthInWords(file.duration)}`
  const stem = name ? `\u202F: ${stemOf(name)}` : ''
  const picture = { caption, isLazy: isOneOfMany }
  switch (type) {
    case 'image':
      return <Picture {...picture} url={file.mobile_url ?? file.url} />
    case 'video':
      return (
        <Picture {...picture} url={file.thumbnail}>
          <Film aria-hidden="true" />
          <span>
            Film{stem}
            {length}
          </span>
        </Picture>
      )
    case 'audio':
      return (
        <>
          <Mention icon={<AudioLines aria-hidden="true" />}>
            Message vocal{isOneOfMany && stem}
            {length}
          </Mention>
          {caption !== null && <p className="keepsake keepsake-caption">{caption}</p>}
          {words && <p className="keepsake keepsake-said">«&#8239;{words}&#8239;»</p>}
        </>
      )
    case 'document':
      return (
        <Picture {...picture} url={file.thumbnail} isPage>
          <FileText aria-hidden="true" />
          <span>Document joint{name && `\u202F: ${name}`}</span>
        </Picture>
      )
    default:
      return null
  }
}

interface PictureProps {
  url: string | null
  caption: string | null
  isLazy: boolean
  /** White, with an edge of its own. */
  isPage?: boolean
  children?: ReactNode
}

function Picture({ url, caption, isLazy, isPage = false, children }: PictureProps) {
  return (
    <figure className="keepsake keepsake-picture">
      {url && (
        <img
          src={url}
          alt=""
          loading={isLazy ? 'lazy' : undefined}
          data-page={isPage || undefined}
        />
      )}
      {caption !== null && <p className="keepsake-caption">{caption}</p>}
      {children && <figcaption>{children}</figcaption>}
    </figure>
  )
}

function Mention({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="keepsake keepsake-mention">
      {icon}
      <span>{children}</span>
    </p>
  )
}

function stemOf(fileName: string): string {
  return fileName.replace(/(?<=.)\.[^.]+$/, '')
}

/** The seal between its two dates, and what it is checked by. */
export function KeepsakeSeal({ revelation }: { revelation: Revelation }) {
  const { author_pseudo, created_at, reveal_date, opening, commitment } = revelation
  return (
    <div className="keepsake keepsake-seal">
      <Instant label="Scellée le" at={created_at} timeZone={revelation.time_zone} />
      <SealImpression initial={initialOf(author_pseudo)} />
      <Instant
        label="Ouverte le"
        at={opening.opened_at ?? reveal_date}
        timeZone={revelation.time_zone}
      />
      <p className="keepsake-commitment">
        Empreinte du sceau <code>{commitment}</code>
      </p>
    </div>
  )
}

interface InstantProps {
  label: string
  at: string
  timeZone: string
}

function Instant({ label, at, timeZone }: InstantProps) {
  return (
    <p className="keepsake-instant">
      {label}
      <time dateTime={at}>{instantInWords(new Date(at), timeZone)}</time>
    </p>
  )
}
