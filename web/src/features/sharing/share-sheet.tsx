import {
  Check,
  Copy,
  Download,
  Ellipsis,
  Mail,
  MessageSquareText,
  QrCode as QrIcon,
} from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { formatDay } from '#web/lib/dates.ts'
import { saveFile } from '#web/lib/device.ts'
import { useCopy } from '#web/lib/hooks.ts'
import { paths } from '#web/lib/paths.ts'
import { SITE_NAME } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { controlClass } from '#web/ui/form-field.tsx'
import { drawQrCode, QrCode } from '#web/ui/qr-code.tsx'
import { BRAND_PATHS, type Brand } from './brand-paths.ts'

interface ShareSheetProps {
  revelation: Revelation
  onClose: () => void
}

/** Shares a revelation: on a network, by mail or text message, by the phone's own sheet, by its link or a code. */
export function ShareSheet({ revelation, onClose }: ShareSheetProps) {
  const link = shareLink(revelation.id)
  const text = shareText(revelation)
  const { result, copy } = useCopy()
  const hasOwnSheet = 'share' in navigator
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title="Partager">
      <p className="-mt-1 text-ink-soft [overflow-wrap:anywhere]">{audienceOf(revelation)}</p>
      <ul
        aria-label="Partager sur"
        className={classNames('mt-4 grid grid-cols-4 gap-1', hasOwnSheet && 'sm:grid-cols-5')}
      >
        {SHARE_TARGETS.map((target) => (
          <li key={target.name}>
            <Target
              target={target}
              text={text}
              link={link}
              onCopy={() => copy(`${text} ${link}`, target.name)}
            />
          </li>
        ))}
        <li>
          <a href={mailAddress(revelation, link)} className={targetClass}>
            <Disc>
              <Mail aria-hidden="true" className="size-6" />
            </Disc>
            E-mail
          </a>
        </li>
        <li>
          <a href={smsAddress(text, link)} className={targetClass}>
            <Disc>
              <MessageSquareText aria-hidden="true" className="size-6" />
            </Disc>
            SMS
          </a>
        </li>
        {hasOwnSheet && (
          <li>
            <button
              type="button"
              aria-label="Autre application"
              className={targetClass}
              onClick={() => navigator.share({ title: text, text, url: link }).catch(() => {})}
            >
              <Disc>
                <Ellipsis aria-hidden="true" className="size-6" />
              </Disc>
              Autre
            </button>
          </li>
        )}
      </ul>
      <div className="mt-4 flex flex-col gap-2 sm:flex-row">
        <input
          readOnly
          aria-label="Lien à partager"
          value={link}
          onFocus={(event) => event.currentTarget.select()}
          className={classNames(controlClass, 'text-ellipsis')}
        />
        <Button
          className="min-h-12 shrink-0"
          icon={
            result?.isCopied ? (
              <Check aria-hidden="true" className="size-5" />
            ) : (
              <Copy aria-hidden="true" className="size-5" />
            )
          }
          onClick={() => copy(link)}
        >
          Copier le lien
        </Button>
      </div>
      <div role="status" className="mt-2 min-h-6 text-sm">
        {result?.isCopied && (
          <p className="font-semibold text-leaf-ink">
            Lien copié dans le presse-papiers !
            {result.pasteIn && ` Collez-le dans ${result.pasteIn}.`}
          </p>
        )}
        {result && !result.isCopied && (
          <p>La copie n’est pas permise ici. Copiez vous-même ce qui est sélectionné&#8239;:</p>
        )}
      </div>
      {result && !result.isCopied && <SelectedText key={result.words} words={result.words} />}
      <LinkCode link={link} />
    </Dialog>
  )
}

/** The link as a code, to be photographed from this screen or from paper. */
function LinkCode({ link }: { link: string }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  async function save() {
    const image = await drawQrCode(link)
    setFailed(image === null)
    if (image) saveFile(image, 'revelation.png')
  }
  return (
    <div className="mt-1 border-line border-t pt-4">
      <Button
        variant="secondary"
        aria-expanded={isOpen}
        aria-controls={id}
        icon={<QrIcon aria-hidden="true" className="size-5" />}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Masquer le code QR' : 'Afficher le code QR'}
      </Button>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <div className="mt-4 flex flex-col items-center gap-3">
            <QrCode
              text={link}
              label="Code à photographier, qui mène à cette révélation"
              className="w-full max-w-56 rounded-field border border-line"
            />
            <Button
              icon={<Download aria-hidden="true" className="size-5" />}
              onClick={() => void save()}
            >
              Enregistrer l’image
            </Button>
            <p role="status" className="text-center text-ink-soft text-sm">
              {hasFailed
                ? 'Ce navigateur ne sait pas enregistrer l’image. Photographiez le code.'
                : 'Un téléphone qui le photographie ouvre le lien.'}
            </p>
          </div>
        )}
      </div>
    </div>
  )
}

function SelectedText({ words }: { words: string }) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  return (
    <textarea
      ref={field}
      readOnly
      rows={3}
      aria-label="Texte à copier"
      value={words}
      className={classNames(controlClass, 'mt-2 block resize-none')}
    />
  )
}

const targetClass =
  'flex w-full flex-col items-center gap-1.5 rounded-field px-1 py-2 text-center font-medium text-sm hover:bg-sunken'

interface TargetProps {
  target: ShareTarget
  text: string
  link: string
  onCopy: () => void
}

function Target({ target: { name, icon, page }, text, link, onCopy }: TargetProps) {
  const content = (
    <>
      <Disc>
        <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6 fill-current">
          <path d={icon} />
        </svg>
      </Disc>
      {name}
    </>
  )
  if (!page) {
    return (
      <button type="button" className={targetClass} onClick={onCopy}>
        {content}
      </button>
    )
  }
  return (
    <a href={page(text, link)} target="_blank" rel="noopener noreferrer" className={targetClass}>
      {content}
    </a>
  )
}

function Disc({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex size-13 items-center justify-center rounded-full border border-line bg-ground">
      {children}
    </span>
  )
}

/** Who can open the link. */
function audienceOf({ visibility, author_pseudo }: Revelation): string {
  switch (visibility) {
    case 'public':
      return 'Tout le monde peut ouvrir ce lien. Il ne dit rien de la lettre.'
    case 'friends':
      return `Seuls les amis et la famille de @${author_pseudo} peuvent ouvrir ce lien.`
    case 'family':
      return `Seule la famille de @${author_pseudo} peut ouvrir ce lien.`
    case 'private':
      return `Seuls @${author_pseudo} et le destinataire peuvent ouvrir ce lien.`
  }
}

interface ShareTarget {
  name: string
  /** An SVG path in a square of 24. */
  icon: string
  /** The page of that network that takes a text and a link; without one, both are copied to be pasted there. */
  page?: (text: string, link: string) => string
}

function target(name: Brand, page?: ShareTarget['page']): ShareTarget {
  return { name, icon: BRAND_PATHS[name], ...(page && { page }) }
}

function address(base: string, query: Record<string, string>): string {
  return `${base}?${new URLSearchParams(query)}`
}

export const SHARE_TARGETS: readonly ShareTarget[] = [
  target('Facebook', (_, u) => address('https://www.facebook.com/sharer/sharer.php', { u })),
  target('X', (text, url) => address('https://x.com/intent/post', { text, url })),
  target('WhatsApp', (text, url) => address('https://wa.me/', { text: `${text} ${url}` })),
  target('Discord'),
  target('Instagram'),
  target('Snapchat'),
]

/** The address of a revelation, never with the personal key of a delivery mail. */
export function shareLink(revelationId: string): string {
  return window.location.origin + paths.revelation(revelationId)
}

/** Opens the mail program with the subject and the words. */
export function mailAddress(revelation: Revelation, link: string): string {
  const { title, visibility } = revelation
  const subject =
    visibility === 'public' ? `«\u202F${title}\u202F» sur ${SITE_NAME}` : shareText(revelation)
  const body = `Bonjour,\r\n\r\n${shareText(revelation)}\u202F:\r\n${link}`
  // Mail programs show a « + » as it is.
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

/** Opens the messages of the phone; `?&` is what both Android and iOS understand. */
export function smsAddress(text: string, link: string): string {
  return `sms:?&body=${encodeURIComponent(`${text} ${link}`)}`
}

/** The text beside the link: nothing of the letter, and not even the title of what is not public. */
export function shareText({
  title,
  author_pseudo,
  visibility,
  is_revealed,
  reveal_date,
  time_zone,
}: Revelation): string {
  if (visibility !== 'public') return `Une révélation à lire sur ${SITE_NAME}`
  const what = `«\u202F${title}\u202F», une révélation de @${author_pseudo}`
  const day = formatDay(reveal_date, time_zone)
  return is_revealed ? `${what}, dévoilée le ${day}` : `${what}. Elle s’ouvre le ${day}`
}
